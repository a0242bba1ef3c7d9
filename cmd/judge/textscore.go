package main

import (
	"fmt"
	"io"
	"strconv"

	"judge/judge"
)

// scores are the lines about points, of problems that have them.
func (r *textReport) scores(w io.Writer, d *judge.Judgement) {
	if d.Score == nil {
		return
	}
	r.print(w, "  score "+scoreText(*d.Score)+"\n")
	if len(d.Groups) < 2 {
		return
	}
	width := 0
	for _, g := range d.Groups {
		width = max(width, len(g.Group))
	}
	for _, g := range d.Groups {
		line := fmt.Sprintf("  %-*s  %-3s", width, g.Group, g.Verdict)
		if g.Score != nil {
			line += "  " + scoreText(*g.Score)
		}
		if g.MaxScore != nil {
			line += " of " + scoreText(*g.MaxScore)
		}
		r.print(w, line+"\n")
	}
}

// scoreText has as many digits as say something.
func scoreText(score float64) string { return strconv.FormatFloat(score, 'g', 10, 64) }

// conversations are what was said in interactive runs, where it was asked for.
func (r *textReport) conversations(w io.Writer, d *judge.Judgement) {
	for _, run := range d.Runs {
		if run.Output != nil && len(run.Output.Transcript) > 0 {
			r.print(w, fmt.Sprintf("  %s %s\n%s", run.Case, run.Verdict, judge.ConversationText(run.Output.Transcript)))
		}
	}
}
