package grader

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"judge/judge"
	"judge/runner"
)

// judgeStatic has the static validator look at the submission's files
// (2025-09): a case of its group that runs nothing of the submission.
func (t *trial) judgeStatic(ctx context.Context) (verdictOn, error) {
	exe := t.static
	v, err := t.askStatic(ctx, exe)
	if err != nil {
		return v, fmt.Errorf("%s: %w", exe.name, err)
	}
	return v, t.leaveAll(ctx)
}

func (t *trial) askStatic(ctx context.Context, exe *executable) (verdictOn, error) {
	box, err := t.juryBox(ctx, exe)
	if err != nil {
		return verdictOn{}, err
	}
	t.laid[exe] = true
	files := append(t.program.files(), runner.File{Name: feedbackName, Mode: fs.ModeDir | 0o777})
	if err := box.Put(ctx, runner.Work, files...); err != nil {
		return verdictOn{}, err
	}
	stderr := &ends{}
	prog := t.program.prog
	res, err := t.runJury(ctx, box, exe, juryRun{
		args:   slices.Concat([]string{prog.Language.ID, prog.Entry, feedbackName + "/"}, t.c.Group.StaticFlags),
		stderr: stderr,
	})
	if err != nil {
		return verdictOn{}, err
	}
	t.worn[exe] = res.Worn
	h, err := t.hear(ctx, box, exe, judge.ProtocolICPC, &res, &head{}, stderr)
	if err != nil {
		return verdictOn{}, err
	}
	v, err := t.conclude(ctx, h, [][]byte{h.words}, nil)
	if v.verdict != judge.AC && v.message != "" {
		v.message = t.c.Name + ": " + v.message
	}
	return v, err
}
