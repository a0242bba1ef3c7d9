//go:build postgres

package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

// judgedAs hands in a submission and has it judged.
func judgedAs(t *testing.T, w *storetest.World, worker, who string, v judge.Verdict) judge.Judgement {
	t.Helper()
	j := w.Submit(t, who, judge.PriorityContest)
	finish(t, w.Store, take(t, w.Store, worker).Lease, v)
	return j
}

// publish publishes a new version of the world's problem.
func publish(t *testing.T, w *storetest.World, digest string) judge.ProblemVersion {
	t.Helper()
	var v judge.ProblemVersion
	in(t, w.Store, func(tx *store.Tx) (err error) {
		if v, err = tx.CreateVersion(t.Context(), judge.ProblemVersion{Problem: "aplusb", Digest: digest, Manifest: []byte(`{}`)}); err == nil {
			err = tx.SetVersionState(t.Context(), v.ID, judge.Published)
		}
		return err
	})
	return v
}

func rejudge(t *testing.T, w *storetest.World, q judge.RejudgingQuery) judge.Rejudging {
	t.Helper()
	var r judge.Rejudging
	in(t, w.Store, func(tx *store.Tx) (err error) {
		r, err = tx.CreateRejudging(t.Context(), judge.RejudgingRequest{By: w.Token.ID, Reason: "case 3 was wrong", Query: q})
		return err
	})
	return r
}

// judgeAll judges what waits, by submission, and returns the versions it was on.
func judgeAll(t *testing.T, w *storetest.World, worker string, verdicts map[string]judge.Verdict) (versions []string) {
	t.Helper()
	for range verdicts {
		task := take(t, w.Store, worker)
		finish(t, w.Store, task.Lease, verdicts[task.Submission.ID])
		versions = append(versions, task.VersionID)
	}
	return versions
}

func apply(t *testing.T, w *storetest.World, id string, force bool) (r judge.Rejudging, err error) {
	t.Helper()
	err = w.Tx(t.Context(), func(tx *store.Tx) error {
		r, _, err = tx.ApplyRejudging(t.Context(), id, w.Token.ID, "seen", force)
		return err
	})
	return r, err
}

