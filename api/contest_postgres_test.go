//go:build postgres

package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"judge/api"
	"judge/judge"
)

const cups = v1 + "/contests"

// newCup is a world with contest "cup": problem mine is A, theirs is B; the
// contestants are "red", who may go on for longer, "blue" and the hidden "ghost".
// rest are more of the contest's fields, as JSON with a comma before them.
func newCup(t *testing.T, rest string) *world {
	t.Helper()
	w := newWorld(t, nil)
	w.publish(theirs)
	w.secret("staff", judge.Token{Role: judge.RoleInstructor, Scope: judge.Scope{Contests: []string{"cup"}}})
	w.secret("team", judge.Token{Role: judge.RoleSubmitter, Scope: judge.Scope{Contests: []string{"cup"}}})
	w.secret("fan", judge.Token{Role: judge.RoleViewer, Scope: judge.Scope{Contests: []string{"cup"}}})
	w.secret("stranger", judge.Token{Role: judge.RoleSubmitter, Scope: judge.Scope{Contests: []string{"other"}}})
	w.ask("admin", "POST", cups, `{"name":"cup","duration_s":18000,"problems":[{"problem":"mine","color":"red","rgb":"#FF0000"},{"problem":"theirs"}]`+rest+`}`, 201, nil)
	w.ask("admin", "PUT", cups+"/cup/contestants", `{"contestants":[{"id":"red","name":"Red","extra_s":3600,"groups":["g"]},{"id":"blue"},{"id":"ghost","hidden":true}]}`, 200, nil)
	return w
}

// since is a start that has been.
func since(d time.Duration) string {
	return fmt.Sprintf(`"start":%q`, time.Now().Add(-d).UTC().Format(time.RFC3339Nano))
}

func entry(problem, team string) string {
	return fmt.Sprintf(`{"problem":%q,"contest":"cup","submitter":{"id":"ada","team":%q},"files":[{"name":"a.py","data":"print(1)\n"}]}`, problem, team)
}

// enter hands something in, and returns what it was answered, an error or not.
func (w *world) enter(who, body string, want int) (s api.Submission, e api.Error) {
	w.tb.Helper()
	var raw json.RawMessage
	w.ask(who, "POST", v1+"/submissions", body, want, &raw)
	var err error
	if want == http.StatusCreated {
		err = json.Unmarshal(raw, &s)
	} else {
		err = json.Unmarshal(raw, &e)
	}
	w.must(err)
	return s, e
}

func (w *world) act(action, body string, want int) (c api.Contest) {
	w.tb.Helper()
	var out any
	if want == http.StatusOK {
		out = &c
	}
	w.ask("staff", "POST", cups+"/cup/"+action, body, want, out)
	return c
}

