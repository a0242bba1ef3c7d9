package work

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"judge/judge"
)

const (
	// moment is when a job comes back that this worker may not do.
	moment = 100 * time.Millisecond

	// A verdict JE had its retries on this worker; few more, elsewhere, are enough.
	judgingErrors = 3

	firstDelay, longestDelay = time.Second, 30 * time.Second
	messageLimit             = 4 << 10 // bytes

	writePatience          = 30 * time.Second // for one transaction
	firstWait, longestWait = 50 * time.Millisecond, 2 * time.Second
)

// Next takes the next judgement, if there is one, has it judged and writes the
// result: the work of one job. With again above 0 the job is to come back after
// that time, with an error too. ctx ends the taking only: judging is ended by
// Run.
func (w *Worker) Next(ctx context.Context) (again time.Duration, err error) {
	if !w.gate.open() {
		return moment, nil
	}
	began := time.Now()
	brief, cancel := context.WithTimeout(ctx, patience)
	task, ok, err := w.Records.Take(brief, w.Worker.ID)
	cancel()
	switch {
	case errors.Is(err, judge.ErrCordoned):
		w.gate.want(judge.WorkerCordoned) // or draining, as the next heartbeat tells
		return moment, nil
	case errors.Is(err, judge.ErrStale), errors.Is(err, judge.ErrNotFound):
		return moment, nil // the next heartbeat mends it
	case err != nil || !ok:
		if err == nil {
			w.wakeVerification()
		}
		return 0, err
	}
	w.Metrics.Taken()
	w.Metrics.Phase("take", time.Since(began))
	return w.judge(task)
}

func (w *Worker) judge(task judge.Task) (again time.Duration, err error) {
	ctx, cancel := context.WithCancelCause(w.judging)
	defer cancel(nil)
	defer w.held.add(task.Lease, cancel)()
	defer w.spare.enter()()
	rec := w.record(w.writing, task.Lease, cancel)
	j, err := w.call(ctx, task, rec.on)
	rec.close()
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errLost):
		w.Metrics.Lost()
		return 0, nil
	case err == nil && j.Verdict != judge.JE:
		return w.finish(task, j)
	case errors.Is(err, judge.ErrSource):
		said := &judge.Compilation{Output: judge.SafeText([]byte(err.Error()), messageLimit)}
		return w.finish(task, judge.Judgement{Verdict: judge.CE, Compile: said})
	case err != nil && w.Hopeless != nil && w.Hopeless(err):
		return w.finish(task, failure(err))
	case errors.Is(cause, errEnding):
		return 0, w.returned(task, 0, false)
	case err == nil:
		return w.fault(ctx, task, j, judgingErrors)
	}
	return w.fault(ctx, task, failure(err), MaxAttempts)
}

// call has a task judged. A panic is a fault like others.
func (w *Worker) call(ctx context.Context, task judge.Task, on func(Progress)) (j judge.Judgement, err error) {
	defer func() {
		if p := recover(); p != nil {
			w.Log.Error("judging panicked", "judgement", task.JudgementID, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("judging panicked: %v", p)
		}
	}()
	return w.Judge(ctx, task, on)
}

// failure is the judgement that says that we failed.
func failure(err error) judge.Judgement {
	return judge.Judgement{Verdict: judge.JE, Message: judge.SafeText([]byte(err.Error()), messageLimit)}
}

// fault hands back what failed for a reason of ours. What was tried so often
// ends with the judgement given, which is JE.
func (w *Worker) fault(ctx context.Context, task judge.Task, given judge.Judgement, most int) (again time.Duration, err error) {
	about := []any{"judgement", task.JudgementID, "attempt", task.Attempt, "error", given.Message}
	if why := w.ready(ctx); why != nil {
		w.able(why)
		w.Log.Warn("judging failed, handed back", about...)
		return 0, w.returned(task, 0, true)
	}
	if task.Attempt >= most {
		w.Log.Error("judging failed, given up", about...)
		return w.finish(task, given)
	}
	delay := min(firstDelay<<min(max(task.Attempt-1, 0), 10), longestDelay)
	w.Log.Warn("judging failed, handed back", append(about, "delay", delay)...)
	// The job comes back a little later than its judgement is ready.
	return delay + moment, w.returned(task, delay, true)
}

// returned hands a judgement back. With a delay the job that it was taken by is
// to come back; else there is a new one.
func (w *Worker) returned(task judge.Task, delay time.Duration, fault bool) error {
	err := w.persist(w.writing, func(ctx context.Context, tx Tx) error {
		if delay > 0 {
			return tx.HandBack(ctx, task.Lease, delay)
		}
		return handBack(ctx, tx, task.Lease)
	})
	if errors.Is(err, judge.ErrStale) {
		w.Metrics.Lost()
		return nil
	}
	if err == nil {
		w.Metrics.HandedBack(fault)
	}
	return err
}

// finish writes the result.
func (w *Worker) finish(task judge.Task, j judge.Judgement) (again time.Duration, err error) {
	began := time.Now()
	write := func(j *judge.Judgement) error {
		return w.persist(w.writing, func(ctx context.Context, tx Tx) error { return tx.Finish(ctx, task.Lease, j) })
	}
	if err = write(&j); errors.Is(err, judge.ErrInvalid) {
		w.Log.Error("the result could not be kept", "judgement", task.JudgementID, "error", err)
		j = failure(fmt.Errorf("the result could not be kept: %w", err))
		err = write(&j)
	}
	w.Metrics.Phase("write", time.Since(began))
	if errors.Is(err, judge.ErrStale) { // or it was written, and the answer lost
		w.Metrics.Lost()
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("write result: %w", err)
	}
	w.Metrics.Judged(j.Verdict)
	return 0, nil
}

// persist writes in a transaction, again and again while the database is away and
// ctx is not done. A transaction under way is not cut off by ctx.
func (w *Worker) persist(ctx context.Context, write func(ctx context.Context, tx Tx) error) error {
	for wait := firstWait; ; wait = min(2*wait, longestWait) {
		err := w.try(write)
		if err == nil || !w.Unavailable(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

func (w *Worker) try(write func(ctx context.Context, tx Tx) error) error {
	ctx, cancel := context.WithTimeout(w.writing, writePatience)
	defer cancel()
	return w.Records.Tx(ctx, func(tx Tx) error { return write(ctx, tx) })
}
