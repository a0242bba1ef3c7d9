package main

import (
	"errors"
	"fmt"
	"time"

	"judge/judge/grader"
	"judge/runner"
	"judge/runner/bench"
)

// benchJudgingCmd measures how much of the machine goes into the programs.
type benchJudgingCmd struct {
	Problem []string `sep:"none" short:"p" default:"testcases/samples" placeholder:"PACKAGE" help:"Packages whose own submissions are judged (${default})."`
	Slots   int      `default:"2" placeholder:"N" help:"Slots (${default})."`
	JSON    bool     `name:"json" help:"One JSON object."`
}

// Help is the long text of judge bench judging --help.
func (*benchJudgingCmd) Help() string {
	return `Judges all submissions of the packages on N slots. value is the programs' own CPU
time over cores times makespan: what is missing from 1 went into compiling,
boxes, validation, and waiting for programs that sleep.`
}

// Run judges and prints one figure.
func (c *benchJudgingCmd) Run(a *app) (err error) {
	st, err := a.openStation(c.Slots, runner.PerRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.close(a.ctx)) }()
	run := &runCmd{Problem: c.Problem}
	packs, err := run.openPackages()
	defer func() {
		for _, p := range packs {
			err = errors.Join(err, p.Close())
		}
	}()
	if err != nil {
		return err
	}
	jobs, err := run.jobs(st, packs)
	if err != nil {
		return err
	}
	start := time.Now()
	run.judgeAll(a, st, jobs, silent{})
	makespan := time.Since(start)
	var programs, compilers time.Duration
	runs := 0
	for _, j := range jobs {
		if j.err != nil {
			return fmt.Errorf("%s: %w", j.title, j.err)
		}
		for _, r := range j.judgement.Runs {
			programs += r.CPUTime
			runs++
		}
		if c := j.judgement.Compile; c != nil {
			compilers += c.CPUTime
		}
	}
	value := programs.Seconds() / (float64(st.sandbox.Slots()) * makespan.Seconds())
	a.report(&bench.Report{Bench: "judging", Case: "samples", Value: &value, Figures: map[string]any{
		"submissions": len(jobs), "runs": runs, "slots": st.sandbox.Slots(), "makespan_s": makespan.Seconds(),
		"programs_cpu_s": programs.Seconds(), "compilers_cpu_s": compilers.Seconds(),
	}}, c.JSON)
	return nil
}

// silent is a report of nothing.
type silent struct{}

func (silent) event(grader.Event) {}
func (silent) judged(*job)        {}
func (silent) finish() error      { return nil }
