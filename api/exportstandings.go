package api

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge/leaderboard"
	"judge/judge/wire"
)

type standingsQuery struct {
	ContestPath

	View string `query:"view" enum:"public,jury" default:"jury" doc:"public: as everybody may see it, frozen ones pending; jury: everything."`
}

// standings is a whole board as it is now.
func (s *Server) standings(ctx context.Context, in *standingsQuery) (*Board, error) {
	c, err := s.staffContest(ctx, in.Contest)
	if err != nil {
		return nil, err
	}
	live, err := s.boards.get(ctx, c.Name)
	if err != nil {
		return nil, named(err, "contest", in.Contest)
	}
	view := publicBoard
	if in.View == juryBoard.String() {
		view = juryBoard
	}
	body, _, err := live.page(view, leaderboard.Filter{}, 0, -1, false).read()
	if err != nil {
		return nil, err
	}
	var out Board
	return &out, json.Unmarshal(body, &out)
}

func (s *Server) exportStandingsJSON(ctx context.Context, in *standingsQuery) (*huma.StreamResponse, error) {
	b, err := s.standings(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.sent(ctx, typeJSON, b.Contest+"-standings.json", func(w io.Writer) error { return json.NewEncoder(w).Encode(b) }), nil
}

func (s *Server) exportStandingsCSV(ctx context.Context, in *standingsQuery) (*huma.StreamResponse, error) {
	b, err := s.standings(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.sent(ctx, typeCSV, b.Contest+"-standings.csv", func(w io.Writer) error { return writeStandings(w, b) }), nil
}

// writeStandings writes a row for each contestant: of each problem its attempts,
// and when it was solved or its points.
func writeStandings(w io.Writer, b *Board) error {
	out := csv.NewWriter(w)
	icpc := b.Kind == "icpc"
	head := []string{"rank", "id", "name", "affiliation", "country", "solved"}
	if icpc {
		head = append(head, "penalty_min")
	} else {
		head = append(head, "score")
	}
	head = append(head, "last_accepted_s", "disqualified", "hidden")
	for _, p := range b.Problems {
		head = append(head, p.Label+" attempts", p.Label+" pending", p.Label+" time_s")
		if !icpc {
			head = append(head, p.Label+" score")
		}
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for i := range b.Items {
		r := &b.Items[i]
		row := []string{
			wholeCell(r.Rank), cellText(r.Contestant.ID), cellText(r.Contestant.Name), cellText(wire.Value(r.Contestant.Affiliation)),
			wire.Value(r.Contestant.Country), strconv.Itoa(r.Solved),
		}
		if icpc {
			row = append(row, wholeCell(r.Penalty))
		} else {
			row = append(row, numberCell(r.Score))
		}
		row = append(row, numberCell(r.LastAccepted), strconv.FormatBool(r.Disqualified), strconv.FormatBool(r.Contestant.Hidden))
		for _, c := range r.Problems {
			row = append(row, strconv.Itoa(c.Attempts), strconv.Itoa(c.Pending), numberCell(c.Time))
			if !icpc {
				row = append(row, numberCell(c.Score))
			}
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
