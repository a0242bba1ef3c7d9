package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"judge/judge"
	"judge/judge/grader"
	"judge/judge/wire"
)

// report tells of jobs as they are judged, in their order. event may come from
// another goroutine than the rest.
type report interface {
	event(e grader.Event)
	judged(j *job)
	finish() error
}

func (c *runCmd) newReport(a *app, jobs []*job, start time.Time) report {
	t := tally{app: a, start: start, json: c.JSON, total: len(jobs)}
	if c.JSON {
		return &jsonReport{tally: t, lines: jsonLines(a.out)}
	}
	return newTextReport(t, jobs, c.All)
}

// tally counts what jobs came to.
type tally struct {
	app   *app
	start time.Time
	json  bool

	total, count, expected int
	failed                 error // the first that says we failed
	refused                error // the first that says the source cannot be judged
	verdicts               map[judge.Verdict]int
}

func (t *tally) add(j *job) {
	t.count++
	if j.ok() {
		t.expected++
	}
	if t.verdicts == nil {
		t.verdicts = map[judge.Verdict]int{}
	}
	switch {
	case j.err == nil:
		t.verdicts[j.judgement.Verdict]++
	case isBadInput(j.err) && t.refused == nil:
		t.refused = j.err
	case !isBadInput(j.err) && t.failed == nil:
		t.failed = j.err
	}
}

// code ends a command after its report. Errors have been told.
func (t *tally) code(jury bool) error {
	switch {
	case t.app.ctx.Err() != nil:
		return t.app.ctx.Err()
	case t.failed != nil, jury && t.expected < t.total:
		return exitCode(exitFailed)
	case t.refused != nil:
		return exitCode(exitInput)
	}
	return nil
}

// jsonLines writes one object a line, and leaves < and & as they are.
func jsonLines(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// jsonReport writes one judgement a line.
type jsonReport struct {
	tally

	lines *json.Encoder
	jury  bool
	err   error
}

// juryLine is a judgement of a package's own submission.
type juryLine struct {
	wire.Judgement

	Package  string          `json:"package"`
	Expected []judge.Verdict `json:"expected"` // empty: any
	OK       bool            `json:"ok"`
	Error    *string         `json:"error"` // why there is no judgement
}

func (r *jsonReport) event(grader.Event) {}

func (r *jsonReport) judged(j *job) {
	r.add(j)
	if r.app.ctx.Err() != nil {
		return
	}
	if !j.jury {
		if j.err != nil {
			r.app.say(fmt.Errorf("%s: %w", j.title, j.err), true)
			return
		}
		r.err = errors.Join(r.err, r.lines.Encode(wire.FromJudgement(j.judgement)))
		return
	}
	r.jury = true
	line := juryLine{Judgement: wire.FromJudgement(j.judgement), Package: j.pack.Problem.Name, Expected: j.expected, OK: j.ok()}
	if line.Expected == nil {
		line.Expected = []judge.Verdict{}
	}
	if j.err != nil {
		text := j.err.Error()
		line.Error = &text
		line.Source = &j.source
	}
	r.err = errors.Join(r.err, r.lines.Encode(line))
}

func (r *jsonReport) finish() error { return errors.Join(r.err, r.code(r.jury)) }
