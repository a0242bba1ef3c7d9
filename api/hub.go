package api

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"judge/judge"
)

// The hub. One goroutine follows the events of the whole cluster in the
// database and hands each to the followers that want it, from memory: a reader
// more costs no query more. Whoever reads too slowly is cut off from the hub and
// goes on from the database at its own pace, so nobody waits for anybody.
//
// An event is told of after its transaction, by whichever process wrote it, and
// nobody tells when one that was held back can be given out (see
// judge.Events): hence the looks without a call.
const (
	hubBatch   = 1000 // events of one look
	hubQueue   = 1024 // events that a follower may be behind before it is cut off
	hubPoll    = time.Second
	pendingMin = time.Millisecond // between looks while events are held back
	pendingMax = 50 * time.Millisecond
	failedMin  = 100 * time.Millisecond // between looks that fail
	failedMax  = 2 * time.Second
)

// EventSource is where a hub's events come from: *store.Store is one.
type EventSource interface {
	Listen(ctx context.Context, wake func()) error
	Now(ctx context.Context) (string, error)
	Beginning(ctx context.Context) (string, error)
	Events(ctx context.Context, after string, f judge.EventFilter, limit int) (judge.Events, error)
	Judgements(ctx context.Context, submission string) ([]judge.Judgement, error)
}

// Hub tells of events as they happen. One is enough for a process; its methods
// may be called by many goroutines.
type Hub struct {
	source EventSource
	log    *slog.Logger
	wake   chan struct{} // of capacity 1: there may be something new
	closed chan struct{}
	once   sync.Once

	mu           sync.Mutex
	everything   map[*seat]struct{}            // seats whose filter names no submission
	bySubmission map[string]map[*seat]struct{} // the others
}

// NewHub makes a hub. Nothing is live before Run.
func NewHub(source EventSource, log *slog.Logger) *Hub {
	return &Hub{
		source: source, log: log, wake: make(chan struct{}, 1), closed: make(chan struct{}),
		everything: map[*seat]struct{}{}, bySubmission: map[string]map[*seat]struct{}{},
	}
}

// Run follows the events until ctx is done or the hub is closed, through any
// failure of the database. It is called once.
func (h *Hub) Run(ctx context.Context) {
	defer h.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var listening sync.WaitGroup
	defer listening.Wait()
	defer cancel()
	listening.Go(func() {
		_ = h.source.Listen(ctx, h.look) // ends with ctx, and says no more than that
	})
	p := pump{hub: h}
	for {
		wait := p.look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-h.closed:
			return
		case <-h.wake:
		case <-time.After(wait):
		}
	}
}

// look makes the hub look for events.
func (h *Hub) look() {
	select {
	case h.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// Close ends all that follow, so that they begin again elsewhere or later. It may
// be called again.
func (h *Hub) Close() { h.once.Do(func() { close(h.closed) }) }

// pump is the one goroutine's state.
type pump struct {
	hub    *Hub
	at     string // position up to which all was handed on; empty: none yet
	idle   time.Duration
	failed time.Duration
}

// look hands on what is new, and returns how long to wait at most before the
// next look.
func (p *pump) look(ctx context.Context) time.Duration {
	news, pending, err := p.advance(ctx)
	switch {
	case ctx.Err() != nil:
		return 0
	case err != nil:
		if p.failed == 0 {
			p.hub.log.WarnContext(ctx, "cannot read events, trying again", "error", err)
		}
		p.failed = min(max(2*p.failed, failedMin), failedMax)
		return p.failed
	}
	if p.failed > 0 {
		p.hub.log.InfoContext(ctx, "reading events again")
	}
	p.failed = 0
	if !pending {
		p.idle = 0
		return hubPoll
	}
	if news {
		p.idle = 0
	}
	p.idle = min(max(2*p.idle, pendingMin), pendingMax)
	return p.idle
}

func (p *pump) advance(ctx context.Context) (news, pending bool, err error) {
	if p.at == "" {
		// Seats taken before this have missed what came before it.
		if p.at, err = p.hub.source.Now(ctx); err != nil {
			return false, false, err
		}
		p.hub.expelAll()
	}
	for {
		events, err := p.hub.source.Events(ctx, p.at, judge.EventFilter{}, hubBatch)
		if errors.Is(err, judge.ErrGone) {
			// Another database is there now: followers learn it when they look.
			p.at = ""
			p.hub.expelAll()
		}
		if err != nil {
			return news, false, err
		}
		p.hub.handOn(events.Items)
		p.at = events.Next
		news = news || len(events.Items) > 0
		if len(events.Items) < hubBatch {
			return news, events.Pending, nil
		}
	}
}
