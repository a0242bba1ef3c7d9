package problems

import (
	"math"
	"path"
	"slices"
	"strings"

	"judge/judge"
)

// data writes the test groups and their cases.
func (x *exporter) data(root *judge.TestGroup) {
	for i := range root.Groups {
		top := &root.Groups[i]
		x.group(top, nil, true)
		for j := range top.Groups {
			x.group(&top.Groups[j], top, top.Name == "secret")
		}
	}
	for _, e := range x.problem.Examples {
		x.shown("data/"+e.Name, e.Shown)
	}
}

// group writes what test_group.yaml says, where the folder may have one, and the
// cases of the folder and of those below it.
func (x *exporter) group(g, above *judge.TestGroup, own bool) {
	if own {
		x.addYAML("data/"+g.Name+"/"+testGroupFile, x.groupSettings(g, above))
	}
	x.cases(g, g)
}

// cases writes a folder's cases; settings are those of the group it belongs to.
func (x *exporter) cases(g, settings *judge.TestGroup) {
	for i := range g.Cases {
		x.testCase(&g.Cases[i], settings)
	}
	if g != settings || g.Name == "sample" || strings.Contains(g.Name, "/") {
		for i := range g.Groups {
			x.cases(&g.Groups[i], settings)
		}
	}
}

func (x *exporter) groupSettings(g, above *judge.TestGroup) settingsMap {
	var s settingsMap
	if c := g.Scoring; c != nil && g.Name != "sample" {
		if above == nil || above.Scoring == nil || above.Scoring.Aggregation != judge.AggregatePassFail {
			s.add("max_score", x.score(g.Name, c.MaxScore))
		}
		s.add("score_aggregation", string(c.Aggregation))
	}
	if g.Static {
		s.some("static_validation_score", "pass-fail", g.Scoring == nil || g.Scoring.StaticScore == 0)
		if g.Scoring != nil && g.Scoring.StaticScore > 0 {
			s.add("static_validation_score", x.score(g.Name, g.Scoring.StaticScore))
		}
		s.some("static_validator_args", g.StaticFlags, len(g.StaticFlags) > 0)
	}
	switch {
	case len(g.RequirePass) == 1:
		s.add("require_pass", g.RequirePass[0])
	case len(g.RequirePass) > 1:
		s.add("require_pass", g.RequirePass)
	}
	inherited := judge.TestGroup{}
	if above != nil {
		inherited = *above
	}
	s.some("args", texts(g.Args), !slices.Equal(g.Args, inherited.Args))
	s.some("output_validator_args", texts(g.ValidatorFlags), !slices.Equal(g.ValidatorFlags, inherited.ValidatorFlags))
	switch {
	case g.InputFlagsFor != nil:
		s.some("input_validator_args", map[string][]string(g.InputFlagsFor), inherited.InputFlagsFor == nil || !g.InputFlagsFor.Equal(inherited.InputFlagsFor))
	default:
		s.some("input_validator_args", texts(g.InputFlags), inherited.InputFlagsFor != nil || !slices.Equal(g.InputFlags, inherited.InputFlags))
	}
	s.some("full_feedback", g.FullFeedback, g.FullFeedback != inherited.FullFeedback && g.Name != "sample")
	return s
}

// texts is a list that is never null.
func texts(all []string) []string { return append([]string{}, all...) }

// score is a whole number or the word for none.
func (x *exporter) score(group string, f float64) any {
	switch {
	case math.IsInf(f, 1):
		return "unbounded"
	case f != math.Trunc(f) || f > maxScore:
		x.rep.errorf(BadNumber, "data/"+group+"/"+testGroupFile, 0, "the score %g is no whole number, which this format wants; change the points of the problem", f)
	}
	return int64(f)
}

func (x *exporter) testCase(c *judge.TestCase, g *judge.TestGroup) {
	name := "data/" + c.Name
	x.addBlob(name+".in", c.Input)
	x.addBlob(name+".ans", c.Answer)
	x.maybe(name+".out", c.Output)
	x.shown(name, c.Shown)
	if c.Picture != nil {
		x.addBlob(path.Join(path.Dir(name), c.Picture.Name), c.Picture.Blob)
	}
	for _, f := range c.Files {
		x.addBlob(name+filesSuffix+"/"+f.Name, f.Blob)
	}
	var s settingsMap
	s.some("args", texts(c.Args), c.Args != nil && !slices.Equal(c.Args, g.Args))
	s.some("output_validator_args", texts(c.ValidatorFlags), c.ValidatorFlags != nil && !slices.Equal(c.ValidatorFlags, g.ValidatorFlags))
	if c.InputFlagsFor != nil {
		s.add("input_validator_args", map[string][]string(c.InputFlagsFor))
	} else {
		s.some("input_validator_args", texts(c.InputFlags), c.InputFlags != nil)
	}
	s.some("full_feedback", true, c.FullFeedback && !g.FullFeedback && !c.Sample)
	s.some("hint", c.Hint, c.Hint != "")
	s.some("description", c.Description, c.Description != "")
	x.addYAML(name+".yaml", s)
}

func (x *exporter) shown(name string, s judge.Shown) {
	x.maybe(name+".in.statement", s.Input)
	x.maybe(name+".ans.statement", s.Answer)
	x.maybe(name+".in.download", s.InputDownload)
	x.maybe(name+".ans.download", s.AnswerDownload)
	x.maybe(name+".interaction", s.Interaction)
}

// checks writes the examples for the validators.
func (x *exporter) checks() {
	for _, c := range x.problem.DataChecks {
		name := "data/" + c.Name
		x.addBlob(name+".in", c.Input)
		key := "output_validator_args"
		if c.Kind != judge.InvalidInput {
			x.addBlob(name+".ans", c.Answer)
			x.addBlob(name+".out", c.Output)
		}
		for _, f := range c.Files {
			x.addBlob(name+filesSuffix+"/"+f.Name, f.Blob)
		}
		var s settingsMap
		if c.Kind == judge.InvalidInput {
			key = "input_validator_args"
		} else if c.InputFlagsFor != nil {
			s.add("input_validator_args", map[string][]string(c.InputFlagsFor))
		} else {
			s.some("input_validator_args", texts(c.InputFlags), len(c.InputFlags) > 0)
		}
		s.some("args", texts(c.Args), len(c.Args) > 0)
		s.some(key, texts(c.Flags), len(c.Flags) > 0)
		x.addYAML(name+".yaml", s)
	}
}
