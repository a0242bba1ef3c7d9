package api

import (
	"math"
	"time"

	"judge/judge"
	"judge/judge/leaderboard"
	"judge/judge/wire"
)

// Board is a page of a contest's board. It is what the board was at the moment at,
// when it changed last.
type Board struct {
	Contest  string             `json:"contest"`
	Title    string             `json:"title"`
	Kind     string             `json:"kind" enum:"icpc,ioi,practice"`
	View     string             `json:"view" enum:"public,jury"`
	At       wire.Time          `json:"at" doc:"When this view changed last."`
	Elapsed  float64            `json:"elapsed_s" doc:"Contest time at that moment; 0 before the start."`
	Start    *wire.Time         `json:"start_at"`
	End      *wire.Time         `json:"end_at" doc:"As far as it is known: a pause that lasts moves it."`
	FreezeAt *wire.Time         `json:"freeze_at"`
	Frozen   bool               `json:"frozen" doc:"Some results are shown as pending."`
	State    string             `json:"state" enum:"before,running,paused,frozen,ended,final"`
	Version  string             `json:"version" doc:"Opaque: another one whenever the view changes."`
	Problems []BoardProblemName `json:"problems"`
	Total    int                `json:"total" doc:"Rows that the filter chooses."`
	Items    []BoardRow         `json:"items"`
}

// BoardProblemName is a column of a board.
type BoardProblemName struct {
	Label string  `json:"label"`
	Color *string `json:"color"`
	RGB   *string `json:"rgb"`
}

// BoardRow is a contestant's row.
type BoardRow struct {
	Rank       *int `json:"rank" doc:"Shared by equals; null for who is hidden or disqualified."`
	FilterRank *int `json:"filter_rank,omitempty" doc:"Among those that the filter chooses."`
	BoardStanding
}

// BoardStanding is what of a row does not change when only others move.
type BoardStanding struct {
	Contestant   BoardContestant `json:"contestant"`
	Solved       int             `json:"solved"`
	Penalty      *int64          `json:"penalty_min,omitempty" doc:"ICPC."`
	Score        *float64        `json:"score,omitempty" doc:"IOI and practice."`
	LastAccepted *float64        `json:"last_accepted_s" doc:"Contest time of the last problem solved."`
	Problems     []BoardCell     `json:"problems"`
	Disqualified bool            `json:"disqualified"`
}

// BoardContestant is who takes part.
type BoardContestant struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Affiliation *string  `json:"affiliation"`
	Country     *string  `json:"country" doc:"ISO 3166-1 alpha-3."`
	Groups      []string `json:"groups"`
	Hidden      bool     `json:"hidden,omitempty"`
}

// BoardCell is what a contestant has done at a problem.
type BoardCell struct {
	Label    string        `json:"label"`
	Attempts int           `json:"attempts" doc:"Judged ones. ICPC: those that cost, and the first that was accepted."`
	Pending  int           `json:"pending"`
	Solved   bool          `json:"solved"`
	First    bool          `json:"first" doc:"The first that solved it (ICPC); not while an earlier submission is pending."`
	Time     *float64      `json:"time_s" doc:"Contest time of the first accepted one, or of the one that reached the score."`
	Penalty  *int64        `json:"penalty_min,omitempty" doc:"ICPC, where it is solved."`
	Score    *float64      `json:"score,omitempty" doc:"IOI and practice."`
	Groups   []BoardPoints `json:"groups,omitempty" doc:"The best of each subtask, where those are added up."`
}

// BoardPoints are those of a subtask.
type BoardPoints struct {
	Group string   `json:"group"`
	Score float64  `json:"score"`
	Max   *float64 `json:"max_score"`
}

// BoardProblems is what was done at each problem.
type BoardProblems struct {
	Contest string         `json:"contest"`
	View    string         `json:"view"`
	At      wire.Time      `json:"at"`
	Version string         `json:"version"`
	Items   []BoardProblem `json:"items"`
}

// BoardProblem is what was done at a problem, by all but who is disqualified.
type BoardProblem struct {
	BoardProblemName

	Attempts int            `json:"attempts" doc:"Judged ones of any verdict."`
	Pending  int            `json:"pending"`
	Tried    int            `json:"tried" doc:"Contestants."`
	Solved   int            `json:"solved" doc:"Contestants."`
	Verdicts map[string]int `json:"verdicts"`
	First    *BoardFirst    `json:"first" doc:"Null where nobody is, or it is not sure yet."`
	Best     *float64       `json:"best_score,omitempty"`
	Mean     *float64       `json:"mean_score,omitempty" doc:"Of those who tried."`
}

