package leaderboard

import (
	"time"

	"judge/judge"
)

// State is where a contest stands by its clock.
type State string

// The states.
const (
	Before   State = "before"  // not begun, or without a start
	Running  State = "running" // and practice without an end
	Paused   State = "paused"
	Frozen   State = "frozen" // running, and the public board stands still
	Ended    State = "ended"
	Finished State = "final" // ended, and the public board shows all
)

// StateAt is a contest's state at a moment. Finished says nothing of whether all
// is judged: see Board.Settled.
func StateAt(c *judge.Contest, at time.Time) State {
	if c.Start.IsZero() {
		if c.Kind == judge.ContestPractice {
			return Running
		}
		return Before
	}
	elapsed := c.Elapsed(nil, at)
	freeze := freezeStart(c)
	switch {
	case at.Before(c.Start):
		return Before
	case c.Duration > 0 && elapsed >= c.Duration && (freeze < 0 || Shown(c, at)) && !Held(c, at):
		return Finished
	case c.Duration > 0 && elapsed >= c.Duration:
		return Ended
	case inPause(c, at):
		return Paused
	case freeze >= 0 && elapsed >= freeze && !Shown(c, at):
		return Frozen
	}
	return Running
}

func inPause(c *judge.Contest, at time.Time) bool {
	for _, p := range c.Pauses {
		if !at.Before(p.From) && (p.Until.IsZero() || at.Before(p.Until)) {
			return true
		}
	}
	return false
}

// NextChange is the first moment after another at which the clock alone changes
// what StateAt, Shown or Held say; zero: there is none.
func NextChange(c *judge.Contest, after time.Time) time.Time {
	var next time.Time
	consider := func(t time.Time) {
		if t.After(after) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	consider(c.Thawed)
	consider(c.Released)
	for _, p := range c.Pauses {
		consider(p.From)
		consider(p.Until)
	}
	if !c.Start.IsZero() {
		consider(c.Start)
		consider(momentOf(c, c.Duration))
		consider(momentOf(c, freezeStart(c)))
	}
	return next
}

// momentOf is when a contest time of the contest's own clock is reached; zero: at
// no time that is known.
func momentOf(c *judge.Contest, elapsed time.Duration) time.Time {
	if elapsed <= 0 {
		return time.Time{}
	}
	moment := c.Start.Add(elapsed)
	for _, p := range c.Pauses {
		if !moment.After(p.From) || (!p.Until.IsZero() && !p.Until.After(c.Start)) {
			continue
		}
		if p.Until.IsZero() {
			return time.Time{}
		}
		from := p.From
		if from.Before(c.Start) {
			from = c.Start
		}
		moment = moment.Add(p.Until.Sub(from))
	}
	return moment
}

// Settled reports whether nothing is pending on a view.
func (b *Board) Settled(v View) bool {
	side := b.sideOf(v)
	for _, e := range b.entries {
		if e.pending(side) && b.shows(v, e.row) {
			return false
		}
	}
	return true
}

// FreezeAt is the moment at which the public board stands still by the contest's
// own clock, as far as it is known; zero: it does not.
func FreezeAt(c *judge.Contest) time.Time {
	if c.Start.IsZero() {
		return time.Time{}
	}
	if freezeStart(c) == 0 {
		return c.Start
	}
	return momentOf(c, freezeStart(c))
}

// Hides reports whether the public board hides results at a moment: they are held
// back, or it is frozen.
func Hides(c *judge.Contest, at time.Time) bool {
	freeze := FreezeAt(c)
	return Held(c, at) || (!freeze.IsZero() && !at.Before(freeze) && !Shown(c, at))
}

// Stale reports whether what the public may see has changed since the board was
// made, by the clock alone: then it is to be made anew.
func (b *Board) Stale(at time.Time) bool {
	return b.thawed != Shown(&b.contest, at) || b.held != Held(&b.contest, at)
}
