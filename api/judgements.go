package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// JudgementPath names a judgement.
type JudgementPath struct {
	ID string `path:"id" maxLength:"64" doc:"Id of the judgement."`
}

// RunPath names a run.
type RunPath struct {
	JudgementPath

	Ordinal int `path:"ordinal" minimum:"1" doc:"Of the run."`
}

// ReasonRequest says why something is done, for the audit log.
type ReasonRequest struct {
	Reason string `json:"reason,omitempty" maxLength:"1000"`
}

func (s *Server) judgementRoutes() {
	tags := []string{"judgements"}
	register(s, huma.Operation{OperationID: "get-judgement", Method: http.MethodGet, Path: "/judgements/{id}", Tags: tags, Summary: "A judgement with its runs"}, s.getJudgement)
	register(s, huma.Operation{OperationID: "list-runs", Method: http.MethodGet, Path: "/judgements/{id}/runs", Tags: tags, Summary: "The runs of a judgement"}, s.listRuns)
	register(s, huma.Operation{OperationID: "cancel-judgement", Method: http.MethodPost, Path: "/judgements/{id}/cancel", DefaultStatus: http.StatusOK, Tags: tags, Summary: "Stop a judgement"}, s.cancelJudgement)
	register(s, huma.Operation{
		OperationID: "review-judgement", Method: http.MethodPut, Path: "/judgements/{id}/review", Tags: tags,
		Summary: "Override, verify or ignore a judgement", Description: "In place of what was said before.",
	}, s.reviewJudgement)
	s.outputRoutes(tags)
}

// judgement finds a judgement, with its runs, that the caller may know of.
func (s *Server) judgement(ctx context.Context, id string) (judge.Judgement, error) {
	j, err := s.Records.Judgement(ctx, id)
	if err != nil {
		return j, named(err, "judgement", id)
	}
	sub, err := s.Records.Submission(ctx, j.SubmissionID)
	if err == nil && (!seesSubmission(tokenOf(ctx), &sub) || !seesShadow(tokenOf(ctx), &j)) {
		err = judge.ErrNotFound
	}
	return j, named(err, "judgement", id)
}

// forStaff asks whether the caller is staff of a judgement: for who is not, it is
// not there.
func (s *Server) forStaff(ctx context.Context, id string) error {
	j, err := s.judgement(ctx, id)
	if err == nil && !isStaffIn(tokenOf(ctx), j.Problem, j.Contest) {
		err = unknown("judgement", id)
	}
	return err
}

func (s *Server) getJudgement(ctx context.Context, in *JudgementPath) (*answer[Judgement], error) {
	j, err := s.judgement(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out, err := s.viewOf(s.Records, tokenOf(ctx)).judgement(ctx, j)
	return answered(out), err
}

func (s *Server) listRuns(ctx context.Context, in *JudgementPath) (*answer[List[wire.Run]], error) {
	j, err := s.judgement(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out, err := s.viewOf(s.Records, tokenOf(ctx)).judgement(ctx, j)
	return answered(newList(out.Runs, "")), err
}

type cancelSubmissionInput struct {
	SubmissionPath

	Body *ReasonRequest
}

func (s *Server) cancelSubmission(ctx context.Context, in *cancelSubmissionInput) (*answer[Submission], error) {
	sub, err := s.submission(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	list, err := s.Records.Judgements(ctx, sub.ID)
	if err != nil {
		return nil, err
	}
	current, ok := counting(list)
	if !ok {
		return nil, fault("conflict", "submission %s has no judgement", sub.ID)
	}
	if err := s.cancel(ctx, current.ID, wire.Value(in.Body).Reason); err != nil {
		return nil, err
	}
	return s.answerSubmission(ctx, &sub)
}

type cancelJudgementInput struct {
	JudgementPath

	Body *ReasonRequest
}

func (s *Server) cancelJudgement(ctx context.Context, in *cancelJudgementInput) (*answer[Judgement], error) {
	if _, err := s.judgement(ctx, in.ID); err != nil {
		return nil, err
	}
	if err := s.cancel(ctx, in.ID, wire.Value(in.Body).Reason); err != nil {
		return nil, err
	}
	return s.getJudgement(ctx, &in.JudgementPath)
}

func (s *Server) cancel(ctx context.Context, judgement, reason string) error {
	err := s.changed(ctx, judge.AuditEntry{Action: "judgement.cancel", Object: judgement, Reason: reason}, func(tx Tx) error {
		return tx.Cancel(ctx, judgement)
	})
	if errors.Is(err, judge.ErrConflict) {
		return fault("conflict", "judgement %s has ended already", judgement)
	}
	return err
}

// ReviewRequest is what staff say of a judgement.
type ReviewRequest struct {
	Verdict  string   `json:"verdict,omitempty" enum:"AC,WA,TLE,MLE,OLE,RE,CE,JE" doc:"That counts instead; else the one found."`
	Score    *float64 `json:"score,omitempty" doc:"That counts instead; else the one found."`
	Verified bool     `json:"verified,omitempty" doc:"Somebody has looked at it."`
	Ignored  bool     `json:"ignored,omitempty" doc:"It does not count."`
	Reason   string   `json:"reason" minLength:"1" maxLength:"1000"`
}

type reviewInput struct {
	JudgementPath

	Body ReviewRequest
}

func (s *Server) reviewJudgement(ctx context.Context, in *reviewInput) (*answer[Judgement], error) {
	if err := s.forStaff(ctx, in.ID); err != nil {
		return nil, err
	}
	entry := judge.AuditEntry{Action: "judgement.review", Object: in.ID, Reason: in.Body.Reason, Detail: detail(in.Body)}
	err := s.changed(ctx, entry, func(tx Tx) error {
		now := s.now().UTC()
		return tx.SetReview(ctx, in.ID, judge.Review{
			Verdict: judge.Verdict(in.Body.Verdict), Score: in.Body.Score, Verified: in.Body.Verified, Ignored: in.Body.Ignored,
			By: tokenOf(ctx).ID, Reason: in.Body.Reason, At: now,
		})
	})
	if errors.Is(err, judge.ErrConflict) {
		return nil, fault("conflict", "judgement %s is not judged; only what is can be reviewed", in.ID)
	}
	if err != nil {
		return nil, err
	}
	return s.getJudgement(ctx, &in.JudgementPath)
}
