package problems_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/problems"
)

// one2025 is the least that a package of 2025-09 needs to be without findings.
var one2025 = files{
	"problem.yaml":              "problem_format_version: 2025-09\nname: One\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nlicense: cc0\nrights_owner: us\n",
	"statement/problem.en.md":   "Add.\n",
	"input_validators/v.py":     "import sys\nsys.exit(42)\n",
	"data/sample/1.in":          "1 1\n",
	"data/sample/1.ans":         "2\n",
	"data/secret/1.in":          "1 2\n",
	"data/secret/1.ans":         "3\n",
	"submissions/accepted/a.py": "print(sum(map(int, input().split())))\n",
}

// config is a problem.yaml of 2025-09 with more lines.
func config(more string) string { return one2025["problem.yaml"] + more }

func TestICPCQuiet(t *testing.T) {
	pkg := open(t, folder(t, "one", one2025), problems.Options{})
	for _, f := range pkg.Findings {
		t.Errorf("finding %s", f)
	}
}

// whole2025 uses every part of the format.
var whole2025 = files{
	"problem.yaml": `problem_format_version: 2025-09
type: [scoring, multi-pass, interactive]
name: {en: Sum, pt-BR: Soma}
uuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e
version: "3"
credits:
  authors: [A. Uthor <a@example.org>, {name: B. Uthor, email: b@example.org, orcid: 0000-0001-7414-8743, kattis: b}]
  testers: {name: T}
  translators: {pt-BR: [X]}
source: [{name: NWERC 2024, url: https://example.org}, SWERC 2024]
license: cc by-sa
rights_owner: them
embargo_until: 2026-01-31T18:00:00Z
keywords: [easy, sums]
languages: [cpp, python3]
allow_file_writing: true
constants: {limit: 1000, name: "x y", eps: 1e-6}
limits:
  time_multipliers: {ac_to_time_limit: 3, time_limit_to_tle: 1.25}
  time_resolution: 0.5
  memory: 512
  output: 4
  code: 64
  compilation_time: 30
  compilation_memory: 1024
  validation_time: 20
  validation_memory: 256
  validation_output: 2
  validation_passes: 3
`,
	"statement/problem.en.tex":        "\\constant{limit}\n",
	"statement/problem.pt-BR.md":      "{{limit}}\n",
	"attachments/tool.py":             "pass\n",
	"solution/solution.en.md":         "add\n",
	"generators/gen.py":               "pass\n",
	"include/cpp/lib.h":               "#define LIMIT {{limit}}\n",
	"input_validators/a.py":           "LIMIT = {{limit}}; OTHER = {{unknown}}\n",
	"input_validators/b.ctd":          "INT(0,{{limit}})\n",
	"output_validator/validate.cc":    "int main() {}\n",
	"output_validator/validate.h":     "// {{name}}\n",
	"static_validator/s.py":           "pass\n",
	"input_visualizer/README.md":      "how\n",
	"output_visualizer/see.py":        "pass\n",
	"data/sample/test_group.yaml":     "output_validator_args: [s]\ninput_validator_args: {a: [x], b: []}\n",
	"data/sample/1.in":                "1 1\n",
	"data/sample/1.ans":               "2\n",
	"data/sample/1.interaction":       "< 1 1\n> 2\n",
	"data/sample/2.in":                "1 1\n",
	"data/sample/2.ans":               "2\n",
	"data/sample/2.out":               " 2\n",
	"data/sample/2.in.statement":      "one one\n",
	"data/sample/2.in.download":       "dl\n",
	"data/sample/2.ans.download":      "dla\n",
	"data/sample/2.yaml":              "hint: add\ndescription: two\nargs: [--quick]\n",
	"data/secret/test_group.yaml":     "max_score: 90\nscore_aggregation: sum\nargs: [\"-n\", \"{{limit}}\"]\noutput_validator_args: [t]\nrequire_pass: sample\n",
	"data/secret/g1/test_group.yaml":  "max_score: 30\nrequire_pass: [sample]\nfull_feedback: true\n",
	"data/secret/g1/1.in":             "1\n",
	"data/secret/g1/1.ans":            "1\n",
	"data/secret/g1/d/2.in":           "2\n",
	"data/secret/g1/d/2.ans":          "2\n",
	"data/secret/g1/d/2.files/in.txt": "file\n",
	"data/secret/g1/d/2.files/x/y":    "deep\n",
	"data/secret/g1/d/2.svg":          "<svg/>",
	"data/secret/g2/test_group.yaml":  "max_score: 60\nscore_aggregation: min\nrequire_pass: [secret/g1]\noutput_validator_args: []\nstatic_validation_score: 10\nstatic_validator_args: [strict]\n",
	"data/secret/g2/1.in":             "1\n",
	"data/secret/g2/1.ans":            "1\n",
	"data/secret/g2/1.yaml":           "output_validator_args: [own]\ninput_validator_args: [i]\nfull_feedback: true\n",
	"data/secret/g2/2.in":             "1\n",
	"data/secret/g2/2.ans":            "1\n",
	"data/invalid_input/bad.in":       "x\n",
	"data/invalid_input/bad.yaml":     "input_validator_args: [f]\ndescription: letters\n",
	"submissions/submissions.yaml":    "accepted/*:\n  model_solution: true\n  authors: A\n  score: 90\n'{wrong_answer,mine}/*.py':\n  language: pypy3\n  entrypoint: w.py\n  score: [0, 30]\n  message: wrong\n  secret/g1: {permitted: [AC]}\n  secret/g2:\n    permitted: [AC, TLE]\n    required: [TLE]\nmine:\n  permitted: [AC, WA, RTE]\n  use_for_time_limit: false\n",
	"submissions/accepted/a.py":       "print({{limit}})\n",
	"submissions/wrong_answer/w.py":   "pass\n",
	"submissions/mine/m.py":           "pass\n",
	"submissions/rejected/r.cpp":      "int main() {}\n",
	"submissions/brute_force/b.cpp":   "int main() {}\n",
	".git/config":                     "",
	"data/secret/g1/-not a case-.in":  "left out\n",
}

