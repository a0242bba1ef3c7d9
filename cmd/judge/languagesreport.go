package main

import (
	"fmt"

	"judge/judge"
)

// trialReport prints trials as they are judged, a line for each.
type trialReport struct {
	app    *app
	json   bool
	failed int
	count  int
	langs  map[string]bool // false: a trial of it has failed
	table  *table
	colour string // of what failed
}

func (c *languagesTestCmd) newTrialReport(a *app) (*trialReport, error) {
	r := &trialReport{app: a, json: c.JSON, langs: map[string]bool{}}
	r.table = &table{out: a.out, columns: []column{
		{title: "language", width: 14},
		{title: "trial", width: 18},
		{title: "want", width: 4},
		{title: "got", width: 4},
		{title: "cpu", right: true, width: 8},
		{title: "memory", right: true, width: 9},
		{title: "compile", right: true, width: 8},
		{title: ""},
	}}
	if colours(a.out) {
		r.colour = red
	}
	if r.json {
		return r, nil
	}
	return r, r.table.header()
}

func (r *trialReport) line(l *trialLine) error {
	r.count++
	if _, known := r.langs[l.Language]; !known {
		r.langs[l.Language] = true
	}
	if !l.OK {
		r.failed++
		r.langs[l.Language] = false
	}
	if r.json {
		return jsonLines(r.app.out).Encode(l)
	}
	note := l.Note
	if !l.OK {
		note = "FAILED: " + note
	}
	memory := "-"
	if l.Memory != nil {
		memory = fmt.Sprintf("%.1f MiB", float64(*l.Memory)/(1<<20))
	}
	got := cell{text: text(l.Verdict)}
	if !l.OK {
		got.colour = r.colour
	}
	return r.table.row([]cell{
		{text: l.Language},
		{text: l.Trial},
		{text: text(l.Want)},
		got,
		{text: seconds3(l.CPU)},
		{text: memory},
		{text: seconds3(l.Compile)},
		{text: judge.SafeText([]byte(note), maxNote)},
	})
}

const maxNote = 600

func seconds3(s *float64) string {
	if s == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f s", *s)
}

// finish says how it went; the exit code is 1 when a trial failed.
func (r *trialReport) finish() error {
	good := 0
	for _, ok := range r.langs {
		if ok {
			good++
		}
	}
	r.app.notef("%d trials, %d failed; %d languages of %d came to all that they should\n", r.count, r.failed, good, len(r.langs))
	if r.failed > 0 {
		return exitCode(exitFailed)
	}
	return nil
}
