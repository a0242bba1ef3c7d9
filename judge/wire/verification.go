package wire

import (
	"time"

	"judge/judge"
)

// Report is what verifying a package found, as JSON.
type Report struct {
	Package     string     `json:"package"`
	OK          bool       `json:"ok" doc:"Nothing is worse than a warning."`
	Findings    []Finding  `json:"findings"`
	TimeLimit   *TimeLimit `json:"time_limit" doc:"Null where no submission was judged."`
	Cases       int        `json:"cases" doc:"Test cases of the problem."`
	Submissions int        `json:"submissions" doc:"Of the jury, that were judged."`
	Runs        int        `json:"runs" doc:"Runs of submissions on cases that were made."`
	Took        float64    `json:"took_s"`
}

// Finding is something that the people who made a package should know.
type Finding struct {
	Severity string `json:"severity" enum:"info,warning,error"`
	Code     string `json:"code" doc:"For programs, as in missing-answer."`
	File     string `json:"file" doc:"Path in the package; empty: the package as a whole."`
	Line     int    `json:"line" doc:"From 1; 0: none."`
	Message  string `json:"message" doc:"The reason and the remedy."`
}

// TimeLimit is a limit of CPU time beside what the jury's submissions take.
type TimeLimit struct {
	Limit      float64  `json:"limit_s"`
	Calibrated bool     `json:"calibrated" doc:"Found here; else the package gives it."`
	Slowest    *Timing  `json:"slowest_accepted"`
	Fastest    *Timing  `json:"fastest_too_slow"`
	Headroom   *float64 `json:"headroom" doc:"How many times the slowest accepted submission fits into the limit."`
	Excess     *float64 `json:"excess" doc:"How many times the limit fits into the fastest submission that is too slow."`
	Machine    *string  `json:"machine" doc:"Where it was measured."`
}

// Timing is how long a submission took on a case.
type Timing struct {
	Submission string  `json:"submission"`
	Case       string  `json:"case"`
	CPUTime    float64 `json:"cpu_time_s"`
	AtLeast    bool    `json:"at_least" doc:"The run was stopped then."`
}

// JuryResult is what a jury's submission came to.
type JuryResult struct {
	Submission string   `json:"submission" doc:"Path below submissions/."`
	Language   *string  `json:"language"`
	Expected   []string `json:"expected" doc:"Any of these verdicts; empty: any."`
	Verdict    *string  `json:"verdict"`
	Score      *float64 `json:"score"`
	OK         bool     `json:"ok"`
	Complaints []string `json:"complaints" doc:"What is not as expected."`
	CPUTime    *float64 `json:"cpu_time_s"`
	WallTime   *float64 `json:"wall_time_s"`
	Memory     *int64   `json:"memory_bytes"`
	Groups     []Group  `json:"groups"`
}

// Seconds is a duration as it stands in JSON, to the microsecond.
func Seconds(d time.Duration) float64 { return seconds(d) }

// VerificationReport is a report as it is kept.
type VerificationReport struct {
	Report

	Results []JuryResult `json:"results"`
}

// Verdicts are verdicts as texts; never nil.
func Verdicts(all []judge.Verdict) []string {
	out := make([]string, 0, len(all))
	for _, v := range all {
		out = append(out, string(v))
	}
	return out
}
