//go:build postgres

package work_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
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
	id := w.submit(t, "ada", judge.Contest).ID
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
		ids = append(ids, w.submit(t, fmt.Sprint("person", i%7), judge.Practice).ID)
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
	first := w.submit(t, "ada", judge.Contest).ID
	second := w.submit(t, "ada", judge.Contest).ID
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
func TestGone(t *testing.T) {
	w := newWorld(t)
	b := newBlocked()
	n := start(t, config(w.records, 1, b.judge))
	id := w.submit(t, "ada", judge.Contest).ID
	<-b.begun
	if err := w.SetWorkerState(t.Context(), n.id, judge.WorkerGone); err != nil {
		t.Fatal(err)
	}
	<-b.ended
	again := <-b.begun
	if again.JudgementID != id || again.Attempt != 2 {
		t.Errorf("taken again: %+v", again.Lease)
	}
	close(b.let)
	if j := w.await(t, id); j.Verdict != judge.AC || j.Attempt != 2 {
		t.Errorf("%+v", j)
	}

	for _, s := range []judge.WorkerState{judge.WorkerCordoned, judge.WorkerGone} {
		if err := w.SetWorkerState(t.Context(), n.id, s); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the worker is cordoned", func() bool { return w.state(t, n.id) == judge.WorkerCordoned })
		if s == judge.WorkerCordoned {
			waitBeat(t, w, n.id)
			waitBeat(t, w, n.id)
		}
	}
}

// waitBeat waits for the worker's next heartbeat.
func waitBeat(t *testing.T, w *world, id string) {
	t.Helper()
	at := func() time.Time {
		list, err := w.Workers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range list {
			if x.ID == id {
				return x.HeartbeatAt
			}
		}
		return time.Time{}
	}
	before := at()
	eventually(t, "a heartbeat comes", func() bool { return at().After(before) })
}

// TestCordon: what runs is finished, nothing more is taken, until the worker is
// active again; others are not kept from what it may not take.
func TestCordon(t *testing.T) {
	w := newWorld(t)
	b := newBlocked()
	n := start(t, config(w.records, 1, b.judge))
	first := w.submit(t, "ada", judge.Contest).ID
	<-b.begun
	if err := w.SetWorkerState(t.Context(), n.id, judge.WorkerCordoned); err != nil {
		t.Fatal(err)
	}
	second := w.submit(t, "ada", judge.Contest).ID
	close(b.let)
	if j := w.await(t, first); j.Verdict != judge.AC {
		t.Errorf("%+v", j)
	}
	waitBeat(t, w, n.id)
	waitBeat(t, w, n.id)
	if j, err := w.Judgement(t.Context(), second); err != nil || j.State != judge.Queued {
		t.Fatalf("a cordoned worker took one: %+v, %v", j, err)
	}
	other := start(t, config(w.records, 1, accept))
	if j := w.await(t, second); j.Worker != other.id {
		t.Errorf("judged by %s", j.Worker)
	}
	other.stop()
	<-other.ended
	if err := w.SetWorkerState(t.Context(), n.id, judge.WorkerActive); err != nil {
		t.Fatal(err)
	}
	if j := w.await(t, w.submit(t, "ada", judge.Contest).ID); j.Worker != n.id {
		t.Errorf("judged by %s", j.Worker)
	}
}

// TestDrain: a draining worker finishes, however long that takes, and ends.
func TestDrain(t *testing.T) {
	w := newWorld(t)
	b := newBlocked()
	c := config(w.records, 1, b.judge)
	c.Grace = time.Nanosecond
	n := start(t, c)
	first := w.submit(t, "ada", judge.Contest).ID
	second := w.submit(t, "ada", judge.Contest).ID
	<-b.begun
	if err := w.SetWorkerState(t.Context(), n.id, judge.WorkerDraining); err != nil {
		t.Fatal(err)
	}
	waitBeat(t, w, n.id)
	close(b.let)
	<-n.ended
	if s := w.state(t, n.id); s != judge.WorkerGone {
		t.Errorf("the worker is %s", s)
	}
	if j := w.await(t, first); j.Verdict != judge.AC {
		t.Errorf("%+v", j)
	}
	if j, err := w.Judgement(t.Context(), second); err != nil || j.State != judge.Queued {
		t.Errorf("%+v, %v", j, err)
	}
	start(t, config(w.records, 1, accept))
	w.await(t, second)
}

