//go:build postgres

package work_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/work"
)

func TestLostTake(t *testing.T) {
	w := newWorld(t)
	n := start(t, config(w.records, 1, accept))
	w.await(t, w.submit(t, "ada", judge.PriorityContest).ID) // so the worker is known
	id := w.World.Submit(t, "ada", judge.PriorityContest).ID // without a job
	if task, ok, err := w.Take(t.Context(), n.id); err != nil || !ok || task.JudgementID != id {
		t.Fatal(task, ok, err)
	}
	if j := w.await(t, id); j.Verdict != judge.AC || j.Attempt != 2 {
		t.Errorf("%s after %d attempts", j.Verdict, j.Attempt)
	}
}

type forgetful struct {
	records

	n *atomic.Int32
}

type lostAnswer struct{ error }

func (f forgetful) Tx(ctx context.Context, fn func(work.Tx) error) error {
	switch f.n.Add(1) % 4 {
	case 0:
		return lostAnswer{errors.New("connection lost")}
	case 2:
		if err := f.records.Tx(ctx, fn); err != nil {
			return err
		}
		return lostAnswer{errors.New("connection lost while committing")}
	}
	return f.records.Tx(ctx, fn)
}

func TestLostAnswers(t *testing.T) {
	w := newWorld(t)
	c := config(w.records, 2, accept)
	c.Records = forgetful{w.records, &atomic.Int32{}}
	c.Unavailable = func(err error) bool {
		_, lost := errors.AsType[lostAnswer](err)
		return lost || store.Unavailable(err)
	}
	begin, err := w.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	start(t, c)
	const all = 40
	for i := range all {
		w.await(t, w.submit(t, fmt.Sprint("person", i%3), judge.PriorityPractice).ID)
	}
	judged := map[string]int{}
	eventually(t, "all events are there", func() bool {
		events, err := w.Events(t.Context(), begin, judge.EventFilter{}, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		clear(judged)
		for _, e := range events.Items {
			if e.Type == judge.JudgementJudged {
				judged[e.JudgementID]++
			}
		}
		return len(judged) == all
	})
	for id, n := range judged {
		if n != 1 {
			t.Errorf("judgement %s has %d final events", id, n)
		}
	}
}
