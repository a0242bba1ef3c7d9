package work

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"judge/judge"
)

// patience bounds one conversation with the database, so that a connection that
// went silent is given up before the worker counts as dead.
const patience = 3 * time.Second

// probeEvery is the time between two looks whether a worker that can judge still
// can; one that cannot looks with every heartbeat.
const probeEvery = 5 * HeartbeatEvery

// beats says from time to time that the worker lives, until ctx is done.
func (w *Worker) beats(ctx context.Context) {
	silent := false
	strange := map[judge.Lease]bool{} // ours by the records, but not judged here
	for tick := time.NewTicker(HeartbeatEvery); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		err := w.beat(ctx, strange)
		if (err != nil) != silent && ctx.Err() == nil {
			silent = err != nil
			if silent {
				w.Log.Error("no heartbeat: others may take over what runs here", "error", err)
			} else {
				w.Log.Info("heartbeat again")
			}
		}
	}
}

func (w *Worker) beat(ctx context.Context, strange map[judge.Lease]bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	state, err := w.Records.Heartbeat(ctx, w.Worker.ID)
	if errors.Is(err, judge.ErrNotFound) {
		return w.again(ctx)
	}
	if err != nil {
		return err
	}
	if w.gate.want(state) {
		w.Log.Info("the worker is wanted otherwise", "state", state)
	}
	return w.compare(ctx, strange)
}

// again registers a worker that counted as dead: all that it has is others'.
func (w *Worker) again(ctx context.Context) error {
	for _, cancel := range w.held.all() {
		cancel(errLost)
	}
	if err := w.Records.Tx(ctx, func(tx Tx) error { return w.register(ctx, tx) }); err != nil {
		return err
	}
	w.Log.Warn("the worker counted as dead, and has registered again")
	return nil
}

// compare holds what is judged here against the records. What was lost ends at
// once; what was taken without our knowing goes back.
func (w *Worker) compare(ctx context.Context, strange map[judge.Lease]bool) error {
	here := w.held.all() // before the records: what is taken meanwhile is not lost
	list, err := w.Records.Leases(ctx, w.Worker.ID)
	if err != nil {
		return err
	}
	there := map[judge.Lease]bool{}
	for _, l := range list {
		there[l] = true
	}
	for l, cancel := range here {
		if !there[l] {
			cancel(errLost)
		}
	}
	now := w.held.all()
	for l := range there {
		_, known := now[l]
		switch {
		case known:
			delete(strange, l)
		case !strange[l]:
			strange[l] = true // its taker may be about to say so
		default:
			if err := w.giveUp(ctx, l); err != nil {
				return err
			}
			w.Log.Warn("handed back a judgement that was taken without an answer", "judgement", l.JudgementID)
		}
	}
	for l := range strange {
		if !there[l] {
			delete(strange, l)
		}
	}
	return nil
}

// giveUp hands a judgement back at once, with a job for whoever takes it.
func (w *Worker) giveUp(ctx context.Context, l judge.Lease) error {
	err := w.Records.Tx(ctx, func(tx Tx) error { return handBack(ctx, tx, l) })
	if errors.Is(err, judge.ErrStale) {
		return nil
	}
	return err
}

func handBack(ctx context.Context, tx Tx, l judge.Lease) error {
	if err := tx.HandBack(ctx, l, 0); err != nil {
		return err
	}
	return tx.Enqueue(ctx, 1)
}

// probes asks from time to time whether the worker can judge.
func (w *Worker) probes(ctx context.Context) {
	for {
		pause := probeEvery
		if w.gate.whyNot() != nil {
			pause = HeartbeatEvery
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		if why := w.ready(ctx); ctx.Err() == nil {
			w.able(why)
		}
	}
}

// able closes or opens the gate.
func (w *Worker) able(why error) {
	switch {
	case !w.gate.able(why):
	case why == nil:
		w.Log.Info("the worker can judge again")
	default:
		w.Log.Error("the worker cannot judge, and takes nothing until it can", "error", why)
	}
}

// ready says why this worker can judge nothing.
func (w *Worker) ready(ctx context.Context) error {
	if w.Ready == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 3*patience)
	defer cancel()
	return w.Ready(ctx)
}

// rescues calls Rescue from time to time, at times of its own.
func (w *Worker) rescues(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(HeartbeatEvery/2 + rand.N(HeartbeatEvery)): //nolint:gosec // not a secret
		}
		some, cancel := context.WithTimeout(ctx, 3*patience)
		n, err := Rescue(some, w.Records)
		cancel()
		switch {
		case err != nil && !w.Unavailable(err):
			w.Log.Error("judgements of dead workers could not be looked for", "error", err)
		case n > 0:
			w.Log.Warn("queued judgements of dead workers again", "judgements", n)
		}
	}
}

// Rescue queues what dead workers had under way again, ends what too many died
// of, and inserts the jobs that are missing for what waits. It returns how many
// judgements were queued again. Any number of processes may call it at once;
// each worker does so by itself.
func Rescue(ctx context.Context, r interface {
	Tx(ctx context.Context, fn func(Tx) error) error
},
) (requeued int, err error) {
	err = r.Tx(ctx, func(tx Tx) error {
		if requeued, err = tx.RequeueDead(ctx, MaxDeaths); err != nil {
			return err
		}
		if err := tx.Enqueue(ctx, requeued); err != nil {
			return err
		}
		if _, err := tx.RequeueVerifications(ctx, "", MaxDeaths); err != nil {
			return err // workers look for those by themselves
		}
		load, err := tx.Load(ctx)
		if err != nil {
			return err
		}
		// What is delayed has a job that is delayed as well, unless its worker was
		// killed in between.
		_, err = tx.Refill(ctx, load.Ready+load.Delayed)
		return err
	})
	return requeued, err
}
