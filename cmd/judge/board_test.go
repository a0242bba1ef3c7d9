package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"
)

const boardJSON = `{"contest":"cup","title":"The \u001b[31mcup","kind":"icpc","view":"public","state":"frozen","elapsed_s":16200.5,"frozen":true,"total":3,
"problems":[{"label":"A"},{"label":"B"},{"label":"C"}],"items":[
{"rank":1,"contestant":{"id":"t1","name":"One","affiliation":"University of Somewhere Far Away"},"solved":2,"penalty_min":%d,"problems":[
 {"label":"A","attempts":1,"solved":true,"first":true,"time_s":605},{"label":"B","attempts":3,"solved":true,"time_s":7199},{"label":"C","attempts":2,"pending":3}]},
{"rank":2,"contestant":{"id":"t2","name":"Two\nlines"},"solved":0,"penalty_min":0,"problems":[{"label":"A","attempts":4},{"label":"B","pending":1},{"label":"C"}]},
{"rank":null,"contestant":{"id":"t3","name":""},"solved":0,"penalty_min":0,"disqualified":true,"problems":[{"label":"A"},{"label":"B"},{"label":"C"}]}]}`

// boardServer answers as the API does: its board's penalty is how often it was
// asked, and its stream tells of a change and ends.
func boardServer(t *testing.T, asked *atomic.Int64) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case apiPath + "/contests/cup/board":
			_, _ = fmt.Fprintf(w, boardJSON, asked.Add(1))
		case apiPath + "/contests/cup/board/events":
			if r.URL.Query().Get("view") != "jury" {
				http.Error(w, r.URL.String(), http.StatusBadRequest)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprint(w, "id: x-1\n\nid: x-2\nevent: board.changed\ndata: {}\n\n")
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
			<-r.Context().Done()
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestBoardTable(t *testing.T) {
	var out, errs bytes.Buffer
	code := execute(t.Context(), []string{"board", "cup", "--url", boardServer(t, new(atomic.Int64)), "--token", "x"}, streams{out: &out, err: &errs})
	if code != exitOK {
		t.Fatalf("%d: %s", code, errs.String())
	}
	want := `The \x1b[31mcup  frozen  4:30:00  FROZEN: what came later is shown as pending

# name                                  solved time     A      B    C
1 One, University of Somewhere Far Away      2    1 + 10* +2 119 -2?3
2 Two lines                                  0    0    -4     ?1    .
- t3 (disqualified)                          0    0     .      .    .
3 of 3
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestBoardRefusals(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"board", "cup", "--limit", "-1"}, "--limit"},
		{[]string{"board", "cup", "--view", "mine"}, "--view"},
		{[]string{"board"}, "CONTEST"},
	} {
		var out, errs bytes.Buffer
		if code := execute(t.Context(), c.args, streams{out: &out, err: &errs}); code != exitInput || !strings.Contains(strings.ToUpper(errs.String()), strings.ToUpper(c.want)) {
			t.Errorf("%v: %d %s", c.args, code, errs.String())
		}
	}
}

// TestBoardNarrow: nothing is wider than the terminal, and what is left out is
// said.
func TestBoardNarrow(t *testing.T) {
	b := &boardInfo{Title: strings.Repeat("long ", 40), Kind: "icpc"}
	row := boardRow{}
	row.Contestant.Name = strings.Repeat("é", 100)
	for i := range 13 {
		b.Problems = append(b.Problems, struct {
			Label string `json:"label"`
		}{string(rune('A' + i))})
		at := 3600.0
		row.Problems = append(row.Problems, boardCell{Attempts: 12, Solved: true, Time: &at})
	}
	b.Items = []boardRow{row}
	for _, width := range []int{40, 60, 80, 132} {
		text := drawBoard(b, width, false)
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
				t.Errorf("%d characters on a terminal of %d: %s", n, width, line)
			}
		}
		if width < 100 && !strings.Contains(text, "do not fit") {
			t.Errorf("at %d nothing is said of what is missing:\n%s", width, text)
		}
	}
}

// ending is a writer that ends a command once it has written something.
type ending struct {
	bytes.Buffer

	on  string
	end func()
}

func (e *ending) Write(p []byte) (int, error) {
	n, err := e.Buffer.Write(p)
	if strings.Contains(e.String(), e.on) {
		e.end()
	}
	return n, err
}

// TestBoardWatch: an event makes the board be read and shown again.
func TestBoardWatch(t *testing.T) {
	for _, c := range []struct {
		flag []string
		on   string
	}{{nil, "   2 + 10*"}, {[]string{"--json"}, `"penalty_min":2`}} {
		ctx, cancel := context.WithCancel(t.Context())
		out := &ending{on: c.on, end: cancel}
		var errs bytes.Buffer
		args := append([]string{"board", "cup", "--watch", "--view", "jury", "--url", boardServer(t, new(atomic.Int64)), "--token", "x"}, c.flag...)
		execute(ctx, args, streams{out: out, err: &errs})
		if ctx.Err() == nil {
			cancel()
			t.Errorf("%v: ended by itself: %s\n%s", c.flag, errs.String(), out.String())
		}
	}
}
