//go:build postgres

package work_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/work"
)

// verify queues a draft to be verified.
func (w *world) verify(t *testing.T, publish bool) judge.ProblemVersion {
	t.Helper()
	var v judge.ProblemVersion
	err := w.records.Tx(t.Context(), func(tx work.Tx) (err error) {
		r := tx.(recordsTx)
		if v, err = r.CreateVersion(t.Context(), judge.ProblemVersion{Problem: "draft", Digest: "d", Manifest: []byte("{}")}); err != nil {
			return err
		}
		if _, err := r.CreateVerification(t.Context(), judge.Verification{VersionID: v.ID, Publish: publish}); err != nil {
			return err
		}
		return tx.Enqueue(t.Context(), 1)
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (w *world) verified(t *testing.T, version string) (v judge.Verification) {
	t.Helper()
	eventually(t, "the verification ends", func() bool {
		var err error
		if v, err = w.Verification(t.Context(), version); err != nil {
			t.Fatal(err)
		}
		return v.State == judge.VerificationDone || v.State == judge.VerificationFailed
	})
	return v
}

func TestVerification(t *testing.T) {
	t.Parallel()
	hopeless := errors.New("no such thing")
	passes := judge.Verified{OK: true, Report: []byte(`{"ok": true}`), Calibrated: 2e9}
	tests := map[string]struct {
		verify  func(attempt int) (judge.Verified, error)
		publish bool
		state   judge.VerificationState
		version judge.VersionState
	}{
		"passes":      {func(int) (judge.Verified, error) { return passes, nil }, true, judge.VerificationDone, judge.Published},
		"stays draft": {func(int) (judge.Verified, error) { return passes, nil }, false, judge.VerificationDone, judge.Draft},
		"has errors":  {func(int) (judge.Verified, error) { return judge.Verified{Report: []byte("{}")}, nil }, true, judge.VerificationDone, judge.Draft},
		"hopeless":    {func(int) (judge.Verified, error) { return judge.Verified{}, hopeless }, true, judge.VerificationFailed, judge.Draft},
		"a moment": {func(attempt int) (judge.Verified, error) {
			if attempt == 1 {
				panic("a moment")
			}
			return passes, nil
		}, true, judge.VerificationDone, judge.Published},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c := config(w.records, 1, accept)
			c.Hopeless = func(err error) bool { return errors.Is(err, hopeless) }
			c.Verify = func(_ context.Context, task judge.VerificationTask, _ work.Spare, on func(int, int, string)) (judge.Verified, error) {
				on(1, 2, "one")
				return test.verify(task.Attempt)
			}
			v := w.verify(t, test.publish)
			if now, err := w.VersionInfo(t.Context(), v.ID); err != nil || now.State != judge.Verifying {
				t.Errorf("before: %s, %v", now.State, err)
			}
			start(t, c)
			got := w.verified(t, v.ID)
			now, err := w.VersionInfo(t.Context(), v.ID)
			if err != nil || got.State != test.state || now.State != test.version {
				t.Errorf("verification %s (%s), version %s, %v", got.State, got.Fault, now.State, err)
			}
			if want := test.state == judge.VerificationDone && got.OK; (now.Calibrated == passes.Calibrated) != want {
				t.Errorf("calibrated %v", now.Calibrated)
			}
		})
	}
}

// TestVerificationYields: a judgement does not wait for a verification.
func TestVerificationYields(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := config(w.records, 1, accept)
	begun := make(chan struct{}, 10)
	var tries atomic.Int32
	c.Verify = func(ctx context.Context, _ judge.VerificationTask, spare work.Spare, _ func(int, int, string)) (judge.Verified, error) {
		return judge.Verified{OK: true, Report: []byte("{}")}, spare(ctx, func(ctx context.Context) error {
			tries.Add(1)
			begun <- struct{}{}
			if tries.Load() > 1 {
				return nil
			}
			<-ctx.Done() // a jury submission that takes for ever
			return ctx.Err()
		})
	}
	v := w.verify(t, false)
	start(t, c)
	<-begun
	if j := w.await(t, w.submit(t, "ada", judge.PriorityRejudge).ID); j.Verdict != judge.AC {
		t.Errorf("%+v", j)
	}
	if got := w.verified(t, v.ID); got.State != judge.VerificationDone || got.Attempt != 1 || tries.Load() != 2 {
		t.Errorf("%s, attempt %d, %d tries", got.State, got.Attempt, tries.Load())
	}
}

// TestVerificationOfAnother: a worker that ends, and one that lost its lease, leave
// a verification to others.
func TestVerificationOfAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	begun, ended := make(chan struct{}, 10), make(chan struct{}, 10)
	stuck := func(ctx context.Context, _ judge.VerificationTask, _ work.Spare, _ func(int, int, string)) (judge.Verified, error) {
		begun <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return judge.Verified{}, ctx.Err()
	}
	c := config(w.records, 1, accept)
	c.Verify = stuck
	v := w.verify(t, true)
	first := start(t, c)
	<-begun
	// As if it had counted as dead.
	if _, err := w.Pool().Exec(t.Context(), "UPDATE verifications SET state = 'queued', worker = NULL, not_before = now() + interval '1 hour'"); err != nil {
		t.Fatal(err)
	}
	<-ended
	if _, err := w.Pool().Exec(t.Context(), "UPDATE verifications SET not_before = NULL"); err != nil {
		t.Fatal(err)
	}
	<-begun
	first.stop() // in good order: it hands back
	<-first.ended
	c = config(w.records, 1, accept)
	c.Verify = func(context.Context, judge.VerificationTask, work.Spare, func(int, int, string)) (judge.Verified, error) {
		return judge.Verified{OK: true, Report: []byte("{}")}, nil
	}
	start(t, c)
	if got := w.verified(t, v.ID); got.State != judge.VerificationDone || got.Attempt != 3 {
		t.Errorf("%s, attempt %d", got.State, got.Attempt)
	}
}

// TestVerificationOfDead: what a dead worker was verifying is queued again, and
// given up when it was the end of too many.
func TestVerificationOfDead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := w.verify(t, true)
	for death := 1; death <= 2; death++ {
		dead := config(w.records, 1, accept).Worker
		err := w.records.Tx(t.Context(), func(tx work.Tx) error {
			_, err := tx.Register(t.Context(), dead)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		task, ok, err := w.TakeVerification(t.Context(), dead.ID)
		if err != nil || !ok {
			t.Fatalf("%v, %v", ok, err)
		}
		if _, again, err := w.TakeVerification(t.Context(), dead.ID); err != nil || again {
			t.Errorf("taken twice: %v, %v", again, err)
		}
		err = w.Tx(t.Context(), func(tx *store.Tx) error {
			if err := tx.SetWorkerState(t.Context(), dead.ID, judge.WorkerGone); err != nil {
				return err
			}
			_, err := tx.RequeueVerifications(t.Context(), "", 2)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		err = w.Tx(t.Context(), func(tx *store.Tx) error {
			return tx.FinishVerification(t.Context(), task.VerificationLease, judge.Verified{OK: true, Report: []byte("{}")})
		})
		if !errors.Is(err, judge.ErrStale) {
			t.Errorf("a dead worker could write: %v", err)
		}
	}
	got, err := w.Verification(t.Context(), v.ID)
	if err != nil || got.State != judge.VerificationFailed || got.Fault == "" {
		t.Errorf("%+v, %v", got, err)
	}
	if now, err := w.VersionInfo(t.Context(), v.ID); err != nil || now.State != judge.Draft {
		t.Errorf("%s, %v", now.State, err)
	}
}
