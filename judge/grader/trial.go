package grader

import (
	"context"
	"errors"
	"fmt"
	"os"

	"judge/judge"
	"judge/runner"
)

// trial is one case on its way on one worker. Most have one pass.
type trial struct {
	*worker

	c      *testCase
	said   *judge.RunOutput     // nil: nobody wants it
	pass   int                  // from 1
	laid   map[*executable]bool // whose boxes hold the case's files
	worn   map[*executable]bool
	direct bool   // no transcript
	given  []byte // this pass's input, where a pass before made it
}

func (w *worker) newTrial(c *testCase) *trial {
	return &trial{worker: w, c: c, said: w.newOutput(c), laid: map[*executable]bool{}, worn: map[*executable]bool{}}
}

// verdictOn is what a pass came to. score is of accepted and rejected outputs.
type verdictOn struct {
	ruling

	score float64
	next  *os.File // input of the next pass; nil: there is none
}

// judgeCase judges one case. A failure of ours that fresh boxes do not mend is
// a JE, not an error.
func (w *worker) judgeCase(ctx context.Context, c *testCase) (judge.Run, finding, error) {
	run := judge.Run{Ordinal: c.Ordinal, Case: c.Name}
	var v verdictOn
	err := onFreshBoxes(ctx, func() error {
		t := w.newTrial(c)
		res, got, err := t.judge(ctx)
		if err == nil && t.transcribes() && got.limit == judge.LimitWall {
			// With us in between turns take longer, which must not cost a verdict.
			slow := t.said
			t = w.newTrial(c)
			t.direct = true
			res, got, err = t.judge(ctx)
			t.said.Stdout, t.said.StdoutSize, t.said.Transcript = slow.Stdout, slow.StdoutSize, slow.Transcript
		}
		if err != nil {
			w.discard()
			return err
		}
		v = got
		run.Verdict, run.Limit, run.Message = v.verdict, v.limit, v.message
		run.ExitCode, run.Signal = res.ExitCode, int(res.Signal)
		run.CPUTime, run.WallTime, run.Memory = res.CPU, res.Wall, res.Memory
		if res.Exec != 0 || res.Wall == 0 {
			run.ExitCode = -1 // nothing ran
		}
		run.Output = t.said
		return nil
	})
	switch {
	case err == nil:
		if c.points.kind != noPoints && c.points.kind != passFail && v.verdict != judge.JE {
			run.Score = &v.score
		}
		return run, finding{verdict: v.verdict, limit: v.limit, score: v.score, message: v.message, aside: c.static}, nil
	case ctx.Err() != nil:
		return judge.Run{}, finding{}, ctx.Err()
	case errors.Is(err, runner.ErrUnavailable):
		return judge.Run{}, finding{}, err
	}
	run.Verdict, run.ExitCode = judge.JE, -1
	run.Message = judge.SafeText([]byte(err.Error()), maxMessage)
	return run, finding{verdict: judge.JE, message: run.Message}, nil
}

// judge makes the passes. What they took is the most that one of them took, as
// limits are those of a pass.
func (t *trial) judge(ctx context.Context) (runner.Result, verdictOn, error) {
	var all runner.Result
	switch {
	case t.c.static:
		v, err := t.judgeStatic(ctx)
		return all, v, err
	case t.program == nil:
		v, err := t.judgeAnswer(ctx)
		return all, v, err
	}
	input, err := t.input()
	if err != nil {
		return all, verdictOn{}, err
	}
	for t.pass = 1; ; t.pass++ {
		res, v, err := t.once(ctx, input)
		drop(input)
		if err != nil {
			return all, v, err
		}
		all = most(all, res)
		if v.verdict != judge.AC || v.next == nil {
			return all, v, t.leaveAll(ctx)
		}
		if input = v.next; t.pass == t.passes() {
			drop(input)
			v.verdict, v.message = judge.JE, fmt.Sprintf("%s after pass %d, the last that validation_passes allows", nextFile, t.pass)
			return all, v, t.leaveAll(ctx)
		}
	}
}

// most keeps how the last pass ended.
func most(a, b runner.Result) runner.Result {
	b.CPU, b.Wall, b.Memory = max(a.CPU, b.CPU), max(a.Wall, b.Wall), max(a.Memory, b.Memory)
	return b
}

const defaultPasses = 2 // validation_passes of 2025-09

