package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// RunOutput is what a run and its validators said. Texts are safe to show: what is
// no UTF-8 is U+FFFD, control characters are escaped.
type RunOutput struct {
	Stdout          string      `json:"stdout"`
	Stderr          string      `json:"stderr"`
	StdoutSize      int64       `json:"stdout_bytes" doc:"That the program wrote in all; stdout may be cut."`
	StderrSize      int64       `json:"stderr_bytes"`
	JudgeMessage    string      `json:"judgemessage"`
	TeamMessage     string      `json:"teammessage"`
	ValidatorStderr string      `json:"validator_stderr"`
	Difference      *Difference `json:"difference" doc:"Where the output first differs from the answer; null where the default validator found nothing or was not asked."`
	Transcript      []Utterance `json:"transcript" doc:"Of an interactive problem, what both sides said, in order; empty where it was not written down."`
}

// Utterance is what one side of an interaction said before the other one answered.
type Utterance struct {
	Pass int     `json:"pass" doc:"From 1."`
	From string  `json:"from" enum:"submission,interactor"`
	At   float64 `json:"at_s" doc:"Since the pass began."`
	Text string  `json:"text"`
	Cut  bool    `json:"cut" doc:"What followed was left out."`
}

// Difference is where an output first differs from the jury's answer.
type Difference struct {
	Reason     string `json:"reason"`
	Offset     int64  `json:"offset_bytes"`
	Line       int64  `json:"line"`
	Column     int64  `json:"column"`
	Token      int64  `json:"token"`
	AnswerLine int64  `json:"answer_line"`
	Got        string `json:"got"`
	Expected   string `json:"expected"`
}

// Inspection is one case that was run again for staff.
type Inspection struct {
	ID           string     `json:"id" format:"uuid"`
	JudgementID  string     `json:"judgement_id"`
	SubmissionID string     `json:"submission_id"`
	Problem      string     `json:"problem"`
	Ordinal      int        `json:"ordinal"`
	Case         string     `json:"case"`
	By           string     `json:"by" doc:"Id of the token."`
	State        string     `json:"state" enum:"queued,compiling,running,judged,cancelled"`
	CreatedAt    wire.Time  `json:"created_at"`
	JudgedAt     *wire.Time `json:"judged_at"`
	Verdict      *string    `json:"verdict"`
	Message      *string    `json:"message"`
	Run          *wire.Run  `json:"run"`
	Output       *RunOutput `json:"output" doc:"Its beginnings; stdout and stderr in full are to be had beside it."`
}

// shownOutput is the most that is shown of a text, in bytes, as escapes make it
// longer than what was kept.
const shownOutput = 4 * judge.KeptOutput

func newOutput(o *judge.RunOutput) RunOutput {
	text := func(b []byte) string { return judge.SafeText(b[:min(len(b), judge.KeptOutput)], shownOutput) }
	out := RunOutput{
		Stdout: text(o.Stdout), Stderr: text(o.Stderr), StdoutSize: o.StdoutSize, StderrSize: o.StderrSize,
		JudgeMessage: text(o.JudgeMessage), TeamMessage: text(o.TeamMessage), ValidatorStderr: text(o.ValidatorStderr),
	}
	out.Transcript = make([]Utterance, 0, len(o.Transcript))
	for _, u := range o.Transcript {
		from := "interactor"
		if u.Submission {
			from = "submission"
		}
		out.Transcript = append(out.Transcript, Utterance{u.Pass, from, u.At.Seconds(), text(u.Text), u.Cut})
	}
	if d := o.Difference; d != nil {
		out.Difference = &Difference{d.Reason, d.Offset, d.Line, d.Column, d.Token, d.AnswerLine, d.Got, d.Expected}
	}
	return out
}

