package leaderboard

import (
	"math"
	"slices"
	"time"

	"judge/judge"
)

// Cell is what a contestant has done at a problem.
type Cell struct {
	// Attempts is how many were judged. ICPC: those that cost and the first that was
	// accepted, so that they tell the penalty; else all but compilation errors.
	Attempts int
	Pending  int // not judged yet, or not to be known of yet
	Solved   bool
	First    bool          // the first that solved it (ICPC)
	Time     time.Duration // contest time of the first accepted attempt, or of the one that reached Score; negative: none
	Penalty  int64         // ICPC: minutes, of a solved problem
	Score    float64       // points
	Groups   []Points      // best of each subtask, where those are added up

	lead *entry // the first attempt that is accepted or may yet be
}

// Points are those of a subtask.
type Points struct {
	Group string
	Score float64
	Max   float64 // 0: not known
}

func (c *Cell) equal(o *Cell) bool {
	return c.Attempts == o.Attempts && c.Pending == o.Pending && c.Solved == o.Solved && c.First == o.First &&
		c.Time == o.Time && c.Penalty == o.Penalty && c.Score == o.Score && slices.Equal(c.Groups, o.Groups)
}

// cell looks at a contestant's attempts at a problem, in order of time.
func (r *rules) cell(attempts []*entry, side int) Cell {
	switch r.contest.Kind {
	case judge.ContestICPC:
		return r.icpc(attempts, side)
	case judge.ContestIOI:
		return r.ioi(attempts, side)
	case judge.ContestPractice:
		return r.practice(attempts, side)
	}
	return Cell{Time: none}
}

func (e *entry) pending(side int) bool { return e.verdict == "" || (side == frozenSide && e.frozen) }

// icpc: what comes after the first accepted attempt does not matter, pending or
// not (CCS requirements, Scoring and Scoreboard).
func (r *rules) icpc(attempts []*entry, side int) Cell {
	c := Cell{Time: none}
	for _, e := range attempts {
		if e.pending(side) {
			c.Pending++
			if c.lead == nil {
				c.lead = e
			}
			continue
		}
		if e.verdict == judge.AC {
			c.Solved, c.Time = true, e.elapsed
			c.Penalty = int64(e.elapsed/time.Minute) + int64(c.Attempts)*r.penalty
			c.Attempts++
			if c.lead == nil {
				c.lead = e
			}
			break
		}
		if slices.Contains(r.costs, e.verdict) {
			c.Attempts++
		}
	}
	return c
}

// ioi: the best attempt, or the best of each subtask added up. Where a judgement
// has no subtasks, as when staff gave its score, it counts as a whole.
func (r *rules) ioi(attempts []*entry, side int) Cell {
	c := Cell{Time: none}
	full := 0.0
	for _, e := range attempts {
		if e.pending(side) {
			c.Pending++
			continue
		}
		if e.verdict == judge.CE {
			continue
		}
		c.Attempts++
		full = max(full, e.full)
		best := max(c.Score, e.score)
		if r.contest.SubtaskBest && len(e.groups) > 0 {
			c.Groups = mergeBest(c.Groups, e.groups)
			best = max(best, sumOf(c.Groups))
		}
		if best > c.Score {
			c.Score, c.Time = best, e.elapsed
		}
		c.Solved = c.Solved || e.verdict == judge.AC
	}
	c.Solved = c.Solved || (full > 0 && c.Score >= full)
	return c
}

// practice: solved or not, and the best score. There is no clock.
func (r *rules) practice(attempts []*entry, side int) Cell {
	c := Cell{Time: none}
	for _, e := range attempts {
		if e.pending(side) {
			c.Pending++
			continue
		}
		if e.verdict == judge.CE {
			continue
		}
		c.Attempts++
		c.Solved = c.Solved || e.verdict == judge.AC
		if e.scored {
			c.Score = max(c.Score, e.score)
		}
	}
	return c
}

// mergeBest is the better of two lists of subtasks, each in order of group. It
// changes neither.
func mergeBest(a, b []Points) []Points {
	out := make([]Points, 0, max(len(a), len(b)))
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || (len(a) > 0 && a[0].Group < b[0].Group):
			out, a = append(out, a[0]), a[1:]
		case len(a) == 0 || b[0].Group < a[0].Group:
			out, b = append(out, b[0]), b[1:]
		default:
			best := a[0]
			best.Score, best.Max = max(a[0].Score, b[0].Score), max(a[0].Max, b[0].Max)
			out, a, b = append(out, best), a[1:], b[1:]
		}
	}
	return out
}

func sumOf(groups []Points) float64 {
	sum := 0.0
	for _, g := range groups {
		sum += g.Score
	}
	return rounded(sum)
}

// total is a row's sum, and by what it is ranked.
type total struct {
	solved  int
	penalty int64
	score   float64
	last    time.Duration // contest time of the last problem solved; negative: none
	key     key
}

// key orders rows: the lesser is the better, field by field. Equal keys share a
// rank.
type key [4]int64

func (r *rules) total(cells []Cell, p *judge.Contestant) total {
	t := total{last: none}
	for i := range cells {
		c := &cells[i]
		if c.Solved {
			t.solved++
			t.penalty += c.Penalty
			t.last = max(t.last, c.Time)
		}
		t.score += c.Score
	}
	t.score = rounded(t.score)
	if p.Disqualified {
		t.key[0] = 1 // below all others
	}
	points := int64(math.Round(t.score * precision))
	switch r.contest.Kind {
	case judge.ContestICPC:
		// Minutes, also of the last one: CCS requirements, Scoring.
		t.key[1], t.key[2], t.key[3] = -int64(t.solved), t.penalty, int64(max(t.last, 0)/time.Minute)
	case judge.ContestIOI:
		t.key[1] = -points
	case judge.ContestPractice:
		t.key[1], t.key[2] = -int64(t.solved), -points
	}
	return t
}
