package grader

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"

	"judge/judge"
	"judge/runner"
)

// ValidateInputsRequest asks one input validator about inputs.
type ValidateInputsRequest struct {
	ID      string // of whatever this is done for; required under runner.PerSubmission
	Problem *judge.Problem
	Data    Opener
	Program judge.JuryProgram // one of Problem.InputValidators
	Inputs  []Input
}

// Input is one input to be validated.
type Input struct {
	Blob  judge.Blob
	Flags []string         // of the validator
	Files []judge.CaseFile // put beside the validator
}

// ValidateOutputsRequest asks a problem's output validator, its own or one of
// ours, about outputs.
type ValidateOutputsRequest struct {
	ID      string // as above
	Problem *judge.Problem
	Data    Opener
	Outputs []Output
}

// Output is one output to be validated.
type Output struct {
	Case   judge.CaseInGroup
	Output judge.Blob
}

// ErrNotRun is wrapped where a validator is in a language that is not run here.
var ErrNotRun = errors.New("not run")

// ValidateInputs runs an input validator over inputs, on as many slots as are
// idle. on is told of each by one goroutine at a time, in any order. What is wrong
// with the program is in the Validation, but for ErrProblem where it does not
// compile, and ErrNotRun where it is a VIVA file.
func (g *Grader) ValidateInputs(ctx context.Context, req ValidateInputsRequest, on func(i int, v judge.Validation)) error {
	j := &judging{Grader: g, on: func(Event) {}, req: Request{ID: req.ID, Problem: req.Problem, Data: req.Data}}
	if err := unsupported(req.Program); err != nil {
		return err
	}
	exe, err := j.juryProgram(ctx, req.Program)
	if err != nil {
		return err
	}
	return j.sideBySide(ctx, []*executable{exe}, len(req.Inputs), func(ctx context.Context, w *worker, i int) (judge.Validation, error) {
		return w.validateInput(ctx, exe, &req.Inputs[i])
	}, on)
}

// unsupported names the formats of input validators that are not programs and
// that nothing here reads.
func unsupported(p judge.JuryProgram) error {
	switch ext := path.Ext(p.Name); ext {
	case ".viva", ".ctd":
		return fmt.Errorf("%w: %s: there is nothing here that runs %s files", ErrNotRun, p.Name, strings.TrimPrefix(ext, "."))
	}
	return nil
}

func (w *worker) validateInput(ctx context.Context, exe *executable, in *Input) (judge.Validation, error) {
	box, err := w.juryBox(ctx, exe)
	if err != nil {
		return judge.Validation{}, err
	}
	for _, f := range in.Files {
		src, err := w.req.Data.Open(f.Blob)
		if err != nil {
			return judge.Validation{}, fmt.Errorf("open file %s: %w", f.Name, err)
		}
		err = box.Put(ctx, runner.Work, runner.File{Name: f.Name, Mode: 0o444, Source: src})
		drop(src)
		if err != nil {
			return judge.Validation{}, fmt.Errorf("put file %s: %w", f.Name, err)
		}
	}
	input, err := w.req.Data.Open(in.Blob)
	if err != nil {
		return judge.Validation{}, fmt.Errorf("open input: %w", err)
	}
	defer drop(input)
	stdout, stderr := &head{max: maxStderr}, &ends{}
	res, err := w.runJury(ctx, box, exe, juryRun{args: in.Flags, stdin: input, stdout: stdout, stderr: stderr})
	if err != nil {
		return judge.Validation{}, err
	}
	if err := w.leave(ctx, exe, res.Worn); err != nil {
		return judge.Validation{}, err
	}
	said := judge.SafeText(joinLines([][]byte{stdout.bytes(), stderr.last(maxStderr)}), maxMessage)
	v := judge.Validation{Message: said, Line: lineIn(said)}
	wants := 42
	if w.req.Problem.Format == judge.FormatPolygon {
		wants = 0
	}
	switch {
	case !sound(&res):
		v.Fault = fault("input validator "+exe.name, &res)
	case res.ExitCode == wants:
		v.Accepted = true
	}
	return v, nil
}

