//go:build docker

package grader_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"judge/images"
	"judge/judge"
	"judge/judge/grader"
	"judge/judge/language"
	"judge/runner"
	"judge/runner/docker"
)

var pairTimes = flag.Int("pairs", 2, "how often each pair of interactive programs is judged")

// realGrader is a grader with boxes of Docker; C and the jury's scripts are all its
// languages.
func realGrader(t *testing.T) (*grader.Grader, *judge.Language) {
	t.Helper()
	set, err := language.Load(images.FS)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := docker.OpenImages(t.Context(), images.FS, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close() //nolint:errcheck // read only
	found, err := engine.List(t.Context(), []string{"c", "_jury"})
	if err != nil {
		t.Fatal(err)
	}
	agent := filepath.Join(t.TempDir(), "judge-agent")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", agent, "judge/cmd/judge/agent")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the agent: %v\n%s", err, out)
	}
	sandbox, err := docker.New(t.Context(), docker.Options{Agent: agent})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sandbox.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("close sandbox: %v", err)
		}
	})
	cache, err := grader.NewCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c, _ := set.Get("c")
	return grader.New(grader.Config{
		Sandbox: sandbox, Cache: cache, TempDir: t.TempDir(),
		Image: func(_ context.Context, l *judge.Language) (grader.Image, error) {
			for _, i := range found {
				if i.Language == l.Image {
					if i.State != docker.ImageReady {
						return grader.Image{}, fmt.Errorf("%w: judge images build %s makes it", runner.ErrUnavailable, l.Image)
					}
					return grader.Image{Ref: i.ID, ID: i.ID, Version: l.Name}, nil
				}
			}
			return grader.Image{}, runner.ErrUnavailable
		},
		JuryLanguage: func([]judge.File) (*judge.Language, error) { return c, nil },
	}), c
}

// pairs are programs that talk to each other, with what must come of it each time.
var pairs = []struct {
	submission, interactor string
	want                   judge.Verdict
	limit                  judge.Limit
}{
	{"talk", "ask", judge.AC, ""},
	{"wrong", "ask", judge.WA, ""},
	{"leave", "ask", judge.WA, ""},                          // the interactor sees the end of file
	{"crash", "ask", judge.RE, ""},                          // and its rejection does not hide the crash
	{"crash", "slow-reject", judge.RE, ""},                  //
	{"wrong-and-crash", "ask", judge.WA, ""},                // the crash came 0.1 s after the rejection
	{"end-badly", "reject", judge.WA, ""},                   // the crash followed
	{"flood", "reject", judge.WA, ""},                       // so did SIGPIPE
	{"flood", "sip", judge.WA, ""},                          // after 100 reads
	{"sleep", "reject", judge.WA, ""},                       // its limit came later
	{"flood", "deaf", judge.WA, ""},                         // an interactor that stops reading
	{"listen", "listen-reject", judge.TLE, judge.LimitWall}, // both wait
	{"flood", "hang", judge.TLE, judge.LimitWall},           // nobody reads, and the interactor outlives it
	{"burn", "listen-reject", judge.TLE, judge.LimitCPU},    //
	{"burn", "accept", judge.TLE, judge.LimitCPU},           // accepted, and went on
	{"eat", "listen-reject", judge.MLE, judge.LimitMemory},  //
	{"close-out", "listen-accept", judge.AC, ""},            // the end of file arrives while it lives
	{"listen", "close-out", judge.AC, ""},                   // the other way round: it ends by the interactor's end
	{"burn", "close-out-reject", judge.TLE, judge.LimitCPU}, // it closed its output, and lived
	{"leave", "flood", judge.AC, ""},                        // 10 MiB into nothing: neither SIGPIPE nor a full pipe
	{"close-in", "flood", judge.AC, ""},                     //
	{"late-words", "accept", judge.AC, ""},                  // a MiB after it was accepted
	{"leave-child", "listen-accept", judge.AC, ""},          // a child that holds the pipe is killed
	{"end-badly", "accept", judge.RE, ""},                   // accepted, and crashed all the same
	{"talk", "crash", judge.JE, ""},                         //
	{"listen", "crash", judge.JE, ""},                       //
	{"talk", "zero", judge.JE, ""},                          // 0 is no answer
}

func pairProblem(t *testing.T) *judge.Problem {
	t.Helper()
	p := &judge.Problem{
		Name: "pairs", Version: "v1", Interactive: true,
		Limits:     judge.Limits{CPU: 300 * time.Millisecond, Wall: 1500 * time.Millisecond, Memory: 64 << 20},
		Validation: judge.Limits{CPU: 2 * time.Second, Wall: 3 * time.Second},
		Validator:  judge.OutputValidator{Programs: []judge.JuryProgram{{Name: "output_validators/interactor", Files: pairFiles(t, "interactor.c", "player.h")}}},
	}
	secret := judge.TestGroup{Name: "secret", ContinueReject: true}
	for i, pair := range pairs {
		secret.Cases = append(secret.Cases, judge.TestCase{
			Name: fmt.Sprintf("secret/%02d", i), Args: []string{pair.submission}, ValidatorFlags: []string{pair.interactor},
			Input: judge.Blob{Ref: "in"}, Answer: judge.Blob{Ref: "ans"},
		})
	}
	p.Root = judge.TestGroup{Groups: []judge.TestGroup{secret}}
	return p
}

func pairFiles(t *testing.T, names ...string) []judge.File {
	t.Helper()
	var out []judge.File
	for _, n := range names {
		b, err := os.ReadFile(filepath.Join("testdata", "pairs", n))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, judge.File{Name: n, Data: b})
	}
	return out
}

// TestPairs: however often, and with the judge in between, each pair comes to the
// same.
func TestPairs(t *testing.T) {
	g, c := realGrader(t)
	p := pairProblem(t)
	for _, transcripts := range []grader.Transcripts{grader.NoTranscripts, grader.AllTranscripts} {
		for time := range *pairTimes {
			j, err := g.Judge(t.Context(), grader.Request{
				ID: "pairs", Problem: p, Data: data{t.TempDir()}, Language: c, Files: pairFiles(t, "submission.c", "player.h"),
				Options: grader.Options{All: true, Transcripts: transcripts},
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(j.Runs) != len(pairs) {
				t.Fatalf("%s: %d runs", j.Verdict, len(j.Runs))
			}
			for i, run := range j.Runs {
				if pair := pairs[i]; run.Verdict != pair.want || run.Limit != pair.limit {
					t.Errorf("time %d, transcripts %v: %s with %s: %s %s, want %s %s; %v CPU, %v wall, exit code %d, signal %d: %s", time, transcripts,
						pair.submission, pair.interactor, run.Verdict, run.Limit, pair.want, pair.limit, run.CPUTime, run.WallTime, run.ExitCode, run.Signal, run.Message)
				}
			}
		}
	}
}
