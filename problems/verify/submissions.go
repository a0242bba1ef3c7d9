package verify

import (
	"context"
	"errors"
	"slices"
	"sync"

	"judge/judge"
	"judge/problems"
)

// CalibrationCPU is the CPU limit of a run while there is none yet, where the
// package's own is lower.
const calibrationCPU = judge.MaxCPU / 10

// chosen are the indexes of the submissions that are judged.
func (v *verification) chosen() []int {
	var all []int
	for i := range v.problem.Jury {
		if v.Only == nil || v.Only(v.problem.Jury[i].Name) {
			all = append(all, i)
		}
	}
	return all
}

// submissions judges the jury's submissions: first those that must be fast
// enough, for they may find the limit that the others are judged under.
func (v *verification) submissions(ctx context.Context) error {
	if v.Skip[Submissions] {
		return nil
	}
	var fast, rest []int
	for _, i := range v.chosen() {
		if v.timing(&v.problem.Jury[i]) == judge.TimingAccepted {
			fast = append(fast, i)
		} else {
			rest = append(rest, i)
		}
	}
	results := make([]*Result, len(v.problem.Jury))
	if !v.problem.TimeLimitSet {
		v.problem.Limits.CPU, v.problem.Limits.Wall = max(v.problem.Limits.CPU, calibrationCPU), 0
	}
	if err := v.judgeAll(ctx, fast, results); err != nil {
		return err
	}
	v.setLimit(results)
	if err := v.judgeAll(ctx, rest, results); err != nil {
		return err
	}
	for _, r := range results {
		if r != nil {
			v.report.Results = append(v.report.Results, *r)
		}
	}
	return v.margins(ctx)
}

// timing is what a submission says about the time limit. A package whose format
// has no word for it says it by what is expected.
func (v *verification) timing(s *judge.JurySubmission) judge.TimingRole {
	for i := range v.problem.Jury {
		if v.problem.Jury[i].Timing != judge.TimingNone {
			return s.Timing
		}
	}
	switch {
	case slices.Equal(s.Expected, []judge.Verdict{judge.AC}):
		return judge.TimingAccepted
	case slices.Equal(s.Expected, []judge.Verdict{judge.TLE}):
		return judge.TimingTooSlow
	}
	return judge.TimingNone
}

func (v *verification) judgeAll(ctx context.Context, which []int, results []*Result) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	line := make(chan int)
	var wg sync.WaitGroup
	for range min(max(v.Parallel, 1), len(which)) {
		wg.Go(func() {
			for i := range line {
				r, err := v.judge(ctx, &v.problem.Jury[i])
				if err != nil {
					cancel(err)
					return
				}
				results[i] = r
			}
		})
	}
	for _, i := range which {
		select {
		case line <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(line)
	wg.Wait()
	return context.Cause(ctx)
}

func (v *verification) judge(ctx context.Context, s *judge.JurySubmission) (*Result, error) {
	r := &Result{Submission: s, Whole: v.All || !v.stopsEarly(s)}
	seen := 0
	var err error
	r.Judgement, err = v.Grader.Judge(ctx, Request{Problem: &v.problem, Submission: s, All: r.Whole}, func(done, _ int) {
		v.step(Submissions, s.Name, max(done-seen, 0), nil)
		seen = max(done, seen)
	})
	if refused, ok := errors.AsType[Refused](err); ok {
		r.Refused, err = judge.SafeText([]byte(refused.Reason), maxMessage), nil
		v.find(problems.Error, CodeRefused, "submissions/"+s.Name, "cannot be judged: %s", refused.Reason)
	}
	if err != nil {
		return nil, err
	}
	if r.Refused == "" {
		r.Judgement.Source = s.Name
		r.Complaints = Check(s, &r.Judgement)
		v.mu.Lock()
		v.report.Runs += len(r.Judgement.Runs)
		v.mu.Unlock()
	}
	for _, c := range r.Complaints {
		v.find(problems.Error, CodeSubmission, "submissions/"+s.Name, "%s; mend the submission, the test data, or what the package expects of it", c)
	}
	v.step(Submissions, s.Name, max(len(v.cases)-seen, 0), r)
	return r, nil
}

// stopsEarly reports whether a submission is judged until the first case that is
// not accepted only: who is too slow on one case may be so on all, and that each
// takes its whole limit tells nothing more.
func (v *verification) stopsEarly(s *judge.JurySubmission) bool {
	for _, e := range s.Expectations {
		if e.Cases != "" || e.Score != nil {
			return false
		}
	}
	return !v.problem.Scoring && s.Score == nil && v.timing(s) == judge.TimingTooSlow
}
