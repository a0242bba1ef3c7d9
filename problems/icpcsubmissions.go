package problems

import (
	"path"
	"slices"

	"go.yaml.in/yaml/v3"

	"judge/judge"
)

const submissionsFile = "submissions/submissions.yaml"

// Verdicts of 2025-09, each with those of ours that it stands for.
var icpcVerdicts = map[string][]judge.Verdict{
	"AC":  {judge.AC},
	"WA":  {judge.WA, judge.OLE},
	"TLE": {judge.TLE},
	"RTE": {judge.RE, judge.MLE},
}

// rule is what is required of some runs of some submissions: a key of
// submissions.yaml, a key below it, or what the format says of a folder.
type rule struct {
	line        int
	submissions judge.Pattern
	pattern     string // as written
	cases       string // pattern; empty: all of data/
	onCases     judge.Pattern
	permitted   []string // nil: not given
	required    []string // nil: not given
	score       *judge.Range
	message     string
	timing      *judge.TimingRole // nil: it follows from permitted and required
	matched     bool
}

// defaultRules are what the format says of its folders.
func defaultRules() map[string]*rule {
	return map[string]*rule{
		"accepted":            {permitted: []string{"AC"}},
		"rejected":            {required: []string{"RTE", "TLE", "WA"}},
		"wrong_answer":        {permitted: []string{"AC", "WA"}, required: []string{"WA"}},
		"time_limit_exceeded": {permitted: []string{"AC", "TLE"}, required: []string{"TLE"}},
		"run_time_error":      {permitted: []string{"AC", "RTE"}, required: []string{"RTE"}},
		"brute_force":         {permitted: []string{"AC", "RTE", "TLE"}, required: []string{"RTE", "TLE"}},
	}
}

// meta is what submissions.yaml says of a submission beside its rules.
type meta struct {
	pattern         judge.Pattern
	language, entry string
	model           bool
}

// icpcSubmissions reads the jury's submissions and what submissions.yaml says of them.
func (r *reader) icpcSubmissions() {
	p := &r.pkg.Problem
	rules, metas := r.submissionsYAML()
	r.rules = rules
	r.submissions()
	paths := r.dataPaths()
	budget := maxCompared
	for i := range p.Jury {
		s := &p.Jury[i]
		for _, m := range metas {
			if m.pattern.Match(s.Name) {
				s.Language, s.Entry, s.Model = orText(m.language, s.Language), orText(m.entry, s.Entry), m.model || s.Model
			}
		}
		r.expect(s, rules)
		budget -= r.contradiction(s, budget)
	}
	for _, u := range rules {
		if u.line == 0 {
			continue
		}
		if !u.matched {
			r.rep.warnf(UnmatchedPattern, submissionsFile, u.line, "%.80q matches no submission; mend the pattern, which is a path below submissions/", u.pattern)
		} else if u.cases != "" && !slices.ContainsFunc(paths, u.onCases.MatchSelf) {
			r.rep.warnf(UnmatchedPattern, submissionsFile, u.line, "%.80q matches neither a test case nor a test group; mend the pattern, which is a path below data/ without .in", u.cases)
		}
	}
}

// dataPaths are the names of all groups, folders and cases.
func (r *reader) dataPaths() []string {
	seen := map[string]bool{}
	var all []string
	for _, c := range r.pkg.Problem.Cases() {
		for at := c.Name; at != "." && !seen[at]; at = path.Dir(at) {
			seen[at] = true
			all = append(all, at)
		}
	}
	return all
}

// expect gives a submission what the rules that match it say.
func (r *reader) expect(s *judge.JurySubmission, rules []*rule) {
	file, line := "submissions/"+s.Name, 0
	var matching []*rule
	for _, u := range rules {
		if u.submissions.Match(s.Name) {
			u.matched = true
			if matching = append(matching, u); u.line > 0 {
				file, line = submissionsFile, u.line
			}
		}
	}
	if len(matching) == 0 {
		return // by its folder's name in the wild, or by its source
	}
	s.Expected, s.Timing = nil, judge.TimingNone
	verdicts := []string{"AC", "WA", "TLE", "RTE"}
	for _, u := range matching {
		if u.permitted != nil && u.cases == "" {
			verdicts = slices.DeleteFunc(verdicts, func(v string) bool { return !slices.Contains(u.permitted, v) })
		}
		r.addRule(s, u)
	}
	// The verdict of a pass-fail problem is not AC where a run's must not be.
	if !r.pkg.Problem.Scoring && slices.ContainsFunc(matching, func(u *rule) bool { return u.required != nil && !slices.Contains(u.required, "AC") }) {
		verdicts = slices.DeleteFunc(verdicts, func(v string) bool { return v == "AC" })
	}
	if len(verdicts) == 0 {
		r.rep.errorf(ExpectationClash, file, line, "what is expected of submissions/%s excludes every verdict; mend permitted and required, or move the submission", s.Name)
	}
	if len(verdicts) < len(icpcVerdicts) {
		s.Expected = expand(verdicts)
	}
}

