//go:build postgres

package store_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/store"
)

// A contest's attempts stay as they are until a rejudging of it is applied; what
// they would be is told beside them. The event is of the contest, first.
func TestRejudgingContest(t *testing.T) {
	ctx := t.Context()
	w, _ := newContest(t)
	id := worker(t, w.Store, 1)
	falls, _ := enter(t, w, "T", "")
	finish(t, w.Store, take(t, w.Store, id).Lease, judge.AC)
	failed, _ := enter(t, w, "T", "")
	finish(t, w.Store, take(t, w.Store, id).Lease, judge.WA)
	outside := judgedAs(t, w, id, "ada", judge.AC)
	verdicts := func(list []judge.Attempt, err error) map[string]judge.Verdict {
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]judge.Verdict{}
		for _, a := range list {
			out[a.Submission] = a.Verdict
		}
		return out
	}
	begin, err := w.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	within := judge.Scope{Contests: []string{"finals"}}
	choice, err := w.RejudgingChoice(ctx, judge.RejudgingRequest{Within: within})
	if err != nil || choice.Submissions != 2 || !slices.Equal(choice.Concerns, []judge.RejudgingConcern{{Problem: "aplusb", Contest: "finals"}}) {
		t.Errorf("within the contest: %+v, %v", choice, err)
	}
	r := rejudge(t, w, judge.RejudgingQuery{Problems: []string{"aplusb"}})
	if want := []judge.RejudgingConcern{{Problem: "aplusb"}, {Problem: "aplusb", Contest: "finals"}}; !slices.Equal(r.Concerns, want) {
		t.Errorf("concerns %+v, want %+v", r.Concerns, want)
	}
	if list, _, err := w.Rejudgings(ctx, within, "", 10); err != nil || len(list) != 0 {
		t.Errorf("for who is staff of the contest alone: %+v, %v", list, err)
	}
	judgeAll(t, w, id, map[string]judge.Verdict{falls.ID: judge.TLE, failed.ID: judge.JE, outside.SubmissionID: judge.WA})
	before := map[string]judge.Verdict{falls.ID: judge.AC, failed.ID: judge.WA}
	if diff := cmp.Diff(before, verdicts(w.Attempts(ctx, "finals", nil))); diff != "" {
		t.Error("before: " + diff)
	}
	if diff := cmp.Diff(map[string]judge.Verdict{falls.ID: judge.TLE}, verdicts(w.RejudgingAttempts(ctx, r.ID, "finals"))); diff != "" {
		t.Error("instead: " + diff)
	}
	if _, err := apply(t, w, r.ID, true); err != nil {
		t.Fatal(err)
	}
	before[falls.ID] = judge.TLE
	if diff := cmp.Diff(before, verdicts(w.Attempts(ctx, "finals", nil))); diff != "" {
		t.Error("after: " + diff)
	}
	if got := verdicts(w.RejudgingAttempts(ctx, r.ID, "finals")); len(got) != 0 {
		t.Errorf("of what is applied: %v", got)
	}
	typesOf(t, w, begin, "") // waits until they can be given out
	found, err := w.Events(ctx, begin, judge.EventFilter{Contest: "finals"}, 100)
	if err != nil || len(found.Items) != 2 || found.Items[0].Type != judge.RejudgingApplied || found.Items[1].SubmissionID != falls.ID {
		t.Errorf("events of the contest: %+v, %v", found.Items, err)
	}
	all := events(t, w.Store, begin).Items
	if len(all) != 4 || all[0].Type != judge.RejudgingApplied || all[1].Type != judge.RejudgingApplied || all[0].Problem+all[1].Problem != "aplusb" {
		t.Errorf("all events: %+v", all)
	}
}

// Pruning and rejudging at once: neither waits for the other for ever, and what is
// gone is gone from both.
func TestRejudgingPruned(t *testing.T) {
	ctx := t.Context()
	w, _ := newContest(t)
	id := worker(t, w.Store, 1)
	for range 20 {
		judgedAs(t, w, id, "ada", judge.AC)
	}
	r := rejudge(t, w, judge.RejudgingQuery{Submitter: "ada"})
	for range 20 {
		finish(t, w.Store, take(t, w.Store, id).Lease, judge.WA)
	}
	errs := together(2, func(i int) error {
		if i == 0 {
			_, err := w.PruneSubmissions(ctx, 0, 1000, false)
			return err
		}
		return w.Tx(ctx, func(tx *store.Tx) error {
			_, _, err := tx.ApplyRejudging(ctx, r.ID, w.Token.ID, "", false)
			return err
		})
	})
	for i, err := range errs {
		if err != nil && !store.Unavailable(err) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if _, err := w.PruneSubmissions(ctx, 0, 1000, false); err != nil {
		t.Fatal(err)
	}
	got, err := w.Rejudging(ctx, r.ID)
	if err != nil || count(t, w.Store, "rejudging_items") != 0 || count(t, w.Store, "judgements") != 0 {
		t.Errorf("after all was pruned: %+v, %v", got, err)
	}
}
