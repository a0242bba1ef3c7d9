// Package leaderboard is responsible for what a contest's board shows: a fold
// over the attempts of a contest, by the rules of the ICPC World Finals, by
// points as at the IOI, or as a practice board; as the public may see it, as the
// jury sees it, and as it ends.
//
// It is kept up to date attempt by attempt, in whatever order they come and
// however often they change, and always equals what all attempts say when they
// are looked at anew (see the slow definition in its tests). It reads no clock,
// no database and knows no JSON: who holds a Board says what time it is.
package leaderboard

import (
	"slices"
	"time"

	"judge/judge"
)

// View is who looks.
type View int

// The views.
const (
	// Public leaves hidden contestants out, and shows what was handed in after the
	// freeze as pending until the board is thawed.
	Public View = iota
	// Final is what Public becomes when it is thawed and all is judged.
	Final
	// Jury shows everything. Hidden contestants stand where their score puts them,
	// without a rank, so that all others have the rank that the public will see.
	Jury

	views = 3
)

// Board is the board of one contest. It is for one goroutine at a time; the rows
// that it gave away stay as they were.
type Board struct {
	contest judge.Contest
	rules   rules
	thawed  bool // Public shows all
	held    bool // Public shows no results

	problems map[string]int // name → index in contest.Problems
	byID     map[string]int32
	rows     []*row
	entries  map[string]*entry // by submission, those that count
	orders   [views][]int32    // rows in order of the board
	leads    [sides][]int32    // by problem: the row whose attempt may be the first that solves it; -1: none

	revision uint64
}

// A board has two sides: what the public sees while the board is frozen, and
// what is so.
const (
	frozenSide = iota
	trueSide
	sides
)

// row is a contestant with what it has done.
type row struct {
	contestant *judge.Contestant
	attempts   [][]*entry // by problem, in order of time
	side       [sides]score
}

// score is one side of a row. cells are never written to again.
type score struct {
	cells    []Cell
	total    total
	revision uint64
}

// New makes the board of a contest that nobody has submitted to, as it is at a
// moment: what the public may see depends on whether it is thawed and released
// by then.
func New(c judge.Contest, at time.Time) *Board {
	b := &Board{
		contest: c, thawed: Shown(&c, at), held: Held(&c, at),
		problems: map[string]int{}, byID: map[string]int32{}, entries: map[string]*entry{},
	}
	b.rules = rulesOf(&b.contest, at)
	for i, p := range c.Problems {
		b.problems[p.Problem] = i
	}
	for side := range b.leads {
		b.leads[side] = slices.Repeat([]int32{none}, len(c.Problems))
	}
	for i := range c.Contestants {
		b.add(&c.Contestants[i])
	}
	b.sortAll()
	return b
}

const none = -1

// Join adds contestants who have come later, and have handed in nothing that was
// put yet. Who takes part already stays as it was.
func (b *Board) Join(contestants ...judge.Contestant) {
	n := len(b.rows)
	for i := range contestants {
		b.add(&contestants[i])
	}
	if len(b.rows) > n {
		b.contest.Contestants = slices.Concat(b.contest.Contestants, contestants)
		b.sortAll()
	}
}

// Contest is what the board is of.
func (b *Board) Contest() *judge.Contest { return &b.contest }

// add makes an empty row.
func (b *Board) add(p *judge.Contestant) {
	if _, known := b.byID[p.ID]; known {
		return
	}
	n := len(b.contest.Problems)
	r := &row{contestant: p, attempts: make([][]*entry, n)}
	for side := range r.side {
		b.revision++
		r.side[side] = score{cells: make([]Cell, n), revision: b.revision}
		for i := range r.side[side].cells {
			r.side[side].cells[i].Time = none
		}
		r.side[side].total = b.rules.total(r.side[side].cells, p)
	}
	b.byID[p.ID] = int32(len(b.rows))
	b.rows = append(b.rows, r)
}

// Change is what attempts changed of a row in one view.
type Change struct {
	View       View
	Contestant string
	Problems   []string // labels of the cells that changed; nil: only the place
	// Places in the view, from 0: From before all changes, To after all of them.
	From, To int
}

// many is from how many changed rows on a board is sorted as a whole.
const many = 256

// Put takes attempts as they are now: new ones, and ones that were judged,
// rejudged, ignored or cancelled since. It returns what that changed, a change
// for each row and view, by view and then in order of the new places: who takes
// all these rows away from their old places and then puts them into their new
// ones, one by one, has the board. whole says that there is more than is told,
// and that the board has to be read again.
func (b *Board) Put(attempts ...judge.Attempt) (changes []Change, whole bool) {
	touched := map[touch]bool{}
	for i := range attempts {
		b.put(&attempts[i], touched)
	}
	changed := b.rescore(touched)
	if len(changed) > many {
		b.sortAll()
		return nil, true
	}
	for v := range View(views) {
		changes = append(changes, b.move(v, changed)...)
	}
	return changes, false
}

// touch names a cell.
type touch struct {
	row     int32
	problem int
}

func (b *Board) put(a *judge.Attempt, touched map[touch]bool) {
	if old := b.entries[a.Submission]; old != nil {
		list := &b.rows[old.row].attempts[old.problem]
		*list = slices.DeleteFunc(*list, func(e *entry) bool { return e == old })
		delete(b.entries, a.Submission)
		touched[touch{old.row, old.problem}] = true
	}
	problem, known := b.problems[a.Problem]
	r, takesPart := b.byID[a.Contestant]
	if !known || !takesPart || a.Ignored || a.State == judge.Cancelled {
		return
	}
	e, counts := b.rules.entry(a, problem, b.rows[r].contestant)
	if !counts {
		return
	}
	e.row = r
	list := &b.rows[r].attempts[problem]
	at, _ := slices.BinarySearchFunc(*list, e, (*entry).compare)
	*list = slices.Insert(*list, at, e)
	b.entries[a.Submission] = e
	touched[touch{r, problem}] = true
}
