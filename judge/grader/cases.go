package grader

import (
	"context"
	"sync"

	"judge/judge"
)

// schedule hands the cases out in order, to one worker per slot, and sees to it
// that the result is what one worker alone would have found: a case that is not
// accepted ends the judgement there, and what ran ahead of it does not count.
type schedule struct {
	*judging

	halt context.CancelFunc // ends all runs
	wg   sync.WaitGroup     // the further workers

	mu      sync.Mutex
	workers int
	next    int                        // index of the next case to hand out
	last    int                        // index of the last case that counts
	stop    map[int]context.CancelFunc // of the runs under way, by index
	runs    []judge.Run                // by index
	err     error                      // the first that ends the judgement
}

// runCases runs the cases, first of all on worker w, which it closes, and
// returns the runs that count, in order.
func (j *judging) runCases(ctx context.Context, w *worker) ([]judge.Run, error) {
	ctx, halt := context.WithCancel(ctx)
	defer halt()
	s := &schedule{
		judging: j, halt: halt, workers: 1, last: len(j.cases) - 1,
		stop: map[int]context.CancelFunc{}, runs: make([]judge.Run, len(j.cases)),
	}
	s.work(ctx, w)
	w.close() // others can use the slot while the last runs end elsewhere
	s.wg.Wait()
	if s.err != nil {
		return nil, s.err
	}
	return s.runs[:s.last+1], nil
}

func (s *schedule) work(ctx context.Context, w *worker) {
	for {
		i, runCtx, ok := s.take(ctx)
		if !ok {
			return
		}
		run, err := w.judgeCase(runCtx, &s.cases[i])
		s.finish(i, run, err)
	}
}

// take hands out a case, and calls in a further worker if there is another case
// for it.
func (s *schedule) take(ctx context.Context) (int, context.Context, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil || s.next > s.last {
		return 0, nil, false
	}
	i := s.next
	s.next++
	runCtx, cancel := context.WithCancel(ctx)
	s.stop[i] = cancel
	if s.next <= s.last && (s.req.MaxSlots == 0 || s.workers < s.req.MaxSlots) {
		if slot, ok := s.Sandbox.TryAcquire(); ok {
			s.workers++
			s.wg.Go(func() {
				w := newWorker(s.judging, slot)
				defer w.close()
				s.work(ctx, w)
			})
		}
	}
	return i, runCtx, true
}

func (s *schedule) finish(i int, run judge.Run, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop[i]()
	delete(s.stop, i)
	switch {
	case i > s.last: // an earlier case decided in the meantime
	case err != nil:
		if s.err == nil {
			s.err = err
		}
		s.halt()
	default:
		s.runs[i] = run
		s.on(Event{State: judge.Running, Cases: len(s.cases), Run: &run})
		if run.Verdict != judge.AC {
			s.decide(i)
		}
	}
}

// decide makes i a case that was not accepted.
func (s *schedule) decide(i int) {
	s.last = min(s.last, s.stopAfter(i))
	for k, cancel := range s.stop {
		if k > s.last {
			cancel()
		}
	}
}
