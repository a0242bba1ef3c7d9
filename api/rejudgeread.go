package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/leaderboard"
	"judge/judge/rejudge"
	"judge/judge/wire"
)

// RejudgingPath names a rejudging.
type RejudgingPath struct {
	ID string `path:"id" maxLength:"64" doc:"Id of the rejudging."`
}

// RejudgingChange is what a rejudging does to a submission.
type RejudgingChange struct {
	SubmissionID string    `json:"submission_id"`
	Problem      string    `json:"problem"`
	Contest      *string   `json:"contest"`
	Language     string    `json:"language"`
	Submitter    Person    `json:"submitter"`
	CreatedAt    wire.Time `json:"created_at"`
	Old          Judgement `json:"old" doc:"That counted when the rejudging was made. Both are without runs and what compiling said; comparing them shows the runs."`
	New          Judgement `json:"new"`
	Differs      bool      `json:"differs" doc:"Verdict or score are not the same."`
	Conflict     bool      `json:"conflict" doc:"It was judged otherwise meanwhile."`
	Applied      bool      `json:"applied"`
}

// Comparison is two judgements run by run.
type Comparison struct {
	Old  Judgement `json:"old"`
	New  Judgement `json:"new"`
	Runs []RunPair `json:"runs"`
}

// RunPair is a test case in two judgements.
type RunPair struct {
	Case    string    `json:"case"`
	Old     *wire.Run `json:"old" doc:"Null: it was decided before, or its problem had no such case."`
	New     *wire.Run `json:"new"`
	Differs bool      `json:"differs"`
}

// RejudgingMove is a row of a board that would be another one.
type RejudgingMove struct {
	Contestant string     `json:"contestant" doc:"Its id."`
	Name       string     `json:"name"`
	Hidden     bool       `json:"hidden"`
	Old        *MoveStand `json:"old" doc:"Null: it has no row now."`
	New        *MoveStand `json:"new"`
	Problems   []string   `json:"problems" doc:"Labels of the problems that would look otherwise."`
}

// MoveStand is where a contestant stands.
type MoveStand struct {
	Rank    *int    `json:"rank" doc:"Null: hidden or disqualified."`
	Solved  int     `json:"solved"`
	Penalty int64   `json:"penalty_min"`
	Score   float64 `json:"score"`
}

// RejudgingBoard is what a rejudging would change of a contest's board, as the jury
// sees it. Once it is applied there is nothing to change.
type RejudgingBoard struct {
	Contest string          `json:"contest"`
	Items   []RejudgingMove `json:"items"`
}

func (s *Server) rejudgingReadRoutes(tags []string) {
	register(s, huma.Operation{
		OperationID: "list-rejudgings", Method: http.MethodGet, Path: "/rejudgings", Tags: tags, Summary: "Rejudgings, newest first",
		Description: "Those of which the token is staff of every submission.",
	}, s.listRejudgings)
	register(s, huma.Operation{OperationID: "get-rejudging", Method: http.MethodGet, Path: "/rejudgings/{id}", Tags: tags, Summary: "A rejudging, how far it is, and which verdicts it changes"}, s.getRejudging)
	register(s, huma.Operation{
		OperationID: "list-rejudging-changes", Method: http.MethodGet, Path: "/rejudgings/{id}/changes", Tags: tags, Summary: "What a rejudging changes, submission by submission",
	}, s.listRejudgingChanges)
	register(s, huma.Operation{
		OperationID: "get-rejudging-board", Method: http.MethodGet, Path: "/rejudgings/{id}/board", Tags: tags, Summary: "What applying a rejudging would change of a contest's board",
	}, s.getRejudgingBoard)
	register(s, huma.Operation{
		OperationID: "compare-judgements", Method: http.MethodGet, Path: "/judgements/{id}/compare/{other}", Tags: []string{"judgements"}, Summary: "Two judgements run by run",
	}, s.compareJudgements)
}

// rejudging finds a rejudging that the caller may know of: who is staff of all that
// it concerns.
func (s *Server) rejudging(ctx context.Context, reads Reads, id string) (judge.Rejudging, error) {
	r, err := reads.Rejudging(ctx, id)
	if err == nil && slices.ContainsFunc(r.Concerns, func(c judge.RejudgingConcern) bool { return !isStaffIn(tokenOf(ctx), c.Problem, c.Contest) }) {
		err = judge.ErrNotFound
	}
	return r, named(err, "rejudging", id)
}

func (s *Server) listRejudgings(ctx context.Context, in *Paging) (*answer[List[Rejudging]], error) {
	list, next, err := s.Records.Rejudgings(ctx, tokenOf(ctx).Scope, in.Cursor, in.Limit)
	if err != nil {
		return nil, inCursor(err, in.Cursor)
	}
	items := make([]Rejudging, 0, len(list))
	for i := range list {
		items = append(items, newRejudging(&list[i], nil))
	}
	return answered(newList(items, next)), nil
}

func (s *Server) getRejudging(ctx context.Context, in *RejudgingPath) (*answer[Rejudging], error) {
	r, err := s.rejudging(ctx, s.Records, in.ID)
	if err != nil {
		return nil, err
	}
	pairs, err := s.Records.RejudgingPairs(ctx, r.ID)
	return answered(newRejudging(&r, pairs)), err
}

