//go:build postgres

package store_test

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
	"judge/migrations"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// worker registers a worker and returns its id.
func worker(tb testing.TB, s *store.Store, slots int) string {
	tb.Helper()
	id := uuid.NewString()
	in(tb, s, func(tx *store.Tx) error {
		_, err := tx.Register(tb.Context(), judge.Worker{ID: id, Name: "host", Slots: slots, Build: "b"})
		return err
	})
	return id
}

// in runs fn in a transaction that must not fail.
func in(tb testing.TB, s *store.Store, fn func(tx *store.Tx) error) {
	tb.Helper()
	if err := s.Tx(tb.Context(), fn); err != nil {
		tb.Fatal(err)
	}
}

// take takes for a worker that lives, however long the machine took until here.
func take(tb testing.TB, s *store.Store, worker string) judge.Task {
	tb.Helper()
	if _, err := s.Heartbeat(tb.Context(), worker); err != nil {
		tb.Fatal(err)
	}
	task, ok, err := s.Take(tb.Context(), worker)
	if err != nil || !ok {
		tb.Fatalf("take: %v, %v", ok, err)
	}
	return task
}

func finish(tb testing.TB, s *store.Store, l judge.Lease, v judge.Verdict) {
	tb.Helper()
	in(tb, s, func(tx *store.Tx) error { return tx.Finish(tb.Context(), l, &judge.Judgement{Verdict: v}) })
}

func setReview(tb testing.TB, s *store.Store, judgement string, r judge.Review) error {
	tb.Helper()
	return s.Tx(tb.Context(), func(tx *store.Tx) error { return tx.SetReview(tb.Context(), judgement, r) })
}

func exec(tb testing.TB, s *store.Store, sql string, args ...any) {
	tb.Helper()
	if _, err := s.Pool().Exec(tb.Context(), sql, args...); err != nil {
		tb.Fatal(err)
	}
}

// together runs n functions at once and returns their errors.
func together(n int, fn func(i int) error) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = fn(i) })
	}
	wg.Wait()
	return errs
}

func wantErr(tb testing.TB, doing string, err, want error) {
	tb.Helper()
	if !errors.Is(err, want) {
		tb.Errorf("%s: %v, want %v", doing, err, want)
	}
}

