package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"judge/images"
	"judge/judge"
	"judge/judge/grader"
	"judge/judge/language"
	"judge/judge/trial"
	"judge/judge/wire"
	"judge/runner"
	"judge/runner/docker"
)

// attackTime bounds the compilation of a trial that attacks the compiler: what the
// language allows is for honest programs, and shows nothing more.
const attackTime = 10 * time.Second

type languagesTestCmd struct {
	Languages []string `arg:"" optional:"" name:"lang" help:"Languages by id; none: all whose images are there."`
	Trial     []string `sep:"," placeholder:"NAME" help:"These trials only: hello, sums, …"`
	Slots     int      `placeholder:"N" help:"Use at most N cores; else all."`
	JSON      bool     `name:"json" help:"One trial a line, as JSON; times in seconds, sizes in bytes."`
}

// Help is shown by judge languages test --help.
func (languagesTestCmd) Help() string {
	var b strings.Builder
	b.WriteString("Judges the trials of languages, programs that each language's folder brings (images/<folder>/trials), in boxes by the grader that judges submissions:\n\n")
	for _, k := range trial.Kinds {
		_, _ = fmt.Fprintf(&b, "  %-10s %-4s %s\n", k.Name, k.Want, k.Title)
	}
	b.WriteString("  attack-…   CE   attacks the compiler\n\nlanguage.yaml says where a language wants another verdict, and which trials it is without, and why.\n\n" +
		"Exit code 0: all came to what they should; 1: some did not; 2: no such language or trial.")
	return b.String()
}

// trialLine is the outcome of one trial as JSON.
type trialLine struct {
	Language string   `json:"language"`
	Trial    string   `json:"trial"`
	OK       bool     `json:"ok"`
	Want     *string  `json:"want"`
	Verdict  *string  `json:"verdict"` // null: it was not judged
	CPU      *float64 `json:"cpu_time_s"`
	Wall     *float64 `json:"wall_time_s"`
	Memory   *int64   `json:"memory_bytes"`
	Compile  *float64 `json:"compile_cpu_time_s"`
	Note     string   `json:"note"` // what is wrong, or why the language is without it
}

// Run judges the trials side by side and prints them in order.
func (c *languagesTestCmd) Run(a *app) (err error) {
	set, err := language.Load(images.FS)
	if err != nil {
		return err
	}
	if err := c.check(set); err != nil {
		return err
	}
	st, err := a.openStation(c.Slots, runner.PerRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.close(a.ctx)) }()
	trials, err := c.trials(a, set, st)
	if err != nil {
		return err
	}
	packs, err := trial.OpenProblems("")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, packs.Close()) }()
	return c.judgeAll(a, st, packs, trials)
}

func (c *languagesTestCmd) check(set *language.Set) error {
	for _, id := range c.Languages {
		if _, ok := set.Get(id); !ok {
			return badInput{fmt.Errorf("there is no language %q; there are %s", id, strings.Join(ids(set), ", "))}
		}
	}
	for _, name := range c.Trial {
		known := slices.ContainsFunc(trial.Kinds, func(k trial.Kind) bool { return k.Name == name })
		if !known && !strings.HasPrefix(name, "attack-") {
			return badInput{fmt.Errorf("there is no trial %q; judge languages test --help lists them", name)}
		}
	}
	return nil
}

// trials are those that were asked for. Of a language that was not named the image
// may be missing.
func (c *languagesTestCmd) trials(a *app, set *language.Set, st *station) ([]trial.Trial, error) {
	var langs []*judge.Language
	for _, id := range c.Languages {
		l, _ := set.Get(id)
		langs = append(langs, l)
	}
	if len(langs) == 0 {
		langs = set.All()
	}
	var out []trial.Trial
	for _, l := range langs {
		if st.images[l.Image].State != docker.ImageReady {
			if len(c.Languages) > 0 {
				return nil, fmt.Errorf("%w: no image of %s; judge images build %s makes it", runner.ErrUnavailable, l.ID, l.Image)
			}
			a.notef("%s  passed over: its image is %s\n", l.ID, imageState(l, st.images[l.Image]))
			continue
		}
		list, err := trial.Of(set, images.FS, l)
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			if len(c.Trial) == 0 || slices.Contains(c.Trial, t.Name) {
				out = append(out, t)
			}
		}
	}
	return out, nil
}

func (c *languagesTestCmd) judgeAll(a *app, st *station, packs *trial.Problems, trials []trial.Trial) error {
	report, err := c.newTrialReport(a)
	if err != nil {
		return err
	}
	lines := make([]trialLine, len(trials))
	done := make([]chan struct{}, len(trials))
	for i := range done {
		done[i] = make(chan struct{})
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range st.sandbox.Slots() + 1 {
		wg.Go(func() {
			for i := range next {
				lines[i] = judgeTrial(a.ctx, st, packs, &trials[i], fmt.Sprint(i))
				close(done[i])
			}
		})
	}
	wg.Go(func() {
		defer close(next)
		for i := range trials {
			next <- i
		}
	})
	defer wg.Wait()
	for i := range trials {
		<-done[i]
		if err := report.line(&lines[i]); err != nil {
			return err
		}
	}
	return report.finish()
}

// judgeTrial judges one trial. What goes wrong is in the line.
func judgeTrial(ctx context.Context, st *station, packs *trial.Problems, t *trial.Trial, id string) trialLine {
	line := trialLine{Language: t.Language.ID, Trial: t.Name, Want: wire.Known(string(t.Want))}
	switch {
	case t.Missing != "":
		line.Note = t.Missing
		return line
	case t.Without != "":
		line.OK, line.Want, line.Note = true, nil, "without: "+t.Without
		return line
	}
	lang := *t.Language
	if t.Attack() {
		lang.CompileLimits.CPU = min(lang.CompileLimits.CPU, attackTime)
		lang.CompileLimits.Wall = judge.WallFor(lang.CompileLimits.CPU)
	}
	pack := packs.Get(t.Package)
	problem := pack.Problem
	if t.Attack() {
		problem.Compilation = judge.Limits{CPU: lang.CompileLimits.CPU, Wall: lang.CompileLimits.Wall}
	}
	j, err := st.grader.Judge(ctx, grader.Request{ID: "trial-" + id, Problem: &problem, Data: pack, Language: &lang, Files: t.Files}, func(grader.Event) {})
	if err != nil {
		line.Note = err.Error()
		return line
	}
	line.Note = t.Check(&j)
	line.OK = line.Note == ""
	cpu, wall := j.CPUTime.Seconds(), j.WallTime.Seconds()
	line.Verdict, line.CPU, line.Wall, line.Memory = wire.Known(string(j.Verdict)), &cpu, &wall, wire.Known(j.Memory)
	if j.Compile != nil {
		seconds := j.Compile.CPUTime.Seconds()
		line.Compile = &seconds
	}
	return line
}
