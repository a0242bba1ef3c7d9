package leaderboard

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strings"

	"judge/judge"
)

// sideOf is what a view is made of.
func (b *Board) sideOf(v View) int {
	if v == Public && !b.thawed {
		return frozenSide
	}
	return trueSide
}

// shows reports whether a view has a row at all.
func (b *Board) shows(v View, r int32) bool { return v == Jury || !b.rows[r].contestant.Hidden }

// compare is the order of a view: by key; who share a rank, by name.
func (b *Board) compare(side int, r, o int32) int {
	p, q := b.rows[r], b.rows[o]
	if c := compareKeys(&p.side[side].total.key, &q.side[side].total.key); c != 0 {
		return c
	}
	return cmp.Or(strings.Compare(nameOf(p.contestant), nameOf(q.contestant)), strings.Compare(p.contestant.ID, q.contestant.ID))
}

// nameOf is by what a contestant is known.
func nameOf(p *judge.Contestant) string { return cmp.Or(p.Name, p.ID) }

func compareKeys(a, b *key) int {
	for i := range a {
		if a[i] != b[i] {
			return cmp.Compare(a[i], b[i])
		}
	}
	return 0
}

// sortAll puts all rows in order.
func (b *Board) sortAll() {
	for v := range b.orders {
		view := View(v)
		order := b.orders[v][:0]
		for r := range b.rows {
			if b.shows(view, int32(r)) {
				order = append(order, int32(r))
			}
		}
		side := b.sideOf(view)
		slices.SortFunc(order, func(r, o int32) int { return b.compare(side, r, o) })
		b.orders[v] = order
	}
}

// difference is what changed of a row, side by side.
type difference struct {
	before  [sides]total
	moved   [sides]bool // before is set
	changed [sides][]int
}

// move puts rows where they belong now in a view, and says what changed. All are
// taken away before any is put back: the search needs an order to search in.
func (b *Board) move(v View, changed map[int32]*difference) []Change {
	side := b.sideOf(v)
	from := map[int32]int{}
	var moving []int32
	for r, d := range changed {
		if b.shows(v, r) && d.moved[side] {
			moving = append(moving, r)
			b.swap(r, d, side)
		}
	}
	for _, r := range moving {
		from[r] = b.search(v, side, r)
	}
	gone := slices.Sorted(maps.Values(from))
	for _, at := range slices.Backward(gone) {
		b.orders[v] = slices.Delete(b.orders[v], at, at+1)
	}
	for _, r := range moving {
		b.swap(r, changed[r], side)
	}
	slices.SortFunc(moving, func(r, o int32) int { return b.compare(side, r, o) })
	var out []Change
	for _, r := range moving {
		to := b.search(v, side, r)
		b.orders[v] = slices.Insert(b.orders[v], to, r)
		c := Change{View: v, Contestant: b.rows[r].contestant.ID, From: from[r], To: to}
		slices.Sort(changed[r].changed[side])
		for _, p := range slices.Compact(changed[r].changed[side]) {
			c.Problems = append(c.Problems, b.contest.Problems[p].Label)
		}
		if c.Problems != nil || c.From != c.To {
			out = append(out, c)
		}
	}
	return out
}

// swap exchanges a row's total and the one from before.
func (b *Board) swap(r int32, d *difference, side int) {
	s := &b.rows[r].side[side]
	s.total, d.before[side] = d.before[side], s.total
}

func (b *Board) search(v View, side int, r int32) int {
	at, _ := slices.BinarySearchFunc(b.orders[v], r, func(o, r int32) int { return b.compare(side, o, r) })
	return at
}

// rank is the place of a row among those that are ranked, shared by equals; 0:
// it has none. The orders of Public and Final hold no hidden rows, and those
// without a rank come last, so that a place is a rank.
func (b *Board) rank(v View, r int32) int {
	row := b.rows[r]
	if row.contestant.Hidden || row.contestant.Disqualified {
		return 0
	}
	side := b.sideOf(v)
	if v == Jury {
		v = Final
	}
	order := b.orders[v]
	return 1 + sort.Search(len(order), func(i int) bool {
		return compareKeys(&b.rows[order[i]].side[side].total.key, &row.side[side].total.key) >= 0
	})
}
