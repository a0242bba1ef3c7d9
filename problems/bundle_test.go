package problems_test

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"judge/problems"
)

func TestBundle(t *testing.T) {
	all := files{"contest.json": "{}", "problems/a.zip": "zip", "problems/b.zip": ""}
	for name, prefix := range map[string]string{"plain": "", "in a folder": "spring/"} {
		var listed []header
		for _, e := range entries(all) {
			e.Name = prefix + e.Name
			listed = append(listed, e)
		}
		b, err := problems.OpenBundle(zipFile(t, "b.zip", zipBytes(t, listed...)), problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Names(); !slices.Equal(got, []string{"contest.json", "problems/a.zip", "problems/b.zip"}) {
			t.Errorf("%s: %q", name, got)
		}
		for file, want := range all {
			if got, err := bundled(b, file); got != want || err != nil {
				t.Errorf("%s: %q, %v", file, got, err)
			}
		}
		if _, err := b.Open("../b.zip"); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

func bundled(b *problems.Bundle, name string) (string, error) {
	r, err := b.Open(name)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(r)
	return string(data), errors.Join(err, r.Close())
}

// TestHostileBundle: names and declared sizes are refused at once, bytes that are
// other than declared when they are read.
func TestHostileBundle(t *testing.T) {
	for name, tc := range map[string]struct {
		all  []header
		opts problems.Options
		want string
	}{
		"slip":      {[]header{entry("../x", "")}, problems.Options{}, "climbs out"},
		"symlink":   {[]header{typed("contest.json", "/etc/passwd", fs.ModeSymlink|0o777)}, problems.Options{}, "symbolic link"},
		"twice":     {[]header{entry("contest.json", ""), entry("contest.json", "")}, problems.Options{}, "twice"},
		"petabytes": {[]header{lying("x", "abc", zip.Store, 1<<60)}, problems.Options{}, "ceiling for one file"},
		"bomb":      {[]header{zeros(t, "x", 66)}, problems.Options{}, "times its size"},
		"too many":  {[]header{entry("a", ""), entry("b", "")}, problems.Options{MaxFiles: 1}, "more than 1"},
		"says less": {[]header{lying("x", "abcdef", zip.Store, 3)}, problems.Options{}, "x: error: "},
		"says more": {[]header{lying("x", "abc", zip.Store, 6)}, problems.Options{}, "x: error: "},
		"damaged":   {[]header{lying("x", "\xff\xff", zip.Deflate, 9)}, problems.Options{}, "x: error: "},
	} {
		b, err := problems.OpenBundle(zipFile(t, "b.zip", zipBytes(t, tc.all...)), tc.opts)
		if err == nil {
			_, err = bundled(b, "x")
			err = errors.Join(err, b.Close())
		}
		wrong, ok := errors.AsType[*problems.ReadError](err)
		if !ok || !strings.Contains(wrong.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

func FuzzBundle(f *testing.F) {
	f.Add(zipBytes(f, entry("contest.json", "{}"), entry("problems/a.zip", "x")))
	f.Add(zipBytes(f, lying("x", "abcdef", zip.Store, 3)))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "b.zip")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := problems.OpenBundle(path, problems.Options{MaxFiles: 100, MaxBytes: 1 << 20, MaxFile: 1 << 20})
		for i := 0; err == nil && i < len(b.Names()); i++ {
			name := b.Names()[i]
			if !filepath.IsLocal(name) {
				t.Errorf("name %q", name)
			}
			if _, err := bundled(b, name); err != nil {
				if _, ok := errors.AsType[*problems.ReadError](err); !ok {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		if err != nil {
			if _, ok := errors.AsType[*problems.ReadError](err); !ok {
				t.Error(err)
			}
			return
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
}
