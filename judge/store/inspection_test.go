//go:build postgres

package store_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

var said = judge.RunOutput{
	Stdout: []byte("3\x00\xff\n"), Stderr: []byte("\x1b[1mboo"), StdoutSize: 100000, StderrSize: 7,
	JudgeMessage: []byte("j\x00"), TeamMessage: []byte("t"), ValidatorStderr: []byte("v"),
	Difference: &judge.Difference{Reason: "token", Offset: 3, Line: 1, Column: 4, Token: 2, AnswerLine: 1, Got: `"4"`, Expected: `"3"`},
}

// judgedWith is a judgement of two runs with these outputs, nil for none.
func judgedWith(t *testing.T, w *storetest.World, id string, outputs ...*judge.RunOutput) judge.Judgement {
	t.Helper()
	j := w.Submit(t, "ada", judge.PriorityContest)
	task := take(t, w.Store, id)
	out := judge.Judgement{Verdict: judge.WA}
	for i, o := range outputs {
		out.Runs = append(out.Runs, judge.Run{Ordinal: i + 1, Case: []string{"sample/1", "secret/1"}[i%2], Verdict: judge.WA, Output: o})
	}
	in(t, w.Store, func(tx *store.Tx) error { return tx.Finish(t.Context(), task.Lease, &out) })
	return j
}

func TestRunOutput(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	big := judge.RunOutput{Stdout: bytes.Repeat([]byte{0}, 3<<20), Stderr: bytes.Repeat([]byte("x"), 3<<20)}
	j := judgedWith(t, w, id, &said, &big, nil, &judge.RunOutput{}, &big)
	for ordinal, want := range map[int]judge.RunOutput{1: said, 2: big, 4: {}, 5: big} {
		got, err := w.RunOutput(ctx, j.ID, ordinal)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("run %d: %.300s", ordinal, diff)
		}
	}
	for _, ordinal := range []int{0, 3, 6, -1} {
		_, err := w.RunOutput(ctx, j.ID, ordinal)
		wantErr(t, "output that is not kept", err, judge.ErrNotFound)
	}
	_, err := w.RunOutput(ctx, "x", 1)
	wantErr(t, "output of nothing", err, judge.ErrNotFound)
	runs, err := w.Runs(ctx, j.ID)
	if err != nil || len(runs) != 5 || runs[0].Output != nil {
		t.Errorf("%d runs, %v; outputs are asked for one by one", len(runs), err)
	}
}