func TestContestLife(t *testing.T) {
	w := newCup(t, "")
	says := func(e api.Error, kind, text string) {
		t.Helper()
		if e.Type != "urn:judge:"+kind || !strings.Contains(e.Detail, text) {
			t.Errorf("%s: %s, want %s with %q", e.Type, e.Detail, kind, text)
		}
	}
	// Nothing is to be seen or handed in before the start.
	_, e := w.enter("team", entry("A", "red"), 403)
	says(e, "contest", "no start")
	for _, path := range []string{"/problems/mine", "/problems/mine/statement", "/problems/mine/samples", "/contests/cup/problems"} {
		w.ask("team", "GET", v1+path, "", 404, nil)
		w.ask("owner", "GET", v1+path, "", 404, nil)
		w.ask("staff", "GET", v1+path, "", map[bool]int{true: 200, false: 200}[true], nil)
	}
	w.ask("owner", "POST", v1+"/submissions", submitJSON, 404, nil)
	var list api.List[api.ProblemItem]
	if w.ask("team", "GET", v1+"/problems", "", 200, &list); len(list.Items) != 0 {
		t.Errorf("%+v", list)
	}
	var c api.Contest
	if w.ask("team", "GET", cups+"/cup", "", 200, &c); c.Problems != nil || c.State != "before" || c.Contestants != 2 {
		t.Errorf("%+v", c)
	}
	w.act("pause", "{}", 409)
	w.act("freeze", "{}", 409)
	begins := time.Now().Add(time.Hour)
	w.act("start", fmt.Sprintf(`{"at":%q}`, begins.Format(time.RFC3339Nano)), 200)
	_, e = w.enter("team", entry("A", "red"), 403)
	says(e, "contest", "begins at")
	// One has a start of its own.
	w.ask("staff", "PATCH", cups+"/cup/contestants/blue", fmt.Sprintf(`{%s}`, since(time.Minute)), 200, nil)
	w.ask("team", "GET", v1+"/problems/mine?contestant=blue", "", 200, nil)
	w.ask("team", "GET", v1+"/problems/mine?contestant=red", "", 404, nil)
	w.enter("team", entry("A", "blue"), 201)
	w.ask("staff", "PATCH", cups+"/cup/contestants/blue", `{"start":null}`, 200, nil)

	if c = w.act("start", `{"reason":"go"}`, 200); c.State != "running" {
		t.Errorf("%+v", c)
	}
	w.act("start", "{}", 409)
	s, _ := w.enter("team", entry("a", "red"), 201)
	if s.Problem != mine || s.Contest == nil || *s.Contest != "cup" || s.Priority != "contest" {
		t.Errorf("%+v", s)
	}
	w.ask("team", "GET", v1+"/problems/mine", "", 200, nil)
	w.ask("team", "GET", v1+"/problems/mine?contestant=nobody", "", 200, nil)
	if w.ask("team", "GET", v1+"/problems", "", 200, &list); len(list.Items) != 2 {
		t.Errorf("%+v", list)
	}
	for body, want := range map[string]struct {
		status     int
		kind, text string
	}{
		entry("A", "green"): {422, "invalid", "no contestant"},
		entry("C", "red"):   {404, "not-found", "problem"},
		`{"problem":"A","contest":"cup","files":[{"name":"a.py","data":"1"}]}`:    {422, "invalid", "whom"},
		`{"problem":"mine","files":[{"name":"a.py","data":"1"}]}`:                 {404, "not-found", "mine"},
		`{"problem":"A","contest":"none","files":[{"name":"a.py","data":"1"}]}`:   {404, "not-found", "none"},
		`{"items":[` + entry("A", "red") + `,` + entry("A", "green") + `]}/batch`: {422, "invalid", "items[1]"},
	} {
		path := v1 + "/submissions"
		if b, ok := strings.CutSuffix(body, "/batch"); ok {
			path, body = path+"/batch", b
		}
		var e api.Error
		w.ask("team", "POST", path, body, want.status, &e)
		says(e, want.kind, want.text)
	}
	_, e = w.enter("stranger", entry("A", "red"), 404)
	says(e, "not-found", "cup")

	w.act("pause", `{"reason":"fire"}`, 200)
	_, e = w.enter("team", entry("A", "red"), 403)
	says(e, "contest", "paused")
	w.act("pause", "{}", 409)
	if c = w.act("resume", "{}", 200); c.State != "running" || len(c.Pauses) != 1 || c.Pauses[0].Until == nil {
		t.Errorf("%+v", c)
	}
	w.act("resume", "{}", 409)
	w.enter("team", entry("B", "red"), 201)

	// The end; red has an hour more, and all have it once it is extended.
	w.ask("staff", "PATCH", cups+"/cup", fmt.Sprintf(`{%s,"duration_s":1800}`, since(time.Hour)), 200, nil)
	w.enter("team", entry("A", "red"), 201)
	_, e = w.enter("team", entry("A", "blue"), 403)
	says(e, "contest", "ended")
	w.act("extend", `{"by_s":7200}`, 200)
	w.enter("team", entry("A", "blue"), 201)
	w.ask("staff", "PATCH", cups+"/cup", `{"duration_s":1800}`, 200, nil)
	w.act("extend", `{"by_s":7200,"contestant":"blue"}`, 200)
	w.enter("team", entry("A", "blue"), 201)
	w.act("extend", `{"by_s":1,"contestant":"nobody"}`, 404)
	w.act("extend", `{"by_s":0}`, 422)
	w.ask("staff", "PATCH", cups+"/cup/contestants/blue", `{"extra_s":0}`, 200, nil)
	w.ask("staff", "PATCH", cups+"/cup", `{"practice":true}`, 200, nil)
	if s, _ = w.enter("team", entry("A", "blue"), 201); s.Priority != "practice" {
		t.Errorf("%+v", s)
	}
	w.act("pause", "{}", 409)

	// All of it is on record.
	var log api.List[api.AuditEntry]
	w.ask("admin", "GET", v1+"/audit?object=cup", "", 200, &log)
	var actions []string
	for _, e := range log.Items {
		actions = append(actions, strings.TrimPrefix(e.Action, "contest."))
	}
	if got := strings.Join(actions, " "); got != "update extend update extend update resume pause start start contestants create" {
		t.Errorf("audit log: %s", got)
	}
}

