package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge/leaderboard"
	"judge/judge/wire"
)

const (
	boardRecent = 512 // events that a view keeps for those who come back
	boardQueue  = 256 // events that a stream may be behind before it is told to reload
)

// boardEvent is an event of a view, as all its streams are sent it.
type boardEvent struct {
	version uint64
	kind    string
	data    []byte // JSON
}

// boardSeat is a stream's place at a view. The board fills it and never waits.
type boardSeat struct {
	signal  chan struct{} // of capacity 1
	queue   []boardEvent
	late    bool // it was too slow: events are missing
	dropped bool // the board is no more
}

// changed is the event of a new version; reload has no data yet. b.mu is held.
func (b *liveBoard) changed(v boardView, changes []leaderboard.Change) boardEvent {
	c, s := b.board.Contest(), &b.views[v]
	_, total := b.board.Page(v.fold(), leaderboard.Filter{}, 0, 0)
	out := BoardChange{
		Version: b.version(v), At: wire.Time(s.at), Elapsed: elapsedAt(c, s), Frozen: b.frozen(v), State: string(s.state), Total: total, Rows: []BoardRowChanged{},
	}
	for _, change := range changes {
		row, ok := b.board.Row(v.fold(), change.Contestant)
		if ok {
			out.Rows = append(out.Rows, BoardRowChanged{From: change.From, To: change.To, Problems: append([]string{}, change.Problems...), Row: newBoardRow(c, &row)})
		}
	}
	data, err := json.Marshal(out)
	if err != nil { // a number that JSON has not
		return reload("many")
	}
	return boardEvent{kind: "board.changed", data: data}
}

func reload(reason string) boardEvent { return boardEvent{kind: "board.reload", data: []byte(reason)} }

// tell hands the event of the newest version to all who follow a view. b.mu is
// held.
func (b *liveBoard) tell(v boardView, e boardEvent) {
	s := &b.views[v]
	e = b.dated(v, e)
	s.recent = append(s.recent, e)
	if len(s.recent) > 2*boardRecent {
		s.recent = append([]boardEvent(nil), s.recent[len(s.recent)-boardRecent:]...)
	}
	for seat := range s.seats {
		if len(seat.queue) >= boardQueue {
			seat.late, seat.queue = true, nil
		}
		if !seat.late {
			seat.queue = append(seat.queue, e)
		}
		seat.ring()
	}
}

// dated gives an event the version that a view has now. b.mu is held.
func (b *liveBoard) dated(v boardView, e boardEvent) boardEvent {
	e.version = b.views[v].version
	if e.kind == "board.reload" {
		e.data, _ = json.Marshal(BoardReload{Version: b.version(v), Reason: string(e.data)}) // two texts
	}
	return e
}

func (s *boardSeat) ring() {
	select {
	case s.signal <- struct{}{}:
	default: // it has not looked since the last one
	}
}

// sit takes a seat, which leave gives back: call it once. What the stream has to
// be told first is in its queue: what came after its last event, or that it has to
// reload.
func (b *liveBoard) sit(v boardView, after string) (seat *boardSeat, now uint64, leave func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := &b.views[v]
	seat = &boardSeat{signal: make(chan struct{}, 1)}
	if after != "" {
		seat.queue = b.since(v, after)
	}
	seat.ring()
	s.seats[seat] = struct{}{}
	return seat, s.version, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(s.seats, seat)
	}
}

// since are the events after a position, or the one that says to reload.
func (b *liveBoard) since(v boardView, after string) []boardEvent {
	s := &b.views[v]
	epoch, text, _ := strings.Cut(after, "-")
	version, err := strconv.ParseUint(text, 10, 64)
	switch {
	case epoch != b.epoch || err != nil || version > s.version || (version < s.version && (len(s.recent) == 0 || s.recent[0].version > version+1)):
		return []boardEvent{b.dated(v, reload("position"))}
	case version == s.version:
		return nil
	}
	for i, e := range s.recent {
		if e.version > version {
			return append([]boardEvent(nil), s.recent[i:]...)
		}
	}
	return nil
}

// take empties a seat's queue; ok is false when the board is no more.
func (b *liveBoard) take(v boardView, s *boardSeat) (events []boardEvent, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	events, s.queue = s.queue, nil
	if s.late {
		s.late = false
		events = []boardEvent{b.dated(v, reload("many"))}
	}
	return events, !s.dropped
}

func (b *liveBoard) expelAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for v := range b.views {
		for seat := range b.views[v].seats {
			seat.dropped = true
			seat.ring()
		}
	}
}

func (s *Server) streamBoard(ctx context.Context, in *boardEventsInput) (*huma.StreamResponse, error) {
	if err := s.serving(ctx); err != nil {
		return nil, fault("unavailable", "the server stops").retryAfter(time.Second)
	}
	b, view, err := s.seeBoard(ctx, in.BoardPath)
	if err != nil {
		return nil, err
	}
	after, ok := LastEventID(in.LastEventID, in.LastID)
	if !ok {
		return nil, wrongField("header.Last-Event-ID", "it is no event's id; leave it out to begin anew")
	}
	q := requestOf(ctx)
	who := q.token.ID
	if who == "" {
		who = addressKey(q, s)
	}
	leave, err := s.streams.enter(who)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer leave()
		defer s.boards.watch(b)()
		hc.SetHeader("Content-Type", "text/event-stream")
		hc.SetHeader("X-Accel-Buffering", "no") // nginx
		hc.SetStatus(http.StatusOK)
		o := boardStreaming{streaming{s: s, q: q, control: http.NewResponseController(q.w)}, b, view}
		o.run(ctx, after)
	}}, nil
}

// boardStreaming is one stream on its way, for one goroutine.
type boardStreaming struct {
	streaming

	b    *liveBoard
	view boardView
}

// run sends events until the client leaves, its right to look ends, or the server
// stops.
func (o *boardStreaming) run(ctx context.Context, after string) {
	o.q.unhurried()
	seat, version, leave := o.b.sit(o.view, after)
	defer leave()
	err := o.write("retry: %d\n", reconnect.Milliseconds())
	if after == "" {
		err = o.write("id: %s-%d\n\n", o.b.epoch, version)
	}
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	for err == nil {
		select {
		case <-ctx.Done():
			return
		case <-o.s.stopping:
			return
		case <-alive.C:
			if _, refused := o.s.boardRights(o.q, o.b.contest, o.view); refused != nil && !o.s.Unavailable(refused) {
				return
			}
			err = o.write(":\n\n")
		case <-seat.signal:
			err = o.send(seat)
		}
	}
}

func (o *boardStreaming) send(seat *boardSeat) error {
	events, ok := o.b.take(o.view, seat)
	for _, e := range events {
		if err := o.write("id: %s-%d\nevent: %s\ndata: %s\n\n", o.b.epoch, e.version, e.kind, e.data); err != nil {
			return err
		}
	}
	if !ok {
		return fmt.Errorf("%w: its board was dropped", errClosed)
	}
	return nil
}