func TestICPC(t *testing.T) {
	for name, path := range map[string]string{
		"folder": folder(t, "sum", whole2025),
		"zip":    zipFile(t, "sum.zip", zipBytes(t, entries(whole2025)...)),
	} {
		pkg := open(t, path, problems.Options{})
		if diff := cmp.Diff(wantWhole2025(), pkg.Problem); diff != "" {
			t.Errorf("%s: problem (-want +got):\n%s", name, diff)
		}
		wantEach(t, lines(pkg.Findings), "data/secret/g1/-not a case-.in: warning: is left out")
		if len(pkg.Statement) != 2 || len(pkg.Attachments) != 1 || len(pkg.Solution) != 1 {
			t.Errorf("%s: documents %v, %v, %v", name, pkg.Statement, pkg.Attachments, pkg.Solution)
		}
		for _, c := range pkg.Problem.Cases() {
			for _, f := range c.Files {
				if got := content(t, pkg, f.Blob); got != whole2025[f.Blob.Ref] {
					t.Errorf("%s: file %s of %s holds %q", name, f.Name, c.Name, got)
				}
			}
		}
		if got := content(t, pkg, *pkg.Problem.Root.Groups[0].Cases[0].Shown.Interaction); got != "< 1 1\n> 2\n" {
			t.Errorf("%s: interaction %q", name, got)
		}
	}
}

