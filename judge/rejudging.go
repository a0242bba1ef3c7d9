package judge

import (
	"fmt"
	"strings"
	"time"
)

// MaxRejudging is how many submissions one rejudging may judge at most.
const MaxRejudging = 50_000

// RejudgingTime is how long a rejudging waits to be applied.
const RejudgingTime = 7 * 24 * time.Hour

// Rejudging is many submissions judged once more. Until it is applied, its
// judgements are seen by staff alone and count for nothing.
type Rejudging struct {
	ID     string
	By     string // token id
	ByName string // of the token
	Reason string
	Query  RejudgingQuery
	// Same: judged on the versions that the old judgements were made on; else on
	// what is published when it is made.
	Same  bool
	Auto  bool // applied by itself when all is judged and nothing is in the way
	State RejudgingState

	Concerns []RejudgingConcern // sorted, each once
	Counts   RejudgingCounts
	Trouble  string // why it was not applied by itself; empty: it need not, or is not yet to be

	CreatedAt time.Time
	ExpiresAt time.Time // when it is cancelled by itself
	EndedAt   time.Time // applied, cancelled or expired; zero: not yet
	EndedBy   string    // token id; empty: the judge itself
	EndReason string
}

// RejudgingState is where a rejudging stands.
type RejudgingState string

// The states of a rejudging.
const (
	RejudgeJudging   RejudgingState = "judging"
	RejudgeReady     RejudgingState = "ready" // all of its judgements have ended
	RejudgeApplied   RejudgingState = "applied"
	RejudgeCancelled RejudgingState = "cancelled"
	RejudgeExpired   RejudgingState = "expired"
)

// Ended reports whether nothing can happen to it any more.
func (s RejudgingState) Ended() bool {
	return s == RejudgeApplied || s == RejudgeCancelled || s == RejudgeExpired
}

// RejudgingQuery chooses submissions by what they are and by the judgement that
// counts: all conditions hold together, of a list one. Fields that are empty
// choose all.
type RejudgingQuery struct {
	Submissions []string // ids
	Problems    []string
	Contests    []string
	Languages   []string
	Workers     []string  // ids of who judged it
	Verdicts    []Verdict // as reviewed
	Submitter   string    // id of the person
	Since       time.Time // handed in at or after
	Until       time.Time // handed in before
}

// Empty reports whether it would choose all that there is.
func (q *RejudgingQuery) Empty() bool {
	return len(q.Submissions)+len(q.Problems)+len(q.Contests)+len(q.Languages)+len(q.Workers)+len(q.Verdicts) == 0 &&
		q.Submitter == "" && q.Since.IsZero() && q.Until.IsZero()
}

// RejudgingRequest is a rejudging that is to be made.
type RejudgingRequest struct {
	By     string // token id
	Reason string
	Query  RejudgingQuery
	Within Scope // what may be chosen; empty: all
	Same   bool
	Auto   bool
}

// RejudgingChoice is what a query chooses.
type RejudgingChoice struct {
	Submissions int
	// Skipped are those that it would choose too, but whose judgement has not ended.
	Skipped  int
	Concerns []RejudgingConcern
	// Unpublished are problems among them that have no version to judge on, but by Same.
	Unpublished []string
}

// RejudgingConcern is a problem, in a contest or outside of any, of which there
// are submissions in a rejudging.
type RejudgingConcern struct {
	Problem string
	Contest string // empty: outside of contests
}

// RejudgingCounts says how far a rejudging is, in submissions.
type RejudgingCounts struct {
	Total     int
	Queued    int
	Running   int
	Judged    int // with any verdict
	Failed    int // of Judged: JE
	Cancelled int // one by one; those of a rejudging that was cancelled too
	Skipped   int // left out, as their judgement had not ended when it was made

	Changed   int // of Judged: verdict or score would be another
	Reviewed  int // of Total: staff said something of the old judgement, which would not count any more
	Conflicts int // of Total: another judgement counts now than when it was made
	Applied   int
}

// Left is how many judgements have not ended.
func (c *RejudgingCounts) Left() int { return c.Queued + c.Running }

// Blocked is how many keep it from being applied, but by force.
func (c *RejudgingCounts) Blocked() int { return c.Left() + c.Failed + c.Cancelled + c.Conflicts }

// Obstacles says what Blocked counts, in words.
func (c *RejudgingCounts) Obstacles() string {
	var all []string
	for _, o := range []struct {
		n    int
		text string
	}{
		{c.Left(), "not judged yet"}, {c.Failed, "ended as JE, which is our fault"}, {c.Cancelled, "cancelled"}, {c.Conflicts, "judged otherwise meanwhile"},
	} {
		if o.n > 0 {
			all = append(all, fmt.Sprintf("%d %s", o.n, o.text))
		}
	}
	return fmt.Sprintf("of %d submissions %s", c.Total, strings.Join(all, ", "))
}

// VerdictPair counts submissions that would go, or went, from one verdict to
// another one, both as reviewed.
type VerdictPair struct {
	Old, New Verdict
	Count    int
}

// RejudgingChange is what a rejudging does to one submission.
type RejudgingChange struct {
	Submission Submission // without files
	Old        Judgement  // that counted when it was made; without runs
	New        Judgement  // without runs
	Differs    bool       // verdict or score are not the same; false until New is judged
	Conflict   bool       // another judgement counts now, and New was not applied
	Applied    bool
}
