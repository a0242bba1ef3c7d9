package problems_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"judge/judge"
	"judge/problems"
)

func TestSkeleton(t *testing.T) {
	for name, title := range map[string]string{"two-sums": "Two sums", "a": "A", "0.x_y": "0.x y"} {
		path := filepath.Join(t.TempDir(), "package.zip")
		var first, second bytes.Buffer
		for _, to := range []*bytes.Buffer{&first, &second} {
			if err := problems.WriteSkeleton(to, name); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: two skeletons differ", name)
		}
		if err := os.WriteFile(path, first.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		pkg, err := problems.Open(path, problems.Options{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		defer pkg.Close() //nolint:errcheck // read only
		for _, f := range pkg.Findings {
			if f.Severity != problems.Info {
				t.Errorf("%s: %s", name, f)
			}
		}
		p := pkg.Problem
		if p.Title != title || len(p.Cases()) != 2 || !p.Cases()[0].Sample || len(p.Jury) != 2 || !p.TimeLimitSet || len(pkg.Statement) != 1 {
			t.Errorf("%s: title %q, %d cases, %d jury submissions, time limit set %t, %d statements", name, p.Title, len(p.Cases()), len(p.Jury), p.TimeLimitSet, len(pkg.Statement))
		}
	}
}

func TestSkeletonName(t *testing.T) {
	for _, name := range []string{"", "A", "-a", "../a", "a b", "a\n", string(bytes.Repeat([]byte("a"), 65))} {
		if _, err := problems.Skeleton(name); !errors.Is(err, judge.ErrInvalid) {
			t.Errorf("Skeleton(%q): %v, want judge.ErrInvalid", name, err)
		}
		if err := problems.WriteSkeleton(&bytes.Buffer{}, name); !errors.Is(err, judge.ErrInvalid) {
			t.Errorf("WriteSkeleton(%q): %v, want judge.ErrInvalid", name, err)
		}
	}
}
