package problems_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/problems"
)

// whole uses every part of the legacy format that is read.
var whole = files{
	"problem.yaml": `problem_format_version: legacy
type: pass-fail
name:
  de: Summe
  en: Sum
uuid: 6a8f3c34-e145-4cba-81ed-152cff95cfd9
author: A. Uthor
source: The Contest
source_url: https://example.org
license: cc by-sa
rights_owner: them
keywords: easy sums
validation: custom
validator_flags: --strict  1e-6
grading: {objective: max, show_test_data_groups: true}
limits:
  time_multiplier: 3
  time_safety_margin: 1.5
  memory: 512
  output: 4
  code: 64
  compilation_time: 30
  compilation_memory: 1024
  validation_time: 20
  validation_memory: 256
  validation_output: 2
`,
	"domjudge-problem.ini":                "; DOMjudge\nprobid = S\nname = \"Sum!\"\ntimelimit='2.5'\ncolor=red\n",
	"data/testdata.yaml":                  "on_reject: continue\noutput_validator_flags: a b\n",
	"data/sample/1.in":                    "1 1\n",
	"data/sample/1.ans":                   "2\n",
	"data/sample/1.hint":                  "add\n",
	"data/secret/testdata.yaml":           "on_reject: break\n",
	"data/secret/10.in":                   "10\n",
	"data/secret/10.ans":                  "ten\n",
	"data/secret/2.in":                    "2\n",
	"data/secret/2.ans":                   "two\n",
	"data/secret/2.png":                   "\x89PNG",
	"data/secret/12-group/testdata.yaml":  "output_validator_flags:\n  val: c\n",
	"data/secret/12-group/1.in":           "g\n",
	"data/secret/12-group/1.ans":          "G\n",
	"data/secret/12-group/deep/x.y.in":    "",
	"data/secret/12-group/deep/x.y.ans":   "",
	"output_validators/val/build":         "#!/bin/sh\n",
	"output_validators/val/run":           "#!/bin/sh\nexit 42\n",
	"output_validators/val/src/v.cc":      "int main(){}",
	"output_validators/README.md":         "how",
	"include/default/lib.h":               "#pragma once",
	"include/cpp/main.cpp":                "int main(){}",
	"submissions/accepted/a.cpp":          "int main(){}",
	"submissions/accepted/multi/A.java":   "class A {}",
	"submissions/accepted/multi/B.java":   "class B {}",
	"submissions/time_limit_exceeded/s.c": "/* @EXPECTED_RESULTS@: TIMELIMIT, RUN-ERROR */",
	"submissions/mixed/m.py":              "# @EXPECTED_RESULTS@: CORRECT, Wrong_Answer\nprint()\n",
	"problem_statement/problem.en.tex":    "\\begin{document}",
	"problem_statement/problem.de.md":     "Summe",
	".git/config":                         "",
	"data/secret/.DS_Store":               "",
}

