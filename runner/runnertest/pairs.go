//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"judge/runner"
)

// pairs: two boxes of one slot whose programs talk to each other.
func (s *suite) pairs(t *testing.T) {
	wall := s.long(time.Second)
	for _, c := range []struct {
		name        string
		jury, other []string
		wantJury    check
		wantOther   check
		open        bool // we hold on to the pipes' ends, as a judge does that copies a transcript
	}{
		{"a thousand turns", []string{"ask", "1000"}, []string{"answer"}, exited(0), exited(0), false},
		{"the other asks", []string{"answer"}, []string{"ask", "1000"}, exited(0), exited(0), false},
		{"the other leaves", []string{"closed", "1"}, []string{"exit", "3"}, died(13), exited(3), false},
		{"the other leaves a deaf one", []string{"deaf", "1"}, []string{"exit", "0"}, exited(32), exited(0), false},
		{"the other leaves, pipes stay", []string{"fill", "1", "100"}, []string{"exit", "0"}, exited(0), exited(0), true},
		{"the other never reads", []string{"fill", "1"}, []string{"nap"}, stopped(runner.LimitWall), stopped(runner.LimitWall), true},
		{"the other floods", []string{"nap"}, []string{"fill", "1"}, stopped(runner.LimitWall), stopped(runner.LimitWall), true},
		{"both wait", []string{"answer"}, []string{"answer"}, stopped(runner.LimitWall), stopped(runner.LimitWall), true},
		{"the other kills all it can", []string{"ask", "100"}, []string{"kill-and-answer"}, exited(0), exited(0), false},
		{"the other burns", []string{"cat"}, []string{"spin"}, exited(0), stopped(runner.LimitWall, runner.LimitCPU), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			slot := s.slot(t)
			jury := s.boxIn(t, slot, runner.Spec{Class: runner.Jury, Tenant: s.tenant()})
			other := s.boxIn(t, slot, runner.Spec{Class: runner.Run, Tenant: s.tenant()})
			a, b := jury.command(c.jury...), other.command(c.other...)
			if c.open || c.other[0] == "spin" {
				a.Limits.Wall, b.Limits.Wall = 2*wall, wall
			}
			if c.other[0] == "spin" {
				a.Limits.Wall = s.limits().Wall
			}
			ra, rb := duet(t, jury, other, a, b, c.open)
			expect(t, ra, c.wantJury)
			expect(t, rb, c.wantOther)
			jury.serves(t)
			other.survives(t)
		})
	}
}

// duet runs a and b at once, the output of each the input of the other. Each
// run's ends are closed when it is over, unless they are to stay open.
func duet(t *testing.T, one, two *box, a, b *runner.Command, open bool) (ra, rb report) {
	t.Helper()
	fromA, toB := pipe(t)
	fromB, toA := pipe(t)
	a.Stdin, a.Stdout = fromB, toB
	b.Stdin, b.Stdout = fromA, toA
	// What the programs hold are their own descriptors; ours would keep a pipe alive.
	play := func(ctx context.Context, box *box, cmd *runner.Command, ends ...*os.File) (report, error) {
		r, err := box.try(ctx, cmd)
		if !open {
			for _, f := range ends {
				_ = f.Close()
			}
		}
		return r, err
	}
	done := make(chan error, 1)
	go func() {
		var err error
		ra, err = play(t.Context(), one, a, fromB, toB)
		done <- err
	}()
	rb, err := play(t.Context(), two, b, fromA, toA)
	if err := errors.Join(err, <-done); err != nil {
		one.discard()
		two.discard()
		t.Fatalf("run the pair: %v", err)
	}
	return ra, rb
}
