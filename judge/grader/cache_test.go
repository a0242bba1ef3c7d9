package grader_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/grader"
	"judge/runner"
)

func withCache(c *grader.Cache) func(*grader.Config) {
	return func(cfg *grader.Config) { cfg.Cache = c }
}

// entries are the names in a cache's folder.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// TestCacheKey: what asks for another compilation, and what does not.
func TestCacheKey(t *testing.T) {
	tests := []struct {
		name   string
		change func(*grader.Request, *judge.Language, *grader.Config)
		again  bool
	}{
		{name: "nothing", change: func(*grader.Request, *judge.Language, *grader.Config) {}},
		{name: "another submission", change: func(r *grader.Request, _ *judge.Language, _ *grader.Config) { r.ID = "s2" }},
		{name: "another problem", change: func(r *grader.Request, _ *judge.Language, _ *grader.Config) { r.Problem = problem("secret/9") }},
		{name: "warm-up", change: func(_ *grader.Request, l *judge.Language, _ *grader.Config) { l.Warmup = nil }},
		{name: "source", again: true, change: func(r *grader.Request, _ *judge.Language, _ *grader.Config) { r.Files[0].Data = []byte("Source") }},
		{name: "name of a source", again: true, change: func(r *grader.Request, _ *judge.Language, _ *grader.Config) { r.Files[0].Name = "other.x" }},
		{name: "one more file", again: true, change: func(r *grader.Request, _ *judge.Language, _ *grader.Config) {
			r.Files = append(r.Files, judge.File{Name: "readme"})
		}},
		{name: "bytes between two files", again: true, change: func(r *grader.Request, _ *judge.Language, _ *grader.Config) {
			r.Files = []judge.File{{Name: "main.x", Data: []byte("sour")}, {Name: "ce"}}
		}},
		{name: "include file", again: true, change: func(r *grader.Request, _ *judge.Language, _ *grader.Config) {
			r.Problem.Include = map[string][]judge.File{"x": {{Name: "lib.h"}}}
		}},
		{name: "language", again: true, change: func(_ *grader.Request, l *judge.Language, _ *grader.Config) { l.ID = "x2" }},
		{name: "language.yaml", again: true, change: func(_ *grader.Request, l *judge.Language, _ *grader.Config) { l.Hash = "h2" }},
		{name: "image", again: true, change: func(_ *grader.Request, _ *judge.Language, c *grader.Config) { c.Image = otherImage }},
		{name: "argument", again: true, change: func(_ *grader.Request, l *judge.Language, _ *grader.Config) {
			l.Compile = append([]string{"/usr/bin/xc", "-O2"}, l.Compile[1:]...)
		}},
		{name: "where arguments part", again: true, change: func(_ *grader.Request, l *judge.Language, _ *grader.Config) {
			l.Compile = []string{"/usr/bin/xc", "-omain", "{sources}"}
		}},
		{name: "environment", again: true, change: func(_ *grader.Request, l *judge.Language, _ *grader.Config) { l.Env = []string{"LANG=D"} }},
		{name: "argument or environment", again: true, change: func(_ *grader.Request, l *judge.Language, _ *grader.Config) {
			l.Compile, l.Env = append(slices.Clip(l.Compile), "LANG=C"), nil
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t, 1)
			cache, _ := cacheIn(t)
			judgeOne := func(change func(*grader.Request, *judge.Language, *grader.Config)) judge.Judgement {
				l := lang
				req := request(t, problem("secret/1"), &l)
				g := newGrader(s, withCache(cache), func(c *grader.Config) { change(&req, &l, c) })
				return mustJudge(t, g, req)
			}
			first := judgeOne(tests[0].change)
			second := judgeOne(tt.change)
			want := 1
			if tt.again {
				want = 2
			}
			if n := s.count(runner.Compile); n != want || second.Verdict != judge.AC {
				t.Errorf("compiled %d times, want %d; %s", n, want, second.Verdict)
			}
			if diff := cmp.Diff(first.Compile, second.Compile); diff != "" {
				t.Errorf("a compilation from the cache says something else: %s", diff)
			}
		})
	}
}

