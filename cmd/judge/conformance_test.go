//go:build docker

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const conformance = "../../testcases/conformance"

// fewest packages of the conformance set; those that are here must not get lost.
const fewest = 40

// TestConformance verifies every package of the conformance set: each submission
// must come to what it is there for.
func TestConformance(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(conformance, "*", ""))
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string]bool{}
	for _, f := range folders {
		if info, err := os.Stat(f); err == nil && info.IsDir() {
			packages[filepath.Base(f)] = true
		}
	}
	if len(packages) < fewest {
		t.Fatalf("%d packages, want %d", len(packages), fewest)
	}
	got := runToEnd(t, built(t), "problem", "verify", "--json", "--cache-dir", filepath.Join(t.TempDir(), "cache"), conformance)
	if got.err != "" || got.code != exitOK {
		t.Errorf("exit code %d, stderr %s", got.code, got.err)
	}
	submissions := map[string]int{}
	for line := range strings.Lines(got.out) {
		var j struct {
			Package  string
			OK       bool
			Source   *string
			Findings []struct{ Severity, Code, Message string }
			Judged   *int `json:"submissions"`
		}
		if err := json.Unmarshal([]byte(line), &j); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		switch {
		case j.Source != nil:
			submissions[j.Package]++
			if !j.OK {
				t.Errorf("%s: %s", j.Package, line)
			}
		case !packages[j.Package]:
			t.Errorf("package %q is told of twice, or is none", j.Package)
		default:
			delete(packages, j.Package)
			if !j.OK || j.Judged == nil || *j.Judged != submissions[j.Package] || *j.Judged < 2 {
				t.Errorf("%s: %d submissions on lines of their own, %s", j.Package, submissions[j.Package], line)
			}
		}
	}
	for name := range packages {
		t.Errorf("%s: not verified", name)
	}
}

// TestVerifyFindings: a package with errors has another exit code than one that is
// no package, and what is wrong is told with its file.
func TestVerifyFindings(t *testing.T) {
	program, cache := built(t), filepath.Join(t.TempDir(), "cache")
	from := filepath.Join(conformance, "n-output-examples")
	for name, c := range map[string]struct {
		change map[string]string // file to content; empty: it is removed
		code   string
		file   string
		exit   int
	}{
		"answer":        {map[string]string{"data/secret/1.ans": "4\n"}, "answer-rejected", "data/secret/1.ans", exitFindings},
		"input":         {map[string]string{"data/secret/2.in": "049\n"}, "input-rejected", "data/secret/2.in", exitFindings},
		"valid output":  {map[string]string{"data/valid_output/itself.out": "5\n"}, "valid-example-rejected", "data/valid_output/itself", exitFindings},
		"invalid":       {map[string]string{"data/invalid_output/one.out": "3\n"}, "invalid-example-accepted", "data/invalid_output/one", exitFindings},
		"fault":         {map[string]string{"output_validator/divisor.py": "raise SystemExit(0)\n"}, "validator-fault", "the output validator", exitFindings},
		"submission":    {map[string]string{"submissions/wrong_answer/one.py": "print(input())\n"}, "unexpected-result", "submissions/wrong_answer/one.py", exitFindings},
		"no language":   {map[string]string{"submissions/accepted/itself.xyz": "x"}, "submission-refused", "submissions/accepted/itself.xyz", exitFindings},
		"only samples":  {map[string]string{"submissions/rejected/six.py": "n = int(input())\nprint(n if n != 6 else 1)\n"}, "only-samples-catch", "submissions/rejected/six.py", exitOK},
		"no answer":     {map[string]string{"data/secret/1.ans": ""}, "missing-answer", "data/secret/1.in", exitFindings},
		"nobody passes": {map[string]string{"submissions/accepted/itself.py": "print(1)\n", "submissions/accepted/smallest.py": "", "problem.yaml": "problem_format_version: 2025-09\nname: x\nuuid: 7d2e5a0e-3a49-43a5-9d5b-3a1a2f0f7d11\nlicense: cc0\ncredits: a\n"}, "time-limit-not-calibrated", "", exitFindings},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "package")
			if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			for file, data := range c.change {
				file = filepath.Join(dir, file)
				err := os.Remove(file)
				if data != "" {
					if err = os.MkdirAll(filepath.Dir(file), 0o755); err == nil {
						err = os.WriteFile(file, []byte(data), 0o644)
					}
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			got := runToEnd(t, program, "problem", "verify", "--json", "--cache-dir", cache, dir)
			lines := strings.Split(strings.TrimSpace(got.out), "\n")
			var report struct {
				OK       bool
				Findings []struct{ Code, File string }
			}
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &report); err != nil {
				t.Fatalf("%v: %s%s", err, got.out, got.err)
			}
			found := false
			for _, f := range report.Findings {
				found = found || f.Code == c.code && f.File == c.file
			}
			if !found || got.code != c.exit || report.OK != (c.exit == exitOK) {
				t.Errorf("exit code %d, %s", got.code, lines[len(lines)-1])
			}
		})
	}
	if got := runToEnd(t, program, "problem", "verify", "--cache-dir", cache, filepath.Join(t.TempDir(), "none")); got.code != exitInput {
		t.Errorf("exit code %d of what is not there", got.code)
	}
}
