package main

import (
	"math"

	"judge/judge"
	"judge/judge/wire"
	"judge/problems"
	"judge/problems/verify"
)

// reportWire gives a report its shape.
func reportWire(name string, r *verify.Report) wire.Report {
	out := wire.Report{
		Package: name, OK: r.OK(), Findings: findingsWire(r.Findings), Cases: r.Cases,
		Submissions: len(r.Results), Runs: r.Runs, Took: wire.Seconds(r.Took),
	}
	if t := r.TimeLimit; t != nil {
		out.TimeLimit = &wire.TimeLimit{
			Limit: wire.Seconds(t.Limit), Calibrated: t.Calibrated, Slowest: timingWire(t.Slowest), Fastest: timingWire(t.Fastest),
			Headroom: ratioWire(t.Headroom()), Excess: ratioWire(t.Excess()), Machine: wire.Known(t.Machine),
		}
	}
	return out
}

func findingsWire(all []problems.Finding) []wire.Finding {
	out := make([]wire.Finding, 0, len(all))
	for _, f := range all {
		out = append(out, wire.Finding{Severity: string(f.Severity), Code: f.Code, File: f.File, Line: f.Line, Message: f.Message})
	}
	return out
}

func timingWire(t *verify.Time) *wire.Timing {
	if t == nil {
		return nil
	}
	return &wire.Timing{Submission: t.Submission, Case: t.Case, CPUTime: wire.Seconds(t.CPU), AtLeast: t.AtLeast}
}

func ratioWire(r float64) *float64 { return wire.Known(math.Round(r*100) / 100) }

// keptReport is a report with what each submission came to, without its runs.
func keptReport(name string, r *verify.Report) wire.VerificationReport {
	out := wire.VerificationReport{Report: reportWire(name, r), Results: make([]wire.JuryResult, 0, len(r.Results))}
	for i := range r.Results {
		out.Results = append(out.Results, resultWire(&r.Results[i]))
	}
	return out
}

func resultWire(r *verify.Result) wire.JuryResult {
	j := wire.FromJudgement(r.Judgement)
	out := wire.JuryResult{
		Submission: r.Submission.Name, Expected: wire.Verdicts(r.Submission.Expected), OK: r.OK(), Complaints: append([]string{}, r.Complaints...),
		Language: j.Language, Verdict: j.Verdict, Score: j.Score, CPUTime: j.CPUTime, WallTime: j.WallTime, Memory: j.Memory, Groups: j.Groups,
	}
	if r.Refused != "" {
		out.Complaints = append(out.Complaints, r.Refused)
	}
	return out
}

// juryJSON is a judgement of a jury's submission on a line of its own.
func juryJSON(name string, r *verify.Result) juryLine {
	line := juryLine{Judgement: wire.FromJudgement(r.Judgement), Package: name, Expected: r.Submission.Expected, OK: r.OK()}
	if line.Expected == nil {
		line.Expected = []judge.Verdict{}
	}
	line.Source = &r.Submission.Name
	line.Error = wire.Known(r.Refused)
	return line
}
