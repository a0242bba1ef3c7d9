package work

import (
	"context"
	"errors"
	"sync"
	"time"

	"judge/judge"
)

// progressEvery is the least time between two writes of progress of a judgement.
// What ends sooner is written once, as a whole.
const progressEvery = 50 * time.Millisecond

// recorder writes the progress of one judgement, behind its back.
type recorder struct {
	worker *Worker
	lease  judge.Lease
	lost   context.CancelCauseFunc // of judging

	mu      sync.Mutex
	state   judge.State
	compile *judge.Compilation
	runs    []judge.Run
	news    chan struct{} // holds one when there is something to write

	began   time.Time
	running time.Time // when compiling was over

	end  context.CancelFunc
	done chan struct{}
}

func (w *Worker) record(ctx context.Context, l judge.Lease, lost context.CancelCauseFunc) *recorder {
	r := &recorder{
		worker: w, lease: l, lost: lost, state: judge.Compiling, began: time.Now(),
		news: make(chan struct{}, 1), done: make(chan struct{}),
	}
	ctx, r.end = context.WithCancel(ctx)
	go r.write(ctx)
	return r
}

// on keeps what is to be written. It does not wait.
func (r *recorder) on(p Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p.State == judge.Running && r.state != judge.Running {
		r.state, r.running = judge.Running, time.Now()
	}
	if p.Compile != nil {
		r.compile = p.Compile
	}
	if p.Run != nil {
		r.runs = append(r.runs, *p.Run)
	}
	select {
	case r.news <- struct{}{}:
	default:
	}
}

// write writes what there is, at most once in progressEvery, until ctx is done.
func (r *recorder) write(ctx context.Context) {
	defer close(r.done)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(progressEvery):
		}
		select {
		case <-ctx.Done():
			return
		case <-r.news:
		}
		r.mu.Lock()
		state, compile, runs := r.state, r.compile, r.runs
		r.compile, r.runs = nil, nil
		r.mu.Unlock()
		err := r.worker.persist(ctx, func(ctx context.Context, tx Tx) error {
			return tx.Progress(ctx, r.lease, state, compile, runs)
		})
		switch {
		case errors.Is(err, judge.ErrStale):
			r.lost(errLost)
			return
		case err != nil && ctx.Err() == nil:
			// What cannot be written by parts may be by the end, which says why not.
			r.worker.Log.Error("progress could not be written", "judgement", r.lease.JudgementID, "error", err)
			return
		}
	}
}

// close ends the writing of progress: a write that is under way is not cut off,
// since the connection would be lost with it.
func (r *recorder) close() {
	r.end()
	<-r.done
	now := time.Now()
	if r.running.IsZero() {
		r.worker.Metrics.Phase("compile", now.Sub(r.began))
		return
	}
	r.worker.Metrics.Phase("compile", r.running.Sub(r.began))
	r.worker.Metrics.Phase("run", now.Sub(r.running))
}