func wantWhole2025() judge.Problem {
	blob := func(ref string) judge.Blob { return judge.Blob{Ref: ref, Size: int64(len(whole2025[ref]))} }
	maybe := func(ref string) *judge.Blob { return new(blob(ref)) }
	tc := func(name string) judge.TestCase {
		return judge.TestCase{Name: name, Sample: name[:6] == "sample", Input: blob("data/" + name + ".in"), Answer: blob("data/" + name + ".ans")}
	}
	file := func(name, data string) judge.File { return judge.File{Name: name, Data: []byte(data)} }
	same := func(name, path string) judge.File { return file(name, whole2025[path]) }
	shown, second := tc("sample/1"), tc("sample/2")
	shown.Shown.Interaction = maybe("data/sample/1.interaction")
	second.Output, second.Args, second.Hint, second.Description = maybe("data/sample/2.out"), []string{"--quick"}, "add", "two"
	second.Shown = judge.Shown{Input: maybe("data/sample/2.in.statement"), InputDownload: maybe("data/sample/2.in.download"), AnswerDownload: maybe("data/sample/2.ans.download")}
	deep, own := tc("secret/g1/d/2"), tc("secret/g2/1")
	deep.Picture = &judge.CaseFile{Name: "2.svg", Blob: blob("data/secret/g1/d/2.svg")}
	deep.Files = []judge.CaseFile{{Name: "in.txt", Blob: blob("data/secret/g1/d/2.files/in.txt")}, {Name: "x/y", Blob: blob("data/secret/g1/d/2.files/x/y")}}
	own.ValidatorFlags, own.InputFlags, own.FullFeedback = []string{"own"}, []string{"i"}, true
	args := []string{"-n", "1000"}
	wa := []judge.Verdict{judge.WA, judge.OLE}
	acwa := []judge.Verdict{judge.AC, judge.WA, judge.OLE}
	return judge.Problem{
		Name: "sum", Title: "Sum", License: "cc by-sa", Source: "NWERC 2024, SWERC 2024", Author: "A. Uthor, B. Uthor",
		Limits:      judge.Limits{CPU: time.Second, Memory: 512 << 20, Output: 4 << 20},
		Code:        64 << 10,
		Compilation: judge.Limits{CPU: 30 * time.Second, Memory: 1024 << 20},
		Validation:  judge.Limits{CPU: 20 * time.Second, Memory: 256 << 20, Output: 2 << 20},
		Timing:      judge.TimeCalibrate{Multiplier: 3, SafetyMargin: 1.25, Resolution: 500 * time.Millisecond},
		Validator: judge.OutputValidator{Programs: []judge.JuryProgram{{Name: "output_validator", Files: []judge.File{
			same("validate.cc", "output_validator/validate.cc"), file("validate.h", "// x y\n"),
		}}}},
		Include: map[string][]judge.File{"cpp": {file("lib.h", "#define LIMIT 1000\n")}},
		Root: judge.TestGroup{ContinueReject: true, Groups: []judge.TestGroup{
			{
				Name: "sample", Cases: []judge.TestCase{shown, second}, ValidatorFlags: []string{"s"},
				InputFlagsFor: judge.FlagsFor{"a": {"x"}, "b": {}},
			},
			{
				Name: "secret", ContinueReject: true, Args: args, ValidatorFlags: []string{"t"}, RequirePass: []string{"sample"},
				Scoring: &judge.GroupScoring{MaxScore: 90, Aggregation: judge.AggregateSum},
				Groups: []judge.TestGroup{
					{
						Name: "secret/g1", Cases: []judge.TestCase{tc("secret/g1/1"), deep}, Args: args, ValidatorFlags: []string{"t"},
						RequirePass: []string{"sample"}, FullFeedback: true,
						Scoring: &judge.GroupScoring{MaxScore: 30, Aggregation: judge.AggregatePassFail},
					},
					{
						Name: "secret/g2", Cases: []judge.TestCase{own, tc("secret/g2/2")}, Args: args, ValidatorFlags: []string{},
						RequirePass: []string{"secret/g1"}, Static: true, StaticFlags: []string{"strict"},
						Scoring: &judge.GroupScoring{MaxScore: 60, Aggregation: judge.AggregateMin, StaticScore: 10},
					},
				},
			},
		}},
		Jury: []judge.JurySubmission{
			{
				Name: "accepted/a.py", Files: []judge.File{file("a.py", "print(1000)\n")}, Expected: []judge.Verdict{judge.AC},
				Model: true, Timing: judge.TimingAccepted, Score: &judge.Range{Low: 90, High: 90},
				Expectations: []judge.Expectation{{Permitted: []judge.Verdict{judge.AC}}},
			},
			{
				Name: "brute_force/b.cpp", Files: []judge.File{same("b.cpp", "submissions/brute_force/b.cpp")},
				Expected:     []judge.Verdict{judge.AC, judge.TLE, judge.RE, judge.MLE},
				Expectations: []judge.Expectation{{Permitted: []judge.Verdict{judge.AC, judge.RE, judge.MLE, judge.TLE}, Required: []judge.Verdict{judge.RE, judge.MLE, judge.TLE}}},
			},
			{
				Name: "mine/m.py", Files: []judge.File{same("m.py", "submissions/mine/m.py")}, Language: "pypy3", Entry: "w.py",
				Expected: []judge.Verdict{judge.AC, judge.WA, judge.OLE, judge.RE, judge.MLE}, Score: &judge.Range{Low: 0, High: 30},
				Expectations: []judge.Expectation{
					{Message: "wrong"},
					{Cases: "secret/g1", Permitted: []judge.Verdict{judge.AC}, Timing: judge.TimingAccepted},
					{Cases: "secret/g2", Permitted: []judge.Verdict{judge.AC, judge.TLE}, Required: []judge.Verdict{judge.TLE}, Timing: judge.TimingTooSlow},
					{Permitted: []judge.Verdict{judge.AC, judge.RE, judge.MLE, judge.WA, judge.OLE}},
				},
			},
			{
				Name: "rejected/r.cpp", Files: []judge.File{same("r.cpp", "submissions/rejected/r.cpp")},
				Expectations: []judge.Expectation{{Required: []judge.Verdict{judge.RE, judge.MLE, judge.TLE, judge.WA, judge.OLE}}},
			},
			{
				Name: "wrong_answer/w.py", Files: []judge.File{same("w.py", "submissions/wrong_answer/w.py")}, Language: "pypy3", Entry: "w.py",
				Expected: acwa, Timing: judge.TimingAccepted, Score: &judge.Range{Low: 0, High: 30},
				Expectations: []judge.Expectation{
					{Permitted: acwa, Required: wa},
					{Message: "wrong"},
					{Cases: "secret/g1", Permitted: []judge.Verdict{judge.AC}, Timing: judge.TimingAccepted},
					{Cases: "secret/g2", Permitted: []judge.Verdict{judge.AC, judge.TLE}, Required: []judge.Verdict{judge.TLE}, Timing: judge.TimingTooSlow},
				},
			},
		},
		Format: judge.Format2025, Titles: map[string]string{"en": "Sum", "pt-BR": "Soma"},
		Scoring: true, Interactive: true, MultiPass: true, Passes: 3, Languages: []string{"cpp", "python3"}, FileWriting: true,
		UUID: "5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e", Release: "3", RightsOwner: "them", Keywords: []string{"easy", "sums"},
		Credits: map[string][]string{
			"authors": {"A. Uthor <a@example.org>", "B. Uthor <b@example.org>"}, "testers": {"T"}, "translators.pt-BR": {"X"},
		},
		EmbargoUntil: time.Date(2026, 1, 31, 18, 0, 0, 0, time.UTC),
		Constants:    map[string]string{"limit": "1000", "name": "x y", "eps": "1e-6"},
		InputValidators: []judge.JuryProgram{
			{Name: "input_validators/a.py", Files: []judge.File{file("a.py", "LIMIT = 1000; OTHER = {{unknown}}\n")}},
			{Name: "input_validators/b.ctd", Files: []judge.File{file("b.ctd", "INT(0,1000)\n")}},
		},
		StaticValidator: &judge.JuryProgram{Name: "static_validator/s.py", Files: []judge.File{same("s.py", "static_validator/s.py")}},
		DataChecks: []judge.DataCheck{{
			Kind: judge.InvalidInput, Name: "invalid_input/bad", Input: blob("data/invalid_input/bad.in"), Flags: []string{"f"}, InputFlags: []string{"f"},
		}},
		Visualizers: []judge.JuryProgram{{Name: "output_visualizer/see.py", Files: []judge.File{same("see.py", "output_visualizer/see.py")}}},
	}
}
