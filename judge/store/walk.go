package store

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

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

// walk is how to find the submissions of a filter: along the index of these
// columns and id, each column at its value; rest is asked of what is found.
type walk struct {
	columns  []string
	values   []any
	problems []string   // more than one, each a walk of its own; columns begins with problem
	also     conditions // what the index implies, and the planner must be told
	since    string     // id; empty: from the first on
	until    string     // id
	rest     conditions
}

// live are the submissions with a judgement on some slot: few.
const live = "id = ANY(ARRAY(SELECT submission_id FROM judgements WHERE state IN ('compiling', 'running')))"

// newWalk chooses the index that is likely to know best. With what is left over
// it does not matter: walks are bounded.
func newWalk(f judge.SubmissionFilter) walk {
	w := walk{until: uuid.Max.String()}
	if len(f.Scope.Contests) == 0 && len(f.Problems) == 0 {
		f.Problems, f.Scope = f.Scope.Problems, judge.Scope{}
	}
	if f.SubmitterID != "" {
		w.along("submitter_id", f.SubmitterID, "submitter_id <> ''")
	}
	if f.Team != "" {
		w.along("submitter_team", f.Team, "submitter_team <> ''")
	}
	w.inContest(&f)
	outcome, ended := outcomeOf(f)
	if f.State == judge.Compiling || f.State == judge.Running {
		if !w.chosen() {
			w.also.add(live)
		}
		w.rest.add("(SELECT state FROM judgements j WHERE j.id = newest) = ?", f.State)
	}
	switch {
	case len(f.Problems) == 0:
	case w.chosen():
		w.rest.add("problem IN ?", f.Problems)
	default:
		w.columns, w.values = []string{"problem"}, []any{f.Problems[0]}
		if len(f.Problems) > 1 {
			w.problems, w.values = f.Problems, nil
		}
		if outcome != nil {
			w.columns, w.values = append(w.columns, "outcome"), append(w.values, *outcome)
			outcome = nil
		}
	}
	if outcome != nil {
		w.along("outcome", *outcome)
	}
	if ended {
		w.rest.add("outcome NOT IN ('', 'cancelled')")
	}
	if f.State == judge.Queued {
		w.rest.add("(SELECT state FROM judgements j WHERE j.id = newest) = 'queued'")
	}
	if f.TokenID != "" {
		w.along("token_id", f.TokenID)
	}
	if f.Language != "" {
		w.along("language", f.Language)
	}
	scope := scopeOf(f.Scope)
	w.rest.text, w.rest.args = append(w.rest.text, scope.text...), append(w.rest.args, scope.args...)
	w.within(f.Since, f.Until)
	return w
}

// scopeOf asks for what is of one of a scope's problems or of one of its contests;
// of an empty scope nothing is asked.
func scopeOf(s judge.Scope) (c conditions) {
	switch problems, contests := len(s.Problems) > 0, len(s.Contests) > 0; {
	case problems && contests:
		c.add("(problem IN ? OR contest IN ?)", s.Problems, s.Contests)
	case problems:
		c.add("problem IN ?", s.Problems)
	case contests:
		c.add("contest IN ?", s.Contests)
	}
	return c
}

// inContest walks along a contest, which a scope of it alone is too.
func (w *walk) inContest(f *judge.SubmissionFilter) {
	switch {
	case f.Contest != "" && f.Contestant != "" && !w.chosen():
		w.columns, w.values = []string{"contest", "contestant"}, []any{f.Contest, f.Contestant}
		w.also.add("contest IS NOT NULL")
	case f.Contest != "":
		w.along("contest", f.Contest, "contest IS NOT NULL")
		if f.Contestant != "" {
			w.rest.add("contestant = ?", f.Contestant)
		}
	case len(f.Scope.Contests) == 1 && len(f.Scope.Problems) == 0:
		w.along("contest", f.Scope.Contests[0], "contest IS NOT NULL")
		f.Scope = judge.Scope{}
	}
}

func (w *walk) chosen() bool { return len(w.columns) > 0 || len(w.also.text) > 0 }

// along chooses the index of a column, or leaves it to the rest if one is chosen.
func (w *walk) along(column, value string, also ...string) {
	if w.chosen() {
		w.rest.add(column+" = ?", value)
		return
	}
	w.columns, w.values = []string{column}, []any{value}
	w.also.text = append(w.also.text, also...)
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

// within sets the ends. Ids are made just before the time that is on record, so
// they tell it but for what lies between, and clocks that were set back.
func (w *walk) within(since, until time.Time) {
	if !since.IsZero() {
		w.since = idAt(since)
		w.also.add("created_at >= ?", since)
	}
	if !until.IsZero() {
		w.until = idAt(until.Add(time.Second))
		w.also.add("created_at < ?", until)
	}
}

// stretch is the query of the first n rows below an id. Columns are compared as a
// row with id, and are part of the order: of all indexes only the one that is
// meant has that order. With equalities, the planner may go by another one's
// order, and find the few rows of a rare value after all others. The limit is part
// of the text: of one that it does not know the planner expects a tenth of the
// table, and plans anew each time.
func (w *walk) stretch(from string, n int) (query string, args []any) {
	from = min(from, w.until)
	columns, marks := append(slices.Clone(w.columns), "id"), make([]string, len(w.columns)+1)
	for i := range marks {
		marks[i] = "?"
	}
	if len(w.problems) > 0 {
		marks[0] = "p.name"
	}
	row, at := "("+strings.Join(columns, ", ")+")", "("+strings.Join(marks, ", ")+")"
	all := conditions{}
	if len(w.columns) > 0 {
		// Not <, by which the planner would not count the rows of the value itself.
		all.add(row+" <= "+at, append(slices.Clone(w.values), from)...)
		all.add("id <> ?", from)
		all.add(row+" >= "+at, append(slices.Clone(w.values), cmp.Or(w.since, uuid.Nil.String()))...)
	} else {
		all.add("id < ?", from)
		if w.since != "" {
			// Of two ends of one column the planner expects so few rows between them that
			// it would rather sort those. A row hides that they are two.
			all.add("(id, created_at) >= (?, 'epoch')", w.since)
		}
	}
	all.text, all.args = append(all.text, w.also.text...), append(all.args, w.also.args...)
	query = "SELECT * FROM submissions WHERE " + all.and() + " ORDER BY " + strings.Join(columns, " DESC, ") + " DESC LIMIT " + strconv.Itoa(n)
	args = all.args
	if len(w.problems) == 0 {
		return query, args
	}
	names := make([]any, 0, len(w.problems))
	for _, p := range w.problems {
		names = append(names, p)
	}
	values := strings.TrimSuffix(strings.Repeat("(?::text), ", len(names)), ", ")
	return "SELECT s.* FROM (VALUES " + values + ") p(name) CROSS JOIN LATERAL (" + query + ") s ORDER BY id DESC LIMIT " + strconv.Itoa(n),
		append(names, args...)
}
