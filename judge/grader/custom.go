package grader

import (
	"context"
	"fmt"
	"os"

	"judge/judge"
	"judge/runner"
)

// custom keeps the output for the package's own validators. It hides that it is
// a file: the program must not get the file itself, or no output limit holds.
type custom struct {
	file *os.File
	t    *trial
}

func (v *custom) Write(p []byte) (int, error) { return v.file.Write(p) }

func (v *custom) Close() error { return v.file.Close() }

// decide asks the validators in their order; all must accept.
func (v *custom) decide(ctx context.Context) (verdictOn, error) {
	var all heard
	var said [][]byte
	var first runner.Box
	for i, exe := range v.t.validators {
		h, box, err := v.ask(ctx, exe)
		if err != nil {
			return verdictOn{}, fmt.Errorf("%s: %w", exe.name, err)
		}
		if i == 0 {
			first = box
		}
		said = append(said, h.words)
		if h.claim.score == nil && h.claim.factor == nil {
			h.claim = all.claim
		}
		if all = h; h.verdict != judge.AC {
			break
		}
	}
	return v.t.conclude(ctx, all, said, first)
}

// ask has one validator judge the output.
func (v *custom) ask(ctx context.Context, exe *executable) (heard, runner.Box, error) {
	t, protocol := v.t, v.t.req.Problem.Validator.Protocol
	output, err := reopen(v.file)
	if err != nil {
		return heard{}, nil, fmt.Errorf("open output: %w", err)
	}
	defer drop(output)
	box, err := t.lay(ctx, exe)
	if err != nil {
		return heard{}, nil, err
	}
	h, err := t.judged(ctx, box, exe, protocol, output)
	return h, box, err
}

// judged runs a validator over an output.
func (t *trial) judged(ctx context.Context, box runner.Box, exe *executable, p judge.Protocol, output *os.File) (heard, error) {
	stdout, stderr := &head{max: maxStderr}, &ends{}
	run := juryRun{args: arguments(p, t.c.OutputFlags(t.req.Problem.Validator, exe.program)), stdin: output, stderr: stderr}
	if p != judge.ProtocolICPC {
		run.stdin, run.stdout = nil, stdout
		if err := box.Put(ctx, runner.Work, runner.File{Name: outputName, Mode: 0o444, Source: output}); err != nil {
			return heard{}, fmt.Errorf("put output: %w", err)
		}
	}
	res, err := t.runJury(ctx, box, exe, run)
	if err != nil {
		return heard{}, err
	}
	t.worn[exe] = t.worn[exe] || res.Worn
	return t.hear(ctx, box, exe, p, &res, stdout, stderr)
}
