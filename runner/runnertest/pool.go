//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"

	"judge/runner"
)

// pool: slots and boxes, who gets which and who never does.
func (s *suite) pool(t *testing.T) {
	t.Run("slots", s.slots)
	t.Run("all at once", s.allAtOnce)
	t.Run("classes", s.classes)
	t.Run("tenants", s.tenantsApart)
	t.Run("missing image", func(t *testing.T) {
		slot := s.slot(t)
		_, err := slot.Box(t.Context(), runner.Spec{Image: "no-such-image:none", Class: runner.Run, Isolation: s.isolation, Tenant: s.tenant()})
		if !errors.Is(err, runner.ErrUnavailable) {
			t.Errorf("box of a missing image: %v, want ErrUnavailable", err)
		}
		s.boxIn(t, slot, runner.Spec{Class: runner.Run, Tenant: s.tenant()}).serves(t)
	})
	t.Run("discarded", func(t *testing.T) {
		b := s.box(t)
		old := b.probe(t, "identity")
		b.discard()
		again := b.next(t)
		if again.probe(t, "identity") == old {
			t.Error("a discarded box came back")
		}
		again.serves(t)
	})
	t.Run("many runs", func(t *testing.T) {
		b := s.box(t)
		for range 100 {
			b.serves(t)
		}
		b.survives(t)
	})
}

func (s *suite) slots(t *testing.T) {
	n := s.sandbox.Slots()
	if n < 1 {
		t.Fatalf("%d slots", n)
	}
	cores := map[int]bool{}
	var held []runner.Slot
	for range n {
		slot, err := s.sandbox.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, slot)
		cores[slot.CPU()] = true
	}
	if len(cores) != n {
		t.Errorf("%d slots on the cores %v", n, cores)
	}
	if slot, ok := s.sandbox.TryAcquire(); ok {
		t.Error("took a slot more than there are")
		slot.Release()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.sandbox.Acquire(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("acquire without waiting: %v, want context.Canceled", err)
	}
	for _, slot := range held {
		slot.Release()
	}
	slot, ok := s.sandbox.TryAcquire()
	if !ok {
		t.Fatal("no slot is idle after all were released")
	}
	slot.Release()
}

// allAtOnce: slots do not mix up their boxes, outputs or inputs.
func (s *suite) allAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	errs := make(chan error, s.sandbox.Slots())
	for i := range s.sandbox.Slots() {
		b := s.box(t)
		wg.Go(func() {
			for n := range 50 {
				cmd := b.command("args", strconv.Itoa(i), strconv.Itoa(n))
				r, err := b.try(t.Context(), cmd)
				err = errors.Join(err, all(exited(0), printed(fmt.Sprintf("args\x00%d\x00%d\x00", i, n)))(r))
				if err != nil {
					errs <- fmt.Errorf("slot %d, run %d: %w: %q", i, n, err, r.stdout)
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
}

// classes: a box never changes what it is for.
func (s *suite) classes(t *testing.T) {
	slot, tenant := s.slot(t), s.tenant()
	seen := map[string]runner.Class{}
	for range 2 {
		for _, class := range []runner.Class{runner.Run, runner.Compile, runner.Jury, runner.Workspace} {
			b := s.boxIn(t, slot, runner.Spec{Class: class, Tenant: tenant})
			id := b.probe(t, "identity")
			if other, ok := seen[id]; ok && other != class {
				t.Errorf("a box for %s had been one for %s", class, other)
			}
			seen[id] = class
			b.release()
		}
	}
}

// tenantsApart: jury boxes are never shared between problem versions, and under
// PerSubmission no box is shared at all.
func (s *suite) tenantsApart(t *testing.T) {
	slot := s.slot(t)
	seen := map[string]string{}
	for range 3 {
		for _, class := range []runner.Class{runner.Jury, runner.Run} {
			if class == runner.Run && s.isolation == runner.PerRun {
				continue
			}
			tenant := s.tenant()
			b := s.boxIn(t, slot, runner.Spec{Class: class, Tenant: tenant})
			id := b.probe(t, "identity")
			if other, ok := seen[id]; ok {
				t.Errorf("%s got the box of %s", tenant, other)
			}
			seen[id] = tenant
			b.release()
		}
	}
}
