package judge

import "time"

// Priority is the class of a judgement: a lower class is judged before any
// higher one.
type Priority int

// The classes.
const (
	PriorityContest Priority = iota
	PriorityPractice
	PriorityRejudge
)

// Submitter is the person that a token submits for, in the words of the
// platform behind the token. An empty ID stands for the token itself.
type Submitter struct {
	ID   string
	Name string
	Team string
}

// Submission is what was handed in. It never changes; each judging of it is a
// Judgement.
type Submission struct {
	ID        string // UUIDv7
	Problem   string
	VersionID string // of the ProblemVersion that it was handed in for
	Language  string
	Entry     string // name of the file with the entry point; empty: it is found
	Submitter Submitter
	TokenID   string
	Priority  Priority
	Contest   string // name; empty: none
	CreatedAt time.Time
	Files     []File // nil in lists
}

// Lease is a worker's right to write one judgement: it ends when the judgement
// is handed to another attempt, cancelled or judged.
type Lease struct {
	JudgementID string
	Attempt     int
	Worker      string
}

// Task is a judgement that a worker has taken.
type Task struct {
	Lease

	VersionID  string // of the problem, to judge on
	Submission Submission

	// Inspect is the one case to run, with its full output: an Inspection, which
	// goes the way of a judgement but changes nothing of its submission. Empty: the
	// whole submission is to be judged.
	Inspect string
}

// Review is what staff say of a judgement beside what judging found.
type Review struct {
	Verdict  Verdict // that counts instead; empty: the one found
	Score    *float64
	Verified bool
	Ignored  bool
	By       string // token id
	Reason   string
	At       time.Time
}

// Place is where a queued judgement stands. Both are estimates: what comes
// later may go first.
type Place struct {
	Ahead int           // judgements that are likely to go first
	Wait  time.Duration // until it begins; 0 while nothing is known of the pace
}