func (t *trial) passes() int {
	if n := t.req.Problem.Passes; n > 0 {
		return n
	}
	return defaultPasses
}

func (t *trial) input() (*os.File, error) {
	if t.req.Problem.Interactive {
		return nil, nil //nolint:nilnil // an interactor says what there is to read
	}
	in, err := t.req.Data.Open(t.c.Input)
	if err != nil {
		return nil, fmt.Errorf("open input of %s: %w", t.c.Name, err)
	}
	return in, nil
}

// once makes one pass.
func (t *trial) once(ctx context.Context, input *os.File) (runner.Result, verdictOn, error) {
	if err := t.prepare(ctx); err != nil {
		return runner.Result{}, verdictOn{}, err
	}
	if t.req.Problem.Interactive {
		return t.interact(ctx)
	}
	return t.attempt(ctx, input)
}

// prepare makes the submission's box ready and puts the case's files beside it.
func (t *trial) prepare(ctx context.Context) error {
	if err := t.ready(ctx); err != nil {
		return err
	}
	for _, f := range t.c.Files {
		src, err := t.req.Data.Open(f.Blob)
		if err != nil {
			return fmt.Errorf("open file %s of %s: %w", f.Name, t.c.Name, err)
		}
		err = t.box.Put(ctx, runner.Work, runner.File{Name: f.Name, Mode: 0o644, Source: src})
		drop(src)
		if err != nil {
			return fmt.Errorf("put file %s of %s: %w", f.Name, t.c.Name, err)
		}
	}
	return nil
}

// command is a run of the submission, without its streams.
func (t *trial) command() *runner.Command {
	l := t.limits
	cmd := &runner.Command{
		Args: append(t.program.prog.RunArgs(t.memory), t.c.CommandArgs()...), Env: t.req.Language.Env,
		// Beyond the limit, so that a near miss is seen with its true time.
		Limits: runner.Limits{CPU: l.CPU + l.CPU/10, Wall: l.Wall, Memory: l.Memory, Output: l.Output, Processes: l.Processes},
	}
	// 2025-09 forbids to write into the working folder unless it is said otherwise.
	if p := t.req.Problem; p.Format == judge.Format2025 && !p.FileWriting && len(t.c.Files) == 0 {
		cmd.Dir = runner.Program
	}
	return cmd
}

// attempt makes a run whose output is validated as it comes or afterwards.
func (t *trial) attempt(ctx context.Context, input *os.File) (runner.Result, verdictOn, error) {
	var none runner.Result
	out, err := t.newValidation()
	if err != nil {
		return none, verdictOn{}, err
	}
	defer drop(out)
	stderr := &ends{}
	cmd := t.command()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, out, stderr
	res, err := t.run(ctx, cmd)
	if err != nil {
		return none, verdictOn{}, fmt.Errorf("run %s: %w", t.c.Name, err)
	}
	t.aged(&res)
	if r := t.rule(&res, stderr); r.verdict != "" {
		return res, t.ruled(r), nil
	}
	v, err := out.decide(ctx)
	if err != nil {
		return none, verdictOn{}, fmt.Errorf("validate output of %s: %w", t.c.Name, err)
	}
	return res, v, nil
}

// ruled is a verdict that needs no validator.
func (t *trial) ruled(r ruling) verdictOn {
	v := verdictOn{ruling: r}
	if t.c.points.kind == byGrading {
		v.score = t.c.points.reject
	}
	return v
}

// aged gives a worn box back.
func (t *trial) aged(res *runner.Result) {
	if res.Worn {
		t.box.Release()
		t.box = nil
	}
}

// run keeps what the program says where it is wanted: of the last pass.
func (t *trial) run(ctx context.Context, cmd *runner.Command) (runner.Result, error) {
	said := t.said
	if said == nil {
		return t.box.Run(ctx, cmd)
	}
	stdout, stderr := t.tee(cmd.Stdout), t.tee(cmd.Stderr)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	res, err := t.box.Run(ctx, cmd)
	said.Stdout, said.Stderr = stdout.kept, stderr.kept
	said.StdoutSize, said.StderrSize = res.Stdout, res.Stderr
	return res, err
}

// leaveAll empties the jury boxes that this case has used.
func (t *trial) leaveAll(ctx context.Context) error {
	for exe := range t.laid {
		if t.jury[exe] == nil {
			continue
		}
		if err := t.leave(ctx, exe, t.worn[exe]); err != nil {
			return err
		}
	}
	return nil
}
