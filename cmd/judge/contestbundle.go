package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strconv"

	"judge/api"
	"judge/judge"
	"judge/problems"
)

// contestExportCmd writes a contest as one file.
type contestExportCmd struct {
	serverFlags

	Contest     string `arg:"" name:"contest" help:"The contest's name."`
	Output      string `short:"o" placeholder:"FILE" help:"The zip to write; - for standard output (default: CONTEST.zip here)."`
	Force       bool   `short:"f" help:"Write over a file that is there."`
	Submissions bool   `help:"With all submissions and their sources, for an archive; they are not imported."`
	JSON        bool   `help:"One JSON object: contest, file, size_bytes."`
}

// Help is shown by judge contest export --help.
func (contestExportCmd) Help() string {
	return `A zip: contest.json has the contest's rules and clock, its problems and contestants;
problems/NAME.zip is the published version of each problem, in the format 2025-09.
A problem that this format cannot say is named, and nothing is written.
It holds all secret test data: keep it as you keep those.

Examples:
  judge contest export spring-finals
  judge contest export spring-finals --submissions -o archive/spring-finals.zip`
}

// Run writes it.
func (c *contestExportCmd) Run(a *app) error {
	f := fileOf{serverFlags: c.serverFlags, Contest: c.Contest, Output: c.Output}
	if f.Output == "" {
		if !problemName.MatchString(c.Contest) {
			return badInput{fmt.Errorf("%.80q is no name of a contest", c.Contest)}
		}
		f.Output = c.Contest + ".zip"
	}
	if f.Output == "-" && c.JSON {
		return badInput{errors.New("the zip goes to standard output; --json has no place there")}
	}
	if _, err := os.Lstat(f.Output); !errors.Is(err, fs.ErrNotExist) && f.Output != "-" && !c.Force {
		return badInput{fmt.Errorf("%s is there already; name another with -o, or write over it with --force", f.Output)}
	}
	progress := &uploadBar{bar: newBar(a.err, -1), what: c.Contest + " (KiB)", size: -1}
	defer progress.end()
	var size int64
	err := f.save(a, "export", url.Values{"submissions": {strconv.FormatBool(c.Submissions)}}, func(n int64) {
		size = n
		progress.moved(n)
	})
	progress.end()
	if err != nil || f.Output == "-" {
		return err
	}
	if c.JSON {
		return jsonLines(a.out).Encode(map[string]any{"contest": c.Contest, "file": f.Output, "size_bytes": size})
	}
	_, err = fmt.Fprintln(a.out, f.Output)
	return err
}

// contestImportCmd makes a contest of a file.
type contestImportCmd struct {
	serverFlags

	File   string `arg:"" help:"What judge contest export wrote, or a folder of what is in it."`
	Name   string `placeholder:"NAME" help:"The contest's name; else that in the file."`
	Rename string `placeholder:"PREFIX" help:"What to put before the name of a problem whose name another one has there."`
	DryRun bool   `help:"Change nothing: say what would be made."`
	Exceed bool   `help:"Take limits above the server's ceilings; for admins, and on record."`
	Reason string `placeholder:"TEXT" help:"Why, for the audit log."`
	JSON   bool   `help:"One JSON object."`
}

// Help is shown by judge contest import --help.
func (contestImportCmd) Help() string {
	return `Makes the contest with its contestants and problems, or nothing. A problem that the
server has already, and that judges the same, is used as it is; new ones are published
at once, and verified afterwards: see judge problem verify --help. Tokens and submissions
are not in it: make tokens by judge token create --scope-contest NAME.

Examples:
  judge contest import spring-finals.zip --dry-run
  judge contest import spring-finals.zip --name spring-mirror --rename mirror-`
}

// Run sends the file.
func (c *contestImportCmd) Run(a *app) error {
	p, err := packageAt(c.File)
	if err != nil {
		return err
	}
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	query := url.Values{"dry_run": {strconv.FormatBool(c.DryRun)}, "exceed": {strconv.FormatBool(c.Exceed)}}
	for name, value := range map[string]string{"name": c.Name, "rename": c.Rename, "reason": c.Reason} {
		if value != "" {
			query.Set(name, value)
		}
	}
	progress := &uploadBar{bar: newBar(a.err, int(p.size>>10)), what: safe(p.name) + " (KiB)", size: p.size}
	defer progress.end()
	var out api.ContestImported
	_, err = cl.do(a.ctx, apiCall{
		method: http.MethodPost, path: "contests/import", query: query, length: p.length, once: !c.DryRun,
		header: http.Header{"Content-Type": {"application/zip"}, "Expect": {"100-continue"}}, body: p.body(progress.moved),
	}, &out)
	progress.end()
	if err != nil {
		return err
	}
	if c.JSON {
		return jsonLines(a.out).Encode(out)
	}
	return c.tell(a, &out)
}

func (c *contestImportCmd) tell(a *app, out *api.ContestImported) error {
	var rows [][]string
	for _, p := range out.Problems {
		what := "there already"
		if p.New {
			what = "new"
		}
		if p.Was != p.Problem {
			what += ", was " + safe(p.Was)
		}
		version := "-"
		if p.Number != nil {
			version = strconv.Itoa(*p.Number)
		}
		rows = append(rows, []string{safe(p.Label), safe(p.Problem), version, what})
		for _, f := range p.Findings {
			if f.Severity != string(problems.Info) || a.Verbose {
				line := problems.Finding{Severity: problems.Severity(f.Severity), File: f.File, Line: f.Line, Message: f.Message}
				a.notef("%s: %s\n", safe(p.Problem), judge.SafeText([]byte(line.String()), maxShown))
			}
		}
	}
	for _, name := range out.Left {
		a.notef("%s is left aside: it is for archives\n", safe(name))
	}
	t := table{out: a.out, columns: []column{{title: "label"}, {title: "problem"}, {title: "version", right: true}, {title: "what"}}}
	if err := t.all(rows); err != nil {
		return err
	}
	verb := "is made"
	if out.DryRun {
		verb = "would be made; nothing is changed"
	}
	_, err := fmt.Fprintf(a.out, "\ncontest %s, %s, with %d contestants, %s\n", safe(out.Contest.Name), safe(out.Contest.State), out.Contest.Contestants, verb)
	return err
}
