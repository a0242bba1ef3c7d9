package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"judge/api"
	"judge/judge"
)

// eventful records tell of a run and of the end of its judgement.
type eventful struct{ *fakeRecords }

func (eventful) Events(_ context.Context, after string, _ judge.EventFilter, _ int) (judge.Events, error) {
	if after == "end" {
		return judge.Events{}, errors.New("that was all")
	}
	run := judge.Event{Type: judge.RunJudged, At: created, Problem: mine, SubmissionID: subID, JudgementID: judgementID, Ordinal: 2}
	end := run
	end.Type, end.Ordinal = judge.JudgementJudged, 0
	return judge.Events{Items: []judge.Event{run, end}, Next: "end"}, nil
}

// A secret case with full feedback is shown as samples are, wherever runs are
// shown, and under no policy that shows no samples.
func TestFullFeedback(t *testing.T) {
	word := map[string]bool{"secret/word": true}
	for _, c := range []struct {
		name   string
		open   map[string]bool
		policy judge.Feedback
		who    string
		shown  bool
	}{
		{"secret", nil, judge.FeedbackCases, "owner", false},
		{"another is open", map[string]bool{"secret/other": true}, judge.FeedbackCases, "owner", false},
		{"open", word, judge.FeedbackCases, "owner", true},
		{"open to who looks on", word, judge.FeedbackCases, "viewer", true},
		{"open, first failed", word, judge.FeedbackFirstFailed, "owner", true},
		{"open, verdict alone", word, judge.FeedbackVerdict, "owner", false},
		{"open, nothing", word, judge.FeedbackNone, "owner", false},
		{"staff", nil, judge.FeedbackNone, "staff", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake()
			f.feedback = c.policy
			s := newServer(t, eventful{f}, func(config *api.Config) { config.Packages = fakePackages{open: c.open} })
			for _, path := range []string{"/judgements/" + judgementID, "/judgements/" + judgementID + "/runs", "/submissions/" + subID, "/submissions", "/submissions/" + subID + "/events"} {
				w := ask(s, c.who, http.MethodGet, v1+path, "")
				got := w.Body.String()
				if w.Code != http.StatusOK || strings.Contains(got, "secret/word") != c.shown || strings.Contains(got, "secret word") != c.shown {
					t.Errorf("%s: %d %s; want the run shown: %t", path, w.Code, got, c.shown)
				}
				if strings.HasSuffix(path, "/events") && strings.Contains(got, `"run":{"ordinal":2,"case":"secret/word"`) != c.shown {
					t.Errorf("the run by itself: %s; want it shown: %t", got, c.shown)
				}
			}
		})
	}
}

func TestEmbargo(t *testing.T) {
	files := []string{"", "/statement", "/statement/page", "/attachments", "/attachments/a.html", "/samples", "/samples/1/input"}
	for _, c := range []struct {
		name  string
		until time.Duration
		who   map[string]int
	}{
		{"none", 0, map[string]int{"staff": 200, "owner": 200, "viewer": 200}},
		{"over", -time.Minute, map[string]int{"staff": 200, "owner": 200, "viewer": 200}},
		{"in force", time.Hour, map[string]int{"admin": 200, "staff": 200, "owner": 404, "viewer": 404, "watcher": 404}},
	} {
		t.Run(c.name, func(t *testing.T) {
			packages := fakePackages{}
			if c.until != 0 {
				packages.embargo = time.Now().Add(c.until)
			}
			s := newServer(t, newFake(), func(config *api.Config) { config.Packages = packages })
			for who, want := range c.who {
				for _, file := range files {
					if w := ask(s, who, http.MethodGet, v1+"/problems/mine"+file, ""); w.Code != want {
						t.Errorf("%s: %q: %d %s, want %d", who, file, w.Code, w.Body, want)
					}
				}
				var list api.List[api.ProblemItem]
				if err := json.Unmarshal(ask(s, who, http.MethodGet, v1+"/problems", "").Body.Bytes(), &list); err != nil || (len(list.Items) == 1) != (want == 200) {
					t.Errorf("%s: %d problems listed, %v", who, len(list.Items), err)
				}
			}
			const source = `{"problem":"mine","files":[{"name":"a.py","data":"print(1)\n"}],"submitter":{"id":"ada"}}`
			if w := ask(s, "owner", http.MethodPost, v1+"/submissions", source); (w.Code == http.StatusNotFound) != (c.who["owner"] == 404) {
				t.Errorf("handed in: %d %s", w.Code, w.Body)
			}
		})
	}
}

// enrolled records have the problem in a contest that is under way.
type enrolled struct{ *fakeRecords }

func (enrolled) ContestUses(context.Context, []string) ([]judge.ContestUse, error) {
	return []judge.ContestUse{{Problem: mine, Contest: cup, Start: time.Now().Add(-time.Hour)}}, nil
}

// Who is in a contest that has begun sees its problems: an embargo is about the
// public.
func TestEmbargoInContest(t *testing.T) {
	s := newServer(t, enrolled{newFake()}, func(config *api.Config) { config.Packages = fakePackages{embargo: time.Now().Add(time.Hour)} })
	for who, want := range map[string]int{"staff": 200, "viewer": 200, "outsider": 404} {
		if w := ask(s, who, http.MethodGet, v1+"/problems/mine/statement", ""); w.Code != want {
			t.Errorf("%s: %d %s, want %d", who, w.Code, w.Body, want)
		}
	}
}
