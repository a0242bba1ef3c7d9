//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"os"
	"strings"
	"testing"

	"judge/runner"
)

// state: no run hears from the one before it.
func (s *suite) state(t *testing.T) {
	const locked = "flock ok\nsetlk ok\nofd ok\nown ok\n"
	t.Run("locks on the input", func(t *testing.T) {
		b := s.box(t)
		name := blob(t, []byte("text")).Name()
		for range 2 {
			input, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			cmd := b.command("lock", "/dev/stdin")
			cmd.Stdin = input
			expect(t, b.run(t, cmd), exited(0), printed(locked))
			_ = input.Close()
		}
		b.survives(t)
	})
	t.Run("locks on the program", func(t *testing.T) {
		b := s.box(t)
		for range 2 {
			expect(t, b.run(t, b.command("lock", "/proc/self/exe")), exited(0), printed(locked))
		}
	})
	t.Run("locks on the image", func(t *testing.T) { s.imageLocks(t, locked) })
	t.Run("abstract sockets", func(t *testing.T) {
		b := s.box(t)
		for range 2 {
			expect(t, b.run(t, b.command("abstract")), exited(0), printed("connect ECONNREFUSED\nbind ok\nlisten ok\n"))
		}
	})
	t.Run("abstract sockets of another box", func(t *testing.T) {
		slot := s.slot(t)
		for range 2 {
			b := s.boxIn(t, slot, runner.Spec{Class: runner.Run, Tenant: s.tenant()})
			expect(t, b.run(t, b.command("abstract")), exited(0), printed("connect ECONNREFUSED\nbind ok\nlisten ok\n"))
		}
	})
	t.Run("queues", func(t *testing.T) {
		b := s.box(t)
		b.probe(t, "ipc")
		for _, list := range []string{"/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sysvipc/msg"} {
			if got := b.run(t, b.command("cat", list)); strings.Count(got.stdout, "\n") > 1 {
				t.Errorf("%s holds\n%s", list, got.stdout)
			}
		}
		if got := b.run(t, b.command("ls", "/dev/mqueue")).stdout; got != "" {
			t.Errorf("/dev/mqueue holds %q", got)
		}
	})
	t.Run("files put into Work", func(t *testing.T) {
		b := s.box(t)
		b.put(t, runner.Work, runner.File{Name: "in", Mode: 0o644, Data: []byte("text")})
		if got := b.probe(t, "cat", "in") + b.probe(t, "ls"); got != "text" {
			t.Errorf("two runs saw %q, want the file in the first alone", got)
		}
	})
}

// imageLocks: a file of the image is one inode for all runs of a box, and must
// not be for two boxes.
func (s *suite) imageLocks(t *testing.T, locked string) {
	t.Helper()
	slot := s.slot(t)
	one := s.boxIn(t, slot, runner.Spec{Class: runner.Run, Tenant: s.tenant()})
	two := s.boxIn(t, slot, runner.Spec{Class: runner.Run, Tenant: s.tenant()})
	file := strings.TrimSuffix(one.probe(t, "image-file"), "\n")
	if file == "" {
		t.Log("the image has no file to lock")
		return
	}
	for range 2 {
		expect(t, one.run(t, one.command("lock", file)), exited(0), printed(locked))
	}
	r, w := pipe(t)
	out := newTurn(t)
	done := make(chan error, 1)
	cmd := one.command("hold", file)
	cmd.Stdin, cmd.Stdout = r, out
	go func() {
		defer close(out.got)
		_, err := one.Run(t.Context(), cmd)
		done <- err
	}()
	for seen := ""; seen != locked; {
		part, ok := <-out.got
		if !ok {
			t.Fatalf("the holder of the lock said %q: %v", seen, <-done)
		}
		seen += part
	}
	expect(t, two.run(t, two.command("lock", file)), exited(0), printed(locked))
	_ = w.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
