package blob

import (
	"slices"

	"judge/judge"
	"judge/problems"
)

// packageBlobs are all blobs of a package that it opens for us, by what they are.
func packageBlobs(pkg *problems.Package) map[judge.Blob]string {
	names := map[judge.Blob]string{}
	some := func(name string, all ...*judge.Blob) {
		for _, b := range all {
			if b != nil {
				names[*b] = name
			}
		}
	}
	shown := func(name string, s judge.Shown) {
		some("what is shown of "+name, s.Input, s.Answer, s.InputDownload, s.AnswerDownload, s.Interaction)
	}
	p := &pkg.Problem
	for _, c := range p.Cases() {
		some("input of "+c.Name, &c.Input)
		some("answer of "+c.Name, &c.Answer)
		for _, f := range c.Files {
			some(c.Name+".files/"+f.Name, &f.Blob)
		}
		if some("output of "+c.Name, c.Output); c.Picture != nil {
			some(c.Picture.Name, &c.Picture.Blob)
		}
		shown(c.Name, c.Shown)
	}
	for _, e := range p.Examples {
		shown(e.Name, e.Shown)
	}
	for _, c := range p.DataChecks {
		if some(c.Name, &c.Input); c.Kind != judge.InvalidInput {
			some(c.Name, &c.Answer, &c.Output)
		}
		for _, f := range c.Files {
			some(c.Name+".files/"+f.Name, &f.Blob)
		}
	}
	for _, d := range slices.Concat(pkg.Statement, pkg.Attachments, pkg.Solution) {
		names[d.Blob] = d.Name
	}
	return names
}

// juryPrograms are all programs of a problem that the manifest keeps.
func juryPrograms(p *judge.Problem) []judge.JuryProgram {
	all := slices.Concat(p.Validator.Programs, p.InputValidators, p.Graders, p.Visualizers)
	for _, one := range []*judge.JuryProgram{p.Validator.Checker, p.StaticValidator} {
		if one != nil {
			all = append(all, *one)
		}
	}
	return all
}

func aboutOf(p *judge.Problem) About {
	return About{
		PackageFormat: p.Format, Titles: p.Titles, UUID: p.UUID, Release: p.Release, RightsOwner: p.RightsOwner, Keywords: p.Keywords,
		Credits: p.Credits, EmbargoUntil: p.EmbargoUntil, Constants: p.Constants, ShowGroups: p.ShowGroups,
	}
}

func (in *importing) kind(p *judge.Problem) Kind {
	k := Kind{
		Scoring: p.Scoring, Minimize: p.Minimize, Interactive: p.Interactive, MultiPass: p.MultiPass, Passes: p.Passes,
		SubmitAnswer: p.SubmitAnswer, Languages: p.Languages, FileWriting: p.FileWriting,
		InputValidators: programsOf(p.InputValidators), StaticValidator: programOf(p.StaticValidator),
		Graders: programsOf(p.Graders), Visualizers: programsOf(p.Visualizers),
	}
	for _, c := range p.DataChecks {
		check := Check{
			Kind: c.Kind, Name: c.Name, Input: in.data[c.Input], Flags: c.Flags,
			InputFlags: c.InputFlags, InputFlagsFor: c.InputFlagsFor, Args: c.Args, Files: in.caseFiles(c.Files),
		}
		if c.Kind != judge.InvalidInput {
			check.Answer, check.Output = in.maybe(&c.Answer), in.maybe(&c.Output)
		}
		k.DataChecks = append(k.DataChecks, check)
	}
	for _, e := range p.Examples {
		k.Examples = append(k.Examples, Example{e.Name, in.shown(e.Shown)})
	}
	return k
}

func programOf(p *judge.JuryProgram) *Program {
	if p == nil {
		return nil
	}
	return &Program{p.Name, filesOf(p.Files)}
}

func programsOf(all []judge.JuryProgram) []Program {
	var out []Program
	for i := range all {
		out = append(out, *programOf(&all[i]))
	}
	return out
}

func (in *importing) maybe(b *judge.Blob) *Blob {
	if b == nil {
		return nil
	}
	return new(in.data[*b])
}

func (in *importing) shown(s judge.Shown) Shown {
	return Shown{
		Input: in.maybe(s.Input), Answer: in.maybe(s.Answer), InputDownload: in.maybe(s.InputDownload),
		AnswerDownload: in.maybe(s.AnswerDownload), Interaction: in.maybe(s.Interaction),
	}
}

func (in *importing) caseFiles(all []judge.CaseFile) []File {
	var out []File
	for _, f := range all {
		out = append(out, File{f.Name, in.data[f.Blob]})
	}
	return out
}

func (in *importing) caseExtras(c *judge.TestCase) CaseExtras {
	x := CaseExtras{
		Args: c.Args, ValidatorFlags: c.ValidatorFlags, InputFlags: c.InputFlags, InputFlagsFor: c.InputFlagsFor,
		MaxScore: (*Number)(c.MaxScore), FullFeedback: c.FullFeedback, Files: in.caseFiles(c.Files), Output: in.maybe(c.Output),
		Hint: c.Hint, Description: c.Description, Shown: in.shown(c.Shown),
	}
	if c.Picture != nil {
		x.Picture = &File{c.Picture.Name, in.data[c.Picture.Blob]}
	}
	return x
}

func groupExtras(g *judge.TestGroup) GroupExtras {
	x := GroupExtras{
		Args: g.Args, InputFlags: g.InputFlags, ValidatorFor: g.ValidatorFor, InputFlagsFor: g.InputFlagsFor,
		FullFeedback: g.FullFeedback, RequirePass: g.RequirePass, Static: g.Static, StaticFlags: g.StaticFlags,
	}
	if c := g.Grading; c != nil {
		x.Grading = &Grading{
			Custom: c.Custom, Flags: c.Flags, Verdict: c.Verdict, Score: c.Score, IgnoreSample: c.IgnoreSample, AnyAccepted: c.AnyAccepted,
			AcceptScore: Number(c.AcceptScore), RejectScore: Number(c.RejectScore), Low: Number(c.Low), High: Number(c.High),
		}
	}
	if c := g.Scoring; c != nil {
		x.Scoring = &Scoring{Number(c.MaxScore), c.Aggregation, Number(c.StaticScore)}
	}
	return x
}

func juryOf(j *judge.JurySubmission) Jury {
	out := Jury{
		Name: j.Name, Files: filesOf(j.Files), Expected: j.Expected,
		Language: j.Language, Entry: j.Entry, Model: j.Model, Timing: j.Timing, Score: rangeOf(j.Score),
	}
	for _, e := range j.Expectations {
		out.Expectations = append(out.Expectations, Expectation{e.Cases, e.Permitted, e.Required, rangeOf(e.Score), e.Message, e.Timing})
	}
	return out
}

func rangeOf(r *judge.Range) *Range {
	if r == nil {
		return nil
	}
	return &Range{Number(r.Low), Number(r.High)}
}
