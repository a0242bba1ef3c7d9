package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// contestPackages is how many times what one package may hold a contest may, on its
// way and unpacked.
const contestPackages = 4

func contestBytes(l *Limits) int64 { return contestPackages * l.Upload }

func (s *Server) contestFileRoutes(tags []string) {
	binary := &huma.Schema{Type: huma.TypeString, Format: "binary"}
	register(s, huma.Operation{
		OperationID: "export-contest", Method: http.MethodGet, Path: "/contests/{contest}/export", Tags: tags, Summary: "A contest as one file, for another server to import",
		Description: "A zip: contest.json has the contest with problems and contestants; problems/NAME.zip is the published version of each, in the format 2025-09. " +
			"409, 422: a problem has no published version, or the format cannot say what it is. Equal contests give equal bytes, but for state, created_at and revision in contest.json.",
		Responses: map[string]*huma.Response{"200": {Description: http.StatusText(http.StatusOK), Content: map[string]*huma.MediaType{typeZip: {Schema: binary}}}},
	}, s.exportContestFile)
	register(s, huma.Operation{
		OperationID: "import-contest", Method: http.MethodPost, Path: "/contests/import", DefaultStatus: http.StatusCreated, Tags: tags, Summary: "Make the contest that a file is of",
		Description: "Whole or not at all: contest, contestants and problems. A problem that is there and judges the same is used as it is, with its own settings; " +
			"others are made and published at once, and verified afterwards. Submissions in the file are left aside. For tokens without a scope. " +
			"409: the contest's name, or that of a problem, is taken by another one. 200: with dry_run.",
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{typeZip: {Schema: binary}}},
		Responses: map[string]*huma.Response{"200": {
			Description: "It could be imported",
			Content:     map[string]*huma.MediaType{typeJSON: {Schema: s.schemaOf(reflect.TypeFor[ContestImported]())}},
		}},
	}, s.importContest)
}

type importContestInput struct {
	Name   string `query:"name" maxLength:"64" doc:"Of the contest; else that in the file."`
	Rename string `query:"rename" maxLength:"32" doc:"What is put before the name of a problem whose name another one has here."`
	DryRun bool   `query:"dry_run" doc:"Change nothing: say what would be made."`
	Exceed bool   `query:"exceed" doc:"Take problems though they ask for more than this server's ceilings; only for admins."`
	Reason string `query:"reason" maxLength:"800"`
}

type importedContest struct {
	Status   int
	Location string `header:"Location"`
	Tag      string `header:"ETag"`
	Body     ContestImported
}

// ContestImported says what an import made, or would make.
type ContestImported struct {
	DryRun   bool              `json:"dry_run"`
	Contest  Contest           `json:"contest"`
	Problems []ImportedProblem `json:"problems"`
	Left     []string          `json:"left" doc:"Files that were left aside: they are for archives."`
}

// ImportedProblem is a problem of a contest that was imported.
type ImportedProblem struct {
	Label    string    `json:"label"`
	Problem  string    `json:"problem"`
	Was      string    `json:"name_in_file"`
	New      bool      `json:"new" doc:"False: it was there, and is used as it is."`
	Number   *int      `json:"number" doc:"Of the version; null: not made yet."`
	Digest   string    `json:"digest" doc:"Of the version that is there, or was made."`
	Findings []Finding `json:"findings"`
}

func (s *Server) importContest(ctx context.Context, in *importContestInput) (*importedContest, error) {
	if in.Exceed && tokenOf(ctx).Role != judge.RoleAdmin {
		return nil, fault("forbidden", "only an admin may exceed this server's ceilings").in("query.exceed", "only for admins")
	}
	zip, err := packageOf(requestOf(ctx))
	if err != nil {
		return nil, err
	}
	b, err := s.Packages.ReceiveBundle(ctx, zip, contestBytes(&s.Limits))
	if err != nil {
		return nil, refusalOf(err, "the file is refused whole", "")
	}
	im := &contestImport{s: s, in: in, bundle: b, left: contestPackages * s.Limits.Package.Unpacked}
	out, err := im.run(ctx)
	return out, errors.Join(err, b.Close())
}

