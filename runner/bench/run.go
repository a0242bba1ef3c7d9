package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// numbers is the input of sum.
func numbers(w io.Writer) error {
	for i := range 100 {
		if _, err := fmt.Fprintln(w, i); err != nil {
			return err
		}
	}
	return nil
}

// Run measures the cost of a short run: back to back, with 30 ms between runs,
// and on two slots at once. runs is how many of each are made back to back.
func (b *Bench) Run(ctx context.Context, runs int, report func(Report)) error {
	input, err := b.writeFile("numbers", numbers)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		name  string
		runs  int
		pause time.Duration
		most  float64
	}{{"back-to-back", runs, 0, 1.5}, {"spaced", max(1, runs/10), 30 * time.Millisecond, 1.9}} {
		p, err := b.pair(ctx, input, sum)
		if err != nil {
			return err
		}
		box, bare, err := p.interleave(ctx, c.runs, c.pause)
		p.close()
		if err != nil {
			return err
		}
		report(compare("run", c.name, c.most, box, bare))
	}
	r, err := b.throughput(ctx, input)
	if err == nil {
		report(r)
	}
	return err
}

// throughput: rounds of a second each, box and bare in turn, two workers in
// both.
func (b *Bench) throughput(ctx context.Context, input string) (Report, error) {
	const workers, rounds = 2, 5
	var box, bare []float64
	for range rounds {
		for _, kind := range []struct {
			rates *[]float64
			one   func(ctx context.Context, p *pair) error
		}{
			{&box, func(ctx context.Context, p *pair) error { _, _, err := p.inBox(ctx); return err }},
			{&bare, func(_ context.Context, p *pair) error { _, _, err := p.outside(); return err }},
		} {
			rate, err := b.rate(ctx, input, workers, kind.one)
			if err != nil {
				return Report{}, err
			}
			*kind.rates = append(*kind.rates, rate)
		}
	}
	slices.Sort(box)
	slices.Sort(bare)
	ratio := box[rounds/2] / bare[rounds/2]
	return Report{
		Bench: "run", Case: "throughput", Ratio: &ratio, Want: []float64{0.55, 100},
		Figures: map[string]any{"workers": workers, "box_per_s": box[rounds/2], "bare_per_s": bare[rounds/2], "rounds": rounds},
	}, nil
}

func (b *Bench) rate(ctx context.Context, input string, workers int, one func(context.Context, *pair) error) (float64, error) {
	var done atomic.Int64
	var ready, all sync.WaitGroup
	errs := make(chan error, workers)
	begin := make(chan struct{})
	ready.Add(workers)
	for range workers {
		all.Go(func() {
			p, err := b.pair(ctx, input, sum)
			ready.Done()
			if err != nil {
				errs <- err
				return
			}
			defer p.close()
			<-begin
			for stop := time.Now().Add(time.Second); time.Now().Before(stop); done.Add(1) {
				if err := one(ctx, p); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	ready.Wait()
	start := time.Now()
	close(begin)
	all.Wait()
	select {
	case err := <-errs:
		return 0, err
	default:
		return float64(done.Load()) / time.Since(start).Seconds(), nil
	}
}

// IO measures 64 MiB through a box.
func (b *Bench) IO(ctx context.Context, runs int, report func(Report)) error {
	const mib = 64
	input, err := b.writeFile("input", func(w io.Writer) error {
		_, err := io.CopyN(w, zeroes{}, mib<<20)
		return err
	})
	if err != nil {
		return err
	}
	for _, c := range []struct{ name, input, verb string }{{"stdin", input, "take"}, {"stdout", "", "put"}} {
		p, err := b.pair(ctx, c.input, load, c.verb, fmt.Sprint(mib))
		if err != nil {
			return err
		}
		box, bare, err := p.interleave(ctx, runs, 0)
		p.close()
		if err != nil {
			return err
		}
		report(compare("io", c.name, 2, box, bare))
	}
	return nil
}

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
