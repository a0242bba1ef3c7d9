package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"judge/judge"
	"judge/judge/wire"
)

// contestImport is one import of a contest.
type contestImport struct {
	s      *Server
	in     *importContestInput
	bundle Bundle
	left   int64 // bytes that its packages may still unpack to
	taken  []takenProblem
}

// takenProblem is a problem that the contest will have.
type takenProblem struct {
	row      ImportedProblem
	version  string // id of the one that is there; empty: it is new
	stored   StoredPackage
	settings judge.Settings
	enabled  bool
	beyond   []string // ceilings
}

// problems takes all problems of a contest, and gives it the names that they have
// here.
func (im *contestImport) problems(ctx context.Context, f *ContestFile, c *judge.Contest) error {
	said := map[string]ContestPackage{}
	for _, p := range f.Packages {
		said[p.Problem] = p
	}
	var others []string
	for i := range c.Problems {
		p := &c.Problems[i]
		taken, err := im.problem(ctx, said[p.Problem])
		if err != nil {
			return err
		}
		if taken == nil {
			others = append(others, p.Problem)
			continue
		}
		taken.row.Label, taken.row.Was = p.Label, p.Problem
		p.Problem = taken.row.Problem
		im.taken = append(im.taken, *taken)
	}
	if len(others) > 0 {
		e := fault("conflict", "there are other problems of these names: %s; import the contest with rename, a prefix that gives its own other names", strings.Join(others, ", "))
		for _, name := range others {
			e = e.in(packageIn(name), "problem %s here is another one, or has no published version", name)
		}
		return e
	}
	if wrong, ok := errors.AsType[*judge.Fault](c.Check()); ok { // the new names
		return wrongField("query.rename", "%s: %s", wrong.Field, wrong.Text)
	}
	return nil
}

// problem takes one problem under its own name or the one that rename gives it; nil:
// other problems have them.
func (im *contestImport) problem(ctx context.Context, said ContestPackage) (*takenProblem, error) {
	taken, err := im.problemAs(ctx, said, said.Problem)
	if taken == nil && err == nil && im.in.Rename != "" {
		taken, err = im.problemAs(ctx, said, im.in.Rename+said.Problem)
	}
	return taken, err
}

func (im *contestImport) problemAs(ctx context.Context, said ContestPackage, name string) (_ *takenProblem, err error) {
	s, file := im.s, packageIn(said.Problem)
	r, err := im.bundle.Open(file)
	if err != nil {
		return nil, refusalOf(err, "the file is refused whole", "")
	}
	received, err := s.Packages.Receive(ctx, r, Reception{Name: name, Zip: s.Limits.Upload, Unpacked: min(s.Limits.Package.Unpacked, im.left)})
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, refusalOf(err, fmt.Sprintf("the package of problem %s is refused, and the contest with it", said.Problem), file)
	}
	defer func() { err = errors.Join(err, received.Close()) }()
	info, err := s.Records.Problem(ctx, name)
	switch {
	case errors.Is(err, judge.ErrNotFound):
		return im.keep(ctx, said, name, received)
	case err != nil || info.PublishedID == "":
		return nil, err
	}
	v, err := s.Records.VersionInfo(ctx, info.PublishedID)
	if err != nil {
		return nil, err
	}
	same, err := s.sameProblem(ctx, &v, received)
	if !same || err != nil {
		return nil, err
	}
	row := ImportedProblem{Problem: name, Number: wire.Known(v.Number), Digest: v.Digest, Findings: []Finding{}}
	return &takenProblem{row: row, version: v.ID}, nil
}

// sameProblem reports whether a package judges as a version here does: it has its
// digest, or is what the version is when it is exported. What came in another format
// than the one of exports has another digest than they.
func (s *Server) sameProblem(ctx context.Context, v *judge.ProblemVersion, received Received) (bool, error) {
	digest, err := received.Digest()
	if err != nil || digest == v.Digest {
		return err == nil, err
	}
	x, err := s.Packages.Export(ctx, v.ID)
	if _, cannot := isPackageError(err); cannot {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	h := sha256.New()
	if err := x.Write(h); err != nil {
		return false, err
	}
	return hex.EncodeToString(h.Sum(nil)) == received.ZipSHA256(), nil
}

// keep stores a package that is new, but for a dry run.
func (im *contestImport) keep(ctx context.Context, said ContestPackage, name string, received Received) (*takenProblem, error) {
	s, p := im.s, received.Problem()
	beyond, err := s.ceilings(p, im.in.Exceed, packageIn(said.Problem))
	if err != nil {
		return nil, err
	}
	out := &takenProblem{
		row:      ImportedProblem{Problem: name, New: true, Findings: append([]Finding{}, received.Findings()...)},
		settings: judge.Settings{Languages: said.Languages, Feedback: judge.Feedback(said.Feedback)}, enabled: said.Enabled, beyond: beyond,
	}
	for _, c := range p.Cases() {
		im.left -= c.Input.Size + c.Answer.Size
	}
	if im.left = max(im.left, 1); im.in.DryRun { // 0 would be no limit
		out.row.Digest, err = received.Digest()
		return out, err
	}
	if out.stored, err = received.Store(ctx); err != nil {
		return nil, err
	}
	out.row.Digest = out.stored.Digest
	return out, s.Records.Tx(ctx, func(tx Tx) error { return recordBlobs(ctx, tx, out.stored) })
}
