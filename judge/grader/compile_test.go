package grader_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/grader"
	"judge/runner"
)

func TestCompileAndRun(t *testing.T) {
	s := newSandbox(t, 1)
	var inCompiler, inRun, inWork []string
	s.compile = func(c *call) (runner.Result, error) {
		inCompiler = slices.Sorted(maps.Keys(c.box.work))
		c.box.work["main"] = []byte("code")
		c.box.work["main.o"] = nil
		c.warn("a warning\x1b[1m")
		return runner.Result{CPU: time.Second, Wall: 2 * time.Second, Memory: 7}, nil
	}
	s.run = func(c *call) (runner.Result, error) {
		inRun = slices.Sorted(maps.Keys(c.box.program))
		inWork = slices.Collect(maps.Keys(c.box.work))
		c.print(c.input)
		return ok(), nil
	}
	p := problem("sample/1", "secret/1")
	p.Include = map[string][]judge.File{"x": {{Name: "lib.x", Data: []byte("lib")}}}
	p.Compilation = judge.Limits{CPU: 90 * time.Second, Memory: 64 * mib}
	l := lang
	l.CompileLimits = judge.Limits{CPU: 30 * time.Second, Memory: 512 * mib, Processes: 200}
	j := mustJudge(t, newGrader(s), request(t, p, &l))

	if diff := cmp.Diff([]string{"lib.x", "main.x"}, inCompiler); diff != "" {
		t.Errorf("in the compile box: %s", diff)
	}
	if diff := cmp.Diff([]string{"main"}, inRun); diff != "" || len(inWork) > 0 {
		t.Errorf("in the run box: %s and %v", diff, inWork)
	}
	want := judge.Judgement{
		State: judge.Judged, Problem: "echo", ProblemVersion: "v1", Language: "x", LanguageVersion: "X 1.0", ImageID: "sha256:x",
		Verdict: judge.AC, CPUTime: 1e6, WallTime: 2e6, Memory: mib,
		Compile: &judge.Compilation{OK: true, Output: `a warning\x1b[1m`, CPUTime: time.Second, WallTime: 2 * time.Second, Memory: 7},
		Runs: []judge.Run{
			{Ordinal: 1, Case: "sample/1", Verdict: judge.AC, CPUTime: 1e6, WallTime: 2e6, Memory: mib},
			{Ordinal: 2, Case: "secret/1", Verdict: judge.AC, CPUTime: 1e6, WallTime: 2e6, Memory: mib},
		},
	}
	if diff := cmp.Diff(want, j); diff != "" {
		t.Error(diff)
	}
	compiling, running := s.calls[0].cmd, s.calls[1].cmd
	if diff := cmp.Diff([]string{"/usr/bin/xc", "-o", "main", "main.x", "lib.x"}, compiling.Args); diff != "" {
		t.Error(diff)
	}
	// The wider of the two for each limit; what nobody names by default.
	if diff := cmp.Diff(runner.Limits{CPU: 90 * time.Second, Wall: 180 * time.Second, Memory: 512 * mib, Output: 8 * mib, Processes: 200}, compiling.Limits); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(runner.Limits{CPU: 1100 * time.Millisecond, Wall: 2 * time.Second, Memory: 2048 * mib, Output: 8 * mib, Processes: 64}, running.Limits); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"LANG=C"}, {"LANG=C"}}, [][]string{compiling.Env, running.Env}); diff != "" {
		t.Error(diff)
	}
	if s.count(runner.Compile) != 1 || s.count(runner.Run) != 2 || len(s.specs) != 2 {
		t.Errorf("%d calls in %d boxes", len(s.calls), len(s.specs))
	}
}

func TestNotCompiled(t *testing.T) {
	s := newSandbox(t, 1)
	var program files
	s.run = func(c *call) (runner.Result, error) {
		program = maps.Clone(c.box.program)
		c.print(c.input)
		return ok(), nil
	}
	p := problem("secret/1")
	p.Limits.Memory = 100 * mib
	j := mustJudge(t, newGrader(s), request(t, p, &script))
	if j.Verdict != judge.AC || j.Compile != nil {
		t.Errorf("verdict %s, compilation %v", j.Verdict, j.Compile)
	}
	if diff := cmp.Diff(files{"main.s": []byte("source")}, program); diff != "" {
		t.Error(diff)
	}
	cmd := s.calls[0].cmd
	if diff := cmp.Diff([]string{"/usr/bin/s", "-m100", "/box/p/main.s"}, cmd.Args); diff != "" {
		t.Error(diff)
	}
	// The allowance goes to the sandbox, the factor to both times.
	if diff := cmp.Diff(runner.Limits{CPU: 2200 * time.Millisecond, Wall: 4 * time.Second, Memory: 110 * mib, Output: 8 * mib, Processes: 64}, cmd.Limits); diff != "" {
		t.Error(diff)
	}
}

