package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"judge/judge"
)

// column is one of a table whose rows are printed as they come, so that its
// width is known before them.
type column struct {
	title string
	width int
	right bool
}

// table prints rows.
type table struct {
	out     io.Writer
	columns []column
}

// widen makes a column wide enough for text.
func (c *column) widen(texts ...string) {
	for _, t := range append(texts, c.title) {
		c.width = max(c.width, utf8.RuneCountInString(t))
	}
}

func (t *table) header() error {
	cells := make([]cell, len(t.columns))
	for i, c := range t.columns {
		cells[i] = cell{text: c.title}
	}
	return t.row(cells)
}

// cell is a text and the escape sequence that colours it; empty: none.
type cell struct {
	text   string
	colour string
}

func (t *table) row(cells []cell) error {
	var b strings.Builder
	for i, c := range cells {
		pad := strings.Repeat(" ", max(t.columns[i].width-utf8.RuneCountInString(c.text), 0))
		if t.columns[i].right {
			b.WriteString(pad)
		}
		if c.colour != "" {
			b.WriteString(c.colour + c.text + plain)
		} else {
			b.WriteString(c.text)
		}
		if !t.columns[i].right {
			b.WriteString(pad)
		}
		b.WriteString("  ")
	}
	_, err := fmt.Fprintln(t.out, strings.TrimRight(b.String(), " "))
	return err
}

// Escape sequences.
const (
	plain  = "\x1b[0m"
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	bold   = "\x1b[1m"
)

func verdictColour(v judge.Verdict) string {
	switch v {
	case judge.AC:
		return green
	case judge.JE:
		return bold + red
	case judge.WA, judge.TLE, judge.MLE, judge.OLE, judge.RE, judge.CE:
		return yellow
	}
	return red
}

// Texts of what may be unknown: nothing ran.
func secondsText(d time.Duration, ran bool) string {
	if !ran {
		return "-"
	}
	return fmt.Sprintf("%.3f s", d.Seconds())
}

func memoryText(bytes int64) string {
	if bytes == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

func orDash[T ~string](s T) string {
	if s == "" {
		return "-"
	}
	return string(s)
}

// indent sets lines of a text off, at most n of them.
func indent(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > n {
		lines = append(lines[:n], fmt.Sprintf("[%d more lines]", len(lines)-n))
	}
	return "    " + strings.Join(lines, "\n    ") + "\n"
}

// all prints a header and rows that are all there.
func (t *table) all(rows [][]string) error {
	for i := range t.columns {
		t.columns[i].widen()
		for _, r := range rows {
			t.columns[i].widen(r[i])
		}
	}
	if err := t.header(); err != nil {
		return err
	}
	for _, r := range rows {
		cells := make([]cell, len(r))
		for i, text := range r {
			cells[i].text = text
		}
		if err := t.row(cells); err != nil {
			return err
		}
	}
	return nil
}
