package grader_test

import (
	"errors"
	"maps"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/grader"
	"judge/runner"
)

// withValidators is an echo problem with custom validators of these sources.
func withValidators(names ...string) *judge.Problem {
	p := problem("secret/1", "secret/2")
	p.Root.Groups[0].Cases[0].Answer.Ref = "answer one"
	p.Validator.Flags = []string{"strict"}
	p.Root.Groups[0].ValidatorFlags = []string{"eps", "1e-6"}
	for _, n := range names {
		p.Validator.Programs = append(p.Validator.Programs, judge.JuryProgram{
			Name: "output_validators/" + n, Files: []judge.File{{Name: n, Data: []byte("source of " + n)}},
		})
	}
	return p
}

func TestCustomValidator(t *testing.T) {
	s := newSandbox(t, 1)
	s.jury = func(c *call) (runner.Result, error) {
		want := files{"input": []byte("secret/1"), "answer": []byte("answer one"), "feedback": nil}
		if c.input == "secret/2" {
			want = files{"input": []byte("secret/2"), "answer": []byte("secret/2"), "feedback": nil}
		}
		// In the second run this also says that nothing of the first is left.
		if diff := cmp.Diff(want, c.box.work); diff != "" {
			t.Errorf("working folder of %s: %s", c.input, diff)
		}
		if diff := cmp.Diff(files{"main": []byte("compiled:")}, c.box.program); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"/box/p/main", "input", "answer", "feedback/", "strict", "eps", "1e-6"}, c.cmd.Args); diff != "" {
			t.Error(diff)
		}
		l := runner.Limits{CPU: 7 * time.Second, Wall: 14 * time.Second, Memory: 2048 * mib, Output: 8 * mib, Processes: 64}
		if diff := cmp.Diff(l, c.cmd.Limits); diff != "" {
			t.Error(diff)
		}
		c.box.work["feedback/judgemessage.txt"] = []byte("line 3 is \x1b[1mgood")
		c.box.work["feedback/state"] = []byte("of a run")
		return exit(42), nil
	}
	p := withValidators("v.x")
	p.Validation.CPU = 7 * time.Second
	j := mustJudge(t, newGrader(s), request(t, p, &lang))
	if got := verdicts(j); got != "AC: secret/1=AC secret/2=AC" {
		t.Error(got)
	}
	if got := j.Runs[0].Message; got != `line 3 is \x1b[1mgood` {
		t.Errorf("message %q", got)
	}
	if s.count(runner.Compile) != 2 || s.count(runner.Jury) != 2 || len(s.specs) != 4 {
		t.Errorf("%d calls in %d boxes", len(s.calls), len(s.specs))
	}
}

func TestValidatorSays(t *testing.T) {
	tests := []struct {
		name    string
		res     runner.Result
		want    judge.Verdict
		message string
	}{
		{name: "accepts", res: exit(42), want: judge.AC, message: "m"},
		{name: "rejects", res: exit(43), want: judge.WA, message: "m"},
		{name: "exits 0", res: exit(0), want: judge.JE, message: "validator echo/output_validators/v.x exited with code 0\nm\nassertion failed"},
		{name: "exits 1", res: exit(1), want: judge.JE, message: "exited with code 1"},
		{name: "crashes", res: runner.Result{Signal: syscall.SIGSEGV}, want: judge.JE, message: "killed by signal 11 (segmentation fault)"},
		{name: "takes too long", res: runner.Result{Signal: syscall.SIGKILL, Limit: runner.LimitCPU}, want: judge.JE, message: "killed by signal 9 (killed) at its cpu limit"},
		{name: "42 with a child killed for memory", res: runner.Result{ExitCode: 42, OOMKills: 1}, want: judge.JE, message: "at its memory limit"},
		{name: "42 after it was refused processes", res: runner.Result{ExitCode: 42, Limit: runner.LimitProcesses}, want: judge.JE, message: "at its processes limit"},
		{name: "does not start", res: runner.Result{Exec: syscall.ENOEXEC}, want: judge.JE, message: "did not start: exec format error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t, 1)
			s.jury = func(c *call) (runner.Result, error) {
				c.warn("assertion failed")
				c.box.work["feedback/judgemessage.txt"] = []byte("m")
				return tt.res, nil
			}
			j := mustJudge(t, newGrader(s), request(t, withValidators("v.x"), &script))
			if j.Verdict != tt.want || !strings.Contains(j.Runs[0].Message, tt.message) {
				t.Errorf("%s, message %q; want %s with %q", j.Verdict, j.Runs[0].Message, tt.want, tt.message)
			}
			if j.Verdict == judge.JE && j.Message != j.Runs[0].Message {
				t.Errorf("the judgement says %q", j.Message)
			}
			if j.Runs[0].ExitCode != 0 {
				t.Error("the run has the validator's exit code")
			}
			if n := s.count(runner.Run); tt.want != judge.AC && n != 1 {
				t.Errorf("%d runs: a validator is not asked twice", n)
			}
		})
	}
}

