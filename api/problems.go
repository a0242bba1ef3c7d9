package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// ProblemItem is a problem in a list.
type ProblemItem struct {
	Name      string    `json:"name"`
	Title     *string   `json:"title" doc:"Of the published version."`
	Enabled   bool      `json:"enabled" doc:"Whether submissions are taken, and any but staff may see it."`
	Published *int      `json:"published" doc:"Number of the published version; null: there is none."`
	CreatedAt wire.Time `json:"created_at"`
}

// Problem is a problem as its published version has it; without one, what that
// would tell is null or empty.
type Problem struct {
	ProblemItem

	Version     *string        `json:"version" doc:"Digest of the published version."`
	Limits      *ProblemLimits `json:"limits"`
	Languages   []string       `json:"languages" doc:"Ids of those that may be used; empty: all."`
	Feedback    *string        `json:"feedback" enum:"full,cases,first_failed,verdict,none"`
	Samples     []string       `json:"samples" doc:"Names of the sample cases."`
	Statements  []string       `json:"statements" doc:"Files of the statement, with its pictures."`
	Attachments []string       `json:"attachments"`
}

// ProblemLimits are what a submission is held to, before what a language adds.
type ProblemLimits struct {
	Time      float64 `json:"time_limit_s" doc:"CPU time of a run."`
	Wall      float64 `json:"wall_time_limit_s"`
	Memory    int64   `json:"memory_limit_bytes"`
	Output    int64   `json:"output_limit_bytes"`
	Code      int64   `json:"code_limit_bytes"`
	Processes int     `json:"process_limit" doc:"Processes and threads at once."`
}

// ProblemPath names the problem that a request is about.
type ProblemPath struct {
	Problem string `path:"problem" maxLength:"64" doc:"Name of the problem."`
}

// ReaderQuery says for whom a problem is read.
type ReaderQuery struct {
	Contestant string `query:"contestant" maxLength:"255" doc:"Id of a contestant who has a start of its own: the problems of its contests are there from that moment on, not from the contest's."`
}

func (s *Server) problemRoutes() {
	tags := []string{"problems"}
	register(s, huma.Operation{
		OperationID: "list-problems", Method: http.MethodGet, Path: "/problems", Tags: tags, Summary: "List problems, by name",
		Description: "Who is not staff sees those that have a published version and are enabled or in a contest; those of a contest only once it has begun.",
	}, s.listProblems)
	register(s, huma.Operation{OperationID: "get-problem", Method: http.MethodGet, Path: "/problems/{problem}", Tags: tags, Summary: "A problem as its published version has it"}, s.getProblem)
	register(s, huma.Operation{OperationID: "update-problem", Method: http.MethodPatch, Path: "/problems/{problem}", Tags: tags, Summary: "Open or close a problem"}, s.updateProblem)
	s.uploadRoutes(tags)
	s.versionRoutes(tags)
	s.verificationRoutes()
	s.fileRoutes(tags)
}

// problem finds a problem that the caller may know of. Who is not staff may not
// know of one that was never published.
func (s *Server) problem(ctx context.Context, name string) (judge.ProblemInfo, error) {
	return s.problemFor(ctx, name, "")
}

// problemFor is problem for a contestant; empty: for whoever.
func (s *Server) problemFor(ctx context.Context, name, contestant string) (judge.ProblemInfo, error) {
	info, err := s.Records.Problem(ctx, name)
	if err == nil {
		var shown []bool
		shown, err = s.showProblems(ctx, []judge.ProblemInfo{info}, contestant)
		if err == nil && !shown[0] {
			err = judge.ErrNotFound
		}
	}
	return info, named(err, "problem", name)
}

// staffProblem is problem for what only its staff may.
func (s *Server) staffProblem(ctx context.Context, name string) error {
	_, err := s.problem(ctx, name)
	if err == nil && !isStaff(tokenOf(ctx), name) {
		err = unknown("problem", name)
	}
	return err
}

