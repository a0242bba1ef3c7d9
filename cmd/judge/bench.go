package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"judge/runner/bench"
)

// benchCmd measures the sandbox on this machine.
type benchCmd struct {
	Run         benchRunCmd         `cmd:"" help:"The cost of a short run: back to back, spaced, two slots at once."`
	IO          benchIOCmd          `cmd:"" name:"io" help:"64 MiB into a box and out of it."`
	Accuracy    benchAccuracyCmd    `cmd:"" help:"How true CPU time, memory and the CPU limit are."`
	Interactive benchInteractiveCmd `cmd:"" help:"Two programs that take turns, in two boxes."`
	Judging     benchJudgingCmd     `cmd:"" help:"How much of the machine goes into the programs when packages are judged."`
	Submit      benchSubmitCmd      `cmd:"" help:"Submissions through the API: a second, and how long one takes."`
	Languages   benchLanguagesCmd   `cmd:"" help:"The start-up of each language, in a box and outside."`
	Board       benchBoardCmd       `cmd:"" help:"A contest's board over HTTP: pages, the whole of it, and how soon changes are seen."`
}

// benchOptions are the flags of every bench.
type benchOptions struct {
	Runs int  `default:"0" placeholder:"N" help:"Runs of each kind; 0: as many as the bench usually makes."`
	JSON bool `name:"json" help:"One JSON object a line."`
}

type (
	benchRunCmd      struct{ benchOptions }
	benchIOCmd       struct{ benchOptions }
	benchAccuracyCmd struct{ benchOptions }
)

// Help is the long text of judge bench run --help.
func (*benchRunCmd) Help() string {
	return `Runs the same static program in a box and bare (fork and exec by the same code,
with the same pipes, on the same core, but without cgroup, seccomp, uid and
wipe), in turn. ratio is box over bare: the lower the better for times, the
higher the better for throughput. Quiet machines give steadier figures.`
}

// Run measures the cost of a short run.
func (c *benchRunCmd) Run(a *app) error {
	return c.measure(a, func(ctx context.Context, b *bench.Bench, report func(bench.Report)) error {
		return b.Run(ctx, c.orElse(2000), report)
	})
}

// Run measures input and output.
func (c *benchIOCmd) Run(a *app) error {
	return c.measure(a, func(ctx context.Context, b *bench.Bench, report func(bench.Report)) error {
		return b.IO(ctx, c.orElse(25), report)
	})
}

// Run measures accuracy.
func (c *benchAccuracyCmd) Run(a *app) error {
	return c.measure(a, func(ctx context.Context, b *bench.Bench, report func(bench.Report)) error {
		return b.Accuracy(ctx, c.orElse(100), report)
	})
}

func (o *benchOptions) orElse(n int) int {
	if o.Runs > 0 {
		return o.Runs
	}
	return n
}

func (o *benchOptions) measure(a *app, do func(context.Context, *bench.Bench, func(bench.Report)) error) error {
	return o.measureIn(a, func(ctx context.Context, _ *station, b *bench.Bench, report func(bench.Report)) error {
		return do(ctx, b, report)
	})
}

// report prints one case.
func (a *app) report(r *bench.Report, asJSON bool) {
	if asJSON {
		_ = json.NewEncoder(a.out).Encode(r) // a broken pipe shows itself at the end
		return
	}
	number, kind := r.Value, "value"
	if number == nil {
		number, kind = r.Ratio, "ratio"
	}
	verdict := ""
	if len(r.Want) == 2 {
		verdict = fmt.Sprintf("want %g to %g", r.Want[0], r.Want[1])
		if !r.OK() {
			verdict += "  MISSED"
		}
	}
	var figures []string
	for k, v := range r.Figures {
		figures = append(figures, fmt.Sprintf("%s %v", k, v))
	}
	slices.Sort(figures)
	_, _ = fmt.Fprintf(a.out, "%-9s %-18s %s %-9.4g %-24s %s\n", r.Bench, r.Case, kind, *number, verdict, strings.Join(figures, ", "))
}
