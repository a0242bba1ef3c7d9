package problems_test

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"judge/judge"
	"judge/problems"
)

func TestHostileFolder(t *testing.T) {
	link := func(to, name string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, tc := range map[string]struct {
		make func(t *testing.T, dir string)
		want string
	}{
		"link outside":    {link("/etc/passwd", "data/secret/2.in"), "data/secret/2.in: … symbolic link … cp -RL"},
		"link inside":     {link("1.in", "data/secret/2.in"), "data/secret/2.in: … even one that stays inside"},
		"link to folder":  {link("/etc", "include"), "include: … symbolic link"},
		"link to nothing": {link("nowhere", "x"), "x: … symbolic link"},
		"link as config":  {link("/etc/passwd", "domjudge-problem.ini"), "symbolic link"},
		"pipe": {func(t *testing.T, dir string) {
			t.Helper()
			if err := syscall.Mkfifo(filepath.Join(dir, "data/secret/2.in"), 0o666); err != nil {
				t.Fatal(err)
			}
		}, "data/secret/2.in: … neither a file nor a folder"},
		"socket": {func(t *testing.T, dir string) {
			t.Helper()
			t.Chdir(dir) // a socket's path is short
			l, err := net.Listen("unix", "s")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = l.Close() })
		}, "s: … neither a file nor a folder"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, "p", oneCase)
			tc.make(t, dir)
			wantEach(t, refused(t, dir, problems.Options{}), tc.want)
		})
	}
}

func TestOpenNothing(t *testing.T) {
	if _, err := problems.Open(filepath.Join(t.TempDir(), "none"), problems.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open: %v, want %v", err, os.ErrNotExist)
	}
	pipe := filepath.Join(t.TempDir(), "p.zip")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	wantEach(t, refused(t, pipe, problems.Options{}), "neither a folder nor a zip")
}

// TestOpenBlob checks what the sandbox relies on: whose file it is, that others
// may read and not write, and that each opening has an offset of its own.
func TestOpenBlob(t *testing.T) {
	dir := folder(t, "p", oneCase)
	for name, tc := range map[string]struct {
		path    func() string
		inPlace bool
	}{
		"readable": {func() string { return dir }, true},
		"private":  {func() string { return chmod(t, folder(t, "p", oneCase), 0o600) }, false},
		"writable": {func() string { return chmod(t, folder(t, "p", oneCase), 0o666) }, false},
		"zip":      {func() string { return zipFile(t, "p.zip", zipBytes(t, entries(oneCase)...)) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			temp := t.TempDir()
			pkg := open(t, tc.path(), problems.Options{TempDir: temp})
			blob := pkg.Problem.Cases()[0].Input
			a, b := opened(t, pkg, blob), opened(t, pkg, blob)
			if _, err := io.ReadAll(a); err != nil {
				t.Fatal(err)
			}
			if rest, err := io.ReadAll(b); err != nil || string(rest) != "1 2\n" {
				t.Errorf("the second opening reads %q, %v", rest, err)
			}
			if _, err := a.WriteString("x"); err == nil {
				t.Error("the file is open for writing")
			}
			checkOthers(t, a, tc.inPlace, temp)
		})
	}
}

func checkOthers(t *testing.T, f *os.File, inPlace bool, temp string) {
	t.Helper()
	fi, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if perm := fi.Mode().Perm(); perm&0o006 != 0o004 || (!inPlace && perm != 0o444) {
		t.Errorf("mode %o", perm)
	}
	flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, f.Fd(), syscall.F_GETFL, 0)
	if errno != 0 || flags&syscall.O_NONBLOCK != 0 {
		t.Errorf("flags %o, %v: the program would be given a descriptor that does not block", flags, errno)
	}
	staged := list(t, temp)
	if inPlace != (len(staged) == 0) {
		t.Errorf("staged %q, want in place: %t", staged, inPlace)
	}
	for _, name := range staged {
		fi, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if fi.IsDir() && fi.Mode().Perm() != 0o700 {
			t.Errorf("staging folder has mode %o", fi.Mode().Perm())
		}
	}
}

func opened(t *testing.T, pkg *problems.Package, b judge.Blob) *os.File {
	t.Helper()
	f, err := pkg.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func chmod(t *testing.T, dir string, mode os.FileMode) string {
	t.Helper()
	for name := range oneCase {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestOpenChanged changes a package while it is in use.
func TestOpenChanged(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"gone":     os.Remove,
		"written":  func(path string) error { return os.WriteFile(path, []byte("9 9 9\n"), 0o600) },
		"touched":  func(path string) error { return os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)) },
		"private":  func(path string) error { return os.Chmod(path, 0o600) },
		"writable": func(path string) error { return os.Chmod(path, 0o646) },
		"link": func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.Symlink("1.in.old", path))
		},
		"link out": func(path string) error { return errors.Join(os.Remove(path), os.Symlink("/etc/passwd", path)) },
		"folder":   func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o755)) },
		"pipe":     func(path string) error { return errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o644)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, "p", oneCase)
			pkg := open(t, dir, problems.Options{})
			if err := change(filepath.Join(dir, "data/secret/1.in")); err != nil {
				t.Fatal(err)
			}
			f, err := pkg.Open(pkg.Problem.Cases()[0].Input)
			if name == "link" { // it leads to the very file that was read
				if err != nil {
					t.Fatalf("Open: %v", err)
				}
				_ = f.Close()
				return
			}
			if err == nil {
				_ = f.Close()
				t.Fatal("Open gave a file that is not the one that was read")
			}
			if !strings.Contains(err.Error(), "data/secret/1.in") {
				t.Errorf("error %q does not name the file", err)
			}
		})
	}
}

func TestOpenForeignBlob(t *testing.T) {
	pkg := open(t, folder(t, "p", oneCase), problems.Options{})
	for _, ref := range []string{"", "problem.yaml", "../p/problem.yaml", "/etc/passwd"} {
		if f, err := pkg.Open(judge.Blob{Ref: ref}); err == nil {
			_ = f.Close()
			t.Errorf("Open gave %q, which is not test data", ref)
		}
	}
}

func TestOpenTogether(t *testing.T) {
	pkg := open(t, zipFile(t, "p.zip", zipBytes(t, entries(whole)...)), problems.Options{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, c := range pkg.Problem.Cases() {
				if got := content(t, pkg, c.Input); got != whole[c.Input.Ref] {
					t.Errorf("%s holds %q", c.Name, got)
				}
			}
			if _, err := pkg.Version(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