// TestStop: within the grace what runs is finished, else it is handed back, and
// another worker has it at once.
func TestStop(t *testing.T) {
	w := newWorld(t)
	b := newBlocked()
	patient := start(t, config(w.records, 1, b.judge))
	id := w.submit(t, "ada", judge.Contest).ID
	<-b.begun
	patient.stop()
	close(b.let)
	<-patient.ended
	if j := w.await(t, id); j.Verdict != judge.AC || j.Worker != patient.id {
		t.Errorf("%+v", j)
	}

	b = newBlocked()
	c := config(w.records, 2, b.judge)
	c.Grace = time.Millisecond
	hasty := start(t, c)
	ids := []string{w.submit(t, "ada", judge.Contest).ID, w.submit(t, "bob", judge.Contest).ID}
	<-b.begun
	<-b.begun
	hasty.stop()
	<-hasty.ended
	if s := w.state(t, hasty.id); s != judge.WorkerGone {
		t.Errorf("the worker is %s", s)
	}
	other := start(t, config(w.records, 1, accept))
	for _, id := range ids {
		if j := w.await(t, id); j.Verdict != judge.AC || j.Worker != other.id || j.Attempt != 2 {
			t.Errorf("%+v", j)
		}
	}
}

// TestFaults: what each kind of error comes to.
func TestFaults(t *testing.T) {
	t.Parallel()
	hopeless := errors.New("bad package")
	tests := map[string]struct {
		judge   func(attempt int) (judge.Judgement, error)
		attempt int // so many were made before
		verdict judge.Verdict
		made    int
		message string
	}{
		"passes": {
			judge: func(n int) (judge.Judgement, error) {
				if n == 1 {
					return judge.Judgement{}, errors.New("a moment")
				}
				return judge.Judgement{Verdict: judge.WA}, nil
			}, verdict: judge.WA, made: 2,
		},
		"panics": {
			judge: func(n int) (judge.Judgement, error) {
				if n == 1 {
					panic("at the disco")
				}
				return judge.Judgement{Verdict: judge.AC}, nil
			}, verdict: judge.AC, made: 2,
		},
		"source": {judge: func(int) (judge.Judgement, error) {
			return judge.Judgement{}, fmt.Errorf("%w: no main", judge.ErrSource)
		}, verdict: judge.CE, made: 1},
		"problem": {judge: func(int) (judge.Judgement, error) { return judge.Judgement{}, hopeless }, verdict: judge.JE, made: 1, message: "bad package"},
		"too often": {
			judge:   func(int) (judge.Judgement, error) { return judge.Judgement{}, errors.New("no image") },
			attempt: work.MaxAttempts - 1, verdict: judge.JE, made: work.MaxAttempts, message: "no image",
		},
		"judging error": {
			judge: func(int) (judge.Judgement, error) {
				return judge.Judgement{Verdict: judge.JE, Message: "box broke"}, nil
			},
			attempt: 1, verdict: judge.JE, made: 3, message: "box broke",
		},
		"cannot be kept": {
			judge: func(int) (judge.Judgement, error) {
				return judge.Judgement{Verdict: judge.AC, Message: "NUL \x00"}, nil
			}, verdict: judge.JE, made: 1, message: "could not be kept",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			id := w.submit(t, "ada", judge.Contest).ID
			if _, err := w.Pool().Exec(t.Context(), "UPDATE judgements SET attempt = $1", test.attempt); err != nil {
				t.Fatal(err)
			}
			c := config(w.records, 1, func(_ context.Context, task judge.Task, _ func(work.Progress)) (judge.Judgement, error) {
				return test.judge(task.Attempt)
			})
			c.Hopeless = func(err error) bool { return errors.Is(err, hopeless) }
			start(t, c)
			j := w.await(t, id)
			if j.Verdict != test.verdict || j.Attempt != test.made || !strings.Contains(j.Message, test.message) {
				t.Errorf("%s after %d attempts, %q", j.Verdict, j.Attempt, j.Message)
			}
			if j.Verdict == judge.CE && (j.Compile == nil || !strings.Contains(j.Compile.Output, "no main")) {
				t.Errorf("compilation %+v", j.Compile)
			}
		})
	}
}

