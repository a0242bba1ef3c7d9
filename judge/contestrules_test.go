package judge_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"judge/judge"
)

var kickoff = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func at(d time.Duration) time.Time { return kickoff.Add(d) }

func TestContestState(t *testing.T) {
	const h, tick = time.Hour, time.Nanosecond
	own := &judge.Contestant{ID: "own", Start: at(2 * h), Extra: h / 2}
	paused := judge.Contest{Start: kickoff, Duration: 5 * h, Pauses: []judge.Pause{{From: at(h), Until: at(h + h/2)}}}
	lasting := paused
	lasting.Pauses = append(lasting.Pauses[:1:1], judge.Pause{From: at(4 * h)})
	endless := judge.Contest{Start: kickoff, Kind: judge.ContestPractice}
	plain := judge.Contest{Start: kickoff, Duration: 5 * h}
	for _, tt := range []struct {
		name string
		c    judge.Contest
		p    *judge.Contestant
		at   time.Time
		want judge.ContestState
	}{
		{"no start", judge.Contest{Duration: h}, nil, at(0), judge.ContestBefore},
		{"no start, but an own one", judge.Contest{Duration: h}, own, at(2 * h), judge.ContestRunning},
		{"before the first instant", plain, nil, at(-tick), judge.ContestBefore},
		{"the first instant", plain, nil, at(0), judge.ContestRunning},
		{"the last instant", plain, nil, at(5*h - tick), judge.ContestRunning},
		{"the end", plain, nil, at(5 * h), judge.ContestEnded},
		{"own: before its start", plain, own, at(2*h - tick), judge.ContestBefore},
		{"own: its start", plain, own, at(2 * h), judge.ContestRunning},
		{"own: its last instant", plain, own, at(7*h + h/2 - tick), judge.ContestRunning},
		{"own: its end", plain, own, at(7*h + h/2), judge.ContestEnded},
		{"before a pause", paused, nil, at(h - tick), judge.ContestRunning},
		{"a pause begins", paused, nil, at(h), judge.ContestPaused},
		{"a pause's last instant", paused, nil, at(h + h/2 - tick), judge.ContestPaused},
		{"a pause is over", paused, nil, at(h + h/2), judge.ContestRunning},
		{"the end has moved by the pause", paused, nil, at(5*h + h/2 - tick), judge.ContestRunning},
		{"the end that has moved", paused, nil, at(5*h + h/2), judge.ContestEnded},
		{"who starts after the pause has no more for it", paused, own, at(7*h + h/2), judge.ContestEnded},
		{"a pause lasts beyond the end", lasting, nil, at(50 * h), judge.ContestPaused},
		{"no end", endless, nil, at(50_000 * h), judge.ContestRunning},
		{"no end, but a start", endless, nil, at(-tick), judge.ContestBefore},
	} {
		if got := tt.c.State(tt.p, tt.at); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if got := tt.c.Begun(tt.p, tt.at); got != (tt.want != judge.ContestBefore) {
			t.Errorf("%s: begun %v", tt.name, got)
		}
	}
}

