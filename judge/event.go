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
)

// Event says that something happened to a judgement, not what: its reader looks
// at the judgement.
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
	At           time.Time
}

// EventFilter chooses events; fields that are empty choose all.
type EventFilter struct {
	SubmissionID string
	TokenID      string
	SubmitterID  string
	Problems     []string
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
