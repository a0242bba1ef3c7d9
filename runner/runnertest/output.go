//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"errors"
	"strings"
	"testing"

	"judge/runner"
)

// output: the cap, and what does not count against it.
func (s *suite) output(t *testing.T) {
	b := s.box(t)
	const limit = 200_000
	over := func(r report) error {
		if r.Limit != runner.LimitOutput {
			return errors.New("want the output limit")
		}
		return nil
	}
	for _, c := range []struct {
		name           string
		args           []string
		want           check
		stdout, stderr int // least bytes
	}{
		{"exactly the cap", []string{"fill", "1", "200000"}, exited(0), limit, 0},
		{"exactly the cap on stderr", []string{"fill", "2", "200000"}, exited(0), 0, limit},
		{"cap and one", []string{"fill", "1", "200001"}, over, limit, 0},
		{"cap and one on stderr", []string{"fill", "2", "200001"}, over, 0, limit},
		{"without end", []string{"fill", "1"}, stopped(runner.LimitOutput), limit, 0},
		{"without end on stderr", []string{"fill", "2"}, stopped(runner.LimitOutput), 0, limit},
		{"byte by byte", []string{"fill", "1", "0", "1"}, stopped(runner.LimitOutput), limit, 0},
		{"deaf to SIGPIPE", []string{"deaf", "1"}, stopped(runner.LimitOutput), limit, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := b.command(c.args...)
			cmd.Limits.Output = limit
			r := b.run(t, cmd)
			expect(t, r, c.want)
			if int64(len(r.stdout)) != r.Stdout || int64(len(r.stderr)) != r.Stderr {
				t.Errorf("given %d and %d bytes, the result says %d and %d", len(r.stdout), len(r.stderr), r.Stdout, r.Stderr)
			}
			if len(r.stdout) < c.stdout || len(r.stderr) < c.stderr || len(r.stdout) > c.stdout+1 || len(r.stderr) > c.stderr+1 {
				t.Errorf("given %d and %d bytes, want %d and %d or one more", len(r.stdout), len(r.stderr), c.stdout, c.stderr)
			}
			b.serves(t)
		})
	}
	t.Run("each is counted apart", func(t *testing.T) {
		r := b.run(t, b.command("fill", "1", "1048576"))
		expect(t, r, exited(0), printed(strings.Repeat("x", 1<<20)))
	})
	t.Run("no cap", func(t *testing.T) {
		cmd := b.command("fill", "1", "10485760")
		cmd.Limits.Output = 0
		if r := b.run(t, cmd); exited(0)(r) != nil || r.Stdout != 10<<20 || r.Memory-r.MemoryBase > 4<<20 {
			t.Errorf("10 MiB in one line: %+v", r.Result)
		}
	})
	t.Run("every byte", func(t *testing.T) {
		all := make([]byte, 256)
		for i := range all {
			all[i] = byte(i)
		}
		expect(t, b.run(t, b.command("bytes")), exited(0), printed(string(all)))
	})
	t.Run("writer fails", s.writerFails)
}

var errWriter = errors.New("the writer is full")

// full takes n bytes and fails from there on.
type full struct{ n int }

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.n {
		return f.n, errWriter
	}
	f.n -= len(p)
	return len(p), nil
}

func (s *suite) writerFails(t *testing.T) {
	for _, args := range [][]string{{"fill", "1"}, {"fill", "2"}, {"fill", "1", "100001"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			b := s.box(t)
			cmd := b.command(args...)
			cmd.Stdout, cmd.Stderr, cmd.Limits.Output = &full{n: 100_000}, &full{n: 100_000}, 0
			if r, err := b.Run(t.Context(), cmd); !errors.Is(err, errWriter) {
				t.Errorf("run into a failing writer: %+v, %v; want the writer's error", r, err)
			}
			b.discard()
			b.next(t).serves(t)
		})
	}
}
