package api

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"time"
)

// Live boards: one for each contest that somebody looks at, in memory. Each
// follows its contest's events in a goroutine of its own and is dropped when
// nobody has looked for a while.
const (
	boardIdle = 10 * time.Minute // without a reader, before a board is dropped
	boardsMax = 64               // kept at once, unless more are being streamed
)

type boards struct {
	s *Server

	mu     sync.Mutex
	byName map[string]*liveBoard
}

func newBoards(s *Server) *boards { return &boards{s: s, byName: map[string]*liveBoard{}} }

// get finds the board of a contest, and makes it where there is none: whoever asks
// waits until it is read.
func (l *boards) get(ctx context.Context, contest string) (*liveBoard, error) {
	for {
		b := l.find(ctx, contest)
		select {
		case <-b.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if !errors.Is(b.err, errBoardGone) {
			return b, b.err
		}
	}
}

func (l *boards) find(ctx context.Context, contest string) *liveBoard {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.byName[contest]
	if b == nil {
		l.makeRoom()
		life, end := context.WithCancel(context.WithoutCancel(ctx))
		b = newLiveBoard(l.s, contest, end)
		l.byName[contest] = b
		go b.run(life)
	}
	b.used = l.s.now()
	return b
}

// makeRoom ends the board that was looked at least lately, where there are too
// many.
func (l *boards) makeRoom() {
	if len(l.byName) < boardsMax {
		return
	}
	var oldest *liveBoard
	for _, b := range l.byName {
		if b.streams == 0 && (oldest == nil || b.used.Before(oldest.used)) {
			oldest = b
		}
	}
	if oldest != nil {
		delete(l.byName, oldest.contest)
		oldest.end()
	}
}

// idle drops a board that nobody has looked at for long, and reports whether it
// did.
func (l *boards) idle(b *liveBoard) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b.streams > 0 || l.s.now().Sub(b.used) < boardIdle {
		return false
	}
	l.drop(b)
	return true
}

// forget drops a board that cannot go on.
func (l *boards) forget(b *liveBoard) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop(b)
}

func (l *boards) drop(b *liveBoard) {
	if l.byName[b.contest] == b {
		delete(l.byName, b.contest)
	}
	b.end()
}

// watch keeps a board until leave is called, once.
func (l *boards) watch(b *liveBoard) (leave func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b.streams++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		b.streams--
		b.used = l.s.now()
	}
}

// errBoardGone is that a board was dropped before it was read.
var errBoardGone = errors.New("the board was dropped")

// newEpoch tells the versions of one life of a board from those of another.
func newEpoch() string { return strings.ToLower(rand.Text())[:12] }
