package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"judge/runner"
	"judge/runner/agent"
)

// duet is two programs that take turns, in two boxes of one slot and bare.
type duet struct {
	slot  runner.Slot
	unpin func()
	boxes [2]runner.Box
	bare  [2]*agent.Bare
	args  [2][]string
}

// Interactive measures two programs that take turns through kernel pipes, in two
// boxes of one slot, against the same two joined by bare pipes on the same core. It
// makes runs of each, of turns round trips.
func (b *Bench) Interactive(ctx context.Context, runs, turnsEach int, report func(Report)) error {
	d, err := b.duet(ctx, turnsEach)
	if err != nil {
		return err
	}
	defer d.close()
	var box, bare []time.Duration
	for range runs {
		took, err := d.inBoxes(ctx)
		if err != nil {
			return err
		}
		box = append(box, took)
		if took, err = d.outside(); err != nil {
			return err
		}
		bare = append(bare, took)
	}
	slices.Sort(box)
	slices.Sort(bare)
	r := compare("interactive", "turns", 1.5, box, bare)
	r.Figures["turns"] = turnsEach
	r.Figures["box_us_a_turn"] = float64(quantile(box, 0.5).Nanoseconds()) / 1e3 / float64(turnsEach)
	report(r)
	return nil
}

func (b *Bench) duet(ctx context.Context, turnsEach int) (*duet, error) {
	slot, err := b.sandbox.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("acquire slot: %w", err)
	}
	d := &duet{slot: slot, unpin: slot.Pin()}
	for i, role := range []string{"ask", "answer"} {
		d.args[i] = []string{role, strconv.Itoa(turnsEach)}
		d.bare[i] = agent.NewBare(b.dir, append([]string{b.path(turns)}, d.args[i]...)...)
		spec := runner.Spec{Image: b.image, Class: runner.Run}
		if i == 0 {
			spec.Class, spec.Tenant = runner.Jury, "bench"
		}
		if err := d.load(ctx, b, i, spec); err != nil {
			d.close()
			return nil, err
		}
	}
	return d, nil
}

func (d *duet) load(ctx context.Context, b *Bench, i int, spec runner.Spec) (err error) {
	if d.boxes[i], err = d.slot.Box(ctx, spec); err != nil {
		return fmt.Errorf("take box: %w", err)
	}
	exe, err := os.Open(b.path(turns))
	if err != nil {
		return fmt.Errorf("open program: %w", err)
	}
	defer func() { _ = exe.Close() }()
	return d.boxes[i].Put(ctx, runner.Program, runner.File{Name: turns, Mode: 0o555, Source: exe})
}

func (d *duet) close() {
	for _, b := range d.boxes {
		if b != nil {
			b.Release()
		}
	}
	d.unpin()
	d.slot.Release()
}

// crossed are two pipes: the streams of one program, then of the other.
func crossed() (files [2][2]*os.File, err error) {
	for i := range 2 {
		r, w, err := os.Pipe()
		if err != nil {
			return files, err
		}
		files[i][0], files[1-i][1] = r, w
	}
	for _, f := range files {
		_, _ = f[0].Fd(), f[1].Fd() // programs want them blocking
	}
	return files, nil
}

func (d *duet) inBoxes(ctx context.Context) (time.Duration, error) {
	files, err := crossed()
	if err != nil {
		return 0, err
	}
	one := func(i int) error {
		cmd := &runner.Command{
			Args: append([]string{runner.ProgramPath + "/" + turns}, d.args[i]...), Limits: limits(),
			Stdin: files[i][0], Stdout: files[i][1], Stderr: &counter{},
			Handed: func() { _, _ = files[i][0].Close(), files[i][1].Close() },
		}
		res, err := d.boxes[i].Run(ctx, cmd)
		if err == nil && (res.ExitCode != 0 || res.Signal != 0 || res.Exec != 0) {
			err = fmt.Errorf("run in a box: %+v", res)
		}
		return err
	}
	start := time.Now()
	done := make(chan error, 1)
	go func() { done <- one(0) }()
	err = one(1)
	err = errors.Join(err, <-done)
	return time.Since(start), err
}

func (d *duet) outside() (time.Duration, error) {
	files, err := crossed()
	if err != nil {
		return 0, err
	}
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer func() { _ = unix.Close(null) }()
	start := time.Now()
	var pids [2]int
	for i, f := range files {
		if pids[i], err = d.bare[i].Start([3]int{int(f[0].Fd()), int(f[1].Fd()), null}); err != nil {
			return 0, err // the other one ends by its end of file
		}
	}
	for _, f := range files {
		_, _ = f[0].Close(), f[1].Close()
	}
	for i, pid := range pids {
		status, _, err := d.bare[i].Wait(pid)
		if err == nil && status != 0 {
			err = fmt.Errorf("run bare: wait status %#x", uint32(status))
		}
		if err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}
