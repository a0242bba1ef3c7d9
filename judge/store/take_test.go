//go:build postgres

package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

func TestTakeEachOnce(t *testing.T) {
	w := storetest.NewWorld(t)
	want := map[string]bool{}
	for i := range 120 {
		want[w.Submit(t, fmt.Sprint("p", i%7), judge.Priority(i%3)).ID] = true
	}
	id := worker(t, w.Store, 8)
	var mu sync.Mutex
	taken := map[string]int{}
	for _, err := range together(8, func(int) error {
		for {
			task, ok, err := w.Take(t.Context(), id)
			if err != nil || !ok {
				return err
			}
			mu.Lock()
			taken[task.JudgementID]++
			mu.Unlock()
			if rand.IntN(2) == 0 {
				finish(t, w.Store, task.Lease, judge.AC)
			}
		}
	}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for id := range want {
		if taken[id] != 1 {
			t.Errorf("judgement %s was taken %d times", id, taken[id])
		}
	}
	if len(taken) != len(want) {
		t.Errorf("%d taken, want %d", len(taken), len(want))
	}
}

func TestTakeByClass(t *testing.T) {
	w := storetest.NewWorld(t)
	for _, p := range []judge.Priority{judge.PriorityRejudge, judge.PriorityPractice, judge.PriorityContest, judge.PriorityPractice, judge.PriorityContest} {
		w.Submit(t, "ada", p)
	}
	id := worker(t, w.Store, 1)
	var got []judge.Priority
	for range 5 {
		got = append(got, take(t, w.Store, id).Submission.Priority)
	}
	if !slices.IsSorted(got) {
		t.Errorf("classes in order of taking: %v", got)
	}
}

// TestFlood has one person flood the queue before another hands in.
func TestFlood(t *testing.T) {
	for _, slots := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(slots), func(t *testing.T) {
			w := storetest.NewWorld(t)
			id := worker(t, w.Store, slots)
			for range 40 {
				w.Submit(t, "flood", judge.PriorityContest)
			}
			var held []judge.Task
			for range slots {
				held = append(held, take(t, w.Store, id))
			}
			for round := range 3 {
				w.Submit(t, "ada", judge.PriorityContest)
				// On a slow machine ada's own, which takes no time, may else take longer.
				exec(t, w.Store, "UPDATE judgements SET started_at = started_at - interval '1 minute' WHERE id = $1", held[0].JudgementID)
				finish(t, w.Store, held[0].Lease, judge.AC)
				next := take(t, w.Store, id)
				if got := next.Submission.Submitter.ID; got != "ada" {
					t.Fatalf("round %d: %s goes first, want ada, as soon as a slot is free", round, got)
				}
				finish(t, w.Store, next.Lease, judge.AC)
				held = append(held[1:], take(t, w.Store, id))
			}
		})
	}
}

// TestFairness lets people whose submissions take different times wait all the
// time; each must get about the same time.
func TestFairness(t *testing.T) {
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	cost := map[string]time.Duration{"quick": time.Second, "slow": 4 * time.Second, "middle": 2 * time.Second}
	for who := range cost {
		for range 60 {
			w.Submit(t, who, judge.PriorityPractice)
		}
	}
	used := map[string]time.Duration{}
	for range 70 {
		task := take(t, w.Store, id)
		who := task.Submission.Submitter.ID
		exec(t, w.Store, "UPDATE judgements SET started_at = started_at - $2::interval WHERE id = $1", task.JudgementID, cost[who].String())
		finish(t, w.Store, task.Lease, judge.AC)
		used[who] += cost[who]
	}
	// Turns end with the longest submission, and what a busy machine adds counts too.
	for a := range used {
		for b := range used {
			if d := used[a] - used[b]; d > 12*time.Second {
				t.Errorf("%s got %v, %s got %v", a, used[a], b, used[b])
			}
		}
	}
	if len(used) != len(cost) {
		t.Errorf("only %v were served", used)
	}
}

