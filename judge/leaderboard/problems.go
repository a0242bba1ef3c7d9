package leaderboard

import (
	"time"

	"judge/judge"
)

// ProblemStats is what all contestants of a view have done at a problem, those
// who are disqualified left out.
type ProblemStats struct {
	Problem  *judge.ContestProblem
	Attempts int                   // judged ones, whichever verdict
	Pending  int                   // not judged yet, or not to be known of yet
	Solved   int                   // contestants
	Tried    int                   // contestants who handed something in
	Verdicts map[judge.Verdict]int // of judged attempts
	// First is who solved it first, nil where nobody has or it is not sure (ICPC).
	First     *judge.Contestant
	FirstTime time.Duration // contest time
	Best      float64       // points
	Mean      float64       // points of those who tried
}

// Problems sums up each problem, in the contest's order. It looks at everything.
func (b *Board) Problems(v View) []ProblemStats {
	side := b.sideOf(v)
	out := make([]ProblemStats, len(b.contest.Problems))
	for p := range out {
		out[p] = ProblemStats{Problem: &b.contest.Problems[p], Verdicts: map[judge.Verdict]int{}}
	}
	for _, r := range b.orders[v] {
		row := b.rows[r]
		if row.contestant.Disqualified {
			continue
		}
		for p := range out {
			out[p].add(row, p, side)
		}
	}
	for p := range out {
		if out[p].Tried > 0 {
			out[p].Mean = rounded(out[p].Mean / float64(out[p].Tried))
		}
	}
	return out
}

func (s *ProblemStats) add(r *row, problem, side int) {
	for _, e := range r.attempts[problem] {
		if e.pending(side) {
			s.Pending++
			continue
		}
		s.Attempts++
		s.Verdicts[e.verdict]++
	}
	if len(r.attempts[problem]) > 0 {
		s.Tried++
	}
	c := &r.side[side].cells[problem]
	if c.Solved {
		s.Solved++
	}
	if c.First {
		s.First, s.FirstTime = r.contestant, c.Time
	}
	s.Best = max(s.Best, c.Score)
	s.Mean += c.Score
}
