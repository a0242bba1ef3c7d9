package problems_test

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"judge/problems"
)

// export writes a package, which must be exportable.
func export(t *testing.T, pkg *problems.Package) []byte {
	t.Helper()
	x, err := problems.NewExport(pkg.Exported())
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := x.Write(&buf); err != nil {
		t.Fatalf("%v: %v", err, x.Findings)
	}
	return buf.Bytes()
}

func imported(t *testing.T, zip []byte, name string) *problems.Package {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".zip")
	if err := os.WriteFile(file, zip, 0o600); err != nil {
		t.Fatal(err)
	}
	return open(t, file, problems.Options{})
}

// sameJudging compares what judging depends on and both formats can say.
func sameJudging(t *testing.T, a, b *problems.Package) {
	t.Helper()
	p, q := &a.Problem, &b.Problem
	if p.Title != q.Title || p.Limits != q.Limits || p.Code != q.Code || p.Compilation != q.Compilation || p.Validation != q.Validation ||
		p.TimeLimitSet != q.TimeLimitSet || p.Scoring != q.Scoring || p.Interactive != q.Interactive || p.MultiPass != q.MultiPass {
		t.Errorf("the problem was\n%+v, and is\n%+v", p, q)
	}
	before, after := p.Cases(), q.Cases()
	if len(before) != len(after) {
		t.Fatalf("%d cases have become %d", len(before), len(after))
	}
	for i := range before {
		if before[i].Sample != after[i].Sample || content(t, a, before[i].Input) != content(t, b, after[i].Input) || content(t, a, before[i].Answer) != content(t, b, after[i].Answer) {
			t.Errorf("case %s has become another, %s", before[i].Name, after[i].Name)
		}
	}
	if len(p.Jury) != len(q.Jury) || len(p.InputValidators) != len(q.InputValidators) || p.Validator.Custom() != q.Validator.Custom() {
		t.Errorf("jury: %d submissions have become %d, %d input validators %d", len(p.Jury), len(q.Jury), len(p.InputValidators), len(q.InputValidators))
	}
	if len(a.Statement) != len(b.Statement) || len(a.Attachments) != len(b.Attachments) {
		t.Errorf("documents: %v %v have become %v %v", a.Statement, a.Attachments, b.Statement, b.Attachments)
	}
}

var legacyPackage = files{
	"problem.yaml": "name: Legacy\nauthor: A. Author\nlicense: cc by-sa\nvalidation: custom\nvalidator_flags: strict\n" +
		"limits: {time_limit: 2.5, memory: 256, output: 4}\n",
	".timelimit":                            "2.5\n",
	"data/sample/1.in":                      "1\n",
	"data/sample/1.ans":                     "2\n",
	"data/secret/a b/1.in":                  "3\n",
	"data/secret/a b/1.ans":                 "4\n",
	"data/secret/a b/deep/1.in":             "5\n",
	"data/secret/a b/deep/1.ans":            "6\n",
	"data/secret/a b/deep/testdata.yaml":    "output_validator_flags: deep\n",
	"data/secret/2.in":                      "7\n",
	"data/secret/2.ans":                     "8\n",
	"output_validators/check/check.py":      "import sys\n",
	"output_validators/check/helper.py":     "x = 1\n",
	"input_validators/valid.py":             "import sys\n",
	"include/cpp/grader.h":                  "// grader\n",
	"problem_statement/problem.tex":         "\\problemname{Legacy}\n",
	"problem_statement/fig.png":             "\x89PNG",
	"attachments/data.zip":                  "PK",
	"submissions/accepted/a.py":             "print(1)\n",
	"submissions/wrong_answer/a.py":         "print(2)\n",
	"submissions/mixed/b.py":                "# @EXPECTED_RESULTS@: TIMELIMIT, WRONG-ANSWER\n",
	"submissions/run_time_error/c/main.py":  "import other\n",
	"submissions/run_time_error/c/other.py": "1/0\n",
}

var newPackage = files{
	"problem.yaml": "problem_format_version: 2025-09\ntype: [scoring]\nname: {en: New, de: Neu}\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nversion: \"1.2\"\n" +
		"credits: {authors: [A <a@x.example>], testers: B, translators: {de: C}}\nlicense: cc0\nkeywords: [easy]\nlanguages: [cpp, python3]\n" +
		"allow_file_writing: true\nlimits: {time_limit: 1.5, memory: 512, code: 64, validation_time: 10, time_multipliers: {ac_to_time_limit: 3}}\n",
	"data/sample/1.in":                 "1\n",
	"data/sample/1.ans":                "2\n",
	"data/sample/1.out":                "2 \n",
	"data/sample/1.yaml":               "hint: look\ndescription: first\n",
	"data/secret/test_group.yaml":      "max_score: 100\n",
	"data/secret/g1/test_group.yaml":   "max_score: 40\nrequire_pass: sample\nargs: [fast]\n",
	"data/secret/g1/1.in":              "3\n",
	"data/secret/g1/1.ans":             "4\n",
	"data/secret/g1/1.files/extra.txt": "extra\n",
	"data/secret/g1/1.yaml":            "args: [slow]\n",
	"data/secret/g2/test_group.yaml":   "max_score: 60\nscore_aggregation: sum\nrequire_pass: [sample, secret/g1]\nfull_feedback: true\noutput_validator_args: [case_sensitive]\n",
	"data/secret/g2/1.in":              "5\n",
	"data/secret/g2/1.ans":             "6\n",
	"data/secret/g2/2.in":              "7\n",
	"data/secret/g2/2.ans":             "8\n",
	"data/invalid_input/bad.in":        "x\n",
	"data/invalid_output/bad.in":       "1\n",
	"data/invalid_output/bad.ans":      "2\n",
	"data/invalid_output/bad.out":      "3\n",
	"input_validators/v.py":            "import sys\n",
	"statement/problem.en.md":          "# New\n",
	"statement/problem.de.md":          "# Neu\n",
	"attachments/a.txt":                "a\n",
	"submissions/accepted/a.py":        "print(1)\n",
	"submissions/accepted/model.py":    "print(1)\n",
	"submissions/rejected/part.py":     "print(2)\n",
	"submissions/other/x.cpp":          "int main(){}\n",
	"submissions/submissions.yaml":     "accepted/model.py: {model_solution: true, score: 100}\nrejected/part.py: {score: [0, 40], secret/g1: {permitted: [AC]}}\nother/*: {permitted: [WA, TLE], language: cpp, use_for_time_limit: false}\n",
}