func TestCacheKeepsJuryApart(t *testing.T) {
	s := newSandbox(t, 1)
	s.jury = func(*call) (runner.Result, error) { return exit(42), nil }
	cache, _ := cacheIn(t)
	p := problem("secret/1")
	p.Validator.Programs = []judge.JuryProgram{{Name: "v", Files: []judge.File{{Name: "main.x", Data: []byte("source")}}}}
	for range 2 {
		if j := mustJudge(t, newGrader(s, withCache(cache)), request(t, p, &lang)); j.Verdict != judge.AC {
			t.Errorf("verdict %s", j.Verdict)
		}
	}
	if n := s.count(runner.Compile); n != 2 {
		t.Errorf("compiled %d times, want twice: the same source as a submission and as the jury's", n)
	}
}

func TestCacheFolder(t *testing.T) {
	cache, dir := cacheIn(t)
	s := newSandbox(t, 1)
	mustJudge(t, newGrader(s, withCache(cache)), request(t, problem("secret/1"), &lang))
	for _, name := range append([]string{""}, entries(t, dir)...) {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%q has mode %v, error %v", name, info.Mode(), err)
		}
	}
	// Another process finds it there.
	other, err := grader.NewCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	mustJudge(t, newGrader(s, withCache(other)), request(t, problem("secret/1"), &lang))
	if n := s.count(runner.Compile); n != 1 || len(entries(t, dir)) != 1 {
		t.Errorf("compiled %d times, entries %v", n, entries(t, dir))
	}
}

// TestCacheDamaged: whatever happened to an entry, it is compiled anew, and
// right from then on.
func TestCacheDamaged(t *testing.T) {
	rewrite := func(name string, change func([]byte) []byte) func(string) error {
		return func(dir string) error {
			name := filepath.Join(dir, name)
			b, err := os.ReadFile(name)
			return errors.Join(err, os.WriteFile(name, change(b), 0o600))
		}
	}
	tests := map[string]func(dir string) error{
		"a bit of the executable": rewrite("executable.tar", func(b []byte) []byte { b[600] ^= 1; return b }),
		"executable cut":          rewrite("executable.tar", func(b []byte) []byte { return b[:len(b)/2] }),
		"executable empty":        rewrite("executable.tar", func([]byte) []byte { return nil }),
		"executable gone":         func(dir string) error { return os.Remove(filepath.Join(dir, "executable.tar")) },
		"note empty":              rewrite("note.json", func([]byte) []byte { return nil }),
		"note cut":                rewrite("note.json", func(b []byte) []byte { return b[:len(b)/2] }),
		"note gone":               func(dir string) error { return os.Remove(filepath.Join(dir, "note.json")) },
		"hash of nothing":         rewrite("note.json", func([]byte) []byte { return []byte(`{"ok":true}`) }),
	}
	for name, damage := range tests {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t, 1)
			cache, dir := cacheIn(t)
			g := newGrader(s, withCache(cache))
			for range 2 {
				mustJudge(t, g, request(t, problem("secret/1"), &lang))
			}
			if err := damage(filepath.Join(dir, entries(t, dir)[0])); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if j := mustJudge(t, g, request(t, problem("secret/1"), &lang)); j.Verdict != judge.AC {
					t.Errorf("verdict %s, %s", j.Verdict, j.Message)
				}
			}
			if n := s.count(runner.Compile); n != 2 || len(entries(t, dir)) != 1 {
				t.Errorf("compiled %d times, want 2; entries %v", n, entries(t, dir))
			}
		})
	}
}

// TestCompileOnce: judgements of the same program at once compile it once; if
// what that comes to is not to be kept, the others do not wait for each other.
func TestCompileOnce(t *testing.T) {
	tests := []struct {
		name  string
		res   runner.Result
		err   error // of the first compilation
		want  judge.Verdict
		times int
		took  time.Duration
	}{
		{name: "success", want: judge.AC, times: 1, took: time.Second},
		{name: "reported failure", res: exit(1), want: judge.CE, times: 1, took: time.Second},
		{name: "time-out", res: runner.Result{Limit: runner.LimitCPU, Signal: 9}, want: judge.CE, times: 5, took: 2 * time.Second},
		{name: "the first box fails", err: errBox, want: judge.AC, times: 2, took: 2 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cache, dir := cacheIn(t)
			synctest.Test(t, func(t *testing.T) {
				s := newSandbox(t, 5)
				compile := s.compile
				var mu sync.Mutex
				first := true
				s.compile = func(c *call) (runner.Result, error) {
					mu.Lock()
					fails := first && tt.err != nil
					first = false
					mu.Unlock()
					time.Sleep(time.Second)
					if fails {
						return runner.Result{}, tt.err
					}
					if tt.res.ExitCode != 0 || tt.res.Signal != 0 {
						return tt.res, nil
					}
					return compile(c)
				}
				start := time.Now()
				var wg sync.WaitGroup
				g, p := newGrader(s, withCache(cache)), problem("secret/1")
				for range 5 {
					req := request(t, p, &lang)
					wg.Go(func() {
						if j, err := g.Judge(t.Context(), req, nil); err != nil || j.Verdict != tt.want {
							t.Errorf("%s, %v", j.Verdict, err)
						}
					})
				}
				wg.Wait()
				if n, took := s.count(runner.Compile), time.Since(start); n != tt.times || took != tt.took {
					t.Errorf("compiled %d times in %v, want %d in %v", n, took, tt.times, tt.took)
				}
			})
			for _, name := range entries(t, dir) {
				if strings.HasPrefix(name, "new-") {
					t.Errorf("%s is left", name)
				}
			}
		})
	}
}

