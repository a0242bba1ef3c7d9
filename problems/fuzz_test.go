package problems_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"judge/judge"
	"judge/problems"
)

// survive opens a package of any bytes. Whatever they are, it is read or
// refused with findings, nothing is left behind, and what was read holds what
// the rest of the judge takes for granted.
func survive(t *testing.T, path string, opts problems.Options) {
	t.Helper()
	opts.TempDir = t.TempDir()
	pkg, err := problems.Open(path, opts)
	if err != nil {
		readErr, ok := errors.AsType[*problems.ReadError](err)
		if !ok || len(readErr.Findings) == 0 {
			t.Fatalf("Open: %v, want a *ReadError with findings", err)
		}
	} else {
		sound(t, pkg)
		if err := pkg.Close(); err != nil {
			t.Error(err)
		}
	}
	if left := list(t, opts.TempDir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func sound(t *testing.T, pkg *problems.Package) {
	t.Helper()
	p := pkg.Problem
	l := p.Limits
	if l.CPU <= 0 || l.CPU > judge.MaxCPU || l.Memory <= 0 || l.Memory > problems.MaxMemory || l.Output <= 0 || l.Output > problems.MaxOutput || p.Code <= 0 || p.Code > problems.MaxCode {
		t.Errorf("limits %+v, code %d", l, p.Code)
	}
	for _, l := range []judge.Limits{p.Compilation, p.Validation} {
		if l.CPU <= 0 || l.CPU > judge.MaxCPU || l.Memory <= 0 || l.Memory > problems.MaxMemory || l.Output < 0 || l.Output > problems.MaxOutput {
			t.Errorf("jury limits %+v", l)
		}
	}
	if p.Timing.Multiplier < 1 || p.Timing.SafetyMargin < 1 {
		t.Errorf("timing %+v", p.Timing)
	}
	if len(p.Cases()) == 0 {
		t.Error("no cases")
	}
	seen := map[string]bool{}
	for _, c := range p.Cases() {
		if seen[c.Name] {
			t.Errorf("two cases are called %s", c.Name)
		}
		seen[c.Name] = true
		content(t, pkg, c.Input)
		content(t, pkg, c.Answer)
	}
	for _, f := range pkg.Findings {
		if f.Severity == problems.Error || f.Message == "" {
			t.Errorf("finding %q of a package that was accepted", f)
		}
	}
	if _, err := pkg.Version(); err != nil {
		t.Error(err)
	}
	exportable(t, pkg)
}

// exportable holds that what is exported is a package.
func exportable(t *testing.T, pkg *problems.Package) {
	t.Helper()
	x, err := problems.NewExport(pkg.Exported())
	if err != nil {
		t.Fatal(err)
	}
	if !x.OK() {
		if !slices.ContainsFunc(x.Findings, func(f problems.Finding) bool { return f.Severity == problems.Error }) {
			t.Errorf("not exported without a reason: %v", x.Findings)
		}
		return
	}
	var buf bytes.Buffer
	if err := x.Write(&buf); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.zip")
	if err := os.WriteFile(path, buf.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := problems.Open(path, problems.Options{Name: pkg.Problem.Name, TempDir: t.TempDir()})
	if err != nil {
		t.Fatalf("what was exported cannot be read: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func fuzzFile(f *testing.F, name string, seeds ...string) {
	f.Helper()
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		pkg := oneCase.with(nil)
		pkg[name] = string(data)
		survive(t, folder(t, "p", pkg), problems.Options{})
	})
}

func FuzzProblemYAML(f *testing.F) {
	fuzzFile(f, "problem.yaml", whole["problem.yaml"], "problem_format_version: 2025-09", "limits: {memory: 1e308}", "a: &a [*a]", "? [a]\n: b", "name: {en: x, de: [y]}", "\xef\xbb\xbfname: x", "!!binary a: x", "validation: custom score")
}

func FuzzTestdataYAML(f *testing.F) {
	fuzzFile(f, "data/testdata.yaml", "on_reject: continue\ngrading: default\ngrader_flags: sum\noutput_validator_flags: {default: a b, x: y}\nrange: 0 1\n", "output_validator_flags: float_tolerance 1e-6", "on_reject: [")
}

func FuzzINI(f *testing.F) {
	fuzzFile(f, "domjudge-problem.ini", whole["domjudge-problem.ini"], "timelimit='", "timelimit==1", "=\n[", "timelimit=\"1\" ; x\ntimelimit=2")
}

func FuzzAnnotation(f *testing.F) {
	fuzzFile(f, "submissions/mixed/a.c", "@EXPECTED_RESULTS@:", "// @EXPECTED_RESULTS@: CORRECT, run time error */", "\n@EXPECTED_RESULTS@: \xff,,\n")
}

// fuzzOnly is fuzzFile of a package of another format.
func fuzzOnly(f *testing.F, name string, pkg files, seeds ...string) {
	f.Helper()
	for _, s := range append(seeds, pkg[name]) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		survive(t, folder(t, "p", pkg.with(files{name: string(data)})), problems.Options{})
	})
}

func FuzzProblemXML(f *testing.F) {
	fuzzOnly(f, "problem.xml", polygonPackage(plainTests, ""), polygonPackage(scoredTests, scoredGroups)["problem.xml"], "<problem/>", "<!DOCTYPE x [<!ENTITY a '&a;&a;'>]><problem>&a;</problem>")
}

func FuzzInitYAML(f *testing.F) {
	fuzzOnly(f, "init.yml", dmojPackage(f), "archive: data.zip\n", "archive: data.zip\ntest_cases: {input_format: 'sum.(?P<case>\\d+).in'}\n", "test_cases: [{batched: [{in: check.cpp, out: check.cpp}], points: 0}]\n")
}

func FuzzZip(f *testing.F) {
	f.Add(zipBytes(f, entries(oneCase)...))
	f.Add(zipBytes(f, entries(whole)...))
	f.Add(zipBytes(f, entry("1.in", ""), entry("1.out", "x"), entry("../x", "")))
	f.Add([]byte{})
	path := filepath.Join(f.TempDir(), "p.zip")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		survive(t, path, problems.Options{MaxFile: 1 << 20, MaxBytes: 4 << 20})
	})
}