// TestForgotten: what was used long ago counts little, and a load of any age
// neither overflows nor underflows.
func TestForgotten(t *testing.T) {
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	spend := func(who string, ago, cost time.Duration) {
		w.Submit(t, who, judge.PriorityContest)
		task := take(t, w.Store, id)
		exec(t, w.Store, "UPDATE judgements SET started_at = clock_timestamp() - $2::interval WHERE id = $1", task.JudgementID, cost.String())
		finish(t, w.Store, task.Lease, judge.AC)
		exec(t, w.Store, "UPDATE shares SET load = load - extract(epoch FROM $2::interval) * ln(2) / 60 WHERE person = (SELECT person FROM judgements WHERE id = $1)",
			task.JudgementID, ago.String())
	}
	spend("ada", 100*365*24*time.Hour, 1000*time.Hour)
	spend("ada", 10*time.Minute, 10*time.Second)
	spend("bob", 0, time.Second)
	for _, who := range []string{"bob", "ada"} {
		w.Submit(t, who, judge.PriorityContest)
	}
	if got := take(t, w.Store, id).Submission.Submitter.ID; got != "ada" {
		t.Errorf("%s goes first, want ada, who used ten seconds ten minutes ago", got)
	}
}

// TestCrowd has more people wait than are compared.
func TestCrowd(t *testing.T) {
	w := storetest.NewWorld(t)
	const people = 600
	in(t, w.Store, func(tx *store.Tx) error {
		for i := range people {
			if _, _, err := tx.CreateSubmission(t.Context(), w.Submission(fmt.Sprint(i), judge.PriorityRejudge)); err != nil {
				return err
			}
		}
		return nil
	})
	id := worker(t, w.Store, 1)
	seen := map[string]bool{}
	for range people {
		task := take(t, w.Store, id)
		seen[task.Submission.Submitter.ID] = true
		finish(t, w.Store, task.Lease, judge.AC)
	}
	if _, ok, err := w.Take(t.Context(), id); ok || err != nil {
		t.Errorf("take from an empty queue: %v, %v", ok, err)
	}
	if len(seen) != people {
		t.Errorf("%d people served, want %d", len(seen), people)
	}
}

func TestFence(t *testing.T) {
	ctx := t.Context()
	writes := map[string]func(tx *store.Tx, l judge.Lease) error{
		"progress": func(tx *store.Tx, l judge.Lease) error {
			return tx.Progress(ctx, l, judge.Running, &judge.Compilation{}, []judge.Run{{Ordinal: 9, Case: "x", Verdict: judge.RE}})
		},
		"finish":    func(tx *store.Tx, l judge.Lease) error { return tx.Finish(ctx, l, &judge.Judgement{Verdict: judge.WA}) },
		"hand back": func(tx *store.Tx, l judge.Lease) error { return tx.HandBack(ctx, l, 0) },
	}
	ends := map[string]func(t *testing.T, w *storetest.World, l judge.Lease){
		"finished": func(t *testing.T, w *storetest.World, l judge.Lease) { t.Helper(); finish(t, w.Store, l, judge.AC) },
		"cancelled": func(t *testing.T, w *storetest.World, l judge.Lease) {
			t.Helper()
			in(t, w.Store, func(tx *store.Tx) error { return tx.Cancel(ctx, l.JudgementID) })
		},
		"handed back": func(t *testing.T, w *storetest.World, l judge.Lease) {
			t.Helper()
			in(t, w.Store, func(tx *store.Tx) error { return tx.HandBack(ctx, l, 0) })
		},
		"taken by another": func(t *testing.T, w *storetest.World, l judge.Lease) {
			t.Helper()
			in(t, w.Store, func(tx *store.Tx) error { return tx.HandBack(ctx, l, 0) })
			take(t, w.Store, worker(t, w.Store, 1))
		},
		"taken again by the same": func(t *testing.T, w *storetest.World, l judge.Lease) {
			t.Helper()
			in(t, w.Store, func(tx *store.Tx) error { return tx.HandBack(ctx, l, 0) })
			take(t, w.Store, l.Worker)
		},
		"worker dead": func(t *testing.T, w *storetest.World, l judge.Lease) {
			t.Helper()
			silence(t, w.Store, l.Worker)
			in(t, w.Store, func(tx *store.Tx) error { _, err := tx.RequeueDead(ctx, 5); return err })
		},
	}
	for end, do := range ends {
		t.Run(end, func(t *testing.T) {
			w := storetest.NewWorld(t)
			w.Submit(t, "ada", judge.PriorityContest)
			l := take(t, w.Store, worker(t, w.Store, 1)).Lease
			do(t, w, l)
			was := snapshot(t, w.Store, l.JudgementID)
			for name, write := range writes {
				wantErr(t, name, w.Tx(ctx, func(tx *store.Tx) error { return write(tx, l) }), judge.ErrStale)
			}
			if is := snapshot(t, w.Store, l.JudgementID); is != was {
				t.Errorf("a stale attempt changed\n%s\nto\n%s", was, is)
			}
		})
	}
}

