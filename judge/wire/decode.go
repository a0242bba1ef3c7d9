package wire

import (
	"math"
	"time"

	"judge/judge"
)

// Judgement is j as a plain value, as a client of the API wants it.
func (j Judgement) Judgement() judge.Judgement {
	out := judge.Judgement{
		ID: value(j.ID), SubmissionID: value(j.SubmissionID), State: judge.State(value(j.State)), Attempt: value(j.Attempt),
		Problem: value(j.Problem), ProblemVersion: value(j.ProblemVersion), Submitter: value(j.Submitter),
		CreatedAt: time.Time(value(j.CreatedAt)), JudgedAt: time.Time(value(j.JudgedAt)), Worker: value(j.Worker),
		Source: value(j.Source), Language: value(j.Language), LanguageVersion: value(j.LanguageVer), ImageID: value(j.ImageID),
		Verdict: judge.Verdict(value(j.Verdict)), Score: j.Score, Limit: judge.Limit(value(j.Limit)),
		CPUTime: duration(j.CPUTime), WallTime: duration(j.WallTime), Memory: value(j.Memory), Message: value(j.Message),
	}
	if c := j.Compile; c != nil {
		out.Compile = &judge.Compilation{
			OK: c.OK, Output: c.Output,
			CPUTime: duration(c.CPUTime), WallTime: duration(c.WallTime), Memory: value(c.Memory),
		}
	}
	for _, g := range j.Groups {
		out.Groups = append(out.Groups, judge.GroupResult{
			Group: g.Group, Verdict: judge.Verdict(value(g.Verdict)), Score: g.Score, MaxScore: g.MaxScore,
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
		Ordinal: r.Ordinal, Case: value(r.Case), Verdict: judge.Verdict(value(r.Verdict)), Limit: judge.Limit(value(r.Limit)),
		ExitCode: value(r.ExitCode), Signal: value(r.Signal), CPUTime: duration(r.CPUTime), WallTime: duration(r.WallTime),
		Memory: value(r.Memory), Score: r.Score, Message: value(r.Message),
	}
	if r.ExitCode == nil && r.Signal == nil && r.Verdict != nil {
		out.ExitCode = -1
	}
	return out
}

func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func duration(s *float64) time.Duration {
	return time.Duration(math.Round(value(s)*1e6)) * time.Microsecond
}
