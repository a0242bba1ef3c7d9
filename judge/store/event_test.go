//go:build postgres

package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

func events(t *testing.T, s *store.Store, after string) judge.Events {
	t.Helper()
	e, err := s.Events(t.Context(), after, judge.EventFilter{}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestEventsWait: an event is held back while an older transaction is under way,
// whose event, committed later, comes before it.
func TestEventsWait(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	from, err := w.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	create := func(tx *store.Tx, who string) error {
		_, _, err := tx.CreateSubmission(ctx, w.Submission(who, judge.PriorityContest))
		return err
	}
	in(t, w.Store, func(older *store.Tx) error {
		if err := create(older, "older"); err != nil {
			return err
		}
		in(t, w.Store, func(younger *store.Tx) error { return create(younger, "younger") })
		held := events(t, w.Store, from)
		if len(held.Items) != 0 || !held.Pending {
			t.Errorf("%d events given out, pending %v; want none, pending", len(held.Items), held.Pending)
		}
		if again := events(t, w.Store, held.Next); len(again.Items) != 0 {
			t.Errorf("%d events after Next", len(again.Items))
		}
		from = held.Next
		return nil
	})
	all := events(t, w.Store, from)
	var who []string
	for _, e := range all.Items {
		who = append(who, e.SubmitterID)
	}
	if fmt.Sprint(who) != "[older younger]" || all.Pending {
		t.Errorf("events of %v, pending %v, want [older younger]", who, all.Pending)
	}
	if rest := events(t, w.Store, all.Items[0].Position); len(rest.Items) != 1 || rest.Items[0].SubmitterID != "younger" {
		t.Errorf("after the first: %+v", rest.Items)
	}
	if rest := events(t, w.Store, all.Next); len(rest.Items) != 0 {
		t.Errorf("after all: %+v", rest.Items)
	}
}

// TestEventsConcurrent has writers commit and roll back at random while a reader
// follows in small steps: it must see every committed event once, and each
// submission's in order.
func TestEventsConcurrent(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 8)
	from, err := w.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("rolled back")
	var committed, over atomic.Int64
	writer := func(int) error {
		defer over.Add(1)
		for range 25 {
			err := w.Tx(ctx, func(tx *store.Tx) error {
				if _, _, err := tx.CreateSubmission(ctx, w.Submission("ada", judge.PriorityContest)); err != nil {
					return err
				}
				time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond)
				if rand.IntN(4) == 0 {
					return stop
				}
				return nil
			})
			if errors.Is(err, stop) {
				continue
			}
			if err != nil {
				return err
			}
			committed.Add(1)
			task, ok, err := w.Take(ctx, id)
			if err != nil {
				return err
			}
			if ok {
				committed.Add(1)
				err = w.Tx(ctx, func(tx *store.Tx) error { return tx.Finish(ctx, task.Lease, &judge.Judgement{Verdict: judge.AC}) })
				if err != nil {
					return err
				}
				committed.Add(1)
			}
		}
		return nil
	}
	const writers = 6
	done := make(chan []error)
	go func() { done <- together(writers, writer) }()
	step := map[string]judge.EventType{}
	before := map[judge.EventType]judge.EventType{
		judge.SubmissionCreated: "", judge.JudgementStarted: judge.SubmissionCreated, judge.JudgementJudged: judge.JudgementStarted,
	}
	seen := int64(0)
	for {
		last := over.Load() == writers
		e, err := w.Events(ctx, from, judge.EventFilter{}, 1+rand.IntN(4))
		if err != nil {
			t.Fatal(err)
		}
		for _, ev := range e.Items {
			if had := step[ev.JudgementID]; had != before[ev.Type] {
				t.Fatalf("%s after %q of %s", ev.Type, had, ev.JudgementID)
			}
			step[ev.JudgementID] = ev.Type
			seen++
		}
		from = e.Next
		if last && len(e.Items) == 0 && !e.Pending {
			break
		}
	}
	for _, err := range <-done {
		if err != nil {
			t.Error(err)
		}
	}
	if seen != committed.Load() {
		t.Errorf("%d events seen, %d committed", seen, committed.Load())
	}
}