func TestContestRevision(t *testing.T) {
	w := newCup(t, "")
	var c api.Contest
	tag := w.ask("staff", "GET", cups+"/cup", "", 200, &c).Get("ETag")
	if tag != fmt.Sprintf(`"%d-before"`, c.Revision) || (*c.Problems)[0].Label != "A" || *(*c.Problems)[0].RGB != "#ff0000" || c.Penalty != 1200 || c.Contestants != 3 {
		t.Errorf("%s %+v", tag, c)
	}
	w.ask("staff", "GET", cups+"/cup", "", 304, nil, "If-None-Match", tag)
	w.ask("staff", "PATCH", cups+"/cup", `{"title":"One"}`, 200, nil, "If-Match", tag)
	var e api.Error
	w.ask("staff", "PATCH", cups+"/cup", `{"title":"Two"}`, 412, &e, "If-Match", tag)
	if e.Type != "urn:judge:changed" {
		t.Error(e)
	}
	w.ask("staff", "GET", cups+"/cup", "", 200, &c, "If-None-Match", tag)
	for _, r := range []string{
		"POST /start {}", "PUT /problems {\"problems\":[]}", "PUT /contestants {\"contestants\":[]}", "PUT /contestants/red {}", "PATCH /contestants/red {}", "DELETE /contestants/red",
		"POST /extend {\"by_s\":1}", "DELETE ",
	} {
		parts := strings.SplitN(r+" ", " ", 3)
		w.ask("staff", parts[0], cups+"/cup"+parts[1], strings.TrimSpace(parts[2]), 412, nil, "If-Match", tag)
	}
	if c.Title != "One" {
		t.Errorf("%+v", c)
	}
	// Of several at once who have seen the same, one wins.
	tag = w.ask("staff", "GET", cups+"/cup", "", 200, nil).Get("ETag")
	const many = 8
	var all sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for i := range many {
		all.Go(func() {
			r, err := http.NewRequestWithContext(t.Context(), "PATCH", w.url+cups+"/cup", strings.NewReader(fmt.Sprintf(`{"title":"%d"}`, i)))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Authorization", "Bearer "+w.secrets["staff"])
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("If-Match", tag)
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			_ = res.Body.Close()
			mu.Lock()
			defer mu.Unlock()
			if res.StatusCode == 200 {
				won++
			} else if res.StatusCode != 412 {
				t.Error(res.Status)
			}
		})
	}
	all.Wait()
	if won != 1 {
		t.Errorf("%d of %d changed it", won, many)
	}
	w.ask("admin", "POST", cups, `{"name":"cup","duration_s":60}`, 409, nil)
	w.ask("admin", "DELETE", cups+"/cup", "", 204, nil)
	w.ask("admin", "GET", cups+"/cup", "", 404, nil)
}

