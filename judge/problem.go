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
}

// TimeCalibrate are the factors by which a time limit is found from the jury's
// submissions (legacy problem package format).
type TimeCalibrate struct {
	Multiplier   float64
	SafetyMargin float64
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
}

// TestGroup is a folder of test cases. Cases and Groups are in order of path;
// Problem.Cases gives the order of judging.
type TestGroup struct {
	Name           string // path below data/; empty for data/ itself
	Cases          []TestCase
	Groups         []TestGroup
	ContinueReject bool     // on_reject: continue
	ValidatorFlags []string // output_validator_flags, inherited
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

// OutputValidator says how a submission's output is judged. With no Programs it
// is the default validator with the flags of the case's group.
type OutputValidator struct {
	Programs []JuryProgram // custom validators: all must accept
	Flags    []string      // validator_flags of problem.yaml, before the group's
}

// Custom reports whether the package brings its own validators.
func (v OutputValidator) Custom() bool { return len(v.Programs) > 0 }

// JuryProgram is a validator or another program of a package: one source file,
// a folder of sources, or a folder with scripts named build and run.
type JuryProgram struct {
	Name  string // path in the package
	Files []File
}

// JurySubmission is a submission that the package brings, with the verdicts
// that it is meant to get.
type JurySubmission struct {
	Name     string // path below submissions/
	Files    []File
	Expected []Verdict // any of these is as expected
}

// MaxCPU is the highest CPU limit that any package may ask for without an
// administrator's consent.
const MaxCPU = 10 * time.Minute
