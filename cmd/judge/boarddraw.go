package main

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"judge/judge"
	"judge/judge/wire"
)

// boardInfo is a board as far as it is drawn.
type boardInfo struct {
	Contest  string  `json:"contest"`
	Title    string  `json:"title"`
	Kind     string  `json:"kind"`
	View     string  `json:"view"`
	State    string  `json:"state"`
	Elapsed  float64 `json:"elapsed_s"`
	Frozen   bool    `json:"frozen"`
	Total    int     `json:"total"`
	Problems []struct {
		Label string `json:"label"`
	} `json:"problems"`
	Items []boardRow `json:"items"`
}

type boardRow struct {
	Rank       *int `json:"rank"`
	Contestant struct {
		Name        string  `json:"name"`
		ID          string  `json:"id"`
		Affiliation *string `json:"affiliation"`
	} `json:"contestant"`
	Solved       int         `json:"solved"`
	Penalty      *int64      `json:"penalty_min"`
	Score        *float64    `json:"score"`
	Problems     []boardCell `json:"problems"`
	Disqualified bool        `json:"disqualified"`
}

type boardCell struct {
	Attempts int      `json:"attempts"`
	Pending  int      `json:"pending"`
	Solved   bool     `json:"solved"`
	First    bool     `json:"first"`
	Time     *float64 `json:"time_s"`
	Score    *float64 `json:"score"`
}

const (
	boardHeadLines = 4  // lines that are no rows
	boardNameMin   = 12 // characters that a name keeps on a narrow terminal
	boardNameMax   = 40
)

// drawBoard is a board as text, no wider than width (0: as wide as it is).
// Columns of problems that do not fit are left out, and said to be.
func drawBoard(b *boardInfo, width int, colour bool) string {
	t := boardTable(b, width)
	var out strings.Builder
	title := safeName(b.Title)
	if title == "" {
		title = safeName(b.Contest)
	}
	line := fmt.Sprintf("%s  %s  %s", title, safeName(b.State), clockText(b.Elapsed))
	if b.Frozen {
		line += "  FROZEN: what came later is shown as pending"
	}
	if b.View == "jury" {
		line += "  (jury)"
	}
	out.WriteString(clipped(line, width) + "\n\n")
	for _, row := range t.rows {
		for i, c := range row {
			pad := strings.Repeat(" ", max(t.widths[i]-utf8.RuneCountInString(c.text), 0))
			if i != 1 { // all but names are to the right
				out.WriteString(pad)
			}
			if c.colour != "" && colour {
				out.WriteString(c.colour + c.text + plain)
			} else {
				out.WriteString(c.text)
			}
			if i == 1 {
				out.WriteString(pad)
			}
			if i < len(row)-1 {
				out.WriteString(" ")
			}
		}
		out.WriteString("\n")
	}
	last := fmt.Sprintf("%d of %d", len(b.Items), b.Total)
	if t.left > 0 {
		last += fmt.Sprintf("; %d more problems do not fit", t.left)
	}
	out.WriteString(clipped(last, width) + "\n")
	return out.String()
}

// boardLayout are the cells of a board, with the widths of their columns.
type boardLayout struct {
	rows   [][]cell
	widths []int
	left   int // problems that do not fit
}

func boardTable(b *boardInfo, width int) *boardLayout {
	head := []cell{{text: "#"}, {text: "name"}, {text: "solved"}}
	if b.Kind == string(judge.ContestICPC) {
		head = append(head, cell{text: "time"})
	} else {
		head = append(head, cell{text: "score"})
	}
	for _, p := range b.Problems {
		head = append(head, cell{text: safeName(p.Label)})
	}
	t := &boardLayout{rows: [][]cell{head}}
	for i := range b.Items {
		t.rows = append(t.rows, boardCells(b, &b.Items[i]))
	}
	t.widths = make([]int, len(head))
	for _, row := range t.rows {
		for i, c := range row {
			t.widths[i] = max(t.widths[i], utf8.RuneCountInString(c.text))
		}
	}
	t.fit(width)
	return t
}

// fit makes names shorter, and then leaves problems out.
func (t *boardLayout) fit(width int) {
	t.widths[1] = min(t.widths[1], boardNameMax)
	total := func() int {
		sum := len(t.widths) - 1
		for _, w := range t.widths {
			sum += w
		}
		return sum
	}
	if width > 0 {
		if over := total() - width; over > 0 {
			t.widths[1] = max(t.widths[1]-over, min(boardNameMin, t.widths[1]))
		}
		for total() > width && len(t.widths) > 4 {
			t.widths = t.widths[:len(t.widths)-1]
			t.left++
		}
	}
	for i := range t.rows {
		t.rows[i] = t.rows[i][:len(t.widths)]
		t.rows[i][1].text = clipped(t.rows[i][1].text, t.widths[1])
	}
}

func boardCells(b *boardInfo, r *boardRow) []cell {
	rank := "-"
	if r.Rank != nil {
		rank = fmt.Sprint(*r.Rank)
	}
	name := r.Contestant.Name
	if name == "" {
		name = r.Contestant.ID
	}
	if a := wire.Value(r.Contestant.Affiliation); a != "" {
		name += ", " + a
	}
	if r.Disqualified {
		name += " (disqualified)"
	}
	sum := ""
	if r.Penalty != nil {
		sum = fmt.Sprint(*r.Penalty)
	} else if r.Score != nil {
		sum = fmt.Sprint(*r.Score)
	}
	row := []cell{{text: rank}, {text: safeName(name)}, {text: fmt.Sprint(r.Solved)}, {text: sum}}
	for i := range b.Problems {
		var c boardCell
		if i < len(r.Problems) {
			c = r.Problems[i]
		}
		row = append(row, c.cell(b.Kind == string(judge.ContestICPC)))
	}
	return row
}

func (c *boardCell) cell(icpc bool) cell {
	text, colour := "", ""
	switch {
	case c.Solved && icpc:
		text, colour = "+", green
		if c.Attempts > 1 {
			text += fmt.Sprint(c.Attempts - 1)
		}
		if c.Time != nil {
			text += fmt.Sprintf(" %d", int(*c.Time/60))
		}
	case !icpc && c.Score != nil && c.Attempts > 0:
		if text, colour = fmt.Sprint(*c.Score), red; c.Solved {
			colour = green
		}
		if c.Solved && *c.Score == 0 {
			text = "+" // practice without points
		}
	case c.Attempts > 0:
		text, colour = fmt.Sprintf("-%d", c.Attempts), red
	}
	if c.First {
		text, colour = text+"*", bold+green
	}
	if c.Pending > 0 {
		text += fmt.Sprintf("?%d", c.Pending)
		if !c.Solved {
			colour = yellow
		}
	}
	if text == "" {
		text = "."
	}
	return cell{text: text, colour: colour}
}

func clockText(elapsed float64) string {
	d := time.Duration(elapsed * float64(time.Second)).Truncate(time.Second)
	return fmt.Sprintf("%d:%02d:%02d", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
}

func safeName(text string) string {
	return strings.ReplaceAll(judge.SafeText([]byte(text), maxName), "\n", " ")
}

// clipped is a text of at most width characters; 0: of any number.
func clipped(text string, width int) string {
	runes := []rune(text)
	if width <= 0 || len(runes) <= width {
		return text
	}
	return string(runes[:width-1]) + "…"
}
