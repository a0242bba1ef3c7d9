package problems_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/problems"
)

func TestReadSource(t *testing.T) {
	dir := folder(t, "src", files{"only/b.py": "b", "only/a.py": "aa", "only/pkg/c.py": "", ".timelimit": "1", ".git/x": "x", "__MACOSX/y": "y"})
	for path, want := range map[string][]judge.File{
		"only/a.py": {{Name: "a.py", Data: []byte("aa")}},
		".":         {{Name: "only/a.py", Data: []byte("aa")}, {Name: "only/b.py", Data: []byte("b")}, {Name: "only/pkg/c.py", Data: []byte{}}},
		"only":      {{Name: "a.py", Data: []byte("aa")}, {Name: "b.py", Data: []byte("b")}, {Name: "pkg/c.py", Data: []byte{}}},
	} {
		got, err := problems.ReadSource(filepath.Join(dir, path), 3)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("ReadSource(%s): %v, files (-want +got):\n%s", path, err, diff)
		}
	}
}

func TestReadSourceRefused(t *testing.T) {
	dir := folder(t, "src", files{"a.py": strings.Repeat("x", 3<<10), "two/a": "12", "two/b": "345", "linked/a.py": "", "piped/a.py": ""})
	err := errors.Join(
		os.Symlink("a.py", filepath.Join(dir, "link.py")),
		os.Symlink("/etc/passwd", filepath.Join(dir, "linked/b.py")),
		syscall.Mkfifo(filepath.Join(dir, "pipe.py"), 0o666),
		syscall.Mkfifo(filepath.Join(dir, "piped/b.py"), 0o666),
		os.Mkdir(filepath.Join(dir, "empty"), 0o755),
	)
	if err != nil {
		t.Fatal(err)
	}
	for path, tc := range map[string]struct {
		limit int64
		want  string
	}{
		"a.py":    {3<<10 - 1, "a.py holds 3 KiB; the code limit is 3071 bytes"},
		"two":     {4, "two holds 5 bytes; the code limit is 4 bytes"},
		"link.py": {100, "link.py is a symbolic link"},
		"linked":  {100, "b.py: error: is a symbolic link"},
		"pipe.py": {100, "pipe.py is neither a file nor a folder"},
		"piped":   {100, "b.py: error: is neither a file nor a folder"},
		"empty":   {100, "no files in folder"},
	} {
		_, err := problems.ReadSource(filepath.Join(dir, path), tc.limit)
		if !errors.Is(err, judge.ErrSource) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("ReadSource(%s): %v, want %q", path, err, tc.want)
		}
	}
	if _, err := problems.ReadSource(filepath.Join(dir, "none"), 1); !errors.Is(err, os.ErrNotExist) || errors.Is(err, judge.ErrSource) {
		t.Errorf("ReadSource: %v, want %v", err, os.ErrNotExist)
	}
}