// BoardFirst is who solved a problem first.
type BoardFirst struct {
	Contestant BoardContestant `json:"contestant"`
	Time       float64         `json:"time_s"`
}

// BoardChange is the data of board.changed.
type BoardChange struct {
	Version string            `json:"version" doc:"Of the view after this change."`
	At      wire.Time         `json:"at"`
	Elapsed float64           `json:"elapsed_s"`
	Frozen  bool              `json:"frozen"`
	State   string            `json:"state" enum:"before,running,paused,frozen,ended,final"`
	Total   int               `json:"total"`
	Rows    []BoardRowChanged `json:"rows" doc:"In order of their new places."`
}

// BoardRowChanged is a row that is another one now, or elsewhere.
type BoardRowChanged struct {
	From     int      `json:"from" doc:"Its place before, from 0."`
	To       int      `json:"to" doc:"Its place now."`
	Problems []string `json:"problems" doc:"Labels of the cells that changed."`
	Row      BoardRow `json:"row"`
}

// BoardReload is the data of board.reload.
type BoardReload struct {
	Version string `json:"version"`
	Reason  string `json:"reason" enum:"contest,rejudging,many,position,clock" doc:"What there was too much of to tell; position: that to go on from is not known here."`
}

func seconds(d time.Duration) *float64 {
	if d < 0 {
		return nil
	}
	out := math.Round(d.Seconds()*1e3) / 1e3
	return &out
}

func newBoardContestant(p *judge.Contestant) BoardContestant {
	return BoardContestant{
		ID: p.ID, Name: p.Name, Affiliation: wire.Known(p.Affiliation), Country: wire.Known(p.Country), Groups: append([]string{}, p.Groups...), Hidden: p.Hidden,
	}
}

func newBoardRow(c *judge.Contest, r *leaderboard.Row) BoardRow {
	return BoardRow{Rank: wire.Known(r.Rank), FilterRank: wire.Known(r.FilterRank), BoardStanding: newBoardStanding(c, r)}
}

func newBoardStanding(c *judge.Contest, r *leaderboard.Row) BoardStanding {
	out := BoardStanding{
		Contestant: newBoardContestant(r.Contestant), Solved: r.Solved, LastAccepted: seconds(r.Last),
		Disqualified: r.Contestant.Disqualified, Problems: make([]BoardCell, len(r.Cells)),
	}
	icpc := c.Kind == judge.ContestICPC
	if icpc {
		out.Penalty = &r.Penalty
	} else {
		out.Score = &r.Score
	}
	for i := range r.Cells {
		cell := &r.Cells[i]
		b := BoardCell{Label: c.Problems[i].Label, Attempts: cell.Attempts, Pending: cell.Pending, Solved: cell.Solved, First: cell.First, Time: seconds(cell.Time)}
		switch {
		case !icpc:
			b.Score = &cell.Score
		case cell.Solved:
			b.Penalty = &cell.Penalty
		}
		for _, g := range cell.Groups {
			b.Groups = append(b.Groups, BoardPoints{Group: g.Group, Score: g.Score, Max: wire.Known(g.Max)})
		}
		out.Problems[i] = b
	}
	return out
}

func newBoardProblem(c *judge.Contest, p *leaderboard.ProblemStats) BoardProblem {
	out := BoardProblem{
		BoardProblemName: newBoardProblemName(p.Problem), Attempts: p.Attempts, Pending: p.Pending, Tried: p.Tried, Solved: p.Solved, Verdicts: texts(p.Verdicts),
	}
	if p.First != nil {
		out.First = &BoardFirst{Contestant: newBoardContestant(p.First), Time: p.FirstTime.Seconds()}
	}
	if c.Kind != judge.ContestICPC {
		out.Best, out.Mean = &p.Best, &p.Mean
	}
	return out
}

func newBoardProblemName(p *judge.ContestProblem) BoardProblemName {
	return BoardProblemName{Label: p.Label, Color: wire.Known(p.Color), RGB: wire.Known(p.RGB)}
}
