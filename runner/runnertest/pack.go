//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/runner"
)

// pack: files go from box to box by a tar that is hostile until proven otherwise.
func (s *suite) pack(t *testing.T) {
	t.Run("patterns", s.packPatterns)
	t.Run("there and back", s.packAndUnpack)
	t.Run("planted", s.packPlanted)
	t.Run("hostile tar", s.unpackHostile)
	t.Run("too large", func(t *testing.T) {
		for _, c := range []struct {
			args []string
			max  int64
			want error
		}{
			{[]string{"write", "out", "0123456789"}, 10, nil},
			{[]string{"write", "out", "0123456789"}, 9, runner.ErrTooLarge},
			{[]string{"sparse"}, 1 << 20, runner.ErrTooLarge},
		} {
			t.Run(fmt.Sprint(c.args[0], c.max), func(t *testing.T) {
				b := s.box(t)
				b.keep(t, c.args...)
				if err := b.Pack(t.Context(), []string{"*"}, c.max, archive(t)); !errors.Is(err, c.want) {
					t.Errorf("pack at most %d bytes: %v, want %v", c.max, err, c.want)
				}
				b.discard()
			})
		}
	})
}

// contents reads a tar; everything in it must be a regular file.
func contents(t *testing.T, f *os.File) map[string]string {
	t.Helper()
	got := map[string]string{}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(f)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return got
		}
		if err != nil {
			t.Fatalf("read tar: %v", err)
		}
		data, err := io.ReadAll(io.LimitReader(r, 1<<20))
		if err != nil {
			t.Fatalf("read %s: %v", h.Name, err)
		}
		if h.Typeflag != tar.TypeReg {
			t.Errorf("%s has type %q", h.Name, h.Typeflag)
		}
		got[h.Name] = string(data)
	}
}

func (s *suite) packPatterns(t *testing.T) {
	b := s.box(t)
	b.put(t, runner.Work,
		runner.File{Name: "Main.class", Mode: 0o644, Data: []byte("main")},
		runner.File{Name: "a/b/Inner.class", Mode: 0o644, Data: []byte("inner")},
		runner.File{Name: "a/b/notes", Mode: 0o644, Data: []byte("notes")},
		runner.File{Name: "prog", Mode: 0o755, Data: []byte("prog")})
	b.keep(t, "exit", "0")
	for _, c := range []struct {
		patterns []string
		want     map[string]string
	}{
		{[]string{"*.class"}, map[string]string{"Main.class": "main", "a/b/Inner.class": "inner"}},
		{[]string{"prog", "a/b/*s"}, map[string]string{"prog": "prog", "a/b/notes": "notes", "a/b/Inner.class": "inner"}},
		{[]string{"notes"}, map[string]string{"a/b/notes": "notes"}},
		{[]string{"none"}, map[string]string{}},
		{nil, map[string]string{}},
	} {
		f := archive(t)
		if err := b.Pack(t.Context(), c.patterns, 1<<20, f); err != nil {
			t.Fatalf("pack %q: %v", c.patterns, err)
		}
		if diff := cmp.Diff(c.want, contents(t, f)); diff != "" {
			t.Errorf("pack %q: (-want +got)\n%s", c.patterns, diff)
		}
	}
}

func (s *suite) packAndUnpack(t *testing.T) {
	b := s.box(t)
	b.put(t, runner.Work, b.program(t, probe), runner.File{Name: "lib/data", Mode: 0o644, Data: []byte("data")})
	b.keep(t, "exit", "0")
	f := archive(t)
	if err := b.Pack(t.Context(), []string{"*"}, 64<<20, f); err != nil {
		t.Fatalf("pack: %v", err)
	}
	for _, dir := range []runner.Dir{runner.Work, runner.Program} {
		b = b.next(t)
		if err := b.Wipe(t.Context()); err != nil {
			t.Fatalf("wipe: %v", err)
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if err := b.Unpack(t.Context(), dir, f); err != nil {
			t.Fatalf("unpack into %c: %v", dir, err)
		}
		cmd := b.command("cat", "lib/data")
		cmd.Args[0], cmd.Dir = "./"+probe, dir
		expect(t, b.run(t, cmd), exited(0), printed("data"))
	}
}

// packPlanted: links and devices stay behind, and nothing is read through them.
func (s *suite) packPlanted(t *testing.T) {
	for _, how := range []string{"symlink", "absolute", "folder", "fifo", "device", "dangling", "socket", "parent"} {
		t.Run(how, func(t *testing.T) {
			b, f := s.box(t), archive(t)
			b.keep(t, "plant", how)
			if err := b.Pack(t.Context(), []string{"*"}, 1<<20, f); err != nil {
				t.Fatalf("pack: %v", err)
			}
			if diff := cmp.Diff(map[string]string{"victim": "intact"}, contents(t, f)); diff != "" {
				t.Errorf("pack: (-want +got)\n%s", diff)
			}
			b.survives(t)
		})
	}
}

// unpackHostile: a tar that no Pack made is refused, or what leaves the folder is left out.
func (s *suite) unpackHostile(t *testing.T) {
	for _, headers := range [][]tar.Header{
		{{Name: "../escaped", Typeflag: tar.TypeReg, Mode: 0o644}},
		{{Name: "/tmp/escaped", Typeflag: tar.TypeReg, Mode: 0o644}},
		{{Name: "a/../../escaped", Typeflag: tar.TypeReg, Mode: 0o644}},
		{{Name: "link", Linkname: "/tmp", Typeflag: tar.TypeSymlink}, {Name: "link/escaped", Typeflag: tar.TypeReg}},
		{{Name: "hard", Linkname: "/box/p/probe", Typeflag: tar.TypeLink}},
		{{Name: "device", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 5, Mode: 0o666}},
		{{Name: "fifo", Typeflag: tar.TypeFifo, Mode: 0o666}},
		{{Name: "huge", Typeflag: tar.TypeReg, Mode: 0o644, Size: 1 << 40}},
	} {
		t.Run(headers[0].Name, func(t *testing.T) {
			b, f := s.box(t), archive(t)
			w := tar.NewWriter(f)
			for _, h := range headers {
				if err := w.WriteHeader(&h); err != nil {
					t.Fatal(err)
				}
			}
			_ = w.Flush() // the huge one's bytes never come
			if err := b.Unpack(t.Context(), runner.Work, f); err != nil {
				b.discard()
				return
			}
			b.keep(t, "exit", "0")
			packed := archive(t)
			if err := b.Pack(t.Context(), []string{"*"}, 1<<20, packed); err != nil {
				t.Fatalf("pack: %v", err)
			}
			for name := range contents(t, packed) {
				t.Errorf("it made %s", name)
			}
			if got := b.probe(t, "ls", "/tmp"); got != "" {
				t.Errorf("/tmp holds %q", got)
			}
			b.survives(t)
		})
	}
}
