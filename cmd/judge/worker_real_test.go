//go:build docker

package main

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/embedded"
	"judge/problems"
	"judge/problems/blob"
)

// workbench is a database with a problem, and workers, without an API.
type workbench struct {
	deployment

	database string
	store    *store.Store
	records  records
	token    judge.Token
	version  judge.ProblemVersion
}

func newWorkbench(t *testing.T) *workbench {
	t.Helper()
	b := &workbench{deployment: deployment{t: t, program: built(t), data: publicDir(t), cache: publicDir(t)}}
	server, err := embedded.Start(t.Context(), embedded.Options{Dir: filepath.Join(b.data, "postgres"), Path: os.Getenv("PATH")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	b.database = server.URL()
	if b.store, err = store.Open(t.Context(), b.database); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.store.Close(); err != nil {
			t.Error(err)
		}
	})
	if b.records, err = newRecords(b.store); err != nil {
		t.Fatal(err)
	}
	return b
}

// fill migrates, and publishes a sample.
func (b *workbench) fill(sample string) {
	b.t.Helper()
	t, ctx := b.t, b.t.Context()
	if err := b.store.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	pack, err := problems.Open(filepath.Join(samples, sample), problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pack.Close() }()
	blobs, err := blob.Open(ctx, (&url.URL{Scheme: "file", Path: filepath.Join(b.data, "blobs")}).String(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = blobs.Close() }()
	m, err := blob.Import(ctx, blobs, pack)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if b.token, _, err = b.store.CreateToken(ctx, judge.Token{Name: "platform", Role: judge.RoleSubmitter}); err != nil {
		t.Fatal(err)
	}
	err = b.store.Tx(ctx, func(tx *store.Tx) error {
		b.version, err = tx.CreateVersion(ctx, judge.ProblemVersion{Problem: sample, Digest: m.Version, Manifest: manifest, State: judge.Published})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// submit hands in one file.
func (b *workbench) submit(language, name, text string) (id string) {
	b.t.Helper()
	ctx := b.t.Context()
	err := b.records.tx(ctx, func(tx recordsTx) error {
		_, j, err := tx.CreateSubmission(ctx, judge.Submission{
			Problem: b.version.Problem, VersionID: b.version.ID, Language: language, TokenID: b.token.ID,
			Priority: judge.PriorityPractice, Files: []judge.File{{Name: name, Data: []byte(text)}},
		})
		if err != nil {
			return err
		}
		id = j.ID
		return tx.Enqueue(ctx, 1)
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

func (b *workbench) await(id string) judge.Judgement {
	b.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		j, err := b.store.Judgement(b.t.Context(), id)
		if err != nil {
			b.t.Fatal(err)
		}
		if j.State == judge.Judged {
			return j
		}
	}
	b.t.Fatalf("judgement %s does not end", id)
	return judge.Judgement{}
}

func (b *workbench) work(flags ...string) *process {
	return b.start(append([]string{
		"worker", "--database-url", b.database, "--data", b.data, "--cache-dir", b.cache,
	}, flags...)...)
}

const sumInPython = "print(sum(map(int, input().split())))\n"

// TestWorker: a worker that is a process of its own judges what is in the
// database, and ends in good order.
func TestWorker(t *testing.T) {
	b := newWorkbench(t)
	b.fill("aplusb")
	w := b.work("--slots", "1", "--name", "tester")
	tests := map[string]struct {
		language, name, text string
		verdict              judge.Verdict
	}{
		"accepted": {"python3", "sum.py", sumInPython, judge.AC},
		"compiled": {"cpp", "sum.cpp", "#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b; }\n", judge.AC},
		"wrong":    {"python3", "sum.py", "print(1)\n", judge.WA},
		"broken":   {"c", "sum.c", "int main(void) { return x; }\n", judge.CE},
		"unusable": {"python3", "no extension", sumInPython, judge.CE},
	}
	ids := map[string]string{}
	for name, test := range tests {
		ids[name] = b.submit(test.language, test.name, test.text)
	}
	for name, test := range tests {
		j := b.await(ids[name])
		if j.Verdict != test.verdict {
			t.Errorf("%s: %s %s", name, j.Verdict, j.Message)
		}
		if name == "accepted" && (len(j.Runs) == 0 || j.LanguageVersion == "" || j.ImageID == "" || j.CPUTime == 0 || j.Attempt != 1) {
			t.Errorf("%+v", j)
		}
	}
	list, err := b.store.Workers(t.Context())
	if err != nil || len(list) != 1 || list[0].Name != "tester" || list[0].Slots != 1 {
		t.Errorf("workers %+v, %v", list, err)
	}
	testSettings(t, b)
	testInspection(t, b, ids["wrong"])
	w.end(t)
	if code := w.cmd.ProcessState.ExitCode(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	if list, err = b.store.Workers(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("after the end: workers %+v, %v", list, err)
	}
}

// testSettings: a time limit that staff set counts for what begins after that.
func testSettings(t *testing.T, b *workbench) {
	t.Helper()
	loop := "int main(void) { for (volatile long i = 0; i < 40000000000; i++); }\n"
	settings := b.version.Settings
	settings.CPU = 50 * time.Millisecond
	if err := b.store.SetSettings(t.Context(), b.version.ID, settings); err != nil {
		t.Fatal(err)
	}
	if j := b.await(b.submit("c", "loop.c", loop)); j.Verdict != judge.TLE || j.Limit != judge.LimitCPU || j.CPUTime > 500*time.Millisecond {
		t.Errorf("%s, limit %s, %v", j.Verdict, j.Limit, j.CPUTime)
	}
}

// testInspection: one case again, with all that it printed.
func testInspection(t *testing.T, b *workbench, judgement string) {
	t.Helper()
	ctx := t.Context()
	var i judge.Inspection
	err := b.records.tx(ctx, func(tx recordsTx) (err error) {
		if i, err = tx.CreateInspection(ctx, judgement, 1, b.token.ID); err != nil {
			return err
		}
		return tx.Enqueue(ctx, 1)
	})
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); i.State != judge.Judged && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if i, err = b.store.Inspection(ctx, i.ID); err != nil {
			t.Fatal(err)
		}
	}
	if i.Run == nil || i.Run.Ordinal != 1 || i.Run.Output == nil || !bytes.Equal(i.Run.Output.Stdout, []byte("1\n")) {
		t.Errorf("%+v", i)
	}
}

// TestWorkerRefuses: what a worker cannot work with is said at once.
func TestWorkerRefuses(t *testing.T) {
	b := newWorkbench(t)
	tests := map[string]struct {
		flags []string
		code  int
		want  string
	}{
		"no schema":   {[]string{"--database-url", b.database}, exitFailed, "judge migrate"},
		"no database": {nil, exitInput, "--database-url"},
		"no slots":    {[]string{"--database-url", b.database, "--slots", "0"}, exitInput, "--slots"},
		"many slots":  {[]string{"--database-url", b.database, "--slots", "100000"}, exitInput, "--slots"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := runToEnd(t, append([]string{b.program, "worker", "--data", t.TempDir(), "--cache-dir", b.cache}, test.flags...)...)
			if got.code != test.code || !strings.Contains(got.err, test.want) {
				t.Errorf("exit code %d, %s", got.code, got.err)
			}
		})
	}
}

// TestWorkersTogether: two on one folder are two workers; one that is killed and
// started again is the same.
func TestWorkersTogether(t *testing.T) {
	b := newWorkbench(t)
	b.fill("aplusb")
	ids := func(n int) map[string]bool {
		t.Helper()
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			list, err := b.store.Workers(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(list) == n {
				out := map[string]bool{}
				for _, w := range list {
					out[w.ID] = true
				}
				return out
			}
		}
		t.Fatalf("there are not %d workers", n)
		return nil
	}
	first := b.work("--slots", "1")
	before := ids(1)
	b.work("--slots", "1")
	ids(2)
	first.kill()
	b.work("--slots", "1")
	if j := b.await(b.submit("python3", "sum.py", sumInPython)); j.Verdict != judge.AC {
		t.Errorf("%s %s", j.Verdict, j.Message)
	}
	for id := range before {
		if !ids(2)[id] {
			t.Errorf("worker %s has got another id", id)
		}
	}
}
