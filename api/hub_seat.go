package api

import (
	"slices"
	"sync"

	"judge/judge"
)

// seat is a follower's place in the hub: a queue that the hub fills and never
// waits for.
type seat struct {
	filter judge.EventFilter
	signal chan struct{} // of capacity 1: look at the queue

	mu       sync.Mutex
	queue    []Notice
	expelled bool // nothing more will come; what is in the queue is not to be used
}

// Notice is an event as it is handed on.
type Notice struct {
	judge.Event
	sight *sight // the same for all that are told of one judgement at a time
}

// sight is what is seen of a judgement when its event is told: looked up once,
// by the first reader who wants it.
type sight struct {
	mu    sync.Mutex
	known bool
	value any
}

// look returns what load found, now or for somebody else. A failure is not kept.
func (s *sight) look(load func() (any, error)) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.known {
		value, err := load()
		if err != nil {
			return nil, err
		}
		s.value, s.known = value, true
	}
	return s.value, nil
}

// notices are events that become known together.
func notices(events []judge.Event) []Notice {
	sights := map[string]*sight{}
	out := make([]Notice, 0, len(events))
	for _, e := range events {
		if sights[e.JudgementID] == nil {
			sights[e.JudgementID] = &sight{}
		}
		out = append(out, Notice{e, sights[e.JudgementID]})
	}
	return out
}

// sit takes a seat: all that the hub hands on from now on is in its queue.
func (h *Hub) sit(f judge.EventFilter) *seat {
	s := &seat{filter: f, signal: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if f.SubmissionID == "" {
		h.everything[s] = struct{}{}
		return s
	}
	row := h.bySubmission[f.SubmissionID]
	if row == nil {
		row = map[*seat]struct{}{}
		h.bySubmission[f.SubmissionID] = row
	}
	row[s] = struct{}{}
	return s
}

// leave gives a seat back. It may be called again.
func (h *Hub) leave(s *seat) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.everything, s)
	if row := h.bySubmission[s.filter.SubmissionID]; row != nil {
		delete(row, s)
		if len(row) == 0 {
			delete(h.bySubmission, s.filter.SubmissionID)
		}
	}
}

// handOn puts events into the queues of those who want them.
func (h *Hub) handOn(events []judge.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.everything)+len(h.bySubmission) == 0 {
		return
	}
	for _, n := range notices(events) {
		for s := range h.bySubmission[n.SubmissionID] {
			s.put(n)
		}
		for s := range h.everything {
			s.put(n)
		}
	}
}

// expelAll cuts everybody off from what is live.
func (h *Hub) expelAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.everything {
		s.expel()
	}
	for _, row := range h.bySubmission {
		for s := range row {
			s.expel()
		}
	}
}

func (s *seat) put(n Notice) {
	if !wants(s.filter, n.Event) {
		return
	}
	s.mu.Lock()
	full := len(s.queue) >= hubQueue
	if !full && !s.expelled {
		s.queue = append(s.queue, n)
	}
	s.mu.Unlock()
	if full {
		s.expel()
	}
	s.ring()
}

func (s *seat) expel() {
	s.mu.Lock()
	s.expelled, s.queue = true, nil
	s.mu.Unlock()
	s.ring()
}

func (s *seat) ring() {
	select {
	case s.signal <- struct{}{}:
	default: // it has not looked since the last one
	}
}

// take empties the queue; ok is false when the seat was expelled.
func (s *seat) take() (_ []Notice, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.queue
	s.queue = nil
	return out, !s.expelled
}

// wants says whether a filter chooses an event, as the store does.
func wants(f judge.EventFilter, e judge.Event) bool {
	ofContest := e.TokenID == "" && e.Contest != "" && e.Contest == f.Contest
	return (f.SubmissionID == "" || f.SubmissionID == e.SubmissionID) &&
		(f.TokenID == "" || f.TokenID == e.TokenID || ofContest) &&
		(f.SubmitterID == "" || f.SubmitterID == e.SubmitterID) &&
		(len(f.Problems) == 0 || slices.Contains(f.Problems, e.Problem)) &&
		(f.Contest == "" || f.Contest == e.Contest) &&
		(len(f.Scope.Problems)+len(f.Scope.Contests) == 0 || slices.Contains(f.Scope.Problems, e.Problem) || slices.Contains(f.Scope.Contests, e.Contest))
}
