package problems

import (
	"math"
	"path"
	"slices"

	"judge/judge"
)

// scores gives secret and its groups their scoring, and holds the groups that
// require others to the format: those come before them and pass or fail.
func (r *reader) scores(secret *judge.TestGroup, own groupSettings, groups map[string]groupSettings) {
	if r.pkg.Problem.Scoring {
		r.secretScore(secret, own)
		for i := range secret.Groups {
			g := &secret.Groups[i]
			r.groupScore(g, secret.Scoring, groups[g.Name])
		}
		r.scoreSum(secret, own)
	}
	r.required(secret, own, groups)
}

func (r *reader) scoreFault(g *judge.TestGroup, s groupSettings, code Code, key, format string, args ...any) {
	r.rep.errorf(code, path.Join("data", g.Name, testGroupFile), s.lines[key], format, args...)
}

func (r *reader) secretScore(g *judge.TestGroup, s groupSettings) {
	g.Scoring = &judge.GroupScoring{MaxScore: 100, Aggregation: judge.AggregateSum, StaticScore: s.staticScore}
	if s.maxScore != nil {
		g.Scoring.MaxScore = *s.maxScore
	}
	if s.aggregation != "" {
		g.Scoring.Aggregation = s.aggregation
	}
	g.ContinueReject = g.Scoring.Aggregation == judge.AggregateSum
	if g.Scoring.Aggregation == judge.AggregatePassFail && math.IsInf(g.Scoring.MaxScore, 1) {
		r.scoreFault(g, s, BadRange, "max_score", "secret passes or fails, so that its max_score is a number; write it")
	}
	r.staticScore(g, s)
}

func (r *reader) groupScore(g *judge.TestGroup, secret *judge.GroupScoring, s groupSettings) {
	c := &judge.GroupScoring{MaxScore: math.Inf(1), Aggregation: judge.AggregatePassFail, StaticScore: s.staticScore}
	if s.aggregation != "" {
		c.Aggregation = s.aggregation
	}
	if s.maxScore != nil {
		c.MaxScore = *s.maxScore
	}
	g.Scoring, g.ContinueReject = c, c.Aggregation == judge.AggregateSum
	whole := secret.Aggregation == judge.AggregatePassFail
	switch {
	case whole && c.Aggregation != judge.AggregatePassFail:
		r.scoreFault(g, s, BadValue, "score_aggregation", "score_aggregation is %s, but secret passes or fails as a whole; write pass-fail, or sum or min in data/secret/%s", c.Aggregation, testGroupFile)
	case whole && s.maxScore == nil:
		c.MaxScore = secret.MaxScore // secret's alone counts
	case !math.IsInf(c.MaxScore, 1), s.maxScore == nil && s.lines["max_score"] > 0: // refused already
	case c.Aggregation == judge.AggregatePassFail && s.maxScore != nil:
		r.scoreFault(g, s, BadRange, "max_score", "max_score is unbounded, but the group passes or fails; write a number, or score_aggregation: sum or min")
	case c.Aggregation == judge.AggregatePassFail || !math.IsInf(secret.MaxScore, 1):
		r.scoreFault(g, s, MissingScore, "max_score", "the group needs a max_score that is a number, because %s; add it", reasonBounded(c))
	}
	r.staticScore(g, s)
}

func reasonBounded(c *judge.GroupScoring) string {
	if c.Aggregation == judge.AggregatePassFail {
		return "it passes or fails"
	}
	return "that of secret is one"
}

func (r *reader) staticScore(g *judge.TestGroup, s groupSettings) {
	switch {
	case !s.static:
	case g.Scoring.Aggregation == judge.AggregatePassFail && s.staticScore > 0:
		r.scoreFault(g, s, BadValue, "static_validation_score", "static_validation_score is a number, but the group passes or fails; write pass-fail, or score_aggregation: sum or min")
	case s.staticScore > g.Scoring.MaxScore:
		r.scoreFault(g, s, BadRange, "static_validation_score", "static_validation_score is %g, more than the group's max_score of %g; lower it", s.staticScore, g.Scoring.MaxScore)
	}
}

// scoreSum compares what the groups give together with what secret may have.
func (r *reader) scoreSum(secret *judge.TestGroup, s groupSettings) {
	most, sure := 0.0, 0.0
	for _, g := range secret.Groups {
		most += g.Scoring.MaxScore
		if g.Scoring.Aggregation == judge.AggregatePassFail {
			sure += g.Scoring.MaxScore
		}
	}
	limit := secret.Scoring.MaxScore
	file := path.Join("data", secret.Name, testGroupFile)
	switch {
	case math.IsInf(most, 1) || len(secret.Groups) == 0 || secret.Scoring.Aggregation != judge.AggregateSum || math.IsInf(limit, 1):
	case sure > limit:
		r.rep.errorf(ScoreSum, file, s.lines["max_score"], "the groups of secret give %g together, more than its max_score of %g, which would fail the judging of who solves them all; make them agree", sure, limit)
	case most > limit:
		r.rep.warnf(ScoreSum, file, s.lines["max_score"], "the groups of secret can give %g together, more than its max_score of %g; who gets more fails in judging; make them agree", most, limit)
	case most+secret.Scoring.StaticScore < limit:
		r.rep.warnf(ScoreSum, file, s.lines["max_score"], "the groups of secret give at most %g together, less than its max_score of %g, which nobody can reach; make them agree", most, limit)
	}
}

// required checks require_pass of secret and its groups.
func (r *reader) required(secret *judge.TestGroup, own groupSettings, groups map[string]groupSettings) {
	for _, name := range own.require {
		if name != "sample" {
			r.scoreFault(secret, own, BadDependency, "require_pass", "require_pass of secret names %.80q; secret can require sample only", name)
		}
	}
	for i := range secret.Groups {
		g := &secret.Groups[i]
		s := groups[g.Name]
		for _, name := range s.require {
			other, known := groups[name]
			switch {
			case name == "sample":
			case !known:
				r.scoreFault(g, s, UnknownGroup, "require_pass", "require_pass names %.80q, which is no test group; write sample, or the name of a group as secret/group1", name)
			case reaches(groups, name, g.Name):
				r.scoreFault(g, s, DependencyCycle, "require_pass", "the group requires %s, which requires it in turn; break the circle", name)
			case name > g.Name:
				r.scoreFault(g, s, DependencyOrder, "require_pass", "the group requires %s, which is judged after it; rename one so that %s comes first", name, name)
			case other.aggregation != "" && other.aggregation != judge.AggregatePassFail:
				r.scoreFault(g, s, BadDependency, "require_pass", "the group requires %s, whose score_aggregation is %s; only groups that pass or fail can be required", name, other.aggregation)
			}
		}
	}
}

// reaches reports whether a group requires another, directly or by others.
func reaches(groups map[string]groupSettings, from, to string) bool {
	seen := map[string]bool{}
	open := []string{from}
	for len(open) > 0 {
		name := open[len(open)-1]
		open = open[:len(open)-1]
		if name == to {
			return true
		}
		if !seen[name] {
			seen[name] = true
			open = append(open, slices.Clone(groups[name].require)...)
		}
	}
	return false
}
