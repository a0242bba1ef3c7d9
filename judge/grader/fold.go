package grader

import (
	"fmt"
	"slices"
	"strings"

	"judge/judge"
)

// A fold walks the groups in the order of judging and makes of the cases'
// outcomes what the judgement comes to. It is the definition of what is judged:
// one walk, case after case, that leaves out what a rejected case or a group that
// is required makes needless. Where an finding is not known yet it goes on as if
// the case were accepted; the cases that it came by are then the plan.
type fold struct {
	*judging

	known func(i int) *finding     // of the case at an index; nil: not known
	grade func(gradeCall) *finding // what a custom grader said; nil: it was not asked yet

	plan   []int // cases in order, those of static validation too
	groups []judge.GroupResult
	names  map[string]judge.Verdict // of the groups and cases walked by
	open   bool                     // something that counts is not known
	first  *finding                 // the first that was not accepted
	wants  []gradeCall              // custom graders whose input is known
	failed *finding                 // JE ends everything
	ended  bool                     // pass-fail: the verdict is certain
}

// finding is what a case or a group came to.
type finding struct {
	verdict judge.Verdict
	limit   judge.Limit
	score   float64
	message string
	guess   bool // not known: accepted, for all that is known
	aside   bool // of no run: its message is the judgement's
}

// gradeCall is one call of a package's own grader.
type gradeCall struct{ group, input, flags string }

// result is what the fold of all groups came to. Score means something in
// scoring problems only.
type result struct {
	finding

	groups []judge.GroupResult
	plan   []int
	wants  []gradeCall
	open   bool
}

func (f *fold) run() result {
	f.names = map[string]judge.Verdict{}
	root := f.group(&f.req.Problem.Root)
	if f.failed != nil {
		root = *f.failed
	} else if !f.graded && f.first != nil {
		root.verdict, root.limit, root.message, root.aside = f.first.verdict, f.first.limit, f.first.message, f.first.aside
	}
	r := result{finding: root, groups: f.groups, plan: f.plan, wants: f.wants, open: f.open}
	if !f.req.Problem.Scoring {
		r.groups = nil
	}
	if f.req.All {
		r.plan = f.all
		r.open = slices.ContainsFunc(f.all, func(i int) bool { return f.known(i) == nil })
	}
	return r
}

// stopped reports whether nothing more is to be walked.
func (f *fold) stopped() bool { return f.failed != nil || f.ended }

func (f *fold) group(g *judge.TestGroup) finding {
	at := -1
	if f.listed(g) {
		at = len(f.groups)
		f.groups = append(f.groups, judge.GroupResult{Group: g.Name, MaxScore: f.maxScore(g)})
	}
	out, ok := f.required(g)
	if ok {
		out = f.total(g, f.items(g))
	}
	if at >= 0 {
		score := out.score
		f.groups[at].Verdict, f.groups[at].Score = out.verdict, &score
	}
	if g.Name != "" {
		f.names[g.Name] = out.verdict
	}
	return out
}

// required is false where what the group requires was not accepted: then none of
// its cases is judged, and all of them count as not accepted.
func (f *fold) required(g *judge.TestGroup) (finding, bool) {
	for _, name := range g.RequirePass {
		if v, walked := f.names[strings.TrimSuffix(name, "/")]; walked && v != judge.AC {
			return finding{verdict: v}, false
		}
	}
	return finding{}, true
}

// items are the outcomes of what lies directly in the group, as far as they are
// judged; in 2025-09 also those of plain folders in it.
func (f *fold) items(g *judge.TestGroup) []finding {
	var all []finding
	after := func(rejected bool) (more bool) {
		if rejected && !f.goesOn(g) {
			f.ended = !f.graded && !f.scored
			return false
		}
		return !f.stopped()
	}
	add := func(o finding) (more bool) {
		all = append(all, o)
		return after(o.verdict != judge.AC)
	}
	if i, ok := f.statics[g]; ok && !add(f.one(i)) {
		return all
	}
	for _, n := range f.nodes[g] {
		switch {
		case n.group == nil:
			if !add(f.one(n.index)) {
				return all
			}
		case f.folder(n.group):
			inner := f.items(n.group)
			all = append(all, inner...)
			if !after(firstRejected(inner).verdict != judge.AC) {
				return all
			}
		case f.ignored(n.group):
			before := f.first
			f.group(n.group)
			f.first = before
			if f.stopped() {
				return all
			}
		default:
			if !add(f.group(n.group)) {
				return all
			}
		}
	}
	return all
}

func (f *fold) one(i int) finding {
	f.plan = append(f.plan, i)
	o := f.known(i)
	if o == nil {
		f.open = true
		return finding{verdict: judge.AC, guess: true}
	}
	c := &f.cases[i]
	if !c.static {
		f.names[c.Name] = o.verdict
	}
	if o.verdict == judge.AC {
		return *o
	}
	if f.first == nil {
		f.first = o
	}
	if o.verdict == judge.JE {
		f.failed = o
	}
	return *o
}

// goesOn reports whether a group goes on after a rejected case or group. In
// 2025-09 it does where the rest still counts; that a group comes to nothing is
// no reason to leave another out, whose own score is shown.
func (f *fold) goesOn(g *judge.TestGroup) bool {
	if !f.scored {
		return g.ContinueReject
	}
	s := f.scoringOf(g)
	switch {
	case s == nil:
		return true
	case s.Aggregation == judge.AggregatePassFail:
		return false
	case s.Aggregation == judge.AggregateMin:
		return len(g.Groups) > 0 && !f.folder(&g.Groups[0])
	}
	return true
}

// folder reports whether a group is only a folder of another one's cases.
func (f *fold) folder(g *judge.TestGroup) bool {
	return f.scored && g.Scoring == nil && strings.Contains(g.Name, "/")
}

// ignored: the root's ignore_sample.
func (f *fold) ignored(g *judge.TestGroup) bool {
	root := f.req.Problem.Root.Grading
	return f.graded && root != nil && root.IgnoreSample && g.Name == "sample"
}

func (f *fold) listed(g *judge.TestGroup) bool {
	if f.scored {
		return f.scoringOf(g) != nil && g.Name != ""
	}
	return f.graded && g.Name != "" && !f.ignored(g)
}

func (f *fold) maxScore(g *judge.TestGroup) *float64 {
	var most float64
	switch s := f.scoringOf(g); {
	case s != nil:
		most = s.MaxScore
	case g.Grading != nil:
		most = g.Grading.High
	default:
		return nil
	}
	if most > maxFinite {
		return nil // there is none
	}
	return &most
}

// total makes one finding of a group's.
func (f *fold) total(g *judge.TestGroup, items []finding) finding {
	switch {
	case f.failed != nil:
		return *f.failed
	case f.scored:
		return f.scoreGroup(g, items)
	case f.graded:
		return f.gradeGroup(g, items)
	}
	return firstRejected(items)
}

func firstRejected(items []finding) finding {
	out := finding{verdict: judge.AC}
	for _, o := range items {
		out.guess = out.guess || o.guess
	}
	for _, o := range items {
		if o.verdict != judge.AC {
			o.score, o.guess = 0, out.guess
			return o
		}
	}
	return out
}

// fail makes a group's fault one of the whole judgement.
func (f *fold) fail(g *judge.TestGroup, format string, args ...any) finding {
	name := g.Name
	if name == "" {
		name = "data"
	}
	f.failed = &finding{verdict: judge.JE, message: "group " + name + ": " + fmt.Sprintf(format, args...)}
	return *f.failed
}
