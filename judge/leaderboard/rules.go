package leaderboard

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"judge/judge"
)

// rules are a contest's, as far as attempts and cells are concerned.
type rules struct {
	contest *judge.Contest
	costs   []judge.Verdict
	hidden  time.Duration // contest time from which on the frozen side shows attempts as pending; negative: never
	penalty int64         // minutes
}

func rulesOf(c *judge.Contest, at time.Time) rules {
	r := rules{contest: c, costs: judge.PenaltyVerdictsOf(c), hidden: -1, penalty: int64(c.Penalty / time.Minute)}
	if start := freezeStart(c); start >= 0 {
		r.hidden = start
	}
	if Held(c, at) {
		r.hidden = 0
	}
	return r
}

// freezeStart is the contest time at which the public board stands still;
// negative: it does not. It is the same for all contestants, each by its own
// clock: extra time at the end does not move it.
func freezeStart(c *judge.Contest) time.Duration {
	if c.Freeze <= 0 || c.Duration <= 0 {
		return -1
	}
	return max(c.Duration-c.Freeze, 0)
}

// Shown reports whether the public board is thawed at a moment, and shows all.
func Shown(c *judge.Contest, at time.Time) bool {
	return reached(c.Thawed, at) && (!c.HoldResults || reached(c.Released, at))
}

// Held reports whether contestants may see no results at a moment, and the public
// board none at all.
func Held(c *judge.Contest, at time.Time) bool {
	return (c.HoldResults || c.Feedback == judge.FeedbackNone) && !reached(c.Released, at) && !Shown(c, at)
}

func reached(t, at time.Time) bool { return !t.IsZero() && !at.Before(t) }

// entry is an attempt that counts.
type entry struct {
	submission string
	row        int32
	problem    int
	at         time.Time
	elapsed    time.Duration // contest time
	verdict    judge.Verdict // empty: pending
	frozen     bool          // pending on the frozen side
	score      float64       // points, scaled
	scored     bool          // the problem gave points
	full       float64       // points for all subtasks, scaled; 0: not known
	groups     []Points      // of subtasks, scaled
}

// compare is the order of attempts, also of different contestants.
func (e *entry) compare(o *entry) int {
	return cmp.Or(cmp.Compare(e.elapsed, o.elapsed), e.at.Compare(o.at), cmp.Compare(e.submission, o.submission))
}

// entry is an attempt by the contest's clock; false: it was made before the
// contestant's start or after its end. The instant of the start counts, that of
// the end does not.
func (r *rules) entry(a *judge.Attempt, problem int, p *judge.Contestant) (*entry, bool) {
	c := r.contest
	e := &entry{submission: a.Submission, problem: problem, at: a.At}
	if start, _ := c.Window(p); !start.IsZero() {
		e.elapsed = c.Elapsed(p, a.At)
		if e.elapsed < 0 || (c.Duration > 0 && e.elapsed >= c.Duration+p.Extra) {
			return nil, false
		}
	} else if c.Kind != judge.ContestPractice {
		return nil, false
	}
	e.frozen = r.hidden >= 0 && e.elapsed >= r.hidden
	if a.State != judge.Judged || a.Verdict == judge.JE || a.Verdict == "" {
		return e, true // JE: we failed, which is no result (CCS requirements)
	}
	e.verdict = a.Verdict
	if c.Kind != judge.ContestICPC {
		r.score(e, a)
	}
	return e, true
}

// plainFull is the full score of a problem that gives no points, where the
// contest says nothing: that of the problem package format's scoring problems.
const plainFull = 100

func (r *rules) score(e *entry, a *judge.Attempt) {
	points := r.contest.Problems[e.problem].Points
	if a.Score == nil {
		e.full = plainFull
		if points > 0 {
			e.full = points
		}
		if a.Verdict == judge.AC {
			e.score = e.full
		}
		return
	}
	full, groups := subtasks(a.Groups)
	factor := 1.0
	if points > 0 && full > 0 {
		factor = points / full
	}
	e.score, e.scored, e.full, e.groups = rounded(*a.Score*factor), true, rounded(full*factor), groups
	for i := range e.groups {
		e.groups[i].Score = rounded(e.groups[i].Score * factor)
		e.groups[i].Max = rounded(e.groups[i].Max * factor)
	}
}

// secret is the group whose groups are a problem's subtasks.
const secret = "secret/"

// subtasks are the scored groups just below secret, and the full score, which is
// that of the outermost group that has one; 0 where it is not known.
func subtasks(groups []judge.GroupResult) (full float64, out []Points) {
	sum, outermost := 0.0, math.MaxInt
	for _, g := range groups {
		highest := 0.0
		if g.MaxScore != nil && !math.IsInf(*g.MaxScore, 0) && !math.IsNaN(*g.MaxScore) {
			highest = max(*g.MaxScore, 0)
		}
		name, inside := strings.CutPrefix(g.Group, secret)
		if inside && name != "" && !strings.Contains(name, "/") {
			p := Points{Group: g.Group, Max: highest}
			if g.Score != nil {
				p.Score = *g.Score
			}
			out = append(out, p)
			sum += highest
		}
		if depth := depthOf(g.Group); depth < outermost && depth < 2 && highest > 0 && !isSample(g.Group) {
			full, outermost = highest, depth
		}
	}
	slices.SortFunc(out, func(a, b Points) int { return strings.Compare(a.Group, b.Group) })
	if full == 0 {
		full = sum
	}
	return full, out
}

// depthOf is 0 for data/ itself, 1 for secret.
func depthOf(group string) int {
	if group == "" || group == "." {
		return 0
	}
	return 1 + strings.Count(group, "/")
}

func isSample(group string) bool { return group == "sample" || strings.HasPrefix(group, "sample/") }

// precision is how exactly points are told apart: sums of decimal fractions are
// not exact in binary, and equal scores share a rank.
const precision = 1e6

func rounded(points float64) float64 {
	if math.IsNaN(points) || math.IsInf(points, 0) {
		return 0
	}
	return math.Round(points*precision) / precision
}
