package leaderboard_test

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"judge/judge"
	"judge/judge/leaderboard"
)

// The slow definition: what a board shows, said once more and as plainly as can
// be, from all attempts as they are in the end. It shares no code with the fold,
// not even the contest's clock.

// slowCell and slowRow are compared with what a Board shows.
type slowCell struct {
	Attempts, Pending int
	Solved, First     bool
	Time              time.Duration // -1: none
	Penalty           int64
	Score             float64
	Groups            map[string]float64
}

type slowRow struct {
	ID      string
	Rank    int
	Solved  int
	Penalty int64
	Score   float64
	Last    time.Duration
	Cells   []slowCell
}

// slowElapsed counts seconds one by one: all of a test's times are whole seconds.
func slowElapsed(c *judge.Contest, p *judge.Contestant, at time.Time) time.Duration {
	start := c.Start
	if !p.Start.IsZero() {
		start = p.Start
	}
	if at.Before(start) {
		return -1
	}
	n := time.Duration(0)
	for t := start.Unix(); t < at.Unix(); t++ {
		paused := false
		for _, q := range c.Pauses {
			paused = paused || (t >= q.From.Unix() && (q.Until.IsZero() || t < q.Until.Unix()))
		}
		if !paused {
			n += time.Second
		}
	}
	return n
}

type slowAttempt struct {
	judge.Attempt
	who     *judge.Contestant
	elapsed time.Duration
	pending bool
}

// slowAttempts are those that count, in order of contest time, with what the
// public may not know taken out.
func slowAttempts(c *judge.Contest, v leaderboard.View, now time.Time, all map[string]judge.Attempt) []slowAttempt {
	thawed := !c.Thawed.IsZero() && !now.Before(c.Thawed)
	released := !c.Released.IsZero() && !now.Before(c.Released)
	if c.HoldResults && !released {
		thawed = false
	}
	held := (c.HoldResults || c.Feedback == judge.FeedbackNone) && !released && !thawed
	var out []slowAttempt
	for _, a := range all {
		i := slices.IndexFunc(c.Contestants, func(p judge.Contestant) bool { return p.ID == a.Contestant })
		known := slices.ContainsFunc(c.Problems, func(p judge.ContestProblem) bool { return p.Problem == a.Problem })
		if i < 0 || !known || a.Ignored || a.State == judge.Cancelled {
			continue
		}
		s := slowAttempt{Attempt: a, who: &c.Contestants[i]}
		s.elapsed = slowElapsed(c, s.who, a.At)
		if s.elapsed < 0 || (c.Duration > 0 && s.elapsed >= c.Duration+s.who.Extra) {
			continue
		}
		s.pending = a.State != judge.Judged || a.Verdict == judge.JE
		if v == leaderboard.Public && !thawed {
			frozen := c.Freeze > 0 && c.Duration > 0 && s.elapsed >= c.Duration-c.Freeze
			s.pending = s.pending || frozen || held
		}
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b slowAttempt) int {
		return cmp.Or(cmp.Compare(a.elapsed, b.elapsed), a.At.Compare(b.At), strings.Compare(a.Submission, b.Submission))
	})
	return out
}

func slowBoard(c *judge.Contest, v leaderboard.View, now time.Time, all map[string]judge.Attempt) []slowRow {
	attempts := slowAttempts(c, v, now, all)
	var people []*judge.Contestant
	rows := map[string]*slowRow{}
	for i := range c.Contestants {
		p := &c.Contestants[i]
		if p.Hidden && v != leaderboard.Jury {
			continue
		}
		people = append(people, p)
		r := &slowRow{ID: p.ID, Last: -1}
		for _, problem := range c.Problems {
			var own []slowAttempt
			for _, a := range attempts {
				if a.who == p && a.Problem == problem.Problem {
					own = append(own, a)
				}
			}
			cell := slowCells[c.Kind](c, problem, own)
			if c.Kind == judge.ContestICPC && cell.Solved {
				cell.First = slowFirst(attempts, problem.Problem) == p.ID
			}
			if cell.Solved {
				r.Solved++
				r.Penalty += cell.Penalty
				r.Last = max(r.Last, cell.Time)
			}
			r.Score = micro(r.Score + cell.Score)
			r.Cells = append(r.Cells, cell)
		}
		rows[p.ID] = r
	}
	// better says that p goes before q, and not by name only.
	better := func(p, q *judge.Contestant) bool {
		a, b := rows[p.ID], rows[q.ID]
		if p.Disqualified != q.Disqualified {
			return q.Disqualified
		}
		switch c.Kind {
		case judge.ContestICPC:
			if a.Solved != b.Solved {
				return a.Solved > b.Solved
			}
			if a.Penalty != b.Penalty {
				return a.Penalty < b.Penalty
			}
			return a.Solved > 0 && int(a.Last.Minutes()) < int(b.Last.Minutes())
		case judge.ContestIOI:
			return a.Score > b.Score
		case judge.ContestPractice:
			return a.Solved > b.Solved || (a.Solved == b.Solved && a.Score > b.Score)
		}
		panic(c.Kind)
	}
	sort.SliceStable(people, func(i, j int) bool {
		p, q := people[i], people[j]
		if better(p, q) || better(q, p) {
			return better(p, q)
		}
		return p.Name < q.Name || (p.Name == q.Name && p.ID < q.ID)
	})
	var out []slowRow
	for _, p := range people {
		r := rows[p.ID]
		if !p.Hidden && !p.Disqualified {
			r.Rank = 1
			for _, q := range people {
				if !q.Hidden && better(q, p) {
					r.Rank++
				}
			}
		}
		out = append(out, *r)
	}
	return out
}