func TestInspection(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	staff, _, err := w.CreateToken(ctx, judge.Token{Name: "staff", Role: judge.RoleAdmin})
	if err != nil {
		t.Fatal(err)
	}
	j := judgedWith(t, w, id, &said, &said)
	begin, err := w.Now(ctx)
	if err != nil {
		t.Fatal(err)
	}
	before, err := w.Judgement(ctx, j.ID)
	if err != nil {
		t.Fatal(err)
	}
	load := func() (n int) {
		if err := w.Pool().QueryRow(ctx, "SELECT count(*) FROM shares").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	shares := load()
	var i judge.Inspection
	in(t, w.Store, func(tx *store.Tx) (err error) {
		i, err = tx.CreateInspection(ctx, j.ID, 2, staff.ID)
		return err
	})
	want := judge.Inspection{
		ID: i.ID, JudgementID: j.ID, SubmissionID: j.SubmissionID, Problem: "aplusb", Ordinal: 2, Case: "secret/1", By: staff.ID, State: judge.Queued,
		CreatedAt: i.CreatedAt,
	}
	if diff := cmp.Diff(want, i); diff != "" || i.CreatedAt.IsZero() {
		t.Error(diff)
	}

	// Its worker dies; another takes it.
	first := take(t, w.Store, id)
	if first.Inspect != "secret/1" || first.JudgementID != i.ID || first.VersionID != w.Version.ID || len(first.Submission.Files) != 2 {
		t.Fatalf("took %+v", first)
	}
	in(t, w.Store, func(tx *store.Tx) error {
		return tx.Progress(ctx, first.Lease, judge.Running, nil, []judge.Run{{Ordinal: 2, Case: "secret/1", Verdict: judge.RE}})
	})
	exec(t, w.Store, "UPDATE workers SET heartbeat_at = now() - interval '1 hour'")
	exec(t, w.Store, "UPDATE workers SET state = 'gone'")
	in(t, w.Store, func(tx *store.Tx) error {
		if n, err := tx.RequeueDead(ctx, 3); n != 1 || err != nil {
			t.Errorf("%d queued again, %v", n, err)
		}
		return nil
	})
	id = worker(t, w.Store, 1)
	second := take(t, w.Store, id)
	if second.Inspect != "secret/1" || second.Attempt != 2 {
		t.Fatalf("took %+v", second)
	}
	result := judge.Judgement{Verdict: judge.RE, Runs: []judge.Run{{Ordinal: 2, Case: "secret/1", Verdict: judge.RE, ExitCode: 1, Output: &said}}}
	err = w.Tx(ctx, func(tx *store.Tx) error { return tx.Finish(ctx, first.Lease, &result) })
	wantErr(t, "finish by a dead worker", err, judge.ErrStale)
	in(t, w.Store, func(tx *store.Tx) error { return tx.Finish(ctx, second.Lease, &result) })

	i, err = w.Inspection(ctx, i.ID)
	if err != nil {
		t.Fatal(err)
	}
	want.State, want.Attempt, want.Verdict, want.JudgedAt, want.Run = judge.Judged, 2, judge.RE, i.JudgedAt, &result.Runs[0]
	if diff := cmp.Diff(want, i); diff != "" || i.JudgedAt.IsZero() {
		t.Error(diff)
	}
	if n := load(); n != shares+1 {
		t.Errorf("%d people have shares, want %d: its time is of who asked", n, shares+1)
	}
	changedNothing(t, w, before, i.ID, begin)
}

// changedNothing says that nothing outside knows of an inspection.
func changedNothing(t *testing.T, w *storetest.World, before judge.Judgement, inspection, begin string) {
	t.Helper()
	ctx := t.Context()
	after, err := w.Judgement(ctx, before.ID)
	if diff := cmp.Diff(before, after); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if got := newestOf(t, w.Store, before.SubmissionID).ID; got != before.ID {
		t.Errorf("newest judgement %s, want %s", got, before.ID)
	}
	page, err := w.Submissions(ctx, judge.SubmissionFilter{Verdict: judge.WA}, "", 10)
	if err != nil || len(page.Items) != 1 || page.Items[0].Judgement.ID != before.ID {
		t.Errorf("%+v, %v", page, err)
	}
	events, err := w.Events(ctx, begin, judge.EventFilter{}, 10)
	if err != nil || len(events.Items) != 0 {
		t.Errorf("events %+v, %v", events, err)
	}
	st, err := w.Statistics(ctx, time.Time{}, judge.Scope{})
	if err != nil || st.Judgements.Total != 1 || st.Submissions.Verdicts[judge.WA] != 1 {
		t.Errorf("%+v, %v", st, err)
	}
	_, err = w.Judgement(ctx, inspection)
	wantErr(t, "inspection as a judgement", err, judge.ErrNotFound)
	err = w.Tx(ctx, func(tx *store.Tx) error { return tx.Cancel(ctx, inspection) })
	wantErr(t, "cancel inspection as a judgement", err, judge.ErrNotFound)
	wantErr(t, "review inspection", setReview(t, w.Store, inspection, judge.Review{Verdict: judge.AC}), judge.ErrNotFound)
}

func TestInspectionRefused(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	j := judgedWith(t, w, id, nil)
	queued := w.Submit(t, "ada", judge.PriorityContest)
	for name, tt := range map[string]struct {
		judgement, by string
		ordinal       int
		want          error
	}{
		"no such run":       {j.ID, w.Token.ID, 2, judge.ErrNotFound},
		"no such judgement": {uuid.NewString(), w.Token.ID, 1, judge.ErrNotFound},
		"no id":             {"x", w.Token.ID, 1, judge.ErrNotFound},
		"not judged":        {queued.ID, w.Token.ID, 1, judge.ErrConflict},
		"no such token":     {j.ID, uuid.NewString(), 1, judge.ErrNotFound},
	} {
		err := w.Tx(ctx, func(tx *store.Tx) error {
			_, err := tx.CreateInspection(ctx, tt.judgement, tt.ordinal, tt.by)
			return err
		})
		wantErr(t, name, err, tt.want)
	}
	for _, id := range []string{"x", j.ID} {
		_, err := w.Inspection(ctx, id)
		wantErr(t, "inspection that is none", err, judge.ErrNotFound)
	}
	if l, err := w.Load(ctx); l.Ready != 1 || err != nil {
		t.Errorf("%+v, %v: what was refused is not queued", l, err)
	}
}
