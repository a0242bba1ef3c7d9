package api

import (
	"math"
	"slices"
	"strings"
	"time"

	"judge/judge"
	"judge/judge/wire"
)

// The feedback policies of contracts.md, in one place. Everything about a
// judgement that leaves for someone who is not its staff passes through feedback
// or feedbackRun.

// Rounded to these, times and memory are no channel for what a secret test holds.
const (
	timeStep   = 0.010   // seconds
	memoryStep = 1 << 20 // bytes
)

// sample is the folder whose cases everybody sees.
const sample = "sample"

// contestFeedback is the policy that a contest sets for what was handed in there;
// empty: that of the problem holds. Who only looks on is not told what the frozen
// board hides.
func contestFeedback(c *judge.Contest, role judge.Role, handedIn, now time.Time) judge.Feedback {
	if c.Held(now) || (role == judge.RoleViewer && c.Frozen(nil, handedIn, now)) {
		return judge.FeedbackNone
	}
	return c.Feedback
}

// feedback takes out of a judgement what a policy hides. What it returns shares
// nothing that it changed with j. A policy that is not known hides as none does.
// What is open is shown as samples are.
func feedback(j wire.Judgement, policy judge.Feedback, also open) wire.Judgement {
	if policy == judge.FeedbackFull {
		return j
	}
	j.Limit, j.Message = nil, nil
	j.CPUTime, j.WallTime, j.Memory = rounded(j.CPUTime), rounded(j.WallTime), roundedMemory(j.Memory)
	j.Groups = slices.DeleteFunc(slices.Clone(j.Groups), func(g wire.Group) bool { return policy == judge.FeedbackVerdict || !also.has(&g.Group) })
	if j.Groups == nil {
		j.Groups = []wire.Group{}
	}
	runs, failed := j.Runs, false
	judged := wire.Value(j.State) == string(judge.Judged)
	j.Runs = []wire.Run{}
	for _, r := range runs {
		shown, ok := feedbackRun(r, policy, also)
		// Runs end in any order: which failed first is known when all have ended.
		if !ok && policy == judge.FeedbackFirstFailed && judged && !failed && wire.Value(r.Verdict) != string(judge.AC) {
			shown, ok = hidden(r, also), true
		}
		failed = failed || (r.Verdict != nil && *r.Verdict != string(judge.AC))
		if ok {
			j.Runs = append(j.Runs, shown)
		}
	}
	if policy != judge.FeedbackCases && policy != judge.FeedbackFirstFailed && policy != judge.FeedbackVerdict {
		j.Verdict, j.Score, j.CPUTime, j.WallTime, j.Memory, j.Compile = nil, nil, nil, nil, nil, nil
		j.Groups = []wire.Group{}
	}
	return j
}

// feedbackRun is a run under a policy as it may be told while its judgement is
// under way; false: it may not be told of.
func feedbackRun(r wire.Run, policy judge.Feedback, also open) (wire.Run, bool) {
	switch policy {
	case judge.FeedbackFull:
		return r, true
	case judge.FeedbackCases:
		return hidden(r, also), true
	case judge.FeedbackFirstFailed:
		return r, also.has(r.Case)
	case judge.FeedbackVerdict, judge.FeedbackNone:
	}
	return wire.Run{}, false
}

// hidden is what is shown of a secret run at most; of one that is open, all.
func hidden(r wire.Run, also open) wire.Run {
	if also.has(r.Case) {
		return r
	}
	return wire.Run{Ordinal: r.Ordinal, Verdict: r.Verdict, CPUTime: rounded(r.CPUTime), WallTime: rounded(r.WallTime)}
}

// open has the cases and groups that everybody sees beside the samples, by path
// below data/. It may be nil.
type open map[string]bool

func (o open) has(path *string) bool {
	return path != nil && (*path == sample || strings.HasPrefix(*path, sample+"/") || o[*path])
}

func rounded(seconds *float64) *float64 {
	if seconds == nil {
		return nil
	}
	out := math.Round(*seconds/timeStep) / (1 / timeStep)
	return &out
}

func roundedMemory(bytes *int64) *int64 {
	if bytes == nil {
		return nil
	}
	out := (*bytes + memoryStep/2) / memoryStep * memoryStep
	return &out
}
