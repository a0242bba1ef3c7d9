package judge

import "time"

// SubmissionFilter chooses submissions; fields that are empty choose all. State
// and Verdict are those of the newest judgement, the verdict as reviewed.
type SubmissionFilter struct {
	Problems    []string
	TokenID     string
	SubmitterID string
	Team        string
	Language    string
	State       State
	Verdict     Verdict
	Contest     string
	Contestant  string    // its ID; only with Contest
	Scope       Scope     // of one of its problems or of one of its contests
	Since       time.Time // created at or after
	Until       time.Time // created before
}

// Listed is a submission, without its files, with its newest judgement, without
// its runs.
type Listed struct {
	Submission Submission
	Judgement  Judgement
}

// Page is a part of a list of submissions. Next is the cursor for what follows;
// empty at its end.
type Page struct {
	Items []Listed
	Next  string
}

// Load is how much there is to do.
type Load struct {
	Ready   int // queued, to be taken at once
	Delayed int // queued, to be taken later
	Running int
}
