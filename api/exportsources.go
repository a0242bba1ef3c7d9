package api

import (
	"archive/zip"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

type sourcesQuery struct {
	ContestPath

	Which string `query:"which" enum:"best,last,all" default:"best" doc:"Of each contestant at each problem, in each language: the newest accepted one, else the newest; the newest; or all, each in a folder of its own."`
}

func (s *Server) exportSources(ctx context.Context, in *sourcesQuery) (*huma.StreamResponse, error) {
	c, err := s.staffContest(ctx, in.Contest)
	if err != nil {
		return nil, err
	}
	chosen, err := s.chooseSources(ctx, &c, in.Which)
	if err != nil {
		return nil, err
	}
	return s.sent(ctx, typeZip, c.Name+"-sources.zip", func(w io.Writer) error { return s.writeSources(ctx, w, chosen) }), nil
}

// chosenSource is a submission that goes into the zip, and where.
type chosenSource struct {
	judge.Listed

	folder string
}

// chooseSources chooses submissions, newest first.
func (s *Server) chooseSources(ctx context.Context, c *judge.Contest, which string) ([]chosenSource, error) {
	labels := map[string]string{}
	for _, p := range c.Problems {
		labels[p.Problem] = p.Label + "-" + p.Problem
	}
	var out []chosenSource
	at, names := map[string]int{}, newSafeNames()
	err := s.eachSubmission(ctx, judge.SubmissionFilter{Contest: c.Name}, func(l *judge.Listed) error {
		who := cmp.Or(l.Submission.Submitter.ContestantID(), "unknown")
		folder := path.Join(names.of("problem", cmp.Or(labels[l.Submission.Problem], l.Submission.Problem)),
			names.of("language", l.Submission.Language), names.of("contestant", who))
		if which == "all" {
			folder += "__" + l.Submission.CreatedAt.UTC().Format("20060102T150405") + "_" + l.Submission.ID
		}
		i, there := at[folder]
		switch {
		case !there:
			at[folder] = len(out)
			out = append(out, chosenSource{*l, folder})
		case which == "best" && verdictThatCounts(&out[i].Judgement) != judge.AC && verdictThatCounts(&l.Judgement) == judge.AC:
			out[i] = chosenSource{*l, folder}
		}
		return nil
	})
	return out, err
}

func verdictThatCounts(j *judge.Judgement) judge.Verdict {
	if j.Review != nil && j.Review.Verdict != "" {
		return j.Review.Verdict
	}
	return j.Verdict
}

func (s *Server) writeSources(ctx context.Context, w io.Writer, chosen []chosenSource) error {
	z := zip.NewWriter(w)
	var info strings.Builder
	list := csv.NewWriter(&info)
	if err := list.Write([]string{"filename", "label", "full_name", "id", "status", "created_at"}); err != nil {
		return err
	}
	for i := range chosen {
		c := &chosen[i]
		sub, err := s.Records.Submission(ctx, c.Submission.ID)
		if err != nil {
			return fmt.Errorf("read sources of submission %s: %w", c.Submission.ID, err)
		}
		names := newSafeNames()
		for _, f := range sub.Files {
			name := path.Join(c.folder, names.path(cmp.Or(f.Name, "source")))
			if err := addFile(z, name, sub.CreatedAt, f.Data); err != nil {
				return err
			}
			at := wire.Time(sub.CreatedAt)
			person := sub.Submitter
			row := []string{name, cellText(person.ContestantID()), cellText(cmp.Or(person.Name, person.ID)), sub.ID, string(verdictThatCounts(&c.Judgement)), timeCell(&at)}
			if err := list.Write(row); err != nil {
				return err
			}
		}
	}
	list.Flush()
	if err := addFile(z, "info.csv", time.Now(), []byte(info.String())); err != nil {
		return err
	}
	return z.Close()
}

func addFile(z *zip.Writer, name string, at time.Time, data []byte) error {
	f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at})
	if err == nil {
		_, err = f.Write(data)
	}
	return err
}

// safeNames makes names of files of texts that somebody else wrote: no two texts
// get the same one, also where case does not count.
type safeNames struct {
	given map[string]string // by folder and text
	taken map[string]bool   // by folder and lower-case name
}

func newSafeNames() *safeNames { return &safeNames{map[string]string{}, map[string]bool{}} }

const maxSafeName = 80 // bytes

// of is the name of a text in a folder.
func (n *safeNames) of(folder, text string) string {
	key := folder + "\x00" + text
	if name, ok := n.given[key]; ok {
		return name
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, text)
	name = strings.TrimLeft(name, ".-")
	if len(name) > maxSafeName {
		name = name[len(name)-maxSafeName:]
	}
	sum := sha256.Sum256([]byte(text))
	if name == "" || n.taken[folder+"\x00"+strings.ToLower(name)] {
		name = hex.EncodeToString(sum[:4]) + "_" + name
	}
	n.given[key] = name
	n.taken[folder+"\x00"+strings.ToLower(name)] = true
	return name
}

// path is the name of a path, folder by folder: it leads nowhere else.
func (n *safeNames) path(text string) string {
	at := ""
	for part := range strings.SplitSeq(text, "/") {
		at = path.Join(at, n.of(at, part))
	}
	return at
}
