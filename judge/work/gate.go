package work

import (
	"sync"

	"judge/judge"
)

// gate says whether the worker may take judgements: staff want it to, and it is
// able to. Its methods may be called by many goroutines.
type gate struct {
	mu      *sync.Mutex
	state   judge.WorkerState // that staff want
	unable  error             // why nothing can be judged; nil: it can
	changed chan struct{}     // closed at the next change
}

func newGate() gate {
	return gate{mu: &sync.Mutex{}, state: judge.WorkerActive, changed: make(chan struct{})}
}

// look says whether the gate is open, and tells of the next change.
func (g *gate) look() (open bool, changed <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.state == judge.WorkerActive && g.unable == nil, g.changed
}

func (g *gate) open() bool {
	open, _ := g.look()
	return open
}

// drained reports whether the worker is to end when nothing runs any more.
func (g *gate) drained() bool { return g.wanted() == judge.WorkerDraining }

func (g *gate) wanted() judge.WorkerState {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.state
}

// want is what staff want; it reports whether that is new.
func (g *gate) want(s judge.WorkerState) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.state == s {
		return false
	}
	g.state = s
	g.tell()
	return true
}

// able says why nothing can be judged, or nil; it reports whether that is new.
func (g *gate) able(unable error) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	was := g.unable
	g.unable = unable
	if (was == nil) == (unable == nil) {
		return false
	}
	g.tell()
	return true
}

func (g *gate) whyNot() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.unable
}

func (g *gate) tell() {
	close(g.changed)
	g.changed = make(chan struct{})
}