func TestMigrate(t *testing.T) {
	ctx := t.Context()
	url := storetest.URL(t, false)
	stores := make([]*store.Store, 3)
	for i := range stores {
		stores[i] = storetest.Open(t, url)
	}
	s := stores[0]
	if v, err := s.Version(ctx); v != 0 || err != nil {
		t.Errorf("version of an empty database: %d, %v", v, err)
	}
	wantErr(t, "check of an empty database", s.Check(ctx), migrations.ErrOld)
	for _, err := range together(len(stores), func(i int) error { return stores[i].Migrate(ctx) }) {
		if err != nil {
			t.Fatal(err)
		}
	}
	latest, err := migrations.Latest()
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Version(ctx); v != latest || err != nil {
		t.Errorf("version %d, %v, want %d", v, err, latest)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
	exec(t, s, "INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true)", latest+1)
	wantErr(t, "check of a newer database", s.Check(ctx), migrations.ErrNew)
	wantErr(t, "migrate a newer database", s.Migrate(ctx), migrations.ErrNew)
}

// TestLife follows a submission from its birth to its verdict.
func TestLife(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	before, err := w.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var sub judge.Submission
	var j judge.Judgement
	in(t, w.Store, func(tx *store.Tx) (err error) {
		sub, j, err = tx.CreateSubmission(ctx, w.Submission("ada", judge.PriorityPractice))
		return err
	})
	got, err := w.Store.Submission(ctx, sub.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sub, got); diff != "" {
		t.Error(diff)
	}
	if j.State != judge.Queued || j.Submitter != "ada" || j.Problem != "aplusb" || j.ProblemVersion != "d1" || j.Language != "python3" {
		t.Errorf("new judgement: %+v", j)
	}

	id := worker(t, w.Store, 1)
	task := take(t, w.Store, id)
	want := judge.Task{Lease: judge.Lease{JudgementID: j.ID, Attempt: 1, Worker: id}, VersionID: w.Version.ID, Submission: sub}
	if diff := cmp.Diff(want, task); diff != "" {
		t.Error(diff)
	}
	score := 12.5
	run := func(n int, v judge.Verdict) judge.Run {
		return judge.Run{
			Ordinal: n, Case: "secret/1", Verdict: v, Limit: judge.LimitCPU, ExitCode: -1, Signal: 9,
			CPUTime: 1234567 * time.Nanosecond, WallTime: time.Second, Memory: 5 << 40, Score: &score, Message: "č\n\uFFFD",
		}
	}
	compiled := &judge.Compilation{OK: true, Output: "warning", CPUTime: 1, WallTime: 2, Memory: 3}
	in(t, w.Store, func(tx *store.Tx) error {
		return tx.Progress(ctx, task.Lease, judge.Running, compiled, []judge.Run{run(1, judge.AC), run(3, judge.WA)})
	})
	half, err := w.Judgement(ctx, j.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]judge.Run{run(1, judge.AC), run(3, judge.WA)}, half.Runs); diff != "" || half.State != judge.Running {
		t.Error(half.State, diff)
	}
	result := judge.Judgement{
		LanguageVersion: "3.13", ImageID: "sha256:1", Verdict: judge.TLE, Score: &score, Limit: judge.LimitCPU,
		CPUTime: 5, WallTime: 6, Memory: 7, Message: "m", Compile: compiled,
		Groups: []judge.GroupResult{{Group: "secret", Verdict: judge.TLE, Score: &score, MaxScore: &score}},
		Runs:   []judge.Run{run(1, judge.AC), run(2, judge.TLE)},
	}
	in(t, w.Store, func(tx *store.Tx) error { return tx.Finish(ctx, task.Lease, &result) })
	final, err := w.Judgement(ctx, j.ID)
	if err != nil {
		t.Fatal(err)
	}
	result.ID, result.SubmissionID, result.State, result.Attempt, result.Worker = j.ID, sub.ID, judge.Judged, 1, id
	result.HandedIn, result.Current = sub.CreatedAt, true
	result.Problem, result.ProblemVersion, result.Submitter, result.Language, result.CreatedAt = "aplusb", "d1", "ada", "python3", j.CreatedAt
	result.VersionID = w.Version.ID
	if diff := cmp.Diff(result, final, cmpopts.IgnoreFields(judge.Judgement{}, "JudgedAt")); diff != "" {
		t.Error(diff)
	}
	if final.JudgedAt.Before(final.CreatedAt) {
		t.Errorf("judged at %v, created at %v", final.JudgedAt, final.CreatedAt)
	}

	events, err := w.Events(ctx, before, judge.EventFilter{SubmissionID: sub.ID}, 100)
	if err != nil {
		t.Fatal(err)
	}
	type brief struct {
		Type    judge.EventType
		Ordinal int
		Attempt int
	}
	var told []brief
	for _, e := range events.Items {
		told = append(told, brief{e.Type, e.Ordinal, e.Attempt})
		if e.JudgementID != j.ID || e.TokenID != w.Token.ID || e.SubmitterID != "ada" || e.Problem != "aplusb" {
			t.Errorf("event %+v", e)
		}
	}
	if diff := cmp.Diff([]brief{
		{judge.SubmissionCreated, 0, 0},
		{judge.JudgementStarted, 0, 1},
		{judge.RunJudged, 1, 1},
		{judge.RunJudged, 3, 1},
		{judge.RunJudged, 2, 1},
		{judge.JudgementJudged, 0, 1},
	}, told); diff != "" {
		t.Error(diff)
	}

	review := judge.Review{Verdict: judge.AC, Verified: true, By: w.Token.ID, Reason: "slow machine", At: j.CreatedAt}
	if err := setReview(t, w.Store, j.ID, review); err != nil {
		t.Fatal(err)
	}
	if final, err = w.Judgement(ctx, j.ID); err != nil || final.Verdict != judge.TLE {
		t.Errorf("%v, verdict %s after an override, want the one found", err, final.Verdict)
	}
	if diff := cmp.Diff(&review, final.Review); diff != "" {
		t.Error(diff)
	}
}

