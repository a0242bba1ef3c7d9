package main

import (
	"context"
	"errors"
	"io"

	"judge/api"
	"judge/judge"
	"judge/problems"
	"judge/problems/blob"
)

// Export is that of api.Packages.
func (p *packages) Export(ctx context.Context, versionID string) (api.Export, error) {
	row, err := p.store.ProblemVersion(ctx, versionID)
	if err != nil {
		return api.Export{}, err
	}
	m, err := blob.ReadManifest(row.Manifest)
	if err != nil {
		return api.Export{}, err
	}
	problem, err := m.Problem(ctx, p.blobs)
	if err != nil {
		return api.Export{}, err
	}
	if problem.Jury, err = m.JurySubmissions(ctx, p.blobs); err != nil {
		return api.Export{}, err
	}
	row.Apply(problem)
	x, err := problems.NewExport(problems.Exported{
		Problem: problem, Statement: wholeNames(m.Statement), Attachments: wholeNames(m.Attachments), Solution: wholeNames(m.Solution),
		Open: func(b judge.Blob) (io.ReadCloser, error) { return p.Open(ctx, b) },
	})
	if err != nil {
		return api.Export{}, err
	}
	if !x.OK() {
		return api.Export{}, &api.PackageError{Findings: findingsWire(errorsIn(x.Findings))}
	}
	return api.Export{Findings: findingsWire(x.Findings), Write: x.Write}, nil
}

func errorsIn(all []problems.Finding) (out []problems.Finding) {
	for _, f := range all {
		if f.Severity == problems.Error {
			out = append(out, f)
		}
	}
	return out
}

// wholeNames are documents by their paths in the package.
func wholeNames(files []blob.File) []problems.Document {
	var out []problems.Document
	for _, f := range files {
		out = append(out, problems.Document{Name: f.Name, Blob: judge.Blob{Ref: f.SHA256, Size: f.Size}})
	}
	return out
}

// Page is that of api.Packages.
func (p *packages) Page(ctx context.Context, versionID, file string) (api.StatementPage, error) {
	v, err := p.version(ctx, versionID)
	if err != nil {
		return api.StatementPage{}, err
	}
	s := statementSource{
		problem: v.problem,
		open:    func(b judge.Blob) (io.ReadCloser, error) { return p.Open(ctx, b) },
		tex: func(source string, _ []byte) (string, error) {
			html, err := p.store.StatementPage(ctx, source)
			if errors.Is(err, judge.ErrNotFound) {
				return "", nil
			}
			return html, err
		},
	}
	for _, d := range v.documents.Statement {
		s.files = append(s.files, problems.Document{Name: d.Name, Blob: d.Blob})
	}
	html, policy, err := s.page(file)
	return api.StatementPage{HTML: html, Policy: policy}, err
}
