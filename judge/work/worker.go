package work

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"judge/judge"
)

var (
	errLost   = errors.New("the judgement is not this worker's any more")
	errEnding = errors.New("the worker is ending")
)

// last is how long what a worker has to say at its end may take: who cannot say
// it is found dead later.
const last = 5 * time.Second

// Worker takes judgements and has them judged. Next is called by the queue, in
// many goroutines; Run once.
type Worker struct {
	Config

	held  held
	gate  gate
	spare *spare

	verify chan struct{} // woken: there may be something to verify

	judging context.Context // ended by cut: what runs is handed back
	cut     context.CancelCauseFunc
	writing context.Context // ended last after that: writes are given up
}

// New returns a worker, which does nothing before Run.
func New(c Config) *Worker {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Metrics == nil {
		c.Metrics = noMetrics{}
	}
	return &Worker{Config: c, held: newHeld(), gate: newGate(), spare: newSpare(c.Worker.Slots), verify: make(chan struct{}, 1)}
}

// Run announces the worker and judges, until ctx is done or the worker is
// drained. Then it takes no more, and what runs is finished: when ctx is done
// within Grace, else it is handed back. When Run returns nothing runs and the
// worker is known to be gone, if the database could be told.
func (w *Worker) Run(ctx context.Context, q Queue) error {
	whole := context.WithoutCancel(ctx)
	w.judging, w.cut = context.WithCancelCause(whole)
	defer w.cut(errEnding)
	var end context.CancelFunc
	w.writing, end = context.WithCancel(whole)
	defer end()
	defer context.AfterFunc(w.judging, func() { time.AfterFunc(last, end) })()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(w.Grace, func() { w.cut(errEnding) }) })()

	if err := w.persist(ctx, w.register); err != nil {
		return fmt.Errorf("register worker: %w", err)
	}
	alive, stop := context.WithCancel(whole)
	var loops sync.WaitGroup
	loops.Go(func() { w.beats(alive) })
	loops.Go(func() { w.rescues(alive) })
	loops.Go(func() { w.probes(alive) })
	verifying, yield := context.WithCancel(ctx)
	loops.Go(func() { w.verifications(verifying) })
	err := w.serve(ctx, q)
	yield()
	stop()
	loops.Wait()
	return errors.Join(err, w.leave(whole))
}

// serve has the queue started while the gate is open, until ctx is done or the
// worker drained.
func (w *Worker) serve(ctx context.Context, q Queue) error {
	whole := context.WithoutCancel(ctx)
	started := false
	for {
		open, changed := w.gate.look()
		drained := w.gate.drained()
		ending := ctx.Err() != nil || drained
		switch {
		case started && (!open || ending):
			if err := w.stop(whole, q); err != nil {
				return err
			}
			started = false
			continue
		case ending:
			return nil
		}
		var again <-chan time.Time
		if open && !started {
			err := q.Start(whole)
			switch {
			case err == nil:
				started = true
			case w.Unavailable(err):
				again = time.After(HeartbeatEvery)
			default:
				return err
			}
		}
		select {
		case <-changed:
		case <-again:
		case <-ctx.Done():
		}
	}
}

// stop waits for what runs, but not for judging that was told to end and does not.
func (w *Worker) stop(whole context.Context, q Queue) error {
	stopped := make(chan error, 1)
	go func() { stopped <- q.Stop(whole) }()
	select {
	case err := <-stopped:
		return err
	case <-w.writing.Done():
	}
	select {
	case err := <-stopped:
		return err
	case <-time.After(last):
		return fmt.Errorf("stop judging: %d judgements do not end, and are left to others", len(w.held.all()))
	}
}

// register announces the worker, in a transaction. What staff want of it stays as
// it was.
func (w *Worker) register(ctx context.Context, tx Tx) error {
	requeued, err := tx.Register(ctx, w.Worker)
	if err != nil {
		return err
	}
	if _, err := tx.RequeueVerifications(ctx, w.Worker.ID, MaxDeaths); err != nil {
		return err
	}
	if state := w.gate.wanted(); state != judge.WorkerActive {
		if err := tx.SetWorkerState(ctx, w.Worker.ID, state); err != nil {
			return err
		}
	}
	return tx.Enqueue(ctx, requeued)
}

// leave says goodbye. What might still be leased is queued again with it.
func (w *Worker) leave(whole context.Context) error {
	ctx, cancel := context.WithTimeout(whole, last)
	defer cancel()
	err := w.Records.Tx(ctx, func(tx Tx) error { return tx.SetWorkerState(ctx, w.Worker.ID, judge.WorkerGone) })
	if err == nil || errors.Is(err, judge.ErrNotFound) {
		return nil
	}
	if w.Unavailable(err) {
		w.Log.Warn("the database could not be told that the worker ends", "error", err)
		return nil
	}
	return fmt.Errorf("end worker: %w", err)
}

type noMetrics struct{}

func (noMetrics) Taken()                      {}
func (noMetrics) Judged(judge.Verdict)        {}
func (noMetrics) HandedBack(bool)             {}
func (noMetrics) Lost()                       {}
func (noMetrics) Phase(string, time.Duration) {}
