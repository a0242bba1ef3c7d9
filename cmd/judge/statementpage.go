package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"judge/judge"
	"judge/problems"
	"judge/problems/statement"
)

// statementSource is what the pages of a problem's statement are made of.
type statementSource struct {
	problem *judge.Problem
	files   []problems.Document // names are below the statement's folder
	open    func(judge.Blob) (io.ReadCloser, error)
	// tex is the HTML that was made of a source in TeX, by its SHA-256 in hex; empty:
	// there is none, and the source is shown.
	tex func(sum string, source []byte) (string, error)
}

// maxSampleShown is how much of a sample's file a page shows, in bytes.
const maxSampleShown = 64 << 10

// page makes a page of a file, with its Content-Security-Policy. judge.ErrNotFound:
// there is no such file, or it is none that is shown.
func (s *statementSource) page(name string) (html []byte, policy string, err error) {
	at := slices.IndexFunc(s.files, func(d problems.Document) bool { return d.Name == name })
	if at < 0 {
		return nil, "", fmt.Errorf("show statement %q: %w", name, judge.ErrNotFound)
	}
	kind := statement.KindOf(name)
	if kind == statement.Other || kind == statement.Picture {
		return nil, "", fmt.Errorf("show statement %q, which is a download: %w", name, judge.ErrNotFound)
	}
	source, err := s.read(s.files[at].Blob, statement.MaxSource+1)
	if err != nil {
		return nil, "", err
	}
	body, err := s.body(kind, source)
	if errors.Is(err, statement.ErrTooLarge) {
		return nil, "", fmt.Errorf("show statement %q, which is too large: %w", name, judge.ErrNotFound)
	} else if err != nil {
		return nil, "", err
	}
	samples, err := s.samples()
	if err != nil {
		return nil, "", err
	}
	language := languageOf(name)
	title := s.problem.Title
	if t := s.problem.Titles[language]; t != "" {
		title = t
	}
	return statement.Page(statement.Content{
		Title: title, Language: language, Body: body, Samples: samples,
		Image: func(picture string) ([]byte, bool) { return s.image(path.Dir(name), picture) },
	}), statement.Policy(), nil
}

// languageOf is the language in a name like problem.de.tex.
func languageOf(name string) string {
	parts := strings.Split(path.Base(name), ".")
	if len(parts) < 3 {
		return ""
	}
	return parts[len(parts)-2]
}

func (s *statementSource) body(kind statement.Kind, source []byte) (string, error) {
	if kind == statement.Tex && s.tex != nil && len(source) <= statement.MaxSource {
		sum := sha256.Sum256(source)
		html, err := s.tex(hex.EncodeToString(sum[:]), source)
		if err != nil {
			return "", err
		}
		if html != "" {
			kind, source = statement.HTML, []byte(html)
		}
	}
	return statement.Body(kind, source)
}

// image finds a picture beside a file of the statement.
func (s *statementSource) image(folder, name string) ([]byte, bool) {
	for _, n := range statement.ImageNames(path.Join(folder, name)) {
		at := slices.IndexFunc(s.files, func(d problems.Document) bool { return d.Name == n })
		if at < 0 || s.files[at].Blob.Size > statement.MaxImage {
			continue
		}
		if data, err := s.read(s.files[at].Blob, statement.MaxImage); err == nil {
			return data, true
		}
	}
	return nil, false
}

func (s *statementSource) read(b judge.Blob, limit int64) ([]byte, error) {
	r, err := s.open(b)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, limit))
	return data, errors.Join(err, r.Close())
}

// samples are the samples as contestants see them.
func (s *statementSource) samples() ([]statement.Sample, error) {
	var out []statement.Sample
	add := func(input, answer *judge.Blob, interaction *judge.Blob) error {
		var sample statement.Sample
		for _, part := range []struct {
			from *judge.Blob
			to   *string
		}{{input, &sample.Input}, {answer, &sample.Output}, {interaction, &sample.Interaction}} {
			if part.from == nil {
				continue
			}
			data, err := s.read(*part.from, maxSampleShown)
			if err != nil {
				return err
			}
			*part.to = judge.SafeText(data, maxSampleShown)
		}
		out = append(out, sample)
		return nil
	}
	for _, c := range s.problem.Cases() {
		if !c.Sample {
			continue
		}
		input, answer := &c.Input, &c.Answer
		if c.Output != nil {
			answer = c.Output
		}
		if c.Shown.Input != nil {
			input = c.Shown.Input
		}
		if c.Shown.Answer != nil {
			answer = c.Shown.Answer
		}
		if c.Shown.Interaction == nil && s.problem.Interactive {
			continue // its input is the interactor's
		}
		if err := add(input, answer, c.Shown.Interaction); err != nil {
			return nil, err
		}
	}
	for _, e := range s.problem.Examples {
		if err := add(e.Input, e.Answer, e.Interaction); err != nil {
			return nil, err
		}
	}
	return out, nil
}