// snapshot is all that is stored of a judgement, and how many events there are.
func snapshot(t *testing.T, s *store.Store, judgement string) string {
	t.Helper()
	var text string
	err := s.Pool().QueryRow(t.Context(), `SELECT to_jsonb(j)::text || coalesce((SELECT string_agg(to_jsonb(r)::text, '') FROM runs r WHERE judgement_id = j.id), '')
		|| (SELECT count(*) FROM events) FROM judgements j WHERE id = $1`, judgement).Scan(&text)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestFinishOnce has the writes of one lease, and its end by others, race.
func TestFinishOnce(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	before, err := w.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	const rounds = 15
	for range rounds {
		j := w.Submit(t, "ada", judge.PriorityContest)
		l := take(t, w.Store, id).Lease
		errs := together(8, func(i int) error {
			return w.Tx(ctx, func(tx *store.Tx) error {
				if i == 7 {
					return tx.Cancel(ctx, j.ID)
				}
				runs := []judge.Run{{Ordinal: i + 1, Case: fmt.Sprint(i), Verdict: judge.WA, Message: strings.Repeat("x", 100)}}
				return tx.Finish(ctx, l, &judge.Judgement{Verdict: judge.WA, Message: fmt.Sprint(i), Runs: runs})
			})
		})
		won := -1
		for i, err := range errs {
			if err == nil && won >= 0 {
				t.Fatalf("both %d and %d ended it", won, i)
			}
			if err == nil {
				won = i
			}
		}
		got, err := w.Judgement(ctx, j.ID)
		if err != nil {
			t.Fatal(err)
		}
		if won == 7 {
			if got.State != judge.Cancelled || got.Verdict != "" || len(got.Runs) != 0 {
				t.Errorf("cancelled: %+v", got)
			}
		} else if got.State != judge.Judged || got.Message != fmt.Sprint(won) || len(got.Runs) != 1 || got.Runs[0].Ordinal != won+1 {
			t.Errorf("%d won: %+v", won, got)
		}
	}
	events, err := w.Events(ctx, before, judge.EventFilter{}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for _, e := range events.Items {
		if e.Type == judge.JudgementJudged || e.Type == judge.JudgementCancelled {
			ended++
		}
	}
	if ended != rounds {
		t.Errorf("%d events of ends, want %d", ended, rounds)
	}
}

func TestHandBackLater(t *testing.T) {
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	j := w.Submit(t, "ada", judge.PriorityContest)
	l := take(t, w.Store, id).Lease
	in(t, w.Store, func(tx *store.Tx) error {
		if err := tx.Progress(t.Context(), l, judge.Running, nil, []judge.Run{{Ordinal: 1, Case: "a", Verdict: judge.AC}}); err != nil {
			return err
		}
		return tx.HandBack(t.Context(), l, time.Hour)
	})
	if _, ok, err := w.Take(t.Context(), id); ok || err != nil {
		t.Fatalf("taken before its time: %v, %v", ok, err)
	}
	if load, err := w.Load(t.Context()); err != nil || load != (judge.Load{Delayed: 1}) {
		t.Errorf("load %+v, %v", load, err)
	}
	exec(t, w.Store, "UPDATE judgements SET not_before = now() - interval '1 second'")
	again := take(t, w.Store, id)
	if again.JudgementID != j.ID || again.Attempt != 2 {
		t.Errorf("%+v, want attempt 2 of %s", again.Lease, j.ID)
	}
	if runs, err := w.Runs(t.Context(), j.ID); err != nil || len(runs) != 0 {
		t.Errorf("runs of the first attempt are left: %v, %v", runs, err)
	}
}

// silence has a worker's last heartbeat lie in the past, and waits until the
// server was up for longer than that.
func silence(t *testing.T, s *store.Store, worker string) {
	t.Helper()
	exec(t, s, "UPDATE workers SET heartbeat_at = now() - interval '1 minute' WHERE id = $1", worker)
	exec(t, s, "SELECT pg_sleep(greatest(0, extract(epoch FROM pg_postmaster_start_time() + $1::interval - now())))", store.DeadAfter.String())
}

func TestWorkers(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 2)
	w.Submit(t, "ada", judge.PriorityContest)
	for state, want := range map[judge.WorkerState]error{judge.WorkerCordoned: judge.ErrCordoned, judge.WorkerDraining: judge.ErrCordoned} {
		if err := w.SetWorkerState(ctx, id, state); err != nil {
			t.Fatal(err)
		}
		if got, err := w.Heartbeat(ctx, id); got != state || err != nil {
			t.Errorf("heartbeat: %s, %v, want %s", got, err, state)
		}
		_, _, err := w.Take(ctx, id)
		wantErr(t, string(state), err, want)
	}
	if err := w.SetWorkerState(ctx, id, judge.WorkerActive); err != nil {
		t.Fatal(err)
	}
	var j string
	for deaths := 1; deaths <= 3; deaths++ {
		l := take(t, w.Store, id).Lease
		j = l.JudgementID
		requeue := func() (n int) {
			in(t, w.Store, func(tx *store.Tx) (err error) { n, err = tx.RequeueDead(ctx, 3); return err })
			return n
		}
		if n := requeue(); n != 0 {
			t.Fatalf("%d judgements of a living worker were queued again", n)
		}
		silence(t, w.Store, id)
		_, _, err := w.Take(ctx, id)
		wantErr(t, "take without heartbeat", err, judge.ErrStale)
		want := 1
		if deaths == 3 {
			want = 0 // it is given up
		}
		if n := requeue(); n != want {
			t.Errorf("death %d: %d queued again, want %d", deaths, n, want)
		}
		_, err = w.Heartbeat(ctx, id)
		wantErr(t, "heartbeat of who is gone", err, judge.ErrNotFound)
		id = worker(t, w.Store, 2)
	}
	got, err := w.Judgement(ctx, j)
	if err != nil || got.Verdict != judge.JE || !strings.Contains(got.Message, "3 in all") {
		t.Errorf("%v: %s %q, want JE after three deaths", err, got.Verdict, got.Message)
	}

	// A process that begins anew under its old id had died.
	w.Submit(t, "bob", judge.PriorityContest)
	l := take(t, w.Store, id).Lease
	in(t, w.Store, func(tx *store.Tx) error {
		n, err := tx.Register(ctx, judge.Worker{ID: id, Name: "host", Slots: 1})
		if n != 1 {
			t.Errorf("%d queued again, want 1", n)
		}
		return err
	})
	if again := take(t, w.Store, id); again.JudgementID != l.JudgementID || again.Attempt != 2 {
		t.Errorf("%+v after %+v", again.Lease, l)
	}
	all, err := w.Workers(ctx)
	if err != nil || len(all) != 1 || all[0].ID != id || all[0].Slots != 1 {
		t.Errorf("workers %+v, %v", all, err)
	}
	if uuid.Validate(all[0].ID) != nil {
		t.Error(all[0].ID)
	}
}
