package blob

import (
	"context"
	"fmt"

	"judge/judge"
)

// about and kind put back what About and Kind hold.
func (m *Manifest) about(p *judge.Problem) {
	p.Format, p.Titles, p.UUID, p.Release, p.RightsOwner, p.Keywords = m.PackageFormat, m.Titles, m.UUID, m.Release, m.RightsOwner, m.Keywords
	p.Credits, p.EmbargoUntil, p.Constants, p.ShowGroups = m.Credits, m.EmbargoUntil, m.Constants, m.ShowGroups
}

func (m *Manifest) kind(p *judge.Problem) {
	p.Scoring, p.Minimize, p.Interactive, p.MultiPass, p.Passes = m.Scoring, m.Minimize, m.Interactive, m.MultiPass, m.Passes
	p.SubmitAnswer, p.Languages, p.FileWriting = m.SubmitAnswer, m.Languages, m.FileWriting
	for _, c := range m.DataChecks {
		check := judge.DataCheck{
			Kind: c.Kind, Name: c.Name, Input: c.Input.blob(), Flags: c.Flags,
			InputFlags: c.InputFlags, InputFlagsFor: c.InputFlagsFor, Args: c.Args, Files: caseFiles(c.Files),
		}
		if c.Answer != nil && c.Output != nil {
			check.Answer, check.Output = c.Answer.blob(), c.Output.blob()
		}
		p.DataChecks = append(p.DataChecks, check)
	}
	for _, e := range m.Examples {
		p.Examples = append(p.Examples, judge.Example{Name: e.Name, Shown: e.Shown.shown()})
	}
}

// loadPrograms reads all programs of the jury into memory.
func (m *Manifest) loadPrograms(ctx context.Context, from Source, p *judge.Problem) error {
	for _, l := range []struct {
		from []Program
		to   *[]judge.JuryProgram
	}{
		{m.Validator.Programs, &p.Validator.Programs},
		{m.InputValidators, &p.InputValidators},
		{m.Graders, &p.Graders},
		{m.Visualizers, &p.Visualizers},
	} {
		for i := range l.from {
			one, err := m.loadProgram(ctx, from, &l.from[i])
			if err != nil {
				return err
			}
			*l.to = append(*l.to, *one)
		}
	}
	var err error
	if p.Validator.Checker, err = m.loadProgram(ctx, from, m.Validator.Checker); err != nil {
		return err
	}
	p.StaticValidator, err = m.loadProgram(ctx, from, m.StaticValidator)
	return err
}

func (m *Manifest) loadProgram(ctx context.Context, from Source, p *Program) (*judge.JuryProgram, error) {
	if p == nil {
		return nil, nil
	}
	files, err := load(ctx, from, p.Files)
	if err != nil {
		return nil, fmt.Errorf("load %s of problem %s: %w", p.Name, m.Name, err)
	}
	return &judge.JuryProgram{Name: p.Name, Files: files}, nil
}

func (b Blob) blob() judge.Blob { return judge.Blob{Ref: b.SHA256, Size: b.Size} }

func (b *Blob) maybe() *judge.Blob {
	if b == nil {
		return nil
	}
	return new(b.blob())
}

func caseFiles(all []File) []judge.CaseFile {
	var out []judge.CaseFile
	for _, f := range all {
		out = append(out, judge.CaseFile{Name: f.Name, Blob: f.blob()})
	}
	return out
}

func (s Shown) shown() judge.Shown {
	return judge.Shown{
		Input: s.Input.maybe(), Answer: s.Answer.maybe(), InputDownload: s.InputDownload.maybe(),
		AnswerDownload: s.AnswerDownload.maybe(), Interaction: s.Interaction.maybe(),
	}
}

func (c *Case) testCase() judge.TestCase {
	out := judge.TestCase{
		Name: c.Name, Sample: c.Sample, Input: c.Input.blob(), Answer: c.Answer.blob(),
		Args: c.Args, ValidatorFlags: c.ValidatorFlags, InputFlags: c.InputFlags, InputFlagsFor: c.InputFlagsFor,
		MaxScore: (*float64)(c.MaxScore), FullFeedback: c.FullFeedback, Files: caseFiles(c.Files), Output: c.Output.maybe(),
		Hint: c.Hint, Description: c.Description, Shown: c.Shown.shown(),
	}
	if c.Picture != nil {
		out.Picture = &judge.CaseFile{Name: c.Picture.Name, Blob: c.Picture.blob()}
	}
	return out
}

// settings puts back what GroupExtras hold.
func (x *GroupExtras) settings(g *judge.TestGroup) {
	g.Args, g.InputFlags, g.ValidatorFor, g.InputFlagsFor = x.Args, x.InputFlags, x.ValidatorFor, x.InputFlagsFor
	g.FullFeedback, g.RequirePass, g.Static, g.StaticFlags = x.FullFeedback, x.RequirePass, x.Static, x.StaticFlags
	if c := x.Grading; c != nil {
		g.Grading = &judge.Grading{
			Custom: c.Custom, Flags: c.Flags, Verdict: c.Verdict, Score: c.Score, IgnoreSample: c.IgnoreSample, AnyAccepted: c.AnyAccepted,
			AcceptScore: float64(c.AcceptScore), RejectScore: float64(c.RejectScore), Low: float64(c.Low), High: float64(c.High),
		}
	}
	if c := x.Scoring; c != nil {
		g.Scoring = &judge.GroupScoring{MaxScore: float64(c.MaxScore), Aggregation: c.Aggregation, StaticScore: float64(c.StaticScore)}
	}
}

func (j *Jury) submission(files []judge.File) judge.JurySubmission {
	out := judge.JurySubmission{
		Name: j.Name, Files: files, Expected: j.Expected,
		Language: j.Language, Entry: j.Entry, Model: j.Model, Timing: j.Timing, Score: j.Score.bounds(),
	}
	for _, e := range j.Expectations {
		out.Expectations = append(out.Expectations, judge.Expectation{
			Cases: e.Cases, Permitted: e.Permitted, Required: e.Required, Score: e.Score.bounds(), Message: e.Message, Timing: e.Timing,
		})
	}
	return out
}

func (r *Range) bounds() *judge.Range {
	if r == nil {
		return nil
	}
	return &judge.Range{Low: float64(r.Low), High: float64(r.High)}
}
