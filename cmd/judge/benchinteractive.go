package main

import (
	"context"

	"judge/runner/bench"
)

// benchInteractiveCmd measures an interactive problem's two boxes.
type benchInteractiveCmd struct {
	benchOptions

	Turns int `default:"100000" placeholder:"N" help:"Round trips of each run (${default})."`
}

// Help is the long text of judge bench interactive --help.
func (*benchInteractiveCmd) Help() string {
	return `Two static programs send each other a byte in turn, through kernel pipes: in two
boxes of one slot, as submission and interactor are, and bare, on the same core.
ratio is boxes over bare, start and end included.`
}

// Run measures turns.
func (c *benchInteractiveCmd) Run(a *app) error {
	return c.measure(a, func(ctx context.Context, b *bench.Bench, report func(bench.Report)) error {
		return b.Interactive(ctx, c.orElse(7), c.Turns, report)
	})
}
