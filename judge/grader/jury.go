package grader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"judge/judge"
	"judge/runner"
)

// Names of a jury program's files in its working folder. That of the feedback
// folder ends in a slash where it is an argument, as validators rely on.
const (
	inputName    = "input"
	answerName   = "answer"
	outputName   = "output"
	feedbackName = "feedback"
)

// Files of the feedback folder, beside checker.MessageFile.
const (
	teamFile   = "teammessage.txt"
	scoreFile  = "score.txt"
	factorFile = "score_multiplier.txt"
	nextFile   = "nextpass.in"
)

const (
	maxFeedback = 1 << 20  // bytes of a feedback file; what is kept of it is less
	maxNumber   = 1 << 10  // bytes of a file with a score
	maxWritten  = 64 << 20 // bytes of an interactor's output and of a next pass's input
)

// planJury finds the language of each jury program.
func (j *judging) planJury(ctx context.Context) (err error) {
	p := j.req.Problem
	for _, v := range p.Validator.Programs {
		exe, err := j.juryProgram(ctx, v)
		if err != nil {
			return err
		}
		j.validators = append(j.validators, exe)
	}
	if p.Interactive && len(j.validators) != 1 {
		return fmt.Errorf("%w: %s is interactive and has %d interactors; it needs one output validator", ErrProblem, p.Name, len(j.validators))
	}
	if p.Interactive && p.Validator.Checker != nil {
		if j.checker, err = j.juryProgram(ctx, *p.Validator.Checker); err != nil {
			return err
		}
	}
	if len(j.statics) > 0 {
		if p.StaticValidator == nil {
			return fmt.Errorf("%w: %s: a group asks for static validation, and there is no static_validator/", ErrProblem, p.Name)
		}
		if j.static, err = j.juryProgram(ctx, *p.StaticValidator); err != nil {
			return err
		}
	}
	if j.customGrading {
		if len(p.Graders) != 1 {
			return fmt.Errorf("%w: %s: grading: custom needs one grader in graders/; there are %d", ErrProblem, p.Name, len(p.Graders))
		}
		j.grader, err = j.juryProgram(ctx, p.Graders[0])
	}
	return err
}

func (j *judging) juryProgram(ctx context.Context, v judge.JuryProgram) (*executable, error) {
	fault := func(err error) error { // not the submitter's: must not be judge.ErrSource
		return fmt.Errorf("%w: %s: %s: %v", ErrProblem, j.req.Problem.Name, v.Name, err) //nolint:errorlint // as said
	}
	prog, err := j.newJuryProgram(v)
	if err != nil {
		return nil, fault(err)
	}
	exe, err := j.newExecutable(ctx, jury, path.Join(j.req.Problem.Name, v.Name), prog)
	if err == nil {
		exe.program = v.Name
	}
	return exe, err
}

func (j *judging) newJuryProgram(v judge.JuryProgram) (*judge.Program, error) {
	if hasScripts(v.Files) {
		return newScripts(v.Files)
	}
	if j.JuryLanguage == nil {
		return nil, errors.New("no language for jury programs is set up")
	}
	lang, err := j.JuryLanguage(v.Files)
	if err != nil {
		return nil, err
	}
	entry := ""
	if slices.ContainsFunc(v.Files, func(f judge.File) bool { return f.Name == pythonMain }) {
		entry = pythonMain
	}
	return judge.NewProgram(lang, v.Files, entry)
}

// pythonMain is the entry point of a folder of Python files (2025-09).
const pythonMain = "__main__.py"

// programs are all jury programs of the judgement.
func (j *judging) programs() []*executable {
	all := slices.Concat(j.validators, []*executable{j.checker, j.grader, j.static})
	return slices.DeleteFunc(all, func(e *executable) bool { return e == nil })
}

// juryRun is one run of a jury program.
type juryRun struct {
	args   []string
	stdin  *os.File
	stdout io.Writer // nil: /dev/null
	stderr io.Writer
	handed func()
	// Of its limits, where they are not validation's own.
	limits *judge.Limits
}

// validationLimits are those of one run of a jury program.
func (j *judging) validationLimits() judge.Limits {
	l := j.req.Problem.Validation
	if l.CPU == 0 {
		l.CPU = judge.DefaultValidation
	}
	return l
}