func TestLegacy(t *testing.T) {
	blob := func(ref string) judge.Blob { return judge.Blob{Ref: ref, Size: int64(len(whole[ref]))} }
	tc := func(name string) judge.TestCase {
		return judge.TestCase{Name: name, Sample: name[:6] == "sample", Input: blob("data/" + name + ".in"), Answer: blob("data/" + name + ".ans")}
	}
	file := func(name, path string) judge.File { return judge.File{Name: name, Data: []byte(whole[path])} }
	ab := []string{"a", "b"}
	hinted, pictured := tc("sample/1"), tc("secret/2")
	hinted.Hint = "add"
	pictured.Picture = &judge.CaseFile{Name: "2.png", Blob: blob("data/secret/2.png")}
	want := judge.Problem{
		Name: "sum", Title: "Sum", License: "cc by-sa", Source: "The Contest", Author: "A. Uthor",
		Format: judge.FormatLegacy, Titles: map[string]string{"de": "Summe", "en": "Sum"}, ShowGroups: true,
		UUID: "6a8f3c34-e145-4cba-81ed-152cff95cfd9", RightsOwner: "them", Keywords: []string{"easy", "sums"},
		Limits:      judge.Limits{CPU: 2500 * time.Millisecond, Memory: 512 << 20, Output: 4 << 20},
		Code:        64 << 10,
		Compilation: judge.Limits{CPU: 30 * time.Second, Memory: 1024 << 20},
		Validation:  judge.Limits{CPU: 20 * time.Second, Memory: 256 << 20, Output: 2 << 20},
		Timing:      judge.TimeCalibrate{Multiplier: 3, SafetyMargin: 1.5}, TimeLimitSet: true,
		Validator: judge.OutputValidator{
			Flags: []string{"--strict", "1e-6"},
			Programs: []judge.JuryProgram{{Name: "output_validators/val", Files: []judge.File{
				file("build", "output_validators/val/build"), file("run", "output_validators/val/run"), file("src/v.cc", "output_validators/val/src/v.cc"),
			}}},
		},
		Include: map[string][]judge.File{
			"default": {file("lib.h", "include/default/lib.h")},
			"cpp":     {file("main.cpp", "include/cpp/main.cpp")},
		},
		Root: judge.TestGroup{ContinueReject: true, ValidatorFlags: ab, Groups: []judge.TestGroup{
			{Name: "sample", ContinueReject: true, ValidatorFlags: ab, Cases: []judge.TestCase{hinted}},
			{
				Name: "secret", ValidatorFlags: ab, Cases: []judge.TestCase{tc("secret/10"), pictured},
				Groups: []judge.TestGroup{{
					Name: "secret/12-group", ValidatorFlags: []string{"c"}, Cases: []judge.TestCase{tc("secret/12-group/1")},
					Groups: []judge.TestGroup{{Name: "secret/12-group/deep", ValidatorFlags: []string{"c"}, Cases: []judge.TestCase{tc("secret/12-group/deep/x.y")}}},
				}},
			},
		}},
		Jury: []judge.JurySubmission{
			{Name: "accepted/a.cpp", Files: []judge.File{file("a.cpp", "submissions/accepted/a.cpp")}, Expected: []judge.Verdict{judge.AC}, Timing: judge.TimingAccepted},
			{Name: "accepted/multi", Files: []judge.File{file("A.java", "submissions/accepted/multi/A.java"), file("B.java", "submissions/accepted/multi/B.java")}, Expected: []judge.Verdict{judge.AC}, Timing: judge.TimingAccepted},
			{Name: "mixed/m.py", Files: []judge.File{file("m.py", "submissions/mixed/m.py")}, Expected: []judge.Verdict{judge.AC, judge.WA}},
			{Name: "time_limit_exceeded/s.c", Files: []judge.File{file("s.c", "submissions/time_limit_exceeded/s.c")}, Expected: []judge.Verdict{judge.TLE, judge.RE}},
		},
	}
	wrapped := files{"__MACOSX/._sum": "x", "__MACOSX/sum/._problem.yaml": "x"}
	for name, data := range whole {
		wrapped["some folder/"+name] = data
	}
	versions := map[string]bool{}
	for name, path := range map[string]string{
		"folder":  folder(t, "Sum", whole),
		"zip":     zipFile(t, "sum.zip", zipBytes(t, entries(whole)...)),
		"kpp":     zipFile(t, "SUM.KPP", zipBytes(t, entries(whole)...)),
		"wrapped": zipFile(t, "sum.zip", zipBytes(t, entries(wrapped)...)),
	} {
		pkg := open(t, path, problems.Options{})
		if diff := cmp.Diff(want, pkg.Problem); diff != "" {
			t.Errorf("%s: problem (-want +got):\n%s", name, diff)
		}
		wantEach(t, lines(pkg.Findings), "data/secret: info: … 10 may come before 2")
		for _, c := range pkg.Problem.Cases() {
			if got := content(t, pkg, c.Input) + content(t, pkg, c.Answer); got != whole[c.Input.Ref]+whole[c.Answer.Ref] {
				t.Errorf("%s: case %s holds %q", name, c.Name, got)
			}
		}
		v, err := pkg.Version()
		if err != nil || len(v) != 64 {
			t.Errorf("%s: version %q, %v", name, v, err)
		}
		versions[v] = true
	}
	if len(versions) != 1 {
		t.Errorf("the same package has the versions %v", versions)
	}
}

