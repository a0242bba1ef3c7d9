package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// RejudgingReads are what reads of rejudgings, in a transaction or not.
type RejudgingReads interface {
	RejudgingChoice(ctx context.Context, r judge.RejudgingRequest) (judge.RejudgingChoice, error)
	Rejudging(ctx context.Context, id string) (judge.Rejudging, error)
	Rejudgings(ctx context.Context, within judge.Scope, cursor string, limit int) (list []judge.Rejudging, next string, err error)
	RejudgingPairs(ctx context.Context, id string) ([]judge.VerdictPair, error)
	RejudgingChanges(ctx context.Context, id string, all bool, cursor string, limit int) (list []judge.RejudgingChange, next string, err error)
	RejudgingAttempts(ctx context.Context, id, contest string) ([]judge.Attempt, error)

	Contest(ctx context.Context, name string) (judge.Contest, error)
	Attempts(ctx context.Context, contest string, submissions []string) ([]judge.Attempt, error)
}

// RejudgingWrites are what makes and ends rejudgings.
type RejudgingWrites interface {
	CreateRejudging(ctx context.Context, r judge.RejudgingRequest) (judge.Rejudging, error)
	ApplyRejudging(ctx context.Context, id, by, reason string, force bool) (r judge.Rejudging, done bool, err error)
	CancelRejudging(ctx context.Context, id, by, reason string) (r judge.Rejudging, done bool, err error)
}

// RejudgingQuery chooses submissions: all that is given holds together, of a list
// one.
type RejudgingQuery struct {
	Submissions []string  `json:"submissions,omitempty" maxItems:"10000" doc:"Ids."`
	Problems    []string  `json:"problems,omitempty" maxItems:"1000"`
	Contests    []string  `json:"contests,omitempty" maxItems:"1000"`
	Languages   []string  `json:"languages,omitempty" maxItems:"100"`
	Workers     []string  `json:"workers,omitempty" maxItems:"1000" doc:"Ids of the workers that judged."`
	Verdicts    []string  `json:"verdicts,omitempty" enum:"AC,WA,TLE,MLE,OLE,RE,CE,JE" doc:"As they count now."`
	Submitter   string    `json:"submitter,omitempty" maxLength:"255" doc:"Id of the person."`
	Since       time.Time `json:"since,omitzero" doc:"Handed in at or after."`
	Until       time.Time `json:"until,omitzero" doc:"Handed in before."`
}

// RejudgingRequest is a rejudging to be made.
type RejudgingRequest struct {
	RejudgingQuery

	Reason  string `json:"reason" minLength:"1" maxLength:"1000"`
	Version string `json:"version,omitempty" enum:"current,same" doc:"Judge on what is published now (current, the default), or on the versions that the old judgements were made on."`
	Apply   bool   `json:"apply,omitempty" doc:"Apply it by itself when all is judged, unless something is in the way."`
}

// Rejudging is many submissions judged once more.
type Rejudging struct {
	ID       *string            `json:"id" format:"uuid" doc:"Null in the answer to a dry run."`
	By       string             `json:"by" doc:"Id of the token."`
	ByName   string             `json:"by_name"`
	Reason   string             `json:"reason"`
	Query    RejudgingQuery     `json:"query"`
	Version  string             `json:"version" enum:"current,same"`
	Apply    bool               `json:"apply" doc:"It is applied by itself when all is judged."`
	State    string             `json:"state" enum:"none,judging,ready,applied,cancelled,expired" doc:"none: a dry run. ready: all is judged."`
	Concerns []RejudgingConcern `json:"concerns"`
	Counts   RejudgingCounts    `json:"counts"`
	Pairs    []VerdictPair      `json:"pairs" doc:"Old and new verdicts of what is judged; empty in lists."`
	Trouble  *string            `json:"trouble" doc:"Why it was not applied by itself."`

	CreatedAt *wire.Time `json:"created_at"`
	ExpiresAt *wire.Time `json:"expires_at" doc:"When it is cancelled by itself."`
	EndedAt   *wire.Time `json:"ended_at"`
	EndedBy   *string    `json:"ended_by" doc:"Id of the token; null: the judge itself, or it has not ended."`
	EndReason *string    `json:"end_reason"`
}

// RejudgingConcern is a problem of which there are submissions in a rejudging.
type RejudgingConcern struct {
	Problem string  `json:"problem"`
	Contest *string `json:"contest" doc:"Null: outside of contests."`
}

