package grader

import (
	"context"
	"errors"
	"fmt"

	"judge/judge"
	"judge/runner"
)

// worker runs cases on one slot, in boxes that it keeps from case to case.
type worker struct {
	*judging

	slot runner.Slot
	free func()       // unpins the goroutine
	box  runner.Box   // nil until the first case and after a failure
	jury []runner.Box // one for each custom validator, made when first wanted
}

// newWorker ties the calling goroutine to the slot's core; close must be called
// on the same one.
func newWorker(j *judging, slot runner.Slot) *worker {
	return &worker{judging: j, slot: slot, free: slot.Pin()}
}

// close gives boxes and slot back. Closing again does nothing.
func (w *worker) close() {
	if w.slot == nil {
		return
	}
	for _, b := range w.boxes() {
		b.Release()
	}
	w.free()
	w.slot.Release()
	w.slot = nil
}

// discard destroys the boxes: one of them failed, or was stopped midway.
func (w *worker) discard() {
	for _, b := range w.boxes() {
		b.Discard()
	}
	w.box, w.jury = nil, nil
}

func (w *worker) boxes() []runner.Box {
	var all []runner.Box
	for _, b := range append([]runner.Box{w.box}, w.jury...) {
		if b != nil {
			all = append(all, b)
		}
	}
	return all
}

// judgeCase judges one case. A failure of ours that fresh boxes do not mend is
// a JE, not an error.
func (w *worker) judgeCase(ctx context.Context, c *testCase) (judge.Run, error) {
	run := judge.Run{Ordinal: c.Ordinal, Case: c.Name}
	err := onFreshBoxes(ctx, func() error {
		said := w.newOutput()
		res, r, err := w.attempt(ctx, c, said)
		if err != nil {
			w.discard()
			return err
		}
		run.Verdict, run.Limit, run.Message = r.verdict, r.limit, r.message
		run.ExitCode, run.Signal = res.ExitCode, int(res.Signal)
		run.CPUTime, run.WallTime, run.Memory = res.CPU, res.Wall, res.Memory
		if res.Exec != 0 {
			run.ExitCode = -1 // nothing ran
		}
		run.Output = said
		return nil
	})
	switch {
	case err == nil:
		return run, nil
	case ctx.Err() != nil:
		return judge.Run{}, ctx.Err()
	case errors.Is(err, runner.ErrUnavailable):
		return judge.Run{}, err
	}
	run.Verdict, run.ExitCode = judge.JE, -1
	run.Message = judge.SafeText([]byte(err.Error()), maxMessage)
	return run, nil
}

// attempt makes the run, and fills in what it said where said is not nil.
func (w *worker) attempt(ctx context.Context, c *testCase, said *judge.RunOutput) (runner.Result, ruling, error) {
	var none runner.Result
	if err := w.ready(ctx); err != nil {
		return none, ruling{}, err
	}
	in, err := w.req.Data.Open(c.Input)
	if err != nil {
		return none, ruling{}, fmt.Errorf("open input of %s: %w", c.Name, err)
	}
	defer drop(in)
	out, err := w.newValidation(c, said)
	if err != nil {
		return none, ruling{}, err
	}
	defer drop(out)
	l := w.limits
	stderr := &ends{}
	cmd := &runner.Command{
		Args: w.program.prog.RunArgs(w.memory), Env: w.req.Language.Env,
		Stdin: in, Stdout: out, Stderr: stderr,
		// Beyond the limit, so that a near miss is seen with its true time.
		Limits: runner.Limits{CPU: l.CPU + l.CPU/10, Wall: l.Wall, Memory: l.Memory, Output: l.Output, Processes: l.Processes},
	}
	res, err := w.run(ctx, cmd, said)
	if err != nil {
		return none, ruling{}, fmt.Errorf("run %s: %w", c.Name, err)
	}
	if res.Worn {
		w.box.Release()
		w.box = nil
	}
	r := w.rule(&res, stderr)
	if r.verdict != "" {
		return res, r, nil
	}
	r, err = out.decide(ctx)
	if err != nil {
		return none, ruling{}, fmt.Errorf("validate output of %s: %w", c.Name, err)
	}
	return res, r, nil
}

// run keeps what the program says where said is not nil.
func (w *worker) run(ctx context.Context, cmd *runner.Command, said *judge.RunOutput) (runner.Result, error) {
	if said == nil {
		return w.box.Run(ctx, cmd)
	}
	stdout, stderr := w.tee(cmd.Stdout), w.tee(cmd.Stderr)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	res, err := w.box.Run(ctx, cmd)
	said.Stdout, said.Stderr = stdout.kept, stderr.kept
	said.StdoutSize, said.StderrSize = res.Stdout, res.Stderr
	return res, err
}

// ready sees to it that there is a box with the program in it.
func (w *worker) ready(ctx context.Context) error {
	if w.box != nil {
		return nil
	}
	box, err := w.slot.Box(ctx, w.program.spec(runner.Run, w.Isolation))
	if err != nil {
		return fmt.Errorf("take box: %w", err)
	}
	w.box = box
	if err := w.program.load(ctx, box); err != nil {
		return fmt.Errorf("load program: %w", err)
	}
	return nil
}
