package grader_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"

	"judge/judge"
	"judge/judge/grader"
	"judge/runner"
)

var errBox = errors.New("agent fell silent\x00")

// TestBoxFails: where the sandbox fails, how often, and what comes of it.
func TestBoxFails(t *testing.T) {
	unavailable := fmt.Errorf("image is missing: %w", runner.ErrUnavailable)
	// fail makes the first n uses of one verb fail.
	fail := func(verb string, n int, err error) func(*sandbox) {
		return func(s *sandbox) {
			var mu sync.Mutex
			broken := func() error {
				mu.Lock()
				defer mu.Unlock()
				if n--; n >= 0 {
					return err
				}
				return nil
			}
			wrap := func(f func(*call) (runner.Result, error)) func(*call) (runner.Result, error) {
				return func(c *call) (runner.Result, error) {
					if strings.Contains(c.input, "1") || c.cmd.Stdin == nil {
						if err := broken(); err != nil {
							c.print("half of an outp") // must not reach the next attempt
							return runner.Result{}, err
						}
					}
					return f(c)
				}
			}
			switch verb {
			case "run":
				s.run = wrap(s.run)
			case "compile":
				s.compile = wrap(s.compile)
			case "jury":
				s.jury = wrap(s.jury)
			case "pack":
				s.pack = broken
			case "unpack":
				s.unpack = broken
			default:
				s.take = func(spec runner.Spec) error {
					if string(spec.Class) == strings.TrimPrefix(verb, "take ") {
						return broken()
					}
					return nil
				}
			}
		}
	}
	const fine = "AC: secret/1=AC secret/2=AC"
	je := "JE: secret/1=JE"
	tests := []struct {
		verb  string
		after string // three failures
	}{
		{"run", je},
		{"unpack", je},
		{"take run", je},
		{"take jury", je},
		{"jury", je},
		{"compile", "JE:"},
		{"pack", "JE:"},
		{"take compile", "JE:"},
	}
	for _, tt := range tests {
		for n := 1; n <= 3; n++ {
			t.Run(fmt.Sprintf("%s fails %d times", tt.verb, n), func(t *testing.T) {
				s := newSandbox(t, 1)
				p := problem("secret/1", "secret/2")
				if strings.Contains(tt.verb, "jury") {
					p.Validator.Programs = []judge.JuryProgram{{Name: "v", Files: []judge.File{{Name: "v.s"}}}}
					s.jury = func(*call) (runner.Result, error) { return exit(42), nil }
				}
				fail(tt.verb, n, errBox)(s)
				j := mustJudge(t, newGrader(s), request(t, p, &lang))
				want := fine
				if n == 3 {
					want = tt.after
				}
				if got := verdicts(j); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
				if n < 3 {
					return
				}
				if !strings.Contains(j.Message, "agent fell silent\uFFFD") {
					t.Errorf("message %q", j.Message)
				}
				for _, r := range j.Runs {
					if r.Message != j.Message || r.ExitCode != -1 || r.WallTime != 0 {
						t.Errorf("run %+v", r)
					}
				}
			})
		}
		t.Run(tt.verb+" is unavailable", func(t *testing.T) {
			s := newSandbox(t, 2)
			p := problem("secret/1", "secret/2")
			if strings.Contains(tt.verb, "jury") {
				p.Validator.Programs = []judge.JuryProgram{{Name: "v", Files: []judge.File{{Name: "v.s"}}}}
				s.jury = func(*call) (runner.Result, error) { return exit(42), nil }
			}
			fail(tt.verb, 1, unavailable)(s)
			if j, err := newGrader(s).Judge(t.Context(), request(t, p, &lang), nil); !errors.Is(err, runner.ErrUnavailable) || j.Verdict != "" {
				t.Errorf("error %v, verdict %q", err, j.Verdict)
			}
		})
	}
}

// TestJudgingErrorsDecideNothingElse: what a JE does to the cases around it.
func TestJudgingErrorInOrder(t *testing.T) {
	p := problem("secret/1", "secret/2", "secret/3")
	p.Root.Groups[0].Cases[1].Input.Ref = "missing"
	for slots := 1; slots <= 3; slots++ {
		s := newSandbox(t, slots)
		j := mustJudge(t, newGrader(s), request(t, p, &script))
		if got := verdicts(j); got != "JE: secret/1=AC secret/2=JE" || !strings.Contains(j.Message, "open input of secret/2: no such blob") {
			t.Errorf("%s, message %q", got, j.Message)
		}
		req := request(t, p, &script)
		req.All = true
		if got := verdicts(mustJudge(t, newGrader(s), req)); got != "JE: secret/1=AC secret/2=JE secret/3=AC" {
			t.Error(got)
		}
	}
	p.Root.Groups[0].Cases[1].Input.Ref = "2"
	p.Root.Groups[0].Cases[1].Answer.Ref = "missing"
	if got := verdicts(mustJudge(t, newGrader(newSandbox(t, 1)), request(t, p, &script))); got != "JE: secret/1=AC secret/2=JE" {
		t.Error(got)
	}
}

// unreadable opens answers that cannot be read.
type unreadable struct{ data }

func (u unreadable) Open(b judge.Blob) (*os.File, error) {
	if b.Ref == "unreadable" {
		return os.Open(u.dir) // reading a folder is EISDIR
	}
	return u.data.Open(b)
}

