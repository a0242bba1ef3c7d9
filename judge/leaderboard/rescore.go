package leaderboard

// rescore looks at the cells that were touched, and at whom that made the first
// to solve a problem or robbed of it. It returns the rows that changed.
func (b *Board) rescore(touched map[touch]bool) map[int32]*difference {
	changed := map[int32]*difference{}
	type lead struct{ side, problem int }
	rescan := map[lead]bool{}
	for t := range touched {
		for side := range sides {
			cell := b.rules.cell(b.rows[t.row].attempts[t.problem], side)
			old := &b.rows[t.row].side[side].cells[t.problem]
			cell.First = old.First
			before := old.lead
			if cell.lead != before || !cell.equal(old) {
				b.set(t, side, cell, changed)
			}
			if b.leads[side][t.problem] == t.row && recedes(cell.lead, before) {
				rescan[lead{side, t.problem}] = true
			} else if b.earlier(t, side, cell.lead) {
				b.hand(side, t.problem, t.row, changed)
			}
		}
	}
	for l := range rescan {
		b.hand(l.side, l.problem, b.findLead(l.side, l.problem), changed)
	}
	// A lead's cell may be solved now that was not.
	for t := range touched {
		for side := range sides {
			b.mark(side, t.problem, changed)
		}
	}
	for r, d := range changed {
		for side := range sides {
			if d.moved[side] {
				s := &b.rows[r].side[side]
				s.total = b.rules.total(s.cells, b.rows[r].contestant)
			}
		}
	}
	return changed
}

// set writes a cell. The cells from before may be in somebody's hands.
func (b *Board) set(t touch, side int, c Cell, changed map[int32]*difference) {
	s := &b.rows[t.row].side[side]
	d := changed[t.row]
	if d == nil {
		d = &difference{}
		changed[t.row] = d
	}
	if !d.moved[side] {
		d.moved[side], d.before[side] = true, s.total
		s.cells = append(make([]Cell, 0, len(s.cells)), s.cells...)
		b.revision++
		s.revision = b.revision
	}
	if !c.equal(&s.cells[t.problem]) {
		d.changed[side] = append(d.changed[side], t.problem)
	}
	s.cells[t.problem] = c
}

// The first to solve a problem is who made the earliest accepted attempt, by
// contest time, and it is not sure while an earlier one is pending: then nobody
// is, as DOMjudge has it. So the earliest attempt that is accepted or may yet be
// decides: its row leads. Hidden and disqualified contestants do not take part.

// earlier reports whether a cell's lead comes before the problem's.
func (b *Board) earlier(t touch, side int, e *entry) bool {
	if e == nil || !b.eligible(t.row) {
		return false
	}
	l := b.leads[side][t.problem]
	if l == none || l == t.row {
		return l == none
	}
	now := b.rows[l].side[side].cells[t.problem].lead
	return now == nil || e.compare(now) < 0
}

// recedes reports whether a leading attempt is gone or comes later than before.
func recedes(now, before *entry) bool {
	return now == nil || before == nil || now.compare(before) > 0
}

func (b *Board) eligible(r int32) bool {
	p := b.rows[r].contestant
	return !p.Hidden && !p.Disqualified
}

func (b *Board) findLead(side, problem int) int32 {
	lead := int32(none)
	var first *entry
	for i, r := range b.rows {
		e := r.side[side].cells[problem].lead
		if e != nil && b.eligible(int32(i)) && (first == nil || e.compare(first) < 0) {
			lead, first = int32(i), e
		}
	}
	return lead
}

// hand gives the lead to a row.
func (b *Board) hand(side, problem int, to int32, changed map[int32]*difference) {
	if from := b.leads[side][problem]; from != to && from != none {
		b.setFirst(side, problem, from, false, changed)
	}
	b.leads[side][problem] = to
}

// mark says that who leads a problem is the first, if the leading attempt was
// accepted.
func (b *Board) mark(side, problem int, changed map[int32]*difference) {
	l := b.leads[side][problem]
	if l == none {
		return
	}
	e := b.rows[l].side[side].cells[problem].lead
	b.setFirst(side, problem, l, e != nil && !e.pending(side), changed)
}

func (b *Board) setFirst(side, problem int, r int32, first bool, changed map[int32]*difference) {
	c := b.rows[r].side[side].cells[problem]
	if c.First != first {
		c.First = first
		b.set(touch{r, problem}, side, c, changed)
	}
}