// RejudgingCounts says how far a rejudging is, in submissions.
type RejudgingCounts struct {
	Total     int `json:"total"`
	Queued    int `json:"queued"`
	Running   int `json:"running"`
	Judged    int `json:"judged" doc:"With any verdict."`
	Failed    int `json:"failed" doc:"Of judged: JE, which is our fault."`
	Cancelled int `json:"cancelled"`
	Skipped   int `json:"skipped" doc:"Left out, as they were being judged when it was made."`
	Changed   int `json:"changed" doc:"Of judged: verdict or score would be another."`
	Reviewed  int `json:"reviewed" doc:"Of total: staff said something of the old judgement, which stays with that and would not count any more."`
	Conflicts int `json:"conflicts" doc:"Of total: they were judged otherwise meanwhile."`
	Applied   int `json:"applied"`
}

// VerdictPair counts submissions that go from one verdict to another one.
type VerdictPair struct {
	Old   *string `json:"old" doc:"Null: it was cancelled."`
	New   string  `json:"new"`
	Count int     `json:"count"`
}

func newRejudging(r *judge.Rejudging, pairs []judge.VerdictPair) Rejudging {
	out := Rejudging{
		ID: wire.Known(r.ID), By: r.By, ByName: r.ByName, Reason: r.Reason, Version: "current", Apply: r.Auto, State: string(r.State),
		Concerns: []RejudgingConcern{}, Counts: RejudgingCounts(r.Counts), Pairs: []VerdictPair{}, Trouble: wire.Known(r.Trouble),
		CreatedAt: moment(r.CreatedAt), ExpiresAt: moment(r.ExpiresAt), EndedAt: moment(r.EndedAt), EndedBy: wire.Known(r.EndedBy), EndReason: wire.Known(r.EndReason),
		Query: RejudgingQuery{
			Submissions: r.Query.Submissions, Problems: r.Query.Problems, Contests: r.Query.Contests, Languages: r.Query.Languages, Workers: r.Query.Workers,
			Submitter: r.Query.Submitter, Since: r.Query.Since, Until: r.Query.Until,
		},
	}
	if r.Same {
		out.Version = "same"
	}
	for _, v := range r.Query.Verdicts {
		out.Query.Verdicts = append(out.Query.Verdicts, string(v))
	}
	for _, c := range r.Concerns {
		out.Concerns = append(out.Concerns, RejudgingConcern{c.Problem, wire.Known(c.Contest)})
	}
	for _, p := range pairs {
		out.Pairs = append(out.Pairs, VerdictPair{wire.Known(string(p.Old)), string(p.New), p.Count})
	}
	return out
}

type createRejudgingInput struct {
	DryRun bool `query:"dry_run" doc:"Say how many it would judge, and make nothing."`
	Body   RejudgingRequest
}

type rejudgingOutput struct {
	Status   int
	Location string `header:"Location"`
	Body     Rejudging
}

func (s *Server) rejudgingRoutes() {
	tags := []string{"rejudgings"}
	register(s, huma.Operation{
		OperationID: "create-rejudging", Method: http.MethodPost, Path: "/rejudgings", DefaultStatus: http.StatusCreated, Tags: tags,
		Summary: "Judge submissions once more",
		Description: "Its judgements are made behind all others. Until it is applied, staff alone see them and they count for nothing; after seven days it is cancelled by itself. " +
			"A token with a scope chooses within that. A dry run is answered 200.",
	}, s.createRejudging)
	s.rejudgingReadRoutes(tags)
	s.rejudgingEndRoutes(tags)
}

