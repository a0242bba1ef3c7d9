package judge

import "time"

// ContestKind is by which rules a contest's board ranks.
type ContestKind string

// The kinds.
const (
	ContestICPC     ContestKind = "icpc"     // solved problems, then penalty time
	ContestIOI      ContestKind = "ioi"      // points, by the best submission or the best of each subtask
	ContestPractice ContestKind = "practice" // solved problems or points, no clock
)

// Contest is a set of problems with contestants, a clock and rules.
type Contest struct {
	Name  string // [a-z0-9][a-z0-9._-]{0,63}
	Title string
	Kind  ContestKind

	Start    time.Time     // zero: not set yet; nothing can be handed in
	Duration time.Duration // 0 for practice without an end
	Pauses   []Pause       // in order, apart from each other; contest time stands still in them
	// Freeze is how long before the end the public board stands still; 0: never.
	Freeze   time.Duration
	Thawed   time.Time // from when on the public board shows all; zero: not yet
	Released time.Time // from when on HoldResults hides nothing; zero: not yet

	Penalty         time.Duration // for each attempt that costs; 20 minutes where silent
	PenaltyVerdicts []Verdict     // that cost; nil: WA TLE MLE OLE RE
	SubtaskBest     bool          // IOI: the sum of the best score of each subtask; else the best submission
	Practice        bool          // what comes after the end is judged, and is not on the board
	PublicBoard     bool          // the public board needs no token
	Open            bool          // whoever hands in for the first time becomes a contestant
	Feedback        Feedback      // instead of the problems' own; empty: theirs
	HoldResults     bool          // contestants see no verdicts until Released
	Languages       []string      // empty: as each problem has it

	MaxSubmissions int // of one contestant for one problem; 0: no limit
	PerMinute      int // submissions of one contestant; 0: no limit

	Problems    []ContestProblem // in order of label
	Contestants []Contestant

	CreatedAt time.Time
	Revision  int64 // counts changes, for If-Match
}

// Pause is a time in which the contest's clock stands still. Until is zero while
// it lasts.
type Pause struct{ From, Until time.Time }

// ContestProblem is a problem in a contest.
type ContestProblem struct {
	Label          string // A, B, …; unique in the contest
	Problem        string
	Color          string   // a name, for balloons; empty: none
	RGB            string   // #rrggbb; empty: none
	Languages      []string // empty: as the contest has it
	MaxSubmissions int      // 0: as the contest has it
	Points         float64  // IOI: what its full score is scaled to; 0: its own
}

// Contestant is a team or a person that takes part. Submissions belong to the
// contestant whose ID is their submitter's team, or where that is none, id.
type Contestant struct {
	ID           string // of the platform, 1 to 255 bytes
	Name         string
	Affiliation  string
	Country      string   // ISO 3166-1 alpha-3; empty: unknown
	Groups       []string // names, for filters
	Hidden       bool     // judged, not on public boards
	Disqualified bool     // shown below all others without a rank; only on the jury's board if Hidden
	Start        time.Time
	Extra        time.Duration // longer than the contest
}

// PenaltyVerdictsOf are those that cost where a contest says nothing. CE and JE
// never do (ICPC World Finals' rules).
func PenaltyVerdictsOf(c *Contest) []Verdict {
	if c.PenaltyVerdicts != nil {
		return c.PenaltyVerdicts
	}
	return []Verdict{WA, TLE, MLE, OLE, RE}
}

// Window is when a contestant may take part, and is zero where it has no start or
// no end. Pauses that are over are in it; one that lasts has no end to count with.
func (c *Contest) Window(p *Contestant) (start, end time.Time) {
	start = c.Start
	if p != nil && !p.Start.IsZero() {
		start = p.Start
	}
	if start.IsZero() || c.Duration == 0 {
		return start, time.Time{}
	}
	left := c.Duration
	if p != nil {
		left += p.Extra
	}
	end = start.Add(left)
	for _, pause := range c.Pauses {
		if pause.Until.IsZero() || !pause.Until.After(start) || !pause.From.Before(end) {
			continue
		}
		from := pause.From
		if from.Before(start) {
			from = start
		}
		end = end.Add(pause.Until.Sub(from))
	}
	return start, end
}

// Elapsed is contest time at a moment: the time since the contestant's start
// without pauses; negative before it.
func (c *Contest) Elapsed(p *Contestant, at time.Time) time.Duration {
	start, _ := c.Window(p)
	if start.IsZero() {
		return 0
	}
	elapsed := at.Sub(start)
	for _, pause := range c.Pauses {
		from, until := pause.From, pause.Until
		if until.IsZero() || until.After(at) {
			until = at
		}
		if from.Before(start) {
			from = start
		}
		if until.After(from) {
			elapsed -= until.Sub(from)
		}
	}
	return elapsed
}

// Attempt is a submission as boards see it.
type Attempt struct {
	Submission string // id; later ones are greater
	Contestant string // its ID
	Problem    string // name
	At         time.Time
	State      State   // Judged, Cancelled, or any other for pending
	Verdict    Verdict // effective: a review's, else the one found
	Score      *float64
	Groups     []GroupResult // of scoring problems, for SubtaskBest
	Ignored    bool          // by a review: as if it had not been made
	JudgedAt   time.Time
}
