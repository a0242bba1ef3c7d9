package blob_test

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"judge/judge"
	"judge/judge/grader"
	"judge/problems"
	"judge/problems/blob"
)

var _ grader.Opener = (*blob.Data)(nil)

// whole is a package that has everything which a manifest must carry.
var whole = map[string]string{
	"problem.yaml":                            "name: Whole\nlicense: cc by\nauthor: A. B\nsource: C\nvalidation: custom\nvalidator_flags: a  b\nlimits:\n  time_limit: 1.2345\n  memory: 77\n  code: 9\n",
	"data/testdata.yaml":                      "on_reject: continue\noutput_validator_flags: x y\n",
	"data/sample/1.in":                        "1\n",
	"data/sample/1.ans":                       "2\n",
	"data/secret/g1/1.in":                     "1\n",
	"data/secret/g1/1.ans":                    "",
	"data/secret/g1/testdata.yaml":            "on_reject: break\noutput_validator_flags: z\n",
	"data/secret/g2/deep/2.in":                strings.Repeat("12 ", 1000),
	"data/secret/g2/deep/2.ans":               "6\n",
	"data/secret/0.in":                        "7\n",
	"data/secret/0.ans":                       "8\n",
	"output_validators/v.cpp":                 "int main() {}\n",
	"output_validators/w/build":               "#!/bin/sh\n",
	"output_validators/w/run":                 "#!/bin/sh\nexit 42\n",
	"output_validators/common.h":              "// common\n",
	"include/cpp/lib.h":                       "// lib\n",
	"include/default/README":                  "read me\n",
	"submissions/accepted/a.cpp":              "// a\n",
	"submissions/mixed/b/main.py":             "# @EXPECTED_RESULTS@: TIMELIMIT, WRONG-ANSWER\n",
	"submissions/mixed/b/lib.py":              "# lib\n",
	"problem_statement/problem.en.tex":        "\\begin{document}",
	"problem_statement/pictures/figure 1.png": "PNG",
	"attachments/start.zip":                   "PK",
}

func folder(tb testing.TB, name string, files map[string]string) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), name)
	for file, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

func openPackage(tb testing.TB, path string) *problems.Package {
	tb.Helper()
	pkg, err := problems.Open(path, problems.Options{TempDir: tb.TempDir()})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := pkg.Close(); err != nil {
			tb.Error(err)
		}
	})
	return pkg
}

