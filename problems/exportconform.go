package problems

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"judge/judge"
)

// conform makes of the problem one that the format can say: names that it allows,
// groups that are the folders of secret and no others, scores by its own rules.
func (x *exporter) conform() {
	p := &x.problem
	p.Root = copyGroup(p.Root)
	p.DataChecks = slices.Clone(p.DataChecks)
	if p.Minimize {
		x.rep.errorf(BadType, configFile, 0, "the lowest score is the best, which this format does not know; give scores of which the highest is")
	}
	if p.Format == judge.Format2025 {
		return
	}
	if p.ShowGroups {
		x.rep.warnf(UselessKey, configFile, 0, "show_test_data_groups has no place in this format; what contestants see is the server's feedback policy")
	}
	for i := range p.Root.Groups {
		top := &p.Root.Groups[i]
		x.names(top)
		if top.Name == "secret" {
			x.separate(top)
			x.points(top)
			for j := range top.Groups {
				flatten(&top.Groups[j], &top.Groups[j])
			}
		} else {
			flatten(top, top)
		}
	}
	if p.Scoring && p.Format == judge.FormatLegacy {
		x.legacyScores()
	} else if p.Root.Grading != nil && !p.Scoring {
		x.rep.warnf(BadType, "data/testdata.yaml", 0, "which of several verdicts is the submission's is said by this format alone: the first that is not AC")
	}
}

func copyGroup(g judge.TestGroup) judge.TestGroup {
	g.Cases = slices.Clone(g.Cases)
	groups := g.Groups
	g.Groups = nil
	for _, sub := range groups {
		g.Groups = append(g.Groups, copyGroup(sub))
	}
	return g
}

// names changes the names of groups and cases that the format would leave out, and
// takes the flags that one validator has for those of the only one.
func (x *exporter) names(g *judge.TestGroup) {
	rename := func(name string) string {
		parts := strings.Split(name, "/")
		for i := range parts {
			parts[i] = exportName(parts[i])
		}
		now := strings.Join(parts, "/")
		if now != name {
			x.rep.infof(IgnoredName, "data/"+name, 0, "is called %s in the exported package, because this format allows only letters, digits, _ . and -", now)
		}
		return now
	}
	g.Name = rename(g.Name)
	if programs := x.problem.Validator.Programs; g.ValidatorFor != nil && len(programs) == 1 {
		g.ValidatorFlags, g.ValidatorFor = g.ValidatorFor.Of(programs[0].Name), nil
	}
	for i := range g.Cases {
		g.Cases[i].Name = rename(g.Cases[i].Name)
	}
	for i := range g.RequirePass {
		g.RequirePass = slices.Clone(g.RequirePass)
		g.RequirePass[i] = rename(g.RequirePass[i])
	}
	for i := range g.Groups {
		x.names(&g.Groups[i])
	}
}

// separate moves cases that lie beside groups into a group of their own, which
// comes first: secret has cases or groups, not both.
func (x *exporter) separate(secret *judge.TestGroup) {
	if len(secret.Cases) == 0 || len(secret.Groups) == 0 {
		return
	}
	own := *secret
	own.Groups, own.RequirePass = nil, nil
	own.Name = "secret/0" // nothing else sorts before it
	for slices.ContainsFunc(secret.Groups, func(g judge.TestGroup) bool { return g.Name == own.Name }) {
		own.Name += "0"
	}
	if own.Scoring != nil {
		own.Scoring = &judge.GroupScoring{Aggregation: judge.AggregateSum}
		for _, c := range own.Cases {
			if c.MaxScore != nil {
				own.Scoring.MaxScore += *c.MaxScore
			}
		}
	}
	for i := range own.Cases {
		own.Cases[i].Name = own.Name + "/" + path.Base(own.Cases[i].Name)
	}
	secret.Cases = nil
	secret.Groups = append([]judge.TestGroup{own}, secret.Groups...)
	slices.SortFunc(secret.Groups, func(a, b judge.TestGroup) int { return strings.Compare(a.Name, b.Name) })
	x.rep.infof(Misplaced, "data/secret", 0, "has cases beside groups; they are in the group %s of the exported package", path.Base(own.Name))
}