type changesInput struct {
	RejudgingPath
	Paging

	All bool `query:"all" doc:"Also those that do not differ, or are not judged yet."`
}

func (s *Server) listRejudgingChanges(ctx context.Context, in *changesInput) (*answer[List[RejudgingChange]], error) {
	r, err := s.rejudging(ctx, s.Records, in.ID)
	if err != nil {
		return nil, err
	}
	list, next, err := s.Records.RejudgingChanges(ctx, r.ID, in.All, in.Cursor, in.Limit)
	if err != nil {
		return nil, inCursor(err, in.Cursor)
	}
	v := s.viewOf(s.Records, tokenOf(ctx))
	items := make([]RejudgingChange, 0, len(list))
	for i := range list {
		c := &list[i]
		out := RejudgingChange{
			SubmissionID: c.Submission.ID, Problem: c.Submission.Problem, Contest: wire.Known(c.Submission.Contest), Language: c.Submission.Language,
			Submitter: newPerson(c.Submission.Submitter), CreatedAt: wire.Time(c.Submission.CreatedAt), Differs: c.Differs, Conflict: c.Conflict, Applied: c.Applied,
		}
		c.Old.Compile, c.New.Compile = nil, nil
		if out.Old, err = v.judgement(ctx, c.Old); err != nil {
			return nil, err
		}
		if out.New, err = v.judgement(ctx, c.New); err != nil {
			return nil, err
		}
		items = append(items, out)
	}
	return answered(newList(items, next)), nil
}

type rejudgingBoardInput struct {
	RejudgingPath

	Contest string `query:"contest" maxLength:"64" doc:"Of this contest; may be left out where it concerns one only."`
}

func (s *Server) getRejudgingBoard(ctx context.Context, in *rejudgingBoardInput) (*answer[RejudgingBoard], error) {
	r, err := s.rejudging(ctx, s.Records, in.ID)
	if err != nil {
		return nil, err
	}
	name, err := concernedContest(&r, in.Contest)
	if err != nil {
		return nil, err
	}
	contest, err := s.Records.Contest(ctx, name)
	if err != nil {
		return nil, named(err, "contest", name)
	}
	attempts, err := s.Records.Attempts(ctx, name, nil)
	if err != nil {
		return nil, err
	}
	instead, err := s.Records.RejudgingAttempts(ctx, r.ID, name)
	if err != nil {
		return nil, err
	}
	out := RejudgingBoard{Contest: name, Items: []RejudgingMove{}}
	for _, m := range rejudge.Moves(contest, s.now(), attempts, instead) {
		who := m.Contestant()
		out.Items = append(out.Items, RejudgingMove{
			Contestant: who.ID, Name: who.Name, Hidden: who.Hidden, Old: newStand(&m.Old), New: newStand(&m.New), Problems: append([]string{}, m.Problems...),
		})
	}
	return answered(out), nil
}

func newStand(r *leaderboard.Row) *MoveStand {
	if r.Contestant == nil {
		return nil
	}
	return &MoveStand{Rank: wire.Known(r.Rank), Solved: r.Solved, Penalty: r.Penalty, Score: r.Score}
}

// concernedContest is the contest that is asked for, or the only one.
func concernedContest(r *judge.Rejudging, name string) (string, error) {
	var all []string
	for _, c := range r.Concerns {
		if c.Contest != "" && !slices.Contains(all, c.Contest) {
			all = append(all, c.Contest)
		}
	}
	switch {
	case len(all) == 0:
		return "", fault("conflict", "rejudging %s concerns no contest", r.ID)
	case name == "" && len(all) > 1:
		return "", wrongField("query.contest", "it concerns %d contests; name one of %.500s", len(all), all)
	case name != "" && !slices.Contains(all, name):
		return "", wrongField("query.contest", "rejudging %s does not concern %.64q; it does %.500s", r.ID, name, all)
	case name == "":
		name = all[0]
	}
	return name, nil
}

type compareInput struct {
	JudgementPath

	Other string `path:"other" maxLength:"64" doc:"Id of the other judgement, the new one."`
}

func (s *Server) compareJudgements(ctx context.Context, in *compareInput) (*answer[Comparison], error) {
	var both [2]judge.Judgement
	for i, id := range []string{in.ID, in.Other} {
		if err := s.forStaff(ctx, id); err != nil {
			return nil, err
		}
		var err error
		if both[i], err = s.Records.Judgement(ctx, id); err != nil {
			return nil, named(err, "judgement", id)
		}
	}
	out := Comparison{Runs: []RunPair{}}
	for _, p := range rejudge.Runs(both[0].Runs, both[1].Runs) {
		out.Runs = append(out.Runs, RunPair{Case: p.Case, Old: pairedRun(p.Old), New: pairedRun(p.New), Differs: p.Differs})
	}
	v := s.viewOf(s.Records, tokenOf(ctx))
	for i, shown := range []*Judgement{&out.Old, &out.New} {
		both[i].Runs = nil // they are in the pairs
		var err error
		if *shown, err = v.judgement(ctx, both[i]); err != nil {
			return nil, err
		}
	}
	return answered(out), nil
}

func pairedRun(r *judge.Run) *wire.Run {
	if r == nil {
		return nil
	}
	out := wire.FromRun(*r)
	return &out
}
