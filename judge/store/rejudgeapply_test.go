//go:build postgres

package store_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

// Of many who apply and cancel at once one wins, and what it does is done once.
func TestRejudgingEndsOnce(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	old := judgedAs(t, w, id, "ada", judge.AC)
	for round := range 6 {
		begin, err := w.Now(ctx)
		if err != nil {
			t.Fatal(err)
		}
		r := rejudge(t, w, judge.RejudgingQuery{})
		was := current(t, w.Store, old.SubmissionID)
		judgeAll(t, w, id, map[string]judge.Verdict{old.SubmissionID: []judge.Verdict{judge.WA, judge.AC}[round%2]})
		var done atomic.Int32
		states := make([]judge.RejudgingState, 6)
		errs := together(len(states), func(i int) error {
			return w.Tx(ctx, func(tx *store.Tx) error {
				end := func() (judge.Rejudging, bool, error) { return tx.ApplyRejudging(ctx, r.ID, w.Token.ID, "a", false) }
				if i%2 == 1 {
					end = func() (judge.Rejudging, bool, error) { return tx.CancelRejudging(ctx, r.ID, w.Token.ID, "c") }
				}
				got, ended, err := end()
				states[i] = got.State
				if ended {
					done.Add(1)
				}
				return err
			})
		})
		won, err := w.Rejudging(ctx, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, err := range errs {
			wanted := judge.RejudgeApplied
			if i%2 == 1 {
				wanted = judge.RejudgeCancelled
			}
			if (err == nil) != (won.State == wanted) || (err != nil && !errors.Is(err, judge.ErrConflict)) || states[i] != won.State {
				t.Errorf("%s won; %d was told %s, %v", won.State, i, states[i], err)
			}
		}
		all, err := w.Judgements(ctx, old.SubmissionID)
		if err != nil {
			t.Fatal(err)
		}
		counting, told := 0, typesOf(t, w, begin, "none")
		for _, j := range all {
			if j.Current {
				counting++
			}
		}
		if done.Load() != 1 {
			t.Errorf("%d have ended it", done.Load())
		}
		applied := won.State == judge.RejudgeApplied
		if counting != 1 || all[0].Current != applied || all[0].Shadow == applied {
			t.Errorf("after it was %s: %+v", won.State, all)
		}
		differs := was.Verdict != all[0].Verdict
		if want := map[bool]int{true: 1}[applied] + map[bool]int{true: 1}[applied && differs]; len(told) != want {
			t.Errorf("after it was %s: %d events, want %d: %v", won.State, len(told), want, told)
		}
	}
}

func TestRejudgingBlocked(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	good, failed, late, changed := judgedAs(t, w, id, "a", judge.AC), judgedAs(t, w, id, "b", judge.AC), judgedAs(t, w, id, "c", judge.AC), judgedAs(t, w, id, "d", judge.AC)
	r := rejudge(t, w, judge.RejudgingQuery{})
	for range 4 {
		switch task := take(t, w.Store, id); task.Submission.ID {
		case failed.SubmissionID:
			finish(t, w.Store, task.Lease, judge.JE)
		case late.SubmissionID:
		default:
			finish(t, w.Store, task.Lease, judge.WA)
		}
	}
	other := rejudge(t, w, judge.RejudgingQuery{Submissions: []string{changed.SubmissionID}})
	judgeAll(t, w, id, map[string]judge.Verdict{changed.SubmissionID: judge.TLE})
	if _, err := apply(t, w, other.ID, false); err != nil {
		t.Fatal(err)
	}
	if got, want := counts(t, w, r.ID), (judge.RejudgingCounts{Total: 4, Running: 1, Judged: 3, Failed: 1, Changed: 3, Conflicts: 1}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	_, err := apply(t, w, r.ID, false)
	wantErr(t, "apply what is not judged, has failed, or conflicts", err, judge.ErrConflict)
	if current(t, w.Store, good.SubmissionID).Verdict != judge.AC {
		t.Error("what was refused has changed something")
	}
	got, err := apply(t, w, r.ID, true)
	if want := (judge.RejudgingCounts{Total: 4, Judged: 3, Failed: 1, Cancelled: 1, Changed: 3, Conflicts: 1, Applied: 1}); err != nil || got.Counts != want {
		t.Errorf("by force: %+v, %v; want %+v", got.Counts, err, want)
	}
	for _, s := range []struct {
		of   judge.Judgement
		want judge.Verdict
	}{{good, judge.WA}, {failed, judge.AC}, {late, judge.AC}, {changed, judge.TLE}} {
		if j := current(t, w.Store, s.of.SubmissionID); j.Verdict != s.want {
			t.Errorf("%s counts, want %s", j.Verdict, s.want)
		}
	}
	err = w.Tx(ctx, func(tx *store.Tx) error {
		_, _, err := tx.CancelRejudging(ctx, r.ID, w.Token.ID, "too late")
		return err
	})
	wantErr(t, "cancel what is applied", err, judge.ErrConflict)
	_, err = apply(t, w, "0195f1a2-0000-7000-8000-000000000001", false)
	wantErr(t, "apply nothing", err, judge.ErrNotFound)
}

func TestRejudgingExpires(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 2)
	old := judgedAs(t, w, id, "ada", judge.AC)
	judgedAs(t, w, id, "bob", judge.AC)
	r := rejudge(t, w, judge.RejudgingQuery{})
	task := take(t, w.Store, id)
	expire := func() (n int) {
		in(t, w.Store, func(tx *store.Tx) (err error) {
			n, err = tx.ExpireRejudgings(ctx, 10)
			return err
		})
		return n
	}
	if n := expire(); n != 0 {
		t.Errorf("%d expired before their time", n)
	}
	exec(t, w.Store, "UPDATE rejudgings SET expires_at = now() - interval '1 second'")
	if n := expire(); n != 1 {
		t.Errorf("%d expired, want 1", n)
	}
	got, err := w.Rejudging(ctx, r.ID)
	if err != nil || got.State != judge.RejudgeExpired || got.Counts.Cancelled != 2 || got.EndedBy != "" || got.EndedAt.IsZero() {
		t.Errorf("expired: %+v, %v", got, err)
	}
	err = w.Tx(ctx, func(tx *store.Tx) error { return tx.Finish(ctx, task.Lease, &judge.Judgement{Verdict: judge.WA}) })
	wantErr(t, "finish what has expired", err, judge.ErrStale)
	if j := current(t, w.Store, old.SubmissionID); j.ID != old.ID || j.Verdict != judge.AC {
		t.Errorf("%+v counts", j)
	}
	_, err = apply(t, w, r.ID, true)
	wantErr(t, "apply what has expired", err, judge.ErrConflict)
}

func TestRejudgingAuto(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	old := judgedAs(t, w, id, "ada", judge.AC)
	rejudge(t, w, judge.RejudgingQuery{}) // not by itself
	var r judge.Rejudging
	in(t, w.Store, func(tx *store.Tx) (err error) {
		r, err = tx.CreateRejudging(ctx, judge.RejudgingRequest{By: w.Token.ID, Auto: true})
		return err
	})
	due := func() []string {
		ids, err := w.AutoRejudgings(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return ids
	}
	for range 2 {
		task := take(t, w.Store, id)
		if j, err := w.Judgement(ctx, task.JudgementID); err != nil || (j.RejudgingID == r.ID && len(due()) != 0) {
			t.Errorf("to be applied before all is judged: %v, %v", due(), err)
		}
		finish(t, w.Store, task.Lease, judge.WA)
	}
	if ids := due(); len(ids) != 1 || ids[0] != r.ID {
		t.Errorf("to be applied: %v, want %s", ids, r.ID)
	}
	if err := w.NoteRejudging(ctx, r.ID, "1 failed"); err != nil {
		t.Fatal(err)
	}
	got, err := w.Rejudging(ctx, r.ID)
	if err != nil || got.Trouble != "1 failed" || len(due()) != 0 || current(t, w.Store, old.SubmissionID).ID != old.ID {
		t.Errorf("after trouble: %+v, %v", got, err)
	}
}
