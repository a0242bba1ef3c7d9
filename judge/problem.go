package judge

import "time"

// Problem is one version of a problem, whichever format it was written in.
type Problem struct {
	Name    string // [a-z0-9][a-z0-9._-]{0,63}
	Version string // hex SHA-256 of all that judging depends on; empty when unknown
	Title   string
	License string
	Source  string
	Author  string

	Limits       Limits        // of each test case's run
	Code         int64         // bytes of all source files together
	Compilation  Limits        // of compiling a submission or a jury program
	Validation   Limits        // of one run of a jury program
	TimeLimitSet bool          // false: the package gives none, Limits.CPU is the default
	Timing       TimeCalibrate // how a limit that is not given is found

	Validator OutputValidator
	Root      TestGroup // data/; its groups are sample and secret
	Include   map[string][]File
	Jury      []JurySubmission

	Format       Format
	Titles       map[string]string // by language tag (BCP 47); nil where Title is all there is
	Scoring      bool              // else pass-fail
	Minimize     bool              // the lowest score is the best (legacy grading.objective)
	Interactive  bool              // Validator's only program is the interactor
	MultiPass    bool              // run again while Validator leaves a nextpass.in
	Passes       int               // at most, of a multi-pass problem; 0: the format's default, 2
	SubmitAnswer bool              // what is handed in are outputs, not a program
	Languages    []string          // that the package allows; empty: all
	FileWriting  bool              // a submission may write files into its working folder

	UUID         string
	Release      string // the authors' own version of the package; says nothing to us
	RightsOwner  string
	Keywords     []string
	Credits      map[string][]string // by role (authors, testers, …), as "Name <email>"; nil: Author is all there is
	EmbargoUntil time.Time           // not to be shown to the public before; zero: no embargo
	Constants    map[string]string   // put in for {{name}} in statements; in programs and settings they already are
	ShowGroups   bool                // legacy show_test_data_groups: contestants see the results of groups
	Examples     []Example           // samples that are shown and not judged, in order of name

	InputValidators []JuryProgram // all must accept each input
	StaticValidator *JuryProgram  // judges the submission's files (2025-09); nil: none
	Graders         []JuryProgram // custom graders (legacy); at most one
	DataChecks      []DataCheck   // what the package says of its own validators
	Visualizers     []JuryProgram // input and output visualizers; kept for export, nothing runs them
}

// Format is the package format that a problem was read from.
type Format string

// The formats.
const (
	FormatLegacy  Format = "legacy"  // ICPC/Kattis, legacy and legacy-icpc
	Format2025    Format = "2025-09" // 2023-07-draft too
	FormatPolygon Format = "polygon"
	FormatDMOJ    Format = "dmoj"
	FormatPlain   Format = "plain"
)

// TimeCalibrate says how a time limit is found from the jury's submissions, alike
// in the legacy format and in 2025-09: the smallest multiple of Resolution that is at
// least Multiplier × the slowest submission of TimingAccepted; and the limit ×
// SafetyMargin is at most what the fastest of TimingTooSlow takes.
type TimeCalibrate struct {
	Multiplier   float64       // at least 1
	SafetyMargin float64       // at least 1
	Resolution   time.Duration // zero: a second
}

// Blob is a file of a package, named by what it holds or where it lies. Only
// who made it can open it.
type Blob struct {
	Ref  string // for the reader's Open; opaque
	Size int64  // bytes
}

// TestCase is one input with the answer that the jury has for it.
type TestCase struct {
	Name   string // path below data/ without extension, as in secret/group1/03
	Sample bool
	Input  Blob
	Answer Blob

	// What follows is of formats that say it case by case; zero means that the
	// case's group decides.
	Args           []string   // of the submission's command line
	ValidatorFlags []string   // instead of the group's; nil: the group's
	InputFlags     []string   // for input validators, instead of the group's; nil: the group's
	InputFlagsFor  FlagsFor   // the same by validator, instead of InputFlags; nil: not by validator
	MaxScore       *float64   // points of this case; nil: by its group's Scoring
	FullFeedback   bool       // shown to submitters as samples are
	Files          []CaseFile // put into the working folder of each run
	Output         *Blob      // of a sample, a valid output to be shown instead of Answer; nil: none
	Hint           string
	Description    string
	Shown          Shown
	Picture        *CaseFile // an illustration for the jury; nil: none
}

// Shown is what contestants see of a sample, or of a case with full feedback, in
// place of its own files. What is nil is not replaced.
type Shown struct {
	Input          *Blob // in the statement
	Answer         *Blob // in the statement; TestCase.Output goes before it
	InputDownload  *Blob // else Input
	AnswerDownload *Blob // else TestCase.Output, then Answer
	Interaction    *Blob // lines that begin with < (what a submission reads) or > (writes), --- between passes; nothing else is shown then
}

// Example is a sample that is shown and not judged.
type Example struct {
	Name string // path below data/ without extension
	Shown
}

// FlagsFor are flags by the base name of a jury program, with or without its
// extension. A program that is not in it has none.
type FlagsFor map[string][]string

// CaseFile is a file that a test case puts beside the submission.
type CaseFile struct {
	Name string // slash-separated, relative
	Blob Blob
}

