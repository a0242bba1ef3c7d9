package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"judge/api"
)

// fileOf is a file that a server makes of a contest.
type fileOf struct {
	serverFlags

	Contest string `arg:"" name:"contest" help:"The contest's name."`
	Output  string `short:"o" default:"-" placeholder:"FILE" help:"Where to write it; - is standard output (${default})."`
}

// fetch writes it, whole or not at all.
func (f *fileOf) fetch(a *app, below string, query url.Values) error {
	return f.save(a, below, query, func(int64) {})
}

// save is fetch, and says how many bytes there are so far.
func (f *fileOf) save(a *app, below string, query url.Values, moved func(int64)) (err error) {
	cl, err := f.client(a)
	if err != nil {
		return err
	}
	res, err := cl.open(a.ctx, apiCall{method: http.MethodGet, path: "contests/" + url.PathEscape(f.Contest) + "/" + below, query: query})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, res.Body.Close()) }()
	body := io.TeeReader(res.Body, &counter{moved: moved})
	if f.Output == "-" {
		_, err := io.Copy(a.out, body)
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(f.Output), ".judge-*")
	if err != nil {
		return badInput{fmt.Errorf("-o: %w", err)}
	}
	_, err = io.Copy(part, body)
	if err = errors.Join(err, part.Close()); err == nil {
		err = os.Rename(part.Name(), f.Output)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", f.Output, err), os.Remove(part.Name()))
	}
	return nil
}

type contestSubmissionsCmd struct {
	fileOf

	Format string `enum:"csv,json" default:"csv" placeholder:"FORMAT" help:"csv or json (${default})."`
}

// Run writes all submissions of a contest.
func (c *contestSubmissionsCmd) Run(a *app) error { return c.fetch(a, "submissions."+c.Format, nil) }

type contestStandingsCmd struct {
	fileOf

	Format string `enum:"csv,json" default:"csv" placeholder:"FORMAT" help:"csv or json (${default})."`
	View   string `enum:"public,jury" default:"jury" placeholder:"VIEW" help:"public: as everybody may see it; jury: everything (${default})."`
}

// Run writes the board of a contest.
func (c *contestStandingsCmd) Run(a *app) error {
	return c.fetch(a, "standings."+c.Format, url.Values{"view": {c.View}})
}

type contestSourcesCmd struct {
	fileOf

	Which string `enum:"best,last,all" default:"best" placeholder:"WHICH" help:"Of each contestant at each problem: the accepted one, else the last; the last; or all (${default})."`
}

// Help is shown by judge contest sources --help.
func (contestSourcesCmd) Help() string {
	return `A zip of problem/language/contestant/file, with info.csv. Folders problem/language are what JPlag and MOSS compare; Dolos takes the zip.

Example:
  judge contest sources spring-finals -o sources.zip`
}

// Run writes the sources of a contest.
func (c *contestSourcesCmd) Run(a *app) error {
	return c.fetch(a, "sources.zip", url.Values{"which": {c.Which}})
}

type contestImportTeamsCmd struct {
	serverFlags

	Contest string `arg:"" name:"contest" help:"The contest's name."`
	File    string `arg:"" default:"-" help:"The table; - is standard input."`
	DryRun  bool   `help:"Change nothing: say what would be written."`
	Replace bool   `help:"Remove contestants that are not in the table."`
	Reason  string `placeholder:"TEXT" help:"Why, for the audit log."`
	JSON    bool   `help:"One JSON object."`
}

// Help is shown by judge contest import-teams --help.
func (contestImportTeamsCmd) Help() string {
	return `The table is the ICPC's teams.tsv, or has a header: id, name, affiliation, country, groups, hidden, disqualified, start, extra_s, apart by commas, semicolons or tabs. All of it is written, or none.

Examples:
  judge contest import-teams spring-finals teams.tsv --dry-run
  judge contest import-teams spring-finals teams.csv --replace`
}

// maxTable is how large a table may be, in bytes.
const maxTable = 64 << 20

// Run sends the table.
func (c *contestImportTeamsCmd) Run(a *app) error {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	var data []byte
	if c.File == "-" {
		data, err = io.ReadAll(io.LimitReader(a.in, maxTable))
	} else {
		data, err = os.ReadFile(c.File)
	}
	if err != nil {
		return badInput{err}
	}
	query := url.Values{"dry_run": {strconv.FormatBool(c.DryRun)}, "replace": {strconv.FormatBool(c.Replace)}}
	if c.Reason != "" {
		query.Set("reason", c.Reason)
	}
	call := apiCall{
		method: http.MethodPost, path: "contests/" + url.PathEscape(c.Contest) + "/teams/import", query: query, header: http.Header{"Content-Type": {"text/csv"}},
		body:   func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
		length: int64(len(data)),
	}
	var out api.TeamsImported
	if _, err := cl.do(a.ctx, call, &out); err != nil {
		return err
	}
	if c.JSON {
		return jsonLines(a.out).Encode(out)
	}
	verb := "written"
	if c.DryRun {
		verb = "to be written; nothing is changed"
	}
	_, err = fmt.Fprintf(a.out, "%d contestants %s; %d in all\n", len(out.Items), verb, out.Contestants)
	return err
}
