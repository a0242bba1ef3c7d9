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
	first   int                        // index of the first case so far that was not accepted
	whole   []bool                     // runs whose outputs are kept whole in any case, by index
	share   int                        // bytes of output that others keep
	err     error                      // the first that ends the judgement
}

// runCases runs the cases, first of all on worker w, which it closes, and
// returns the runs that count, in order.
func (j *judging) runCases(ctx context.Context, w *worker) ([]judge.Run, error) {
	ctx, halt := context.WithCancel(ctx)
	defer halt()
	s := &schedule{
		judging: j, halt: halt, workers: 1, last: len(j.cases) - 1,
		stop: map[int]context.CancelFunc{}, runs: make([]judge.Run, len(j.cases)), first: len(j.cases),
	}
	if j.req.Outputs == KeepBeginnings {
		s.whole, s.share = j.parts()
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
		s.keep(i, &run)
		s.runs[i] = run
		s.on(Event{State: judge.Running, Cases: len(s.cases), Run: &run})
		if run.Verdict != judge.AC {
			s.decide(i)
		}
	}
}

// keep cuts a run's output, unless it is the first that was not accepted: then it
// cuts that of the one that was so far. What is kept does not depend on which run
// ended first.
func (s *schedule) keep(i int, run *judge.Run) {
	if run.Output == nil || s.whole == nil {
		return
	}
	if run.Verdict != judge.AC && i < s.first {
		if before := s.first; before < len(s.runs) && !s.whole[before] {
			s.runs[before].Output = cut(s.runs[before].Output, s.share)
		}
		s.first = i
		return
	}
	if !s.whole[i] {
		run.Output = cut(run.Output, s.share)
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
