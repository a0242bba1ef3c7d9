package judge

// JurySubmission is a submission that the package brings, with what it is meant
// to get.
type JurySubmission struct {
	Name     string // path below submissions/
	Files    []File
	Expected []Verdict // any of these is as expected; empty: anything is

	Language string     // id; empty: it is found by the files
	Entry    string     // name of the file with the entry point; empty: it is found
	Model    bool       // model_solution
	Timing   TimingRole // what its runs on all of data/ say about the time limit
	Score    *Range     // of the judgement; nil: any
	// Expectations are of single cases, groups or all of data/ (submissions.yaml).
	Expectations []Expectation
}

// TimingRole is what a jury submission says about the time limit.
type TimingRole string

// The roles.
const (
	TimingNone     TimingRole = ""
	TimingAccepted TimingRole = "accepted" // it must be fast enough: the limit is above it
	TimingTooSlow  TimingRole = "too_slow" // it must be too slow: the limit is below it
)

// Expectation is what submissions.yaml says of the runs that it chooses.
type Expectation struct {
	Cases     string     // pattern of the paths below data/ of cases or groups; empty: all of data/
	Permitted []Verdict  // each run has one of these; empty: any
	Required  []Verdict  // at least one run has one of these; empty: none is asked for
	Score     *Range     // of the group or case; nil: any
	Message   string     // a part of at least one run's message, upper and lower case told apart; empty: any
	Timing    TimingRole // what the runs on these cases say about the time limit
}

// Range is a range of numbers, both ends included.
type Range struct{ Low, High float64 }

// DataCheckKind is what a DataCheck is about.
type DataCheckKind string

// The kinds, by the folders below data/ that hold them (2025-09).
const (
	InvalidInput  DataCheckKind = "invalid_input"  // an input validator must reject Input
	InvalidOutput DataCheckKind = "invalid_output" // the output validator must reject Output
	ValidOutput   DataCheckKind = "valid_output"   // the output validator must accept Output
)

// DataCheck is an example by which a package shows what its validators are to
// accept and to reject.
type DataCheck struct {
	Kind   DataCheckKind
	Name   string // path below data/ without extension
	Input  Blob
	Answer Blob
	Output Blob
	// Flags of the output validator; in InvalidInput of the input validators.
	Flags         []string
	InputFlags    []string   // of the input validators, which must accept Input but for InvalidInput
	InputFlagsFor FlagsFor   // the same by validator; nil: not by validator
	Args          []string   // input validators have them after their flags
	Files         []CaseFile // beside the input validators
}

// Validation is what a jury program said of one file.
type Validation struct {
	Accepted bool
	// Fault says why there is no answer: another exit code than the protocol's, a
	// limit, a crash, a program that does not compile. Empty: there is one.
	Fault   string
	Message string // for staff, safe to show
	Line    int    // of the file, where the program named one; 0: unknown
}