// run reads and stores all, and then puts it on record in one short transaction.
// What was stored before a failure nothing refers to, and it is swept.
func (im *contestImport) run(ctx context.Context) (*importedContest, error) {
	f, aside, err := im.s.readContestFile(im.bundle)
	if err != nil {
		return nil, err
	}
	c := f.contest()
	if im.in.Name != "" {
		c.Name = im.in.Name
	}
	if err := im.s.checkContestFile(f, &c); err != nil {
		return nil, err
	}
	switch _, err := im.s.Records.ContestInfo(ctx, c.Name); {
	case err == nil:
		return nil, contestTaken(c.Name)
	case !errors.Is(err, judge.ErrNotFound):
		return nil, err
	}
	if !im.in.DryRun {
		release, err := im.s.Records.Lock(ctx, blobsLock, true)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	if err := im.problems(ctx, f, &c); err != nil {
		return nil, err
	}
	out := &importedContest{Status: http.StatusCreated, Body: ContestImported{DryRun: im.in.DryRun, Problems: []ImportedProblem{}, Left: append([]string{}, aside...)}}
	if im.in.DryRun {
		out.Status = http.StatusOK
		c.CreatedAt = im.s.now()
		out.Body.Contest, err = im.s.showContest(ctx, im.s.Records, &c)
		out.Body.Contest.Contestants = len(c.Contestants)
	} else {
		err = im.record(ctx, &c, out)
	}
	for i := range im.taken {
		out.Body.Problems = append(out.Body.Problems, im.taken[i].row)
	}
	return out, err
}

func contestTaken(name string) *Error {
	return fault("conflict", "there is a contest %s already; import this one under another name", name).in("query.name", "%s is taken", name)
}

// record makes the new problems and the contest, or nothing.
func (im *contestImport) record(ctx context.Context, c *judge.Contest, out *importedContest) error {
	entry := judge.AuditEntry{Action: "contest.import", Object: c.Name, Reason: im.in.Reason}
	var made []map[string]any
	return im.s.Records.Tx(ctx, func(tx Tx) error {
		for i := range im.taken {
			p := &im.taken[i]
			if err := im.recordProblem(ctx, tx, c.Name, p); err != nil {
				return err
			}
			made = append(made, map[string]any{"problem": p.row.Problem, "name_in_file": p.row.Was, "new": p.row.New, "number": p.row.Number, "digest": p.row.Digest})
		}
		k, err := tx.CreateContest(ctx, *c)
		if isConflict(err) {
			return contestTaken(c.Name)
		}
		if err != nil {
			return err
		}
		if out.Body.Contest, err = im.s.showContest(ctx, tx, &k); err != nil {
			return err
		}
		out.Location, out.Tag = base+"/contests/"+c.Name, contestTag(&k, out.Body.Contest.State)
		entry.Detail = detail(map[string]any{"problems": made, "contestants": len(c.Contestants), "start": moment(c.Start)})
		return audit(ctx, tx, entry)
	})
}

// recordProblem makes a problem that is new, and looks once more at one that is
// there: neither is locked while files are read.
func (im *contestImport) recordProblem(ctx context.Context, tx Tx, contest string, p *takenProblem) error {
	changed := fault("conflict", "problem %s was changed while the contest was imported; import it again", p.row.Problem)
	if !p.row.New {
		now, err := tx.Problem(ctx, p.row.Problem)
		if err == nil && now.PublishedID != p.version {
			err = changed
		}
		return err
	}
	v := versionOf(ctx, p.row.Problem, p.stored)
	v.Settings = p.settings
	reason := "imported with contest " + contest
	if im.in.Reason != "" {
		reason += ": " + im.in.Reason
	}
	how := &uploadInput{Name: p.row.Problem, Publish: publishNow, Reason: reason}
	v, err := addVersion(ctx, tx, how, v, p.row.Findings, p.beyond)
	switch {
	case err != nil:
		return fmt.Errorf("record problem %s: %w", p.row.Problem, err)
	case v.Number != 1:
		return changed
	}
	p.row.Number = wire.Known(v.Number)
	if !p.enabled {
		return tx.EnableProblem(ctx, p.row.Problem, false)
	}
	return nil
}