// maxCompared bounds how often a case is held against what is permitted there, in all
// of a package: beyond, contradictions show in verification.
const maxCompared = 1_000_000

// contradiction warns of a case on which nothing is permitted, because two patterns
// exclude each other there. It returns how many comparisons it made.
func (r *reader) contradiction(s *judge.JurySubmission, budget int) (made int) {
	patterns := make([]judge.Pattern, len(s.Expectations))
	for i, e := range s.Expectations {
		patterns[i], _ = judge.ParsePattern(e.Cases)
	}
	for _, c := range r.pkg.Problem.Cases() {
		left := []judge.Verdict{judge.AC, judge.WA, judge.TLE, judge.RE}
		for i, e := range s.Expectations {
			if made++; made > budget {
				return made
			}
			if len(e.Permitted) == 0 || !patterns[i].Match(c.Name) {
				continue
			}
			left = slices.DeleteFunc(left, func(v judge.Verdict) bool { return !slices.Contains(e.Permitted, v) })
		}
		if len(left) == 0 {
			r.rep.warnf(ExpectationClash, submissionsFile, 0, "what is permitted to submissions/%s on the case %s excludes every verdict; mend the patterns that choose both", s.Name, c.Name)
			return made
		}
	}
	return made
}

// addRule adds one rule to what is expected of a submission.
func (r *reader) addRule(s *judge.JurySubmission, u *rule) {
	e := judge.Expectation{
		Cases: u.cases, Permitted: expand(u.permitted), Required: expand(u.required),
		Score: u.score, Message: u.message, Timing: u.role(),
	}
	if u.cases == "" {
		s.Score = orRange(e.Score, s.Score)
		if u.timing != nil || e.Timing != judge.TimingNone { // what is written goes before what a folder says
			s.Timing = e.Timing
		}
		e.Score, e.Timing = nil, judge.TimingNone // they are of the submission
	}
	if !r.pkg.Problem.Scoring && u.cases == "" && slices.Equal(u.permitted, []string{"AC"}) {
		e.Permitted = nil // the judgement's verdict says it
	}
	if len(e.Permitted)+len(e.Required) > 0 || e.Score != nil || e.Message != "" || e.Timing != judge.TimingNone {
		s.Expectations = append(s.Expectations, e)
	}
}

func orRange(r, otherwise *judge.Range) *judge.Range {
	if r != nil {
		return r
	}
	return otherwise
}

// role is what a rule says about the time limit: who must exceed it bounds it from
// above, who must not bounds it from below.
func (u *rule) role() judge.TimingRole {
	switch {
	case u.timing != nil:
		return *u.timing
	case slices.Equal(u.required, []string{"TLE"}):
		return judge.TimingTooSlow
	case u.permitted != nil && !slices.Contains(u.permitted, "TLE"):
		return judge.TimingAccepted
	}
	return judge.TimingNone
}

// expand gives our verdicts for those of the format; all four of them say nothing.
func expand(verdicts []string) []judge.Verdict {
	if len(verdicts) == len(icpcVerdicts) {
		return nil
	}
	var all []judge.Verdict
	for _, v := range verdicts {
		all = append(all, icpcVerdicts[v]...)
	}
	return all
}

// submissionsYAML reads the rules: those of the format first, each replaced key by
// key where the file has one of the same name.
func (r *reader) submissionsYAML() (rules []*rule, metas []meta) {
	defaults := defaultRules()
	for _, name := range []string{"accepted", "rejected", "wrong_answer", "time_limit_exceeded", "run_time_error", "brute_force"} {
		defaults[name].submissions, _ = judge.ParsePattern(name)
		rules = append(rules, defaults[name])
	}
	data, ok := r.config(submissionsFile)
	if !ok {
		return rules, nil
	}
	d, ok := parseYAML(r.rep, submissionsFile, data)
	if !ok || d.root == nil {
		return rules, nil
	}
	d.strict = true
	d.pairs(d.root, "the file", func(key, value *yaml.Node) {
		pattern, ok := d.pattern(key)
		if !ok || len(rules) > maxRules || isNull(value) {
			return
		}
		u := &rule{line: key.Line, submissions: pattern, pattern: key.Value}
		if own, ok := defaults[key.Value]; ok {
			u = own
			u.line, u.pattern = key.Line, key.Value
		} else {
			rules = append(rules, u)
		}
		m := meta{pattern: pattern}
		rules = append(rules, r.submissionEntry(d, value, u, &m)...)
		metas = append(metas, m)
	})
	if len(rules) > maxRules {
		r.rep.errorf(TooMany, submissionsFile, 0, "there are more than %d patterns, which is the ceiling; use * and {a,b}", maxRules)
	}
	return rules, metas
}
