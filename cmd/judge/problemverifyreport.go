package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"judge/judge"
	"judge/problems"
	"judge/problems/verify"
)

// verifyReport tells of the verification of a package.
type verifyReport interface {
	event(e verify.Event) // by one goroutine at a time
	finish(r *verify.Report) error
	end() // whatever became of it
}

func (s *verifySession) newReport(name string, p *judge.Problem) verifyReport {
	if s.JSON {
		return &verifyJSON{name: name, lines: jsonLines(s.app.out)}
	}
	return &verifyText{app: s.app, name: name, problem: p, bar: newBar(s.app.err, 1), colour: colours(s.app.out)}
}

// verifyJSON writes a line for each submission, and one for the package.
type verifyJSON struct {
	name  string
	lines *json.Encoder
	err   error
}

func (r *verifyJSON) event(e verify.Event) {
	if e.Result != nil {
		r.err = errors.Join(r.err, r.lines.Encode(juryJSON(r.name, e.Result)))
	}
}

func (r *verifyJSON) finish(report *verify.Report) error {
	return errors.Join(r.err, r.lines.Encode(reportWire(r.name, report)))
}

func (r *verifyJSON) end() {}

// verifyText writes a table for people.
type verifyText struct {
	app     *app
	name    string
	problem *judge.Problem
	bar     *bar
	colour  bool
	last    time.Time
}

func (r *verifyText) event(e verify.Event) {
	if time.Since(r.last) > 100*time.Millisecond {
		r.last = time.Now()
		r.bar.show(judge.SafeText([]byte(r.name+": "+e.What), maxName), e.Done, e.Total)
	}
}

func (r *verifyText) end() { r.bar.clear() }

func (r *verifyText) finish(report *verify.Report) error {
	r.bar.clear()
	if _, err := fmt.Fprintln(r.app.out, r.paint(bold, r.name)); err != nil {
		return err
	}
	if err := r.table(report); err != nil {
		return err
	}
	for _, f := range report.Findings {
		if f.Severity == problems.Info && !r.app.Verbose && f.Code != verify.CodeIdleCases && f.Code != verify.CodeCalibrated && f.Code != verify.CodeDuplicateInput {
			continue
		}
		colour := ""
		switch f.Severity {
		case problems.Error:
			colour = red
		case problems.Warning:
			colour = yellow
		case problems.Info:
		}
		if _, err := fmt.Fprintf(r.app.out, "  %s\n", r.paint(colour, judge.SafeText([]byte(f.String()), maxShown))); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(r.app.out, "%s\n\n", r.summary(report))
	return err
}

func (r *verifyText) paint(colour, text string) string {
	if !r.colour || colour == "" {
		return text
	}
	return colour + text + plain
}

// table has a row for each submission, with a column for each group.
func (r *verifyText) table(report *verify.Report) error {
	if len(report.Results) == 0 {
		return nil
	}
	groups := groupNames(r.problem)
	t := table{out: r.app.out, columns: []column{{title: "  submission"}, {title: "language"}, {title: "expected"}, {title: "verdict"}}}
	if r.problem.Scoring {
		t.columns = append(t.columns, column{title: "score", right: true})
	}
	for _, g := range groups {
		t.columns = append(t.columns, column{title: g})
	}
	t.columns = append(t.columns, column{title: "CPU", right: true}, column{title: "memory", right: true}, column{title: "ok"})
	rows := make([][]string, 0, len(report.Results))
	for i := range report.Results {
		rows = append(rows, r.row(&report.Results[i], groups))
	}
	return t.all(rows)
}

func (r *verifyText) row(res *verify.Result, groups []string) []string {
	j := &res.Judgement
	row := []string{"  " + judge.SafeText([]byte(res.Submission.Name), maxName), orDash(j.Language), expectedText(res.Submission.Expected), orDash(j.Verdict)}
	if r.problem.Scoring {
		row = append(row, scoreCell(j.Score))
	}
	for _, g := range groups {
		row = append(row, groupCell(j, g))
	}
	ok := "yes"
	if !res.OK() {
		ok = "NO"
	}
	return append(row, secondsText(j.CPUTime, j.WallTime > 0), memoryText(j.Memory), ok)
}

func scoreCell(score *float64) string {
	if score == nil {
		return "-"
	}
	return fmt.Sprintf("%g", *score)
}

// groupCell is a group's outcome: its verdict and score where it has them, and how
// many of its runs were accepted.
func groupCell(j *judge.Judgement, group string) string {
	runs, accepted := 0, 0
	var first judge.Verdict
	for i := range j.Runs {
		if r := &j.Runs[i]; strings.HasPrefix(r.Case, group+"/") {
			runs++
			if r.Verdict == judge.AC {
				accepted++
			} else if first == "" {
				first = r.Verdict
			}
		}
	}
	if runs == 0 {
		return "-"
	}
	if first == "" {
		first = judge.AC
	}
	text := fmt.Sprintf("%s %d/%d", first, accepted, runs)
	at := slices.IndexFunc(j.Groups, func(g judge.GroupResult) bool { return g.Group == group })
	if at >= 0 && j.Groups[at].Score != nil {
		text = fmt.Sprintf("%s  %g", text, *j.Groups[at].Score)
	}
	return text
}

// maxGroups is how many groups have columns of their own.
const maxGroups = 8

// groupNames are the groups that a table shows: those that are scored, else the
// two that every problem has.
func groupNames(p *judge.Problem) []string {
	var names []string
	for i := range p.Root.Groups {
		g := &p.Root.Groups[i]
		if len(g.Groups) == 0 || len(g.Groups) > maxGroups {
			names = append(names, g.Name)
			continue
		}
		for k := range g.Groups {
			names = append(names, g.Groups[k].Name)
		}
	}
	return names
}

// summary is the last line on a package.
func (r *verifyText) summary(report *verify.Report) string {
	count := map[problems.Severity]int{}
	for _, f := range report.Findings {
		count[f.Severity]++
	}
	verdict := r.paint(green, "ok")
	if !report.OK() {
		verdict = r.paint(red, "has errors")
	}
	text := fmt.Sprintf("  %s: %d errors, %d warnings; %d submissions, %d runs, %.1f s", verdict, count[problems.Error], count[problems.Warning],
		len(report.Results), report.Runs, report.Took.Seconds())
	t := report.TimeLimit
	if t == nil {
		return text
	}
	kind := "given"
	if t.Calibrated {
		kind = "calibrated"
	}
	text += fmt.Sprintf("\n  time limit %v, %s", t.Limit, kind)
	if t.Slowest != nil {
		text += fmt.Sprintf("; slowest accepted %.3f s, %.1f × below (%s)", t.Slowest.CPU.Seconds(), t.Headroom(), t.Slowest.Submission)
	}
	if t.Fastest != nil {
		atLeast := ""
		if t.Fastest.AtLeast {
			atLeast = "at least "
		}
		text += fmt.Sprintf("; fastest too slow %s%.3f s, %.1f × above (%s)", atLeast, t.Fastest.CPU.Seconds(), t.Excess(), t.Fastest.Submission)
	}
	return text + "; measured on " + t.Machine
}
