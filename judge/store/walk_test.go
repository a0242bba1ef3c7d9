//go:build postgres

package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

// TestFilters compares lists by random filters with what a plain look at all
// submissions finds, after random lives of them.
func TestFilters(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	other, _, err := w.CreateToken(ctx, judge.Token{Name: "other", Role: judge.RoleSubmitter})
	if err != nil {
		t.Fatal(err)
	}
	tokens := []string{w.Token.ID, other.ID}
	versions := []judge.ProblemVersion{w.Version}
	for _, p := range []string{"b", "c"} {
		in(t, w.Store, func(tx *store.Tx) error {
			v, err := tx.CreateVersion(ctx, judge.ProblemVersion{Problem: p, Digest: "d", Manifest: []byte(`{}`)})
			versions = append(versions, v)
			return err
		})
	}
	pick := func(list ...string) string { return list[rand.IntN(len(list))] }
	var all []string
	for range 60 {
		s := w.Submission(pick("", "ada", "bob"), judge.PriorityContest)
		v := versions[rand.IntN(len(versions))]
		s.Problem, s.VersionID, s.TokenID = v.Problem, v.ID, pick(tokens...)
		s.Language, s.Submitter.Team = pick("cpp", "python3"), pick("", "T", "U")
		in(t, w.Store, func(tx *store.Tx) error {
			made, j, err := tx.CreateSubmission(ctx, s)
			all = append(all, made.ID)
			if err == nil && rand.IntN(4) == 0 {
				err = tx.Cancel(ctx, j.ID)
			}
			return err
		})
		live(t, w.Store, id, all[rand.IntN(len(all))], w.Version.ID)
	}
	var listed []judge.Listed // by another way
	for _, id := range slices.Backward(all) {
		s, err := w.Store.Submission(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		s.Files = nil
		listed = append(listed, judge.Listed{Submission: s, Judgement: newestOf(t, w.Store, id)})
	}
	for range 400 {
		f := judge.SubmissionFilter{}
		choose := func(set func()) {
			if rand.IntN(3) == 0 {
				set()
			}
		}
		choose(func() { f.Problems = []string{"aplusb", "b", "c", "x"}[rand.IntN(3):][:1+rand.IntN(2)] })
		choose(func() { f.TokenID = pick(tokens...) })
		choose(func() { f.SubmitterID = pick("ada", "bob") })
		choose(func() { f.Team = pick("T", "U") })
		choose(func() { f.Language = pick("cpp", "python3") })
		choose(func() {
			f.State = judge.State(pick("queued", "compiling", "running", "judged", "cancelled", "unknown"))
		})
		choose(func() { f.Verdict = judge.Verdict(pick("AC", "WA", "TLE")) })
		choose(func() { f.Since = listed[rand.IntN(len(listed))].Submission.CreatedAt })
		choose(func() { f.Until = listed[rand.IntN(len(listed))].Submission.CreatedAt })
		var want []judge.Listed
		for _, l := range listed {
			if passes(f, l) {
				want = append(want, l)
			}
		}
		if diff := cmp.Diff(want, walk(t, w.Store, f, 1+rand.IntN(9))); diff != "" {
			t.Fatalf("%+v: %s", f, diff)
		}
	}
}

// live does something to a judgement: it is taken, it ends, is reviewed, or the
// submission is judged again.
func live(t *testing.T, s *store.Store, worker, submission, version string) {
	t.Helper()
	ctx := t.Context()
	task, ok, err := s.Take(ctx, worker)
	if err != nil {
		t.Fatal(err)
	}
	if ok {
		switch rand.IntN(5) { // or it stays as it is
		case 0:
			in(t, s, func(tx *store.Tx) error { return tx.Progress(ctx, task.Lease, judge.Running, nil, nil) })
		case 1:
			in(t, s, func(tx *store.Tx) error { return tx.HandBack(ctx, task.Lease, 0) })
		case 2:
			finish(t, s, task.Lease, judge.WA)
		case 3:
			in(t, s, func(tx *store.Tx) error {
				_, err := tx.CreateJudgement(ctx, task.Submission.ID, version, judge.PriorityRejudge)
				return err
			})
			finish(t, s, task.Lease, judge.AC) // which does not count any more
		}
	}
	all, err := s.Judgements(ctx, submission)
	if err != nil {
		t.Fatal(err)
	}
	switch j := all[rand.IntN(len(all))]; {
	case j.State == judge.Judged:
		if err := setReview(t, s, j.ID, judge.Review{Verdict: []judge.Verdict{"", judge.TLE}[rand.IntN(2)]}); err != nil {
			t.Fatal(err)
		}
	case rand.IntN(3) == 0 && j.State != judge.Cancelled:
		in(t, s, func(tx *store.Tx) error { return tx.Cancel(ctx, j.ID) })
	case rand.IntN(3) == 0:
		in(t, s, func(tx *store.Tx) error {
			_, err := tx.CreateJudgement(ctx, submission, version, judge.PriorityRejudge)
			return err
		})
	}
}

func passes(f judge.SubmissionFilter, l judge.Listed) bool {
	s, j := l.Submission, l.Judgement
	verdict := j.Verdict
	if j.Review != nil && j.Review.Verdict != "" {
		verdict = j.Review.Verdict
	}
	return (len(f.Problems) == 0 || slices.Contains(f.Problems, s.Problem)) &&
		(f.TokenID == "" || f.TokenID == s.TokenID) && (f.SubmitterID == "" || f.SubmitterID == s.Submitter.ID) &&
		(f.Team == "" || f.Team == s.Submitter.Team) && (f.Language == "" || f.Language == s.Language) &&
		(f.State == "" || f.State == j.State) && (f.Verdict == "" || f.Verdict == verdict) &&
		(f.Since.IsZero() || !s.CreatedAt.Before(f.Since)) && (f.Until.IsZero() || s.CreatedAt.Before(f.Until))
}

// walk lists all pages.
func walk(t *testing.T, s *store.Store, f judge.SubmissionFilter, limit int) (all []judge.Listed) {
	t.Helper()
	for cursor := ""; ; {
		page, err := s.Submissions(t.Context(), f, cursor, limit)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Items) > limit {
			t.Fatalf("%d items, at most %d wanted", len(page.Items), limit)
		}
		all = append(all, page.Items...)
		if cursor = page.Next; cursor == "" {
			return all
		}
	}
}

