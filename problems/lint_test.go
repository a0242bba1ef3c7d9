package problems_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/problems"
)

// quiet is a legacy package without findings.
var quiet = oneCase.with(files{
	"problem.yaml":                 "name: One\nlicense: cc0\nauthor: A. Uthor\n",
	"problem_statement/problem.md": "Add.\n",
	"data/sample/1.in":             "1 1\n",
	"data/sample/1.ans":            "2\n",
	"submissions/accepted/a.py":    "pass\n",
})

// TestLint changes packages that have no findings: each change makes those that are
// listed, and none of them refuses the package.
func TestLint(t *testing.T) {
	scoring := "name: One\nlicense: cc0\nauthor: A. Uthor\ntype: scoring\n"
	custom := "name: One\nlicense: cc0\nauthor: A. Uthor\nvalidation: custom\n"
	for _, tc := range []struct {
		name   string
		base   files
		change files
		want   []string
	}{
		{"quiet", quiet, nil, nil},
		{"no license", quiet, files{"problem.yaml": "name: One\n"}, []string{"info no-license problem.yaml:0"}},
		{"license of nobody", quiet, files{"problem.yaml": "name: One\nlicense: cc0\n"}, []string{"info no-license problem.yaml:0"}},
		{"unknown license", quiet, files{"problem.yaml": "name: One\nlicense: GPL\nauthor: A\n"}, []string{"warning bad-value problem.yaml:2"}},
		{"public domain", quiet, files{"problem.yaml": "name: One\nlicense: public domain\nrights_owner: us\n"}, []string{"warning useless-key problem.yaml:3"}},
		{"no statement", quiet, files{"problem_statement/problem.md": "-"}, []string{"info no-statement problem_statement:0"}},
		{"statement in another language", quiet, files{"problem.yaml": "name: {en: One, de: Eins}\nlicense: cc0\nauthor: A\n"}, []string{"warning title-languages problem.yaml:1"}},
		{"no samples", quiet, files{"data/sample/1.in": "-", "data/sample/1.ans": "-"}, []string{"info no-samples data/sample:0"}},
		{"sample that is shown only", quiet, files{"data/sample/1.in": "-", "data/sample/1.ans": "-", "data/sample/1.interaction": "< 1\n"}, nil},
		{"no accepted submission", quiet, files{"submissions/accepted/a.py": "-"}, []string{"info no-accepted-submission submissions/accepted:0"}},
		{"submission in no language", quiet, files{"submissions/wrong_answer/x.qq": ""}, []string{"warning unknown-language submissions/wrong_answer/x.qq:0"}},
		{"score of a submission", quiet, files{"submissions/accepted/a.py": "# @EXPECTED_SCORE@: many\n"}, []string{"warning bad-number submissions/accepted/a.py:1"}},
		{"hint of no case", quiet, files{"data/secret/9.hint": "x\n"}, []string{"warning missing-input data/secret/9.hint:0"}},
		{"two pictures", quiet, files{"data/secret/1.png": "", "data/secret/1.jpg": ""}, []string{"info unused-file data/secret/1.png:0"}},
		{"group without cases", quiet, files{"data/secret/g/testdata.yaml": ""}, []string{"info empty-group data/secret/g:0"}},
		{"CR LF", quiet, files{"data/secret/1.in": "1 2\r\n"}, []string{"info line-ends data/secret/1.in:0"}},
		{"no last newline", quiet, files{"data/secret/1.in": "1 2", "data/secret/1.ans": "3"}, []string{"info line-ends data/secret/1.in:0"}},
		{"byte-order mark", quiet, files{"data/secret/1.in": "\ufeff1 2\n"}, []string{"info line-ends data/secret/1.in:0"}},
		{"binary data", quiet, files{"data/secret/1.in": "\x00\r\n1"}, nil},
		{"order", quiet, files{"data/secret/10.in": "", "data/secret/10.ans": "", "data/secret/2.in": "", "data/secret/2.ans": ""}, []string{"info order-surprise data/secret:0"}},
		{"order of padded names", quiet, files{"data/secret/1.in": "-", "data/secret/1.ans": "-", "data/secret/02.in": "", "data/secret/02.ans": "", "data/secret/10.in": "", "data/secret/10.ans": ""}, nil},
		{"include that overwrites", quiet, files{"include/default/a.py": ""}, []string{"info include-overwrites include/default/a.py:0"}},
		{"include in no folder", quiet, files{"include/a.py": ""}, []string{"warning misplaced include/a.py:0"}},
		{"folder of the other format", quiet, files{"statement/problem.en.md": ""}, []string{"warning misplaced statement:0"}},
		{"folder nearly right", quiet, files{"submission/accepted/a.py": "", "input-validators/v.py": ""}, []string{"warning misplaced input-validators:0", "warning misplaced submission:0"}},
		{"validator not declared", quiet, files{"output_validators/v.py": ""}, []string{"warning unused-validator output_validators:0"}},
		{"flags for no validator", quiet, files{"data/testdata.yaml": "input_validator_flags: {v: x}\n"}, []string{"warning unknown-validator data/testdata.yaml:1"}},
		{"grader not declared", quiet, files{"graders/g.py": ""}, []string{"warning unused-grader graders/g.py:0"}},
		{"score of a pass-fail problem", quiet, files{"data/testdata.yaml": "range: 0 1\ngrader_flags: sum\n"}, []string{"warning useless-key data/testdata.yaml:1", "warning useless-key data/testdata.yaml:2"}},
		{"passes of one pass", quiet, files{"problem.yaml": custom + "limits: {validation_passes: 3}\n", "output_validators/v.py": ""}, []string{"warning useless-key problem.yaml:5"}},
		{"samples in the score", quiet, files{"problem.yaml": scoring, "data/testdata.yaml": "range: 0 1\n"}, []string{"warning score-sum data/testdata.yaml:0"}},
		{"samples left out", quiet, files{"problem.yaml": scoring, "data/testdata.yaml": "range: 0 1\ngrader_flags: ignore_sample\n"}, nil},
		{"samples left out below", quiet, files{"problem.yaml": scoring, "data/secret/testdata.yaml": "grader_flags: ignore_sample\n"}, []string{"warning useless-key data/secret/testdata.yaml:1"}},
		{"score of a case", quiet, files{"problem.yaml": scoring, "data/secret/testdata.yaml": "accept_score: 5\nrange: 0 3\n"}, []string{"warning score-sum data/secret/testdata.yaml:0"}},
		{"validator's own score", quiet, files{"problem.yaml": scoring + "validation: custom score\n", "output_validators/v.py": "", "data/testdata.yaml": "range: 0 1\n"}, nil},

		{"no input validator", one2025, files{"input_validators/v.py": "-"}, []string{"info no-input-validator input_validators:0"}},
		{"no name, no uuid", one2025, files{"problem.yaml": "problem_format_version: 2025-09\nlicense: cc0\nrights_owner: us\n"}, []string{"warning missing-key problem.yaml:0", "warning missing-key problem.yaml:0"}},
		{"no statement in 2025-09", one2025, files{"statement/problem.en.md": "-"}, []string{"warning no-statement statement:0"}},
		{"no name in a language", one2025, files{"statement/problem.de.md": ""}, []string{"warning title-languages problem.yaml:2"}},
		{"name that is left out", one2025, files{"data/secret/a b.in": ""}, []string{"warning ignored-name data/secret/a b.in:0"}},
		{"old folders", one2025, files{"output_validators/v.py": "", "problem_statement/problem.tex": "", "graders/g.py": ""}, []string{"warning misplaced graders:0", "warning misplaced problem_statement:0", "warning unused-validator output_validators:0"}},
		{"static validator of no group", one2025, files{"static_validator/v.py": ""}, []string{"warning unused-static-validator static_validator/v.py:0"}},
		{"include of another language", one2025, files{"problem.yaml": config("languages: [cpp]\n"), "include/java/X.java": "", "include/default/x": ""}, []string{"warning misplaced include/java:0"}},
		{"pattern of nothing", one2025, files{rules: "accepted/b.py: {language: c}\naccepted/a.py: {secret/9: {permitted: [AC]}}\n"}, []string{"warning unmatched-pattern " + rules + ":1", "warning unmatched-pattern " + rules + ":2"}},
		{"rules that exclude each other", one2025, files{"submissions/wrong_answer/w.py": "", rules: "wrong_answer:\n  secret/1: {permitted: [TLE]}\n"}, []string{"warning expectation-clash " + rules + ":0"}},
		{"folder of no rule", one2025, files{"submissions/mine/a.py": ""}, []string{"warning unknown-expectation submissions/mine:0"}},
		{"less than all", scored, files{groupA: "max_score: 30\n"}, []string{"warning score-sum " + inSecret + ":0"}},
		{"more than all, perhaps", scored, files{groupA: "max_score: 50\nscore_aggregation: sum\n"}, []string{"warning score-sum " + inSecret + ":0"}},
		{"outputs of an interaction", one2025, files{"problem.yaml": config("type: interactive\n"), "output_validator/v.py": "", "data/valid_output/1.in": ""}, []string{"warning useless-key data/valid_output:0"}},
		{"input arguments of nobody", one2025, files{inSecret: "input_validator_args: {x: [a]}\n"}, []string{"warning unknown-validator " + inSecret + ":1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pkg := open(t, folder(t, "p", tc.base.with(tc.change)), problems.Options{})
			got := []string{}
			for _, f := range pkg.Findings {
				if _, known := problems.Codes()[f.Code]; !known || !strings.ContainsAny(f.Message, ";,") {
					t.Errorf("code %q, no remedy in %q", f.Code, f.Message)
				}
				got = append(got, fmt.Sprintf("%s %s %s:%d", f.Severity, f.Code, f.File, f.Line))
			}
			slices.Sort(got)
			if diff := cmp.Diff(append([]string{}, tc.want...), got); diff != "" {
				t.Errorf("want, got (-, +):\n%s%s", diff, strings.Join(lines(pkg.Findings), "\n"))
			}
		})
	}
}