// points makes groups of one case each of those whose cases have points of their
// own: in this format the cases of a group share its score evenly.
func (x *exporter) points(secret *judge.TestGroup) {
	if !x.problem.Scoring {
		return
	}
	if len(secret.Groups) == 0 && slices.ContainsFunc(secret.Cases, func(c judge.TestCase) bool { return c.MaxScore != nil }) {
		own := *secret
		own.Scoring = &judge.GroupScoring{Aggregation: judge.AggregateSum}
		secret.Cases, secret.Groups = nil, []judge.TestGroup{own}
	}
	replaced := map[string][]string{}
	var groups []judge.TestGroup
	for _, g := range secret.Groups {
		uneven := g.Scoring != nil && slices.ContainsFunc(g.Cases, func(c judge.TestCase) bool {
			return c.MaxScore != nil && *c.MaxScore != g.Scoring.MaxScore/float64(len(g.Cases))
		})
		if !uneven {
			for i := range g.Cases {
				g.Cases[i].MaxScore = nil
			}
			groups = append(groups, g)
			continue
		}
		for i, c := range g.Cases {
			one := g
			one.Name = fmt.Sprintf("%s_%0*d", g.Name, len(strconv.Itoa(len(g.Cases))), i+1)
			one.Scoring = &judge.GroupScoring{Aggregation: judge.AggregatePassFail}
			if c.MaxScore != nil {
				one.Scoring.MaxScore = *c.MaxScore
			}
			c.Name, c.MaxScore = one.Name+"/"+path.Base(c.Name), nil
			one.Cases = []judge.TestCase{c}
			groups = append(groups, one)
			replaced[g.Name] = append(replaced[g.Name], one.Name)
		}
		x.rep.infof(ScoreSum, "data/"+g.Name, 0, "has cases with points of their own; each is a group of the exported package")
	}
	for i := range groups {
		if c := groups[i].Scoring; x.problem.Format == judge.FormatDMOJ && c.Aggregation == judge.AggregateMin && !x.partial() {
			groups[i].Scoring = &judge.GroupScoring{MaxScore: c.MaxScore, Aggregation: judge.AggregatePassFail}
		}
		var require []string
		for _, name := range groups[i].RequirePass {
			if now, ok := replaced[name]; ok {
				require = append(require, now...)
			} else {
				require = append(require, name)
			}
		}
		groups[i].RequirePass = require
	}
	secret.Groups = groups
}

// partial reports whether a case can earn a part of its points: only then the
// minimum of a group is another score than all or nothing.
func (x *exporter) partial() bool {
	v := x.problem.Validator
	return v.Custom() || v.Builtin == "linecount" || v.Builtin == "linematches"
}

// flatten gives the cases of folders below a group the flags of those folders,
// which are no groups in this format.
func flatten(g, top *judge.TestGroup) {
	for i := range g.Cases {
		c := &g.Cases[i]
		if c.ValidatorFlags == nil && !slices.Equal(g.ValidatorFlags, top.ValidatorFlags) {
			c.ValidatorFlags = texts(g.ValidatorFlags)
		}
		if c.InputFlags == nil && c.InputFlagsFor == nil {
			switch {
			case g.InputFlagsFor != nil && !g.InputFlagsFor.Equal(top.InputFlagsFor):
				c.InputFlagsFor = g.InputFlagsFor
			case !slices.Equal(g.InputFlags, top.InputFlags):
				c.InputFlags = texts(g.InputFlags)
			}
		}
	}
	for i := range g.Groups {
		flatten(&g.Groups[i], top)
	}
}

// legacyScores turns the grading of the legacy format into scores, where both say
// the same: groups whose cases all count alike, summed up.
func (x *exporter) legacyScores() {
	at := slices.IndexFunc(x.problem.Root.Groups, func(g judge.TestGroup) bool { return g.Name == "secret" })
	if at < 0 {
		return
	}
	secret := &x.problem.Root.Groups[at]
	refuse := func(g *judge.TestGroup, why string) {
		x.rep.errorf(BadType, "data/"+g.Name+"/"+testdataFile, 0, "the grading cannot be said in this format: %s", why)
	}
	if root := x.problem.Root.Grading; root != nil && !root.IgnoreSample && at > 0 {
		refuse(&x.problem.Root, "the samples count for the score; write grader_flags: ignore_sample in data/"+testdataFile)
	}
	groups := make([]*judge.TestGroup, len(secret.Groups))
	for i := range secret.Groups {
		groups[i] = &secret.Groups[i]
	}
	if len(groups) == 0 {
		groups = append(groups, secret)
	} else if secret.Grading != nil && (secret.Grading.Score != judge.ScoreSum || secret.Grading.Custom) {
		refuse(secret, "groups are summed up, nothing else")
	}
	total := 0.0
	for _, g := range groups {
		c := g.Grading
		switch {
		case c == nil:
			continue
		case c.Custom || c.AnyAccepted || len(g.Groups) > 0:
			refuse(g, "a custom grader, accept_if_any_accepted and groups in groups are not known")
			continue
		case c.RejectScore != 0:
			refuse(g, "a case that is not accepted scores nothing")
			continue
		}
		s := &judge.GroupScoring{}
		switch c.Score {
		case judge.ScoreMin:
			s.Aggregation, s.MaxScore = judge.AggregatePassFail, c.AcceptScore
		case judge.ScoreSum:
			s.Aggregation, s.MaxScore = judge.AggregateSum, c.AcceptScore*float64(len(g.Cases))
		case judge.ScoreAvg, judge.ScoreMax:
			refuse(g, "scores are summed up or the lowest counts")
		}
		if !math.IsInf(c.High, 1) && s.MaxScore > c.High {
			refuse(g, "the range is narrower than what the cases give")
		}
		g.Scoring, g.Grading = s, nil
		total += s.MaxScore
	}
	if secret.Scoring == nil {
		secret.Scoring = &judge.GroupScoring{Aggregation: judge.AggregateSum, MaxScore: total}
	}
	x.rep.warnf(BadType, "data", 0, "which of several verdicts is a group's is said by this format alone; scores are as they were, unless a validator gives its own")
}
