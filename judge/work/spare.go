package work

import (
	"context"
	"errors"
	"sync"
	"time"
)

var errYield = errors.New("judging needs the slot")

// spare lends slots that nobody judges on. Whoever judges does not wait: as soon as
// every slot has a judgement, what runs on a lent one is cancelled, and begins anew
// later. Under a load without pause it never runs, which is what is wanted of what
// can wait. Its methods may be called by many goroutines.
type spare struct {
	slots int

	mu      sync.Mutex
	busy    int                     // judgements under way
	lent    context.CancelCauseFunc // of what runs on a lent slot; nil: nothing does
	changed chan struct{}           // closed at the next change
}

func newSpare(slots int) *spare { return &spare{slots: slots, changed: make(chan struct{})} }

// enter takes a slot for a judgement, leave gives it back.
func (s *spare) enter() (leave func()) {
	s.add(1)
	return func() { s.add(-1) }
}

func (s *spare) add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy += n
	if s.busy >= s.slots && s.lent != nil {
		s.lent(errYield)
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// lend waits for an idle slot.
func (s *spare) lend(ctx context.Context) (context.Context, error) {
	for {
		s.mu.Lock()
		if s.busy < s.slots && s.lent == nil {
			lent, cancel := context.WithCancelCause(ctx)
			s.lent = cancel
			s.mu.Unlock()
			return lent, nil
		}
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-changed:
		}
	}
}

func (s *spare) giveBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lent(nil)
	s.lent = nil
	close(s.changed)
	s.changed = make(chan struct{})
}

// run is a Spare.
func (s *spare) run(ctx context.Context, f func(context.Context) error) error {
	for {
		lent, err := s.lend(ctx)
		if err != nil {
			return err
		}
		err = f(lent)
		yielded := errors.Is(context.Cause(lent), errYield)
		s.giveBack()
		if err == nil || !yielded || ctx.Err() != nil {
			return err
		}
		select { // who yielded comes back when it has become calm
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(moment):
		}
	}
}