func TestCompileFails(t *testing.T) {
	kill := syscall.SIGKILL
	tests := []struct {
		name   string
		res    runner.Result
		text   string
		output string
		kept   bool
	}{
		{name: "the compiler says so", res: exit(1), text: "main.x:1: error\n", output: "main.x:1: error\n", kept: true},
		{name: "text is made safe", res: exit(1), text: "a\x00\xff\x1b[2J", output: "a\uFFFD\uFFFD\\x1b[2J", kept: true},
		{name: "killed", res: runner.Result{Signal: kill}, text: "x", output: "the compiler was killed by signal 9 (killed)\nx"},
		{name: "CPU limit", res: runner.Result{Signal: kill, Limit: runner.LimitCPU}, output: "compilation stopped: more than 1m0s of CPU time\n"},
		{name: "wall limit", res: runner.Result{Signal: kill, Limit: runner.LimitWall}, output: "compilation stopped: more than 2m0s of wall time\n"},
		{name: "output limit", res: runner.Result{Signal: kill, Limit: runner.LimitOutput}, text: "y", output: "compilation stopped: more than 8388608 bytes of messages\ny"},
		{name: "memory limit", res: runner.Result{Signal: kill, Limit: runner.LimitMemory, OOMKills: 1}, output: "compilation stopped: more than 2048 MiB of memory\n"},
		{name: "a child killed for memory", res: runner.Result{ExitCode: 1, OOMKills: 1}, text: "cc1plus died", output: "compilation stopped: more than 2048 MiB of memory\ncc1plus died"},
		{name: "a child killed for memory, exit 0", res: runner.Result{OOMKills: 1}, output: "compilation stopped: more than 2048 MiB of memory\n"},
		{name: "refused processes", res: runner.Result{ExitCode: 1, Limit: runner.LimitProcesses}, text: "cannot fork", output: "cannot fork"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t, 1)
			s.compile = func(c *call) (runner.Result, error) {
				c.box.work["main"] = []byte("half")
				c.print(tt.text[:len(tt.text)/2])
				c.warn(tt.text[len(tt.text)/2:])
				tt.res.Wall, tt.res.CPU = 3, 2
				return tt.res, nil
			}
			cache, _ := cacheIn(t)
			g := newGrader(s, func(c *grader.Config) { c.Cache = cache })
			req := request(t, problem("secret/1"), &lang)
			j := mustJudge(t, g, req)
			want := judge.Judgement{
				State: judge.Judged, Problem: "echo", ProblemVersion: "v1", Language: "x", LanguageVersion: "X 1.0", ImageID: "sha256:x",
				Verdict: judge.CE, Compile: &judge.Compilation{Output: tt.output, CPUTime: 2, WallTime: 3, Memory: tt.res.Memory},
			}
			if diff := cmp.Diff(want, j); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(want, mustJudge(t, g, req)); diff != "" {
				t.Errorf("again: %s", diff)
			}
			compiled := 2
			if tt.kept {
				compiled = 1
			}
			if n := s.count(runner.Compile); n != compiled {
				t.Errorf("compiled %d times, want %d", n, compiled)
			}
			if n := s.count(runner.Run); n != 0 {
				t.Errorf("%d runs", n)
			}
		})
	}
}

func TestCompilerTextIsCapped(t *testing.T) {
	s := newSandbox(t, 1)
	s.compile = func(c *call) (runner.Result, error) {
		for range 100 {
			c.print(strings.Repeat("\x07", 1000))
		}
		return exit(1), nil
	}
	out := mustJudge(t, newGrader(s), request(t, problem("secret/1"), &lang)).Compile.Output
	if len(out) > 64<<10 || len(out) < 60<<10 || !strings.HasSuffix(out, "\n[cut]") {
		t.Errorf("%d bytes that end in %q", len(out), out[max(0, len(out)-20):])
	}
}