// TestVersion changes one thing at a time.
func TestVersion(t *testing.T) {
	version := func(f files) string {
		v, err := open(t, folder(t, "v", f), problems.Options{}).Version()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	base := version(whole)
	for name, tc := range map[string]struct {
		change files
		same   bool
	}{
		"answer":       {files{"data/secret/2.ans": "TWO\n"}, false},
		"another case": {files{"data/secret/3.in": "", "data/secret/3.ans": ""}, false},
		"validator":    {files{"output_validators/val/run": "#!/bin/sh\nexit 43\n"}, false},
		"include":      {files{"include/default/lib.h": ""}, false},
		"time limit":   {files{"domjudge-problem.ini": "timelimit=3"}, false},
		"group flags":  {files{"data/testdata.yaml": "output_validator_flags: a\n"}, false},
		"on_reject":    {files{"data/secret/testdata.yaml": "-"}, false},
		"submission":   {files{"submissions/accepted/a.cpp": "int main(){return 0;}"}, true},
		"statement":    {files{"problem_statement/problem.en.tex": ""}, true},
		"title":        {files{"domjudge-problem.ini": "timelimit=2.5"}, true},
	} {
		if v := version(whole.with(tc.change)); (v == base) != tc.same {
			t.Errorf("%s: same version is %t, want %t", name, v == base, tc.same)
		}
	}
}

func TestTimeLimit(t *testing.T) {
	for name, tc := range map[string]struct {
		files    files
		want     time.Duration
		set      bool
		warnings []string
	}{
		"none":             {nil, time.Second, false, nil},
		"yaml":             {files{"problem.yaml": "limits: {time_limit: 1.5}\n"}, 1500 * time.Millisecond, true, nil},
		".timelimit":       {files{".timelimit": " 3\n"}, 3 * time.Second, true, nil},
		"ini":              {files{"domjudge-problem.ini": "\ufefftimelimit = 4 ; seconds\r\n"}, 4 * time.Second, true, nil},
		"ini double quote": {files{"domjudge-problem.ini": "[x]\n# c\nTimeLimit = \"0.25\"\n"}, 250 * time.Millisecond, true, nil},
		"all, the same":    {files{"problem.yaml": "limits: {time_limit: 2}\n", ".timelimit": "2.0", "domjudge-problem.ini": "timelimit='2'"}, 2 * time.Second, true, nil},
		"all, different": {
			files{"problem.yaml": "limits: {time_limit: 2}\n", ".timelimit": "3", "domjudge-problem.ini": "timelimit='4'"},
			2 * time.Second, true,
			[]string{".timelimit:1: warning: the time limit of 3 s is not used: problem.yaml says 2s", "domjudge-problem.ini:1: warning: … 4 s is not used"},
		},
		"ini oddities": {
			files{"domjudge-problem.ini": "timelimit=1\ntimelimit=2\nnonsense\nspecial_compare=x\nfoo=1\n"},
			time.Second, true,
			[]string{":2: warning: … stands in line 1 already", ":3: warning: … not key = value", ":4: warning: … special_compare … validation in problem.yaml", `:5: warning: the key "foo"`},
		},
		"hidden below": {files{"data/secret/.timelimit": "9"}, time.Second, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			pkg := open(t, folder(t, "p", oneCase.with(tc.files).with(files{"submissions/accepted/a.c": ""})), problems.Options{})
			if p := pkg.Problem; p.Limits.CPU != tc.want || p.TimeLimitSet != tc.set {
				t.Errorf("limit %v, set %t; want %v, %t", p.Limits.CPU, p.TimeLimitSet, tc.want, tc.set)
			}
			wantEach(t, lines(pkg.Findings), tc.warnings...)
		})
	}
}

func TestDefaults(t *testing.T) {
	p := open(t, folder(t, "p", oneCase), problems.Options{}).Problem
	want := judge.Problem{
		Name: "p", Title: "One", Root: p.Root, Format: judge.FormatLegacy,
		Limits:      judge.Limits{CPU: time.Second, Memory: 2048 << 20, Output: 8 << 20},
		Code:        128 << 10,
		Compilation: judge.Limits{CPU: time.Minute, Memory: 2048 << 20},
		Validation:  judge.Limits{CPU: time.Minute, Memory: 2048 << 20, Output: 8 << 20},
		Timing:      judge.TimeCalibrate{Multiplier: 5, SafetyMargin: 2},
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("problem (-want +got):\n%s", diff)
	}
}
