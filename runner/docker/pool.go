package docker

import (
	"context"
	"slices"
	"strings"
	"time"

	"judge/runner"
)

// Pool limits. A box is recycled after a number of runs that keeps its start
// (150–280 ms) below a thousandth of their time, and so that nothing that piles
// up unseen piles up for long.
const (
	recycleAfter = 2000
	maxIdle      = 16 // boxes for each slot
)

// key says which boxes are alike.
func key(s *runner.Spec) string {
	parts := []string{s.Image, string(s.Class)}
	for _, w := range s.Warmup {
		parts = append(parts, strings.Join(w, "\x00"))
	}
	return strings.Join(append(parts, s.Env...), "\x01")
}

// takeWarm takes the box used last among those that the spec allows. Under
// PerSubmission that is only one that nobody has used.
func (sl *slot) takeWarm(spec *runner.Spec) *box {
	s := sl.sandbox
	s.mu.Lock()
	defer s.mu.Unlock()
	k := key(spec)
	for i, b := range slices.Backward(sl.warm) {
		if b.key != k || !b.allows(spec) {
			continue
		}
		sl.warm = slices.Delete(sl.warm, i, i+1)
		b.claim(spec)
		return b
	}
	return nil
}

// allows reports whether an idle box may be given out for spec.
func (b *box) allows(spec *runner.Spec) bool {
	switch {
	case spec.Isolation == runner.PerSubmission:
		return !b.used
	case spec.Class == runner.Jury:
		return !b.used || b.tenant == spec.Tenant
	}
	return true
}

func (b *box) claim(spec *runner.Spec) {
	b.held, b.used, b.tenant, b.isolation = true, true, spec.Tenant, spec.Isolation
	if spec.Isolation == runner.PerSubmission {
		b.slot.ahead(spec)
	}
}

// ahead makes a spare box for the next submission while this one is judged.
func (sl *slot) ahead(spec *runner.Spec) {
	s := sl.sandbox
	next := *spec
	s.work.Go(func() {
		b, err := sl.start(s.life, &next)
		if err != nil {
			return // whoever needs one makes it, and hears why not
		}
		b.bytes = s.groups.usage(sl.name, b.name)
		s.mu.Lock()
		defer s.mu.Unlock()
		sl.keep(b)
		s.shrink()
	})
}

// Warm makes boxes of spec on up to n idle slots in the background, so that
// they are up when they are wanted.
func (s *Sandbox) Warm(spec runner.Spec, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sl := range s.slots[:min(n, len(s.slots))] {
		if !slices.ContainsFunc(sl.warm, func(b *box) bool { return b.key == key(&spec) && b.allows(&spec) }) {
			sl.ahead(&spec)
		}
	}
}

// Release wipes the box and gives it back to the pool. What was given back
// already is left alone: nobody must get a box that another has.
func (b *box) Release() {
	if !b.held {
		return
	}
	if b.broken || b.worn || b.isolation == runner.PerSubmission {
		b.Discard()
		return
	}
	ctx, cancel := context.WithTimeout(b.slot.sandbox.life, verbPatience)
	defer cancel()
	if err := b.Wipe(ctx); err != nil || b.worn {
		b.Discard()
		return
	}
	b.held = false
	s := b.slot.sandbox
	b.bytes = s.groups.usage(b.slot.name, b.name)
	b.since = time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	b.slot.keep(b)
	s.shrink()
}

// keep adds an idle box. Sandbox.mu is held.
func (sl *slot) keep(b *box) {
	if sl.sandbox.life.Err() != nil {
		sl.sandbox.discard(b)
		return
	}
	sl.warm = append(sl.warm, b)
	if len(sl.warm) > maxIdle {
		old := sl.warm[0]
		sl.warm = sl.warm[1:]
		sl.sandbox.discard(old)
	}
}

// shrink drops the boxes idle for longest while all of them hold more than the
// budget. Sandbox.mu is held.
func (s *Sandbox) shrink() {
	total := int64(0)
	for _, sl := range s.slots {
		for _, b := range sl.warm {
			total += b.bytes
		}
	}
	for total > s.opts.IdleBytes {
		var oldest *slot
		for _, sl := range s.slots {
			if len(sl.warm) > 0 && (oldest == nil || sl.warm[0].since.Before(oldest.warm[0].since)) {
				oldest = sl
			}
		}
		if oldest == nil {
			return
		}
		b := oldest.warm[0]
		oldest.warm = oldest.warm[1:]
		total -= b.bytes
		s.discard(b)
	}
}
