package judge

import "time"

// EventType names what happened.
type EventType string

// The events.
const (
	SubmissionCreated  EventType = "submission.created"
	JudgementStarted   EventType = "judgement.started"
	RunJudged          EventType = "run.judged"
	JudgementJudged    EventType = "judgement.judged"
	JudgementCancelled EventType = "judgement.cancelled"
	JudgementReviewed  EventType = "judgement.reviewed" // staff said something of it, or something else

	// RejudgingApplied is of a contest, or of a problem where it concerned submissions
	// outside of contests: many judgements of it count from now on in place of others.
	RejudgingApplied EventType = "rejudging.applied"

	ContestUpdated EventType = "contest.updated" // its rules, clock, problems or contestants; of no judgement
)

// Event says that something happened to a judgement or a contest, not what: its
// reader looks at that.
type Event struct {
	Position     string // where to go on from; opaque, but of one database's the later one is the greater text
	Type         EventType
	SubmissionID string
	JudgementID  string
	Attempt      int
	Ordinal      int // of the run; 0: the judgement as a whole
	Problem      string
	TokenID      string
	SubmitterID  string
	Contest      string // of the submission, or that it is about; empty: none
	At           time.Time
}

// EventFilter chooses events; fields that are empty choose all. An event of a
// contest alone passes SubmissionID, SubmitterID and Problems only where they are
// empty, and TokenID where Contest names its contest.
type EventFilter struct {
	SubmissionID string
	TokenID      string
	SubmitterID  string
	Problems     []string
	Contest      string
	Scope        Scope // of one of its problems or of one of its contests
}

// Events are some events in order.
type Events struct {
	Items []Event
	// Next is the position after all that was looked at.
	Next string
	// Pending says that there are events which cannot be given out yet: look again
	// soon, as nobody tells when they can be.
	Pending bool
}
