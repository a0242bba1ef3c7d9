package api

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// seats bound how many of something there are at once: requests that wait, or
// streams. Its methods may be called by many goroutines.
type seats struct {
	what          string // for people
	all, perToken int
	gauge         prometheus.Gauge

	mu      sync.Mutex
	taken   int
	byToken map[string]int
}

func newSeats(what string, all, perToken int, gauge prometheus.Gauge) *seats {
	return &seats{what: what, all: all, perToken: perToken, gauge: gauge, byToken: map[string]int{}}
}

// enter takes a seat, which leave gives back: call it once. The error says when to
// try again: 429 where the token has all of its own, 503 where the server has.
func (s *seats) enter(token string) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.byToken[token] >= s.perToken:
		return nil, fault("too-many-requests", "this token has %d %s already, which is all it may", s.perToken, s.what).retryAfter(time.Second)
	case s.taken >= s.all:
		return nil, fault("unavailable", "there are %d %s, which is all the server takes", s.all, s.what).retryAfter(time.Second)
	}
	s.taken++
	s.byToken[token]++
	s.gauge.Set(float64(s.taken))
	return func() { s.leave(token) }, nil
}

func (s *seats) leave(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	if s.byToken[token]--; s.byToken[token] == 0 {
		delete(s.byToken, token)
	}
	s.gauge.Set(float64(s.taken))
}
