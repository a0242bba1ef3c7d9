package problems_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/problems"
)

// TestLegacyScoring is inheritance of testdata.yaml key by key, custom grading, and
// what submissions are expected to score.
func TestLegacyScoring(t *testing.T) {
	f := oneCase.with(files{
		"problem.yaml":                        "type: scoring\nvalidation: custom score\ngrading: {objective: max, show_test_data_groups: true, reject_score: -1}\n",
		"output_validators/a.py":              "",
		"output_validators/b/run":             "",
		"input_format_validators/i.py":        "",
		"input_validators/j.ctd":              "",
		"graders/g.py":                        "",
		"data/testdata.yaml":                  "grader_flags: ignore_sample\nrange: 0 100\ninput_validator_flags: {i: x y, j.ctd: z}\n",
		"data/sample/1.in":                    "",
		"data/sample/1.ans":                   "",
		"data/secret/testdata.yaml":           "grader_flags: first_error max accept_if_any_accepted\naccept_score: 10\non_reject: continue\noutput_validator_flags: {a.py: x, b: y}\n",
		"data/secret/g/testdata.yaml":         "grading: custom\ngrader_flags: anything goes\nrange: -inf +inf\noutput_validator_flags: {name: a, flags: n}\n",
		"data/secret/g/1.in":                  "",
		"data/secret/g/1.ans":                 "",
		"submissions/accepted/a.py":           "# @EXPECTED_SCORE@: 100\n",
		"submissions/partially_accepted/p.py": "",
	})
	p := open(t, folder(t, "p", f), problems.Options{}).Problem
	inf := math.Inf(1)
	root := judge.Grading{Flags: []string{"ignore_sample"}, Verdict: judge.WorstError, Score: judge.ScoreSum, IgnoreSample: true, AcceptScore: 1, RejectScore: -1, High: 100}
	sample := root
	sample.IgnoreSample = false
	secret := judge.Grading{Flags: []string{"first_error", "max", "accept_if_any_accepted"}, Verdict: judge.FirstError, Score: judge.ScoreMax, AnyAccepted: true, AcceptScore: 10, RejectScore: -1, High: 100}
	group := judge.Grading{Custom: true, Flags: []string{"anything", "goes"}, Verdict: judge.WorstError, Score: judge.ScoreSum, AcceptScore: 10, RejectScore: -1, Low: -inf, High: inf}
	got := []*judge.Grading{p.Root.Grading, p.Root.Groups[0].Grading, p.Root.Groups[1].Grading, p.Root.Groups[1].Groups[0].Grading}
	if diff := cmp.Diff([]*judge.Grading{&root, &sample, &secret, &group}, got); diff != "" {
		t.Errorf("grading (-want +got):\n%s", diff)
	}
	for _, c := range p.Cases() {
		want := map[string][]string{"sample/1": nil, "secret/1": {"x"}, "secret/g/1": {"n"}}[c.Name]
		if diff := cmp.Diff(want, c.OutputFlags(p.Validator, "output_validators/a.py")); diff != "" {
			t.Errorf("%s: flags of a.py (-want +got):\n%s", c.Name, diff)
		}
		if diff := cmp.Diff([]string{"x", "y"}, c.InputFlagsOf("input_format_validators/i.py")); diff != "" {
			t.Errorf("%s: flags of i.py (-want +got):\n%s", c.Name, diff)
		}
	}
	if !p.Scoring || !p.ShowGroups || len(p.Graders) != 1 || len(p.InputValidators) != 2 || len(p.Validator.Programs) != 2 {
		t.Errorf("scoring %t, show groups %t, %d graders, %d and %d validators", p.Scoring, p.ShowGroups, len(p.Graders), len(p.InputValidators), len(p.Validator.Programs))
	}
	if s := p.Jury[0].Score; s == nil || *s != (judge.Range{Low: 100, High: 100}) {
		t.Errorf("accepted/a.py: score %v", s)
	}
	if s := p.Jury[1].Score; s == nil || s.High >= 100 || s.High < 99 {
		t.Errorf("partially_accepted/p.py: score %v", s)
	}
}