// runJury runs a jury program in its box, whose files are kept.
func (w *worker) runJury(ctx context.Context, box runner.Box, exe *executable, r juryRun) (runner.Result, error) {
	limits := w.validationLimits()
	memory := limits.WithDefaults().Memory
	limits = exe.prog.Language.RunLimits(limits)
	if r.limits != nil {
		limits.Wall = r.limits.Wall
	}
	return box.Run(ctx, &runner.Command{
		Args: slices.Concat(exe.prog.RunArgs(memory), r.args), Env: exe.prog.Language.Env,
		Stdin: r.stdin, Stdout: r.stdout, Stderr: r.stderr, Keep: true, Handed: r.handed,
		Limits: runner.Limits{CPU: limits.CPU, Wall: limits.Wall, Memory: limits.Memory, Output: limits.Output, Processes: limits.Processes},
	})
}

// lay takes the box of a jury program and puts the case's files into it, once for
// all passes of a case; before a further pass the last one's nextpass.in becomes the
// input, for validators as for the submission.
func (t *trial) lay(ctx context.Context, exe *executable, more ...runner.File) (runner.Box, error) {
	box, err := t.juryBox(ctx, exe)
	if err != nil {
		return nil, err
	}
	if t.laid[exe] {
		if err := t.forgetNext(ctx, box); err != nil || t.given == nil {
			return box, err
		}
		return box, box.Put(ctx, runner.Work, runner.File{Name: inputName, Mode: 0o444, Data: t.given})
	}
	input, err := t.req.Data.Open(t.c.Input)
	if err != nil {
		return nil, fmt.Errorf("open input: %w", err)
	}
	defer drop(input)
	answer, err := t.req.Data.Open(t.c.Answer)
	if err != nil {
		return nil, fmt.Errorf("open answer: %w", err)
	}
	defer drop(answer)
	t.laid[exe] = true
	return box, box.Put(ctx, runner.Work, append(more,
		runner.File{Name: inputName, Mode: 0o444, Source: input},
		runner.File{Name: answerName, Mode: 0o444, Source: answer},
		runner.File{Name: feedbackName, Mode: fs.ModeDir | 0o777},
	)...)
}

// forgetNext removes nextpass.in, as what it says goes for one pass. Boxes have no
// verb for it; every image has rm.
func (t *trial) forgetNext(ctx context.Context, box runner.Box) error {
	res, err := box.Run(ctx, &runner.Command{
		Args: []string{"/bin/rm", "-rf", path.Join(feedbackName, nextFile)}, Keep: true,
		Limits: runner.Limits{Wall: judge.DefaultValidation, Memory: judge.DefaultMemory, Processes: judge.DefaultProcesses},
	})
	if err == nil && (res.ExitCode != 0 || res.Signal != 0 || res.Exec != 0) {
		err = fmt.Errorf("exit code %d, signal %d, %w", res.ExitCode, res.Signal, res.Exec)
	}
	if err != nil {
		return fmt.Errorf("remove %s: %w", nextFile, err)
	}
	return nil
}

// get is what a jury program wrote to a file; nil where it wrote none.
func get(ctx context.Context, box runner.Box, name string, most int64) ([]byte, error) {
	text, err := box.Get(ctx, name, most)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("get %s: %w", name, err)
	case text == nil:
		text = []byte{}
	}
	return text, nil
}

// words is a feedback file with a message. That it is too long is no reason to
// doubt the verdict.
func words(ctx context.Context, box runner.Box, name string) ([]byte, error) {
	text, err := get(ctx, box, path.Join(feedbackName, name), maxFeedback)
	if errors.Is(err, runner.ErrTooLarge) {
		return fmt.Appendf(nil, "[%s is larger than %d bytes]", name, maxFeedback), nil
	}
	return text, err
}

// fault is how a jury program ended that did not answer, with its last words.
func fault(name string, res *runner.Result, texts ...string) string {
	how := howEnded(res)
	switch {
	case res.Exec != 0:
		how = fmt.Sprintf("did not start: %v", res.Exec)
	case res.Limit != runner.LimitNone:
		how += fmt.Sprintf(" at its %s limit", res.Limit)
	case res.OOMKills > 0:
		how += " at its memory limit"
	}
	lines := append([]string{name + " " + how}, texts...)
	lines = slices.DeleteFunc(lines, func(s string) bool { return s == "" })
	return strings.Join(lines, "\n")
}

// sound reports whether a run ended by its own exit, under all its limits.
func sound(res *runner.Result) bool {
	return res.Exec == 0 && res.Signal == 0 && res.Limit == runner.LimitNone && res.OOMKills == 0
}
