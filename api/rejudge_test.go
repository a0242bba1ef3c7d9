package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"judge/api"
	"judge/judge"
)

func TestCreateRejudging(t *testing.T) {
	f := newFake()
	s := newServer(t, f, nil)
	for name, test := range map[string]struct {
		who, query, body string
		change           func(*rejudgeFake)
		status           int
		want             string
	}{
		"made":               {body: `{"problems":["mine"],"verdicts":["WA"],"reason":"r"}`, status: 201, want: `"state":"judging"`},
		"within a scope":     {who: "staff", body: `{"verdicts":["WA"],"reason":"r"}`, status: 201, want: `"version":"current"`},
		"same version":       {body: `{"problems":["mine"],"reason":"r","version":"same","apply":true}`, status: 201, want: `"version":"same","apply":true`},
		"dry run":            {query: "?dry_run=true", body: `{"problems":["mine"],"reason":"r"}`, status: 200, want: `"state":"none"`},
		"everything":         {body: `{"reason":"r"}`, status: 422, want: "it would choose everything"},
		"no reason":          {body: `{"problems":["mine"]}`, status: 422, want: "reason"},
		"blank reason":       {body: `{"problems":["mine"],"reason":"  "}`, status: 422, want: "say why"},
		"unknown problem":    {body: `{"problems":["mine","none"],"reason":"r"}`, status: 404, want: "body.problems[1]"},
		"problem of others":  {who: "staff", body: `{"problems":["theirs"],"reason":"r"}`, status: 404, want: "body.problems[0]"},
		"unknown language":   {body: `{"languages":["klingon"],"reason":"r"}`, status: 422, want: "no language here"},
		"unknown verdict":    {body: `{"verdicts":["XX"],"reason":"r"}`, status: 422, want: "body.verdicts"},
		"unknown submission": {body: `{"submissions":["x"],"reason":"r"}`, status: 404, want: "body.submissions"},
		"times":              {body: `{"since":"2026-03-02T00:00:00Z","until":"2026-03-01T00:00:00Z","reason":"r"}`, status: 422, want: "not after since"},
		"nothing":            {body: `{"submitter":"nobody","reason":"r"}`, status: 409, want: "chooses no submission"},
		"all under way":      {body: `{"submitter":"nobody","reason":"r"}`, change: func(f *rejudgeFake) { f.skipped = 3 }, status: 409, want: "all 3 submissions"},
		"too many":           {body: `{"problems":["mine"],"reason":"r"}`, change: func(f *rejudgeFake) { f.chosen = judge.MaxRejudging + 1 }, status: 422, want: "split it"},
		"not published":      {body: `{"problems":["mine"],"reason":"r"}`, change: func(f *rejudgeFake) { f.unpublished = []string{"mine"} }, status: 409, want: "problem mine has no published version"},
		"not published, same": {
			body: `{"problems":["mine"],"reason":"r","version":"same"}`, change: func(f *rejudgeFake) { f.unpublished = []string{"mine"} }, status: 201, want: `"version":"same"`,
		},
	} {
		f.rejudgeFake = rejudgeFake{chosen: 2}
		if test.change != nil {
			test.change(&f.rejudgeFake)
		}
		who := test.who
		if who == "" {
			who = "admin"
		}
		w := ask(s, who, http.MethodPost, v1+"/rejudgings"+test.query, test.body)
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s: %d %s, want %d with %q", name, w.Code, w.Body, test.status, test.want)
		}
		if dry := test.query != ""; w.Code < 300 && (w.Header().Get("Location") == "") != dry {
			t.Errorf("%s: location %q", name, w.Header().Get("Location"))
		}
	}
}

func TestApplyRejudgingRefused(t *testing.T) {
	f := newFake()
	f.blocked = judge.RejudgingCounts{Total: 9, Queued: 1, Running: 2, Failed: 3, Conflicts: 1}
	s := newServer(t, f, nil)
	at := v1 + "/rejudgings/" + rejudgingID + "/apply"
	w := ask(s, "admin", http.MethodPost, at, `{}`)
	if want := "of 9 submissions 3 not judged yet, 3 ended as JE, which is our fault, 1 judged otherwise meanwhile; wait"; w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), want) {
		t.Errorf("%d %s, want %q", w.Code, w.Body, want)
	}
	if w := ask(s, "admin", http.MethodPost, at, `{"force":true,"reason":"enough"}`); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"end_reason":"enough"`) {
		t.Errorf("by force: %d %s", w.Code, w.Body)
	}
}

func TestRejudgingShown(t *testing.T) {
	s := newServer(t, newFake(), nil)
	var r api.Rejudging
	get(t, s, "/rejudgings/"+rejudgingID, &r)
	if r.ID == nil || r.State != "ready" || r.Counts.Changed != 1 || len(r.Pairs) != 2 || *r.Pairs[0].Old != "WA" || r.Pairs[1].Old != nil || r.EndedAt != nil {
		t.Errorf("%+v", r)
	}
	var changes struct{ Items []api.RejudgingChange }
	get(t, s, "/rejudgings/"+rejudgingID+"/changes", &changes)
	if len(changes.Items) != 1 || changes.Items[0].SubmissionID != subID || *changes.Items[0].Old.Verdict != "WA" {
		t.Errorf("%+v", changes)
	}
	var both api.Comparison
	get(t, s, "/judgements/"+judgementID+"/compare/"+judgementID, &both)
	if len(both.Runs) != 2 || both.Runs[1].Differs || *both.Runs[1].New.Message != "secret word" || len(both.Old.Runs) > 0 {
		t.Errorf("%+v", both)
	}
}

func get(t *testing.T, s *api.Server, path string, into any) {
	t.Helper()
	w := ask(s, "admin", http.MethodGet, v1+path, "")
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
}

// What a rejudging found is for staff alone until it is applied.
func TestShadows(t *testing.T) {
	f := newFake()
	f.shadow = true
	s := newServer(t, f, nil)
	for who, want := range map[string]string{"admin": "200 1", "staff": "200 1", "owner": "404 0", "viewer": "404 0", "watcher": "404 0", "stranger": "404"} {
		one := ask(s, who, http.MethodGet, v1+"/judgements/"+judgementID, "")
		var list struct{ Items []json.RawMessage }
		all := ask(s, who, http.MethodGet, v1+"/submissions/"+subID+"/judgements", "")
		if err := json.Unmarshal(all.Body.Bytes(), &list); err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(one.Code)
		if all.Code == http.StatusOK {
			got += fmt.Sprint(" ", len(list.Items))
		}
		if got != want {
			t.Errorf("%s: %s, want %s", who, got, want)
		}
		for _, path := range []string{"/runs", "/runs/2/output"} {
			if w := ask(s, who, http.MethodGet, v1+"/judgements/"+judgementID+path, ""); (w.Code == http.StatusOK) != (who == "admin" || who == "staff") {
				t.Errorf("%s of %s: %d", path, who, w.Code)
			}
		}
	}
	// A cancelled or missing current judgement is nothing to wait for.
	if w := ask(s, "owner", http.MethodGet, v1+"/submissions/"+subID, ""); w.Code != http.StatusOK || strings.Contains(w.Body.String(), judgementID) {
		t.Errorf("a shadow as the one that counts: %d %s", w.Code, w.Body)
	}
}