func imported(tb testing.TB, s *blob.Store, pkg *problems.Package) *blob.Manifest {
	tb.Helper()
	m, err := blob.Import(tb.Context(), s, pkg)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// mapped is a problem with each reference replaced.
func mapped(tb testing.TB, p judge.Problem, ref func(judge.Blob) string) judge.Problem {
	tb.Helper()
	var group func(g judge.TestGroup) judge.TestGroup
	group = func(g judge.TestGroup) judge.TestGroup {
		g.Cases, g.Groups = slices.Clone(g.Cases), slices.Clone(g.Groups)
		for i := range g.Cases {
			c := &g.Cases[i]
			c.Input.Ref, c.Answer.Ref = ref(c.Input), ref(c.Answer)
		}
		for i := range g.Groups {
			g.Groups[i] = group(g.Groups[i])
		}
		return g
	}
	p.Root = group(p.Root)
	return p
}

func contents(tb testing.TB, f *os.File, err error) string {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
	data, err := io.ReadAll(f)
	if err := errors.Join(err, f.Close()); err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func packages(tb testing.TB) []string {
	tb.Helper()
	samples, err := filepath.Glob("../../testcases/samples/*/data")
	if err != nil || len(samples) == 0 {
		tb.Fatalf("no samples (%v)", err)
	}
	all := []string{
		folder(tb, "whole", whole),
		folder(tb, "plain", map[string]string{"1.in": "1", "1.out": "2", "a/2.in": "3", "a/2.ans": "4"}),
	}
	for _, s := range samples {
		all = append(all, filepath.Dir(s))
	}
	return all
}

// The problem of the manifest is the problem of the package, but for where its
// test data lie; and these hold the same.
func TestRoundTrip(t *testing.T) {
	s := fileStore(t).open(t)
	c := cache(t, s, blob.CacheOptions{Budget: 1 << 30})
	for _, path := range packages(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			pkg := openPackage(t, path)
			version, err := pkg.Version()
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(imported(t, s, pkg))
			if err != nil {
				t.Fatal(err)
			}
			m, err := blob.ReadManifest(data)
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Problem(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if got.Jury, err = m.JurySubmissions(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			want := pkg.Problem
			want.Version = version
			opener := c.Data(t.Context())
			wantData := mapped(t, want, func(b judge.Blob) string { f, err := pkg.Open(b); return contents(t, f, err) })
			gotData := mapped(t, *got, func(b judge.Blob) string { f, err := opener.Open(b); return contents(t, f, err) })
			if diff := cmp.Diff(wantData, gotData, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("package, manifest (-, +):\n%s", diff)
			}
			again, err := problems.VersionOf(got, func(b judge.Blob) (string, error) { return b.Ref, nil })
			if err != nil || again != version {
				t.Errorf("version %s from the manifest's problem, %s from the package (%v)", again, version, err)
			}
		})
	}
}

func TestManifestOfDocuments(t *testing.T) {
	s := fileStore(t).open(t)
	m := imported(t, s, openPackage(t, folder(t, "whole", whole)))
	got := map[string]string{}
	for _, f := range slices.Concat(m.Statement, m.Attachments) {
		data, err := get(t.Context(), s, f.Ref())
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name] = string(data)
	}
	want := map[string]string{}
	for name, data := range whole {
		if strings.HasPrefix(name, "problem_statement/") || strings.HasPrefix(name, "attachments/") {
			want[name] = data
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want, got (-, +):\n%s", diff)
	}
	if len(m.Statement) != 2 || len(m.Attachments) != 1 {
		t.Errorf("%d files of the statement, %d attachments", len(m.Statement), len(m.Attachments))
	}
}

// importTwice: what is there is not stored again, a change stores what changed,
// and every blob in the store is one that a manifest refers to.
func importTwice(t *testing.T, p place) {
	t.Helper()
	s := p.open(t)
	first := imported(t, s, openPackage(t, folder(t, "p", whole)))
	was := stored(t, s)
	if diff := cmp.Diff(sums(first), was); diff != "" {
		t.Errorf("referred to, stored (-, +):\n%s", diff)
	}
	stat := map[string]os.FileInfo{}
	for _, f := range p.files(t) {
		fi, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		stat[f] = fi
	}
	changed := maps.Clone(whole)
	changed["data/secret/0.in"] = "7 changed\n"
	second := imported(t, s, openPackage(t, folder(t, "p", changed)))
	if first.Version == second.Version {
		t.Error("other test data, same version")
	}
	fresh := slices.DeleteFunc(stored(t, s), func(sum string) bool { return slices.Contains(was, sum) })
	if want := []string{sumOf([]byte("7 changed\n"))}; !slices.Equal(fresh, want) {
		t.Errorf("stored %q, want %q", fresh, want)
	}
	for f, fi := range stat {
		if now, err := os.Stat(f); err != nil || !os.SameFile(now, fi) || !now.ModTime().Equal(fi.ModTime()) {
			t.Errorf("%s was written again (%v)", f, err)
		}
	}
	third := imported(t, s, openPackage(t, folder(t, "p", whole)))
	if diff := cmp.Diff(first, third); diff != "" {
		t.Errorf("two manifests of one package (-, +):\n%s", diff)
	}
}

func stored(tb testing.TB, s *blob.Store) []string {
	tb.Helper()
	var all []string
	for o, err := range s.List(tb.Context()) {
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, o.SHA256)
	}
	return all
}

func sums(m *blob.Manifest) []string {
	var all []string
	for _, r := range m.Refs() {
		all = append(all, r.SHA256)
	}
	slices.Sort(all)
	return all
}

func TestImportFails(t *testing.T) {
	p := fileStore(t)
	s := p.open(t)
	dir := folder(t, "p", whole)
	pkg := openPackage(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "data/secret/0.in"), []byte("written meanwhile"), 0o644); err != nil {
		t.Fatal(err)
	}
	if m, err := blob.Import(t.Context(), s, pkg); err == nil || !strings.Contains(err.Error(), "secret/0") {
		t.Errorf("imported %v, %v; want an error that names the case", m, err)
	}
}
