package api

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"judge/judge"
	"judge/judge/leaderboard"
)

// liveBoard is a board that is kept up to date. It is written by its own
// goroutine alone, which reads the contest's events and then, of the submissions
// that they name, how they stand now: so it does not matter in which order events
// come, or whether one comes twice.
type liveBoard struct {
	s       *Server
	contest string
	epoch   string
	end     func()
	ready   chan struct{} // closed when it is read, or err says why not
	err     error

	unread string // the goroutine's own: why all has to be read again; empty: it has not

	used    time.Time // under boards.mu, as streams is
	streams int

	mu    sync.RWMutex
	board *leaderboard.Board
	rows  *rowCache // of this board
	asOf  leaderboard.State
	views [boardViews]boardState
}

// boardState is what a view has of its own.
type boardState struct {
	version uint64
	at      time.Time // of the last change
	state   leaderboard.State
	pages   map[string]*boardPage
	recent  []boardEvent // the last ones, in order
	seats   map[*boardSeat]struct{}
}

const (
	boardPace  = 20 * time.Millisecond  // at least between two looks at the database, so that a burst is one change
	boardAgain = 500 * time.Millisecond // between two times that all is read
	boardRetry = time.Second            // after a failure
)

func newLiveBoard(s *Server, contest string, end func()) *liveBoard {
	b := &liveBoard{s: s, contest: contest, epoch: newEpoch(), end: end, ready: make(chan struct{})}
	for v := range b.views {
		b.views[v].pages, b.views[v].seats = map[string]*boardPage{}, map[*boardSeat]struct{}{}
	}
	return b
}

// run reads the board and follows its contest until nobody looks.
func (b *liveBoard) run(ctx context.Context) {
	defer b.expelAll()
	defer b.s.boards.forget(b)
	f, err := b.begin(ctx)
	if err != nil {
		b.err = err
		if ctx.Err() != nil {
			b.err = errBoardGone
		}
		b.s.boards.forget(b)
		close(b.ready)
		return
	}
	defer f.Close()
	close(b.ready)
	for ctx.Err() == nil {
		if err := b.step(ctx, f); err != nil {
			if ctx.Err() != nil || errors.Is(err, errClosed) || errors.Is(err, judge.ErrNotFound) || b.s.boards.idle(b) {
				return
			}
			b.s.Log.WarnContext(ctx, "cannot bring a board up to date, trying again", "contest", b.contest, "error", err)
			b.pause(ctx, boardRetry)
		}
	}
}

