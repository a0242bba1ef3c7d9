package api_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"judge/api"
	"judge/judge"
)

// feed is a source of events in memory. Positions are indices, and carry the
// database's epoch. held events are there but are not given out.
type feed struct {
	mu     sync.Mutex
	epoch  int
	events []judge.Event
	held   int
	wake   func() // nil: nobody listens, or nobody is told
	broken error
	reads  int
	states map[string]judge.State // of the submissions' only judgements
}

func (f *feed) Listen(ctx context.Context, wake func()) error {
	f.mu.Lock()
	f.wake = wake
	f.mu.Unlock()
	wake()
	<-ctx.Done()
	return ctx.Err()
}

func (f *feed) position(n int) string { return fmt.Sprintf("%d-%09d", f.epoch, n) }

func (f *feed) Now(context.Context) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.position(len(f.events) - f.held), f.broken
}

func (f *feed) Beginning(context.Context) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.position(0), f.broken
}

func (f *feed) Events(_ context.Context, after string, want judge.EventFilter, limit int) (judge.Events, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reads++
	if f.broken != nil {
		return judge.Events{}, f.broken
	}
	var epoch, n int
	if _, err := fmt.Sscanf(after, "%d-%d", &epoch, &n); err != nil {
		return judge.Events{}, fmt.Errorf("position %q: %w", after, judge.ErrInvalid)
	}
	if epoch != f.epoch {
		return judge.Events{}, judge.ErrGone
	}
	out := judge.Events{Pending: f.held > 0}
	end := len(f.events) - f.held
	for ; n < end && len(out.Items) < limit; n++ {
		e := f.events[n]
		if want.SubmissionID == "" || want.SubmissionID == e.SubmissionID {
			e.Position = f.position(n + 1)
			out.Items = append(out.Items, e)
		}
	}
	out.Next = f.position(n)
	return out, nil
}

func (f *feed) Judgements(_ context.Context, submission string) ([]judge.Judgement, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return []judge.Judgement{{ID: "j-" + submission, SubmissionID: submission, State: f.states[submission], Current: true}}, f.broken
}

// add adds events, held back or not, and tells.
func (f *feed) add(held bool, events ...judge.Event) {
	f.mu.Lock()
	if held {
		f.held += len(events)
	} else {
		f.held = 0
	}
	f.events = append(f.events, events...)
	wake := f.wake
	f.mu.Unlock()
	if wake != nil {
		wake()
	}
}

func (f *feed) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

// some are n events of a submission, numbered from first.
func some(submission string, first, n int) []judge.Event {
	var out []judge.Event
	for i := range n {
		out = append(out, judge.Event{Type: judge.RunJudged, SubmissionID: submission, JudgementID: "j-" + submission, Ordinal: first + i})
	}
	return out
}

// running starts a hub that ends with the test.
func running(t *testing.T, f *feed) *api.Hub {
	t.Helper()
	h := api.NewHub(f, slog.New(slog.DiscardHandler))
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { defer close(done); h.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return h
}

// ordinals reads n events at least.
func ordinals(t *testing.T, r *api.Follower, n int) []int {
	t.Helper()
	var out []int
	for len(out) < n {
		batch, err := r.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range batch {
			out = append(out, e.Ordinal)
		}
	}
	return out
}

func upTo(n int) []int {
	var out []int
	for i := range n {
		out = append(out, i)
	}
	return out
}
