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
		Validator: judge.OutputValidator{Flags: m.Validator.Flags, Builtin: m.Validator.Builtin, Protocol: m.Validator.Protocol},
		Root:      m.Data.group(),
	}
	m.about(p)
	m.kind(p)
	if err := m.loadPrograms(ctx, from, p); err != nil {
		return nil, err
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
		all = append(all, j.submission(files))
	}
	return all, nil
}

// Open is that of all of the problem's data.
func (m *Manifest) Open() map[string]bool {
	g := m.Data.group()
	return g.Open()
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
	g.settings(&out)
	for i := range g.Cases {
		out.Cases = append(out.Cases, g.Cases[i].testCase())
	}
	for i := range g.Groups {
		out.Groups = append(out.Groups, g.Groups[i].group())
	}
	return out
}
