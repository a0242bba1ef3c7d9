package grader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"judge/judge"
	"judge/runner"
)

const (
	maxCompilerText = 64 << 10  // bytes of a compiler's output that are kept
	maxExecutable   = 256 << 20 // bytes of all files that compiling leaves
	retries         = 2         // fresh boxes that a failure of ours is tried again on
)

// build fills in what compiling e leaves, from the cache where it can. Of the
// errors, the sandbox's own have been tried on fresh boxes.
func (g *Grader) build(ctx context.Context, slot runner.Slot, e *executable) error {
	if len(e.prog.Compile) == 0 {
		return nil
	}
	compile := func(tar *os.File) (outcome, error) { return g.compileOnce(ctx, slot, e, tar) }
	var (
		o   outcome
		tar *os.File
		err error
	)
	if g.Cache != nil {
		o, tar, err = g.Cache.get(ctx, e.key, compile)
	} else if tar, err = tempFile(g.TempDir); err == nil {
		o, err = compile(tar)
	}
	if err == nil && o.OK {
		e.compilation, e.tar = &o.Compilation, tar
		return nil
	}
	if tar != nil {
		drop(tar)
	}
	if err == nil {
		e.compilation = &o.Compilation
	}
	return err
}

func (g *Grader) buildJury(ctx context.Context, slot runner.Slot, v *executable) error {
	if err := g.build(ctx, slot, v); err != nil {
		return err
	}
	if c := v.compilation; c != nil && !c.OK {
		return fmt.Errorf("%w: %s does not compile: %s", ErrProblem, v.name, c.Output)
	}
	return nil
}

// outcome is what compiling came to. Keep is false where doing it again may
// come to something else.
type outcome struct {
	judge.Compilation

	Keep bool
}

func (g *Grader) compileOnce(ctx context.Context, slot runner.Slot, e *executable, tar *os.File) (outcome, error) {
	var o outcome
	err := onFreshBoxes(ctx, func() error {
		box, err := slot.Box(ctx, e.spec(runner.Compile, g.Isolation))
		if err != nil {
			return fmt.Errorf("take compile box: %w", err)
		}
		if o, err = compileIn(ctx, box, e, tar); err == nil {
			box.Release()
			return nil
		}
		box.Discard()
		if errors.Is(err, runner.ErrTooLarge) {
			o.OK, o.Keep = false, false
			o.Output = fmt.Sprintf("the compiled program is larger than %d MiB\n", maxExecutable>>20)
			return nil
		}
		return err
	})
	if err != nil {
		return outcome{}, boxFailure{err}
	}
	return o, nil
}

// boxFailure is a failure of the sandbox that fresh boxes did not mend.
type boxFailure struct{ error }

func (f boxFailure) Unwrap() error { return f.error }

func compileIn(ctx context.Context, box runner.Box, e *executable, tar *os.File) (outcome, error) {
	if err := restart(tar); err != nil {
		return outcome{}, fmt.Errorf("empty executable: %w", err)
	}
	if err := box.Put(ctx, runner.Work, e.files()...); err != nil {
		return outcome{}, fmt.Errorf("put sources: %w", err)
	}
	text := &head{max: maxCompilerText}
	l := e.limits
	res, err := box.Run(ctx, &runner.Command{
		Args: e.prog.Compile, Env: e.prog.Language.Env, Stdout: text, Stderr: text, Keep: true,
		Limits: runner.Limits{CPU: l.CPU, Wall: l.Wall, Memory: l.Memory, Output: l.Output, Processes: l.Processes},
	})
	if err != nil {
		return outcome{}, fmt.Errorf("run compiler: %w", err)
	}
	if res.Exec != 0 {
		return outcome{}, fmt.Errorf("start compiler %s: %w", e.prog.Compile[0], res.Exec)
	}
	o := outcome{Compilation: judge.Compilation{CPUTime: res.CPU, WallTime: res.Wall, Memory: res.Memory}}
	var note string
	o.OK, o.Keep, note = compileOutcome(&res, l)
	o.Output = judge.SafeText(append([]byte(note), contestantText(string(text.bytes()))...), maxCompilerText)
	if o.OK {
		if err := box.Pack(ctx, e.prog.Language.Keep, maxExecutable, tar); err != nil {
			return o, fmt.Errorf("pack executable: %w", err)
		}
	}
	return o, nil
}

// restart empties the file for another attempt.
func restart(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.Seek(0, io.SeekStart)
	return err
}

// onFreshBoxes tries f, which takes a box of its own, again when the sandbox
// fails in a way that another box may not.
func onFreshBoxes(ctx context.Context, f func() error) error {
	for try := 0; ; try++ {
		err := f()
		if err == nil || try == retries || ctx.Err() != nil || errors.Is(err, runner.ErrUnavailable) {
			return err
		}
	}
}