func TestEventsFilter(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	from, err := w.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	j := w.Submit(t, "ada", judge.PriorityContest)
	w.Submit(t, "bob", judge.PriorityContest)
	for name, tt := range map[string]struct {
		f    judge.EventFilter
		want int
	}{
		"all":           {judge.EventFilter{}, 2},
		"submission":    {judge.EventFilter{SubmissionID: j.SubmissionID}, 1},
		"token":         {judge.EventFilter{TokenID: w.Token.ID}, 2},
		"other token":   {judge.EventFilter{TokenID: w.Version.ID}, 0},
		"person":        {judge.EventFilter{TokenID: w.Token.ID, SubmitterID: "bob"}, 1},
		"problem":       {judge.EventFilter{Problems: []string{"x", "aplusb"}}, 2},
		"other problem": {judge.EventFilter{Problems: []string{"x"}}, 0},
	} {
		e, err := w.Events(ctx, from, tt.f, 100)
		if err != nil || len(e.Items) != tt.want {
			t.Errorf("%s: %d events, %v, want %d", name, len(e.Items), err, tt.want)
		}
	}
	if n, err := w.PruneEvents(ctx, time.Hour, 100); n != 0 || err != nil {
		t.Errorf("%d young events pruned, %v", n, err)
	}
	if n, err := w.PruneEvents(ctx, 0, 1); n != 1 || err != nil {
		t.Errorf("%d events pruned, %v, want 1", n, err)
	}
}

// TestMoved: a database that was restored into another cluster says that old
// positions are gone, and begins anew.
func TestMoved(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	j := w.Submit(t, "ada", judge.PriorityContest)
	old, err := w.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, moved := range []bool{false, true} {
		if moved {
			exec(t, w.Store, "UPDATE origin SET cluster = cluster + 1")
			exec(t, w.Store, "UPDATE events SET xid = '999999999999'") // of a cluster with a longer life
		}
		if err := w.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		_, err := w.Events(ctx, old, judge.EventFilter{}, 10)
		if errors.Is(err, judge.ErrGone) != moved {
			t.Errorf("moved %v: %v", moved, err)
		}
	}
	if _, err := w.Judgement(ctx, j.ID); err != nil {
		t.Error(err)
	}
	from, err := w.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	w.Submit(t, "ada", judge.PriorityContest)
	if e := events(t, w.Store, from); len(e.Items) != 1 || e.Pending {
		t.Errorf("%+v, want one event", e)
	}
}

// TestListen: who listens on another connection pool is woken by each commit,
// and again after it was cut off.
func TestListen(t *testing.T) {
	w := storetest.NewWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	woken := make(chan struct{}, 1000)
	ended := make(chan error, 1)
	go func() { ended <- w.Listen(ctx, func() { woken <- struct{}{} }) }()
	<-woken
	for range 3 {
		w.Submit(t, "ada", judge.PriorityContest)
		<-woken
	}
	exec(t, w.Store, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN judge%' AND datname = current_database()")
	<-woken // it listens again
	for len(woken) > 0 {
		<-woken
	}
	w.Submit(t, "ada", judge.PriorityContest)
	<-woken
	cancel()
	wantErr(t, "listen", <-ended, context.Canceled)
}

// TestPositionsAreOnDisk: no position lies behind the last event, since a server
// that is killed gives the numbers of unwritten transactions out again.
func TestPositionsAreOnDisk(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	w.Submit(t, "ada", judge.PriorityContest)
	before, err := w.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	failed := errors.New("not to be kept")
	for range 3 {
		err := w.Tx(ctx, func(tx *store.Tx) error {
			_, _, err := tx.CreateSubmission(ctx, w.Submission("ada", judge.PriorityContest))
			return errors.Join(failed, err)
		})
		if !errors.Is(err, failed) {
			t.Fatal(err)
		}
	}
	if now, err := w.Now(ctx); now != before || err != nil {
		t.Errorf("now is %s, %v after transactions that left nothing; it was %s", now, err, before)
	}
	for _, f := range []judge.EventFilter{{}, {SubmitterID: "nobody"}} {
		if e, err := w.Events(ctx, before, f, 10); e.Next != before || err != nil {
			t.Errorf("%+v: next is %s, %v, want %s", f, e.Next, err, before)
		}
	}
}

// TestPrunedPositions: who was away for longer than events are kept is told so.
func TestPrunedPositions(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	var at []string
	for range 3 {
		w.Submit(t, "ada", judge.PriorityContest)
		now, err := w.Now(ctx)
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, now)
	}
	if n, err := w.PruneEvents(ctx, 0, 2); n != 2 || err != nil {
		t.Fatalf("%d events pruned, %v, want 2", n, err)
	}
	beginning, err := w.Beginning(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct {
		at   string
		want error
		n    int
	}{{at[0], judge.ErrGone, 0}, {at[1], nil, 1}, {at[2], nil, 0}, {beginning, nil, 1}} {
		if e, err := w.Events(ctx, tt.at, judge.EventFilter{}, 10); !errors.Is(err, tt.want) || len(e.Items) != tt.n {
			t.Errorf("%d: %d events, %v; want %d, %v", i, len(e.Items), err, tt.n, tt.want)
		}
	}
}
