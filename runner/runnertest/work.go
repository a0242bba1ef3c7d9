//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"os"
	"strings"
	"testing"

	"judge/runner"
)

// workingFolder: new, empty and writable for each run, unless a run keeps it.
func (s *suite) workingFolder(t *testing.T) {
	t.Run("new for each run", func(t *testing.T) {
		b := s.box(t)
		for range 3 {
			if got := b.probe(t, "ls", "."); got != "" {
				t.Errorf("a new working folder holds %q", got)
			}
			if path := b.probe(t, "pwd"); !strings.HasPrefix(path, "/") {
				t.Errorf("working folder is %q", path)
			}
			b.probe(t, "write", "file", "text")
		}
	})
	t.Run("kept", func(t *testing.T) {
		b := s.box(t)
		b.keep(t, "write", "first", "1")
		b.keep(t, "write", "second", "2")
		if got := b.probe(t, "cat", "first") + b.keep(t, "ls"); got != "1" {
			t.Errorf("got %q; the first run without Keep must be the last to see the files", got)
		}
	})
	t.Run("program folder", func(t *testing.T) {
		b := s.box(t)
		cmd := b.command("pwd")
		cmd.Dir = runner.Program
		expect(t, b.run(t, cmd), exited(0), printed(runner.ProgramPath+"\n"))
	})
	t.Run("executable", func(t *testing.T) {
		b := s.box(t)
		b.put(t, runner.Work, b.program(t, probe))
		cmd := b.command()
		cmd.Args = []string{"./" + probe, "args"}
		expect(t, b.run(t, cmd), exited(0), printed("args\x00"))
	})
	t.Run("program is read-only", s.readOnlyProgram)
}

// readOnlyProgram: no run changes what the next run executes.
func (s *suite) readOnlyProgram(t *testing.T) {
	b := s.box(t)
	b.put(t, runner.Program,
		runner.File{Name: "folder", Mode: os.ModeDir | 0o755},
		runner.File{Name: "folder/file", Mode: 0o644, Data: []byte("intact")})
	denied := map[string][]string{}
	for _, name := range []string{
		"open", "truncate", "unlink", "rename", "create", "mkdir", "symlink", "link",
		"chmod", "chmod-folder", "times", "xattr", "exe",
	} {
		denied[name] = []string{"EPERM", "EACCES", "EROFS", "ETXTBSY", "ENOSYS", "ENOTSUP"}
	}
	for _, c := range [][2]string{{runner.ProgramPath, probe}, {runner.ProgramPath + "/folder", "file"}} {
		expect(t, b.run(t, b.command("overwrite", c[0], c[1])), exited(0), outcomes(denied))
	}
	if got := b.probe(t, "cat", runner.ProgramPath+"/folder/file"); got != "intact" {
		t.Errorf("a file in the program folder is now %q", got)
	}
	b.serves(t)
}
