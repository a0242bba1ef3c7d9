package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"judge/runner"
	"judge/runner/agent"
)

// Accuracy measures how true the figures of a result are.
func (b *Bench) Accuracy(ctx context.Context, runs int, report func(Report)) error {
	for _, c := range []struct {
		name string
		load bool
	}{{"cpu-idle", false}, {"cpu-loaded", true}} {
		r, err := b.cpu(ctx, c.name, runs, c.load)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		report(r)
	}
	for _, c := range []struct {
		name string
		want []float64
		do   func(context.Context) (float64, map[string]any, error)
	}{
		{"memory-touch", []float64{64, 66}, b.memory(false, "touch", "64")},
		{"memory-fork", []float64{128, 133}, b.memory(true, "children", "32")},
		{"memory-stdout", []float64{0, 2}, b.memory(true, "put", "64")},
		{"memory-after-cold", []float64{0, 2}, b.afterCold},
		{"cpu-limit", []float64{330, 345}, b.cpuLimit},
	} {
		value, figures, err := c.do(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		report(Report{Bench: "accuracy", Case: c.name, Value: &value, Want: c.want, Figures: figures})
	}
	return nil
}

// cpu: fixed work, interleaved with bare. Value is the mean CPU time over the
// mean of bare's rusage.
func (b *Bench) cpu(ctx context.Context, name string, runs int, loaded bool) (Report, error) {
	p, err := b.pair(ctx, "", load, "work", "20")
	if err != nil {
		return Report{}, err
	}
	defer p.close()
	if loaded {
		stop, err := b.loadCores()
		if err != nil {
			return Report{}, err
		}
		defer stop()
	}
	var box, bare []time.Duration
	for range runs {
		res, _, err := p.inBox(ctx)
		if err != nil {
			return Report{}, err
		}
		cpu, _, err := p.outside()
		if err != nil {
			return Report{}, err
		}
		box, bare = append(box, res.CPU), append(bare, cpu)
	}
	bm, bd := meanDeviation(box)
	rm, rd := meanDeviation(bare)
	value := bm / rm
	return Report{
		Bench: "accuracy", Case: name, Value: &value, Want: []float64{0.99, 1.01},
		Figures: map[string]any{
			"runs": runs, "box_mean_ms": bm / 1e6, "bare_mean_ms": rm / 1e6, "box_deviation_ms": bd / 1e6,
			"bare_deviation_ms": rd / 1e6, "deviation_ratio": bd / rd, "deviation_want": []float64{0, 1.5},
		},
	}, nil
}

func meanDeviation(list []time.Duration) (mean, deviation float64) {
	for _, d := range list {
		mean += float64(d) / float64(len(list))
	}
	for _, d := range list {
		deviation += (float64(d) - mean) * (float64(d) - mean) / float64(len(list))
	}
	return mean, math.Sqrt(deviation)
}

// loadCores keeps every core busy until stop is called.
func (b *Bench) loadCores() (stop func(), err error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = null.Close() }()
	fd := int(null.Fd())
	spin := agent.NewBare(b.dir, b.path(load), "work", "1000000")
	var one unix.CPUSet
	var pids []int
	stop = func() {
		for _, pid := range pids {
			_ = unix.Kill(pid, unix.SIGKILL)
			_, _, _ = spin.Wait(pid)
		}
	}
	for cpu := range len(b.cores) * 64 {
		if !b.cores.IsSet(cpu) {
			continue
		}
		pid, err := spin.Start([3]int{fd, fd, fd})
		if err != nil {
			stop()
			return nil, err
		}
		pids = append(pids, pid)
		one.Zero()
		one.Set(cpu)
		if err := unix.SchedSetaffinity(pid, &one); err != nil {
			stop()
			return nil, fmt.Errorf("pin load: %w", err)
		}
	}
	return stop, nil
}

// memory: the peak of one run in MiB, of several the median; above its base
// where that is what is asked.
func (b *Bench) memory(aboveBase bool, args ...string) func(context.Context) (float64, map[string]any, error) {
	return func(ctx context.Context) (float64, map[string]any, error) {
		p, err := b.pair(ctx, "", load, args...)
		if err != nil {
			return 0, nil, err
		}
		defer p.close()
		var all []float64
		var base int64
		for range 9 {
			res, _, err := p.inBox(ctx)
			if err != nil {
				return 0, nil, err
			}
			peak := res.Memory
			if base = res.MemoryBase; aboveBase {
				peak -= base
			}
			all = append(all, mebibytes(peak))
		}
		slices.Sort(all)
		return all[len(all)/2], map[string]any{"lowest": all[0], "highest": all[len(all)-1], "base_mib": mebibytes(base)}, nil
	}
}

func mebibytes(n int64) float64 { return float64(n) / (1 << 20) }

// afterCold: the peak of a small run after one whose input of 64 MiB was not in
// the page cache.
func (b *Bench) afterCold(ctx context.Context) (float64, map[string]any, error) {
	input, err := b.writeFile("cold", func(w io.Writer) error {
		_, err := io.CopyN(w, zeroes{}, 64<<20)
		return err
	})
	if err != nil {
		return 0, nil, err
	}
	if err := chill(input); err != nil {
		return 0, nil, err
	}
	p, err := b.pair(ctx, input, load, "take")
	if err != nil {
		return 0, nil, err
	}
	defer p.close()
	cold, _, err := p.inBox(ctx)
	if err != nil {
		return 0, nil, err
	}
	p.input = ""
	next, _, err := p.inBox(ctx)
	return mebibytes(next.Memory), map[string]any{"cold_run_mib": mebibytes(cold.Memory)}, err
}

// chill drops a file from the page cache.
func chill(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED), f.Close())
}

// cpuLimit: where an endless loop with a limit of 300 ms is stopped, in ms of
// CPU time, when the judge stops it at 1.1 × the limit.
func (b *Bench) cpuLimit(ctx context.Context) (float64, map[string]any, error) {
	p, err := b.pair(ctx, "", load, "work", "1000000")
	if err != nil {
		return 0, nil, err
	}
	defer p.close()
	p.cmd.Limits.CPU = 330 * time.Millisecond
	var all []time.Duration
	for range 15 {
		res, _, err := p.inBox(ctx)
		if err != nil {
			return 0, nil, err
		}
		if res.Limit != runner.LimitCPU {
			return 0, nil, fmt.Errorf("an endless loop ended by %q", res.Limit)
		}
		all = append(all, res.CPU)
	}
	slices.Sort(all)
	return ms(quantile(all, 0.5)), map[string]any{"lowest": ms(all[0]), "highest": ms(all[len(all)-1])}, nil
}
