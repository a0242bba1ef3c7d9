package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"judge/judge/grader"
	"judge/problems/blob"
	"judge/runner/docker"
)

// jobsCmd shows scheduled jobs, and runs them by hand.
type jobsCmd struct {
	List jobsListCmd `cmd:"" help:"List the scheduled jobs with their intervals."`
	Run  jobsRunCmd  `cmd:"" help:"Run a scheduled job now."`
}

type jobsListCmd struct {
	choreFlags

	JSON bool `help:"One job a line, as JSON."`
}

// choreLine is a chore as JSON.
type choreLine struct {
	Name   string   `json:"name"`
	Scope  string   `json:"scope"`   // node or cluster
	RunsIn string   `json:"runs_in"` // api or worker; judge serve is both
	Every  *float64 `json:"every_s"` // null: off
	DryRun bool     `json:"dry_run"`
	Help   string   `json:"help"`
}

// Run lists them, as the flags and the configuration have them here.
func (c *jobsListCmd) Run(a *app) error {
	every, err := c.intervals()
	if err != nil {
		return err
	}
	var rows [][]string
	for _, d := range allChores(choreParts{}) {
		line := choreLine{Name: d.name, Scope: string(d.scope), RunsIn: "worker", DryRun: !d.undry, Help: d.help}
		if d.needs == needsRecords {
			line.RunsIn = "api"
		}
		interval := "off"
		if e := every[d.name]; e > 0 {
			s := e.Seconds()
			line.Every, interval = &s, e.String()
		}
		if c.JSON {
			if err := jsonLines(a.out).Encode(line); err != nil {
				return err
			}
		}
		rows = append(rows, []string{d.name, interval, line.Scope, line.RunsIn, d.help})
	}
	if c.JSON {
		return nil
	}
	t := &table{out: a.out, columns: []column{{title: "job"}, {title: "every", right: true}, {title: "scope"}, {title: "runs in"}, {title: "what"}}}
	return t.all(rows)
}

type jobsRunCmd struct {
	databaseFlags
	cacheFlags
	keepFlags

	Name     string `arg:"" help:"The job's name; judge jobs list shows them."`
	DryRun   bool   `help:"Change nothing; count what would be done."`
	Blobs    string `placeholder:"URL" help:"Where test data are kept; else the folder blobs below --data."`
	Testdata int64  `default:"20480" placeholder:"MIB" help:"MiB on disk that cached test data may have (${default})."`
	JSON     bool   `help:"One JSON object."`
}

// Help is shown by judge jobs run --help.
func (jobsRunCmd) Help() string {
	return `The service does this by itself; by hand it is for who cannot wait, and for a dry run of a policy before it is set. A job that another process does at the same moment is not done twice.

Examples:
  judge jobs run blobs --dry-run
  judge jobs run submissions --keep-submissions 8760h --dry-run`
}

// Run opens what the job works on, and runs it.
func (c *jobsRunCmd) Run(a *app) (err error) {
	chores := allChores(choreParts{})
	i := slices.IndexFunc(chores, func(d chore) bool { return d.name == c.Name })
	if i < 0 {
		var names []string
		for _, d := range chores {
			names = append(names, d.name)
		}
		return badInput{fmt.Errorf("there is no job %q; there are %s", c.Name, strings.Join(names, ", "))}
	}
	if c.DryRun && chores[i].undry {
		return badInput{fmt.Errorf("job %s cannot say what it would do; it removes only what nobody has a use for", c.Name)}
	}
	parts, closeParts, err := c.open(a, chores[i].needs)
	defer func() { err = errors.Join(err, closeParts()) }()
	if err != nil {
		return err
	}
	begun := time.Now()
	done, err := (&scheduler{locks: parts.records, log: a.log()}).run(a.ctx, allChores(parts)[i], c.DryRun)
	if err != nil {
		return err
	}
	if c.JSON {
		return jsonLines(a.out).Encode(map[string]any{"job": c.Name, "dry_run": c.DryRun, "done": done, "took_s": time.Since(begun).Seconds()})
	}
	verb := "done"
	if c.DryRun {
		verb = "to be done"
	}
	_, err = fmt.Fprintf(a.out, "%s: %d %s\n", c.Name, done, verb)
	return err
}

// open opens what a job needs. What it returns to close it with is never nil.
func (c *jobsRunCmd) open(a *app, needs choreNeeds) (p choreParts, closeAll func() error, err error) {
	var open closers
	p.cacheFlags, p.keepFlags = c.cacheFlags, c.keepFlags
	switch needs {
	case needsEngine:
		p.sandbox, err = docker.New(a.ctx, docker.Options{CacheDir: a.CacheDir, Log: a.log()})
		if err == nil {
			open.add(func() error {
				ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), closePatience)
				defer cancel()
				return p.sandbox.Close(ctx)
			})
		}
	case needsCaches:
		err = c.openCaches(a, &p, &open)
	case needsRecords:
		err = c.openRecords(a, &p, &open)
	}
	return p, open.close, err
}

func (c *jobsRunCmd) openBlobs(a *app, p *choreParts, open *closers) (err error) {
	url, err := a.blobsURL(c.Blobs)
	if err != nil {
		return err
	}
	if p.blobs, err = blob.Open(a.ctx, url, ""); err == nil {
		open.add(p.blobs.Close)
	}
	return err
}

func (c *jobsRunCmd) openCaches(a *app, p *choreParts, open *closers) (err error) {
	if err := c.openBlobs(a, p, open); err != nil {
		return err
	}
	if p.executables, err = grader.NewCache(filepath.Join(a.CacheDir, "executables")); err != nil {
		return err
	}
	p.testdata, err = blob.OpenCache(p.blobs, blob.CacheOptions{Dir: filepath.Join(a.CacheDir, "testdata"), Budget: c.Testdata << 20})
	if err == nil {
		open.add(p.testdata.Close)
	}
	return err
}

func (c *jobsRunCmd) openRecords(a *app, p *choreParts, open *closers) error {
	db, err := a.openDatabase(c.DatabaseURL)
	if err != nil {
		return err
	}
	open.add(db.Close)
	if err := db.Check(a.ctx); err != nil {
		return err
	}
	if p.records, err = newRecords(db.Store); err != nil {
		return err
	}
	if err := c.openBlobs(a, p, open); err != nil {
		return err
	}
	p.uploads, err = blob.OpenUploads(a.uploadsDir())
	return err
}
