package main

import (
	"context"
	"errors"

	"judge/judge"
	"judge/judge/grader"
	"judge/problems/verify"
)

// juryGrader has a package's own programs run, for verification.
type juryGrader struct {
	station     *station
	data        grader.Opener
	prefer      map[string]string // what extensions mean
	slots       int               // of one judgement at most; 0: whatever is idle
	name        string            // begins the ids of judgements
	outputs     grader.Outputs
	transcripts grader.Transcripts
	on          func(s *judge.JurySubmission, e grader.Event) // nil: nobody hears more than verification does
}

// Judge is that of verify.Grader.
func (g *juryGrader) Judge(ctx context.Context, r verify.Request, on func(done, cases int)) (judge.Judgement, error) {
	var lang *judge.Language
	var err error
	if !r.Problem.SubmitAnswer {
		if lang, err = g.station.languages.Detect(r.Submission.Files, g.prefer, r.Submission.Language); err != nil {
			return judge.Judgement{}, verify.Refused{Reason: err.Error()}
		}
	}
	done := 0
	j, err := g.station.grader.Judge(ctx, grader.Request{
		ID: g.name + r.Submission.Name, Problem: r.Problem, Data: g.data, Language: lang, Files: r.Submission.Files, Entry: r.Submission.Entry,
		Options: grader.Options{All: r.All, Cases: r.Cases, MaxSlots: g.slots, Outputs: g.outputs, Transcripts: g.transcripts},
	}, func(e grader.Event) {
		if g.on != nil {
			g.on(r.Submission, e)
		}
		if e.Run != nil {
			done++
			on(done, e.Cases)
		}
	})
	return j, packageFault(err)
}

// packageFault makes errors that the package's authors can mend findings.
func packageFault(err error) error {
	switch {
	case errors.Is(err, grader.ErrNotRun):
		return verify.NotRun{Reason: err.Error()}
	case errors.Is(err, judge.ErrSource), errors.Is(err, grader.ErrProblem), errors.Is(err, grader.ErrOptions):
		return verify.Refused{Reason: err.Error()}
	}
	return err
}

// ValidateInputs is that of verify.Grader.
func (g *juryGrader) ValidateInputs(ctx context.Context, p *judge.Problem, program judge.JuryProgram, inputs []verify.Input, on func(int, judge.Validation)) error {
	r := grader.ValidateInputsRequest{ID: g.name + program.Name, Problem: p, Data: g.data, Program: program}
	for _, in := range inputs {
		r.Inputs = append(r.Inputs, grader.Input(in))
	}
	return packageFault(g.station.grader.ValidateInputs(ctx, r, on))
}

// ValidateOutputs is that of verify.Grader.
func (g *juryGrader) ValidateOutputs(ctx context.Context, p *judge.Problem, outputs []verify.Output, on func(int, judge.Validation)) error {
	r := grader.ValidateOutputsRequest{ID: g.name + "outputs", Problem: p, Data: g.data}
	for _, out := range outputs {
		r.Outputs = append(r.Outputs, grader.Output(out))
	}
	return packageFault(g.station.grader.ValidateOutputs(ctx, r, on))
}
