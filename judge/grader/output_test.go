package grader_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/grader"
	"judge/runner"
)

// wordy answers each case with its name and much space, and those that are to fail
// with another word.
func wordy(c *call) (runner.Result, error) {
	out := c.input
	if strings.Contains(c.input, "wrong") {
		out = "no"
	}
	long := strings.Repeat(" ", 200<<10) // changes nothing for the default validator
	for _, part := range []string{out, long, "\n"} {
		c.print(part)
	}
	c.warn("warned of " + c.input)
	res := ok()
	res.Stdout, res.Stderr = int64(len(out)+len(long)+1), int64(len("warned of ")+len(c.input))
	return res, nil
}

func TestOutputs(t *testing.T) {
	names := []string{"sample/1"}
	for i := range 40 {
		names = append(names, fmt.Sprintf("secret/%02d", i))
	}
	names[20], names[30] = "secret/19wrong", "secret/29wrong"
	p := problem(names...)
	p.Root.Groups[0].Cases[0].Sample = true
	for _, slots := range []int{1, 4} {
		s := newSandbox(t, slots)
		s.run = wordy
		req := request(t, p, &script)
		req.All = true
		if j := mustJudge(t, newGrader(s), req); j.Runs[0].Output != nil {
			t.Error("an output that nobody wanted")
		}
		req.Outputs = grader.KeepBeginnings
		j := mustJudge(t, newGrader(s), req)
		const share = 1 << 20 / 40
		for i, r := range j.Runs {
			o, want, whole := r.Output, share, i == 0 || i == 20
			if whole {
				want = judge.KeptOutput
			}
			first := []byte(r.Case)
			if r.Verdict != judge.AC {
				first = []byte("no")
			}
			if len(o.Stdout) != want || o.StdoutSize < 200<<10 || !bytes.HasPrefix(o.Stdout, first) {
				t.Errorf("%d slots, %s: %d bytes of %d kept, want %d: %.20q", slots, r.Case, len(o.Stdout), o.StdoutSize, want, o.Stdout)
			}
			if whole != (string(o.Stderr) == "warned of "+r.Case) || o.StderrSize != int64(len("warned of ")+len(r.Case)) {
				t.Errorf("%d slots, %s: stderr %q of %d", slots, r.Case, o.Stderr, o.StderrSize)
			}
			if (o.Difference == nil) != (r.Verdict == judge.AC) {
				t.Errorf("%s is %s, difference %+v", r.Case, r.Verdict, o.Difference)
			}
		}
		want := &judge.Difference{Reason: "token", Line: 1, Column: 1, Token: 1, AnswerLine: 1, Got: `"no"`, Expected: `"secret/19wrong"`}
		if diff := cmp.Diff(want, j.Runs[20].Output.Difference); diff != "" {
			t.Error(diff)
		}
	}
}

func TestFullOutput(t *testing.T) {
	s := newSandbox(t, 1)
	s.run = wordy
	req := request(t, problem("secret/1", "secret/2"), &lang)
	req.Outputs, req.Cases = grader.KeepFull, []string{"secret/2"}
	j := mustJudge(t, newGrader(s), req)
	if len(j.Runs) != 1 || j.Runs[0].Ordinal != 2 || int64(len(j.Runs[0].Output.Stdout)) != j.Runs[0].Output.StdoutSize {
		t.Fatalf("%d runs, %+v", len(j.Runs), j.Runs[0])
	}
}

// TestFailedAttempt: what a box said that failed is not what the run said.
func TestFailedAttempt(t *testing.T) {
	s := newSandbox(t, 1)
	s.run = func(c *call) (runner.Result, error) {
		if s.count(runner.Run) == 1 {
			c.print("half of it")
			return runner.Result{}, runner.ErrTooLarge
		}
		c.print(c.input)
		return ok(), nil
	}
	req := request(t, problem("secret/1"), &script)
	req.Outputs = grader.KeepBeginnings
	if j := mustJudge(t, newGrader(s), req); string(j.Runs[0].Output.Stdout) != "secret/1" {
		t.Errorf("%q", j.Runs[0].Output.Stdout)
	}
}

func TestValidatorsWords(t *testing.T) {
	s := newSandbox(t, 1)
	s.run = func(c *call) (runner.Result, error) {
		c.print("out\x00put")
		return ok(), nil
	}
	n := 0
	s.jury = func(c *call) (runner.Result, error) {
		n++
		c.warn(fmt.Sprint("stderr ", n))
		c.box.work["feedback/judgemessage.txt"] = fmt.Appendf(nil, "judge \x00 %d", n)
		if n == 2 {
			c.box.work["feedback/teammessage.txt"] = bytes.Repeat([]byte("t"), 100<<10)
		}
		return exit(41 + n), nil // accepts, then rejects
	}
	req := request(t, withValidators("v.x", "w.x"), &script)
	req.Outputs = grader.KeepBeginnings
	j := mustJudge(t, newGrader(s), req)
	if j.Verdict != judge.WA || n != 2 {
		t.Fatalf("%s after %d validators", j.Verdict, n)
	}
	want := &judge.RunOutput{
		Stdout: []byte("out\x00put"), JudgeMessage: []byte("judge \x00 1\njudge \x00 2"),
		TeamMessage: bytes.Repeat([]byte("t"), judge.KeptOutput), ValidatorStderr: []byte("stderr 1\nstderr 2"),
	}
	if diff := cmp.Diff(want, j.Runs[0].Output); diff != "" {
		t.Error(diff)
	}
}