// TestGroup is a folder of test cases. Cases and Groups are in order of path;
// Problem.Cases gives the order of judging.
type TestGroup struct {
	Name           string // path below data/; empty for data/ itself
	Cases          []TestCase
	Groups         []TestGroup
	ContinueReject bool     // on_reject: continue
	ValidatorFlags []string // output_validator_flags, inherited
	InputFlags     []string // input_validator_flags, inherited
	ValidatorFor   FlagsFor // the same by validator, instead of ValidatorFlags; nil: not by validator
	InputFlagsFor  FlagsFor // the same by validator, instead of InputFlags; nil: not by validator
	Args           []string // of the submission's command line, inherited
	FullFeedback   bool     // shown to submitters as samples are
	RequirePass    []string // names of groups and cases that must be accepted, else this one is not judged

	// At most one of these is set. Grading: legacy, of every group in scoring problems,
	// and in pass-fail ones where testdata.yaml asks for another verdict than the first
	// that is not AC. Scoring: 2025-09 and what is read as it (Polygon, DMOJ), of secret,
	// whose score is the submission's, and of its groups, in scoring problems.
	Grading *Grading
	Scoring *GroupScoring

	Static      bool     // the static validator judges the submission for this group (2025-09)
	StaticFlags []string // static_validator_args
}

// CaseInGroup is a test case with the settings of the groups it lies in.
type CaseInGroup struct {
	TestCase

	Ordinal int // from 1, in order of judging
	Group   *TestGroup
}

// Cases lists all test cases in the order of judging: by path, samples first
// because "sample" sorts before "secret".
func (p *Problem) Cases() []CaseInGroup {
	var all []CaseInGroup
	var walk func(g *TestGroup)
	walk = func(g *TestGroup) {
		i, j := 0, 0
		for i < len(g.Cases) || j < len(g.Groups) {
			if j == len(g.Groups) || (i < len(g.Cases) && g.Cases[i].Name < g.Groups[j].Name) {
				all = append(all, CaseInGroup{TestCase: g.Cases[i], Ordinal: len(all) + 1, Group: g})
				i++
			} else {
				walk(&g.Groups[j])
				j++
			}
		}
	}
	walk(&p.Root)
	return all
}

// Grading says how a group's verdict and score follow from those of its cases
// and groups in order (legacy format). A case that its validator gives no score
// has AcceptScore or RejectScore.
type Grading struct {
	Custom       bool     // the package's grader decides, with Flags
	Flags        []string // grader_flags as they stand
	Verdict      VerdictMode
	Score        ScoreMode
	IgnoreSample bool // of data/ itself: the group sample does not count
	AnyAccepted  bool // accept_if_any_accepted
	AcceptScore  float64
	RejectScore  float64
	Low, High    float64 // range of the score; infinite: no bound
}

// VerdictMode is how the verdicts of a group become one.
type VerdictMode string

// The modes of the legacy default grader; WorstError is the default.
const (
	WorstError   VerdictMode = "worst_error"
	FirstError   VerdictMode = "first_error"
	AlwaysAccept VerdictMode = "always_accept"
)

// ScoreMode is how the scores of a group become one.
type ScoreMode string

// The modes of the legacy default grader; ScoreSum is the default.
const (
	ScoreSum ScoreMode = "sum"
	ScoreAvg ScoreMode = "avg"
	ScoreMin ScoreMode = "min"
	ScoreMax ScoreMode = "max"
)

// GroupScoring says how a group is scored (2025-09).
type GroupScoring struct {
	MaxScore    float64     // of the group; +Inf: unbounded
	Aggregation Aggregation // of its cases' or groups' scores
	StaticScore float64     // static_validation_score, a part of MaxScore
}

// Aggregation is score_aggregation.
type Aggregation string

// The aggregations.
const (
	AggregatePassFail Aggregation = "pass-fail"
	AggregateSum      Aggregation = "sum"
	AggregateMin      Aggregation = "min"
)

// OutputValidator says how a submission's output is judged. With no Programs it
// is the default validator with the flags of the case's group.
type OutputValidator struct {
	Programs []JuryProgram // custom validators: all must accept
	Flags    []string      // validator_flags of problem.yaml, before the group's
	Protocol Protocol      // of Programs
	// Builtin names a comparison other than the default validator's, which the
	// judge brings (DMOJ's checkers; see judge/checker). Empty: the default validator.
	Builtin string
	// Checker judges what an interactor of the testlib protocol wrote to its output
	// file (Polygon); nil: the interactor's verdict is all there is.
	Checker *JuryProgram
}

// Protocol is how a validator is called and what its exit code means.
type Protocol string

// The protocols.
const (
	ProtocolICPC    Protocol = ""        // validator input answer feedback/ flags < output; 42 and 43
	ProtocolTestlib Protocol = "testlib" // checker input output answer; 0 to 8, 16 and up
	ProtocolCOCI    Protocol = "coci"    // DMOJ's bridged checkers
	ProtocolPEG     Protocol = "peg"
)

// Custom reports whether the package brings its own validators.
func (v OutputValidator) Custom() bool { return len(v.Programs) > 0 }

// JuryProgram is a validator or another program of a package: one source file,
// a folder of sources, or a folder with scripts named build and run.
type JuryProgram struct {
	Name  string // path in the package
	Files []File
}

// MaxCPU is the highest CPU limit that any package may ask for without an
// administrator's consent.
const MaxCPU = 10 * time.Minute