func counts(t *testing.T, w *storetest.World, id string) judge.RejudgingCounts {
	t.Helper()
	r, err := w.Rejudging(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r.Counts
}

// shown is what is shown of all submissions to who is not staff: the judgement
// that counts, what lists by verdict say, and statistics.
func shown(t *testing.T, w *storetest.World) string {
	t.Helper()
	var out []string
	for _, v := range []judge.Verdict{"", judge.AC, judge.WA, judge.TLE} {
		for _, l := range walk(t, w.Store, judge.SubmissionFilter{Verdict: v}, 10) {
			out = append(out, fmt.Sprint(v, " ", l.Submission.ID, " ", l.Judgement.ID, " ", l.Judgement.Verdict, " ", l.Judgement.State, " ", l.Judgement.Current))
		}
	}
	s, err := w.Statistics(t.Context(), time.Time{}, judge.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(out, s.Submissions, s.Judgements)
}

func TestRejudging(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	stays, falls, rises := judgedAs(t, w, id, "ada", judge.AC), judgedAs(t, w, id, "bob", judge.AC), judgedAs(t, w, id, "eve", judge.WA)
	if err := setReview(t, w.Store, rises.ID, judge.Review{Verified: true, Reason: "looked"}); err != nil {
		t.Fatal(err)
	}
	waits := w.Submit(t, "max", judge.PriorityPractice)
	now := publish(t, w, "d2")
	begin, err := w.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	before := shown(t, w)
	query := judge.RejudgingQuery{Problems: []string{"aplusb"}}
	choice, err := w.RejudgingChoice(ctx, judge.RejudgingRequest{Query: query})
	if err != nil || choice.Submissions != 3 || choice.Skipped != 1 || !slices.Equal(choice.Concerns, []judge.RejudgingConcern{{Problem: "aplusb"}}) {
		t.Errorf("choice: %+v, %v", choice, err)
	}
	r := rejudge(t, w, query)
	want := judge.RejudgingCounts{Total: 3, Queued: 3, Skipped: 1, Reviewed: 1}
	if r.State != judge.RejudgeJudging || r.Counts != want || r.ByName != "platform" || r.ExpiresAt.Sub(r.CreatedAt) < judge.RejudgingTime-time.Minute {
		t.Errorf("rejudging: %+v", r)
	}
	if task := take(t, w.Store, id); task.JudgementID != waits.ID {
		t.Error("a rejudging went before a submission")
	} else {
		in(t, w.Store, func(tx *store.Tx) error { return tx.HandBack(ctx, task.Lease, time.Hour) })
	}
	versions := judgeAll(t, w, id, map[string]judge.Verdict{stays.SubmissionID: judge.AC, falls.SubmissionID: judge.TLE, rises.SubmissionID: judge.AC})
	if !slices.Equal(versions, []string{now.ID, now.ID, now.ID}) {
		t.Errorf("judged on %v, not on what is published, %s", versions, now.ID)
	}
	if after := shown(t, w); after != before {
		t.Errorf("before it is applied, it is seen: %s", cmp.Diff(before, after))
	}
	if e := typesOf(t, w, begin, waits.SubmissionID); len(e) > 0 {
		t.Errorf("before it is applied, it is told of: %v", e)
	}
	checkPreview(t, w, r.ID, falls, rises)

	r, err = apply(t, w, r.ID, false)
	want = judge.RejudgingCounts{Total: 3, Judged: 3, Skipped: 1, Changed: 2, Reviewed: 1, Applied: 3}
	if err != nil || r.State != judge.RejudgeApplied || r.Counts != want || r.EndedBy != w.Token.ID || r.EndReason != "seen" {
		t.Errorf("applied: %+v, %v", r, err)
	}
	told := []string{"rejudging.applied  aplusb", "judgement.judged " + falls.SubmissionID + " aplusb", "judgement.judged " + rises.SubmissionID + " aplusb"}
	if diff := cmp.Diff(told, typesOf(t, w, begin, waits.SubmissionID)); diff != "" {
		t.Error("told: " + diff)
	}
	for _, old := range []judge.Judgement{stays, falls, rises} {
		checkApplied(t, w, r.ID, old)
	}
	if again, err := apply(t, w, r.ID, false); err != nil || again.EndedAt != r.EndedAt || len(typesOf(t, w, begin, waits.SubmissionID)) != len(told) {
		t.Errorf("applied again: %+v, %v", again, err)
	}
	if l := walk(t, w.Store, judge.SubmissionFilter{Verdict: judge.TLE}, 10); len(l) != 1 || l[0].Judgement.RejudgingID != r.ID {
		t.Errorf("with the new verdict: %+v", l)
	}
}

// typesOf are the events after a position, but of one submission.
func typesOf(t *testing.T, w *storetest.World, after, but string) (out []string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		e := events(t, w.Store, after)
		if e.Pending && time.Now().Before(deadline) {
			continue
		}
		for _, e := range e.Items {
			if e.SubmissionID != but {
				out = append(out, fmt.Sprint(e.Type, " ", e.SubmissionID, " ", e.Problem))
			}
		}
		return out
	}
}

func checkPreview(t *testing.T, w *storetest.World, id string, falls, rises judge.Judgement) {
	t.Helper()
	ctx := t.Context()
	r, err := w.Rejudging(ctx, id)
	if err != nil || r.State != judge.RejudgeReady || r.Counts.Changed != 2 || r.Counts.Blocked() != 0 {
		t.Errorf("ready: %+v, %v", r, err)
	}
	pairs, err := w.RejudgingPairs(ctx, id)
	if diff := cmp.Diff([]judge.VerdictPair{{Old: judge.AC, New: judge.AC, Count: 1}, {Old: judge.AC, New: judge.TLE, Count: 1}, {Old: judge.WA, New: judge.AC, Count: 1}}, pairs); diff != "" || err != nil {
		t.Error(diff, err)
	}
	var got []string
	cursor := ""
	for {
		list, next, err := w.RejudgingChanges(ctx, id, false, cursor, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			got = append(got, fmt.Sprint(c.Submission.ID, " ", c.Old.ID, " ", c.Old.Verdict, c.New.Verdict, c.Differs, c.Conflict, c.Applied, c.New.Shadow, c.New.Current, c.Old.Current))
		}
		if cursor = next; next == "" {
			break
		}
	}
	want := []string{
		fmt.Sprint(rises.SubmissionID, " ", rises.ID, " ", judge.WA, judge.AC, true, false, false, true, false, true),
		fmt.Sprint(falls.SubmissionID, " ", falls.ID, " ", judge.AC, judge.TLE, true, false, false, true, false, true),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("changes: " + diff)
	}
	if all, _, err := w.RejudgingChanges(ctx, id, true, "", 10); err != nil || len(all) != 3 {
		t.Errorf("all: %d, %v", len(all), err)
	}
}

// current is the judgement of a submission that counts.
func current(t *testing.T, s *store.Store, submission string) judge.Judgement {
	t.Helper()
	all, err := s.Judgements(t.Context(), submission)
	i := slices.IndexFunc(all, func(j judge.Judgement) bool { return j.Current })
	if err != nil || i < 0 {
		t.Fatal(all, err)
	}
	return all[i]
}

// checkApplied: the old judgement is there still, and the new one counts.
func checkApplied(t *testing.T, w *storetest.World, rejudging string, old judge.Judgement) {
	t.Helper()
	all, err := w.Judgements(t.Context(), old.SubmissionID)
	if err != nil || len(all) != 2 || !all[0].Current || all[0].Shadow || all[0].RejudgingID != rejudging || all[0].Review != nil ||
		all[1].ID != old.ID || all[1].Current || all[1].RejudgingID != "" {
		t.Errorf("judgements after: %+v, %v", all, err)
	}
}

func TestRejudgingQuery(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	one, two := worker(t, w.Store, 1), worker(t, w.Store, 1)
	a := judgedAs(t, w, one, "ada", judge.AC)
	b := judgedAs(t, w, two, "bob", judge.WA)
	c := judgedAs(t, w, one, "ada", judge.WA)
	if err := setReview(t, w.Store, c.ID, judge.Review{Verdict: judge.TLE}); err != nil {
		t.Fatal(err)
	}
	gone := w.Submit(t, "eve", judge.PriorityContest)
	in(t, w.Store, func(tx *store.Tx) error { return tx.Cancel(ctx, gone.ID) })
	exec(t, w.Store, "UPDATE submissions SET created_at = now() - interval '1 day', language = 'cpp' WHERE id = $1", a.SubmissionID)
	for name, test := range map[string]struct {
		query  judge.RejudgingQuery
		within judge.Scope
		want   int
	}{
		"all":                   {want: 3},
		"problem":               {query: judge.RejudgingQuery{Problems: []string{"aplusb", "none"}}, want: 3},
		"other problem":         {query: judge.RejudgingQuery{Problems: []string{"none"}}, want: 0},
		"contest":               {query: judge.RejudgingQuery{Contests: []string{"finals"}}, want: 0},
		"language":              {query: judge.RejudgingQuery{Languages: []string{"cpp"}}, want: 1},
		"worker":                {query: judge.RejudgingQuery{Workers: []string{one}}, want: 2},
		"workers":               {query: judge.RejudgingQuery{Workers: []string{one, two}}, want: 3},
		"verdict":               {query: judge.RejudgingQuery{Verdicts: []judge.Verdict{judge.WA}}, want: 1},
		"verdict as reviewed":   {query: judge.RejudgingQuery{Verdicts: []judge.Verdict{judge.TLE, judge.AC}}, want: 2},
		"person":                {query: judge.RejudgingQuery{Submitter: "ada"}, want: 2},
		"since":                 {query: judge.RejudgingQuery{Since: time.Now().Add(-time.Hour)}, want: 2},
		"until":                 {query: judge.RejudgingQuery{Until: time.Now().Add(-time.Hour)}, want: 1},
		"both":                  {query: judge.RejudgingQuery{Submitter: "ada", Workers: []string{one}, Until: time.Now().Add(-time.Hour)}, want: 1},
		"ids":                   {query: judge.RejudgingQuery{Submissions: []string{a.SubmissionID, b.SubmissionID}}, want: 2},
		"id of a cancelled one": {query: judge.RejudgingQuery{Submissions: []string{gone.SubmissionID}}, want: 1},
		"in scope":              {within: judge.Scope{Problems: []string{"aplusb"}, Contests: []string{"x"}}, want: 3},
		"not in scope":          {within: judge.Scope{Contests: []string{"x"}}, want: 0},
	} {
		got, err := w.RejudgingChoice(ctx, judge.RejudgingRequest{Query: test.query, Within: test.within})
		if err != nil || got.Submissions != test.want {
			t.Errorf("%s: %+v, %v; want %d", name, got, err, test.want)
		}
	}
	for name, r := range map[string]judge.RejudgingRequest{
		"no id":        {Query: judge.RejudgingQuery{Submissions: []string{"x"}}},
		"unknown id":   {Query: judge.RejudgingQuery{Submissions: []string{a.SubmissionID, a.ID}}},
		"out of scope": {Query: judge.RejudgingQuery{Submissions: []string{a.SubmissionID}}, Within: judge.Scope{Problems: []string{"other"}}},
		"no worker":    {Query: judge.RejudgingQuery{Workers: []string{"x"}}},
	} {
		_, err := w.RejudgingChoice(ctx, r)
		wantErr(t, name, err, judge.ErrNotFound)
	}
	err := w.Tx(ctx, func(tx *store.Tx) error {
		_, err := tx.CreateRejudging(ctx, judge.RejudgingRequest{By: w.Token.ID, Query: judge.RejudgingQuery{Submitter: "nobody"}})
		return err
	})
	wantErr(t, "a rejudging of nothing", err, judge.ErrInvalid)
	in(t, w.Store, func(tx *store.Tx) error { return tx.SetVersionState(ctx, w.Version.ID, judge.Retired) })
	err = w.Tx(ctx, func(tx *store.Tx) error {
		_, err := tx.CreateRejudging(ctx, judge.RejudgingRequest{By: w.Token.ID})
		return err
	})
	wantErr(t, "a rejudging on what is not published", err, judge.ErrInvalid)
	in(t, w.Store, func(tx *store.Tx) error {
		_, err := tx.CreateRejudging(ctx, judge.RejudgingRequest{By: w.Token.ID, Same: true})
		return err
	})
}

func TestRejudgingScope(t *testing.T) {
	w := storetest.NewWorld(t)
	judgedAs(t, w, worker(t, w.Store, 1), "ada", judge.AC)
	r := rejudge(t, w, judge.RejudgingQuery{})
	for scope, want := range map[string]int{"aplusb": 1, "other": 0, "": 1} {
		within := judge.Scope{Problems: []string{scope}}
		if scope == "" {
			within = judge.Scope{}
		}
		list, next, err := w.Rejudgings(t.Context(), within, "", 10)
		if err != nil || len(list) != want || next != "" {
			t.Errorf("within %q: %+v, %q, %v", scope, list, next, err)
		}
	}
	rejudge(t, w, judge.RejudgingQuery{})
	list, next, err := w.Rejudgings(t.Context(), judge.Scope{}, "", 1)
	if err != nil || len(list) != 1 || next == "" {
		t.Fatalf("first page: %+v, %q, %v", list, next, err)
	}
	list, next, err = w.Rejudgings(t.Context(), judge.Scope{}, next, 1)
	if err != nil || len(list) != 1 || list[0].ID != r.ID || next != "" {
		t.Errorf("second page: %+v, %q, %v", list, next, err)
	}
}
