package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"judge/judge"
)

// Source is where the files of a manifest are read from: a Cache or a Store.
type Source interface {
	read(ctx context.Context, ref Ref) ([]byte, error)
}

// Problem makes the judge.Problem again that the manifest was made of, without
// the jury's submissions. Its test data are opened by Cache.Data; what judging
// holds in memory (validators, included files) is read from the source now.
func (m *Manifest) Problem(ctx context.Context, from Source) (*judge.Problem, error) {
	p := &judge.Problem{
		Name: m.Name, Version: m.Version,
		Title: m.Title, License: m.License, Source: m.Source, Author: m.Author,
		Limits: m.Limits.limits(), Code: m.Code, Compilation: m.Compilation.limits(), Validation: m.Validation.limits(),
		TimeLimitSet: m.TimeLimitSet, Timing: judge.TimeCalibrate{Multiplier: m.Timing.Multiplier, SafetyMargin: m.Timing.SafetyMargin, Resolution: time.Duration(m.Timing.Resolution)},
		Validator: judge.OutputValidator{Flags: m.Validator.Flags}, Root: m.Data.group(),
	}
	for _, v := range m.Validator.Programs {
		files, err := load(ctx, from, v.Files)
		if err != nil {
			return nil, fmt.Errorf("load %s of problem %s: %w", v.Name, m.Name, err)
		}
		p.Validator.Programs = append(p.Validator.Programs, judge.JuryProgram{Name: v.Name, Files: files})
	}
	if len(m.Include) > 0 {
		p.Include = map[string][]judge.File{}
	}
	for lang, list := range m.Include {
		files, err := load(ctx, from, list)
		if err != nil {
			return nil, fmt.Errorf("load include files of problem %s: %w", m.Name, err)
		}
		p.Include[lang] = files
	}
	return p, nil
}

// JurySubmissions reads the jury's submissions, which only verification needs.
func (m *Manifest) JurySubmissions(ctx context.Context, from Source) ([]judge.JurySubmission, error) {
	var all []judge.JurySubmission
	for _, j := range m.Jury {
		files, err := load(ctx, from, j.Files)
		if err != nil {
			return nil, fmt.Errorf("load jury submission %s of problem %s: %w", j.Name, m.Name, err)
		}
		all = append(all, judge.JurySubmission{Name: j.Name, Files: files, Expected: j.Expected})
	}
	return all, nil
}

func load(ctx context.Context, from Source, files []File) ([]judge.File, error) {
	var out []judge.File
	for _, f := range files {
		data, err := from.read(ctx, f.Ref())
		if err != nil {
			return nil, err
		}
		out = append(out, judge.File{Name: f.Name, Data: data})
	}
	return out, nil
}

func (c *Cache) read(ctx context.Context, ref Ref) ([]byte, error) {
	f, err := c.Open(ctx, ref)
	if err != nil {
		return nil, err
	}
	data := make([]byte, ref.Size)
	_, err = io.ReadFull(f, data)
	return data, errors.Join(err, f.Close())
}

func (s *Store) read(ctx context.Context, ref Ref) ([]byte, error) {
	r, err := s.Get(ctx, ref)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	return data, errors.Join(err, r.Close())
}

func (g *Group) group() judge.TestGroup {
	out := judge.TestGroup{Name: g.Name, ContinueReject: g.ContinueReject, ValidatorFlags: g.Flags}
	for _, c := range g.Cases {
		out.Cases = append(out.Cases, judge.TestCase{
			Name: c.Name, Sample: c.Sample,
			Input:  judge.Blob{Ref: c.Input.SHA256, Size: c.Input.Size},
			Answer: judge.Blob{Ref: c.Answer.SHA256, Size: c.Answer.Size},
		})
	}
	for i := range g.Groups {
		out.Groups = append(out.Groups, g.Groups[i].group())
	}
	return out
}
