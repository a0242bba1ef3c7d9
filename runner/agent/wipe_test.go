package agent_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"judge/runner/agent"
)

// dirent is one struct linux_dirent64, padded as the kernel does.
func dirent(name string) []byte {
	size := (19 + len(name) + 1 + 7) &^ 7
	b := make([]byte, size)
	binary.NativeEndian.PutUint16(b[16:], uint16(size))
	copy(b[19:], name)
	return b
}

func TestParseDirents(t *testing.T) {
	t.Parallel()
	join := func(parts ...[]byte) (all []byte) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	sized := func(size int) []byte {
		b := dirent("name")
		binary.NativeEndian.PutUint16(b[16:], uint16(size))
		return b
	}
	long := strings.Repeat("\xff", 255)
	for name, c := range map[string]struct {
		in   []byte
		want []string
		ok   bool
	}{
		"nothing":            {nil, nil, true},
		"dots":               {join(dirent("."), dirent("..")), nil, true},
		"names":              {join(dirent("a"), dirent("."), dirent("..."), dirent(long), dirent("-\n")), []string{"a", "...", long, "-\n"}, true},
		"cut short":          {join(dirent("a"), dirent("b")[:10]), nil, false},
		"cut in the name":    {dirent("name")[:22], nil, false},
		"size of zero":       {sized(0), nil, false},
		"size of the header": {sized(19), nil, false},
		"size beyond":        {sized(4096), nil, false},
		"name without NUL":   {append(dirent("1234")[:23:23], 'x'), []string{"1234x"}, true},
	} {
		if name == "name without NUL" {
			binary.NativeEndian.PutUint16(c.in[16:], uint16(len(c.in)))
		}
		got, ok := agent.ParseDirents(c.in)
		if diff := cmp.Diff(c.want, got); diff != "" || ok != c.ok {
			t.Errorf("%s: %v, want %v (-want +got):\n%s", name, ok, c.ok, diff)
		}
	}
}

func FuzzParseDirents(f *testing.F) {
	f.Add(append(dirent("a"), dirent("b")...))
	f.Add(dirent("name")[:19])
	f.Fuzz(func(t *testing.T, b []byte) {
		names, ok := agent.ParseDirents(b)
		if !ok && names != nil {
			t.Errorf("malformed entries hold %q", names)
		}
	})
}

// emptied runs Empty on a folder and wants nothing left in it.
func emptied(t *testing.T, dir string) {
	t.Helper()
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(fd) }()
	if err := agent.Empty(fd); err != nil {
		t.Fatalf("empty %s: %v", dir, err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("%d entries are left (%v): %v", len(left), err, left)
	}
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// dig makes folders in each other, deeper than any path can say.
func dig(t *testing.T, dir string, depth int, mode uint32) {
	t.Helper()
	at, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	var above []int
	for range depth {
		if err := unix.Mkdirat(at, "deep", 0o700); err != nil {
			t.Fatal(err)
		}
		next, err := unix.Openat(at, "deep", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		if above = append(above, at); len(above) > 2 {
			_ = unix.Close(above[0])
			above = above[1:]
		}
		at = next
		// The folder above may lose its rights now that we are inside.
		if err := unix.Fchmod(above[len(above)-1], mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, fd := range append(above, at) {
		_ = unix.Close(fd)
	}
	if err := os.Chmod(dir, 0o700); err != nil { // that one is the agent's own
		t.Fatal(err)
	}
}

// TestEmpty: what a run may leave, as its own user finds it.
func TestEmpty(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 255)
	for name, litter := range map[string]func(t *testing.T, dir string){
		"nothing": func(*testing.T, string) {},
		"files without rights": func(t *testing.T, dir string) {
			t.Helper()
			write(t, filepath.Join(dir, "none"), "x", 0)
			write(t, filepath.Join(dir, long), "x", 0o400)
			write(t, filepath.Join(dir, "wipe-1"), "", 0o777)
		},
		"deeper than a path": func(t *testing.T, dir string) { t.Helper(); dig(t, dir, 2000, 0o700) },
		"500 deep without rights": func(t *testing.T, dir string) {
			t.Helper()
			dig(t, dir, 500, 0)
		},
		"300 deep, read-only and sticky": func(t *testing.T, dir string) {
			t.Helper()
			dig(t, dir, 300, 0o1500)
		},
		"wide and deep": func(t *testing.T, dir string) {
			t.Helper()
			for i := range 10 {
				for j := range 20 {
					p := filepath.Join(dir, fmt.Sprint("d", i), fmt.Sprint("wipe-", j), long)
					if err := os.MkdirAll(p, 0o700); err != nil {
						t.Fatal(err)
					}
					write(t, filepath.Join(p, long), "x", 0)
				}
			}
		},
		"names in the way": func(t *testing.T, dir string) {
			t.Helper()
			for i := range 100 {
				if err := os.MkdirAll(filepath.Join(dir, fmt.Sprint("wipe-", i), "wipe-1", "wipe-2"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
		},
		"links, pipes and sockets": func(t *testing.T, dir string) {
			t.Helper()
			sub := filepath.Join(dir, "sub")
			if err := os.Mkdir(sub, 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(sub, "one"), "x", 0o600)
			for _, err := range []error{
				os.Symlink("/", filepath.Join(sub, "root")), os.Symlink("loop", filepath.Join(dir, "loop")),
				os.Link(filepath.Join(sub, "one"), filepath.Join(dir, "two")), unix.Mkfifo(filepath.Join(sub, "fifo"), 0),
				unix.Mknod(filepath.Join(dir, "socket"), unix.S_IFSOCK, 0),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			litter(t, dir)
			emptied(t, dir)
		})
	}
}

// TestEmptyFollowsNothing: a link's target is not the run's.
func TestEmptyFollowsNothing(t *testing.T) {
	t.Parallel()
	outside, dir := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "kept"), "x", 0o640)
	if err := os.Chmod(outside, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"link", "sub/link"} {
		if err := os.Symlink(outside, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	emptied(t, dir)
	if _, err := os.Stat(filepath.Join(outside, "kept")); err != nil {
		t.Errorf("what a link points to went with it: %v", err)
	}
	if info, err := os.Stat(outside); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("what a link points to has mode %v now (%v)", info.Mode(), err)
	}
}
