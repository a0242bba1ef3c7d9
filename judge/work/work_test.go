//go:build postgres

package work_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/work"
)

// TestJudges: what is handed in is judged, with its runs, by the worker that says
// so, and its events are in order.
func TestJudges(t *testing.T) {
	w := newWorld(t)
	begin, err := w.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := start(t, config(w.records, 2, accept))
	id := w.submit(t, "ada", judge.PriorityContest).ID
	j := w.await(t, id)
	if j.Verdict != judge.AC || len(j.Runs) != 2 || j.Attempt != 1 || j.Worker != n.id || j.Compile == nil {
		t.Errorf("%+v", j)
	}
	var types []string
	eventually(t, "all events are there", func() bool {
		events, err := w.Events(t.Context(), begin, judge.EventFilter{}, 100)
		if err != nil {
			t.Fatal(err)
		}
		types = nil
		for _, e := range events.Items {
			types = append(types, string(e.Type))
		}
		return len(types) == 5
	})
	want := "submission.created judgement.started run.judged run.judged judgement.judged"
	if got := strings.Join(types, " "); got != want {
		t.Errorf("events %s, want %s", got, want)
	}
}

// TestShares: of three workers with one slot each none is idle while others work.
func TestShares(t *testing.T) {
	w := newWorld(t)
	const all = 300
	var ids []string
	for i := range all {
		ids = append(ids, w.submit(t, fmt.Sprint("person", i%7), judge.PriorityPractice).ID)
	}
	work1 := func(ctx context.Context, task judge.Task, on func(work.Progress)) (judge.Judgement, error) {
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond): // a slot is busy, a core is not
		}
		return accept(ctx, task, on)
	}
	for range 3 {
		start(t, config(w.records, 1, work1))
	}
	by := map[string]int{}
	for _, id := range ids {
		j := w.await(t, id)
		by[j.Worker]++
		if j.Attempt != 1 || j.Verdict != judge.AC {
			t.Errorf("judgement %s: attempt %d, %s", id, j.Attempt, j.Verdict)
		}
	}
	for worker, n := range by {
		if n < all/5 {
			t.Errorf("worker %s judged %d of %d", worker, n, all)
		}
	}
	if len(by) != 3 {
		t.Errorf("judged by %v", by)
	}
}

// blocked is a judge that tells when it begins, and ends when it is let or told.
type blocked struct {
	begun chan judge.Task
	let   chan struct{}
	ended chan struct{} // one for each that was told to end
}

func newBlocked() *blocked {
	return &blocked{make(chan judge.Task, 100), make(chan struct{}), make(chan struct{}, 100)}
}

func (b *blocked) judge(ctx context.Context, t judge.Task, on func(work.Progress)) (judge.Judgement, error) {
	b.begun <- t
	select {
	case <-b.let:
		return accept(ctx, t, on)
	case <-ctx.Done():
		b.ended <- struct{}{}
		return judge.Judgement{}, ctx.Err()
	}
}

// TestCancelled: a run that goes on without a word ends when its judgement is
// cancelled, and the worker goes on with the next.
func TestCancelled(t *testing.T) {
	w := newWorld(t)
	b := newBlocked()
	start(t, config(w.records, 1, b.judge))
	first := w.submit(t, "ada", judge.PriorityContest).ID
	second := w.submit(t, "ada", judge.PriorityContest).ID
	<-b.begun
	if err := w.Tx(t.Context(), func(tx *store.Tx) error { return tx.Cancel(t.Context(), first) }); err != nil {
		t.Fatal(err)
	}
	<-b.ended
	<-b.begun
	close(b.let)
	if j := w.await(t, second); j.Verdict != judge.AC {
		t.Errorf("second %+v", j)
	}
	if j := w.await(t, first); j.State != judge.Cancelled || len(j.Runs) > 0 {
		t.Errorf("first %+v", j)
	}
}

// TestGone: a worker that counted as dead drops what it has, registers again, and
// stays cordoned if it was.
// waitBeat waits for the worker's next heartbeat.
// TestCordon: what runs is finished, nothing more is taken, until the worker is
// active again; others are not kept from what it may not take.
// TestDrain: a draining worker finishes, however long that takes, and ends.
// TestStop: within the grace what runs is finished, else it is handed back, and
// another worker has it at once.
// TestFaults: what each kind of error comes to.
// TestBrokenBlocksNobody: what fails and fails again leaves the slot to others.
// TestNotReady: a worker whose engine is away takes nothing, and that costs no
// attempts but one; when the engine is back it goes on.
// TestProgress: runs can be read while the judgement goes on.
func TestProgress(t *testing.T) {
	w := newWorld(t)
	let := make(chan struct{})
	start(t, config(w.records, 1, func(ctx context.Context, task judge.Task, on func(work.Progress)) (judge.Judgement, error) {
		j, err := accept(ctx, task, on)
		<-let
		j.Runs = j.Runs[:1] // an earlier case, judged later, decided
		j.Verdict, j.Runs[0].Verdict = judge.WA, judge.WA
		return j, err
	}))
	id := w.submit(t, "ada", judge.PriorityContest).ID
	eventually(t, "two runs are there", func() bool {
		j, err := w.Judgement(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return j.State == judge.Running && len(j.Runs) == 2 && j.Compile != nil
	})
	close(let)
	if j := w.await(t, id); j.Verdict != judge.WA || len(j.Runs) != 1 {
		t.Errorf("%+v", j)
	}
}

// TestLostTake: a judgement that was taken in a transaction whose answer was lost
// is not stuck with a worker that does not know of it.
// forgetful loses the answers of some transactions, after they were committed or
// in their stead.
// TestLostAnswers: whatever transactions come to, each judgement is judged once.
// TestFlood: one who floods the queue costs another no more than what runs.
func TestFlood(t *testing.T) {
	w := newWorld(t)
	const slots = 2
	for range 100 {
		w.submit(t, "flood", judge.PriorityPractice)
	}
	b := newBlocked()
	start(t, config(w.records, slots, b.judge))
	for range slots {
		<-b.begun
	}
	b.let <- struct{}{}
	<-b.begun // in full flow
	w.submit(t, "ada", judge.PriorityPractice)
	b.let <- struct{}{}
	if next := <-b.begun; next.Submission.Submitter.ID != "ada" {
		t.Errorf("the next was %s's", next.Submission.Submitter.ID)
	}
	if _, err := w.Pool().Exec(t.Context(), "UPDATE judgements SET state = 'cancelled' WHERE state = 'queued'"); err != nil {
		t.Fatal(err)
	}
	close(b.let)
}