// TestLegacyPassFail has no grading where nothing asks for another verdict than the
// first that is not AC.
func TestLegacyPassFail(t *testing.T) {
	for name, tc := range map[string]struct {
		testdata string
		want     *judge.Grading
	}{
		"none":         {"on_reject: continue\n", nil},
		"first error":  {"grader_flags: first_error\n", nil},
		"any accepted": {"grader_flags: accept_if_any_accepted\n", &judge.Grading{Flags: []string{"accept_if_any_accepted"}, Verdict: judge.WorstError, Score: judge.ScoreSum, AnyAccepted: true, AcceptScore: 1, Low: math.Inf(-1), High: math.Inf(1)}},
	} {
		p := open(t, folder(t, "p", oneCase.with(files{"data/testdata.yaml": tc.testdata})), problems.Options{}).Problem
		if diff := cmp.Diff(tc.want, p.Root.Grading); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestLegacyInteractive reads what interactive multi-pass problems have.
func TestLegacyInteractive(t *testing.T) {
	f := oneCase.with(files{
		"problem.yaml":              "validation: custom interactive multi-pass\nlimits: {validation_passes: 7}\n",
		"output_validators/v/build": "",
		"output_validators/v/run":   "",
		"data/sample/1.interaction": "<1\n>2\n",
		"data/sample/2.in":          "",
		"data/sample/2.ans":         "",
		"data/sample/2.interaction": "<1\n",
		"data/sample/2.desc":        "what\x1b\n",
	})
	pkg := open(t, folder(t, "p", f), problems.Options{})
	p := pkg.Problem
	if !p.Interactive || !p.MultiPass || p.Passes != 7 || len(p.Examples) != 1 || p.Examples[0].Name != "sample/1" {
		t.Errorf("interactive %t, multi-pass %t, %d passes, examples %v", p.Interactive, p.MultiPass, p.Passes, p.Examples)
	}
	if got := content(t, pkg, *p.Examples[0].Interaction); got != "<1\n>2\n" {
		t.Errorf("interaction %q", got)
	}
	c := p.Cases()[0]
	if c.Name != "sample/2" || c.Shown.Interaction == nil || c.Description != `what\x1b` {
		t.Errorf("case %+v", c)
	}
}

// TestDataChecks reads the examples for validators, with the flags that go with them.
func TestDataChecks(t *testing.T) {
	f := one2025.with(files{
		"data/invalid_input/test_group.yaml":   "input_validator_args: [top]\n",
		"data/invalid_input/a.in":              "x",
		"data/invalid_input/d/b.in":            "x",
		"data/invalid_input/d/test_group.yaml": "input_validator_args: [below]\nargs: [\"1\"]\n",
		"data/invalid_output/a.in":             "i",
		"data/invalid_output/a.ans":            "a",
		"data/invalid_output/a.out":            "o",
		"data/invalid_output/a.yaml":           "output_validator_args: [case_sensitive]\n",
		"data/invalid_output/a.files/f":        "f",
		"data/valid_output/a.in":               "i",
		"data/valid_output/a.ans":              "a",
		"data/valid_output/a.out":              "A",
	})
	pkg := open(t, folder(t, "p", f), problems.Options{})
	blob := func(ref string) judge.Blob { return judge.Blob{Ref: "data/" + ref, Size: int64(len(f["data/"+ref]))} }
	want := []judge.DataCheck{
		{Kind: judge.InvalidInput, Name: "invalid_input/a", Input: blob("invalid_input/a.in"), Flags: []string{"top"}, InputFlags: []string{"top"}},
		{Kind: judge.InvalidInput, Name: "invalid_input/d/b", Input: blob("invalid_input/d/b.in"), Flags: []string{"below"}, InputFlags: []string{"below"}, Args: []string{"1"}},
		{
			Kind: judge.InvalidOutput, Name: "invalid_output/a", Input: blob("invalid_output/a.in"), Answer: blob("invalid_output/a.ans"), Output: blob("invalid_output/a.out"),
			Flags: []string{"case_sensitive"}, Files: []judge.CaseFile{{Name: "f", Blob: blob("invalid_output/a.files/f")}},
		},
		{Kind: judge.ValidOutput, Name: "valid_output/a", Input: blob("valid_output/a.in"), Answer: blob("valid_output/a.ans"), Output: blob("valid_output/a.out")},
	}
	if diff := cmp.Diff(want, pkg.Problem.DataChecks); diff != "" {
		t.Errorf("checks (-want +got):\n%s", diff)
	}
	old := oneCase.with(files{"data/invalid_inputs/a.in": "x", "data/invalid_inputs/testdata.yaml": "input_validator_flags: f\n", "input_validators/v.py": ""})
	if got := open(t, folder(t, "p", old), problems.Options{}).Problem.DataChecks; len(got) != 1 || got[0].Kind != judge.InvalidInput || len(got[0].InputFlags) != 1 {
		t.Errorf("legacy checks %+v", got)
	}
}
