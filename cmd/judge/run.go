package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"judge/judge"
	"judge/judge/grader"
	"judge/problems"
	"judge/runner"
)

// runCmd judges local sources or a package's own submissions.
type runCmd struct {
	Problem    []string          `required:"" sep:"none" short:"p" placeholder:"PACKAGE" help:"Problem package: a folder or a zip. Without sources it may be given several times, and be a folder of packages."`
	Sources    []string          `arg:"" optional:"" name:"source" help:"Files, each a submission; a folder is one submission of several files. None: the package's own."`
	Language   string            `short:"l" placeholder:"ID" help:"Language of the sources; else their extensions tell (see judge languages). Without sources: judge the submissions in it only."`
	Prefer     map[string]string `placeholder:"EXT=ID" help:"What an extension means, as in py=pypy3."`
	TimeLimit  seconds           `placeholder:"D" help:"CPU time for each test case instead of the package's: 1.5s, 300ms, 2."`
	Case       []string          `sep:"none" placeholder:"CASE" help:"Run this test case or group only, named as below data/: secret/03 or sample. May be given several times."`
	All        bool              `help:"Go on after the first case that fails."`
	Transcript bool              `help:"Of interactive problems, show what submission and interactor say to each other."`
	Slots      int               `placeholder:"N" help:"Use at most N cores; else all."`
	Isolation  string            `enum:"run,submission" default:"run" placeholder:"MODE" help:"run: boxes are wiped and used again; submission: each submission gets boxes of its own (${default})."`
	JSON       bool              `help:"One judgement a line, as JSON; times in seconds, sizes in bytes."`
}

// Help is shown by judge run --help.
func (runCmd) Help() string {
	return `Examples:
  judge run --problem testcases/samples/aplusb sum.cpp
  judge run -p aplusb.zip -l pypy3 --time-limit 500ms --all *.py
  judge run -p fence --case sample --case secret/03 --json fence.py | jq .verdict
  judge run -p guess --transcript guess.py
  judge run --problem testcases/samples     the jury's submissions of every package

Sources are compiled and run in boxes; the verdict is that of the first test case, in order, that is not accepted: AC accepted, WA wrong answer, TLE time, MLE memory, OLE output limit exceeded, RE run-time error, CE compile error, JE judging error (ours).

A package's own submissions are held against the verdicts that their folders name.

Exit code 0: it could judge, whatever the verdicts; 1: we failed, or a package's submission did not get the verdict it should; 2: package, sources or flags cannot be used.`
}

// job is one submission to be judged.
type job struct {
	pack     *problems.Package
	title    string // as the table has it
	source   string // as the judgement has it
	jury     bool
	expected []judge.Verdict // empty: any
	files    []judge.File
	entry    string // of files; empty: it is found
	language *judge.Language

	judgement judge.Judgement
	err       error         // why there is no judgement
	done      chan struct{} // closed when one of the two is there
}

// ok reports whether a submission came to what is expected of it.
func (j *job) ok() bool {
	if j.err != nil || j.judgement.Verdict == judge.JE {
		return false
	}
	return len(j.expected) == 0 || slices.Contains(j.expected, j.judgement.Verdict)
}

// Run opens everything at once, judges, and prints.
func (c *runCmd) Run(a *app) (err error) {
	start := time.Now()
	if n := runtime.NumCPU(); c.Slots < 0 || c.Slots > n {
		return badInput{fmt.Errorf("--slots %d: a slot is a core, and judge may use %d", c.Slots, n)}
	}
	var (
		st   *station
		serr error
		wg   sync.WaitGroup
	)
	wg.Go(func() { st, serr = a.openStation(c.Slots, runner.Isolation(c.Isolation)) })
	packs, err := c.openPackages()
	wg.Wait()
	defer func() {
		if st != nil {
			err = errors.Join(err, st.close(a.ctx))
		}
		for _, p := range packs {
			err = errors.Join(err, p.Close())
		}
	}()
	if err != nil || serr != nil { // the package first: it is the caller's to mend
		return firstError(err, serr)
	}
	jobs, err := c.jobs(st, packs)
	if err != nil {
		return err
	}
	if err := st.need(jobs); err != nil {
		return err
	}
	c.remark(a, packs)
	out := c.newReport(a, jobs, start)
	c.judgeAll(a, st, jobs, out)
	return out.finish()
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// remark tells what was found in the packages that their authors should know.
func (c *runCmd) remark(a *app, packs []*problems.Package) {
	if c.JSON {
		return
	}
	for _, p := range packs {
		for _, f := range p.Findings {
			if f.Severity != problems.Info || a.Verbose {
				a.notef("%s: %s\n", p.Problem.Name, f)
			}
		}
		if !p.Problem.TimeLimitSet && c.TimeLimit == 0 {
			a.notef("%s: no time limit is given; %v of CPU time is used, --time-limit changes it\n", p.Problem.Name, judge.DefaultCPU)
		}
	}
}

// judgeAll judges the jobs side by side, one for each slot and one that waits,
// so that no slot is idle between two.
func (c *runCmd) judgeAll(a *app, st *station, jobs []*job, out report) {
	line := make(chan int)
	var wg sync.WaitGroup
	for range min(len(jobs), st.sandbox.Slots()+1) {
		wg.Go(func() {
			for i := range line {
				c.judge(a, st, jobs[i], fmt.Sprint(i), len(jobs) == 1, out)
				close(jobs[i].done)
			}
		})
	}
	wg.Go(func() {
		defer close(line)
		for i := range jobs {
			line <- i
		}
	})
	for _, j := range jobs {
		<-j.done
		out.judged(j)
	}
	wg.Wait()
}

func (c *runCmd) judge(a *app, st *station, j *job, id string, alone bool, out report) {
	if j.err == nil {
		j.err = a.ctx.Err()
	}
	if j.err != nil {
		return
	}
	p := &j.pack.Problem
	cases := len(p.Cases())
	options := grader.Options{All: c.All, Cases: c.Case, MaxSlots: c.Slots}
	if c.Transcript {
		options.Transcripts = grader.AllTranscripts
	}
	j.judgement, j.err = st.grader.Judge(a.ctx, grader.Request{
		ID: id, Problem: p, Data: j.pack, Language: j.language, Files: j.files, Entry: j.entry, Options: options,
	}, func(e grader.Event) {
		if alone && e.State == judge.Compiling {
			st.warm(j.language, min(cases, st.sandbox.Slots()))
		}
		if alone {
			out.event(e)
		}
	})
	j.judgement.Source = j.source
}
