package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/danielgtaylor/huma/v2"
)

const pageType = "text/html; charset=utf-8"

// getStatementPage shows a statement. It is a stranger's: the page was cleaned, and
// its policy keeps it from loading and running anything all the same.
func (s *Server) getStatementPage(ctx context.Context, in *statementInput) (*huma.StreamResponse, error) {
	id, err := s.published(ctx, in.Problem, in.Contestant)
	if err != nil {
		return nil, err
	}
	docs, err := s.Packages.Documents(ctx, id)
	if err != nil {
		return nil, err
	}
	d, ok := chosen(docs, in.File)
	if !ok {
		return nil, unknown("statement", in.File)
	}
	page, err := s.Packages.Page(ctx, id, d.Name)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", pageType)
		hc.SetHeader("Content-Security-Policy", page.Policy)
		hc.SetHeader("X-Frame-Options", "SAMEORIGIN")
		hc.SetHeader("Cache-Control", "private, no-cache")
		hc.SetStatus(http.StatusOK)
		_, _ = hc.BodyWriter().Write(page.HTML) // it can only be the client that left
	}}, nil
}

// findingsHeader has what an exported package says otherwise, as JSON in percent
// encoding (RFC 3986): the body is the package.
const findingsHeader = "Judge-Findings"

// maxFindingsHeader bounds it, in findings.
const maxFindingsHeader = 20

func (s *Server) exportVersion(ctx context.Context, in *VersionPath) (*huma.StreamResponse, error) {
	v, err := s.findVersion(ctx, in)
	if err != nil {
		return nil, err
	}
	x, err := s.Packages.Export(ctx, v.ID)
	if err != nil {
		return nil, refusal(err)
	}
	text, err := json.Marshal(x.Findings[:min(len(x.Findings), maxFindingsHeader)])
	if err != nil {
		return nil, fmt.Errorf("write findings: %w", err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", "application/zip")
		hc.SetHeader("Content-Disposition", disposition(in.Problem+".zip"))
		hc.SetHeader(findingsHeader, url.QueryEscape(string(text)))
		hc.SetStatus(http.StatusOK)
		if err := x.Write(hc.BodyWriter()); err != nil && ctx.Err() == nil {
			s.Log.ErrorContext(ctx, "package not sent whole", "request_id", requestID(ctx), "version", v.ID, "error", err)
		}
	}}, nil
}
