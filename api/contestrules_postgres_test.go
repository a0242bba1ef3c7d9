//go:build postgres

package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"judge/api"
	"judge/judge"
	"judge/judge/store"
)

// However many come at once, no more are taken than the contest takes.
func TestContestLimits(t *testing.T) {
	w := newCup(t, ","+since(time.Hour)+`,"max_submissions":5,"per_minute":12,"practice":true`)
	const many = 50
	flood := func(body func(i int) string) map[int]int {
		var all sync.WaitGroup
		var mu sync.Mutex
		got := map[int]int{}
		for i := range many {
			all.Go(func() {
				r, err := http.NewRequestWithContext(t.Context(), "POST", w.url+v1+"/submissions", strings.NewReader(body(i)))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("Authorization", "Bearer "+w.secrets["team"])
				r.Header.Set("Content-Type", "application/json")
				res, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				_ = res.Body.Close()
				mu.Lock()
				defer mu.Unlock()
				got[res.StatusCode]++
				if res.StatusCode == 429 && res.Header.Get("Retry-After") == "" {
					t.Error("429 without Retry-After")
				}
			})
		}
		all.Wait()
		return got
	}
	person := func(problem, team string) func(int) string {
		return func(i int) string { return strings.Replace(entry(problem, team), "ada", fmt.Sprint("p", i), 1) }
	}
	if got := flood(person("A", "red")); got[201] != 5 || got[403] != many-5 {
		t.Errorf("%v, want 5 for one problem", got)
	}
	// With five of A there are seven left in the minute, of which B takes five.
	if got := flood(person("B", "red")); got[201] != 5 {
		t.Errorf("%v, want 5 more", got)
	}
	w.must(setContest(w, func(c *judge.Contest) { c.MaxSubmissions = 0 }))
	if got := flood(person("B", "red")); got[201] != 2 || got[429] != many-2 {
		t.Errorf("%v, want 2 more in the minute", got)
	}
	// A batch is all or none; another contestant has a minute of its own.
	batch := `{"items":[` + strings.TrimSuffix(strings.Repeat(entry("A", "blue")+",", 13), ",") + `]}`
	var e api.Error
	w.ask("team", "POST", v1+"/submissions/batch", batch, 429, &e)
	if !strings.HasPrefix(e.Detail, "items[12]") || w.submissions() != 12 {
		t.Errorf("%+v, %d submissions", e, w.submissions())
	}
	w.enter("team", entry("A", "blue"), 201)
	// What does not count leaves room: cancelled, ignored, and our own faults.
	w.must(setContest(w, func(c *judge.Contest) { c.MaxSubmissions, c.PerMinute = 1, 0 }))
	w.enter("team", entry("A", "blue"), 403)
	_, err := w.store.Pool().Exec(t.Context(), "UPDATE submissions SET outcome = 'cancelled' WHERE contestant = 'blue'")
	w.must(err)
	w.enter("team", entry("A", "blue"), 201)
	w.enter("team", entry("A", "blue"), 403)
	// Practice after the end has no limit by problem.
	w.must(setContest(w, func(c *judge.Contest) { c.Duration = time.Minute }))
	w.enter("team", entry("A", "blue"), 201)
}

// setContest changes the contest behind the API's back.
func setContest(w *world, change func(*judge.Contest)) error {
	return w.store.Tx(w.tb.Context(), func(tx *store.Tx) error {
		c, err := tx.LockContest(w.tb.Context(), "cup")
		if err != nil {
			return err
		}
		change(&c)
		_, err = tx.UpdateContest(w.tb.Context(), c)
		return err
	})
}

