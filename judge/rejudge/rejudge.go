// Package rejudge is responsible for what a rejudging would change: run by run of
// two judgements, and row by row of a contest's board.
//
// It makes, keeps and applies no rejudging (judge/store does), reads no clock and
// no database.
package rejudge

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"judge/judge"
	"judge/judge/leaderboard"
)

// RunPair is a test case in two judgements. Old or New is nil where that judgement
// has no run of it: it was decided before, or its problem had no such case.
type RunPair struct {
	Case     string
	Old, New *judge.Run
	Differs  bool // in verdict, score, or that there is a run
}

// Runs pairs the runs of two judgements by their cases' names, in the new one's
// order; what only the old one has stands where its ordinal puts it.
func Runs(before, after []judge.Run) []RunPair {
	pairs := make([]RunPair, 0, max(len(before), len(after)))
	at := map[string]int{}
	for i := range after {
		at[after[i].Case] = len(pairs)
		pairs = append(pairs, RunPair{Case: after[i].Case, New: &after[i]})
	}
	for i := range before {
		if k, ok := at[before[i].Case]; ok && pairs[k].Old == nil {
			pairs[k].Old = &before[i]
			continue
		}
		pairs = append(pairs, RunPair{Case: before[i].Case, Old: &before[i]})
	}
	slices.SortStableFunc(pairs, func(a, b RunPair) int { return cmp.Compare(a.ordinal(), b.ordinal()) })
	for i, p := range pairs {
		pairs[i].Differs = p.Old == nil || p.New == nil || p.Old.Verdict != p.New.Verdict || !same(p.Old.Score, p.New.Score)
	}
	return pairs
}

func (p *RunPair) ordinal() int {
	if p.New != nil {
		return p.New.Ordinal
	}
	return p.Old.Ordinal
}

func same(a, b *float64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// Move is a row of a board that would be another one. Who is on one board only has
// a row without a contestant on the other.
type Move struct {
	Old, New leaderboard.Row
	Problems []string // labels of the cells that differ
}

// Contestant is whose row it is.
func (m *Move) Contestant() *judge.Contestant {
	if m.New.Contestant != nil {
		return m.New.Contestant
	}
	return m.Old.Contestant
}

// Moves compares a contest's board at a moment, as the jury sees it, with what it
// would be if some of its attempts were others, and lists the rows that differ in
// rank, problems, penalty or points, in the order of the new board.
func Moves(c judge.Contest, at time.Time, attempts, instead []judge.Attempt) []Move {
	before, after := leaderboard.New(c, at), leaderboard.New(c, at)
	before.Put(attempts...)
	after.Put(attempts...)
	after.Put(instead...)
	rows, _ := before.Page(leaderboard.Jury, leaderboard.Filter{}, 0, -1)
	olds := make(map[string]leaderboard.Row, len(rows))
	for _, r := range rows {
		olds[r.Contestant.ID] = r
	}
	var moves []Move
	rows, _ = after.Page(leaderboard.Jury, leaderboard.Filter{}, 0, -1)
	for _, r := range rows {
		m := Move{Old: olds[r.Contestant.ID], New: r}
		delete(olds, r.Contestant.ID)
		m.Problems = cells(&c, m.Old.Cells, r.Cells)
		if len(m.Problems) > 0 || m.Old.Contestant == nil || m.Old.Rank != r.Rank || m.Old.Solved != r.Solved || m.Old.Penalty != r.Penalty || m.Old.Score != r.Score {
			moves = append(moves, m)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(olds)) {
		moves = append(moves, Move{Old: olds[id], Problems: cells(&c, olds[id].Cells, nil)})
	}
	return moves
}

// cells are the labels of the problems whose cells show something else.
func cells(c *judge.Contest, before, after []leaderboard.Cell) (labels []string) {
	for i, p := range c.Problems {
		var a, b leaderboard.Cell
		if i < len(before) {
			a = before[i]
		}
		if i < len(after) {
			b = after[i]
		}
		if a.Attempts != b.Attempts || a.Pending != b.Pending || a.Solved != b.Solved || a.First != b.First || a.Penalty != b.Penalty || a.Score != b.Score ||
			(a.Solved && a.Time != b.Time) || !slices.Equal(a.Groups, b.Groups) {
			labels = append(labels, p.Label)
		}
	}
	return labels
}
