//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"judge/runner"
)

const mib = 1 << 20

// overMemory wants the kernel to have killed a process of the run, and the peak
// to be at the limit.
func overMemory(limit int64) check {
	return func(r report) error {
		if r.Limit != runner.LimitMemory || r.OOMKills == 0 {
			return errors.New("want the memory limit, and a process killed for it")
		}
		return peak(limit-limit/8, limit+mib)(r)
	}
}

// peak wants the peak, base included, between two numbers of bytes.
func peak(lowest, highest int64) check {
	return func(r report) error {
		if r.Memory < lowest || r.Memory > highest || r.MemoryBase < 0 || r.MemoryBase > r.Memory {
			return fmt.Errorf("want a peak from %d to %d bytes", lowest, highest)
		}
		return nil
	}
}

// memory: the limit holds, and the peak is the run's own.
func (s *suite) memory(t *testing.T) {
	const limit = 64 * mib
	killed := all(overMemory(limit), stopped(runner.LimitMemory))
	full := exited(int(syscall.ENOSPC))
	outcome := map[string]check{
		"heap": killed, "shared": killed, "locked": killed, "memfd": killed, "stack": killed, "threads": killed,
		"page-tables": killed, "pipes": killed,
		"sockets":  either(killed, exited(int(syscall.EMFILE))), // as many as a process may have open
		"children": overMemory(limit),
		"child":    overMemory(limit),
		"work":     either(killed, full), "tmp": either(killed, full), "shm": either(killed, full),
	}
	var list []attack
	for how, want := range outcome {
		list = append(list, attack{
			name: how, args: []string{"take", how, "256"}, limits: runner.Limits{Memory: limit}, want: want,
		})
	}
	s.attacks(t, list)
	s.attacks(t, []attack{
		{name: "core dump", args: []string{"core", "200"}, want: died(syscall.SIGABRT)},
		{name: "in flight", args: []string{"in-flight", "128"}, want: exited(0)},
		{name: "killed quietly", args: []string{"take", "child", "256"}, limits: runner.Limits{Memory: limit}, want: func(r report) error {
			if r.ExitCode != 0 || r.Signal != 0 || r.Limit != runner.LimitMemory || r.OOMKills != 1 {
				return errors.New("want exit code 0, the memory limit and one process killed")
			}
			return nil
		}},
	})
	t.Run("measured", s.memoryMeasured)
	t.Run("static array", s.staticArray)
	t.Run("cold input", s.coldInput)
	t.Run("no limit", func(t *testing.T) {
		b := s.box(t)
		cmd := b.command("take", "heap", "64")
		cmd.Limits.Memory = 0
		expect(t, b.run(t, cmd), exited(0), peak(64*mib, 70*mib))
		b.survives(t)
	})
}

// memoryMeasured: all processes together, and nothing of the run before.
func (s *suite) memoryMeasured(t *testing.T) {
	b := s.box(t)
	for range 2 {
		for _, how := range []string{"heap", "shared", "memfd", "children", "stack", "work"} {
			if b.worn {
				b = b.next(t)
			}
			r := b.run(t, b.command("take", how, "32"))
			expect(t, r, exited(0), peak(32*mib, 36*mib))
			if !r.Worn {
				expect(t, b.run(t, b.command("exit", "0")), exited(0), peak(1, 3*mib))
			}
		}
	}
	b.survives(t)
}

// staticArray: untouched it is free, touched it is not.
func (s *suite) staticArray(t *testing.T) {
	b := s.box(t)
	b.put(t, runner.Program, b.program(t, bss))
	cmd := b.command()
	cmd.Args = []string{runner.ProgramPath + "/" + bss}
	expect(t, b.run(t, cmd), exited(0), printed("free\n"), peak(1, 3*mib))
	cmd = b.command()
	cmd.Args = []string{runner.ProgramPath + "/" + bss, "touch"}
	expect(t, b.run(t, cmd), stopped(runner.LimitMemory), overMemory(256*mib))
	b.survives(t)
}

// coldInput: a test's input that is not in memory is not the program's memory,
// and one that walks over more than its limit does not slow the machine down.
func (s *suite) coldInput(t *testing.T) {
	b := s.box(t)
	for _, args := range [][]string{{"cat"}, {"reread", "3"}} {
		input := blob(t, make([]byte, 16*mib))
		chill(t, input)
		cmd := b.command(args...)
		cmd.Stdin, cmd.Limits.Output = input, 0
		expect(t, b.run(t, cmd), exited(0), peak(1, 4*mib))
		cmd = b.command(args...)
		chill(t, input)
		cmd.Stdin, cmd.Limits.Memory, cmd.Limits.Output = reopen(t, input.Name()), 4*mib, 0
		expect(t, b.run(t, cmd), exited(0), peak(1, 4*mib))
	}
	b.survives(t)
}

// chill drops a file from the page cache.
func chill(t *testing.T, f *os.File) {
	t.Helper()
	w, err := os.OpenFile(f.Name(), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	if err := errors.Join(w.Sync(), unix.Fadvise(int(w.Fd()), 0, 0, unix.FADV_DONTNEED)); err != nil {
		t.Fatal(err)
	}
}
