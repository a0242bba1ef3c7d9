package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// Statistics is what has been going on.
type Statistics struct {
	Since       wire.Time `json:"since" doc:"From when on was counted: later than was asked for where that is too much to count."`
	Submissions Tally     `json:"submissions" doc:"By their newest judgement."`
	Judgements  Tally     `json:"judgements"`
	Queue       Queue     `json:"queue" doc:"Of all problems."`
}

// Tally is how many there are, and of which kinds.
type Tally struct {
	Total     int            `json:"total"`
	States    map[string]int `json:"states"`
	Verdicts  map[string]int `json:"verdicts"`
	Languages map[string]int `json:"languages"`
	Problems  map[string]int `json:"problems"`
}

// Queue is how much there is to do, in judgements.
type Queue struct {
	Ready   int `json:"ready" doc:"To be taken at once."`
	Delayed int `json:"delayed" doc:"To be tried again later, after a failure of ours."`
	Running int `json:"running"`
}

type statisticsInput struct {
	Since   time.Time `query:"since" doc:"Else a day ago."`
	Problem string    `query:"problem" maxLength:"64" doc:"Of this problem only."`
}

// statisticsTime is from when on is counted where nobody says.
const statisticsTime = 24 * time.Hour

func (s *Server) statisticsRoutes() {
	register(s, huma.Operation{
		OperationID: "get-statistics", Method: http.MethodGet, Path: "/statistics", Tags: []string{"statistics"},
		Summary: "What has been going on, and what there is to do", Description: "Of the problems in the token's scope, and of what was handed in at its contests. A viewer is not told verdicts, which a problem may hide.",
	}, s.getStatistics)
}

func (s *Server) getStatistics(ctx context.Context, in *statisticsInput) (*answer[Statistics], error) {
	token := tokenOf(ctx)
	if in.Since.IsZero() {
		in.Since = s.now().Add(-statisticsTime)
	}
	var of judge.Scope
	switch {
	case in.Problem != "" && !holds(token, in.Problem):
		return nil, unknown("problem", in.Problem)
	case in.Problem != "":
		of.Problems = []string{in.Problem}
	case scoped(token):
		of = token.Scope
	}
	found, err := s.Records.Statistics(ctx, in.Since, of)
	if err != nil {
		return nil, err
	}
	out := Statistics{
		Since: wire.Time(found.Since), Submissions: newTally(found.Submissions), Judgements: newTally(found.Judgements), Queue: Queue(found.Load),
	}
	if token.Role == judge.RoleViewer {
		out.Submissions.Verdicts, out.Judgements.Verdicts = map[string]int{}, map[string]int{}
	}
	return answered(out), nil
}

func newTally(t judge.Tally) Tally {
	return Tally{Total: t.Total, States: texts(t.States), Verdicts: texts(t.Verdicts), Languages: texts(t.Languages), Problems: texts(t.Problems)}
}

// texts is counts by text; never null.
func texts[K ~string](counts map[K]int) map[string]int {
	out := make(map[string]int, len(counts))
	for k, n := range counts {
		out[string(k)] = n
	}
	return out
}
