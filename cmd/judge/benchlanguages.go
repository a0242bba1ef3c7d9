package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"

	"judge/images"
	"judge/judge"
	"judge/judge/trial"
	"judge/runner"
	"judge/runner/bench"
	"judge/runner/docker"
)

type benchLanguagesCmd struct {
	benchOptions

	Languages []string `arg:"" optional:"" name:"lang" help:"Languages by id; none: all whose images are there."`
}

// helloMemory is the memory limit of a hello, the language's allowance not included.
const helloMemory = 256 << 20

// Help is the long text of judge bench languages --help.
func (*benchLanguagesCmd) Help() string {
	return `Runs each language's hello in a box and in an ordinary container of the same image
(as root, no filter of system calls, no cgroup of its own), in turn and on the same
core. Where a hello takes 50 ms or more the ratio of the medians is given, else by how
many milliseconds the box takes more. Where a language runs on the JVM, cds is its
start-up with what is shared between processes over that without.`
}

// Run measures.
func (c *benchLanguagesCmd) Run(a *app) error {
	return c.measureIn(a, func(ctx context.Context, s *station, b *bench.Bench, report func(bench.Report)) error {
		langs := c.Languages
		if len(langs) == 0 {
			for _, l := range s.languages.All() {
				if s.images[l.Image].State == docker.ImageReady {
					langs = append(langs, l.ID)
				}
			}
		}
		var errs []error
		for _, id := range langs {
			l, ok := s.languages.Get(id)
			if !ok {
				return badInput{fmt.Errorf("there is no language %q", id)}
			}
			errs = append(errs, c.language(ctx, s, b, l, report))
		}
		return errors.Join(errs...)
	})
}

func (c *benchLanguagesCmd) language(ctx context.Context, s *station, b *bench.Bench, l *judge.Language, report func(bench.Report)) error {
	image, err := s.image(ctx, l)
	if err != nil {
		return fmt.Errorf("%s: %w", l.ID, err)
	}
	hello, err := helloOf(s, l)
	if err != nil {
		return err
	}
	hello.Image = image.ID
	plain := func(ctx context.Context, p bench.Plain) (int, error) {
		out := docker.Plain{Image: p.Image, CPU: p.CPU, Args: p.Args, Env: p.Env}
		for _, m := range p.Mounts {
			out.Mounts = append(out.Mounts, docker.Mount(m))
		}
		return s.sandbox.Plain(ctx, out)
	}
	if err := b.Language(ctx, plain, hello, c.orElse(20), report); err != nil {
		return err
	}
	if path.Base(hello.Run[0]) != "java" {
		return nil
	}
	with := *hello
	hello.Run = slices.DeleteFunc(slices.Insert(slices.Clone(hello.Run), 1, "-Xshare:off"), func(a string) bool { return isSharedArchive(a) })
	hello.Warmup = nil
	return b.Compare(ctx, l.ID+" cds", &with, hello, c.orElse(20), report)
}

// helloOf is a language's trial that says hello, as a program to be measured.
func helloOf(s *station, l *judge.Language) (*bench.Hello, error) {
	trials, err := trial.Of(s.languages, images.FS, l)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(trials, func(t trial.Trial) bool { return t.Name == "hello" })
	if i < 0 || len(trials[i].Files) == 0 {
		return nil, fmt.Errorf("%s has no trial hello", l.ID)
	}
	prog, err := judge.NewProgram(l, trials[i].Files, "")
	if err != nil {
		return nil, err
	}
	limits := l.RunLimits(judge.Limits{Memory: helloMemory})
	h := &bench.Hello{
		Case: l.ID, Env: l.Env, Warmup: l.Warmup, Compile: prog.Compile, Keep: l.Keep,
		Run: prog.RunArgs(helloMemory), Memory: limits.Memory, Processes: limits.Processes,
	}
	for _, f := range prog.Files {
		h.Files = append(h.Files, runner.File{Name: f.Name, Mode: 0o644, Data: f.Data})
	}
	return h, nil
}

func isSharedArchive(arg string) bool {
	const flag = "-XX:SharedArchiveFile="
	return len(arg) > len(flag) && arg[:len(flag)] == flag
}

// measureIn is measure for a bench that needs the station's languages.
func (o *benchOptions) measureIn(a *app, do func(context.Context, *station, *bench.Bench, func(bench.Report)) error) (err error) {
	s, err := a.openStation(0, runner.PerRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close(a.ctx)) }()
	image := s.images["c"]
	if image.State != docker.ImageReady {
		return fmt.Errorf("%w: the image of C is missing: judge images build c", runner.ErrUnavailable)
	}
	dir, err := os.MkdirTemp("", "judge-bench-")
	if err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b, err := bench.New(a.ctx, s.sandbox, image.ID, dir)
	if err != nil {
		return err
	}
	return do(a.ctx, s, b, func(r bench.Report) { a.report(&r, o.JSON) })
}
