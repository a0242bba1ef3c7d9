package agent_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"judge/runner/agent"
)

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := agent.Put(dir, name, 0o640, strings.NewReader(text)); err != nil {
		t.Fatalf("put %s: %v", name, err)
	}
}

func wantFile(t *testing.T, dir, name, want string) {
	t.Helper()
	var got bytes.Buffer
	if err := agent.Get(dir, name, 1<<20, &got); err != nil || got.String() != want {
		t.Errorf("%s holds %q (%v), want %q", name, got.String(), err, want)
	}
}

// TestPutOver: a run whose files were kept has left something under the name, or
// in the place of a folder above it. Nothing outside changes.
func TestPutOver(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	write(t, filepath.Join(outside, "kept"), "kept", 0o600)
	for name, plant := range map[string]func(dir string) error{
		"file":              func(dir string) error { return os.WriteFile(dir+"/a", []byte("old, and longer"), 0) },
		"link to a file":    func(dir string) error { return os.Symlink(outside+"/kept", dir+"/a") },
		"link to a folder":  func(dir string) error { return os.Symlink(outside, dir+"/a") },
		"link to nothing":   func(dir string) error { return os.Symlink("nowhere", dir+"/a") },
		"pipe":              func(dir string) error { return unix.Mkfifo(dir+"/a", 0o600) },
		"hard link":         func(dir string) error { return os.Link(outside+"/kept", dir+"/a") },
		"empty folder":      func(dir string) error { return os.Mkdir(dir+"/a", 0o700) },
		"folder, no rights": func(dir string) error { return errors.Join(os.MkdirAll(dir+"/a/b/c", 0o700), os.Chmod(dir+"/a", 0)) },
		"folder of much": func(dir string) error {
			return errors.Join(os.MkdirAll(dir+"/a/b/c/d", 0o700), os.WriteFile(dir+"/a/b/c/e", nil, 0), os.Chmod(dir+"/a/b", 0o1500))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asFile, asFolder, folder := t.TempDir(), t.TempDir(), t.TempDir()
			for _, dir := range []string{asFile, asFolder, folder} {
				if err := plant(dir); err != nil {
					t.Fatal(err)
				}
			}
			put(t, asFile, "a", "new")
			wantFile(t, asFile, "a", "new")
			put(t, asFolder, "a/b/file", "new")
			wantFile(t, asFolder, "a/b/file", "new")
			if err := agent.Put(folder, "a/", 0o755, nil); err != nil {
				t.Errorf("make a folder: %v", err)
			}
			if info, err := os.Lstat(folder + "/a"); err != nil || !info.IsDir() {
				t.Errorf("where a folder was asked for is %v (%v)", info, err)
			}
			if got, err := os.ReadFile(filepath.Join(outside, "kept")); err != nil || string(got) != "kept" {
				t.Errorf("a file outside holds %q (%v)", got, err)
			}
		})
	}
	if list, err := os.ReadDir(outside); err != nil || len(list) != 1 {
		t.Errorf("outside are %v (%v)", list, err)
	}
}

func TestPutRefused(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "in")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "/", "..", "../out", "a/../../out", "/out", ".", "./", strings.Repeat("n", 256)} {
		if err := agent.Put(dir, name, 0o600, strings.NewReader("x")); err == nil {
			t.Errorf("put %q: no error", name)
		}
	}
	if list, err := os.ReadDir(above); err != nil || len(list) != 1 {
		t.Errorf("above the folder are %v (%v)", list, err)
	}
}

func TestGetRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "plain", "12345")
	put(t, dir, "one", "x")
	for _, err := range []error{
		os.Link(dir+"/one", dir+"/two"), os.Symlink("plain", dir+"/link"), os.Symlink(dir, dir+"/up"), os.Symlink("loop", dir+"/loop"),
		unix.Mkfifo(dir+"/fifo", 0o600), os.Mkdir(dir+"/folder", 0o700), unix.Mknod(dir+"/socket", unix.S_IFSOCK|0o600, 0),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{
		"", ".", "..", "../" + filepath.Base(dir) + "/plain", dir + "/plain", "missing", "one", "two", "link", "up/plain", "loop",
		"fifo", "folder", "socket", "plain/x", strings.Repeat("n", 256), strings.Repeat("n/", 3000) + "n",
	} {
		var got bytes.Buffer
		if err := agent.Get(dir, name, 100, &got); !errors.Is(err, fs.ErrNotExist) || got.Len() != 0 {
			t.Errorf("get %.40q: %q, %v; want fs.ErrNotExist", name, got.String(), err)
		}
	}
	if err := agent.Get(dir, "plain", 4, io.Discard); !errors.Is(err, agent.ErrTooLarge) {
		t.Errorf("get 5 bytes of at most 4: %v", err)
	}
	wantFile(t, dir, "plain", "12345")
}

