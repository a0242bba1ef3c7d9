package leaderboard

import (
	"slices"
	"time"

	"judge/judge"
)

// Row is a contestant's row as a view shows it. What it points to is not to be
// written to, and stays as it is.
type Row struct {
	Rank       int // shared by equals; 0: none, for who is hidden or disqualified
	FilterRank int // among those that the filter chooses; 0: none, or no filter
	Contestant *judge.Contestant
	Solved     int
	Penalty    int64         // ICPC: minutes
	Score      float64       // points
	Last       time.Duration // contest time of the last problem solved; negative: none
	Cells      []Cell        // in the order of the contest's problems

	// Revision is another one whenever what the row shows changes, its ranks left
	// aside, and the same in all views that show the same.
	Revision uint64
}

// Filter chooses contestants; fields that are empty choose all.
type Filter struct {
	Group       string
	Affiliation string
}

func (f Filter) holds(p *judge.Contestant) bool {
	return (f.Group == "" || slices.Contains(p.Groups, f.Group)) && (f.Affiliation == "" || f.Affiliation == p.Affiliation)
}

// Page gives rows from a place on, at most limit of them (negative: all), and how
// many there are. Rows of one rank are in order of name.
func (b *Board) Page(v View, f Filter, offset, limit int) (rows []Row, total int) {
	order := b.orders[v]
	if f == (Filter{}) {
		total = len(order)
		for _, r := range cut(order, offset, limit) {
			rows = append(rows, b.row(v, r))
		}
		return rows, total
	}
	var chosen []int32
	for _, r := range order {
		if f.holds(b.rows[r].contestant) {
			chosen = append(chosen, r)
		}
	}
	rank, last, ranked := 0, 0, 0
	for i, r := range chosen {
		here := b.rank(v, r)
		if here > 0 {
			ranked++
			if here != last {
				rank, last = ranked, here
			}
		}
		if i < offset || (limit >= 0 && i >= offset+limit) {
			continue
		}
		row := b.row(v, r)
		if here > 0 {
			row.FilterRank = rank
		}
		rows = append(rows, row)
	}
	return rows, len(chosen)
}

func cut[T any](all []T, offset, limit int) []T {
	all = all[min(max(offset, 0), len(all)):]
	if limit >= 0 {
		all = all[:min(limit, len(all))]
	}
	return all
}

// Row finds a contestant's row; false: the view has none.
func (b *Board) Row(v View, contestant string) (Row, bool) {
	r, ok := b.byID[contestant]
	if !ok || !b.shows(v, r) {
		return Row{}, false
	}
	return b.row(v, r), true
}

func (b *Board) row(v View, r int32) Row {
	s := &b.rows[r].side[b.sideOf(v)]
	t := &s.total
	return Row{
		Rank: b.rank(v, r), Contestant: b.rows[r].contestant, Solved: t.solved, Penalty: t.penalty, Score: t.score, Last: t.last,
		Cells: s.cells, Revision: s.revision,
	}
}
