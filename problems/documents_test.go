package problems_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/problems"
)

// The statement and the attachments are listed and open, from a folder and from
// a zip, and change nothing that judging depends on.
func TestDocuments(t *testing.T) {
	documents := files{
		"problem_statement/problem.en.tex": "\\begin{document}",
		"problem_statement/a/figure 1.png": "PNG",
		"attachments/start.zip":            "PK",
		"attachments/.hidden":              "not listed",
		"statements/old.pdf":               "not listed",
	}
	with := oneCase.with(documents)
	for name, path := range map[string]string{
		"folder": folder(t, "p", with),
		"zip":    zipFile(t, "p.zip", zipBytes(t, entries(with)...)),
	} {
		pkg := open(t, path, problems.Options{})
		got := files{}
		for _, d := range slices.Concat(pkg.Statement, pkg.Attachments) {
			got[d.Name] = content(t, pkg, d.Blob)
		}
		want := maps.Clone(documents)
		delete(want, "attachments/.hidden")
		delete(want, "statements/old.pdf")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: want, got (-, +):\n%s", name, diff)
		}
		if len(pkg.Statement) != 2 || len(pkg.Attachments) != 1 {
			t.Errorf("%s: %d files of the statement, %d attachments", name, len(pkg.Statement), len(pkg.Attachments))
		}
		version, err := pkg.Version()
		if err != nil {
			t.Fatal(err)
		}
		if without, err := open(t, folder(t, "p", oneCase), problems.Options{}).Version(); err != nil || without != version {
			t.Errorf("%s: version %s with documents, %s without (%v)", name, version, without, err)
		}
	}
}
