package runnertest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"judge/runner"
)

// box is a box under test, with the slot it is in.
type box struct {
	runner.Box
	suite *suite
	slot  runner.Slot
	spec  runner.Spec
	gone  bool // released or discarded
	worn  bool // a result said so
}

// report is what a run came to, with what it wrote.
type report struct {
	runner.Result
	stdout, stderr string
}

// slot takes a slot until the end of t.
func (s *suite) slot(t *testing.T) runner.Slot {
	t.Helper()
	slot, err := s.sandbox.Acquire(t.Context())
	if err != nil {
		t.Fatalf("acquire slot: %v", err)
	}
	t.Cleanup(slot.Release)
	return slot
}

// box takes a box for a new tenant, with the probe in Program.
func (s *suite) box(t *testing.T) *box {
	t.Helper()
	return s.boxIn(t, s.slot(t), runner.Spec{Class: runner.Run, Tenant: s.tenant()})
}

// boxIn takes a box in a slot. Image and isolation of spec are the suite's.
func (s *suite) boxIn(t *testing.T, slot runner.Slot, spec runner.Spec) *box {
	t.Helper()
	spec.Image, spec.Isolation = s.Image, s.isolation
	taken, err := slot.Box(t.Context(), spec)
	if err != nil {
		t.Fatalf("take box: %v", err)
	}
	b := &box{Box: taken, suite: s, slot: slot, spec: spec}
	t.Cleanup(func() {
		if t.Failed() {
			b.discard()
		}
		b.release()
	})
	b.put(t, runner.Program, b.program(t, probe))
	return b
}

// next gives the box back and takes the one that comes after it.
func (b *box) next(t *testing.T) *box {
	t.Helper()
	b.release()
	b.spec.Tenant = b.suite.tenant()
	return b.suite.boxIn(t, b.slot, b.spec)
}

func (b *box) release() {
	if !b.gone {
		b.gone = true
		b.Release()
	}
}

func (b *box) discard() {
	if !b.gone {
		b.gone = true
		b.Discard()
	}
}

// program is one of the suite's programs, as a file to put.
func (b *box) program(t *testing.T, name string) runner.File {
	t.Helper()
	f, err := os.Open(filepath.Join(b.suite.Programs, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return runner.File{Name: name, Mode: 0o755, Source: f}
}

func (b *box) put(t *testing.T, dir runner.Dir, files ...runner.File) {
	t.Helper()
	if err := b.Put(t.Context(), dir, files...); err != nil {
		t.Fatalf("put %s: %v", files[0].Name, err)
	}
}

// blob is data as a test's input is stored: 0444, opened anew for each call.
func blob(t *testing.T, data []byte) *os.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "blob")
	if err := os.WriteFile(name, data, 0o444); err != nil { //nolint:gosec // the mode that the contract asks for
		t.Fatal(err)
	}
	return reopen(t, name)
}

func reopen(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// command runs a sub-command of the probe under harmless limits.
func (b *box) command(args ...string) *runner.Command {
	return &runner.Command{
		Args:   append([]string{runner.ProgramPath + "/" + probe}, args...),
		Limits: b.suite.limits(),
	}
}

// try runs cmd and collects what it writes, where cmd does not say where to.
func (b *box) try(ctx context.Context, cmd *runner.Command) (report, error) {
	var stdout, stderr bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &stdout
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &stderr
	}
	result, err := b.Run(ctx, cmd)
	b.worn = b.worn || result.Worn
	return report{result, stdout.String(), stderr.String()}, err
}

// run is try for commands that the sandbox must manage to run.
func (b *box) run(t *testing.T, cmd *runner.Command) report {
	t.Helper()
	r, err := b.try(t.Context(), cmd)
	if err != nil {
		b.discard()
		t.Fatalf("run %q: %v", cmd.Args, err)
	}
	return r
}

// probe runs a sub-command that exits 0, and returns what it printed.
func (b *box) probe(t *testing.T, args ...string) string {
	t.Helper()
	r := b.run(t, b.command(args...))
	expect(t, r, exited(0))
	return r.stdout
}

// keep is probe for a run whose files stay.
func (b *box) keep(t *testing.T, args ...string) string {
	t.Helper()
	cmd := b.command(args...)
	cmd.Keep = true
	r := b.run(t, cmd)
	expect(t, r, exited(0))
	return r.stdout
}

// serves is what every box must do after whatever came before: add two numbers,
// exactly, and at the price of adding two numbers. What it finds in its cgroup
// is not its fault, and a box in which that is too much has said so.
func (b *box) serves(t *testing.T) {
	t.Helper()
	for i := range 2 {
		cmd := b.command("sum")
		cmd.Stdin = blob(t, []byte("20 "+strconv.Itoa(i)+"\n"))
		cmd.Limits.Memory = 64 * mib
		r := b.run(t, cmd)
		expect(t, r, exited(0), printed(strconv.Itoa(20+i)+"\n"))
		if r.Memory-r.MemoryBase > 2*mib {
			t.Errorf("sum: peak of %d bytes, %d of them from before", r.Memory, r.MemoryBase)
		}
		if r.CPU <= 0 || r.CPU > b.suite.long(sumCPU) {
			t.Errorf("sum: %v of CPU time", r.CPU)
		}
	}
}

// servesClean is serves in a box in which nobody may notice that it was used.
func (b *box) servesClean(t *testing.T) {
	t.Helper()
	b.serves(t)
	if r := b.run(t, b.command("exit", "0")); r.MemoryBase > 2*mib || r.Worn {
		t.Errorf("a box from the pool has %d bytes in its cgroup before a run, worn: %v", r.MemoryBase, r.Worn)
	}
}
