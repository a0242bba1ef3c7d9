package verify

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"judge/judge"
	"judge/problems"
)

// TimeLimit is what was found about the time limit. All times are CPU times of
// one run.
type TimeLimit struct {
	Limit      time.Duration
	Calibrated bool  // found here; else the package gives it
	Slowest    *Time // of the accepted submissions; nil: there is none
	Fastest    *Time // of those that are too slow: the greatest of its runs; nil: there is none
	Machine    string
}

// Time is how long a submission took on a case.
type Time struct {
	Submission string
	Case       string
	CPU        time.Duration
	AtLeast    bool // the run was stopped at CPU
}

// Headroom is how many times the slowest accepted submission fits into the limit;
// 0: unknown.
func (t *TimeLimit) Headroom() float64 {
	if t.Slowest == nil || t.Slowest.CPU == 0 {
		return 0
	}
	return float64(t.Limit) / float64(t.Slowest.CPU)
}

// Excess is how many times the limit fits into the fastest submission that is too
// slow; 0: unknown.
func (t *TimeLimit) Excess() float64 {
	if t.Fastest == nil || t.Limit == 0 {
		return 0
	}
	return float64(t.Fastest.CPU) / float64(t.Limit)
}

// Factors where a package says nothing: of a limit that it gives, anything less is
// worth a warning.
const (
	closeAccepted = 1.5
	closeTooSlow  = 1.2
)

// Calibrate finds a limit: the smallest multiple of the resolution that is at
// least the slowest accepted time by the format's factor. 0 in c means the
// defaults of the legacy format: 5, whole seconds.
func Calibrate(c judge.TimeCalibrate, slowest time.Duration) time.Duration {
	factor, step := c.Multiplier, c.Resolution
	if factor <= 0 {
		factor = 5
	}
	if step <= 0 {
		step = time.Second
	}
	least := float64(slowest) * factor
	// A microsecond is below what is measured: it must not cost a whole step.
	n := math.Ceil((least - float64(time.Microsecond)) / float64(step))
	return min(time.Duration(max(n, 1))*step, judge.MaxCPU)
}

// setLimit finds the limit, or looks what the given one is worth.
func (v *verification) setLimit(results []*Result) {
	t := &TimeLimit{Machine: v.Machine, Limit: v.problem.Limits.WithDefaults().CPU}
	v.report.TimeLimit = t
	accepted := 0
	for _, r := range results {
		if r == nil || r.Refused != "" || r.Judgement.Verdict != judge.AC {
			continue
		}
		accepted++
		for i := range r.Judgement.Runs {
			if run := &r.Judgement.Runs[i]; t.Slowest == nil || run.CPUTime > t.Slowest.CPU {
				t.Slowest = &Time{Submission: r.Submission.Name, Case: run.Case, CPU: run.CPUTime}
			}
		}
	}
	if v.problem.TimeLimitSet {
		return
	}
	if accepted == 0 || t.Slowest == nil {
		t.Limit = v.Problem.Limits.WithDefaults().CPU
		v.find(problems.Error, CodeNoCalibration, "", "the package gives no time limit, and no accepted submission of its own was accepted, so that none can be found; give one, or an accepted submission")
	} else {
		t.Limit, t.Calibrated = Calibrate(v.problem.Timing, t.Slowest.CPU), true
		if v.Highest > 0 && t.Limit > v.Highest {
			v.find(problems.Error, CodeLimitTooHigh, "submissions/"+t.Slowest.Submission, "takes so long that the time limit would be %v; at most %v is given: make it faster, or the test data smaller", t.Limit, v.Highest)
			t.Limit = v.Highest
		}
		v.find(problems.Info, CodeCalibrated, "", "the package gives no time limit; %v was found from submissions/%s, which takes %.3f s on %s",
			t.Limit, t.Slowest.Submission, t.Slowest.CPU.Seconds(), t.Slowest.Case)
	}
	v.problem.Limits.CPU, v.problem.Limits.Wall = t.Limit, v.Problem.Limits.Wall
}

// margins measures how slow the submissions are that are too slow, and says where
// either side is close to the limit.
func (v *verification) margins(ctx context.Context) error {
	t := v.report.TimeLimit
	factor := v.problem.Timing.SafetyMargin
	if factor <= 1 {
		factor = 2
	}
	for i := range v.report.Results {
		if err := v.measure(ctx, &v.report.Results[i], factor); err != nil {
			return err
		}
	}
	if t.Slowest != nil && !t.Calibrated && t.Headroom() < closeAccepted {
		v.find(problems.Warning, CodeAcceptedClose, "submissions/"+t.Slowest.Submission,
			"takes %.3f s on %s, and the time limit is %v: a slower machine would reject it; give at least %.1f times its time", t.Slowest.CPU.Seconds(), t.Slowest.Case, t.Limit, closeAccepted)
	}
	if t.Fastest == nil || t.Fastest.AtLeast {
		return nil
	}
	severity, want := problems.Warning, closeTooSlow
	if t.Calibrated {
		severity, want = problems.Error, factor // the format's own rule
	}
	if t.Excess() < want {
		v.find(severity, CodeTooSlowClose, "submissions/"+t.Fastest.Submission,
			"ends after %.3f s on %s, and the time limit is %v: a faster machine would accept it; it should take %.1f times the limit", t.Fastest.CPU.Seconds(), t.Fastest.Case, t.Limit, want)
	}
	return nil
}

// measure runs a submission that was too slow again on the cases on which it was,
// under a limit that is greater by factor.
func (v *verification) measure(ctx context.Context, r *Result, factor float64) error {
	if v.timing(r.Submission) != judge.TimingTooSlow || r.Refused != "" || r.Judgement.Verdict != judge.TLE {
		return nil
	}
	var slow []string
	for i := range r.Judgement.Runs {
		if run := &r.Judgement.Runs[i]; run.Verdict == judge.TLE && run.Limit == judge.LimitCPU {
			slow = append(slow, run.Case)
		}
	}
	if len(slow) == 0 {
		return nil // it only waits
	}
	p := v.problem
	p.Limits.CPU, p.Limits.Wall = min(time.Duration(float64(v.report.TimeLimit.Limit)*factor), judge.MaxCPU), 0
	j, err := v.Grader.Judge(ctx, Request{Problem: &p, Submission: r.Submission, Cases: slow}, func(int, int) {})
	if _, ok := errors.AsType[Refused](err); ok {
		return nil // it was judged before; a package of which parts cannot be
	}
	if err != nil || len(j.Runs) == 0 {
		return err
	}
	v.report.Runs += len(j.Runs)
	at := slices.MaxFunc(j.Runs, func(a, b judge.Run) int { return int(a.CPUTime - b.CPUTime) })
	t := v.report.TimeLimit
	if t.Fastest == nil || at.CPUTime < t.Fastest.CPU {
		t.Fastest = &Time{Submission: r.Submission.Name, Case: at.Case, CPU: at.CPUTime, AtLeast: at.Verdict == judge.TLE}
	}
	return nil
}
