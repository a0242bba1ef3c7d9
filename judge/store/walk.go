package store

import (
	"strings"
	"time"

	"judge/judge"
)

// conditions are joined by AND.
type conditions struct {
	text []string
	args []any
}

func (c *conditions) add(text string, args ...any) {
	c.text = append(c.text, text)
	c.args = append(c.args, args...)
}

func (c *conditions) and() string { return strings.Join(c.text, " AND ") }

// walk is how to find the submissions of a filter: by an index that begins with
// the columns of by and goes on with id, or for each of problems by one that
// begins with the problem; rest is asked of what is found.
type walk struct {
	problems []string // more than one
	by       conditions
	span     conditions // of ids and times
	rest     conditions
}

// live are the submissions with a judgement on some slot: few.
const live = "id = ANY(ARRAY(SELECT submission_id FROM judgements WHERE state IN ('compiling', 'running')))"

// newWalk chooses the index that is likely to know best. With what is left over
// it does not matter: walks are bounded.
func newWalk(f judge.SubmissionFilter) walk {
	var w walk
	chosen := false
	// either adds to by if no index is chosen yet, else to rest.
	either := func(text string, args ...any) {
		if chosen {
			w.rest.add(text, args...)
		} else {
			w.by.add(text, args...)
		}
		chosen = true
	}
	if f.SubmitterID != "" {
		either("submitter_id = ? AND submitter_id <> ''", f.SubmitterID) // as the partial index has it
	}
	if f.Team != "" {
		either("submitter_team = ? AND submitter_team <> ''", f.Team)
	}
	outcome, ended := outcomeOf(f)
	if f.State == judge.Compiling || f.State == judge.Running {
		if !chosen {
			w.by.add(live)
			chosen = true
		}
		w.rest.add("(SELECT state FROM judgements j WHERE j.id = newest) = ?", f.State)
	}
	switch {
	case len(f.Problems) == 0:
	case chosen:
		w.rest.add("problem IN ?", f.Problems)
	default:
		chosen = true
		if len(f.Problems) > 1 {
			w.problems = f.Problems
		} else {
			w.by.add("problem = ?", f.Problems[0])
		}
		if outcome != nil {
			w.by.add("outcome = ?", *outcome)
			outcome = nil
		}
	}
	if outcome != nil {
		either("outcome = ?", *outcome)
	}
	if ended {
		w.rest.add("outcome NOT IN ('', 'cancelled')")
	}
	if f.State == judge.Queued {
		w.rest.add("(SELECT state FROM judgements j WHERE j.id = newest) = 'queued'")
	}
	if f.TokenID != "" {
		either("token_id = ?", f.TokenID)
	}
	if f.Language != "" {
		either("language = ?", f.Language)
	}
	w.within(f.Since, f.Until)
	return w
}

// outcomeOf is what the column outcome is to be by state and verdict; nil where
// they do not say. ended: it is to be a verdict, whichever.
func outcomeOf(f judge.SubmissionFilter) (outcome *string, ended bool) {
	var is string
	switch f.State {
	case judge.Queued:
	case judge.Cancelled:
		is = "cancelled"
	case judge.Compiling, judge.Running:
		if f.Verdict == "" {
			return nil, false // by what is live, which is less
		}
	case judge.Judged:
		if f.Verdict == "" {
			return nil, true
		}
		is = string(f.Verdict)
	case "":
		if f.Verdict == "" {
			return nil, false
		}
		is = string(f.Verdict)
	default:
		is = "none"
	}
	if f.Verdict != "" && is != string(f.Verdict) {
		is = "none" // nothing has a verdict that is not judged
	}
	return &is, false
}

func (w *walk) within(since, until time.Time) {
	if !since.IsZero() {
		w.span.add("id >= ? AND created_at >= ?", idAt(since), since)
	}
	if !until.IsZero() {
		// Its id may bear a time that is later by the milliseconds of one request.
		w.span.add("id < ? AND created_at < ?", idAt(until.Add(time.Minute)), until)
	}
}

// stretch is the query of the first n rows below an id.
func (w *walk) stretch(from string, n int) (query string, args []any) {
	all := conditions{}
	if len(w.problems) > 0 {
		all.add("problem = p.name")
	}
	all.text = append(append(all.text, w.by.text...), w.span.text...)
	all.args = append(append(all.args, w.by.args...), w.span.args...)
	all.add("id < ?", from)
	query = "SELECT * FROM submissions WHERE " + all.and() + " ORDER BY id DESC LIMIT ?"
	args = append(all.args, n)
	if len(w.problems) == 0 {
		return query, args
	}
	names := make([]any, 0, len(w.problems))
	for _, p := range w.problems {
		names = append(names, p)
	}
	values := strings.TrimSuffix(strings.Repeat("(?::text), ", len(names)), ", ")
	return "SELECT s.* FROM (VALUES " + values + ") p(name) CROSS JOIN LATERAL (" + query + ") s ORDER BY id DESC LIMIT ?",
		append(append(names, args...), n)
}