func (s *Server) outputRoutes(tags []string) {
	register(s, huma.Operation{
		OperationID: "get-run-output", Method: http.MethodGet, Path: "/judgements/{id}/runs/{ordinal}/output", Tags: tags, Summary: "What a run said",
		Description: "At most the first 64 KiB of each, for as long as the retention policy keeps it.",
	}, s.getOutput)
	register(s, huma.Operation{
		OperationID: "inspect-run", Method: http.MethodPost, Path: "/judgements/{id}/runs/{ordinal}/inspections", DefaultStatus: http.StatusAccepted, Tags: tags,
		Summary: "Run one case again, with its full output", Description: "It changes nothing of the judgement.",
	}, s.inspect)
	register(s, huma.Operation{OperationID: "get-inspection", Method: http.MethodGet, Path: "/inspections/{id}", Tags: tags, Summary: "A case that was run again"}, s.getInspection)
	register(s, huma.Operation{
		OperationID: "get-inspection-output", Method: http.MethodGet, Path: "/inspections/{id}/{stream}", Tags: tags, Summary: "The full output of a case that was run again",
		Responses: map[string]*huma.Response{"200": {
			Description: "The bytes that the program wrote, up to 64 MiB.",
			Content:     map[string]*huma.MediaType{"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}},
		}},
	}, s.getInspectionOutput)
}

func (s *Server) getOutput(ctx context.Context, in *RunPath) (*answer[RunOutput], error) {
	if err := s.forStaff(ctx, in.ID); err != nil {
		return nil, err
	}
	o, err := s.Records.RunOutput(ctx, in.ID, in.Ordinal)
	if errors.Is(err, judge.ErrNotFound) {
		return nil, fault("not-found", "run %d of judgement %s: there is none, or what it said is not kept (any more); an inspection runs it again", in.Ordinal, in.ID)
	}
	return answered(newOutput(&o)), err
}

type inspectInput struct {
	RunPath

	Body *ReasonRequest
}

type inspectOutput struct {
	Location string `header:"Location"`
	Body     Inspection
}

func (s *Server) inspect(ctx context.Context, in *inspectInput) (*inspectOutput, error) {
	if err := s.forStaff(ctx, in.ID); err != nil {
		return nil, err
	}
	var made judge.Inspection
	entry := judge.AuditEntry{Action: "run.inspect", Object: in.ID, Reason: wire.Value(in.Body).Reason, Detail: detail(map[string]int{"ordinal": in.Ordinal})}
	err := s.changed(ctx, entry, func(tx Tx) (err error) {
		if made, err = tx.CreateInspection(ctx, in.ID, in.Ordinal, tokenOf(ctx).ID); err != nil {
			return err
		}
		return tx.Enqueue(ctx, 1)
	})
	switch {
	case errors.Is(err, judge.ErrNotFound):
		return nil, fault("not-found", "judgement %s has no run %d", in.ID, in.Ordinal)
	case errors.Is(err, judge.ErrConflict):
		return nil, fault("conflict", "judgement %s is not judged yet; wait for that", in.ID)
	case err != nil:
		return nil, err
	}
	return &inspectOutput{Location: base + "/inspections/" + made.ID, Body: newInspection(&made)}, nil
}

// InspectionPath names an inspection.
type InspectionPath struct {
	ID string `path:"id" maxLength:"64" doc:"Id of the inspection."`
}

func (s *Server) inspection(ctx context.Context, id string) (judge.Inspection, error) {
	i, err := s.Records.Inspection(ctx, id)
	if err == nil && !isStaff(tokenOf(ctx), i.Problem) {
		var sub judge.Submission
		if sub, err = s.Records.Submission(ctx, i.SubmissionID); err == nil && !isStaffIn(tokenOf(ctx), i.Problem, sub.Contest) {
			err = judge.ErrNotFound
		}
	}
	return i, named(err, "inspection", id)
}

func (s *Server) getInspection(ctx context.Context, in *InspectionPath) (*answer[Inspection], error) {
	i, err := s.inspection(ctx, in.ID)
	return answered(newInspection(&i)), err
}

func newInspection(i *judge.Inspection) Inspection {
	out := Inspection{
		ID: i.ID, JudgementID: i.JudgementID, SubmissionID: i.SubmissionID, Problem: i.Problem, Ordinal: i.Ordinal, Case: i.Case, By: i.By,
		State: string(i.State), CreatedAt: wire.Time(i.CreatedAt), JudgedAt: moment(i.JudgedAt),
		Verdict: wire.Known(string(i.Verdict)), Message: wire.Known(i.Message),
	}
	if i.Run != nil {
		run := wire.FromRun(*i.Run)
		out.Run = &run
		if i.Run.Output != nil {
			o := newOutput(i.Run.Output)
			out.Output = &o
		}
	}
	return out
}

type inspectionOutputPath struct {
	InspectionPath

	Stream string `path:"stream" enum:"stdout,stderr"`
}

type bytesOutput struct {
	ContentType string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

func (s *Server) getInspectionOutput(ctx context.Context, in *inspectionOutputPath) (*bytesOutput, error) {
	i, err := s.inspection(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if i.Run == nil || i.Run.Output == nil {
		return nil, fault("not-found", "inspection %s has no output: it is %s", in.ID, i.State)
	}
	data := i.Run.Output.Stdout
	if in.Stream == "stderr" {
		data = i.Run.Output.Stderr
	}
	requestOf(ctx).unhurried() // it may be long, and the line slow
	return &bytesOutput{ContentType: "application/octet-stream", Disposition: `attachment; filename="` + in.Stream + `"`, Body: data}, nil
}