// slowFirst is who solved a problem first, empty while that is not sure.
func slowFirst(attempts []slowAttempt, problem string) string {
	for _, a := range attempts {
		if a.Problem != problem || a.who.Hidden || a.who.Disqualified {
			continue
		}
		if a.pending {
			return ""
		}
		if a.Verdict == judge.AC {
			return a.who.ID
		}
	}
	return ""
}

var slowCells = map[judge.ContestKind]func(*judge.Contest, judge.ContestProblem, []slowAttempt) slowCell{
	judge.ContestICPC: func(c *judge.Contest, _ judge.ContestProblem, own []slowAttempt) slowCell {
		out := slowCell{Time: -1}
		rejected := 0
		for _, a := range own {
			switch {
			case out.Solved:
			case a.pending:
				out.Pending++
			case a.Verdict == judge.AC:
				out.Solved, out.Time, out.Attempts = true, a.elapsed, rejected+1
				out.Penalty = int64(a.elapsed/time.Minute) + int64(rejected)*int64(c.Penalty/time.Minute)
			case slices.Contains(judge.PenaltyVerdictsOf(c), a.Verdict):
				rejected++
				out.Attempts = rejected
			}
		}
		return out
	},
	judge.ContestIOI: func(c *judge.Contest, problem judge.ContestProblem, own []slowAttempt) slowCell {
		out := slowCell{Time: -1}
		full := 0.0
		for _, a := range own {
			if a.pending {
				out.Pending++
			} else if a.Verdict != judge.CE {
				out.Attempts++
				whole, highest, groups := slowScore(problem, a)
				best := max(out.Score, whole)
				if c.SubtaskBest && len(groups) > 0 {
					sum := 0.0
					if out.Groups == nil {
						out.Groups = map[string]float64{}
					}
					for g, s := range groups {
						out.Groups[g] = max(out.Groups[g], s)
					}
					for _, s := range out.Groups {
						sum += s
					}
					best = max(best, micro(sum))
				}
				if best > out.Score {
					out.Score, out.Time = best, a.elapsed
				}
				full = max(full, highest)
				out.Solved = out.Solved || a.Verdict == judge.AC
			}
		}
		out.Solved = out.Solved || (full > 0 && out.Score >= full)
		return out
	},
	judge.ContestPractice: func(_ *judge.Contest, problem judge.ContestProblem, own []slowAttempt) slowCell {
		out := slowCell{Time: -1}
		for _, a := range own {
			if a.pending {
				out.Pending++
			} else if a.Verdict != judge.CE {
				out.Attempts++
				out.Solved = out.Solved || a.Verdict == judge.AC
				if a.Score != nil {
					whole, _, _ := slowScore(problem, a)
					out.Score = max(out.Score, whole)
				}
			}
		}
		return out
	},
}

// slowScore is an attempt's points, the full score, and the points of the
// subtasks. Where there are groups, a test gives secret's own full score.
func slowScore(problem judge.ContestProblem, a slowAttempt) (score, full float64, groups map[string]float64) {
	if a.Score == nil {
		full = cmp.Or(problem.Points, 100)
		if a.Verdict == judge.AC {
			return full, full, nil
		}
		return 0, full, nil
	}
	factor := 1.0
	for _, g := range a.Groups {
		if g.Group == "secret" {
			full = *g.MaxScore
		}
	}
	if problem.Points > 0 && full > 0 {
		factor = problem.Points / full
	}
	groups = map[string]float64{}
	for _, g := range a.Groups {
		if strings.Count(g.Group, "/") == 1 && strings.HasPrefix(g.Group, "secret/") {
			groups[g.Group] = micro(*g.Score * factor)
		}
	}
	return micro(*a.Score * factor), micro(full * factor), groups
}

func micro(x float64) float64 { return math.Round(x*1e6) / 1e6 }
