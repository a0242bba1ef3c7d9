// Package verify is responsible for telling an instructor before the contest what
// is wrong with a problem package: it has the package's own validators and
// submissions run, and holds what comes of it against what the package declares.
//
// It does not read packages (problems does, whose findings it takes over), runs
// nothing by itself (a Grader does), and knows neither tables nor terminals.
//
// A verification goes in this order: input validators over all inputs; the jury's
// answers, and what the package shows as valid and invalid, through the output
// validator; accepted submissions, which find the time limit where none is given;
// all other submissions under that limit; and what follows from all runs together.
package verify

import (
	"context"
	"io"
	"sync"
	"time"

	"judge/judge"
	"judge/problems"
)

// Grader is what has programs run. Its methods may be called by many goroutines.
// Errors that wrap Refused are the package's fault; all others are ours, and end
// the verification.
type Grader interface {
	// Judge judges a jury submission; on hears how many cases have been judged.
	Judge(ctx context.Context, r Request, on func(done, cases int)) (judge.Judgement, error)
	// ValidateInputs asks one input validator about files, in any order.
	ValidateInputs(ctx context.Context, p *judge.Problem, program judge.JuryProgram, inputs []Input, on func(i int, v judge.Validation)) error
	// ValidateOutputs asks the problem's output validator about files, in any order.
	ValidateOutputs(ctx context.Context, p *judge.Problem, outputs []Output, on func(i int, v judge.Validation)) error
}

// Refused is wrapped by a Grader's errors that the package's authors can mend.
type Refused struct{ Reason string }

func (r Refused) Error() string { return r.Reason }

// NotRun is wrapped by a Grader's errors about validators that nothing here runs.
type NotRun struct{ Reason string }

func (n NotRun) Error() string { return n.Reason }

// Request is a submission to be judged.
type Request struct {
	Problem    *judge.Problem // with the limits to judge under
	Submission *judge.JurySubmission
	All        bool     // go on after a case that is not accepted
	Cases      []string // only these, by name below data/; empty: all
}

// Input is a file for input validators.
type Input struct {
	Blob  judge.Blob
	Flags []string
	Files []judge.CaseFile // beside the validator
}

// Output is a file for the output validator, as an answer to a case.
type Output struct {
	Case   judge.CaseInGroup
	Output judge.Blob
}

// Part is a part of a verification.
type Part string

// The parts that can be left out.
const (
	Inputs      Part = "inputs"
	Answers     Part = "answers"
	Submissions Part = "submissions"
	Strength    Part = "strength"
)

// Config says what is verified, and by what.
type Config struct {
	// Problem is not changed.
	Problem  *judge.Problem
	Findings []problems.Finding // of reading the package
	Open     func(judge.Blob) (io.ReadCloser, error)
	Grader   Grader

	Skip     map[Part]bool
	Only     func(submission string) bool // which submissions are judged; nil: all
	All      bool                         // run too slow submissions on all cases too
	Highest  time.Duration                // limit that may be found; 0: judge.MaxCPU
	Parallel int                          // submissions at once; 0: one
	Machine  string                       // on which times are measured, for people
	On       func(Event)                  // is told of each step, by one goroutine at a time; nil: nobody
}

// Event tells how a verification goes.
type Event struct {
	Part  Part
	What  string // a validator, a submission; for people
	Done  int    // of Total steps of the whole
	Total int
	// Result is of a submission that has been judged.
	Result *Result
}

// Result is what a jury submission came to.
type Result struct {
	Submission *judge.JurySubmission
	Judgement  judge.Judgement
	Complaints []string // why it is not as expected; none: it is
	Refused    string   // why there is no judgement, if so
	Whole      bool     // every case was run
}

// OK reports whether it came to what was expected.
func (r *Result) OK() bool { return r.Refused == "" && len(r.Complaints) == 0 }

// Report is what a verification found.
type Report struct {
	Findings  []Finding
	Results   []Result // in the package's order
	TimeLimit *TimeLimit
	Cases     int // test cases of the problem
	Runs      int // runs that were made
	Took      time.Duration
}

// OK reports whether nothing is worse than a warning.
func (r *Report) OK() bool {
	for _, f := range r.Findings {
		if f.Severity == problems.Error {
			return false
		}
	}
	return true
}

// verification is one on its way.
type verification struct {
	Config

	problem judge.Problem // with the limits that were found
	cases   []judge.CaseInGroup
	report  *Report

	mu    sync.Mutex
	done  int
	total int
}

// Run verifies. The error is ours or ctx's; what is wrong with the package is in
// the report.
func Run(ctx context.Context, c Config) (*Report, error) {
	begun := time.Now()
	v := &verification{Config: c, problem: *c.Problem, cases: c.Problem.Cases()}
	v.report = &Report{Cases: len(v.cases)}
	for _, f := range c.Findings {
		v.report.Findings = append(v.report.Findings, fromReading(f))
	}
	v.count()
	for _, step := range []func(context.Context) error{v.inputs, v.outputs, v.submissions} {
		if err := step(ctx); err != nil {
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			return nil, err
		}
	}
	if !v.Skip[Strength] {
		if err := v.strength(); err != nil {
			return nil, err
		}
	}
	v.report.Took = time.Since(begun)
	return v.report, nil
}

// count finds out how many steps there are: a validated file is one, and a
// submission is as many as there are cases.
func (v *verification) count() {
	p := &v.problem
	if !v.Skip[Inputs] {
		v.total += len(p.InputValidators) * (len(v.cases) + len(p.DataChecks))
	}
	if !v.Skip[Answers] {
		v.total += len(v.answers()) + len(p.DataChecks)
	}
	if !v.Skip[Submissions] {
		v.total += len(v.chosen()) * max(len(v.cases), 1)
	}
}

// step tells of n more steps.
func (v *verification) step(part Part, what string, n int, result *Result) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.done = min(v.done+n, v.total)
	if v.On != nil {
		v.On(Event{Part: part, What: what, Done: v.done, Total: v.total, Result: result})
	}
}