// TestBrokenBlocksNobody: what fails and fails again leaves the slot to others.
func TestBrokenBlocksNobody(t *testing.T) {
	w := newWorld(t)
	start(t, config(w.records, 1, func(ctx context.Context, task judge.Task, on func(work.Progress)) (judge.Judgement, error) {
		if task.Submission.Submitter.ID == "broken" {
			return judge.Judgement{}, errors.New("no image")
		}
		return accept(ctx, task, on)
	}))
	for range 20 {
		w.submit(t, "broken", judge.Contest)
	}
	for range 5 {
		if j := w.await(t, w.submit(t, "ada", judge.Practice).ID); j.Verdict != judge.AC {
			t.Errorf("%+v", j)
		}
	}
}

// TestNotReady: a worker whose engine is away takes nothing, and that costs no
// attempts but one; when the engine is back it goes on.
func TestNotReady(t *testing.T) {
	w := newWorld(t)
	var away atomic.Bool
	away.Store(true)
	var asked sync.Once
	wasAsked := make(chan struct{})
	c := config(w.records, 2, func(ctx context.Context, task judge.Task, on func(work.Progress)) (judge.Judgement, error) {
		if away.Load() {
			return judge.Judgement{}, errors.New("cannot dial")
		}
		return accept(ctx, task, on)
	})
	c.Ready = func(context.Context) error {
		if !away.Load() {
			return nil
		}
		asked.Do(func() { close(wasAsked) })
		return errors.New("the engine does not answer")
	}
	n := start(t, c)
	ids := []string{w.submit(t, "ada", judge.Contest).ID}
	<-wasAsked
	for range 5 {
		ids = append(ids, w.submit(t, "bob", judge.Contest).ID)
	}
	waitBeat(t, w, n.id)
	waitBeat(t, w, n.id)
	away.Store(false)
	for _, id := range ids {
		if j := w.await(t, id); j.Verdict != judge.AC || j.Attempt > 2 {
			t.Errorf("%s after %d attempts", j.Verdict, j.Attempt)
		}
	}
}

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
	id := w.submit(t, "ada", judge.Contest).ID
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
func TestLostTake(t *testing.T) {
	w := newWorld(t)
	n := start(t, config(w.records, 1, accept))
	w.await(t, w.submit(t, "ada", judge.Contest).ID) // so the worker is known
	id := w.World.Submit(t, "ada", judge.Contest).ID // without a job
	if task, ok, err := w.Take(t.Context(), n.id); err != nil || !ok || task.JudgementID != id {
		t.Fatal(task, ok, err)
	}
	if j := w.await(t, id); j.Verdict != judge.AC || j.Attempt != 2 {
		t.Errorf("%s after %d attempts", j.Verdict, j.Attempt)
	}
}

// forgetful loses the answers of some transactions, after they were committed or
// in their stead.
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

// TestLostAnswers: whatever transactions come to, each judgement is judged once.
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
		w.await(t, w.submit(t, fmt.Sprint("person", i%3), judge.Practice).ID)
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

// TestFlood: one who floods the queue costs another no more than what runs.
func TestFlood(t *testing.T) {
	w := newWorld(t)
	const slots = 2
	for range 100 {
		w.submit(t, "flood", judge.Practice)
	}
	b := newBlocked()
	start(t, config(w.records, slots, b.judge))
	for range slots {
		<-b.begun
	}
	b.let <- struct{}{}
	<-b.begun // in full flow
	w.submit(t, "ada", judge.Practice)
	b.let <- struct{}{}
	if next := <-b.begun; next.Submission.Submitter.ID != "ada" {
		t.Errorf("the next was %s's", next.Submission.Submitter.ID)
	}
	if _, err := w.Pool().Exec(t.Context(), "UPDATE judgements SET state = 'cancelled' WHERE state = 'queued'"); err != nil {
		t.Fatal(err)
	}
	close(b.let)
}