// modes lists the files below a folder with their modes and contents.
func modes(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(p)
		name, _ := filepath.Rel(dir, p)
		all[name] = fmt.Sprintf("%v %.20q of %d", info.Mode(), text, len(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestPackThereAndBack(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), t.TempDir()
	long := strings.Repeat("x", 255)
	put(t, from, "a.out", strings.Repeat("binary", 100_000))
	put(t, from, "pkg/inner/A$1.class", "class")
	put(t, from, long, "long name")
	put(t, from, "empty", "")
	put(t, from, "notes.txt", "not packed")
	for _, err := range []error{
		os.Chmod(from+"/a.out", 0o711), os.Symlink("a.out", from+"/b.out"), os.Link(from+"/empty", from+"/twin"),
		unix.Mkfifo(from+"/c.out", 0o600), os.Symlink(from+"/pkg", from+"/again"),
		os.WriteFile(from+"/\xff\xfe.class", nil, 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var packed bytes.Buffer
	op := &agent.FileOp{Patterns: []string{"*.out", "*.class", "empty", "twin", "x*", "[", "pkg"}, Max: 1 << 20}
	if err := agent.Pack(from, op, &packed); err != nil {
		t.Fatal(err)
	}
	if err := agent.Unpack(to, &packed); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"a.out":               `-r-xr-xr-x "binarybinarybinarybi" of 600000`,
		"pkg/inner/A$1.class": `-r--r--r-- "class" of 5`,
		long:                  `-r--r--r-- "long name" of 9`,
	}
	if diff := cmp.Diff(want, modes(t, to)); diff != "" {
		t.Errorf("there and back (-want +got):\n%s", diff)
	}
}

func TestPackTooLarge(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "a", "12345")
	put(t, dir, "b", "12345")
	for _, c := range []struct {
		max      int64
		patterns []string
		want     error
	}{{10, []string{"*"}, nil}, {9, []string{"*"}, agent.ErrTooLarge}, {5, []string{"b"}, nil}, {0, nil, nil}} {
		if err := agent.Pack(dir, &agent.FileOp{Patterns: c.patterns, Max: c.max}, io.Discard); !errors.Is(err, c.want) {
			t.Errorf("pack %q of at most %d bytes: %v, want %v", c.patterns, c.max, err, c.want)
		}
	}
	for i := range agent.MaxPacked {
		write(t, filepath.Join(dir, fmt.Sprint("many-", i)), "", 0o600)
	}
	if err := agent.Pack(dir, &agent.FileOp{Patterns: []string{"many-*"}}, io.Discard); err != nil {
		t.Errorf("pack as many files as may be: %v", err)
	}
	if err := agent.Pack(dir, &agent.FileOp{Patterns: []string{"*"}, Max: 100}, io.Discard); !errors.Is(err, agent.ErrTooLarge) {
		t.Errorf("pack two files too many: %v", err)
	}
}

// TestUnpackHostile: a tar is as hostile as the box that made it.
func TestUnpackHostile(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "in")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Symlink(above, filepath.Join(dir, "up"))); err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]tar.Header{
		"above":        {Typeflag: tar.TypeReg, Name: "../out"},
		"absolute":     {Typeflag: tar.TypeReg, Name: above + "/out"},
		"link":         {Typeflag: tar.TypeSymlink, Name: "l", Linkname: ".."},
		"hard link":    {Typeflag: tar.TypeLink, Name: "l", Linkname: "../out"},
		"folder":       {Typeflag: tar.TypeDir, Name: "d/"},
		"device":       {Typeflag: tar.TypeChar, Name: "null", Devmajor: 1, Devminor: 3},
		"pipe":         {Typeflag: tar.TypeFifo, Name: "p"},
		"through up":   {Typeflag: tar.TypeReg, Name: "up/../out"},
		"without name": {Typeflag: tar.TypeReg, Name: ""},
	} {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		if err := errors.Join(w.WriteHeader(&h), w.Close()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := agent.Unpack(dir, &b); err == nil {
			t.Errorf("%s: unpacked", name)
		}
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := errors.Join(w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "up/out", Mode: 0o6755}), w.Close()); err != nil {
		t.Fatal(err)
	}
	if err := agent.Unpack(dir, &b); err != nil {
		t.Errorf("unpack over a link: %v", err)
	}
	want := map[string]string{"in/up/out": `-rwxr-xr-x "" of 0`}
	if diff := cmp.Diff(want, modes(t, above)); diff != "" {
		t.Errorf("after hostile tars (-want +got):\n%s", diff)
	}
}

// FuzzUnpack: nothing but plain files appears, and only below the folder.
func FuzzUnpack(f *testing.F) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := errors.Join(w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "a/b", Size: 1, Mode: 0o644}), second(w.Write([]byte("x"))), w.Close()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(bytes.ReplaceAll(b.Bytes(), []byte("a/b"), []byte("../")))
	f.Fuzz(func(t *testing.T, b []byte) {
		above := t.TempDir()
		dir := filepath.Join(above, "in")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		_ = agent.Unpack(dir, bytes.NewReader(b))
		if list, err := os.ReadDir(above); err != nil || len(list) != 1 {
			t.Errorf("above the folder are %v (%v)", list, err)
		}
		emptied(t, dir)
	})
}

func second[T any](_ T, err error) error { return err }

// TestFromStart: a shared offset is neither used nor moved.
func TestFromStart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "0123456789", 0o600)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if _, err := f.Seek(7, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(agent.FromStart(f)); err != nil || string(got) != "0123456789" {
		t.Errorf("read %q (%v)", got, err)
	}
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != 7 {
		t.Errorf("the offset is %d (%v), want 7", at, err)
	}
}
