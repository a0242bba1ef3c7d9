package work

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"judge/judge"
)

const (
	// verifyEvery is the time between two looks for something to verify where nobody
	// wakes the worker.
	verifyEvery = 5 * time.Second
	// tellEvery is the time between two words on how far it is. Each asks too whether
	// the lease is still ours.
	tellEvery = time.Second
)

// wakeVerification has the worker look for something to verify.
func (w *Worker) wakeVerification() {
	select {
	case w.verify <- struct{}{}:
	default: // it is about to look
	}
}

// verifications verifies one version after the other, until ctx is done.
func (w *Worker) verifications(ctx context.Context) {
	if w.Verify == nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.verify:
		case <-time.After(verifyEvery):
		}
		for w.gate.open() && ctx.Err() == nil {
			brief, cancel := context.WithTimeout(ctx, patience)
			task, ok, err := w.Records.TakeVerification(brief, w.Worker.ID)
			cancel()
			if err != nil || !ok {
				break // the heartbeat tells of a database that is away
			}
			w.verifyOne(ctx, task)
		}
	}
}

// verifyOne verifies, and writes what comes of it.
func (w *Worker) verifyOne(ctx context.Context, task judge.VerificationTask) {
	running, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tell := w.tell(running, task.VerificationLease, cancel)
	found, err := w.callVerify(running, task, tell.on)
	tell.close()
	about := []any{"verification", task.ID, "version", task.VersionID}
	write := func(ctx context.Context, tx Tx) error {
		return tx.FinishVerification(ctx, task.VerificationLease, found)
	}
	switch {
	case errors.Is(context.Cause(running), errLost):
		w.Log.Warn("a verification is not this worker's any more", about...)
		return
	case ctx.Err() != nil:
		write = returnVerification(task.VerificationLease, 0)
	case err != nil && (w.Hopeless != nil && w.Hopeless(err) || task.Attempt >= MaxAttempts):
		w.Log.Error("verifying failed, given up", append(about, "error", err)...)
		write = func(ctx context.Context, tx Tx) error {
			return tx.FailVerification(ctx, task.VerificationLease, judge.SafeText([]byte(err.Error()), messageLimit))
		}
	case err != nil:
		w.Log.Warn("verifying failed, handed back", append(about, "error", err)...)
		write = returnVerification(task.VerificationLease, min(firstDelay<<min(max(task.Attempt-1, 0), 10), longestDelay))
	}
	err = w.persist(w.writing, write)
	if err != nil && !errors.Is(err, judge.ErrStale) {
		w.Log.Error("a verification could not be written", append(about, "error", err)...)
	}
}

// returnVerification hands back, with a job for whoever takes it.
func returnVerification(l judge.VerificationLease, delay time.Duration) func(context.Context, Tx) error {
	return func(ctx context.Context, tx Tx) error {
		if err := tx.HandBackVerification(ctx, l, delay); err != nil {
			return err
		}
		return tx.Enqueue(ctx, 1)
	}
}

// callVerify has a task verified. A panic is a fault like others.
func (w *Worker) callVerify(ctx context.Context, task judge.VerificationTask, on func(done, total int, doing string)) (found judge.Verified, err error) {
	defer func() {
		if p := recover(); p != nil {
			w.Log.Error("verifying panicked", "verification", task.ID, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("verifying panicked: %v", p)
		}
	}()
	return w.Verify(ctx, task, w.spare.run, on)
}

// telling writes from time to time how far a verification is, which asks too
// whether it is still this worker's.
type telling struct {
	stop context.CancelFunc
	wg   sync.WaitGroup

	mu          sync.Mutex
	done, total int
	doing       string
}

func (w *Worker) tell(ctx context.Context, l judge.VerificationLease, lost context.CancelCauseFunc) *telling {
	ctx, stop := context.WithCancel(ctx)
	t := &telling{stop: stop}
	t.wg.Go(func() {
		for tick := time.NewTicker(tellEvery); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
			}
			t.mu.Lock()
			done, total, doing := t.done, t.total, t.doing
			t.mu.Unlock()
			brief, cancel := context.WithTimeout(ctx, patience)
			err := w.Records.Tx(brief, func(tx Tx) error { return tx.VerificationProgress(brief, l, done, total, doing) })
			cancel()
			if errors.Is(err, judge.ErrStale) {
				lost(errLost)
				return
			}
		}
	})
	return t
}

func (t *telling) on(done, total int, doing string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done, t.total, t.doing = done, total, judge.SafeText([]byte(doing), messageLimit)
}

func (t *telling) close() {
	t.stop()
	t.wg.Wait()
}
