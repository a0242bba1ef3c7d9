//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

// cancel: a run that nobody waits for any more is killed, whatever it does.
func (s *suite) cancel(t *testing.T) {
	for _, args := range [][]string{
		{"nap"}, {"spin", "deaf"}, {"spin", "closed"}, {"daemon", "writes"}, {"fill", "1"}, {"family", "5"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			b := s.box(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			cmd := b.command(append([]string{"announced"}, args...)...)
			cmd.Limits.Output = 0
			cmd.Stdout = onFirst(cancel)
			if r, err := b.try(ctx, cmd); !errors.Is(err, context.Canceled) {
				t.Errorf("run: %+v, %v; want context.Canceled", r.Result, err)
			}
			b.discard()
			b.next(t).serves(t)
		})
	}
	t.Run("before", func(t *testing.T) {
		b := s.box(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if r, err := b.try(ctx, b.command("sum")); !errors.Is(err, context.Canceled) {
			t.Errorf("run: %+v, %v; want context.Canceled", r.Result, err)
		}
		b.discard()
	})
	t.Run("deadline", func(t *testing.T) {
		b := s.box(t)
		ctx, cancel := context.WithTimeout(t.Context(), s.long(sumCPU))
		defer cancel()
		if r, err := b.try(ctx, b.command("nap")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("run: %+v, %v; want context.DeadlineExceeded", r.Result, err)
		}
		b.discard()
	})
}

// onFirst is a Writer that calls itself when the first bytes come.
type onFirst func()

func (f onFirst) Write(p []byte) (int, error) {
	if bytes.ContainsRune(p, '\n') {
		f()
	}
	return len(p), nil
}
