package main

import (
	"io"

	"github.com/schollz/progressbar/v3"
)

// bar is a progress bar on a terminal, and nothing elsewhere. Not for
// concurrent use.
type bar struct {
	shown *progressbar.ProgressBar
	out   io.Writer // nil: no terminal
	total int
}

func newBar(w io.Writer, total int) *bar {
	if !terminal(w) {
		return &bar{}
	}
	return &bar{out: w, total: total}
}

// show draws the bar. A bar that cannot be drawn is no reason to stop.
func (b *bar) show(what string, done, total int) {
	if b.out == nil {
		return
	}
	if b.shown == nil || b.total != total {
		b.total = total
		b.shown = progressbar.NewOptions(total, progressbar.OptionSetWriter(b.out), progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(false), progressbar.OptionClearOnFinish())
	}
	b.shown.Describe(what)
	_ = b.shown.Set(done)
	_ = b.shown.RenderBlank()
}

func (b *bar) clear() {
	if b.shown != nil {
		_ = b.shown.Clear()
	}
}
