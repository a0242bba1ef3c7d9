package api

import (
	"cmp"
	"context"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
)

// Attachment is a file for those who solve a problem.
type Attachment struct {
	Name string `json:"name"`
	Size int64  `json:"size_bytes"`
}

// Sample is a sample case.
type Sample struct {
	Name       string `json:"name"`
	InputSize  int64  `json:"input_size_bytes"`
	AnswerSize int64  `json:"answer_size_bytes"`
}

type statementInput struct {
	ProblemPath
	ReaderQuery

	File string `query:"file" maxLength:"255" doc:"One of the problem's statements; else the one that is best read as text, in English if there is one."`
	Tag  string `header:"If-None-Match"`
}

type attachmentInput struct {
	ProblemPath
	ReaderQuery

	Name string `path:"name" maxLength:"255"`
	Tag  string `header:"If-None-Match"`
}

type sampleInput struct {
	ProblemPath
	ReaderQuery

	Case string `path:"case" maxLength:"255"`
	Part string `path:"part" enum:"input,answer"`
	Tag  string `header:"If-None-Match"`
}

type skeletonInput struct {
	Name string `query:"name" required:"true" pattern:"^[a-z0-9][a-z0-9._-]{0,63}$" doc:"Of the problem."`
}

func (s *Server) fileRoutes(tags []string) {
	op := func(id, at, summary string, types ...string) huma.Operation {
		content := map[string]*huma.MediaType{}
		for _, t := range types {
			content[t] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
		}
		return huma.Operation{
			OperationID: id, Method: http.MethodGet, Path: at, Tags: tags, Summary: summary,
			Responses: map[string]*huma.Response{
				"200": {Description: http.StatusText(http.StatusOK), Content: content},
				"304": {Description: http.StatusText(http.StatusNotModified)},
			},
		}
	}
	register(s, op("get-statement", "/problems/{problem}/statement", "A file of the statement", plainType, octetType), s.getStatement)
	register(s, op("get-statement-page", "/problems/{problem}/statement/page", "A file of the statement as a page", pageType), s.getStatementPage)
	register(s, op("export-version", "/problems/{problem}/versions/{number}/package", "A version as a package in the format 2025-09", "application/zip"), s.exportVersion)
	register(s, huma.Operation{OperationID: "list-attachments", Method: http.MethodGet, Path: "/problems/{problem}/attachments", Tags: tags, Summary: "The files for those who solve it"}, s.listAttachments)
	register(s, op("get-attachment", "/problems/{problem}/attachments/{name}", "An attachment", octetType), s.getAttachment)
	register(s, huma.Operation{OperationID: "list-samples", Method: http.MethodGet, Path: "/problems/{problem}/samples", Tags: tags, Summary: "The sample cases"}, s.listSamples)
	register(s, op("get-sample", "/problems/{problem}/samples/{case}/{part}", "Input or answer of a sample", plainType), s.getSample)
	register(s, op("get-problem-skeleton", "/problem-skeleton", "A package to begin a problem with", "application/zip"), s.getSkeleton)
}

func (s *Server) getStatement(ctx context.Context, in *statementInput) (*huma.StreamResponse, error) {
	docs, err := s.documents(ctx, in.Problem, in.Contestant)
	if err != nil {
		return nil, err
	}
	d, ok := chosen(docs, in.File)
	if !ok {
		return nil, unknown("statement", in.File)
	}
	return s.send(ctx, statementFile(d), in.Tag)
}

// chosen is the file of a statement that is asked for by name, or the one that is
// read best.
func chosen(docs Documents, file string) (Document, bool) {
	if file != "" || len(docs.Statement) == 0 {
		return find(docs.Statement, file)
	}
	return slices.MinFunc(docs.Statement, func(a, b Document) int { return cmp.Compare(awkward(a.Name), awkward(b.Name)) }), true
}