func TestContestFrozen(t *testing.T) {
	const h = time.Hour
	c := judge.Contest{Start: kickoff, Duration: 5 * h, Freeze: h, Pauses: []judge.Pause{{From: at(h), Until: at(2 * h)}}}
	longer := &judge.Contestant{Extra: h}
	thawed := c
	thawed.Thawed = at(8 * h)
	never := c
	never.Freeze = 0
	for _, tt := range []struct {
		name    string
		c       judge.Contest
		p       *judge.Contestant
		in, now time.Time
		want    bool
	}{
		{"before", c, nil, at(5*h - 1), at(9 * h), false},
		{"at once", c, nil, at(5 * h), at(5 * h), true},
		{"after the end", c, nil, at(7 * h), at(9 * h), true},
		{"who has longer is frozen later", c, longer, at(5 * h), at(5 * h), false},
		{"and then too", c, longer, at(6 * h), at(6 * h), true},
		{"not yet thawed", thawed, nil, at(5 * h), at(8*h - 1), true},
		{"thawed", thawed, nil, at(5 * h), at(8 * h), false},
		{"never", never, nil, at(6 * h), at(6 * h), false},
	} {
		if got := tt.c.Frozen(tt.p, tt.in, tt.now); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	held := judge.Contest{HoldResults: true}
	if !held.Held(at(0)) {
		t.Error("not held")
	}
	held.Released = at(h)
	if !held.Held(at(h-1)) || held.Held(at(h)) || (&judge.Contest{}).Held(at(0)) {
		t.Error("released at the wrong time")
	}
}

func TestContestProblem(t *testing.T) {
	c := judge.Contest{Languages: []string{"c"}, MaxSubmissions: 5, Problems: []judge.ContestProblem{
		{Label: "AA", Problem: "b"}, {Label: "B", Problem: "aa"}, {Label: "A", Problem: "x", Languages: []string{"go"}, MaxSubmissions: 2},
	}}
	c.SortProblems()
	for key, want := range map[string]string{"A": "x", "B": "aa", "AA": "b", "aa": "aa", "b": "b", "a": "x", "x": "x"} {
		if p := c.Problem(key); p == nil || p.Problem != want {
			t.Errorf("%s: %+v, want %s", key, p, want)
		}
	}
	if p := c.Problem("C"); p != nil {
		t.Errorf("%+v", p)
	}
	if c.Problems[0].Label != "A" || c.Problems[2].Label != "AA" {
		t.Errorf("%+v", c.Problems)
	}
	a, b := c.Problem("A"), c.Problem("B")
	if fmt.Sprint(c.LanguagesOf(a), c.LanguagesOf(b), c.MaxSubmissionsOf(a), c.MaxSubmissionsOf(b)) != "[go] [c] 2 5" {
		t.Error("languages or limits")
	}
	for _, tt := range [][3]string{{"id", "team", "team"}, {"id", "", "id"}, {"", "", ""}} {
		if got := (judge.Submitter{ID: tt[0], Team: tt[1]}).ContestantID(); got != tt[2] {
			t.Errorf("%v: %q", tt, got)
		}
	}
}

func TestContestCheck(t *testing.T) {
	good := func() judge.Contest {
		return judge.Contest{Name: "c", Kind: judge.ContestICPC, Duration: time.Hour, Problems: []judge.ContestProblem{{Label: "A", Problem: "p", RGB: "#00ff99"}}}
	}
	if c := good(); c.Check() != nil {
		t.Fatal(c.Check())
	}
	for field, change := range map[string]func(c *judge.Contest){
		"name":                func(c *judge.Contest) { c.Name = "C" },
		"kind":                func(c *judge.Contest) { c.Kind = "x" },
		"title":               func(c *judge.Contest) { c.Title = "a\nb" },
		"duration_s":          func(c *judge.Contest) { c.Duration = 0 },
		"freeze_s":            func(c *judge.Contest) { c.Freeze = time.Hour + 1 },
		"penalty_s":           func(c *judge.Contest) { c.Penalty = -1 },
		"penalty_verdicts[1]": func(c *judge.Contest) { c.PenaltyVerdicts = []judge.Verdict{judge.CE, judge.AC} },
		"feedback":            func(c *judge.Contest) { c.Feedback = "some" },
		"max_submissions":     func(c *judge.Contest) { c.MaxSubmissions = -1 },
		"per_minute":          func(c *judge.Contest) { c.PerMinute = 1 << 40 },
		"problems":            func(c *judge.Contest) { c.Problems = make([]judge.ContestProblem, 201) },
		"problems[0].label":   func(c *judge.Contest) { c.Problems[0].Label = "A B" },
		"problems[1].label": func(c *judge.Contest) {
			c.Problems = append(c.Problems, judge.ContestProblem{Label: "a", Problem: "q"})
		},
		"problems[1].problem": func(c *judge.Contest) {
			c.Problems = append(c.Problems, judge.ContestProblem{Label: "B", Problem: "p"})
		},
		"problems[0].rgb":             func(c *judge.Contest) { c.Problems[0].RGB = "red" },
		"problems[0].color":           func(c *judge.Contest) { c.Problems[0].Color = "\x1b[31m" },
		"problems[0].points":          func(c *judge.Contest) { c.Problems[0].Points = math.NaN() },
		"problems[0].max_submissions": func(c *judge.Contest) { c.Problems[0].MaxSubmissions = -1 },
	} {
		c := good()
		change(&c)
		wantFault(t, c.Check(), field)
	}
	if err := judge.CheckContestants([]judge.Contestant{{ID: "1", Country: "DEU", Groups: []string{"g"}, Name: "Größe"}, {ID: "2"}}); err != nil {
		t.Error(err)
	}
	for field, p := range map[string]judge.Contestant{
		"contestants[1].id":          {ID: "0"},
		"contestants[1].name":        {ID: "1", Name: "\u202eevil"},
		"contestants[1].affiliation": {ID: "1", Affiliation: strings.Repeat("x", 201)},
		"contestants[1].country":     {ID: "1", Country: "de"},
		"contestants[1].groups":      {ID: "1", Groups: make([]string, 51)},
		"contestants[1].groups[0]":   {ID: "1", Groups: []string{""}},
		"contestants[1].extra_s":     {ID: "1", Extra: -1},
	} {
		wantFault(t, judge.CheckContestants([]judge.Contestant{{ID: "0"}, p}), field)
	}
	for _, id := range []string{"", "a\x00", "a\tb", "\xff", strings.Repeat("x", 256)} {
		wantFault(t, judge.CheckContestants([]judge.Contestant{{ID: id}}), "contestants[0].id")
	}
}

func wantFault(t *testing.T, err error, field string) {
	t.Helper()
	f, ok := errors.AsType[*judge.Fault](err)
	if !ok || f.Field != field || f.Text == "" || !errors.Is(err, judge.ErrInvalid) {
		t.Errorf("%v, want a fault of %s", err, field)
	}
}
