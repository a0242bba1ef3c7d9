package grader

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"judge/judge"
	"judge/judge/checker"
	"judge/runner"
)

// custom keeps the output for the package's own validators. It hides that it is
// a file: the program must not get the file itself, or no output limit holds.
type custom struct {
	file *os.File
	w    *worker
	c    *testCase
	said *judge.RunOutput
}

func (v *custom) Write(p []byte) (int, error) { return v.file.Write(p) }

func (v *custom) Close() error { return v.file.Close() }

// Names of a validator's files in its working folder. That of the feedback
// folder ends in a slash where it is an argument, as validators rely on.
const (
	inputName    = "input"
	answerName   = "answer"
	feedbackName = "feedback"
)

const maxFeedback = 1 << 20 // bytes of a feedback file; what is kept of it is less

// teamFile is the file in the feedback folder whose words are for the team.
const teamFile = "teammessage.txt"

// decide asks the validators in their order; all must accept.
func (v *custom) decide(ctx context.Context) (ruling, error) {
	var words []string
	r := ruling{verdict: judge.AC}
	for i := range v.w.validators {
		var err error
		if r, err = v.ask(ctx, i); err != nil {
			return ruling{}, fmt.Errorf("%s: %w", v.w.validators[i].name, err)
		}
		if r.message != "" {
			words = append(words, r.message)
		}
		if r.verdict != judge.AC {
			break
		}
	}
	r.message = judge.SafeText([]byte(strings.Join(words, "\n")), maxMessage)
	return r, nil
}

func (v *custom) ask(ctx context.Context, i int) (ruling, error) {
	w, exe := v.w, v.w.validators[i]
	box, err := w.juryBox(ctx, i)
	if err != nil {
		return ruling{}, err
	}
	if err := v.put(ctx, box); err != nil {
		return ruling{}, err
	}
	output, err := reopen(v.file)
	if err != nil {
		return ruling{}, fmt.Errorf("open output: %w", err)
	}
	defer drop(output)
	limits := w.req.Problem.Validation
	if limits.CPU == 0 {
		limits.CPU = judge.DefaultValidation
	}
	memory := limits.WithDefaults().Memory
	limits = exe.prog.Language.RunLimits(limits)
	stderr := &ends{}
	res, err := box.Run(ctx, &runner.Command{
		Args: slices.Concat(exe.prog.RunArgs(memory), []string{inputName, answerName, feedbackName + "/"}, v.c.flags),
		Env:  exe.prog.Language.Env, Stdin: output, Stderr: stderr, Keep: true,
		Limits: runner.Limits{CPU: limits.CPU, Wall: limits.Wall, Memory: limits.Memory, Output: limits.Output, Processes: limits.Processes},
	})
	if err != nil {
		return ruling{}, err
	}
	words, err := feedback(ctx, box, checker.MessageFile)
	if err != nil {
		return ruling{}, err
	}
	if v.said != nil {
		team, err := feedback(ctx, box, teamFile)
		if err != nil {
			return ruling{}, err
		}
		addText(&v.said.JudgeMessage, words)
		addText(&v.said.TeamMessage, team)
		addText(&v.said.ValidatorStderr, stderr.bytes())
	}
	if res.Worn {
		box.Release()
		w.jury[i] = nil
	} else if err := box.Clear(ctx); err != nil {
		return ruling{}, fmt.Errorf("clear box: %w", err)
	}
	return ruleValidator(exe.name, &res, words, stderr), nil
}

// feedback is what the validator wrote to a file. That it is too long is no reason
// to doubt the verdict.
func feedback(ctx context.Context, box runner.Box, name string) ([]byte, error) {
	words, err := box.Get(ctx, feedbackName+"/"+name, maxFeedback)
	switch {
	case errors.Is(err, runner.ErrTooLarge):
		return fmt.Appendf(nil, "[%s is larger than %d bytes]", name, maxFeedback), nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("get %s: %w", name, err)
	}
	return words, nil
}

// put gives the validator its files, opened for this run alone.
func (v *custom) put(ctx context.Context, box runner.Box) error {
	input, err := v.w.req.Data.Open(v.c.Input)
	if err != nil {
		return fmt.Errorf("open input: %w", err)
	}
	defer drop(input)
	answer, err := v.w.req.Data.Open(v.c.Answer)
	if err != nil {
		return fmt.Errorf("open answer: %w", err)
	}
	defer drop(answer)
	return box.Put(ctx, runner.Work,
		runner.File{Name: inputName, Mode: 0o444, Source: input},
		runner.File{Name: answerName, Mode: 0o444, Source: answer},
		runner.File{Name: feedbackName, Mode: fs.ModeDir | 0o777},
	)
}

// juryBox is the box of validator i with the validator in it.
func (w *worker) juryBox(ctx context.Context, i int) (runner.Box, error) {
	exe := w.validators[i]
	if w.jury == nil {
		w.jury = make([]runner.Box, len(w.validators))
	}
	if w.jury[i] != nil {
		return w.jury[i], nil
	}
	box, err := w.slot.Box(ctx, exe.spec(runner.Jury, w.Isolation))
	if err != nil {
		return nil, fmt.Errorf("take box: %w", err)
	}
	w.jury[i] = box
	if err := exe.load(ctx, box); err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	return box, nil
}

// ruleValidator: 42 accepts, 43 rejects, anything else is the validator's own
// fault and never the submission's.
func ruleValidator(name string, res *runner.Result, words []byte, stderr *ends) ruling {
	said := string(words)
	if res.Exec == 0 && res.Signal == 0 && res.Limit == runner.LimitNone && res.OOMKills == 0 {
		switch res.ExitCode {
		case checker.ExitAccepted:
			return ruling{verdict: judge.AC, message: said}
		case checker.ExitRejected:
			return ruling{verdict: judge.WA, message: said}
		}
	}
	how := howEnded(res)
	switch {
	case res.Exec != 0:
		how = fmt.Sprintf("did not start: %v", res.Exec)
	case res.Limit != runner.LimitNone:
		how += fmt.Sprintf(" at its %s limit", res.Limit)
	case res.OOMKills > 0:
		how += " at its memory limit"
	}
	lines := []string{fmt.Sprintf("validator %s %s", name, how), said, string(stderr.last(maxStderr))}
	lines = slices.DeleteFunc(lines, func(s string) bool { return s == "" })
	return ruling{verdict: judge.JE, message: strings.Join(lines, "\n")}
}
