package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"judge/judge"
	"judge/problems"
)

// submitCmd hands sources in at a server.
type submitCmd struct {
	serverFlags

	Sources   []string `arg:"" optional:"" name:"file" help:"Files, each a submission; a folder is one submission of several files."`
	Problem   string   `short:"p" placeholder:"NAME" help:"The problem, as the server names it."`
	Package   []string `sep:"none" placeholder:"PACKAGE" help:"Instead of files: submit the package's own submissions and hold their verdicts against what their folders name. A folder of packages too."`
	Language  string   `short:"l" placeholder:"ID" help:"Language of the sources; else their extensions tell (see judge languages). With --package: those in it only."`
	Entry     string   `placeholder:"FILE" help:"The file with the entry point; else it is found."`
	One       bool     `help:"All files are one submission."`
	Contest   string   `placeholder:"NAME" help:"The contest that it is handed in at; --problem may be a label of it."`
	Team      string   `placeholder:"ID" help:"The submitter's team: in a contest, the contestant."`
	Submitter string   `placeholder:"ID" help:"The person it is for; else the token itself, with --package the problem's jury."`
	Wait      bool     `short:"w" help:"Show the verdicts as they fall, then a table; with --package always."`
	JSON      bool     `help:"One judgement a line, as JSON; without --wait one submission a line."`
}

// Help is shown by judge submit --help.
func (submitCmd) Help() string {
	return `Examples:
  judge submit sum.cpp --problem aplusb --wait
  judge submit --problem aplusb --one main.cpp sum.cpp sum.h
  judge submit -p aplusb --wait --json *.py | jq .verdict
  judge submit sum.cpp --contest spring --problem A --team red --wait
  judge submit --package testcases/samples

What was accepted is kept and judged, also when this command is interrupted.

Exit code 0: it was accepted and, with --wait, judged, whatever the verdicts; 1: we or the server failed, or a package's submission did not get the verdict it should; 2: sources, flags or token are refused.`
}

// entry is a submission on its way.
type entry struct {
	*job

	problem string
	id      string // of the language that the package says; empty: it says none
	info    submissionInfo
	posted  chan struct{} // closed when the server has answered, or err is set
	feed    chan tidings  // what happens to it; closed when it is judged, or err is set
}

func (c *submitCmd) check() error {
	switch {
	case len(c.Package) > 0 && (len(c.Sources) > 0 || c.Problem != "" || c.One || c.Entry != "" || c.Contest != ""):
		return badInput{errors.New("--package submits the package's own submissions: give it neither files nor --problem, --one, --entry, --contest")}
	case len(c.Package) > 0:
		return nil
	case len(c.Sources) == 0:
		return badInput{errors.New("name the files to submit, or --package")}
	case c.Problem == "":
		return badInput{errors.New("--problem NAME: which problem is it? judge problem list shows them")}
	}
	return nil
}

// Run hands everything in, and shows what comes of it.
func (c *submitCmd) Run(a *app) (err error) {
	start := time.Now()
	if err := c.check(); err != nil {
		return err
	}
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	var entries []*entry
	if len(c.Package) > 0 {
		run := &runCmd{Problem: c.Package}
		packs, err := run.openPackages()
		defer func() {
			for _, p := range packs {
				err = errors.Join(err, p.Close())
			}
		}()
		if err != nil {
			return err
		}
		entries = c.jury(packs)
		if len(entries) == 0 {
			return badInput{fmt.Errorf("%s: no submissions of its own", strings.Join(c.Package, ", "))}
		}
	} else if entries, err = c.sources(); err != nil {
		return err
	}
	d := &delivery{cmd: c, app: a, client: cl, entries: entries}
	if c.Wait || len(c.Package) > 0 {
		return d.watch(start)
	}
	return d.handIn()
}

// sources are the submissions that the command line names.
func (c *submitCmd) sources() ([]*entry, error) {
	var all []*entry
	for _, path := range c.Sources {
		files, err := problems.ReadSource(path, problems.MaxCode)
		if err != nil {
			return nil, readable(err)
		}
		if c.One && len(all) > 0 {
			all[0].files = append(all[0].files, files...)
			all[0].title += " " + path
			continue
		}
		all = append(all, c.entry(c.Problem, &job{title: path, source: path, files: files}))
	}
	if c.One {
		all[0].source = all[0].title
	}
	return all, nil
}

// jury are the packages' own submissions.
func (c *submitCmd) jury(packs []*problems.Package) []*entry {
	var all []*entry
	for _, p := range packs {
		for _, s := range p.Problem.Jury {
			title := s.Name
			if len(packs) > 1 {
				title = p.Problem.Name + "/" + s.Name
			}
			e := c.entry(p.Problem.Name, &job{
				pack: p, title: title, source: s.Name, jury: true, expected: s.Expected, files: s.Files, entry: s.Entry,
			})
			e.id = s.Language
			all = append(all, e)
		}
	}
	return all
}

func (c *submitCmd) entry(problem string, j *job) *entry {
	j.done = make(chan struct{})
	if j.pack == nil {
		j.pack = &problems.Package{Problem: judge.Problem{Name: problem}}
	}
	return &entry{job: j, problem: problem, posted: make(chan struct{}), feed: make(chan tidings, feedLength)}
}

// body is what is posted of an entry.
func (c *submitCmd) body(e *entry) newSubmission {
	s := newSubmission{Problem: e.problem, Contest: c.Contest, Language: cmp.Or(c.Language, e.id), Entry: cmp.Or(c.Entry, e.entry)}
	switch {
	case c.Submitter != "":
		s.Submitter = &submitterInfo{ID: c.Submitter}
	case e.jury:
		s.Submitter = &submitterInfo{ID: "jury of " + e.problem}
	case c.Team != "":
		s.Submitter = &submitterInfo{ID: c.Team}
	}
	if c.Team != "" {
		s.Submitter.Team = c.Team
	}
	for _, f := range e.files {
		s.Files = append(s.Files, newFile{f.Name, f.Data})
	}
	return s
}