func TestExecutableTooLarge(t *testing.T) {
	s := newSandbox(t, 1)
	s.pack = func() error { return runner.ErrTooLarge }
	j := mustJudge(t, newGrader(s), request(t, problem("secret/1"), &lang))
	if j.Verdict != judge.CE || !strings.Contains(j.Compile.Output, "larger than 256 MiB") || s.count(runner.Compile) != 1 {
		t.Errorf("%s, %+v after %d compilations", j.Verdict, j.Compile, s.count(runner.Compile))
	}
}

func TestBadRequests(t *testing.T) {
	big := problem("secret/1")
	big.Code = 3
	flags := problem("secret/1")
	flags.Root.Groups[0].ValidatorFlags = []string{"no_such_flag"}
	tests := []struct {
		name   string
		change func(*grader.Request, *grader.Config)
		is     error
		text   string
	}{
		{name: "too much code", change: func(r *grader.Request, _ *grader.Config) { r.Problem = big }, is: judge.ErrSource, text: "6 bytes of source, at most 3"},
		{name: "no source of the language", change: func(r *grader.Request, _ *grader.Config) { r.Files[0].Name = "a.txt" }, is: judge.ErrSource},
		{name: "unknown case", change: func(r *grader.Request, _ *grader.Config) { r.Cases = []string{"secret/1", "secret/2"} }, text: `no test case or group "secret/2"`},
		{name: "part of a name", change: func(r *grader.Request, _ *grader.Config) { r.Cases = []string{"sec"} }, text: `"sec"`},
		{name: "no cases", change: func(r *grader.Request, _ *grader.Config) { r.Problem = problem() }, is: grader.ErrProblem, text: "no test cases"},
		{name: "bad flag", change: func(r *grader.Request, _ *grader.Config) { r.Problem = flags }, is: grader.ErrProblem, text: `group "secret"`},
		{
			name: "no tenant", text: "without id",
			change: func(r *grader.Request, c *grader.Config) { r.ID, c.Isolation = "", runner.PerSubmission },
		},
		{
			name: "bad pattern in the language", text: "out-of-memory pattern of language x",
			change: func(r *grader.Request, _ *grader.Config) {
				l := lang
				l.OutOfMemory.Stderr = "("
				r.Language = &l
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t, 1)
			req := request(t, problem("secret/1"), &lang)
			g := newGrader(s, func(c *grader.Config) { tt.change(&req, c) })
			_, err := g.Judge(t.Context(), req, nil)
			if err == nil || !strings.Contains(err.Error(), tt.text) || (tt.is != nil && !errors.Is(err, tt.is)) {
				t.Errorf("error %v, want one with %q", err, tt.text)
			}
			if len(s.specs) != 0 {
				t.Error("a box was taken")
			}
		})
	}
}

func TestIsolationAndClasses(t *testing.T) {
	for _, iso := range []runner.Isolation{runner.PerRun, runner.PerSubmission} {
		t.Run(string(iso), func(t *testing.T) {
			s := newSandbox(t, 1)
			s.jury = func(*call) (runner.Result, error) { return exit(42), nil }
			p := problem("secret/1")
			p.Validator.Programs = []judge.JuryProgram{{Name: "output_validators/v.x", Files: []judge.File{{Name: "v.x"}}}}
			mustJudge(t, newGrader(s, func(c *grader.Config) { c.Isolation = iso }), request(t, p, &lang))
			jury := "echo@v1"
			if iso == runner.PerSubmission {
				jury = "s1"
			}
			env, warm := []string{"LANG=C"}, [][]string{{"/bin/true"}}
			want := []runner.Spec{
				{Image: "judge/x", Class: runner.Compile, Isolation: iso, Tenant: "s1"},
				{Image: "judge/x", Class: runner.Compile, Isolation: iso, Tenant: jury},
				{Image: "judge/x", Class: runner.Run, Isolation: iso, Tenant: "s1", Warmup: warm, Env: env},
				{Image: "judge/x", Class: runner.Jury, Isolation: iso, Tenant: jury, Warmup: warm, Env: env},
			}
			if diff := cmp.Diff(want, s.specs); diff != "" {
				t.Error(diff)
			}
		})
	}
}
