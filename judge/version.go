package judge

import "time"

// VersionState is where a version of a problem stands.
type VersionState string

// The states of a version. Of each problem one version at most is published.
const (
	Draft     VersionState = "draft"
	Verifying VersionState = "verifying"
	Published VersionState = "published"
	Retired   VersionState = "retired"
)

// Feedback is how much of a judgement its submitter is shown.
type Feedback string

// The feedback policies. Samples are always shown in full.
const (
	FeedbackFull        Feedback = "full"
	FeedbackCases       Feedback = "cases" // the default
	FeedbackFirstFailed Feedback = "first_failed"
	FeedbackVerdict     Feedback = "verdict"
	FeedbackNone        Feedback = "none"
)

// Settings are what staff set for a version beside what its package says.
type Settings struct {
	CPU       time.Duration // CPU limit instead of the package's; 0: the package's
	Languages []string      // that may be used; empty: all
	Feedback  Feedback
}

// ProblemVersion is one upload of a problem's package.
type ProblemVersion struct {
	ID        string // UUIDv7
	Problem   string
	Number    int // from 1, in order of upload
	State     VersionState
	Digest    string // of all that judging depends on: Problem.Version
	Manifest  []byte // JSON: the Problem with its test data by content; opaque to who stores it
	Blobs     []string
	Settings  Settings
	CreatedAt time.Time
	CreatedBy string // token id
	// Calibrated is the CPU limit that verification found where the package gives
	// none; 0: none was found.
	Calibrated time.Duration
}

// Apply gives a problem, as its package has it, the limits that judging goes by:
// those that staff set, else those that were calibrated, else the package's.
func (v *ProblemVersion) Apply(p *Problem) {
	switch {
	case v.Settings.CPU > 0:
		p.Limits.CPU, p.Limits.Wall = v.Settings.CPU, 0
	case v.Calibrated > 0 && !p.TimeLimitSet:
		p.Limits.CPU, p.Limits.Wall = v.Calibrated, 0
	}
}

// ProblemInfo is what a list of problems shows.
type ProblemInfo struct {
	Name        string
	Enabled     bool
	CreatedAt   time.Time
	Published   int    // number of the published version; 0: none
	PublishedID string // its id
}

// StoredBlob is test data as it is kept.
type StoredBlob struct {
	SHA256     string // hex, of the uncompressed content
	Size       int64  // bytes, uncompressed
	StoredSize int64  // bytes as kept
	CreatedAt  time.Time
}