// awkward is how little a file of a statement is to be shown when none is named.
func awkward(name string) int {
	kind := slices.Index([]string{".md", ".txt", ".html", ".tex", ".pdf"}, strings.ToLower(path.Ext(name)))
	if kind < 0 {
		kind = 100 // a picture
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	if stem != "problem.en" && stem != "problem" {
		kind += 10 // another language, or not the statement itself
	}
	return kind
}

func (s *Server) documents(ctx context.Context, problem, contestant string) (Documents, error) {
	id, err := s.published(ctx, problem, contestant)
	if err != nil {
		return Documents{}, err
	}
	return s.Packages.Documents(ctx, id)
}

func find(docs []Document, name string) (Document, bool) {
	at := slices.IndexFunc(docs, func(d Document) bool { return d.Name == name })
	if at < 0 {
		return Document{}, false
	}
	return docs[at], true
}

func (s *Server) listAttachments(ctx context.Context, in *getProblemInput) (*answer[List[Attachment]], error) {
	docs, err := s.documents(ctx, in.Problem, in.Contestant)
	if err != nil {
		return nil, err
	}
	items := make([]Attachment, 0, len(docs.Attachments))
	for _, d := range docs.Attachments {
		items = append(items, Attachment{d.Name, d.Blob.Size})
	}
	return answered(newList(items, "")), nil
}

func (s *Server) getAttachment(ctx context.Context, in *attachmentInput) (*huma.StreamResponse, error) {
	docs, err := s.documents(ctx, in.Problem, in.Contestant)
	if err != nil {
		return nil, err
	}
	d, ok := find(docs.Attachments, in.Name)
	if !ok {
		return nil, unknown("attachment", in.Name)
	}
	return s.send(ctx, download{name: path.Base(d.Name), kind: octetType, blob: d.Blob}, in.Tag)
}

func (s *Server) samples(ctx context.Context, problem, contestant string) ([]judge.TestCase, error) {
	id, err := s.published(ctx, problem, contestant)
	if err != nil {
		return nil, err
	}
	p, err := s.Packages.Problem(ctx, id)
	if err != nil {
		return nil, err
	}
	return samples(p), nil
}

func samples(p *judge.Problem) []judge.TestCase {
	var out []judge.TestCase
	for _, c := range p.Cases() {
		if c.Sample {
			out = append(out, c.TestCase)
		}
	}
	return out
}

// sampleName is a sample's name below the folder of all samples.
func sampleName(c judge.TestCase) string { return strings.TrimPrefix(c.Name, sample+"/") }

func (s *Server) listSamples(ctx context.Context, in *getProblemInput) (*answer[List[Sample]], error) {
	all, err := s.samples(ctx, in.Problem, in.Contestant)
	if err != nil {
		return nil, err
	}
	items := make([]Sample, 0, len(all))
	for _, c := range all {
		items = append(items, Sample{sampleName(c), c.Input.Size, c.Answer.Size})
	}
	return answered(newList(items, "")), nil
}

func (s *Server) getSample(ctx context.Context, in *sampleInput) (*huma.StreamResponse, error) {
	all, err := s.samples(ctx, in.Problem, in.Contestant)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(c judge.TestCase) bool { return sampleName(c) == in.Case })
	if at < 0 {
		return nil, unknown("sample", in.Case)
	}
	blob := all[at].Input
	if in.Part == "answer" {
		blob = all[at].Answer
	}
	return s.send(ctx, download{kind: plainType, blob: blob}, in.Tag)
}

func (s *Server) getSkeleton(_ context.Context, in *skeletonInput) (*huma.StreamResponse, error) {
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", "application/zip")
		hc.SetHeader("Content-Disposition", disposition(in.Name+".zip"))
		hc.SetStatus(http.StatusOK)
		_ = s.Packages.WriteSkeleton(hc.BodyWriter(), in.Name) // the pattern holds, so it can only be the client that left
	}}, nil
}