// TestLongWalk has filters find few among many.
func TestLongWalk(t *testing.T) {
	w := storetest.NewWorld(t)
	seed(t, w, 50_000, w.Token.ID)
	for name, f := range map[string]judge.SubmissionFilter{
		"cobol, on its problem": {Problems: []string{"p3"}, Language: "cobol"},
		"cobol, of a token":     {TokenID: w.Token.ID, Language: "cobol"},
		"cancelled, of all":     {State: judge.Cancelled, TokenID: w.Token.ID},
	} {
		if got := len(walk(t, w.Store, f, 30)); got != rare {
			t.Errorf("%s: %d found, want %d", name, got, rare)
		}
	}
	// Nothing is found, but that takes more than one page.
	page, err := w.Submissions(t.Context(), judge.SubmissionFilter{TokenID: w.Token.ID, Language: "none"}, "", 30)
	if err != nil || len(page.Items) != 0 || page.Next == "" {
		t.Errorf("%d items, next %q, %v", len(page.Items), page.Next, err)
	}
	if all := walk(t, w.Store, judge.SubmissionFilter{TokenID: w.Token.ID, Language: "none"}, 30); len(all) != 0 {
		t.Errorf("%d found of none", len(all))
	}
}

// TestUpgrade: what was stored before outcomes were gets them.
func TestUpgrade(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	for i := range 12 {
		s := w.Submit(t, fmt.Sprint(i), judge.PriorityContest)
		for range 3 {
			live(t, w.Store, id, s.SubmissionID, w.Version.ID)
		}
	}
	outcomes := func() map[string][2]string {
		out := map[string][2]string{}
		rows, err := w.Pool().Query(ctx, "SELECT id::text, newest::text, outcome FROM submissions")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var id, newest, outcome string
			if err := rows.Scan(&id, &newest, &outcome); err != nil {
				t.Fatal(err)
			}
			out[id] = [2]string{newest, outcome}
		}
		if rows.Err() != nil || len(out) != 12 {
			t.Fatal(len(out), rows.Err())
		}
		return out
	}
	want := outcomes()
	undo(t, w.Store)
	if err := w.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, outcomes()); diff != "" {
		t.Error(diff)
	}
}

// undo takes a database back to version 4.
func undo(t *testing.T, s *store.Store) {
	t.Helper()
	exec(t, s, "DROP TABLE statement_pages, verifications, webhook_tries, webhook_deliveries, webhooks, rejudging_items")
	exec(t, s, "ALTER TABLE problem_versions DROP COLUMN calibrated_ns")
	exec(t, s, "ALTER TABLE judgements DROP COLUMN shadow, DROP COLUMN rejudging_id")
	exec(t, s, "DROP TABLE rejudgings")
	exec(t, s, "ALTER TABLE events DROP COLUMN contest")
	exec(t, s, "ALTER TABLE submissions DROP COLUMN contest, DROP COLUMN contestant")
	exec(t, s, "DROP TABLE contestants, contest_problems, contests")
	exec(t, s, "ALTER TABLE origin DROP COLUMN pruned_xid, DROP COLUMN pruned_id")
	exec(t, s, "DROP TABLE run_outputs, inspections")
	exec(t, s, "ALTER TABLE judgements DROP COLUMN inspection")
	exec(t, s, "DROP INDEX submissions_by_submitter, submissions_by_team, submissions_by_token, submissions_by_language")
	exec(t, s, "ALTER TABLE submissions DROP COLUMN newest, DROP COLUMN outcome")
	exec(t, s, "CREATE INDEX submissions_by_person ON submissions (token_id, submitter_id, id)")
	exec(t, s, "DELETE FROM goose_db_version WHERE version_id > 4")
	if v, err := s.Version(t.Context()); v != 4 || err != nil {
		t.Fatal(v, err)
	}
}

// TestOutcomeOfDeaths: what was given up counts in lists, as all that has ended.
func TestOutcomeOfDeaths(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 2)
	for range 2 {
		w.Submit(t, "ada", judge.PriorityContest)
		take(t, w.Store, id)
	}
	exec(t, w.Store, "UPDATE workers SET state = 'gone'")
	in(t, w.Store, func(tx *store.Tx) error {
		n, err := tx.RequeueDead(ctx, 1)
		if n != 0 {
			t.Errorf("%d queued again", n)
		}
		return err
	})
	if n := len(walk(t, w.Store, judge.SubmissionFilter{Verdict: judge.JE}, 5)); n != 2 {
		t.Errorf("%d are JE, want 2", n)
	}
}
