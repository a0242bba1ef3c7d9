//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"judge/runner"
)

// files: what Put writes, and where it does not.
func (s *suite) files(t *testing.T) {
	t.Run("names", s.putNames)
	t.Run("name that is no UTF-8", func(t *testing.T) {
		b := s.box(t)
		file := runner.File{Name: "\xff\xfe", Mode: 0o644, Data: []byte("text")}
		if err := b.Put(t.Context(), runner.Program, file); err != nil {
			b.discard() // refused, but never written under another name
			return
		}
		if got := b.probe(t, "cat", runner.ProgramPath+"/"+file.Name); got != "text" {
			t.Errorf("it holds %q", got)
		}
	})
	t.Run("folders", s.putFolders)
	t.Run("hostile names", s.putHostile)
	t.Run("planted", s.putOverPlanted)
	t.Run("replaced", func(t *testing.T) {
		b := s.box(t)
		for _, text := range []string{"a longer first text", "second"} {
			b.put(t, runner.Program, runner.File{Name: "file", Mode: 0o644, Data: []byte(text)})
			if got := b.probe(t, "cat", runner.ProgramPath+"/file"); got != text {
				t.Errorf("got %q, want %q", got, text)
			}
		}
	})
	t.Run("source", func(t *testing.T) {
		b := s.box(t)
		big := bytes.Repeat([]byte("0123456789abcdef"), 8<<20/16)
		source := blob(t, big)
		if _, err := source.Seek(100, 0); err != nil {
			t.Fatal(err)
		}
		b.put(t, runner.Work, runner.File{Name: "in", Mode: 0o644, Source: source})
		cmd := b.command("cat", "in")
		cmd.Limits.Output = 16 << 20
		r := b.run(t, cmd)
		expect(t, r, exited(0))
		if r.stdout != string(big) {
			t.Errorf("got %d bytes, want the source's %d from its start", len(r.stdout), len(big))
		}
		b.serves(t)
	})
	t.Run("no more privilege", func(t *testing.T) {
		b := s.box(t)
		file := b.program(t, probe)
		file.Name, file.Mode = "privileged", 0o755|os.ModeSetuid|os.ModeSetgid
		b.put(t, runner.Program, file)
		cmd := b.command()
		cmd.Args = []string{runner.ProgramPath + "/privileged", "ids"}
		if got, want := b.run(t, cmd).stdout, b.probe(t, "ids"); got != want {
			t.Errorf("a set-user-ID program runs as %q, want %q", got, want)
		}
	})
}

func (s *suite) putNames(t *testing.T) {
	b := s.box(t)
	names := []string{
		"plain", "a b", "-rf", "...", "..a", "new\nline", "$(x)", "*", "ünï", "a/b/c/d",
		strings.Repeat("n", 255), strings.Repeat("deep/", 100) + "file",
	}
	for _, dir := range []runner.Dir{runner.Work, runner.Program} {
		var files []runner.File
		for _, name := range names {
			files = append(files, runner.File{Name: name, Mode: 0o644, Data: []byte("in " + name)})
		}
		for _, name := range names {
			b.put(t, dir, files...) // a run takes away what was put into Work
			path := name
			if dir == runner.Program {
				path = runner.ProgramPath + "/" + name
			} else {
				path = "./" + path
			}
			if got := b.probe(t, "cat", path); got != "in "+name {
				t.Errorf("%q in %c holds %q", name, dir, got)
			}
		}
	}
}

func (s *suite) putFolders(t *testing.T) {
	b := s.box(t)
	b.put(t, runner.Work,
		runner.File{Name: "open", Mode: os.ModeDir | 0o777}, runner.File{Name: "a/b/empty", Mode: os.ModeDir | 0o755})
	b.keep(t, "write", "open/file", "text")
	if got, err := b.Get(t.Context(), "open/file", 100); err != nil || string(got) != "text" {
		t.Errorf("get a file from a folder that was put: %q, %v", got, err)
	}
	if got := b.probe(t, "ls", "a/b"); got != "empty\n" {
		t.Errorf("a/b holds %q, want the empty folder", got)
	}
}

// putHostile: a name that leaves the folder is an error, and leaves nothing outside.
func (s *suite) putHostile(t *testing.T) {
	for i, name := range []string{
		"", ".", "..", "../escaped", "/escaped", "/tmp/escaped", "a/../../escaped", "a/..",
		"nul\x00byte", strings.Repeat("n", 256), strings.Repeat("d/", 4096) + "f",
	} {
		dir := []runner.Dir{runner.Work, runner.Program}[i%2]
		t.Run(fmt.Sprintf("%c %.20q", dir, name), func(t *testing.T) {
			b := s.box(t)
			err := b.Put(t.Context(), dir, runner.File{Name: name, Mode: 0o644, Data: []byte("escaped")})
			if err == nil {
				t.Errorf("put %.20q into %c: no error", name, dir)
			}
			b.discard()
		})
	}
	b := s.box(t)
	for _, dir := range []string{"/tmp", "/dev/shm"} {
		if got := b.probe(t, "ls", dir); got != "" {
			t.Errorf("%s holds %q", dir, got)
		}
	}
}

// putOverPlanted: what a run planted is replaced or refused, never followed.
func (s *suite) putOverPlanted(t *testing.T) {
	for _, c := range []struct{ how, name string }{
		{"symlink", "out"},
		{"absolute", "out"},
		{"hardlink", "out"},
		{"folder", "out"},
		{"locked", "out"},
		{"fifo", "out"},
		{"device", "out"},
		{"dangling", "out"},
		{"socket", "out"},
		{"parent", "folder/escaped"},
	} {
		t.Run(c.how, func(t *testing.T) {
			b := s.box(t)
			b.keep(t, "plant", c.how)
			err := b.Put(t.Context(), runner.Work, runner.File{Name: c.name, Mode: 0o644, Data: []byte("overwritten")})
			if err != nil {
				b.discard() // refused, which is right too
				return
			}
			if got, err := b.Get(t.Context(), "victim", 100); err != nil || string(got) != "intact" {
				t.Errorf("what the link pointed to is now %q, %v", got, err)
			}
			if got := b.keep(t, "ls", "/tmp"); got != "" {
				t.Errorf("/tmp holds %q", got)
			}
			if got := b.probe(t, "cat", c.name); got != "overwritten" {
				t.Errorf("the file put is %q", got)
			}
			b.survives(t)
		})
	}
}

// archive is a new empty file for a tar.
func archive(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "tar"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}
