package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"judge/judge"
	"judge/judge/grader"
)

// textReport prints a table for people.
type textReport struct {
	tally
	table

	jury, all, colour bool

	mu   sync.Mutex // the bar's
	bar  *bar
	seen int // cases judged of a submission that is alone
	err  error
}

// Lines of a message that are shown under its row.
const (
	compilerLines = 12
	messageLines  = 6
)

const maxName = 200 // bytes of a name in a row

func newTextReport(t tally, jobs []*job, all bool) *textReport {
	r := &textReport{tally: t, jury: len(jobs) > 0 && jobs[0].jury, all: all, colour: colours(t.app.out)}
	name, lang, expected, where := column{title: "submission"}, column{title: "language"}, column{title: "expected"}, column{title: "case"}
	for _, j := range jobs {
		name.widen(judge.SafeText([]byte(j.title), maxName))
		lang.widen(languageText(j))
		expected.widen(expectedText(j.expected))
		for _, c := range j.pack.Problem.Cases() {
			where.widen(c.Name)
		}
		where.widen(whereText(&j.judgement))
	}
	r.table = table{out: t.app.out, columns: []column{name, lang}}
	if r.jury {
		r.columns = append(r.columns, expected)
	}
	r.columns = append(r.columns, column{title: "verdict", width: 7}, where, column{title: "limit", width: 9},
		column{title: "CPU", width: 9, right: true}, column{title: "wall", width: 9, right: true},
		column{title: "memory", width: 11, right: true})
	if r.jury {
		r.columns = append(r.columns, column{title: "ok", width: 2})
	}
	r.bar = newBar(t.app.err, len(jobs))
	r.keep(r.header())
	return r
}

func (r *textReport) keep(err error) { r.err = errors.Join(r.err, err) }

func languageText(j *job) string {
	if j.language == nil {
		return "-"
	}
	return j.language.ID
}

func expectedText(expected []judge.Verdict) string {
	if len(expected) == 0 {
		return "any"
	}
	var out []string
	for _, v := range expected {
		out = append(out, string(v))
	}
	return strings.Join(out, "/")
}

// event moves the bar on, where one submission is all there is.
func (r *textReport) event(e grader.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Run != nil {
		r.seen++
	}
	if e.State == judge.Compiling {
		r.bar.show("compiling", 0, e.Cases)
	} else if e.Judgement == nil {
		r.bar.show("running", r.seen, e.Cases)
	}
}

func (r *textReport) judged(j *job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(j)
	r.bar.clear()
	if r.app.ctx.Err() == nil {
		r.keep(r.row(r.cells(j)))
		r.details(r.app.out, j)
		r.scores(r.app.out, &j.judgement)
		r.conversations(r.app.out, &j.judgement)
	}
	if r.count < r.total && r.total > 1 {
		r.bar.show("judging", r.count, r.total)
	}
}

func (r *textReport) cells(j *job) []cell {
	d := &j.judgement
	cells := []cell{{text: judge.SafeText([]byte(j.title), maxName)}, {text: languageText(j)}}
	if r.jury {
		cells = append(cells, cell{text: expectedText(j.expected)})
	}
	verdict := cell{text: orDash(d.Verdict), colour: verdictColour(d.Verdict)}
	if j.err != nil {
		verdict.text = "none"
	}
	ran := d.WallTime > 0
	cells = append(cells, verdict, cell{text: whereText(d)}, cell{text: orDash(d.Limit)},
		cell{text: secondsText(d.CPUTime, ran)}, cell{text: secondsText(d.WallTime, ran)}, cell{text: memoryText(d.Memory)})
	if r.jury {
		ok := cell{text: "ok", colour: green}
		if !j.ok() {
			ok = cell{text: "NO", colour: bold + red}
		}
		cells = append(cells, ok)
	}
	if !r.colour {
		for i := range cells {
			cells[i].colour = ""
		}
	}
	return cells
}

// deciding is the run that a judgement has its verdict from; nil: none, or all.
func deciding(d *judge.Judgement) *judge.Run {
	i := slices.IndexFunc(d.Runs, func(r judge.Run) bool { return r.Verdict != judge.AC })
	if i < 0 {
		return nil
	}
	return &d.Runs[i]
}

func whereText(d *judge.Judgement) string {
	switch run := deciding(d); {
	case run != nil && run.Case == "": // its name is not for who reads this
		return fmt.Sprintf("case %d", run.Ordinal)
	case run != nil:
		return run.Case
	case len(d.Runs) > 0:
		return fmt.Sprintf("all %d", len(d.Runs))
	}
	return "-"
}

// details are the lines under a row: what a submitter wants to know, and what a
// package's author must.
func (r *textReport) details(w io.Writer, j *job) {
	if r.jury && j.ok() && !r.app.Verbose {
		return
	}
	d := &j.judgement
	if c := d.Compile; c != nil && c.OK && strings.TrimSpace(c.Output) != "" { // warnings
		r.print(w, indent(c.Output, compilerLines))
	}
	switch run := deciding(d); {
	case j.err != nil:
		r.print(w, indent(judge.SafeText([]byte(j.err.Error()), 4096), messageLines))
	case d.Compile != nil && !d.Compile.OK:
		r.print(w, indent(d.Compile.Output, compilerLines))
	case r.all:
		width := 0
		for _, run := range d.Runs {
			width = max(width, len(run.Case))
		}
		for _, run := range d.Runs {
			r.print(w, indent(runText(&run, width), messageLines))
		}
	case run != nil && run.Message != "":
		r.print(w, indent(run.Message, messageLines))
	case run == nil && d.Message != "":
		r.print(w, indent(d.Message, messageLines))
	}
}

func runText(run *judge.Run, width int) string {
	text := fmt.Sprintf("%-*s  %-3s  %s CPU  %s wall  %9s", width, run.Case, run.Verdict,
		secondsText(run.CPUTime, run.WallTime > 0), secondsText(run.WallTime, run.WallTime > 0), memoryText(run.Memory))
	if run.Score != nil {
		text += "  score " + scoreText(*run.Score)
	}
	if run.Message != "" {
		text += "  " + run.Message
	}
	return text
}

func (r *textReport) print(w io.Writer, text string) {
	_, err := io.WriteString(w, text)
	r.keep(err)
}

// finish prints the last line.
func (r *textReport) finish() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bar.clear()
	if r.app.ctx.Err() == nil && (r.jury || r.total > 1) {
		text := fmt.Sprintf("%d submissions", r.total)
		if r.total == 1 {
			text = "1 submission"
		}
		if r.jury {
			text += fmt.Sprintf(", %d as expected", r.expected)
		} else {
			text += r.verdictsText()
		}
		r.print(r.app.out, fmt.Sprintf("%s, %.1f s\n", text, time.Since(r.start).Seconds()))
	}
	return errors.Join(r.err, r.code(r.jury))
}

func (r *textReport) verdictsText() string {
	var text strings.Builder
	for _, v := range []judge.Verdict{judge.AC, judge.WA, judge.TLE, judge.MLE, judge.OLE, judge.RE, judge.CE, judge.JE} {
		if n := r.verdicts[v]; n > 0 {
			_, _ = fmt.Fprintf(&text, ", %d %s", n, v)
		}
	}
	return text.String()
}