// Whose contest and whose problems they are.
func TestContestScope(t *testing.T) {
	w := newCup(t, ","+since(time.Hour))
	w.ask("staff", "POST", cups, `{"name":"new"}`, 403, nil)
	w.ask("staff", "PUT", cups+"/cup/problems", `{"problems":[{"problem":"mine","label":"X"}]}`, 200, nil) // one that is in it stays
	w.ask("staff", "PUT", cups+"/cup/problems", `{"problems":[{"problem":"mine"},{"problem":"theirs"}]}`, 422, nil)
	w.ask("admin", "PUT", cups+"/cup/problems", `{"problems":[{"problem":"mine"},{"problem":"theirs"}]}`, 200, nil)
	w.ask("admin", "PUT", cups+"/cup/problems", `{"problems":[{"problem":"mine"},{"problem":"none"}]}`, 422, nil)
	w.ask("admin", "PATCH", cups+"/cup", `{"languages":["cobol77"]}`, 422, nil)
	w.ask("stranger", "GET", cups+"/cup", "", 404, nil)
	w.ask("staff", "PATCH", v1+"/problems/mine", `{"enabled":false}`, 404, nil) // staff of the contest, not of the problem
	w.ask("admin", "PATCH", v1+"/problems/mine", `{"enabled":false}`, 200, nil)
	w.ask("team", "GET", v1+"/problems/mine", "", 200, nil) // closed to others, open in the contest
	own, _ := w.enter("team", entry("A", "red"), 201)
	w.ask("admin", "PATCH", v1+"/problems/mine", `{"enabled":true}`, 200, nil)
	w.submit("owner", "ada") // outside of it
	other, _ := w.enter("owner", entry("B", "blue"), 201)
	for who, want := range map[string]string{"admin": "3", "staff": "2", "team": "1", "fan": "2", "owner": "2", "stranger": "0"} {
		var list, some api.List[api.Submission]
		w.ask(who, "GET", v1+"/submissions", "", 200, &list)
		w.ask(who, "GET", v1+"/submissions?contest=cup", "", 200, &some)
		got := fmt.Sprint(len(list.Items))
		if got != want {
			t.Errorf("%s sees %s submissions, want %s", who, got, want)
		}
		if inCup := map[string]int{"admin": 2, "staff": 2, "team": 1, "fan": 2, "owner": 1}[who]; len(some.Items) != inCup {
			t.Errorf("%s sees %d of the contest, want %d", who, len(some.Items), inCup)
		}
	}
	w.ask("staff", "GET", v1+"/submissions/"+other.ID+"/source", "", 200, nil)
	w.ask("fan", "GET", v1+"/submissions/"+own.ID, "", 200, nil)
	w.ask("fan", "GET", v1+"/submissions/"+own.ID+"/source", "", 403, nil)
	w.ask("team", "GET", v1+"/submissions/"+other.ID, "", 404, nil)
	var count api.Statistics
	if w.ask("fan", "GET", v1+"/statistics", "", 200, &count); count.Submissions.Total != 2 || len(count.Submissions.Verdicts) != 0 {
		t.Errorf("statistics of a contest: %+v", count)
	}
	var people api.List[api.Contestant]
	for who, want := range map[string]int{"staff": 3, "fan": 2} {
		if w.ask(who, "GET", cups+"/cup/contestants", "", 200, &people); len(people.Items) != want {
			t.Errorf("%s sees %+v", who, people)
		}
	}
	w.ask("fan", "GET", cups+"/cup/contestants/ghost", "", 404, nil)
	w.ask("staff", "GET", cups+"/cup/contestants/ghost", "", 200, nil)
	w.ask("staff", "DELETE", cups+"/cup/contestants/red", "", 409, nil)
	w.ask("staff", "DELETE", cups+"/cup/contestants/ghost", "", 204, nil)
	w.ask("staff", "PUT", cups+"/cup/contestants?merge=true", `{"contestants":[{"id":"a/b","name":"Slash"}]}`, 200, nil)
	w.ask("staff", "GET", cups+"/cup/contestants/a%2Fb", "", 200, nil)
	w.ask("staff", "PUT", cups+"/cup/contestants", `{"contestants":[{"id":"red"}]}`, 409, nil)
	var page api.List[api.Contestant]
	w.ask("staff", "GET", cups+"/cup/contestants?limit=2", "", 200, &page)
	w.ask("staff", "GET", cups+"/cup/contestants?limit=2&cursor="+*page.NextCursor, "", 200, &people)
	if len(page.Items) != 2 || len(people.Items) != 1 || people.Items[0].ID != "red" || people.NextCursor != nil {
		t.Errorf("%+v %+v", page, people)
	}
	if w.ask("staff", "GET", cups+"/cup/contestants?search=SLA", "", 200, &people); len(people.Items) != 1 {
		t.Errorf("%+v", people)
	}
	var contests api.List[api.Contest]
	if w.ask("team", "GET", cups, "", 200, &contests); len(contests.Items) != 1 {
		t.Errorf("%+v", contests)
	}
	if w.ask("stranger", "GET", cups, "", 200, &contests); len(contests.Items) != 0 {
		t.Errorf("%+v", contests)
	}
	w.ask("admin", "DELETE", cups+"/cup", "", 409, nil)
	w.ask("admin", "PUT", cups+"/cup/problems", `{"problems":[{"problem":"mine"}]}`, 409, nil)
}

// Who follows a contest is told of its changes, and of no other's.
func TestContestStream(t *testing.T) {
	w := newCup(t, ","+since(time.Hour))
	w.ask("admin", "POST", cups, `{"name":"other","duration_s":60}`, 201, nil)
	team, owner := w.open("team", v1+"/events?contest=cup"), w.open("stranger", v1+"/events?contest=other")
	defer func() { _, _ = team.Close(), owner.Close() }()
	w.act("pause", "{}", 200)
	w.act("resume", "{}", 200)
	w.enter("owner", entry("A", "red"), 201) // another token's
	s, _ := w.enter("team", entry("A", "red"), 201)
	for _, want := range []string{"contest.updated", "contest.updated", "submission.created"} {
		e := nextEvent(t, team)
		if e.Type != want || e.Contest == nil || *e.Contest != "cup" || (e.SubmissionID == nil) != (want == "contest.updated") {
			t.Fatalf("%+v, want %s", e, want)
		}
		if e.SubmissionID != nil && *e.SubmissionID != s.ID {
			t.Errorf("%+v", e)
		}
	}
	w.ask("admin", "PATCH", cups+"/other", `{"title":"x"}`, 200, nil)
	if e := nextEvent(t, owner); e.Type != "contest.updated" || *e.Contest != "other" {
		t.Errorf("%+v", e)
	}
	w.ask("stranger", "GET", v1+"/events?contest=cup", "", 404, nil)
}

// A contest that is open makes contestants of those who come.
func TestContestOpen(t *testing.T) {
	w := newCup(t, ","+since(time.Hour)+`,"open":true`)
	w.enter("team", strings.Replace(entry("A", "x"), `,"team":"x"`, `,"name":"Ada L."`, 1), 201)
	var p api.Contestant
	if w.ask("fan", "GET", cups+"/cup/contestants/ada", "", 200, &p); p.Name != "Ada L." {
		t.Errorf("%+v", p)
	}
}
