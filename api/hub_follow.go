package api

import (
	"context"
	"errors"

	"judge/judge"
)

// errClosed ends what follows a hub that was closed.
var errClosed = errors.New("the server is closing")

// followBatch is how many events are read at once from the database by who
// catches up.
const followBatch = 500

// Follower reads the events that a filter chooses, in order, each once, from a
// position on: first from the database, then live. It is for one goroutine.
//
// Nothing is missed where the one passes to the other, because the seat is taken
// first and the database read once more after that; what comes live then and was
// read before is told by its position. The hub may well be behind: its follower
// has read later, or comes from another process with a later position.
type Follower struct {
	hub    *Hub
	filter judge.EventFilter
	at     string // position after what was returned

	seat *seat // nil: the end is not in sight
	live bool  // all was read from the database that was there when the seat was taken
}

// Follow begins after a position. Where that is empty, a single submission's
// events are told from the first one that is kept, all others from now on.
func (h *Hub) Follow(ctx context.Context, f judge.EventFilter, after string) (*Follower, error) {
	begin := h.source.Now
	if f.SubmissionID != "" {
		begin = h.source.Beginning
	}
	if after == "" {
		var err error
		if after, err = begin(ctx); err != nil {
			return nil, err
		}
	}
	return &Follower{hub: h, filter: f, at: after}, nil
}

// Next waits for events and returns at least one; none and an error when ctx is
// done or the hub closed. judge.ErrGone: the position is of a database that was
// replaced; the follower then goes on from now. judge.ErrInvalid: it was none.
// After an error other than ErrInvalid it may be called again.
func (f *Follower) Next(ctx context.Context) ([]Notice, error) {
	for {
		select {
		case <-f.hub.closed:
			return nil, errClosed
		default:
		}
		batch, err := f.catchUp(ctx)
		if err == nil && batch == nil {
			batch, err = f.wait(ctx)
		}
		if len(batch) > 0 || err != nil {
			return batch, err
		}
	}
}

// Position is after all that Next returned: where to go on from.
func (f *Follower) Position() string { return f.at }

// Close gives the Follower's seat back. It may be called again.
func (f *Follower) Close() {
	if f.seat != nil {
		f.hub.leave(f.seat)
	}
	f.seat, f.live = nil, false
}

// catchUp reads from the database until all is read that there is; nil when
// there is nothing more.
func (f *Follower) catchUp(ctx context.Context) ([]Notice, error) {
	for !f.live {
		// Near the end only: what comes meanwhile fills the queue.
		seated := f.seat != nil
		events, err := f.hub.source.Events(ctx, f.at, f.filter, followBatch)
		if errors.Is(err, judge.ErrGone) {
			return nil, f.reset(ctx, err)
		}
		if err != nil {
			return nil, err
		}
		f.at = events.Next
		if len(events.Items) < followBatch {
			f.live = seated
			if !seated {
				f.seat = f.hub.sit(f.filter)
			}
		}
		if len(events.Items) > 0 {
			return notices(events.Items), nil
		}
	}
	return nil, nil
}

func (f *Follower) reset(ctx context.Context, why error) error {
	f.Close()
	now, err := f.hub.source.Now(ctx)
	if err == nil {
		f.at = now
	}
	return errors.Join(why, err)
}

// wait returns what is live, or nothing when the Follower has to catch up again.
func (f *Follower) wait(ctx context.Context) ([]Notice, error) {
	for {
		queue, ok := f.seat.take()
		if !ok {
			f.Close()
			return nil, nil
		}
		if fresh := f.fresh(queue); len(fresh) > 0 {
			f.at = fresh[len(fresh)-1].Position
			return fresh, nil
		}
		select {
		case <-f.seat.signal:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-f.hub.closed:
			return nil, errClosed
		}
	}
}

// fresh leaves out what was returned before.
func (f *Follower) fresh(queue []Notice) []Notice {
	for i, n := range queue {
		if n.Position > f.at {
			return queue[i:]
		}
	}
	return nil
}