// TestProcessesShareACache: caches that do not know of each other use and empty
// one folder at once, as processes do.
func TestProcessesShareACache(t *testing.T) {
	_, dir := cacheIn(t)
	s := newSandbox(t, 4)
	s.run = func(c *call) (runner.Result, error) {
		if got := string(c.box.program["main"]); !strings.HasPrefix(got, "compiled:program ") {
			t.Errorf("the program is %q", got)
		}
		c.print(c.input)
		return ok(), nil
	}
	var wg sync.WaitGroup
	for range 4 {
		cache, err := grader.NewCache(dir)
		if err != nil {
			t.Fatal(err)
		}
		g := newGrader(s, withCache(cache))
		req := request(t, problem("secret/1"), &lang)
		wg.Go(func() {
			for i := range 30 {
				req.Files = []judge.File{{Name: "main.x", Data: fmt.Appendf(nil, "program %d", i%7)}}
				if j, err := g.Judge(t.Context(), req, nil); err != nil || j.Verdict != judge.AC {
					t.Errorf("%s (%s), %v", j.Verdict, j.Message, err)
				}
				if i%5 == 0 {
					if _, err := cache.Evict(3000); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
}

func TestEvict(t *testing.T) {
	cache, dir := cacheIn(t)
	s := newSandbox(t, 1)
	g := newGrader(s, withCache(cache))
	compileOf := func(source string) string {
		before := entries(t, dir)
		req := request(t, problem("secret/1"), &lang)
		req.Files[0].Data = []byte(source)
		mustJudge(t, g, req)
		for _, name := range entries(t, dir) {
			if !strings.Contains(strings.Join(before, " "), name) {
				return name
			}
		}
		return ""
	}
	oldest, middle, newest := compileOf("1"), compileOf("2"), compileOf("3")
	hour := time.Now().Add(-time.Hour)
	for i, name := range []string{oldest, middle, newest} {
		if err := os.Chtimes(filepath.Join(dir, name), hour, hour.Add(time.Duration(i)*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	if compileOf("1") != "" {
		t.Fatal("not found in the cache")
	}
	stale, fresh := filepath.Join(dir, "new-stale"), filepath.Join(dir, "new-fresh")
	for _, d := range []string{stale, fresh} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	days := time.Now().Add(-50 * time.Hour)
	if err := os.Chtimes(stale, days, days); err != nil {
		t.Fatal(err)
	}

	all, err := cache.Evict(1 << 20)
	if err != nil || all.Entries != 0 || all.Kept == 0 {
		t.Fatalf("%+v, %v", all, err)
	}
	if _, err := os.Stat(stale); !errors.Is(err, fs.ErrNotExist) {
		t.Error("what a dead process left is still there")
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Error("an entry on its way is gone")
	}
	got, err := cache.Evict(all.Kept * 2 / 3)
	if err != nil || got.Entries != 1 || got.Kept+got.Freed != all.Kept || got.Kept > all.Kept*2/3 {
		t.Errorf("%+v of %+v, %v", got, all, err)
	}
	// The oldest had just been used, so the middle one has to go.
	if left := strings.Join(entries(t, dir), " "); strings.Contains(left, middle) || !strings.Contains(left, oldest) || !strings.Contains(left, newest) {
		t.Errorf("left %s; middle is %s", left, middle)
	}
	if got, err := cache.Evict(0); err != nil || got.Kept != 0 || got.Entries != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}
