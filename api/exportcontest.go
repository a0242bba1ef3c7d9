package api

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
)

// A contest as one zip: contest.json; problems/NAME.zip, each problem's published
// version in the format 2025-09; and for archives submissions.json and sources.zip.
// Files have no times, and lie in this order.
const (
	contestFormat      = 1
	contestFileName    = "contest.json"
	contestSubmissions = "submissions.json"
	contestSources     = "sources.zip"
)

// packageIn is where a problem's package lies in a contest's zip.
func packageIn(problem string) string { return "problems/" + problem + ".zip" }

// ContestFile is contest.json.
type ContestFile struct {
	Format      int              `json:"format"`
	Contest     Contest          `json:"contest"`
	Packages    []ContestPackage `json:"packages"`
	Contestants []Contestant     `json:"contestants"`
}

// ContestPackage is what is set for a problem beside what its package says. A time
// limit that was set, or found by verification, is in the package.
type ContestPackage struct {
	Problem   string   `json:"problem"`
	Enabled   bool     `json:"enabled"`
	Languages []string `json:"languages"`
	Feedback  string   `json:"feedback"`
}

type exportContestInput struct {
	ContestPath

	Submissions bool `query:"submissions" doc:"With submissions.json, and all sources as sources.zip, for archives; they are not imported."`
}

// contestExport is a contest that is ready to be written.
type contestExport struct {
	file     ContestFile
	versions []string // ids, one for each of the file's packages
	sources  []chosenSource
	with     bool // submissions
}

func (s *Server) exportContestFile(ctx context.Context, in *exportContestInput) (*huma.StreamResponse, error) {
	c, err := s.staffContest(ctx, in.Contest)
	if err != nil {
		return nil, err
	}
	x := contestExport{file: ContestFile{Format: contestFormat, Packages: []ContestPackage{}, Contestants: []Contestant{}}, with: in.Submissions}
	for _, p := range c.Problems {
		if err := s.exportProblem(ctx, &x, p.Problem); err != nil {
			return nil, err
		}
	}
	inMilliseconds(&c)
	if x.file.Contest, err = s.showContest(ctx, s.Records, &c); err != nil {
		return nil, err
	}
	who, err := s.Records.Contestants(ctx, c.Name, judge.ContestantFilter{}, "", 0)
	if err != nil {
		return nil, err
	}
	for i := range who {
		x.file.Contestants = append(x.file.Contestants, newContestant(&who[i]))
	}
	x.file.Contest.Contestants = len(who)
	if in.Submissions {
		if x.sources, err = s.chooseSources(ctx, &c, "all"); err != nil {
			return nil, err
		}
	}
	return s.sent(ctx, typeZip, c.Name+".zip", func(w io.Writer) error { return s.writeContest(ctx, w, &x) }), nil
}

// inMilliseconds cuts a contest's times as JSON does, so that its end is counted from
// what the file says.
func inMilliseconds(c *judge.Contest) {
	c.Start = c.Start.Truncate(time.Millisecond)
	for i := range c.Pauses {
		p := &c.Pauses[i]
		p.From, p.Until = p.From.Truncate(time.Millisecond), p.Until.Truncate(time.Millisecond)
	}
}

// exportProblem sees to it that a problem can be exported. What it takes in memory
// is given up again: there may be many.
func (s *Server) exportProblem(ctx context.Context, x *contestExport, name string) error {
	if !isStaff(tokenOf(ctx), name) {
		return fault("forbidden", "this token is no staff of problem %s, whose package would be in the file", name)
	}
	info, err := s.Records.Problem(ctx, name)
	if err != nil {
		return err
	}
	if info.PublishedID == "" {
		return fault("conflict", "problem %s has no published version to be exported; publish one, or take it out of the contest", name)
	}
	v, err := s.Records.VersionInfo(ctx, info.PublishedID)
	if err != nil {
		return err
	}
	if _, err := s.Packages.Export(ctx, v.ID); err != nil {
		return refusalOf(err, fmt.Sprintf("problem %s cannot be said in the format 2025-09", name), packageIn(name))
	}
	x.versions = append(x.versions, v.ID)
	x.file.Packages = append(x.file.Packages, ContestPackage{
		Problem: name, Enabled: info.Enabled, Languages: append([]string{}, v.Settings.Languages...), Feedback: string(v.Settings.Feedback),
	})
	return nil
}

func (s *Server) writeContest(ctx context.Context, w io.Writer, x *contestExport) error {
	text, err := json.MarshalIndent(x.file, "", " ")
	if err != nil {
		return fmt.Errorf("write %s: %w", contestFileName, err)
	}
	z := zip.NewWriter(w)
	err = timeless(z, contestFileName, zip.Deflate, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
	for i, id := range x.versions {
		if err != nil {
			return err
		}
		err = timeless(z, packageIn(x.file.Packages[i].Problem), zip.Store, func(w io.Writer) error {
			p, err := s.Packages.Export(ctx, id)
			if err != nil {
				return err
			}
			return p.Write(w)
		})
	}
	if x.with && err == nil {
		err = errors.Join(
			timeless(z, contestSubmissions, zip.Deflate, func(w io.Writer) error {
				return s.writeJSON(ctx, w, judge.SubmissionFilter{Contest: x.file.Contest.Name})
			}),
			timeless(z, contestSources, zip.Store, func(w io.Writer) error { return s.writeSources(ctx, w, x.sources) }),
		)
	}
	if err != nil {
		return err
	}
	return z.Close()
}

// timeless writes a file whose header says nothing of when that was. Zips begin in
// 1980.
func timeless(z *zip.Writer, name string, method uint16, write func(io.Writer) error) error {
	f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err == nil {
		err = write(f)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