// TestAnswerUnreadable: an answer that cannot be read is never WA.
func TestAnswerUnreadable(t *testing.T) {
	p := problem("secret/1")
	p.Root.Groups[0].Cases[0].Answer.Ref = "unreadable"
	for _, output := range []string{"", "x"} {
		s := newSandbox(t, 1)
		s.run = func(c *call) (runner.Result, error) {
			if output != "" {
				if _, err := c.cmd.Stdout.Write([]byte(output)); err != nil {
					return runner.Result{}, err
				}
			}
			return ok(), nil
		}
		req := request(t, p, &script)
		req.Data = unreadable{data{t.TempDir()}}
		j := mustJudge(t, newGrader(s), req)
		if got := verdicts(j); got != "JE: secret/1=JE" || !strings.Contains(j.Message, "is a directory") || s.count(runner.Run) != 3 {
			t.Errorf("%s, message %q after %d runs", got, j.Message, s.count(runner.Run))
		}
	}
}

func TestCompilerMissing(t *testing.T) {
	s := newSandbox(t, 1)
	s.compile = func(*call) (runner.Result, error) { return runner.Result{Exec: syscall.ENOENT}, nil }
	j := mustJudge(t, newGrader(s), request(t, problem("secret/1"), &lang))
	if j.Verdict != judge.JE || !strings.Contains(j.Message, "start compiler /usr/bin/xc") {
		t.Errorf("%s, %q", j.Verdict, j.Message)
	}
}

func TestImageMissing(t *testing.T) {
	s := newSandbox(t, 1)
	g := newGrader(s, func(c *grader.Config) {
		c.Image = func(context.Context, *judge.Language) (grader.Image, error) {
			return grader.Image{}, fmt.Errorf("not built: %w", runner.ErrUnavailable)
		}
	})
	_, err := g.Judge(t.Context(), request(t, problem("secret/1"), &lang), nil)
	if !errors.Is(err, runner.ErrUnavailable) || !strings.Contains(err.Error(), "language x") {
		t.Error(err)
	}
}

// TestCacheBroken: a full or missing disk is an error that may be mended, not a
// verdict.
func TestCacheBroken(t *testing.T) {
	s := newSandbox(t, 1)
	cache, dir := cacheIn(t)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	g := newGrader(s, func(c *grader.Config) { c.Cache = cache })
	if _, err := g.Judge(t.Context(), request(t, problem("secret/1"), &lang), nil); err == nil || !strings.Contains(err.Error(), "make cache entry") {
		t.Error(err)
	}
}

// TestNothingLeft: judgements leave neither descriptors nor files behind.
func TestNothingLeft(t *testing.T) {
	// The collector closes what nobody closed; it must not hide a leak.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	s := newSandbox(t, 2)
	s.jury = func(*call) (runner.Result, error) { return exit(42), nil }
	compile := s.compile
	s.compile = func(c *call) (runner.Result, error) {
		if string(c.box.work["main.x"]) == "syntax error" {
			return exit(1), nil
		}
		return compile(c)
	}
	cache, _ := cacheIn(t)
	temp := t.TempDir()
	graders := []*grader.Grader{
		newGrader(s, func(c *grader.Config) { c.Cache, c.TempDir = cache, temp }),
		newGrader(s, func(c *grader.Config) { c.TempDir = temp }),
	}
	plain := problem("secret/1", "secret/2", "secret/3")
	custom := problem("secret/1", "secret/2", "secret/3")
	custom.Validator.Programs = []judge.JuryProgram{{Name: "v", Files: []judge.File{{Name: "v.x"}}}}
	descriptors := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	before := 0
	for i := range 20 {
		g := graders[i%2]
		for _, p := range []*judge.Problem{plain, custom} {
			mustJudge(t, g, request(t, p, &lang))
		}
		bad := request(t, plain, &lang)
		bad.Files[0].Data = []byte("syntax error")
		if j := mustJudge(t, g, bad); j.Verdict != judge.CE {
			t.Errorf("verdict %s", j.Verdict)
		}
		if i == 1 {
			before = descriptors()
		}
	}
	if after := descriptors(); after > before {
		t.Errorf("%d descriptors, %d after the first two rounds", after, before)
	}
	if list, err := os.ReadDir(temp); err != nil || len(list) != 0 {
		t.Errorf("left in the temporary folder: %v, %v", list, err)
	}
}

// TestWornBox: a box that says so has judged its last case, and its result
// counts.
func TestWornBox(t *testing.T) {
	s := newSandbox(t, 1)
	boxes := map[runner.Box]bool{}
	worn := func(c *call) (runner.Result, error) {
		if boxes[c.box] {
			t.Error("a worn box ran again")
		}
		boxes[c.box] = true
		if c.box.spec.Class == runner.Run {
			c.print(c.input)
			return runner.Result{Worn: true}, nil
		}
		return runner.Result{ExitCode: 42, Worn: true}, nil
	}
	s.run, s.jury = worn, worn
	p := problem("secret/1", "secret/2", "secret/3")
	p.Validator.Programs = []judge.JuryProgram{{Name: "v", Files: []judge.File{{Name: "v.s"}}}}
	j := mustJudge(t, newGrader(s), request(t, p, &lang))
	if got, want := verdicts(j), "AC: secret/1=AC secret/2=AC secret/3=AC"; got != want || len(boxes) != 6 {
		t.Errorf("got %s from %d boxes, want %s from 6", got, len(boxes), want)
	}
}
