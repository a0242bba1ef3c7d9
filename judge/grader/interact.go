package grader

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"judge/judge"
	"judge/runner"
)

// An interactive run is two runs at once on the slot's one core, the submission in
// its box and the interactor in its own, joined by pipes (wires.go).
//
// Who ended first decides whose end counts: an interactor that rejects, and a
// submission that crashes because of it, is WA; a submission that crashes, and an
// interactor that rejects because of it, is RE. Who it was the pipes tell
// (hangup.go).

// maxStretch is by how much the sandbox may stretch a wall limit for time that
// others took, and some more.
const maxStretch = 12

// duet is one pass of an interactive run.
type duet struct {
	*trial

	exe       *executable
	box       runner.Box // the interactor's
	wires     *wires
	stopJury  context.CancelFunc // ends an interactor that outlives the submission for too long
	overtime  *time.Timer
	juryFirst bool // it ended before the submission

	sub, jury       runner.Result
	subErr, juryErr error
	subWords        *ends
	juryWords       *ends
}

func (t *trial) interact(ctx context.Context) (runner.Result, verdictOn, error) {
	var none runner.Result
	exe := t.validators[0]
	box, err := t.lay(ctx, exe)
	if err != nil {
		return none, verdictOn{}, fmt.Errorf("%s: %w", exe.name, err)
	}
	w, err := newWires(t.transcribes())
	if err != nil {
		return none, verdictOn{}, err
	}
	d := &duet{trial: t, exe: exe, box: box, wires: w, subWords: &ends{}, juryWords: &ends{}}
	err = d.run(ctx)
	d.juryFirst = w.close(d.sub.Limit != runner.LimitNone)
	if err != nil {
		return none, verdictOn{}, err
	}
	w.tell(t.said, t.pass)
	t.keepStderr(&d.sub, d.subWords)
	t.aged(&d.sub)
	v, err := d.decide(ctx)
	return d.sub, v, err
}

// transcribes reports whether this case's interaction is written down.
func (t *trial) transcribes() bool { return t.said != nil && !t.direct && t.wantsTranscript(t.c) }

// run returns when both have ended.
func (d *duet) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	juryCtx, stop := context.WithCancel(ctx)
	defer stop()
	d.stopJury = stop
	done := make(chan struct{})
	go func() {
		defer close(done)
		if d.runInteractor(juryCtx); d.juryErr != nil && ctx.Err() == nil && juryCtx.Err() == nil {
			cancel() // the sandbox failed
		}
		d.wires.release(d.juryErr == nil && d.accepts())
	}()
	d.runSubmission(ctx)
	if d.subErr != nil {
		cancel()
	}
	<-done
	if d.overtime != nil {
		d.overtime.Stop()
	}
	if d.subErr == nil && d.juryErr != nil && ctx.Err() == nil && juryCtx.Err() != nil {
		d.juryErr, d.jury = nil, runner.Result{Signal: syscall.SIGKILL, Limit: runner.LimitWall}
		d.trial.jury[d.exe].Discard()
		delete(d.trial.jury, d.exe)
	}
	// The cause is the one that is not the end of the other.
	if d.subErr != nil && (d.juryErr == nil || !errors.Is(d.subErr, context.Canceled)) {
		return fmt.Errorf("run %s: %w", d.c.Name, d.subErr)
	}
	if d.juryErr != nil {
		return fmt.Errorf("%s: %w", d.exe.name, d.juryErr)
	}
	return nil
}

func (d *duet) runSubmission(ctx context.Context) {
	cmd := d.command()
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Handed = d.wires.subIn, d.wires.subOut, d.subWords, d.wires.subHanded
	d.sub, d.subErr = d.trial.box.Run(ctx, cmd)
	d.overtime = time.AfterFunc(d.validationLimits().WithDefaults().Wall, d.stopJury)
	d.wires.subEnded()
}

func (d *duet) runInteractor(ctx context.Context) {
	p := d.req.Problem.Validator.Protocol
	flags := d.c.OutputFlags(d.req.Problem.Validator, d.exe.program)
	limits := d.validationLimits().WithDefaults()
	limits.Wall += maxStretch * d.limits.Wall
	d.jury, d.juryErr = d.runJury(ctx, d.box, d.exe, juryRun{
		args: arguments(p, flags), stdin: d.wires.juryIn, stdout: d.wires.juryOut, stderr: d.juryWords,
		handed: d.wires.juryHanded, limits: &limits,
	})
	d.worn[d.exe] = d.worn[d.exe] || d.jury.Worn
}

// accepts goes by the exit code alone.
func (d *duet) accepts() bool {
	if d.req.Problem.Validator.Protocol == judge.ProtocolICPC {
		return heardICPC(&d.jury).verdict == judge.AC
	}
	return heardByCode(d.req.Problem.Validator.Protocol, &d.jury, nil, d.juryWords.bytes()).verdict == judge.AC
}

// decide: of both ends the first counts; a submission that went wrong after it was
// accepted went wrong all the same.
func (d *duet) decide(ctx context.Context) (verdictOn, error) {
	own := d.rule(&d.sub, d.subWords)
	var h heard
	if d.trial.jury[d.exe] == nil { // it was stopped, and its box with it
		h = heard{verdict: judge.JE, fault: fault("interactor "+d.exe.name, &d.jury, string(d.juryWords.last(maxStderr)))}
	} else {
		var err error
		if h, err = d.hear(ctx, d.box, d.exe, d.req.Problem.Validator.Protocol, &d.jury, &head{}, d.juryWords); err != nil {
			return verdictOn{}, fmt.Errorf("%s: %w", d.exe.name, err)
		}
	}
	if own.verdict != "" && (!d.juryFirst || h.verdict == judge.AC) {
		return d.ruled(own), nil
	}
	box := d.box
	if d.trial.jury[d.exe] == nil {
		box = nil
	}
	if h.verdict == judge.AC && d.checker != nil {
		return d.check(ctx, h)
	}
	return d.conclude(ctx, h, [][]byte{h.words}, box)
}

// check has the package's checker judge what the interactor wrote.
func (d *duet) check(ctx context.Context, h heard) (verdictOn, error) {
	written, err := get(ctx, d.box, outputName, maxWritten)
	if errors.Is(err, runner.ErrTooLarge) {
		return d.conclude(ctx, heard{verdict: judge.JE, fault: fmt.Sprintf("interactor %s wrote more than %d bytes", d.exe.name, maxWritten)}, nil, nil)
	}
	if err != nil {
		return verdictOn{}, err
	}
	exe := d.checker
	output, err := d.readable(written)
	if err != nil {
		return verdictOn{}, err
	}
	defer drop(output)
	box, err := d.lay(ctx, exe)
	if err != nil {
		return verdictOn{}, fmt.Errorf("%s: %w", exe.name, err)
	}
	checked, err := d.judged(ctx, box, exe, d.req.Problem.Validator.Protocol, output)
	if err != nil {
		return verdictOn{}, fmt.Errorf("%s: %w", exe.name, err)
	}
	return d.conclude(ctx, checked, [][]byte{h.words, checked.words}, nil)
}

// keepStderr keeps what the submission said beside the interaction.
func (t *trial) keepStderr(res *runner.Result, words *ends) {
	if t.said != nil {
		t.said.Stderr, t.said.StderrSize = words.bytes(), res.Stderr
		t.said.Stderr = t.said.Stderr[:min(len(t.said.Stderr), judge.KeptOutput)]
	}
}
