package grader

import (
	"context"
	"sync"

	"judge/judge"
)

// schedule hands the cases out in the order of a plan, to one worker per slot, and
// sees to it that the result is what one worker alone would have found: the plan
// is the fold of what is known, the result the fold once nothing in it is open.
// What ran ahead and is not in it does not count.
type schedule struct {
	*judging

	halt context.CancelFunc // ends all runs
	wg   sync.WaitGroup     // the further workers

	mu      sync.Mutex
	workers int
	now     result // the fold of what is known
	inPlan  []bool // by index
	next    int    // position in the plan before which every case is under way or known

	under  []context.CancelFunc // of the runs under way, by index
	known  []*finding           // by index
	runs   []judge.Run          // by index
	grades map[gradeCall]*finding
	asked  map[gradeCall]bool // graders under way or known

	first int    // index of the first case so far that was not accepted
	whole []bool // runs whose outputs are kept whole in any case, by index
	share int    // bytes of output that others keep
	err   error  // the first that ends the judgement
}

// runCases runs the cases, first of all on worker w, which it closes, and
// returns the runs that count, in order, and what they come to.
func (j *judging) runCases(ctx context.Context, w *worker) ([]judge.Run, result, error) {
	ctx, halt := context.WithCancel(ctx)
	defer halt()
	n := len(j.cases)
	s := &schedule{
		judging: j, halt: halt, workers: 1, inPlan: make([]bool, n), under: make([]context.CancelFunc, n),
		known: make([]*finding, n), runs: make([]judge.Run, n), grades: map[gradeCall]*finding{}, asked: map[gradeCall]bool{}, first: n,
	}
	if j.req.Outputs == KeepBeginnings {
		s.whole, s.share = j.parts()
	}
	s.replan()
	s.work(ctx, w)
	w.close() // others can use the slot while the last runs end elsewhere
	s.wg.Wait()
	if s.err != nil {
		return nil, result{}, s.err
	}
	var runs []judge.Run
	for _, i := range s.now.plan {
		if !s.cases[i].static {
			runs = append(runs, s.runs[i])
		}
	}
	return runs, s.now, nil
}

func (s *schedule) work(ctx context.Context, w *worker) {
	for {
		do := s.take(ctx)
		if do == nil {
			return
		}
		do(w)
	}
}

// take hands out what is to be done next, nil when there is nothing, and calls in
// a further worker if there is more.
func (s *schedule) take(ctx context.Context) func(*worker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do := s.pick(ctx)
	if do != nil && s.more() && (s.req.MaxSlots == 0 || s.workers < s.req.MaxSlots) {
		if slot, ok := s.Sandbox.TryAcquire(); ok {
			s.workers++
			s.wg.Go(func() {
				w := newWorker(s.judging, slot)
				defer w.close()
				s.work(ctx, w)
			})
		}
	}
	return do
}

func (s *schedule) pick(ctx context.Context) func(*worker) {
	if s.err != nil {
		return nil
	}
	for _, call := range s.now.wants {
		if !s.asked[call] {
			s.asked[call] = true
			return func(w *worker) {
				o, err := w.askGrader(ctx, call)
				s.gradedBy(call, o, err)
			}
		}
	}
	if !s.more() {
		return nil
	}
	i := s.now.plan[s.next]
	runCtx, cancel := context.WithCancel(ctx)
	s.under[i] = cancel
	return func(w *worker) {
		run, o, err := w.judgeCase(runCtx, &s.cases[i])
		s.finish(i, run, o, err, err != nil && runCtx.Err() != nil && ctx.Err() == nil)
	}
}

// more reports whether a case in the plan waits for a worker.
func (s *schedule) more() bool {
	for ; s.next < len(s.now.plan); s.next++ {
		if i := s.now.plan[s.next]; s.known[i] == nil && s.under[i] == nil {
			return true
		}
	}
	return false
}

// replan folds anew, and ends runs that are not in the plan any more.
func (s *schedule) replan() {
	f := &fold{
		judging: s.judging,
		known:   func(i int) *finding { return s.known[i] },
		grade:   func(c gradeCall) *finding { return s.grades[c] },
	}
	s.now, s.next = f.run(), 0
	clear(s.inPlan)
	for _, i := range s.now.plan {
		s.inPlan[i] = true
	}
	for i, cancel := range s.under {
		if cancel != nil && !s.inPlan[i] {
			cancel()
		}
	}
}

func (s *schedule) finish(i int, run judge.Run, o finding, err error, stopped bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.under[i]()
	s.under[i] = nil
	if err != nil {
		s.next = 0 // a custom grader may have brought it back into the plan, or will
		if s.inPlan[i] && !stopped {
			s.end(err)
		}
		return
	}
	s.known[i] = &o
	// As long as all goes as the plan has it, only the end and graders are news.
	if o.verdict != judge.AC || s.customGrading || s.lastOpen() {
		s.replan()
	}
	if !s.cases[i].static {
		s.keep(i, &run)
		s.runs[i] = run
		if s.inPlan[i] {
			s.on(Event{State: judge.Running, Cases: s.total, Run: &run})
		}
	}
}

// lastOpen reports whether every case in the plan is known.
func (s *schedule) lastOpen() bool {
	if s.more() { // after a new plan next begins anew, and nobody may have moved it on yet
		return false
	}
	for _, i := range s.now.plan {
		if s.known[i] == nil {
			return false
		}
	}
	return true
}

func (s *schedule) gradedBy(call gradeCall, o finding, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.end(err)
		return
	}
	s.grades[call] = &o
	s.replan()
}

func (s *schedule) end(err error) {
	if s.err == nil {
		s.err = err
	}
	s.halt()
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
