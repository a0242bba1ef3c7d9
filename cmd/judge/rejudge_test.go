package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rejudgeSite answers as a server would of one rejudging, and notes what it was
// asked for.
type rejudgeSite struct {
	url   string
	asked []string
	looks int
}

const siteRejudging = `{"id":"r1","by":"t","by_name":"ops\u001b[1m","reason":"case 3","version":"current","state":%q,"concerns":[],"query":{},"trouble":null,
	"counts":{"total":4,"judged":%d,"queued":%d,"changed":2,"skipped":1,"failed":1,"reviewed":1},"pairs":[{"old":"WA","new":"AC","count":2},{"old":null,"new":"JE","count":1}],
	"created_at":"2026-03-01T12:00:00.000Z","expires_at":"2026-03-08T12:00:00.000Z","ended_at":null,"ended_by":null,"end_reason":null}`

func newRejudgeSite(t *testing.T) *rejudgeSite {
	t.Helper()
	site := &rejudgeSite{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		site.asked = append(site.asked, strings.TrimSpace(r.Method+" "+strings.TrimPrefix(r.URL.String(), "/api/v1/")+" "+string(body)))
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/api/v1/rejudgings":
			if r.Method == http.MethodGet {
				_, _ = fmt.Fprintf(w, `{"items":[`+siteRejudging+`],"next_cursor":null}`, "ready", 4, 0)
				return
			}
			w.WriteHeader(http.StatusCreated)
			_, _ = fmt.Fprintf(w, siteRejudging, "judging", 0, 4)
		case "/api/v1/rejudgings/r1":
			if site.looks++; site.looks == 1 {
				_, _ = fmt.Fprintf(w, siteRejudging, "judging", 1, 3)
				return
			}
			_, _ = fmt.Fprintf(w, siteRejudging, "ready", 4, 0)
		case "/api/v1/rejudgings/r1/apply", "/api/v1/rejudgings/r1/cancel":
			_, _ = fmt.Fprintf(w, siteRejudging, "applied", 4, 0)
		case "/api/v1/rejudgings/r1/changes":
			_, _ = io.WriteString(w, `{"items":[{"submission_id":"s1","problem":"aplusb","language":"cpp","submitter":{"id":"ada"},"created_at":"2026-03-01T12:00:00.000Z",
				"old":{"verdict":"WA","cpu_time_s":0.5,"wall_time_s":1,"review":{}},"new":{"verdict":"AC","score":3.5,"cpu_time_s":0.25,"wall_time_s":1},"differs":true}],"next_cursor":null}`)
		case "/api/v1/rejudgings/r1/board":
			_, _ = io.WriteString(w, `{"contest":"finals","items":[{"contestant":"x","name":"Team X","old":{"rank":2,"solved":1,"penalty_min":30},"new":{"rank":1,"solved":2,"penalty_min":55},"problems":["A"]},
				{"contestant":"y","name":"","old":null,"new":{"rank":null,"solved":0,"penalty_min":0},"problems":[]}]}`)
		case "/api/v1/submissions/s1/judgements":
			_, _ = io.WriteString(w, `{"items":[{"id":"j2","rejudging_id":"r1"},{"id":"j1","current":true}],"next_cursor":null}`)
		case "/api/v1/judgements/j1/compare/j2":
			_, _ = io.WriteString(w, `{"old":{"verdict":"WA"},"new":{"verdict":"AC"},"runs":[{"case":"secret/1","old":{"ordinal":1,"verdict":"WA","cpu_time_s":0.1,"wall_time_s":0.1},"new":{"ordinal":1,"verdict":"AC"},"differs":true},
				{"case":"secret/2","old":null,"new":{"ordinal":2,"verdict":"AC"},"differs":true}]}`)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	site.url = server.URL
	return site
}

func (s *rejudgeSite) run(t *testing.T, args ...string) ran {
	t.Helper()
	return judgeIn(t, "", "", append([]string{"rejudge"}, append(args, "--url", s.url, "--token", "secret")...)...)
}

func TestRejudgeCommands(t *testing.T) {
	for name, test := range map[string]struct {
		args  []string
		asked []string
		code  int
		out   []string
		err   string
	}{
		"create": {
			args:  []string{"create", "-p", "aplusb", "--verdict", "wa", "--reason", "case 3", "--apply"},
			asked: []string{`POST rejudgings {"problems":["aplusb"],"verdicts":["WA"],"reason":"case 3","version":"current","apply":true}`},
			out:   []string{"rejudging r1: judging, 0 of 4 judged", `by ops\x1b[1m`, "1 left out, as they are being judged", "cancelled by itself"},
		},
		"create on the same versions": {
			args:  []string{"create", "--submission", "s1", "--reason", "r", "--same-version", "--dry-run", "--json"},
			asked: []string{`POST rejudgings?dry_run=true {"submissions":["s1"],"reason":"r","version":"same"}`},
			out:   []string{`"id":"r1"`},
		},
		"create and wait": {
			args:  []string{"create", "--contest", "finals", "--reason", "r", "--wait"},
			asked: []string{`POST rejudgings {"contests":["finals"],"reason":"r","version":"current"}`, "GET rejudgings/r1", "GET rejudgings/r1"},
			out:   []string{"ready, 4 of 4 judged, 2 differ", "WA         AC             2", "cancelled  JE             1", "1 with a review"},
			err:   "rejudging r1: judging",
		},
		"create nothing":      {args: []string{"create", "--reason", "r"}, code: exitInput, err: "which submissions?"},
		"create at no time":   {args: []string{"create", "--since", "soon", "--reason", "r"}, code: exitInput, err: `--since "soon"`},
		"list":                {args: []string{"list"}, asked: []string{"GET rejudgings"}, out: []string{"r1  ready     4/4        2   1"}},
		"show":                {args: []string{"show", "r1", "--json"}, asked: []string{"GET rejudgings/r1"}, out: []string{`"pairs":[{"old":"WA"`}},
		"changes":             {args: []string{"show", "r1", "--changes"}, asked: []string{"GET rejudgings/r1/changes?limit=200"}, out: []string{"WA   AC 3.5  0.500 s  0.250 s  the old one is reviewed"}},
		"all, as JSON":        {args: []string{"show", "r1", "--all", "--json"}, asked: []string{"GET rejudgings/r1/changes?all=true&limit=200"}, out: []string{`"submission_id":"s1"`}},
		"board":               {args: []string{"show", "r1", "--contest", "finals"}, asked: []string{"GET rejudgings/r1/board?contest=finals"}, out: []string{"Team X      2 → 1  1 → 2   30 → 55", "y           - → -  - → 0"}},
		"runs":                {args: []string{"show", "r1", "--submission", "s1"}, asked: []string{"GET submissions/s1/judgements", "GET judgements/j1/compare/j2"}, out: []string{"WA → AC", "secret/2  -    AC"}},
		"runs of another one": {args: []string{"show", "r2", "--submission", "s1"}, asked: []string{"GET submissions/s1/judgements"}, code: exitInput, err: "not in rejudging r2"},
		"two things at once":  {args: []string{"show", "r1", "--board", "--changes"}, code: exitInput, err: "give one of them"},
		"watch":               {args: []string{"watch", "r1", "--json"}, asked: []string{"GET rejudgings/r1", "GET rejudgings/r1"}, out: []string{`"state":"ready"`}},
		"apply":               {args: []string{"apply", "r1", "--yes", "--force", "--reason", "seen"}, asked: []string{`POST rejudgings/r1/apply {"reason":"seen","force":true}`}, out: []string{"applied, 4 of 4 judged"}},
		"apply unasked":       {args: []string{"apply", "r1"}, asked: []string{"GET rejudgings/r1"}, code: exitInput, out: []string{"rejudging r1"}, err: "add --yes"},
		"cancel":              {args: []string{"cancel", "r1", "--json"}, asked: []string{`POST rejudgings/r1/cancel {}`}, out: []string{`"state":"applied"`}},
		"a path as an id":     {args: []string{"watch", "../tokens"}, asked: []string{"GET rejudgings/..%2Ftokens"}, code: exitInput, err: "404"},
	} {
		t.Run(name, func(t *testing.T) {
			site := newRejudgeSite(t)
			got := site.run(t, test.args...)
			if diff := cmp.Diff(test.asked, site.asked); diff != "" {
				t.Error("asked: " + diff)
			}
			if got.code != test.code {
				t.Errorf("exit code %d, want %d: %s", got.code, test.code, got.err)
			}
			contains(t, "stdout", got.out, test.out...)
			contains(t, "stderr", got.err, test.err)
			if strings.Contains(got.out, "\x1b") {
				t.Errorf("a raw escape sequence: %q", got.out)
			}
			if last := test.args[len(test.args)-1]; last == "--json" && test.code == exitOK && !json.Valid([]byte(got.out)) {
				t.Errorf("no JSON: %s", got.out)
			}
		})
	}
}

func TestParsePast(t *testing.T) {
	now := time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"":                          "0001-01-01T00:00:00Z",
		"90m":                       "2026-03-05T10:30:00Z",
		"3d":                        "2026-03-02T12:00:00Z",
		"2026-03-01":                "2026-03-01T00:00:00Z",
		"2026-03-01T10:00:00+02:00": "2026-03-01T08:00:00Z",
		"-2h":                       "",
		"yesterday":                 "",
		"0d":                        "",
	} {
		got, err := parsePast("--since", text, now)
		if (err != nil) != (want == "") || (err == nil && got.Format(time.RFC3339) != want) {
			t.Errorf("%q: %v, %v; want %q", text, got, err, want)
		}
	}
}