func TestContestFeedback(t *testing.T) {
	w := newCup(t, ","+since(time.Hour)+`,"feedback":"verdict","hold_results":true,"freeze_s":60`)
	own, _ := w.enter("team", entry("A", "red"), 201)
	w.judge(judge.WA)
	// look is what is seen of the submission: in an answer, in a list by verdict, and
	// in a stream.
	look := func(who string) string {
		var s api.Submission
		w.ask(who, "GET", v1+"/submissions/"+own.ID, "", 200, &s)
		var list api.List[api.Submission]
		w.ask(who, "GET", v1+"/submissions?verdict=WA", "", 200, &list)
		verdict := "none"
		if s.Judgement.Verdict != nil {
			verdict = *s.Judgement.Verdict
		}
		streamed := w.streamed(who, own.ID)
		return fmt.Sprintf("%s %d runs, %d listed, %s streamed", verdict, len(s.Judgement.Runs), len(list.Items), streamed)
	}
	for _, step := range []struct {
		name             string
		team, fan, staff string
	}{
		{"held", "none 0 runs, 0 listed, none streamed", "none 0 runs, 0 listed, none streamed", "WA 1 runs, 1 listed, WA streamed"},
		{"released", "WA 0 runs, 1 listed, WA streamed", "WA 0 runs, 1 listed, WA streamed", "WA 1 runs, 1 listed, WA streamed"},
		{"frozen", "WA 0 runs, 1 listed, WA streamed", "none 0 runs, 0 listed, none streamed", "WA 1 runs, 1 listed, WA streamed"},
		{"thawed", "WA 0 runs, 1 listed, WA streamed", "WA 0 runs, 1 listed, WA streamed", "WA 1 runs, 1 listed, WA streamed"},
		{"full", "WA 1 runs, 1 listed, WA streamed", "WA 1 runs, 1 listed, WA streamed", "WA 1 runs, 1 listed, WA streamed"},
	} {
		switch step.name {
		case "released":
			w.act("release", "{}", 200)
			w.act("release", "{}", 409)
		case "frozen":
			w.act("thaw", "{}", 409)
			// As if it had been frozen before the submission.
			w.must(setContest(w, func(c *judge.Contest) { c.Freeze = c.Duration - c.Elapsed(nil, time.Time(own.CreatedAt)) }))
			w.act("freeze", "{}", 409)
		case "thawed":
			w.act("thaw", "{}", 200)
		case "full":
			w.ask("staff", "PATCH", cups+"/cup", `{"feedback":"full"}`, 200, nil)
		}
		for who, want := range map[string]string{"team": step.team, "fan": step.fan, "staff": step.staff} {
			if got := look(who); got != want {
				t.Errorf("%s: %s sees %s, want %s", step.name, who, got, want)
			}
		}
	}
}

// streamed is the verdict that the stream of a submission tells, which is judged.
func (w *world) streamed(who, submission string) string {
	w.tb.Helper()
	r := w.open(who, v1+"/submissions/"+submission+"/events")
	defer func() { _ = r.Close() }()
	for {
		e := nextEvent(w.tb, r)
		if e.Type != string(judge.JudgementJudged) {
			continue
		}
		if e.Judgement.Verdict == nil {
			return "none"
		}
		return *e.Judgement.Verdict
	}
}

// sse is a stream of events that is being read.
type sse struct {
	io.Closer

	lines *bufio.Scanner
}

// open opens a stream: what happens from its return on is in it.
func (w *world) open(who, path string) *sse {
	w.tb.Helper()
	ctx, cancel := context.WithTimeout(w.tb.Context(), time.Minute)
	w.tb.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", w.url+path, nil)
	w.must(err)
	r.Header.Set("Authorization", "Bearer "+w.secrets[who])
	res, err := http.DefaultClient.Do(r)
	w.must(err)
	if res.StatusCode != http.StatusOK {
		w.tb.Fatalf("%s: %s", path, res.Status)
	}
	return &sse{res.Body, bufio.NewScanner(res.Body)}
}

func nextEvent(tb testing.TB, s *sse) (e api.StreamEvent) {
	tb.Helper()
	for s.lines.Scan() {
		if data, ok := strings.CutPrefix(s.lines.Text(), "data: "); ok {
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				tb.Fatal(err)
			}
			return e
		}
	}
	tb.Fatalf("the stream ended: %v", s.lines.Err())
	return e
}