// ValidateOutputs judges outputs that nothing has to be run for, on as many slots
// as are idle. on is told of each by one goroutine at a time, in any order.
// ErrProblem where a validator does not compile, and where the problem is
// interactive: its outputs are conversations.
func (g *Grader) ValidateOutputs(ctx context.Context, req ValidateOutputsRequest, on func(i int, v judge.Validation)) error {
	if req.Problem.Interactive {
		return fmt.Errorf("%w: %s is interactive: no output can be validated by itself", ErrProblem, req.Problem.Name)
	}
	j := &judging{Grader: g, on: func(Event) {}, req: Request{ID: req.ID, Problem: req.Problem, Data: req.Data}}
	for _, v := range req.Problem.Validator.Programs {
		exe, err := j.juryProgram(ctx, v)
		if err != nil {
			return err
		}
		j.validators = append(j.validators, exe)
	}
	parsed := map[string]compare{}
	cases := make([]testCase, len(req.Outputs))
	for i, o := range req.Outputs {
		cases[i].CaseInGroup = o.Case
		if cases[i].Group == nil {
			cases[i].Group = &judge.TestGroup{}
		}
		if err := j.comparison(&cases[i], parsed); err != nil {
			return err
		}
	}
	return j.sideBySide(ctx, j.validators, len(cases), func(ctx context.Context, w *worker, i int) (judge.Validation, error) {
		return w.validateOutput(ctx, &cases[i], req.Outputs[i].Output)
	}, on)
}

func (w *worker) validateOutput(ctx context.Context, c *testCase, b judge.Blob) (judge.Validation, error) {
	t := w.newTrial(c)
	t.pass = 1
	out, err := t.newValidation()
	if err != nil {
		return judge.Validation{}, err
	}
	defer drop(out)
	f, err := w.req.Data.Open(b)
	if err != nil {
		return judge.Validation{}, fmt.Errorf("open output: %w", err)
	}
	defer drop(f)
	if err := copyTo(out, f); err != nil {
		return judge.Validation{}, fmt.Errorf("read output: %w", err)
	}
	v, err := out.decide(ctx)
	if err != nil {
		return judge.Validation{}, err
	}
	if v.next != nil {
		drop(v.next)
	}
	if err := t.leaveAll(ctx); err != nil {
		return judge.Validation{}, err
	}
	said := judge.Validation{Accepted: v.verdict == judge.AC, Message: v.message}
	if v.verdict == judge.JE {
		said.Fault = v.message
	}
	return said, nil
}

// sideBySide compiles jury programs and does n things on one slot and on those
// that are idle beside it.
func (j *judging) sideBySide(ctx context.Context, programs []*executable, n int, one func(context.Context, *worker, int) (judge.Validation, error), on func(int, judge.Validation)) error {
	slot, err := j.Sandbox.Acquire(ctx)
	if err != nil {
		return err
	}
	first := newWorker(j, slot)
	defer first.close()
	for _, exe := range programs {
		defer exe.close()
		if err := j.buildJury(ctx, slot, exe); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b := &bench{ctx: ctx, cancel: cancel, n: n, one: one, on: on}
	for range n - 1 {
		slot, ok := j.Sandbox.TryAcquire()
		if !ok {
			break
		}
		b.wg.Go(func() {
			w := newWorker(j, slot)
			defer w.close()
			b.work(w)
		})
	}
	b.work(first)
	b.wg.Wait()
	return b.err
}

// bench is where workers take numbered things from.
type bench struct {
	ctx    context.Context //nolint:containedctx // lives as long as one call
	cancel context.CancelFunc
	n      int
	one    func(context.Context, *worker, int) (judge.Validation, error)
	on     func(int, judge.Validation)
	wg     sync.WaitGroup

	mu   sync.Mutex
	next int
	err  error
}

func (b *bench) work(w *worker) {
	for {
		b.mu.Lock()
		i := b.next
		if i >= b.n || b.err != nil {
			b.mu.Unlock()
			return
		}
		b.next++
		b.mu.Unlock()
		var v judge.Validation
		err := onFreshBoxes(b.ctx, func() (err error) {
			if v, err = b.one(b.ctx, w, i); err != nil {
				w.discard()
			}
			return err
		})
		b.mu.Lock()
		if err == nil {
			b.on(i, v)
		} else if b.err == nil {
			b.err = err
			b.cancel()
		}
		b.mu.Unlock()
	}
}
