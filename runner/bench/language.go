package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"judge/runner"
)

// Hello is a program whose start-up is measured, in a box and in an ordinary
// container of the same image.
type Hello struct {
	Case      string
	Image     string
	Env       []string
	Warmup    [][]string
	Files     []runner.File
	Compile   []string // empty: the files are run as they are
	Keep      []string // what compiling leaves
	Run       []string
	Memory    int64 // bytes
	Processes int
}

// Plain is a command of ours in an ordinary container of an image, without what
// makes a box.
type Plain struct {
	Image  string
	CPU    int // the core that it is pinned to
	Args   []string
	Env    []string
	Mounts []Mount
}

// Mount is a file or folder of the host in a Plain container.
type Mount struct {
	Source, Target string
	Writable       bool
}

// Plainer runs such a command to its end and returns its exit code.
type Plainer func(context.Context, Plain) (int, error)

// What a box may cost: bare is what the program takes outside of boxes.
const (
	longHello  = 50 * time.Millisecond // from which on a ratio is wanted
	mostRatio  = 1.15
	mostMillis = 2.0
)

// Bare runs are taken in as many rounds, before and after those of the box, so that
// both see the same machine.
const rounds = 4

// Language measures a program runs times in a box and as often bare.
func (b *Bench) Language(ctx context.Context, plain Plainer, h *Hello, runs int, report func(Report)) (err error) {
	slot, err := b.sandbox.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("acquire slot: %w", err)
	}
	defer slot.Release()
	dir, err := os.MkdirTemp(b.dir, "language-")
	if err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := h.prepare(ctx, slot, dir); err != nil {
		return fmt.Errorf("%s: %w", h.Case, err)
	}
	box, err := slot.Box(ctx, runner.Spec{Image: h.Image, Class: runner.Run, Warmup: h.Warmup, Env: h.Env})
	if err != nil {
		return fmt.Errorf("take box: %w", err)
	}
	defer box.Discard()
	if err := h.load(ctx, box, dir); err != nil {
		return fmt.Errorf("%s: %w", h.Case, err)
	}
	var boxWall, boxCPU, bareWall, bareCPU []time.Duration
	for range rounds {
		wall, cpu, err := b.bareRuns(ctx, plain, slot.CPU(), h, dir, max(runs/rounds, 1))
		if err != nil {
			return fmt.Errorf("%s: %w", h.Case, err)
		}
		bareWall, bareCPU = append(bareWall, wall...), append(bareCPU, cpu...)
		if wall, cpu, err = h.boxRuns(ctx, slot, box, max(runs/rounds, 1)); err != nil {
			return fmt.Errorf("%s: %w", h.Case, err)
		}
		boxWall, boxCPU = append(boxWall, wall...), append(boxCPU, cpu...)
	}
	report(startUp(h.Case+" wall", boxWall, bareWall))
	report(startUp(h.Case+" cpu", boxCPU, bareCPU))
	return nil
}

// Compare measures two ways to run a program in boxes, in turn: a over b.
func (b *Bench) Compare(ctx context.Context, name string, one, other *Hello, runs int, report func(Report)) (err error) {
	slot, err := b.sandbox.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("acquire slot: %w", err)
	}
	defer slot.Release()
	dir, err := os.MkdirTemp(b.dir, "language-")
	if err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := one.prepare(ctx, slot, dir); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var walls [2][]time.Duration
	for range rounds {
		for i, h := range []*Hello{one, other} {
			wall, err := h.inFreshBox(ctx, slot, dir, max(runs/rounds, 1))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			walls[i] = append(walls[i], wall...)
		}
	}
	r := compare("languages", name, 1, walls[0], walls[1])
	r.Figures = map[string]any{
		"runs": len(walls[0]), "with_p50_ms": r.Figures["box_p50_ms"], "without_p50_ms": r.Figures["bare_p50_ms"],
	}
	report(r)
	return nil
}

func (h *Hello) inFreshBox(ctx context.Context, slot runner.Slot, dir string, runs int) ([]time.Duration, error) {
	box, err := slot.Box(ctx, runner.Spec{Image: h.Image, Class: runner.Run, Warmup: h.Warmup, Env: h.Env})
	if err != nil {
		return nil, fmt.Errorf("take box: %w", err)
	}
	defer box.Discard()
	if err := h.load(ctx, box, dir); err != nil {
		return nil, err
	}
	wall, _, err := h.boxRuns(ctx, slot, box, runs)
	return wall, err
}

// startUp compares medians: by their ratio where the program takes its time, else
// by their difference in milliseconds.
func startUp(name string, box, bare []time.Duration) Report {
	r := compare("languages", name, mostRatio, box, bare)
	if quantile(bare, 0.5) < longHello {
		more := ms(quantile(box, 0.5)) - ms(quantile(bare, 0.5))
		r.Ratio, r.Value, r.Want = nil, &more, []float64{-1000, mostMillis}
	}
	return r
}

func (h *Hello) boxRuns(ctx context.Context, slot runner.Slot, box runner.Box, runs int) (wall, cpu []time.Duration, err error) {
	defer slot.Pin()()
	for range runs {
		res, err := box.Run(ctx, &runner.Command{
			Args: h.Run, Env: h.Env,
			Limits: runner.Limits{CPU: time.Minute, Wall: 2 * time.Minute, Memory: h.Memory, Output: 1 << 20, Processes: h.Processes},
		})
		if err != nil {
			return nil, nil, err
		}
		if res.ExitCode != 0 || res.Signal != 0 || res.Limit != runner.LimitNone {
			return nil, nil, fmt.Errorf("run in box: exit code %d, signal %d, limit %q", res.ExitCode, res.Signal, res.Limit)
		}
		wall, cpu = append(wall, res.Wall), append(cpu, res.CPU)
	}
	return wall, cpu, nil
}

// bareRuns runs the program in an ordinary container, by bare.c.
func (b *Bench) bareRuns(ctx context.Context, plain Plainer, core int, h *Hello, dir string, runs int) (wall, cpu []time.Duration, err error) {
	out := filepath.Join(dir, "out")
	if err := os.MkdirAll(out, 0o700); err != nil {
		return nil, nil, err
	}
	code, err := plain(ctx, Plain{
		Image: h.Image, CPU: core, Env: h.Env, Args: append([]string{"/agent", fmt.Sprint(runs), "/sock/times"}, h.Run...),
		// Mounted where boxes mount: folders that every image has.
		Mounts: []Mount{
			{Source: b.path(alone), Target: "/agent"},
			{Source: out, Target: "/sock", Writable: true},
			{Source: dir, Target: "/box"},
		},
	})
	if err != nil {
		return nil, nil, err
	}
	if code != 0 {
		return nil, nil, fmt.Errorf("run %s bare: exit code %d of bare.c", strings.Join(h.Run, " "), code)
	}
	text, err := os.ReadFile(filepath.Join(out, "times"))
	if err != nil {
		return nil, nil, err
	}
	for line := range strings.Lines(string(text)) {
		var w, c int64
		if _, err := fmt.Sscan(line, &w, &c); err != nil {
			return nil, nil, fmt.Errorf("read times: %w", err)
		}
		wall, cpu = append(wall, time.Duration(w)), append(cpu, time.Duration(c))
	}
	if len(slices.Concat(wall, cpu)) != 2*runs {
		return nil, nil, fmt.Errorf("%d times of %d runs", len(wall), runs)
	}
	return wall, cpu, nil
}
