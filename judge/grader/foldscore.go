package grader

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"judge/judge"
)

const (
	maxFinite = math.MaxFloat64
	// slack is how far a sum of scores may be above its maximum: sums of parts of a
	// maximum are rounded.
	slack = 1e-9
)

// defaultScoring is secret's without settings.
var defaultScoring = judge.GroupScoring{MaxScore: 100, Aggregation: judge.AggregateSum}

// scoringOf is how a group is scored in 2025-09; nil: it has no score.
func (j *judging) scoringOf(g *judge.TestGroup) *judge.GroupScoring {
	if j.scored && g.Scoring == nil && g.Name == "secret" {
		return &defaultScoring
	}
	return g.Scoring
}

// scoreGroup follows 2025-09: what is not judged gives nothing.
func (f *fold) scoreGroup(g *judge.TestGroup, items []finding) finding {
	out := firstRejected(items)
	s := f.scoringOf(g)
	if s == nil { // the root: its score is secret's; sample's own is none
		for _, o := range items {
			out.score += o.score
		}
		return out
	}
	switch s.Aggregation {
	case judge.AggregatePassFail:
		out.score = 0
		if out.verdict == judge.AC {
			out.score = s.MaxScore
		}
	case judge.AggregateMin:
		out.score = 0
		for i, o := range items {
			if i == 0 || o.score < out.score {
				out.score = o.score
			}
		}
	case judge.AggregateSum:
		out.score = 0
		for _, o := range items {
			out.score += o.score
		}
	}
	if out.score > s.MaxScore+slack*math.Max(1, s.MaxScore) && !out.guess {
		return f.fail(g, "a score of %v is more than its maximum, %v", out.score, s.MaxScore)
	}
	out.score = math.Min(out.score, s.MaxScore)
	return out
}

// defaultGrading is that of a legacy group without settings.
var defaultGrading = judge.Grading{
	Verdict: judge.WorstError, Score: judge.ScoreSum, AcceptScore: 1, Low: math.Inf(-1), High: math.Inf(1),
}

func gradingOf(g *judge.TestGroup) *judge.Grading {
	if g.Grading == nil {
		return &defaultGrading
	}
	return g.Grading
}

// gradeGroup follows the legacy format. The score of what is not accepted is
// that of a rejected case, whatever the grader adds up.
func (f *fold) gradeGroup(g *judge.TestGroup, items []finding) finding {
	rules := gradingOf(g)
	if len(items) == 0 {
		return finding{verdict: judge.AC}
	}
	var out finding
	if rules.Custom {
		out = f.custom(g, rules, items)
	} else {
		out = byVerdict(rules, items)
		out.score = byScore(rules, items)
	}
	if f.failed != nil {
		return *f.failed
	}
	if out.verdict != judge.AC {
		out.score = rules.RejectScore
	}
	if f.req.Problem.Scoring && !out.guess && (out.score < rules.Low-slack || out.score > rules.High+slack) && rules.Low < rules.High {
		return f.fail(g, "a score of %v is outside its range, %v to %v", out.score, rules.Low, rules.High)
	}
	return out
}

// worst is the order of errors, the worst first; RE and MLE are one in the ICPC's.
var worst = []judge.Verdict{judge.JE, judge.RE, judge.MLE, judge.TLE, judge.OLE, judge.WA}

func byVerdict(rules *judge.Grading, items []finding) finding {
	out := finding{verdict: judge.AC}
	rejected := firstRejected(items)
	out.guess = rejected.guess
	accepted := slices.ContainsFunc(items, func(o finding) bool { return o.verdict == judge.AC })
	switch {
	case rules.Verdict == judge.AlwaysAccept, rules.AnyAccepted && accepted, rejected.verdict == judge.AC:
		return out
	case rules.Verdict == judge.FirstError:
		return rejected
	}
	for _, v := range worst {
		if i := slices.IndexFunc(items, func(o finding) bool { return o.verdict == v }); i >= 0 {
			out.verdict, out.limit, out.message = v, items[i].limit, items[i].message
			return out
		}
	}
	return rejected
}

func byScore(rules *judge.Grading, items []finding) float64 {
	total := items[0].score
	for _, o := range items[1:] {
		switch rules.Score {
		case judge.ScoreMin:
			total = math.Min(total, o.score)
		case judge.ScoreMax:
			total = math.Max(total, o.score)
		case judge.ScoreSum, judge.ScoreAvg:
			total += o.score
		}
	}
	if rules.Score == judge.ScoreAvg {
		total /= float64(len(items))
	}
	return total
}

// custom asks the package's grader, once all that it is to read is known.
func (f *fold) custom(g *judge.TestGroup, rules *judge.Grading, items []finding) finding {
	var in strings.Builder
	for _, o := range items {
		if o.guess {
			return finding{verdict: judge.AC, guess: true}
		}
		fmt.Fprintf(&in, "%s %s\n", code(o.verdict), strconv.FormatFloat(o.score, 'f', -1, 64))
	}
	call := gradeCall{group: g.Name, input: in.String(), flags: strings.Join(rules.Flags, "\x00")}
	said := f.grade(call)
	switch {
	case said == nil:
		f.open = true
		f.wants = append(f.wants, call)
		return finding{verdict: judge.AC, guess: true}
	case said.verdict == judge.JE:
		return f.fail(g, "%s", said.message)
	}
	return *said
}

// code is a verdict as graders have it. They know four.
func code(v judge.Verdict) string {
	switch v {
	case judge.RE, judge.MLE:
		return "RTE"
	case judge.OLE:
		return string(judge.WA)
	case judge.AC, judge.WA, judge.TLE, judge.CE, judge.JE:
	}
	return string(v)
}