// TestLongJudgeMessage: however much a validator says, its verdict stands.
func TestLongJudgeMessage(t *testing.T) {
	for size, want := range map[int]string{
		64 << 10:   strings.Repeat("a", 64<<10),
		64<<10 + 1: strings.Repeat("a", 64<<10-6) + "\n[cut]",
		1 << 20:    strings.Repeat("a", 64<<10-6) + "\n[cut]",
		1<<20 + 1:  "[judgemessage.txt is larger than 1048576 bytes]",
	} {
		s := newSandbox(t, 1)
		s.jury = func(c *call) (runner.Result, error) {
			c.box.work["feedback/judgemessage.txt"] = []byte(strings.Repeat("a", size))
			return exit(42), nil
		}
		j := mustJudge(t, newGrader(s), request(t, withValidators("v.x"), &script))
		if j.Verdict != judge.AC || len(j.Runs) != 2 || j.Runs[1].Message != want || s.count(runner.Jury) != 2 {
			t.Errorf("%d bytes: %s, message of %d bytes, %d validations", size, verdicts(j), len(j.Runs[0].Message), s.count(runner.Jury))
		}
	}
}

func TestAllValidatorsMustAccept(t *testing.T) {
	tests := []struct {
		codes map[string]int
		want  string
		asked int
		said  string
	}{
		{map[string]int{"a.x": 42, "b.s": 42}, "AC: secret/1=AC secret/2=AC", 4, "a.x\nb.s"},
		{map[string]int{"a.x": 43, "b.s": 42}, "WA: secret/1=WA", 1, "a.x"},
		{map[string]int{"a.x": 42, "b.s": 43}, "WA: secret/1=WA", 2, "a.x\nb.s"},
	}
	for _, tt := range tests {
		s := newSandbox(t, 1)
		s.jury = func(c *call) (runner.Result, error) {
			name := "a.x"
			if c.box.program["b.s"] != nil {
				name = "b.s"
			}
			c.box.work["feedback/judgemessage.txt"] = []byte(name)
			return exit(tt.codes[name]), nil
		}
		j := mustJudge(t, newGrader(s), request(t, withValidators("a.x", "b.s"), &script))
		if got := verdicts(j); got != tt.want || s.count(runner.Jury) != tt.asked || j.Runs[0].Message != tt.said {
			t.Errorf("%v: %s after %d validations, message %q; want %s after %d, %q", tt.codes, got, s.count(runner.Jury), j.Runs[0].Message, tt.want, tt.asked, tt.said)
		}
	}
}

// TestValidatorIsAskedOnlyWhenTheRunWasFine: a crash or a limit needs nobody's
// opinion.
func TestValidatorIsAskedOnlyWhenTheRunWasFine(t *testing.T) {
	for want, res := range map[judge.Verdict]runner.Result{
		judge.RE:  {ExitCode: 1},
		judge.TLE: {Signal: syscall.SIGKILL, Limit: runner.LimitWall},
		judge.OLE: {Signal: syscall.SIGKILL, Limit: runner.LimitOutput},
		judge.MLE: {OOMKills: 1},
	} {
		s := newSandbox(t, 1)
		s.run = func(*call) (runner.Result, error) { return res, nil }
		s.jury = func(*call) (runner.Result, error) { return exit(42), nil }
		j := mustJudge(t, newGrader(s), request(t, withValidators("v.x"), &script))
		if j.Verdict != want || s.count(runner.Jury) != 0 {
			t.Errorf("%s after %d validations, want %s", j.Verdict, s.count(runner.Jury), want)
		}
	}
}

func TestValidatorThatCannotBe(t *testing.T) {
	scripts := withValidators()
	scripts.Validator.Programs = []judge.JuryProgram{{Name: "output_validators/v", Files: []judge.File{{Name: "build"}, {Name: "run"}}}}
	tests := []struct {
		name    string
		problem *judge.Problem
		compile int
		text    string
		boxes   bool
	}{
		{name: "scripts", problem: scripts, text: "build does not begin with #!"},
		{name: "unknown language", problem: withValidators("v.zig"), text: "output_validators/v.zig: bad source: unknown extension"},
		{name: "bad file name", problem: withValidators("-v.x"), text: "-v.x"},
		{name: "does not compile", problem: withValidators("v.x"), compile: 1, text: "echo/output_validators/v.x does not compile: v.x:1: error", boxes: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t, 1)
			s.compile = func(c *call) (runner.Result, error) {
				c.warn("v.x:1: error")
				return exit(tt.compile), nil
			}
			_, err := newGrader(s).Judge(t.Context(), request(t, tt.problem, &script), nil)
			if !errors.Is(err, grader.ErrProblem) || errors.Is(err, judge.ErrSource) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("error %v, want ErrProblem with %q", err, tt.text)
			}
			if len(s.specs) > 0 != tt.boxes {
				t.Errorf("boxes taken: %v", s.specs)
			}
		})
	}
}

// TestValidatorsOnSeveralSlots: every slot has jury boxes of its own.
func TestValidatorsOnSeveralSlots(t *testing.T) {
	names := []string{"secret/1", "secret/2", "secret/3", "secret/4", "secret/5", "secret/6"}
	p := problem(names...)
	p.Validator.Programs = []judge.JuryProgram{{Name: "v", Files: []judge.File{{Name: "v.x"}}}}
	for slots := 1; slots <= 3; slots++ {
		s := newSandbox(t, slots)
		s.jury = func(c *call) (runner.Result, error) {
			work := maps.Clone(c.box.work)
			if string(work["input"]) != c.input || string(work["answer"]) != c.input {
				t.Errorf("output %q beside input %q", c.input, work["input"])
			}
			if c.input == "secret/5" {
				return exit(43), nil
			}
			return exit(42), nil
		}
		j := mustJudge(t, newGrader(s), request(t, p, &script))
		if j.Verdict != judge.WA || len(j.Runs) != 5 {
			t.Errorf("%d slots: %s", slots, verdicts(j))
		}
	}
}
