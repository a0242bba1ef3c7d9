package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"judge/judge"
)

// live shows verdicts of test cases as they fall: a line for each case of a
// submission that is alone; of several a line for each, which grows, those
// after the first that is not judged yet being held back, so that lines stay
// whole on anything that text can go to.
type live struct {
	out    io.Writer
	alone  bool
	colour bool
	width  int // of titles
	names  int // of cases
}

func (d *delivery) newLive() *live {
	l := &live{out: d.app.out, alone: len(d.entries) == 1, colour: colours(d.app.out), names: 24}
	if d.cmd.JSON {
		l.out = io.Discard
	}
	for _, e := range d.entries {
		l.width = max(l.width, len([]rune(e.name())))
	}
	return l
}

func (e *entry) name() string { return judge.SafeText([]byte(e.title), maxName) }

// entry shows what happens to a submission until it is judged. A terminal that
// is gone shows itself in the table.
func (l *live) entry(e *entry) {
	<-e.posted
	if l.alone {
		l.one(e)
		return
	}
	_, _ = fmt.Fprintf(l.out, "%-*s ", l.width, e.name())
	attempt := 0
	for news := range e.feed {
		if attempt != 0 && news.attempt > attempt {
			_, _ = io.WriteString(l.out, " again:")
		}
		attempt = max(attempt, news.attempt)
		if news.run != nil {
			_, _ = io.WriteString(l.out, " "+l.verdict(news.run.Verdict))
		}
	}
	_, _ = io.WriteString(l.out, l.outcome(e)+"\n")
}

// outcome is what cases alone do not tell.
func (l *live) outcome(e *entry) string {
	switch {
	case e.err != nil:
		return " not judged"
	case !slices.ContainsFunc(e.judgement.Runs, func(r judge.Run) bool { return r.Verdict == e.judgement.Verdict }):
		return " " + l.verdict(e.judgement.Verdict)
	}
	return ""
}

func (l *live) one(e *entry) {
	if e.err == nil {
		_, _ = fmt.Fprintf(l.out, "submission %s%s\n", e.info.ID, placeText(&e.info))
	}
	attempt := 0
	for news := range e.feed {
		if attempt != 0 && news.attempt > attempt {
			_, _ = io.WriteString(l.out, "    begins again: what judged it is gone\n")
		}
		attempt = max(attempt, news.attempt)
		if r := news.run; r != nil {
			if r.Case == "" {
				r.Case = fmt.Sprintf("case %d", r.Ordinal) // its name is not for submitters
			}
			l.names = max(l.names, len(r.Case))
			r.Message = "" // it is under the table
			text := judge.SafeText([]byte(runText(r, l.names)), maxShown)
			_, _ = fmt.Fprintf(l.out, "    %s\n", strings.Replace(text, string(r.Verdict), l.verdict(r.Verdict), 1))
		}
	}
}

func placeText(s *submissionInfo) string {
	if s.Place == nil || s.Place.Ahead == 0 {
		return ""
	}
	text := fmt.Sprintf(", %d before it", s.Place.Ahead)
	if s.Place.Wait != nil && *s.Place.Wait > 0 {
		text += fmt.Sprintf(", about %.0f s", *s.Place.Wait)
	}
	return text
}

func (l *live) verdict(v judge.Verdict) string {
	if text := judge.SafeText([]byte(orDash(v)), maxName); !l.colour {
		return text
	}
	return verdictColour(v) + string(v) + plain
}
