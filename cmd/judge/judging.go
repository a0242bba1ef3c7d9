package main

import (
	"context"
	"errors"
	"fmt"

	"judge/judge"
	"judge/judge/grader"
	"judge/judge/store"
	"judge/judge/work"
	"judge/migrations"
	"judge/problems/blob"
	"judge/runner/docker"
)

// judging has tasks judged: it gives the grader the problem that a task's version
// is, as its settings have it, and the language.
type judging struct {
	store    *store.Store
	station  *station
	testdata *blob.Cache
	problems recent[*judge.Problem]
}

// judge is work.Config's Judge.
func (g *judging) judge(ctx context.Context, t judge.Task, on func(work.Progress)) (judge.Judgement, error) {
	problem, err := g.problem(ctx, t.VersionID)
	if err != nil {
		return judge.Judgement{}, err
	}
	lang, ok := g.station.languages.Get(t.Submission.Language)
	if !ok && !problem.SubmitAnswer { // whose files are in no language
		return judge.Judgement{}, fmt.Errorf("this worker's build has no language %q; judge languages lists what it has", t.Submission.Language)
	}
	request := grader.Request{
		ID: t.JudgementID, Problem: problem, Data: g.testdata.Data(ctx), Language: lang,
		Files: t.Submission.Files, Entry: t.Submission.Entry, Options: grader.Options{Outputs: grader.KeepBeginnings, Transcripts: grader.SampleTranscripts},
	}
	boxes := min(len(problem.Cases()), g.station.sandbox.Slots())
	if t.Inspect != "" {
		request.Cases, request.Outputs, request.Transcripts, boxes = []string{t.Inspect}, grader.KeepFull, grader.AllTranscripts, 1
	}
	return g.station.grader.Judge(ctx, request, func(e grader.Event) {
		if e.State == judge.Compiling {
			g.station.warm(lang, boxes)
		}
		if e.State != judge.Judged {
			on(work.Progress{State: e.State, Compile: e.Compile, Run: e.Run})
		}
	})
}

// problem is the problem of a version. What its package says never changes and is
// kept; settings are read each time. Which languages may be used was asked when
// the submission was taken in, and is not held against it afterwards.
func (g *judging) problem(ctx context.Context, version string) (*judge.Problem, error) {
	info, err := g.store.VersionInfo(ctx, version)
	if err != nil {
		return nil, err
	}
	kept, ok := g.problems.get(version)
	if !ok {
		if kept, err = g.read(ctx, version); err != nil {
			return nil, err
		}
		g.problems.put(version, kept)
	}
	problem := *kept
	info.Apply(&problem)
	return &problem, nil
}

func (g *judging) read(ctx context.Context, version string) (*judge.Problem, error) {
	v, err := g.store.ProblemVersion(ctx, version)
	if err != nil {
		return nil, err
	}
	m, err := blob.ReadManifest(v.Manifest)
	if err != nil {
		return nil, fmt.Errorf("version %d of problem %s: %w", v.Number, v.Problem, err)
	}
	return m.Problem(ctx, g.testdata)
}

// hopeless tells what another try would not mend.
func hopeless(err error) bool {
	return errors.Is(err, grader.ErrProblem) || errors.Is(err, grader.ErrOptions)
}

// ready says why nothing may or can be judged here, if so: the database got
// another schema while this worker ran, or the engine is away. A database that is
// away is neither.
func (g *judging) ready(ctx context.Context) error {
	if err := g.store.Check(ctx); errors.Is(err, migrations.ErrOld) || errors.Is(err, migrations.ErrNew) {
		return err
	}
	engine, err := docker.Connect(ctx)
	if err != nil {
		return err
	}
	return engine.Close()
}
