// Package wire is responsible for the JSON shape of a judgement, which is the
// same object in `judge run --json`, the API, server-sent events and webhooks.
//
// It decides nothing about who may see what: whoever sends a judgement to its
// submitter takes out first what the feedback policy hides.
package wire

import (
	"math"
	"time"

	"judge/judge"
)

// Judgement is a judgement as JSON. Null is what is not known; groups and runs
// are never null. Durations are seconds, rounded to microseconds; sizes are
// bytes.
type Judgement struct {
	ID             *string      `json:"id"`
	SubmissionID   *string      `json:"submission_id"`
	State          *string      `json:"state"`
	Attempt        *int         `json:"attempt"`
	Problem        *string      `json:"problem"`
	ProblemVersion *string      `json:"problem_version"`
	Submitter      *string      `json:"submitter"`
	CreatedAt      *Time        `json:"created_at"`
	JudgedAt       *Time        `json:"judged_at"`
	Worker         *string      `json:"worker"`
	Source         *string      `json:"source"`
	Language       *string      `json:"language"`
	LanguageVer    *string      `json:"language_version"`
	ImageID        *string      `json:"image_id"`
	Verdict        *string      `json:"verdict"`
	Score          *float64     `json:"score"`
	Limit          *string      `json:"limit"`
	CPUTime        *float64     `json:"cpu_time_s"`
	WallTime       *float64     `json:"wall_time_s"`
	Memory         *int64       `json:"memory_bytes"`
	Message        *string      `json:"message"`
	Compile        *Compilation `json:"compile"`
	Groups         []Group      `json:"groups"`
	Runs           []Run        `json:"runs"`
}

// Compilation is what compiling said and cost.
type Compilation struct {
	OK       bool     `json:"ok"`
	Output   string   `json:"output"`
	CPUTime  *float64 `json:"cpu_time_s"`
	WallTime *float64 `json:"wall_time_s"`
	Memory   *int64   `json:"memory_bytes"`
}

// Group is the outcome of a test group.
type Group struct {
	Group    string   `json:"group"`
	Verdict  *string  `json:"verdict"`
	Score    *float64 `json:"score"`
	MaxScore *float64 `json:"max_score"`
}

// Run is the outcome of one test case. ExitCode is null where a signal ended
// the program or nothing ran, Signal is null where no signal did, Case where it is
// not to be known.
type Run struct {
	Ordinal  int      `json:"ordinal"`
	Case     *string  `json:"case"`
	Verdict  *string  `json:"verdict"`
	Limit    *string  `json:"limit"`
	ExitCode *int     `json:"exit_code"`
	Signal   *int     `json:"signal"`
	CPUTime  *float64 `json:"cpu_time_s"`
	WallTime *float64 `json:"wall_time_s"`
	Memory   *int64   `json:"memory_bytes"`
	Score    *float64 `json:"score"`
	Message  *string  `json:"message"`
}

// FromJudgement gives j its shape.
func FromJudgement(j judge.Judgement) Judgement {
	out := Judgement{
		ID: Known(j.ID), SubmissionID: Known(j.SubmissionID), State: name(j.State), Attempt: Known(j.Attempt),
		Problem: Known(j.Problem), ProblemVersion: Known(j.ProblemVersion), Submitter: Known(j.Submitter),
		CreatedAt: newTime(j.CreatedAt), JudgedAt: newTime(j.JudgedAt), Worker: Known(j.Worker),
		Source: Known(j.Source), Language: Known(j.Language), LanguageVer: Known(j.LanguageVersion), ImageID: Known(j.ImageID),
		Verdict: name(j.Verdict), Score: j.Score, Limit: name(j.Limit), Memory: Known(j.Memory), Message: Known(j.Message),
		Groups: make([]Group, 0, len(j.Groups)), Runs: make([]Run, 0, len(j.Runs)),
	}
	out.CPUTime, out.WallTime = times(j.CPUTime, j.WallTime)
	if c := j.Compile; c != nil {
		out.Compile = &Compilation{OK: c.OK, Output: c.Output, Memory: Known(c.Memory)}
		out.Compile.CPUTime, out.Compile.WallTime = times(c.CPUTime, c.WallTime)
	}
	for _, g := range j.Groups {
		out.Groups = append(out.Groups, Group{Group: g.Group, Verdict: name(g.Verdict), Score: g.Score, MaxScore: g.MaxScore})
	}
	for _, r := range j.Runs {
		out.Runs = append(out.Runs, FromRun(r))
	}
	return out
}

// FromRun gives r its shape.
func FromRun(r judge.Run) Run {
	out := Run{
		Ordinal: r.Ordinal, Case: Known(r.Case), Verdict: name(r.Verdict), Limit: name(r.Limit),
		Signal: Known(r.Signal), Memory: Known(r.Memory), Score: r.Score, Message: Known(r.Message),
	}
	if r.Signal == 0 && r.ExitCode >= 0 && r.Verdict != "" {
		out.ExitCode = &r.ExitCode
	}
	out.CPUTime, out.WallTime = times(r.CPUTime, r.WallTime)
	return out
}

// Known is v, or null where v is empty: unknown is null.
func Known[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func name[T ~string](v T) *string { return Known(string(v)) }

// times are null when nothing ran: whatever ran took some wall time.
func times(cpu, wall time.Duration) (*float64, *float64) {
	if wall == 0 {
		return nil, nil
	}
	c, w := seconds(cpu), seconds(wall)
	return &c, &w
}

// seconds rounds in whole microseconds, so that the nearest float64 prints with
// at most six digits behind the point.
func seconds(d time.Duration) float64 {
	return math.Round(float64(d.Nanoseconds())/1e3) / 1e6
}
