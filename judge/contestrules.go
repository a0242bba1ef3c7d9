package judge

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// ContestState is where a contest stands.
type ContestState string

// The states of a contest.
const (
	ContestBefore  ContestState = "before" // also where no start is set
	ContestRunning ContestState = "running"
	ContestPaused  ContestState = "paused"
	ContestEnded   ContestState = "ended"
)

// ContestantID is the ID of the contestant that a submission of this submitter
// belongs to; empty: it names none.
func (s Submitter) ContestantID() string { return cmp.Or(s.Team, s.ID) }

// State is where the contest stands at a moment for a contestant, or for all who
// have nothing of their own where p is nil. The first instant is in it, the last
// one is not.
func (c *Contest) State(p *Contestant, at time.Time) ContestState {
	start, end := c.Window(p)
	if start.IsZero() || at.Before(start) {
		return ContestBefore
	}
	for _, pause := range c.Pauses {
		// While a pause lasts the end moves with it.
		if !at.Before(pause.From) && (pause.Until.IsZero() || at.Before(pause.Until)) && (end.IsZero() || pause.From.Before(end)) {
			return ContestPaused
		}
	}
	if !end.IsZero() && !at.Before(end) {
		return ContestEnded
	}
	return ContestRunning
}

// Begun reports whether a contestant, or where p is nil whoever has no start of
// its own, may see the problems.
func (c *Contest) Begun(p *Contestant, at time.Time) bool {
	start, _ := c.Window(p)
	return !start.IsZero() && !at.Before(start)
}

// Frozen reports whether what a contestant handed in at a moment is behind the
// freeze, so that it is not told to the public before Thawed.
func (c *Contest) Frozen(p *Contestant, handedIn, now time.Time) bool {
	if c.Freeze <= 0 || c.Duration == 0 || !c.Thawed.IsZero() && !now.Before(c.Thawed) {
		return false
	}
	length := c.Duration
	if p != nil {
		length += p.Extra
	}
	return c.Elapsed(p, handedIn) >= length-c.Freeze
}

// Held reports whether contestants are not to see verdicts yet.
func (c *Contest) Held(now time.Time) bool {
	return c.HoldResults && (c.Released.IsZero() || now.Before(c.Released))
}

// Problem finds a problem by its label or its name; nil where there is none.
// Labels go first, and are compared without case where none is equal.
func (c *Contest) Problem(key string) *ContestProblem {
	for _, is := range []func(p *ContestProblem) bool{
		func(p *ContestProblem) bool { return p.Label == key },
		func(p *ContestProblem) bool { return p.Problem == key },
		func(p *ContestProblem) bool { return strings.EqualFold(p.Label, key) },
	} {
		for i := range c.Problems {
			if is(&c.Problems[i]) {
				return &c.Problems[i]
			}
		}
	}
	return nil
}

// LanguagesOf are the languages that may be used for a problem of the contest, of
// those that the problem itself allows; empty: all of them.
func (c *Contest) LanguagesOf(p *ContestProblem) []string {
	if len(p.Languages) > 0 {
		return p.Languages
	}
	return c.Languages
}

// MaxSubmissionsOf is how often one contestant may hand in for a problem; 0: no
// limit.
func (c *Contest) MaxSubmissionsOf(p *ContestProblem) int {
	return cmp.Or(p.MaxSubmissions, c.MaxSubmissions)
}

// SortProblems puts the problems in order of label: A to Z before AA.
func (c *Contest) SortProblems() {
	slices.SortStableFunc(c.Problems, func(a, b ContestProblem) int {
		return cmp.Or(cmp.Compare(len(a.Label), len(b.Label)), cmp.Compare(a.Label, b.Label))
	})
}

// ContestantFilter chooses contestants; fields that are empty choose all.
type ContestantFilter struct {
	IDs         []string
	Group       string
	Affiliation string
	Text        string // a part of id, name or affiliation, in any case
	Hidden      *bool
}

// ContestUse is a contest that a problem is in.
type ContestUse struct {
	Problem string
	Contest string
	Start   time.Time // zero: not set yet
}

// Tries is what a contestant has handed in, for the limits of a contest.
type Tries struct {
	Recent  int       // in the last minute
	Oldest  time.Time // of those; zero: there is none
	Problem int       // for the problem, without those that were cancelled, ignored or are JE
}
