package main

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/term"

	"judge/runner/docker"
)

// buildProgress shows images being built: on a terminal one line for each, drawn
// over and over; elsewhere a line for each step.
type buildProgress struct {
	app   *app
	live  bool
	width int
	lines []docker.BuildProgress // of builds under way
	drawn int                    // lines on the terminal
}

func newBuildProgress(a *app) *buildProgress {
	p := &buildProgress{app: a, live: terminal(a.err), width: 80}
	if f, ok := a.err.(interface{ Fd() uintptr }); ok && p.live {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
			p.width = w
		}
	}
	return p
}

func (p *buildProgress) tell(b docker.BuildProgress) {
	i := slices.IndexFunc(p.lines, func(l docker.BuildProgress) bool { return l.Language == b.Language })
	newStep := i < 0 || p.lines[i].Step != b.Step
	switch {
	case b.Done && i >= 0:
		p.lines = slices.Delete(p.lines, i, i+1)
	case b.Done:
	case i < 0:
		p.lines = append(p.lines, b)
	default:
		p.lines[i] = b
	}
	switch {
	case b.Done && b.Err != nil:
		p.above(fmt.Sprintf("%s  failed", b.Language))
	case b.Done:
		p.above(fmt.Sprintf("%s  built", b.Language))
	case p.live:
		p.draw()
	case newStep:
		p.app.notef("%s\n", progressLine(&b, 200))
	}
}

func progressLine(b *docker.BuildProgress, width int) string {
	line := b.Line
	if b.Step > 0 {
		line = fmt.Sprintf("step %d/%d  %s", b.Step, b.Steps, strings.TrimPrefix(line, fmt.Sprintf("Step %d/%d : ", b.Step, b.Steps)))
	}
	runes := []rune(b.Language + "  " + line)
	return string(runes[:min(len(runes), width-1)])
}

// above prints a line that stays.
func (p *buildProgress) above(line string) {
	p.clear()
	p.app.notef("%s\n", line)
	if p.live {
		p.draw()
	}
}

func (p *buildProgress) draw() {
	p.clear()
	for i := range p.lines {
		p.app.notef("%s\n", progressLine(&p.lines[i], p.width))
	}
	p.drawn = len(p.lines)
}

// clear takes the drawn lines away.
func (p *buildProgress) clear() {
	if p.drawn > 0 {
		p.app.notef("\x1b[%dA\x1b[J", p.drawn)
	}
	p.drawn = 0
}
