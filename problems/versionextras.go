package problems

import (
	"maps"
	"slices"
	"strconv"

	"judge/judge"
)

// What follows goes into a version only where a problem has it, so that problems
// that have none of it keep the versions that they have always had.

func (m manifest) programs(what string, all []judge.JuryProgram) {
	for _, p := range all {
		m.put(what, p.Name)
		m.files(p.Files)
	}
}

func (m manifest) flag(name string, set bool) {
	if set {
		m.put(name)
	}
}

func (m manifest) words(name string, all []string) {
	if all != nil {
		m.list(name, all)
	}
}

func (m manifest) flagsFor(name string, all judge.FlagsFor) {
	if all == nil {
		return
	}
	m.put(name, strconv.Itoa(len(all)))
	for _, program := range slices.Sorted(maps.Keys(all)) {
		m.list(program, all[program])
	}
}

// kind is what sort of problem it is.
func (m manifest) kind(p *judge.Problem) {
	m.flag("scoring", p.Scoring)
	m.flag("minimize", p.Minimize)
	m.flag("interactive", p.Interactive)
	if m.flag("multi-pass", p.MultiPass); p.Passes > 0 {
		m.put("passes", strconv.Itoa(p.Passes))
	}
	m.flag("submit-answer", p.SubmitAnswer)
	m.flag("file writing", p.FileWriting)
	m.words("languages", p.Languages)
	v := p.Validator
	if v.Builtin != "" || v.Protocol != "" {
		m.put("comparison", v.Builtin, string(v.Protocol))
	}
	if v.Checker != nil {
		m.programs("checker", []judge.JuryProgram{*v.Checker})
	}
	if p.StaticValidator != nil {
		m.programs("static validator", []judge.JuryProgram{*p.StaticValidator})
	}
	m.programs("grader", p.Graders)
}

func (m manifest) groupExtras(g *judge.TestGroup) {
	m.flagsFor("flags by validator", g.ValidatorFor)
	m.words("arguments", g.Args)
	m.words("requires", g.RequirePass)
	if m.flag("static", g.Static); g.Static {
		m.list("static flags", g.StaticFlags)
	}
	if c := g.Scoring; c != nil {
		m.put("scoring", number(c.MaxScore), string(c.Aggregation), number(c.StaticScore))
	}
	if c := g.Grading; c != nil {
		m.put("grading", strconv.FormatBool(c.Custom), string(c.Verdict), string(c.Score),
			strconv.FormatBool(c.IgnoreSample), strconv.FormatBool(c.AnyAccepted),
			number(c.AcceptScore), number(c.RejectScore), number(c.Low), number(c.High))
		m.list("grader flags", c.Flags)
	}
}

func (m manifest) caseExtras(c *judge.TestCase) {
	m.words("arguments", c.Args)
	m.words("own flags", c.ValidatorFlags)
	if c.MaxScore != nil {
		m.put("points", number(*c.MaxScore))
	}
}