func (s *Server) listProblems(ctx context.Context, in *Paging) (*answer[List[ProblemItem]], error) {
	after, err := readCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	items := []ProblemItem{}
	for range pagesLooked {
		page, err := s.Records.Problems(ctx, after, in.Limit)
		if err != nil {
			return nil, err
		}
		shown, err := s.showProblems(ctx, page, "")
		if err != nil {
			return nil, err
		}
		for i := range page {
			if len(items) == in.Limit {
				return answered(newList(items, cursorOf(after))), nil
			}
			after = page[i].Name
			if !shown[i] {
				continue
			}
			item, err := s.problemItem(ctx, &page[i])
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		if len(page) < in.Limit {
			return answered(newList(items, "")), nil
		}
	}
	return answered(newList(items, cursorOf(after))), nil
}

func (s *Server) problemItem(ctx context.Context, info *judge.ProblemInfo) (ProblemItem, error) {
	item := ProblemItem{Name: info.Name, Enabled: info.Enabled, Published: wire.Known(info.Published), CreatedAt: wire.Time(info.CreatedAt)}
	if info.PublishedID == "" {
		return item, nil
	}
	summary, err := s.Packages.Summary(ctx, info.PublishedID)
	item.Title = wire.Known(summary.Title)
	return item, err
}

type getProblemInput struct {
	ProblemPath
	ReaderQuery
}

func (s *Server) getProblem(ctx context.Context, in *getProblemInput) (*answer[Problem], error) {
	info, err := s.problemFor(ctx, in.Problem, in.Contestant)
	if err != nil {
		return nil, err
	}
	return s.answerProblem(ctx, &info)
}

func (s *Server) answerProblem(ctx context.Context, info *judge.ProblemInfo) (*answer[Problem], error) {
	out := Problem{Languages: []string{}, Samples: []string{}, Statements: []string{}, Attachments: []string{}}
	var err error
	if out.ProblemItem, err = s.problemItem(ctx, info); err != nil || info.PublishedID == "" {
		return answered(out), err
	}
	version, err := s.Records.VersionInfo(ctx, info.PublishedID)
	if err != nil {
		return nil, err
	}
	p, err := s.Packages.Problem(ctx, version.ID)
	if err != nil {
		return nil, err
	}
	docs, err := s.Packages.Documents(ctx, version.ID)
	if err != nil {
		return nil, err
	}
	out.Version, out.Feedback = wire.Known(version.Digest), wire.Known(string(version.Settings.Feedback))
	out.Limits = newLimits(*p, &version)
	out.Languages = append(out.Languages, version.Settings.Languages...)
	out.Statements, out.Attachments = names(docs.Statement), names(docs.Attachments)
	for _, c := range samples(p) {
		out.Samples = append(out.Samples, sampleName(c))
	}
	return answered(out), nil
}

func newLimits(p judge.Problem, v *judge.ProblemVersion) *ProblemLimits {
	v.Apply(&p)
	l := p.Limits.WithDefaults()
	return &ProblemLimits{
		Time: l.CPU.Seconds(), Wall: l.Wall.Seconds(), Memory: l.Memory, Output: l.Output, Code: codeOf(&p), Processes: l.Processes,
	}
}

func codeOf(p *judge.Problem) int64 {
	if p.Code > 0 {
		return p.Code
	}
	return judge.DefaultCode
}

func names(docs []Document) []string {
	out := make([]string, 0, len(docs))
	for _, d := range docs {
		out = append(out, d.Name)
	}
	return out
}

type updateProblemInput struct {
	ProblemPath

	Body struct {
		Enabled bool   `json:"enabled" doc:"Whether submissions are taken, and any but staff may see it."`
		Reason  string `json:"reason,omitempty" maxLength:"1000"`
	}
}

func (s *Server) updateProblem(ctx context.Context, in *updateProblemInput) (*answer[Problem], error) {
	if err := s.staffProblem(ctx, in.Problem); err != nil {
		return nil, err
	}
	action := map[bool]string{true: "problem.enable", false: "problem.disable"}[in.Body.Enabled]
	entry := judge.AuditEntry{Action: action, Object: in.Problem, Reason: in.Body.Reason}
	err := s.changed(ctx, entry, func(tx Tx) error { return tx.EnableProblem(ctx, in.Problem, in.Body.Enabled) })
	if err != nil {
		return nil, named(err, "problem", in.Problem)
	}
	return s.getProblem(ctx, &getProblemInput{ProblemPath: in.ProblemPath})
}

// published is the version that the caller reads a problem's files in.
func (s *Server) published(ctx context.Context, name, contestant string) (string, error) {
	info, err := s.problemFor(ctx, name, contestant)
	if err == nil && info.PublishedID == "" {
		err = fault("not-found", "problem %.80q has no published version", name)
	}
	return info.PublishedID, err
}

// isPackageError finds what is wrong with a package.
func isPackageError(err error) (*PackageError, bool) { return errors.AsType[*PackageError](err) }
