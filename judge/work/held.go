package work

import (
	"context"
	"maps"
	"sync"

	"judge/judge"
)

// held are the leases of what is being judged or written here. Its methods may be
// called by many goroutines.
type held struct {
	mu     *sync.Mutex
	cancel map[judge.Lease]context.CancelCauseFunc
}

func newHeld() held {
	return held{mu: &sync.Mutex{}, cancel: map[judge.Lease]context.CancelCauseFunc{}}
}

func (h held) add(l judge.Lease, cancel context.CancelCauseFunc) (remove func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cancel[l] = cancel
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.cancel, l)
	}
}

func (h held) all() map[judge.Lease]context.CancelCauseFunc {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.cancel)
}
