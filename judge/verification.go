package judge

import "time"

// VerificationState is where a verification stands.
type VerificationState string

// The states of a verification.
const (
	VerificationQueued  VerificationState = "queued"
	VerificationRunning VerificationState = "running"
	VerificationDone    VerificationState = "done"   // there is a report
	VerificationFailed  VerificationState = "failed" // we could not verify
)

// Verification is one verifying of a version of a problem by a worker. Of each
// version the newest counts.
type Verification struct {
	ID        string // UUIDv7
	VersionID string
	State     VerificationState
	Attempt   int
	Publish   bool   // the version is published if no error is found
	By        string // token id; empty: the judge itself
	Reason    string
	CreatedAt time.Time
	StartedAt time.Time
	EndedAt   time.Time

	Step        int64 // grows with every change
	Done, Total int   // of the work
	Doing       string
	Findings    []byte // JSON: what reading the package found; opaque to who stores it
	OK          bool   // Done, and nothing is worse than a warning
	Report      []byte // JSON, opaque as Findings; nil until Done
	Fault       string // why it failed
}

// VerificationLease is a worker's right to write one verification.
type VerificationLease struct {
	ID      string
	Attempt int
	Worker  string
}

// VerificationTask is a verification that a worker has taken.
type VerificationTask struct {
	VerificationLease

	VersionID string
	Findings  []byte // as in Verification
}

// Verified is what a worker found.
type Verified struct {
	OK         bool
	Report     []byte        // JSON
	Calibrated time.Duration // CPU limit that was found; 0: the package gives one, or none was found
}
