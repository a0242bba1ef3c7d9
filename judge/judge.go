// Package judge holds the words of the house as plain types: problems, test
// cases, submissions, judgements, runs, verdicts, limits and languages. They
// follow the ICPC Contest Control System and problem package specifications.
//
// It does no I/O and knows neither JSON nor tables: judge/wire and judge/store
// give these types their shapes outside.
package judge

import "time"

// Verdict is the outcome of a run, of a test group or of a judgement.
type Verdict string

// The verdicts. RE is written RTE where the ICPC specifications speak.
const (
	AC  Verdict = "AC"  // accepted
	WA  Verdict = "WA"  // wrong answer
	TLE Verdict = "TLE" // time limit exceeded, CPU or wall
	MLE Verdict = "MLE" // memory limit exceeded
	OLE Verdict = "OLE" // output limit exceeded
	RE  Verdict = "RE"  // run-time error: a signal or a non-zero exit code
	CE  Verdict = "CE"  // compilation error
	JE  Verdict = "JE"  // judging error: we failed, the submission did not
)

// Valid reports whether v is one of the verdicts above.
func (v Verdict) Valid() bool {
	switch v {
	case AC, WA, TLE, MLE, OLE, RE, CE, JE:
		return true
	}
	return false
}

// Limit names the limit that a run hit; empty when it hit none.
type Limit string

// The limits of a run.
const (
	LimitNone      Limit = ""
	LimitCPU       Limit = "cpu"
	LimitWall      Limit = "wall"
	LimitMemory    Limit = "memory"
	LimitOutput    Limit = "output"
	LimitProcesses Limit = "processes"
)

// Limits bound one run. A zero field means the default of Limits.WithDefaults.
type Limits struct {
	CPU       time.Duration // CPU time of all processes of the run
	Wall      time.Duration // elapsed time
	Memory    int64         // bytes, the language's allowance not included
	Output    int64         // bytes of standard output
	Processes int           // processes and threads at once
}

// Defaults where a problem package is silent (ICPC problem package format, as
// settled in the project's contracts).
const (
	DefaultCPU              = time.Second
	DefaultMemory     int64 = 2048 << 20
	DefaultOutput     int64 = 8 << 20
	DefaultCode       int64 = 128 << 10
	DefaultCompile          = 60 * time.Second
	DefaultValidation       = 60 * time.Second
	DefaultProcesses        = 64
)

// WallFor is the wall-clock limit that goes with a CPU limit where none is
// given: max(2 × cpu, cpu + 1 s).
func WallFor(cpu time.Duration) time.Duration { return max(2*cpu, cpu+time.Second) }

// WithDefaults fills the fields that are zero.
func (l Limits) WithDefaults() Limits {
	if l.CPU == 0 {
		l.CPU = DefaultCPU
	}
	if l.Wall == 0 {
		l.Wall = WallFor(l.CPU)
	}
	if l.Memory == 0 {
		l.Memory = DefaultMemory
	}
	if l.Output == 0 {
		l.Output = DefaultOutput
	}
	if l.Processes == 0 {
		l.Processes = DefaultProcesses
	}
	return l
}

// File is a file of a submission or of a jury program. Name is a slash-
// separated relative path.
type File struct {
	Name string
	Data []byte
}

// State is where a judgement stands.
type State string

// The states of a judgement.
const (
	Queued    State = "queued"
	Compiling State = "compiling"
	Running   State = "running"
	Judged    State = "judged"
	Cancelled State = "cancelled"
)

// Judgement is one judging of a submission. Fields that a caller has no value
// for stay zero; judge/wire writes those as null.
type Judgement struct {
	ID             string
	SubmissionID   string
	State          State
	Attempt        int
	Problem        string
	ProblemVersion string
	VersionID      string // of the ProblemVersion it is judged on; empty where none is kept
	Submitter      string
	Contest        string    // of the submission; empty: none
	HandedIn       time.Time // when the submission was; zero where none is kept
	CreatedAt      time.Time
	JudgedAt       time.Time
	Worker         string

	Source          string // judge run's argument; empty elsewhere
	Language        string
	LanguageVersion string
	ImageID         string
	Verdict         Verdict
	Score           *float64 // nil in pass-fail problems
	Limit           Limit    // the limit that the deciding run hit
	CPUTime         time.Duration
	WallTime        time.Duration
	Memory          int64 // bytes
	Message         string

	Compile *Compilation // nil where nothing was compiled
	Groups  []GroupResult
	Runs    []Run
	Review  *Review // nil until staff say something

	Current     bool   // it is the one that counts for its submission
	RejudgingID string // that it was made for; empty: none
	Shadow      bool   // of a rejudging that is not applied: for staff alone, and counts for nothing
}

// Compilation is what compiling a submission said and cost.
type Compilation struct {
	OK       bool
	Output   string // capped, safe to show
	CPUTime  time.Duration
	WallTime time.Duration
	Memory   int64 // bytes
}

// GroupResult is the outcome of a test group.
type GroupResult struct {
	Group    string
	Verdict  Verdict
	Score    *float64
	MaxScore *float64
}

// Run is the outcome of one test case.
type Run struct {
	Ordinal  int    // position of the case in the problem, from 1
	Case     string // path below data/ without extension
	Verdict  Verdict
	Limit    Limit
	ExitCode int // meaningful where Signal is 0; -1: unknown, nothing ran
	Signal   int // 0: the program exited
	CPUTime  time.Duration
	WallTime time.Duration
	Memory   int64 // bytes, peak of the cgroup, base included
	Score    *float64
	Message  string // for staff: the validator's words or what ended the run

	Output *RunOutput // for staff; nil where it was not asked for or is not kept
}
