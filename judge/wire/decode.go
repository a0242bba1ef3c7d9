package wire

import (
	"math"
	"time"

	"judge/judge"
)

// Judgement is j as a plain value, as a client of the API wants it.
func (j Judgement) Judgement() judge.Judgement {
	out := judge.Judgement{
		ID: Value(j.ID), SubmissionID: Value(j.SubmissionID), State: judge.State(Value(j.State)), Attempt: Value(j.Attempt),
		Problem: Value(j.Problem), ProblemVersion: Value(j.ProblemVersion), Submitter: Value(j.Submitter),
		CreatedAt: time.Time(Value(j.CreatedAt)), JudgedAt: time.Time(Value(j.JudgedAt)), Worker: Value(j.Worker),
		Source: Value(j.Source), Language: Value(j.Language), LanguageVersion: Value(j.LanguageVer), ImageID: Value(j.ImageID),
		Verdict: judge.Verdict(Value(j.Verdict)), Score: j.Score, Limit: judge.Limit(Value(j.Limit)),
		CPUTime: duration(j.CPUTime), WallTime: duration(j.WallTime), Memory: Value(j.Memory), Message: Value(j.Message),
	}
	if c := j.Compile; c != nil {
		out.Compile = &judge.Compilation{
			OK: c.OK, Output: c.Output,
			CPUTime: duration(c.CPUTime), WallTime: duration(c.WallTime), Memory: Value(c.Memory),
		}
	}
	for _, g := range j.Groups {
		out.Groups = append(out.Groups, judge.GroupResult{
			Group: g.Group, Verdict: judge.Verdict(Value(g.Verdict)), Score: g.Score, MaxScore: g.MaxScore,
		})
	}
	for _, r := range j.Runs {
		out.Runs = append(out.Runs, r.Run())
	}
	return out
}

// Run is r as a plain value.
func (r Run) Run() judge.Run {
	out := judge.Run{
		Ordinal: r.Ordinal, Case: Value(r.Case), Verdict: judge.Verdict(Value(r.Verdict)), Limit: judge.Limit(Value(r.Limit)),
		ExitCode: Value(r.ExitCode), Signal: Value(r.Signal), CPUTime: duration(r.CPUTime), WallTime: duration(r.WallTime),
		Memory: Value(r.Memory), Score: r.Score, Message: Value(r.Message),
	}
	if r.ExitCode == nil && r.Signal == nil && r.Verdict != nil {
		out.ExitCode = -1
	}
	return out
}

// Value is what p points to; empty for null.
func Value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func duration(s *float64) time.Duration {
	return time.Duration(math.Round(Value(s)*1e6)) * time.Microsecond
}