func TestTxRollsBack(t *testing.T) {
	w := storetest.NewWorld(t)
	stop := errors.New("stop")
	var id string
	err := w.Tx(t.Context(), func(tx *store.Tx) error {
		_, j, err := tx.CreateSubmission(t.Context(), w.Submission("ada", judge.PriorityContest))
		id = j.ID
		return errors.Join(err, stop)
	})
	wantErr(t, "transaction", err, stop)
	_, err = w.Judgement(t.Context(), id)
	wantErr(t, "read what was rolled back", err, judge.ErrNotFound)

	ctx, cancel := context.WithCancel(t.Context())
	err = w.Tx(ctx, func(tx *store.Tx) error {
		_, _, err := tx.CreateSubmission(ctx, w.Submission("ada", judge.PriorityContest))
		cancel()
		return err
	})
	wantErr(t, "cancelled transaction", err, context.Canceled)
	if l, err := w.Load(t.Context()); err != nil || l != (judge.Load{}) {
		t.Errorf("load %+v, %v, want none", l, err)
	}
}

func TestUnavailable(t *testing.T) {
	w := storetest.NewWorld(t)
	err := w.Tx(t.Context(), func(tx *store.Tx) error {
		var pid int
		if err := tx.Pgx().QueryRow(t.Context(), "SELECT pg_backend_pid()").Scan(&pid); err != nil {
			return err
		}
		exec(t, w.Store, "SELECT pg_terminate_backend($1, 5000)", pid)
		_, _, err := tx.CreateSubmission(t.Context(), w.Submission("ada", judge.PriorityContest))
		return err
	})
	if !store.Unavailable(err) {
		t.Errorf("Unavailable(%v) = false, want true", err)
	}
	w.Submit(t, "ada", judge.PriorityContest) // the pool has forgotten it
	if _, err := store.Open(t.Context(), "postgres:///x?host=/nowhere"); !store.Unavailable(err) {
		t.Errorf("Unavailable(%v) = false, want true", err)
	}
	for _, err := range []error{nil, judge.ErrStale, pgx.ErrNoRows, setReview(t, w.Store, uuid.NewString(), judge.Review{})} {
		if store.Unavailable(err) {
			t.Errorf("Unavailable(%v) = true, want false", err)
		}
	}
}

func TestRefused(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	create := func(change func(*judge.Submission)) error {
		return w.Tx(ctx, func(tx *store.Tx) error {
			s := w.Submission("ada", judge.PriorityContest)
			change(&s)
			_, _, err := tx.CreateSubmission(ctx, s)
			return err
		})
	}
	none := uuid.NewString()
	_, errID := w.Judgement(ctx, "../etc")
	_, errCursor := w.Submissions(ctx, judge.SubmissionFilter{}, "%%%", 10)
	_, errPosition := w.Events(ctx, "1-2-3", judge.EventFilter{}, 10)
	queued := w.Submit(t, "bob", judge.PriorityContest)
	tests := []struct {
		name string
		err  error
		want error
	}{
		{"NUL in a name", create(func(s *judge.Submission) { s.Submitter.Name = "a\x00" }), judge.ErrInvalid},
		{"not UTF-8", create(func(s *judge.Submission) { s.Entry = "\xff" }), judge.ErrInvalid},
		{"priority", create(func(s *judge.Submission) { s.Priority = 3 }), judge.ErrInvalid},
		{"unknown problem", create(func(s *judge.Submission) { s.Problem = "other" }), judge.ErrNotFound},
		{"unknown version", create(func(s *judge.Submission) { s.VersionID = none }), judge.ErrNotFound},
		{"no id", errID, judge.ErrNotFound},
		{"no cursor", errCursor, judge.ErrInvalid},
		{"no position", errPosition, judge.ErrInvalid},
		{"review of a queued judgement", setReview(t, w.Store, queued.ID, judge.Review{}), judge.ErrConflict},
		{"review of none", setReview(t, w.Store, none, judge.Review{}), judge.ErrNotFound},
		{"verdict of a review", setReview(t, w.Store, queued.ID, judge.Review{Verdict: "OK"}), judge.ErrInvalid},
		{"heartbeat of none", func() error { _, err := w.Heartbeat(ctx, none); return err }(), judge.ErrNotFound},
		{"take for none", func() error { _, _, err := w.Take(ctx, none); return err }(), judge.ErrNotFound},
		{"name of a problem", w.Tx(ctx, func(tx *store.Tx) error {
			_, err := tx.CreateVersion(ctx, judge.ProblemVersion{Problem: "A B", Manifest: []byte("{}")})
			return err
		}), judge.ErrInvalid},
	}
	for _, tt := range tests {
		wantErr(t, tt.name, tt.err, tt.want)
	}
}
