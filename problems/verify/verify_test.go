package verify_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"judge/judge"
	"judge/problems"
	"judge/problems/verify"
)

func TestCheck(t *testing.T) {
	ten := 10.0
	j := judge.Judgement{
		Verdict: judge.WA, Score: &ten,
		Groups: []judge.GroupResult{{Group: "secret/g1", Verdict: judge.AC, Score: &ten}, {Group: "secret/g2", Verdict: judge.WA}},
		Runs: []judge.Run{
			{Case: "sample/1", Verdict: judge.AC},
			{Case: "secret/g1/1", Verdict: judge.AC},
			{Case: "secret/g2/1", Verdict: judge.WA, Message: "Off by 3"},
		},
	}
	wa, ac := []judge.Verdict{judge.WA}, []judge.Verdict{judge.AC}
	for name, c := range map[string]struct {
		s    judge.JurySubmission
		want string // of one complaint; empty: there is none
	}{
		"nothing":         {judge.JurySubmission{}, ""},
		"verdict":         {judge.JurySubmission{Expected: wa}, ""},
		"other verdict":   {judge.JurySubmission{Expected: ac}, "WA, expected AC (secret/g2/1: Off by 3)"},
		"score":           {judge.JurySubmission{Score: &judge.Range{Low: 10, High: 10}}, ""},
		"other score":     {judge.JurySubmission{Score: &judge.Range{Low: 11, High: 20}}, "score 10, expected 11 to 20"},
		"permitted":       {judge.JurySubmission{Expectations: []judge.Expectation{{Cases: "secret/g1", Permitted: ac}}}, ""},
		"not permitted":   {judge.JurySubmission{Expectations: []judge.Expectation{{Cases: "secret/*", Permitted: ac}}}, "secret/*: WA at secret/g2/1, permitted AC"},
		"required":        {judge.JurySubmission{Expectations: []judge.Expectation{{Required: wa}}}, ""},
		"required there":  {judge.JurySubmission{Expectations: []judge.Expectation{{Cases: "secret/g1/{1,2}", Required: wa}}}, "none of 1 runs is WA"},
		"message":         {judge.JurySubmission{Expectations: []judge.Expectation{{Message: "by 3"}}}, ""},
		"other message":   {judge.JurySubmission{Expectations: []judge.Expectation{{Message: "by 4"}}}, `no run says "by 4"`},
		"group's score":   {judge.JurySubmission{Expectations: []judge.Expectation{{Cases: "secret/g1", Score: &judge.Range{Low: 10, High: 10}}}}, ""},
		"group has none":  {judge.JurySubmission{Expectations: []judge.Expectation{{Cases: "secret/g2", Score: &judge.Range{}}}}, "secret/g2: score none, expected 0"},
		"group's verdict": {judge.JurySubmission{Expectations: []judge.Expectation{{Cases: "secret/g2", Required: wa}}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := verify.Check(&c.s, &j)
			if (c.want == "") != (len(got) == 0) || len(got) > 1 || len(got) == 1 && !strings.Contains(got[0], c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	if got := verify.Check(&judge.JurySubmission{}, &judge.Judgement{Verdict: judge.JE}); len(got) != 1 {
		t.Errorf("a judging error is as expected: %q", got)
	}
}

func TestCalibrate(t *testing.T) {
	for _, c := range []struct {
		factor     float64
		resolution time.Duration
		slowest    time.Duration
		want       time.Duration
	}{
		{5, 0, time.Millisecond, time.Second},
		{5, 0, 200 * time.Millisecond, time.Second},
		{5, 0, 201 * time.Millisecond, 2 * time.Second},
		{0, 0, 300 * time.Millisecond, 2 * time.Second},
		{2, 100 * time.Millisecond, 151 * time.Millisecond, 400 * time.Millisecond},
		{2, 100 * time.Millisecond, 0, 100 * time.Millisecond},
		{2, time.Second, time.Hour, judge.MaxCPU},
	} {
		got := verify.Calibrate(judge.TimeCalibrate{Multiplier: c.factor, Resolution: c.resolution}, c.slowest)
		if got != c.want {
			t.Errorf("%v × %v in steps of %v is %v, want %v", c.factor, c.slowest, c.resolution, got, c.want)
		}
	}
}

// scripted judges as its table of times and verdicts says.
type scripted struct {
	times    map[string]time.Duration // by submission, of each run
	wrong    map[string]string        // by submission, the case that is wrong
	verdicts map[judge.Blob]judge.Validation
	limits   []time.Duration // that were judged under
}

func (s *scripted) Judge(_ context.Context, r verify.Request, on func(done, cases int)) (judge.Judgement, error) {
	s.limits = append(s.limits, r.Problem.Limits.CPU)
	if r.Submission.Name == "accepted/odd" {
		return judge.Judgement{}, verify.Refused{Reason: "no such language"}
	}
	j := judge.Judgement{Verdict: judge.AC}
	for _, c := range r.Problem.Cases() {
		run := judge.Run{Ordinal: c.Ordinal, Case: c.Name, Verdict: judge.AC, CPUTime: s.times[r.Submission.Name]}
		switch {
		case run.CPUTime > r.Problem.Limits.CPU:
			run.Verdict, run.Limit, run.CPUTime = judge.TLE, judge.LimitCPU, min(run.CPUTime, r.Problem.Limits.CPU*11/10)
		case s.wrong[r.Submission.Name] == c.Name:
			run.Verdict = judge.WA
		}
		j.Runs = append(j.Runs, run)
		on(len(j.Runs), 3)
		if run.Verdict != judge.AC {
			if j.Verdict == judge.AC {
				j.Verdict = run.Verdict
			}
			if !r.All {
				break
			}
		}
	}
	return j, nil
}

func (s *scripted) ValidateInputs(_ context.Context, _ *judge.Problem, _ judge.JuryProgram, inputs []verify.Input, on func(int, judge.Validation)) error {
	for i, in := range inputs {
		on(i, s.verdicts[in.Blob])
	}
	return nil
}

func (s *scripted) ValidateOutputs(_ context.Context, _ *judge.Problem, outputs []verify.Output, on func(int, judge.Validation)) error {
	for i, o := range outputs {
		on(i, s.verdicts[o.Output])
	}
	return nil
}

func blobOf(text string) judge.Blob { return judge.Blob{Ref: text, Size: int64(len(text))} }

func problem(jury ...judge.JurySubmission) *judge.Problem {
	test := func(name, in string) judge.TestCase {
		return judge.TestCase{Name: name, Sample: strings.HasPrefix(name, "sample"), Input: blobOf(in), Answer: blobOf("a")}
	}
	return &judge.Problem{
		Name: "p", Jury: jury,
		Root: judge.TestGroup{Groups: []judge.TestGroup{
			{Name: "sample", Cases: []judge.TestCase{test("sample/1", "x")}},
			{Name: "secret", Cases: []judge.TestCase{test("secret/1", "y"), test("secret/2", "y")}},
		}},
	}
}

func jury(name string, expected ...judge.Verdict) judge.JurySubmission {
	return judge.JurySubmission{Name: name, Expected: expected}
}

func run(t *testing.T, p *judge.Problem, g verify.Grader) (*verify.Report, []string) {
	t.Helper()
	done := 0
	r, err := verify.Run(t.Context(), verify.Config{
		Problem: p, Grader: g, Open: func(b judge.Blob) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(b.Ref)), nil },
		Findings: []problems.Finding{{Severity: problems.Info, Code: "lint", Message: "m"}},
		On: func(e verify.Event) {
			if e.Done < done || e.Done > e.Total {
				t.Errorf("step %d of %d after %d", e.Done, e.Total, done)
			}
			done = e.Done
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, f := range r.Findings {
		codes = append(codes, fmt.Sprint(f.Severity, " ", f.Code, " ", f.File))
	}
	return r, codes
}

func TestRun(t *testing.T) {
	g := &scripted{
		times: map[string]time.Duration{"accepted/a": 300 * time.Millisecond, "time_limit_exceeded/t": 3 * time.Second},
		wrong: map[string]string{"wrong_answer/sample": "sample/1", "wrong_answer/one": "secret/1"},
	}
	p := problem(jury("accepted/a", judge.AC), jury("accepted/odd", judge.AC), jury("time_limit_exceeded/t", judge.TLE),
		jury("wrong_answer/sample", judge.WA), jury("wrong_answer/one", judge.WA), jury("wrong_answer/right", judge.WA))
	p.Timing = judge.TimeCalibrate{Multiplier: 5, SafetyMargin: 2}
	r, codes := run(t, p, g)
	want := []string{
		"info lint ", "error submission-refused submissions/accepted/odd", "info time-limit-calibrated ",
		"error unexpected-result submissions/wrong_answer/right", "error too-slow-close-to-limit submissions/time_limit_exceeded/t",
		"warning only-samples-catch submissions/wrong_answer/sample", "info cases-that-fail-nobody data/secret", "info duplicate-input data",
	}
	if !slices.Equal(codes, want) {
		t.Errorf("%q", codes)
	}
	l := r.TimeLimit
	if l.Limit != 2*time.Second || !l.Calibrated || l.Fastest.CPU != 3*time.Second || l.Fastest.AtLeast || l.Excess() != 1.5 || r.OK() {
		t.Errorf("%+v %+v", l, l.Fastest)
	}
	// Calibrating, then under what was found, then to see how slow the slow one is.
	if g.limits[0] < 10*time.Second || g.limits[len(g.limits)-1] != 4*time.Second {
		t.Errorf("limits %v", g.limits)
	}
	if len(r.Results) != 6 || r.Results[0].Submission.Name != "accepted/a" || r.Results[1].OK() {
		t.Errorf("%+v", r.Results)
	}
	if p.Limits.CPU != 0 {
		t.Error("the problem was changed")
	}
}

func TestGivenLimit(t *testing.T) {
	g := &scripted{times: map[string]time.Duration{"accepted/a": 900 * time.Millisecond, "time_limit_exceeded/t": 1100 * time.Millisecond}}
	p := problem(jury("accepted/a", judge.AC), jury("time_limit_exceeded/t", judge.TLE))
	p.Limits.CPU, p.TimeLimitSet = time.Second, true
	r, codes := run(t, p, g)
	for _, want := range []string{"warning accepted-close-to-limit submissions/accepted/a", "warning too-slow-close-to-limit submissions/time_limit_exceeded/t"} {
		if !slices.Contains(codes, want) {
			t.Errorf("%s is not in %q", want, codes)
		}
	}
	if !r.OK() || r.TimeLimit.Calibrated {
		t.Errorf("%+v", r)
	}
}

func TestValidators(t *testing.T) {
	p := problem(jury("accepted/a", judge.AC))
	p.TimeLimitSet, p.Limits.CPU = true, time.Second
	p.InputValidators = []judge.JuryProgram{{Name: "input_validators/v"}, {Name: "input_validators/w"}}
	p.Validator.Programs = []judge.JuryProgram{{Name: "output_validator/v"}}
	p.DataChecks = []judge.DataCheck{
		{Kind: judge.InvalidInput, Name: "invalid_input/1", Input: blobOf("good")},
		{Kind: judge.InvalidOutput, Name: "invalid_output/1", Output: blobOf("good")},
		{Kind: judge.ValidOutput, Name: "valid_output/1", Output: blobOf("bad")},
		{Kind: judge.InvalidInput, Name: "invalid_input/2", Input: blobOf("bad")},
	}
	g := &scripted{verdicts: map[judge.Blob]judge.Validation{
		blobOf("x"): {Accepted: true}, blobOf("y"): {Message: "line 3: odd", Line: 3}, blobOf("good"): {Accepted: true},
		blobOf("bad"): {}, blobOf("a"): {Fault: "exit code 0"},
	}}
	r, codes := run(t, p, g)
	for _, want := range []string{
		"error input-rejected data/secret/1.in", "error input-rejected data/secret/2.in", "error invalid-example-accepted data/invalid_input/1.in",
		"error invalid-example-accepted data/invalid_output/1", "error valid-example-rejected data/valid_output/1", "error validator-fault the output validator",
	} {
		if !slices.Contains(codes, want) {
			t.Errorf("%s is not in %q", want, codes)
		}
	}
	if slices.Contains(codes, "error invalid-example-accepted data/invalid_input/2.in") || r.OK() {
		t.Errorf("%q", codes)
	}
	for _, f := range r.Findings {
		if f.Code == verify.CodeInputRejected && f.Line != 3 {
			t.Errorf("%+v", f)
		}
	}
}

// TestMemo: what has not changed is not judged again.
func TestMemo(t *testing.T) {
	g := &scripted{}
	p := problem(jury("accepted/a", judge.AC), jury("wrong_answer/w", judge.WA))
	p.Jury[0].Files = []judge.File{{Name: "a.py", Data: []byte("1")}}
	p.TimeLimitSet, p.Limits.CPU = true, time.Second
	memo := verify.NewMemo()
	digest := func(b judge.Blob) (string, error) { return b.Ref, nil }
	for _, c := range []struct {
		change func()
		judged int
	}{
		{func() {}, 2},
		{func() {}, 0},
		{func() { p.Jury[1].Expected = []judge.Verdict{judge.AC} }, 0},
		{func() { p.Jury[0].Files[0].Data = []byte("2") }, 1},
		{func() { p.Version = "other" }, 2},
	} {
		c.change()
		g.limits = nil
		if _, _ = run(t, p, memo.Grader(g, p.Version, digest)); len(g.limits) != c.judged {
			t.Errorf("%d submissions were judged, want %d", len(g.limits), c.judged)
		}
	}
}
