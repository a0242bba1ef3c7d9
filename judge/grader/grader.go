// Package grader is responsible for turning a submission into its judgement:
// compile it, run it on the test cases, validate what it prints while it prints
// it, stop at the first case that decides, and aggregate. It is the only place
// where a runner's result becomes a verdict.
//
// It neither queues nor stores, it does not read problem packages, and it knows
// a sandbox only by its contract.
//
// How a judgement goes: one slot is acquired; in a compile box the sources
// become an executable, which is a tar in the cache; each worker then takes a
// box of the class that runs submissions, loads the executable once, and takes
// case after case in order. While other slots are idle, further workers help.
// What the result says does not depend on how many did.
package grader

import (
	"context"
	"errors"
	"os"

	"judge/judge"
	"judge/runner"
)

// ErrProblem is wrapped by errors about the problem package that its author can
// mend: the submission cannot be judged, and trying again will not help.
var ErrProblem = errors.New("bad problem")

// ErrOptions is wrapped by errors about the options of a request that whoever
// made it can mend.
var ErrOptions = errors.New("bad options")

// Opener opens the files of a problem's test cases. A file that it returns is
// opened for this caller alone, is of mode 0444 and stands at its start. It is
// used by many goroutines.
type Opener interface {
	Open(b judge.Blob) (*os.File, error)
}

// Image is what a language's boxes are made of.
type Image struct {
	Ref     string // what the sandbox calls it
	ID      string // names its contents: part of the compile cache's key
	Version string // what the language's version command prints
}

// Config is what a Grader works with. Sandbox and Image are required.
type Config struct {
	Sandbox runner.Sandbox
	// Image finds the image of a language. An error ends a judgement; it wraps
	// runner.ErrUnavailable where the image is missing.
	Image func(ctx context.Context, lang *judge.Language) (Image, error)
	// JuryLanguage recognises the language of a jury program by its files.
	JuryLanguage func(files []judge.File) (*judge.Language, error)
	Cache        *Cache           // nil: every judgement compiles for itself
	TempDir      string           // for outputs and executables on their way; empty: os.TempDir
	Isolation    runner.Isolation // empty: runner.PerRun
}

// Grader judges submissions. Its methods may be called by many goroutines.
type Grader struct {
	Config
}

// New returns a Grader.
func New(c Config) *Grader { return &Grader{Config: c} }

// Request is one submission to be judged on one problem.
type Request struct {
	ID       string // of the submission or judgement; required under runner.PerSubmission
	Problem  *judge.Problem
	Data     Opener          // of the problem's test cases
	Language *judge.Language // nil for problems whose submissions are outputs
	Files    []judge.File
	Entry    string // name of the file that holds the entry point; empty: it is found
	Options
}

// Options change how far a judgement goes. The zero value is the rule.
type Options struct {
	All      bool     // go on after a case that was not accepted
	Cases    []string // judge only these cases and groups, by name below data/
	MaxSlots int      // at most so many slots at once; 0: whatever is idle
	Outputs  Outputs  // what of the runs' outputs is kept

	Transcripts Transcripts // which interactions are written down
}

// Event tells of the progress of a judgement. Of Compile, Run and Judgement at
// most one is set.
type Event struct {
	State     judge.State        // Compiling, Running or Judged
	Cases     int                // how many cases there are to run
	Compile   *judge.Compilation // compiling has ended
	Run       *judge.Run         // a case was judged, in whichever order they end
	Judgement *judge.Judgement   // the last event
}

// Judge judges a submission. on, if not nil, is told of each step by one
// goroutine at a time, and holds the judgement up while it runs; a run it hears
// of may be missing in the judgement when an earlier case, judged later, decided.
//
// The error wraps judge.ErrSource where the submitter, ErrProblem where the
// problem's author can mend it, ErrOptions where the request asks for what is
// not there, and runner.ErrUnavailable where the sandbox
// cannot work; it is ctx.Err() when ctx is done. Failures that a fresh box did
// not mend are no error but the verdict JE.
func (g *Grader) Judge(ctx context.Context, req Request, on func(Event)) (judge.Judgement, error) {
	if on == nil {
		on = func(Event) {}
	}
	j, err := g.plan(ctx, req, on)
	if err != nil {
		return judge.Judgement{}, err
	}
	out, err := j.judge(ctx)
	if ctx.Err() != nil {
		return judge.Judgement{}, ctx.Err()
	}
	if err != nil {
		return judge.Judgement{}, err
	}
	on(Event{State: judge.Judged, Cases: j.total, Judgement: &out})
	return out, nil
}

func (j *judging) judge(ctx context.Context) (judge.Judgement, error) {
	slot, err := j.Sandbox.Acquire(ctx)
	if err != nil {
		return judge.Judgement{}, err
	}
	w := newWorker(j, slot)
	defer w.close()
	if j.program != nil {
		defer j.program.close()
		if done, err := j.compile(ctx, slot); err != nil {
			return j.failed(err)
		} else if !done {
			return j.compileError(), nil
		}
	}
	for _, exe := range j.programs() {
		defer exe.close()
		if err := j.buildJury(ctx, slot, exe); err != nil {
			return j.failed(err)
		}
	}
	runs, what, err := j.runCases(ctx, w)
	if err != nil {
		return judge.Judgement{}, err
	}
	return j.sum(runs, what), nil
}

// compile is false where the compiler refuses.
func (j *judging) compile(ctx context.Context, slot runner.Slot) (bool, error) {
	if len(j.program.prog.Compile) == 0 {
		return true, nil
	}
	j.on(Event{State: judge.Compiling, Cases: j.total})
	if err := j.build(ctx, slot, j.program); err != nil {
		return false, err
	}
	j.on(Event{State: judge.Running, Cases: j.total, Compile: j.program.compilation})
	return j.program.compilation.OK, nil
}