func (s *Server) createRejudging(ctx context.Context, in *createRejudgingInput) (*rejudgingOutput, error) {
	token := tokenOf(ctx)
	r, err := s.rejudgingRequest(token, &in.Body)
	if err != nil {
		return nil, err
	}
	if err := s.rejudgingNames(ctx, &r.Query); err != nil {
		return nil, err
	}
	var made judge.Rejudging
	err = s.Records.Tx(ctx, func(tx Tx) error {
		choice, err := tx.RejudgingChoice(ctx, r)
		if err != nil {
			return err
		}
		if err := choosable(&r, &choice); err != nil {
			return err
		}
		if in.DryRun {
			made = judge.Rejudging{
				By: token.ID, ByName: token.Name, Reason: r.Reason, Query: r.Query, Same: r.Same, Auto: r.Auto, State: "none", Concerns: choice.Concerns,
				Counts: judge.RejudgingCounts{Total: choice.Submissions, Skipped: choice.Skipped},
			}
			return nil
		}
		if made, err = tx.CreateRejudging(ctx, r); err != nil {
			return err
		}
		if err := tx.Enqueue(ctx, made.Counts.Total); err != nil {
			return err
		}
		return audit(ctx, tx, judge.AuditEntry{Action: "rejudging.create", Object: made.ID, Reason: r.Reason, Detail: detail(in.Body)})
	})
	switch {
	case errors.Is(err, judge.ErrNotFound):
		// Of ids alone: names were looked up before.
		return nil, fault("not-found", "%.100s: there is none, or this token may not see it", strings.TrimSuffix(err.Error(), ": "+judge.ErrNotFound.Error())).
			in("body.submissions", "not all of them are there for this token")
	case err != nil:
		return nil, err
	case in.DryRun:
		return &rejudgingOutput{Status: http.StatusOK, Body: newRejudging(&made, nil)}, nil
	}
	return &rejudgingOutput{Status: http.StatusCreated, Location: base + "/rejudgings/" + made.ID, Body: newRejudging(&made, nil)}, nil
}

// rejudgingRequest is what a request asks for, within what the token may.
func (s *Server) rejudgingRequest(token judge.Token, in *RejudgingRequest) (judge.RejudgingRequest, error) {
	r := judge.RejudgingRequest{
		By: token.ID, Reason: strings.TrimSpace(in.Reason), Same: in.Version == "same", Auto: in.Apply, Within: token.Scope,
		Query: judge.RejudgingQuery{
			Submissions: in.Submissions, Problems: in.Problems, Contests: in.Contests, Languages: in.Languages, Workers: in.Workers,
			Submitter: in.Submitter, Since: in.Since, Until: in.Until,
		},
	}
	for _, v := range in.Verdicts {
		r.Query.Verdicts = append(r.Query.Verdicts, judge.Verdict(v))
	}
	switch {
	case r.Query.Empty():
		return r, wrongField("body", "it would choose everything; name submissions, problems, contests, languages, workers, verdicts, a submitter or a time (since: all since then)")
	case r.Reason == "" || strings.ContainsRune(r.Reason, 0):
		return r, wrongField("body.reason", "say why, for who reads the log later")
	case !in.Since.IsZero() && !in.Until.IsZero() && !in.Since.Before(in.Until):
		return r, wrongField("body.until", "it is not after since")
	}
	return r, nil
}

// rejudgingNames asks whether what a query names is there for the caller: a name that
// is mistyped would choose nothing, and say nothing.
func (s *Server) rejudgingNames(ctx context.Context, q *judge.RejudgingQuery) error {
	const missing = "there is none of this name, or this token may not see it"
	for i, name := range q.Problems {
		info, err := s.Records.Problem(ctx, name)
		if err == nil {
			var shown []bool
			if shown, err = s.showProblems(ctx, []judge.ProblemInfo{info}, ""); err == nil && !shown[0] {
				err = judge.ErrNotFound
			}
		}
		if errors.Is(err, judge.ErrNotFound) {
			return unknown("problem", name).in(fmt.Sprintf("body.problems[%d]", i), missing)
		}
		if err != nil {
			return err
		}
	}
	for i, name := range q.Contests {
		_, err := s.contest(ctx, name)
		if e, ok := errors.AsType[*Error](err); ok {
			return e.in(fmt.Sprintf("body.contests[%d]", i), missing)
		}
		if err != nil {
			return err
		}
	}
	for i, id := range q.Languages {
		if !slices.ContainsFunc(s.Languages.All(), func(l *judge.Language) bool { return l.ID == id }) {
			return wrongField(fmt.Sprintf("body.languages[%d]", i), "%.64q is no language here; GET %s/languages lists them", id, base)
		}
	}
	return nil
}

// choosable asks whether a choice can be judged.
func choosable(r *judge.RejudgingRequest, c *judge.RejudgingChoice) error {
	switch {
	case c.Submissions == 0 && c.Skipped > 0:
		return fault("conflict", "all %d submissions that it chooses are being judged; wait for that", c.Skipped)
	case c.Submissions == 0:
		return fault("conflict", "it chooses no submission")
	case c.Submissions > judge.MaxRejudging:
		return wrongField("body", "it chooses more than %d submissions; split it by since and until", judge.MaxRejudging)
	case !r.Same && len(c.Unpublished) > 0:
		return fault("conflict", "problem %s has no published version; publish one, leave the problem out, or judge on the same versions (version: same)", c.Unpublished[0])
	}
	return nil
}
