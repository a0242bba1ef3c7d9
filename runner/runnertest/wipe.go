//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"judge/runner"
)

// wipe: whatever a run leaves in the file systems is gone before the next one.
func (s *suite) wipe(t *testing.T) {
	big := runner.Limits{Memory: 1 << 30}
	tooLong := exited(int(syscall.ENAMETOOLONG)) // AppArmor, where it is on, wants every path below 4 KiB
	full := either(exited(int(syscall.ENOSPC)), overMemory(64*mib))
	s.attacks(t, []attack{
		{name: "stubborn files", args: []string{"stubborn"}, want: exited(0)},
		{name: "20000 files", args: []string{"many", "20000"}, limits: big, want: either(exited(0), exited(int(syscall.ENOSPC)))},
		{name: "files without end", args: []string{"many", "10000000"}, limits: runner.Limits{Memory: 64 * mib}, want: full},
		{name: "10000 folders deep", args: []string{"deep", "10000"}, limits: big, want: either(exited(0), exited(int(syscall.ENOSPC)), tooLong)},
		{name: "sparse file", args: []string{"sparse"}, want: either(exited(0), exited(int(syscall.EFBIG)))},
		{name: "full disk", args: []string{"full"}, limits: runner.Limits{Memory: 64 * mib}, want: full},
		{name: "full /tmp", args: []string{"full", "/tmp/full"}, limits: runner.Limits{Memory: 64 * mib}, want: full},
		{name: "full /dev/shm", args: []string{"full", "/dev/shm/full"}, limits: runner.Limits{Memory: 64 * mib}, want: full},
	})
	t.Run("nothing is left", s.nothingLeft)
	t.Run("really full", func(t *testing.T) {
		b := s.box(t)
		cmd := b.command("full")
		cmd.Limits.Memory = 0
		r := b.run(t, cmd)
		if r.Limit != runner.LimitMemory && r.ExitCode != int(syscall.ENOSPC) {
			t.Errorf("writing without end: %+v", r.Result)
		}
		b.survives(t)
	})
	t.Run("kept, then cleared", s.keptThenCleared)
	t.Run("kept, then wiped", s.keptThenWiped)
}

// residue is what a run can see of the runs before it.
func (b *box) residue(t *testing.T) string {
	t.Helper()
	return b.probe(t, "residue")
}

func (b *box) sameResidue(t *testing.T, after, before string) {
	t.Helper()
	if now := b.residue(t); now != before {
		t.Errorf("after %s a run finds\n%swhere it was\n%s", after, now, before)
	}
}

// nothingLeft: not a file, a mode, an attribute, a block.
func (s *suite) nothingLeft(t *testing.T) {
	b := s.box(t)
	before := b.residue(t)
	if strings.Contains(before, "left ") || !strings.Contains(before, "/tmp mode 41777 uid 0") {
		t.Errorf("a new box looks like\n%s", before)
	}
	for _, args := range [][]string{
		{"litter"},
		{"stubborn"},
		{"many", "1000"},
		{"deep", "1000"},
		{"sparse"},
		{"plant", "symlink"},
		{"take", "work", "16"},
		{"take", "tmp", "4"},
		{"take", "shm", "4"},
		{"daemon", "idles"},
		{"lock", "/proc/self/exe"},
		{"in-flight", "4"},
	} {
		b.run(t, b.command(args...))
		b.sameResidue(t, args[0], before)
	}
	b.survives(t)
}

// keptThenCleared: Clear takes what Keep has kept and what waits for the next
// run, and leaves Program.
func (s *suite) keptThenCleared(t *testing.T) {
	b := s.box(t)
	before := b.residue(t)
	b.keep(t, "litter")
	b.keep(t, "stubborn")
	b.put(t, runner.Work, runner.File{Name: "in", Mode: 0o644, Data: []byte("text")})
	if err := b.Clear(t.Context()); err != nil {
		t.Fatalf("clear: %v", err)
	}
	if got, err := b.Get(t.Context(), "litter", 100); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("get after clear: %q, %v", got, err)
	}
	if got := b.probe(t, "ls", "."); got != "" {
		t.Errorf("the working folder holds %q", got)
	}
	b.sameResidue(t, "keep and clear", before)
	b.survives(t)
}

// keptThenWiped: Wipe takes what Keep has kept, and Program.
func (s *suite) keptThenWiped(t *testing.T) {
	b := s.box(t)
	before := b.residue(t)
	b.keep(t, "litter")
	b.keep(t, "stubborn")
	if err := b.Wipe(t.Context()); err != nil {
		t.Fatalf("wipe: %v", err)
	}
	if got, err := b.Get(t.Context(), "litter", 100); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("get after wipe: %q, %v", got, err)
	}
	expect(t, b.run(t, b.command("exit", "0")), refused(syscall.ENOENT))
	b.put(t, runner.Program, b.program(t, probe))
	b.sameResidue(t, "keep and wipe", before)
	if got := b.probe(t, "ls", runner.ProgramPath); got != probe+"\n" {
		t.Errorf("the program folder holds %q", got)
	}
	b.survives(t)
}