// begin reads all. The position comes first, so that nothing is missed between.
func (b *liveBoard) begin(ctx context.Context) (*Follower, error) {
	f, err := b.s.hub.Follow(ctx, judge.EventFilter{Contest: b.contest}, "")
	if err != nil {
		return nil, err
	}
	if err := b.load(ctx, ""); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// load reads all anew, and changes the board at once.
func (b *liveBoard) load(ctx context.Context, reason string) error {
	c, err := b.s.Records.Contest(ctx, b.contest)
	if err != nil {
		return err
	}
	attempts, err := b.s.Records.Attempts(ctx, b.contest, nil)
	if err != nil {
		return err
	}
	now := b.s.now()
	board := leaderboard.New(c, now)
	board.Put(attempts...)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.board, b.rows, b.asOf = board, newRowCache(board.Contest()), leaderboard.StateAt(&c, now)
	for v := range boardViews {
		b.bump(v, now)
		b.tell(v, reload(reason))
	}
	return nil
}

// step waits for something to happen, by an event or by the clock, and follows it.
func (b *liveBoard) step(ctx context.Context, f *Follower) error {
	if b.unread != "" {
		if err := b.load(ctx, b.unread); err != nil {
			return err
		}
		b.unread = ""
		b.pause(ctx, boardAgain)
	}
	waiting, cancel := context.WithTimeout(ctx, b.patience())
	defer cancel()
	notices, err := f.Next(waiting)
	switch {
	case errors.Is(err, judge.ErrGone):
		b.unread = "contest" // of another database
		return nil
	case err != nil && waiting.Err() == nil:
		return err
	case b.s.boards.idle(b):
		return nil
	}
	b.tick()
	return b.follow(ctx, notices)
}

// patience is how long nothing happens by the clock alone.
func (b *liveBoard) patience() time.Duration {
	b.mu.RLock()
	defer b.mu.RUnlock()
	now := b.s.now()
	wait := time.Minute
	if next := leaderboard.NextChange(b.board.Contest(), now); !next.IsZero() {
		wait = min(wait, next.Sub(now))
	}
	return wait
}

// tick follows the clock.
func (b *liveBoard) tick() {
	now := b.s.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	state := leaderboard.StateAt(b.board.Contest(), now)
	switch {
	case b.board.Stale(now):
		b.unread = "clock"
	case state != b.asOf:
		b.asOf = state
		for v := range boardViews {
			b.bump(v, now)
			b.tell(v, b.changed(v, nil))
		}
	}
}

// follow brings the board to where events say that something happened. What fails
// leaves nothing out: all is read then.
func (b *liveBoard) follow(ctx context.Context, notices []Notice) error {
	touched := map[string]bool{}
	updated := false
	for _, n := range notices {
		switch n.Type {
		case judge.ContestUpdated:
			updated = true
		case judge.RejudgingApplied:
			b.unread = "rejudging"
		case judge.RunJudged, judge.JudgementStarted, judge.WebhookPing: // no board changes by these
		case judge.SubmissionCreated, judge.JudgementJudged, judge.JudgementCancelled, judge.JudgementReviewed:
			touched[n.SubmissionID] = true
		}
	}
	if updated && b.unread == "" {
		if joined, err := b.join(ctx); err != nil || !joined {
			b.unread = "contest"
		}
	}
	if b.unread != "" || len(touched) == 0 {
		return nil
	}
	attempts, err := b.s.Records.Attempts(ctx, b.contest, slices.Sorted(maps.Keys(touched)))
	if err != nil {
		b.unread = "contest"
		return err
	}
	b.put(attempts)
	b.pause(ctx, boardPace)
	return nil
}

// join takes in contestants who have come, where that is all that changed of the
// contest: in an open one each does so with its first submission.
func (b *liveBoard) join(ctx context.Context) (bool, error) {
	c, err := b.s.Records.Contest(ctx, b.contest)
	if err != nil {
		return false, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	old := *b.board.Contest()
	known := map[string]*judge.Contestant{}
	for i := range old.Contestants {
		known[old.Contestants[i].ID] = &old.Contestants[i]
	}
	var came []judge.Contestant
	for _, p := range c.Contestants {
		before := known[p.ID]
		if before == nil {
			came = append(came, p)
		} else if !reflect.DeepEqual(*before, p) {
			return false, nil
		}
	}
	same := len(c.Contestants) == len(old.Contestants)+len(came)
	c.Contestants, old.Contestants, c.Revision = nil, nil, old.Revision
	if !same || !reflect.DeepEqual(c, old) {
		return false, nil
	}
	if len(came) > 0 {
		b.board.Join(came...)
		now := b.s.now()
		for v := range boardViews {
			b.bump(v, now)
			b.tell(v, reload("contest"))
		}
	}
	return true, nil
}

// put changes the board by how submissions stand now.
func (b *liveBoard) put(attempts []judge.Attempt) {
	b.mu.Lock()
	defer b.mu.Unlock()
	changes, whole := b.board.Put(attempts...)
	now := b.s.now()
	for v := range boardViews {
		var mine []leaderboard.Change
		for _, c := range changes {
			if c.View == v.fold() {
				mine = append(mine, c)
			}
		}
		if whole {
			b.bump(v, now)
			b.tell(v, reload("many"))
		} else if len(mine) > 0 {
			b.bump(v, now)
			b.tell(v, b.changed(v, mine))
		}
	}
}

// bump makes a new version of a view.
func (b *liveBoard) bump(v boardView, now time.Time) {
	s := &b.views[v]
	s.version++
	s.at, s.state = now, b.asOf
	if s.state == leaderboard.Finished && !b.board.Settled(v.fold()) {
		s.state = leaderboard.Ended
	}
	clear(s.pages)
}

func (b *liveBoard) pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-b.s.stopping:
	case <-time.After(d):
	}
}
