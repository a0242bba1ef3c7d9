//go:build postgres

package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

// count is the number of rows of each table.
func count(t *testing.T, s *store.Store, table string) (n int) {
	t.Helper()
	if err := s.Pool().QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

type pruner func(ctx context.Context, olderThan time.Duration, limit int, dryRun bool) (int, error)

// prunes calls a pruner until it has taken all, three at a time, and says how many
// that were.
func prunes(t *testing.T, prune pruner, olderThan time.Duration) int {
	t.Helper()
	all := 0
	for {
		dry, err := prune(t.Context(), olderThan, 3, true)
		if err != nil {
			t.Fatal(err)
		}
		n, err := prune(t.Context(), olderThan, 3, false)
		if err != nil {
			t.Fatal(err)
		}
		if n != dry || n > 3 {
			t.Fatalf("%d are gone, dry run: %d", n, dry)
		}
		if n == 0 {
			return all
		}
		all += n
	}
}

func TestRetention(t *testing.T) {
	w := storetest.NewWorld(t)
	ctx := t.Context()
	id := worker(t, w.Store, 1)
	var last judge.Judgement
	for range 5 {
		last = judgedWith(t, w, id, &said, &said)
	}
	in(t, w.Store, func(tx *store.Tx) error {
		_, err := tx.CreateInspection(ctx, last.ID, 1, w.Token.ID)
		return err
	})
	task := take(t, w.Store, id)
	in(t, w.Store, func(tx *store.Tx) error {
		return tx.Finish(ctx, task.Lease, &judge.Judgement{Verdict: judge.WA, Runs: []judge.Run{{Ordinal: 1, Verdict: judge.WA, Output: &said}}})
	})
	waiting := w.Submit(t, "ada", judge.PriorityContest)
	again := judgedWith(t, w, id, &said) // judges the one that waits; its own waits
	for name, prune := range map[string]pruner{"outputs": w.PruneOutputs, "inspections": w.PruneInspections, "submissions": w.PruneSubmissions} {
		if n := prunes(t, prune, time.Hour); n != 0 {
			t.Errorf("%d young %s are gone", n, name)
		}
	}
	const old = -time.Minute // all that there is
	if n := prunes(t, w.PruneInspections, old); n != 1 || count(t, w.Store, "inspections") != 0 {
		t.Errorf("%d inspections are gone", n)
	}
	if n, runs := prunes(t, w.PruneOutputs, old), count(t, w.Store, "runs"); n != 11 || runs != 11 {
		t.Errorf("%d outputs are gone, %d runs are left", n, runs)
	}
	// One is judged again, one waits.
	in(t, w.Store, func(tx *store.Tx) error {
		_, err := tx.CreateJudgement(ctx, last.SubmissionID, w.Version.ID, judge.PriorityRejudge)
		return err
	})
	if n := prunes(t, w.PruneSubmissions, old); n != 5 {
		t.Errorf("%d submissions are gone, want 5", n)
	}
	for table, want := range map[string]int{"submissions": 2, "judgements": 3, "submission_files": 4, "runs": 2} {
		if n := count(t, w.Store, table); n != want {
			t.Errorf("%d %s are left, want %d", n, table, want)
		}
	}
	if _, err := w.Store.Submission(ctx, last.SubmissionID); err != nil {
		t.Error(err)
	}
	_, err := w.Store.Submission(ctx, waiting.SubmissionID)
	wantErr(t, "a submission that is gone", err, judge.ErrNotFound)
	if _, err := w.Store.Submission(ctx, again.SubmissionID); err != nil {
		t.Error(err)
	}
}

func TestStatistics(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	var judged judge.Task
	for _, v := range []judge.Verdict{judge.AC, judge.WA, judge.WA} {
		w.Submit(t, "ada", judge.PriorityContest)
		judged = take(t, w.Store, id)
		finish(t, w.Store, judged.Lease, v)
	}
	third, err := w.Judgement(ctx, judged.JudgementID)
	if err != nil {
		t.Fatal(err)
	}
	middle := third.CreatedAt // a moment before that of its submission
	if err := setReview(t, w.Store, judged.JudgementID, judge.Review{Verdict: judge.TLE}); err != nil {
		t.Fatal(err)
	}
	w.Submit(t, "ada", judge.PriorityContest)
	gone := w.Submit(t, "ada", judge.PriorityContest)
	in(t, w.Store, func(tx *store.Tx) error {
		if err := tx.Cancel(ctx, gone.ID); err != nil {
			return err
		}
		_, err := tx.CreateJudgement(ctx, gone.SubmissionID, w.Version.ID, judge.PriorityRejudge)
		return err
	})
	take(t, w.Store, id)
	for name, tt := range map[string]struct {
		since                   time.Time
		problems                []string
		submissions, judgements judge.Tally
	}{
		"all": {
			submissions: judge.Tally{
				Total: 5, States: map[judge.State]int{judge.Judged: 3, judge.Queued: 1, judge.Compiling: 1},
				Verdicts: map[judge.Verdict]int{judge.AC: 1, judge.WA: 1, judge.TLE: 1}, Languages: map[string]int{"python3": 5}, Problems: map[string]int{"aplusb": 5},
			},
			judgements: judge.Tally{
				Total: 6, States: map[judge.State]int{judge.Judged: 3, judge.Queued: 1, judge.Compiling: 1, judge.Cancelled: 1},
				Verdicts: map[judge.Verdict]int{judge.AC: 1, judge.WA: 1, judge.TLE: 1}, Languages: map[string]int{"python3": 6}, Problems: map[string]int{"aplusb": 6},
			},
		},
		"since": {
			since: middle, problems: []string{"aplusb", "x"},
			submissions: judge.Tally{
				Total: 3, States: map[judge.State]int{judge.Judged: 1, judge.Queued: 1, judge.Compiling: 1},
				Verdicts: map[judge.Verdict]int{judge.TLE: 1}, Languages: map[string]int{"python3": 3}, Problems: map[string]int{"aplusb": 3},
			},
			judgements: judge.Tally{
				Total: 4, States: map[judge.State]int{judge.Judged: 1, judge.Queued: 1, judge.Compiling: 1, judge.Cancelled: 1},
				Verdicts: map[judge.Verdict]int{judge.TLE: 1}, Languages: map[string]int{"python3": 4}, Problems: map[string]int{"aplusb": 4},
			},
		},
		"another problem": {problems: []string{"x"}},
	} {
		got, err := w.Statistics(ctx, tt.since, judge.Scope{Problems: tt.problems})
		if err != nil {
			t.Fatal(err)
		}
		want := judge.Statistics{Since: tt.since, Submissions: tt.submissions, Judgements: tt.judgements, Load: judge.Load{Ready: 1, Running: 1}}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