// A problem of any format is exported, read again, and exported to the same bytes.
func TestExport(t *testing.T) {
	for name, f := range map[string]files{
		"one":                 oneCase,
		"legacy":              legacyPackage,
		"new":                 newPackage,
		"polygon":             polygonPackage(plainTests, ""),
		"polygon with groups": polygonPackage(scoredTests, scoredGroups),
		"dmoj":                dmojPackage(t).with(files{"init.yml": dmojYAML[:len(dmojYAML)-len("checker: {name: floats, args: {precision: 4}}\n")] + "checker: identical\n"}),
		"plain":               {"1.in": "1", "1.out": "2", "sample/1.in": "3", "sample/1.out": "4"},
		"plain in the wild":   {"input2.txt": "1", "output2.txt": "2", "in.10": "3", "out.10": "4", "sample.in": "5", "sample.sol": "6", "b/1": "7", "b/1.a": "8"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "polygon with groups" {
				f["problem.xml"] = string(bytes.Replace([]byte(f["problem.xml"]), []byte("30.5"), []byte("30"), 1))
			}
			before := open(t, folder(t, "problem", f), problems.Options{})
			first := export(t, before)
			after := imported(t, first, "problem")
			for _, finding := range after.Findings {
				if finding.Severity == problems.Warning && finding.Code != problems.NoStatement && finding.Code != problems.TitleLanguages {
					t.Errorf("read again: %s", finding)
				}
			}
			sameJudging(t, before, after)
			if second := export(t, after); !bytes.Equal(first, second) {
				t.Errorf("exported twice, other bytes: %s", diffZips(t, first, second))
			}
			if name == "new" {
				sameInAll(t, before, after)
			}
		})
	}
}

// sameInAll holds what a package of 2025-09 is read as, exported and read again, to be
// the same in all things.
func sameInAll(t *testing.T, before, after *problems.Package) {
	t.Helper()
	a, err := before.Version()
	if err != nil {
		t.Fatal(err)
	}
	if b, err := after.Version(); err != nil || a != b {
		t.Errorf("the version was %s and is %s (%v)", a, b, err)
	}
	for i, j := range before.Problem.Jury {
		k := after.Problem.Jury[i]
		if j.Name != k.Name || !slices.Equal(j.Expected, k.Expected) || j.Model != k.Model || j.Timing != k.Timing || len(j.Expectations) != len(k.Expectations) || j.Language != k.Language {
			t.Errorf("submission %+v has become %+v", j, k)
		}
	}
}

func TestExportRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change files
		in     problems.Code
	}{
		"several validators": {files{"output_validators/other.py": "x\n"}, problems.SeveralValidators},
		"half a point": {
			files{"problem.xml": "-"}, problems.BadNumber,
		},
	} {
		f := legacyPackage.with(c.change)
		if name == "half a point" {
			f = polygonPackage(scoredTests, scoredGroups)
		}
		x, err := problems.NewExport(open(t, folder(t, "problem", f), problems.Options{}).Exported())
		if err != nil {
			t.Fatal(err)
		}
		var buf bytes.Buffer
		if err := x.Write(&buf); err == nil || x.OK() || buf.Len() > 0 {
			t.Errorf("%s: %d bytes written, %v", name, buf.Len(), err)
		}
		if !slices.ContainsFunc(x.Findings, func(f problems.Finding) bool { return f.Severity == problems.Error && f.Code == c.in }) {
			t.Errorf("%s: findings %v", name, x.Findings)
		}
	}
}

func diffZips(t *testing.T, a, b []byte) string {
	t.Helper()
	x, y := unzip(t, a), unzip(t, b)
	for name, data := range x {
		if y[name] != data {
			return name + ":\n" + data + "\nand\n" + y[name]
		}
	}
	for name := range y {
		if _, ok := x[name]; !ok {
			return name + " is new"
		}
	}
	return "nothing that is in the files"
}

func unzip(t *testing.T, data []byte) files {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	all := files{}
	for _, f := range z.File {
		content, err := fs.ReadFile(z, f.Name)
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name] = string(content)
	}
	return all
}
