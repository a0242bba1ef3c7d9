//go:build postgres

package main

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"judge/api"
	"judge/judge"
)

// TestStreamFeedback: each reader gets what the policy leaves for it.
func TestStreamFeedback(t *testing.T) {
	s := newHTTPSite(t)
	base, _ := s.serve()
	_, admin := s.token(judge.Token{Name: "a", Role: judge.RoleAdmin})
	token, owner := s.token(judge.Token{Name: "o", Role: judge.RoleSubmitter})
	_, other := s.token(judge.Token{Name: "x", Role: judge.RoleSubmitter})
	var version api.Version
	s.call(admin, http.MethodPost, base+"/problems?name=sum&publish=now&reason=test", zipType, skeletonZip(t, "sum", nil), 201, &version)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.judgeAll(ctx) }()
	const begun, ended = "submission.created judgement.started ", "judgement.judged"
	for policy, want := range map[judge.Feedback]string{
		judge.FeedbackFull:        begun + "sample/1 secret/01 secret/02 " + ended + " WA",
		judge.FeedbackCases:       begun + "sample/1 ? ? " + ended + " WA",
		judge.FeedbackFirstFailed: begun + "sample/1 " + ended + " WA",
		judge.FeedbackVerdict:     begun + ended + " WA",
		judge.FeedbackNone:        begun + ended + " -",
	} {
		s.call(admin, http.MethodPatch, base+"/problems/sum/versions/1", "application/json", strings.NewReader(`{"settings":{"feedback":"`+string(policy)+`"}}`), 200, nil)
		sub := s.submit(token, version.ID)
		at := base + "/submissions/" + sub.ID + "/events"
		if got := summary(t, owner, at); got != want {
			t.Errorf("%s: %s, want %s", policy, got, want)
		}
		if got := summary(t, admin, at); !strings.Contains(got, "secret/02") {
			t.Errorf("%s: an admin got %s", policy, got)
		}
		s.call(other, http.MethodGet, at, "", nil, 404, nil)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// summary is what a stream of one submission says until it is judged.
func summary(t *testing.T, secret, url string) string {
	t.Helper()
	var words []string
	after := ""
	for {
		events, err := follow(t.Context(), secret, url, after, 1)
		if err != nil || len(events) == 0 {
			t.Fatal("no event", err)
		}
		e := events[0]
		after = e.id
		switch {
		case e.data.Run != nil && e.data.Run.Case != nil:
			words = append(words, *e.data.Run.Case)
		case e.data.Type == string(judge.RunJudged):
			words = append(words, "?")
		default:
			words = append(words, e.data.Type)
		}
		if e.data.Type != string(judge.JudgementJudged) {
			continue
		}
		if v := e.data.Judgement.Verdict; v != nil {
			return strings.Join(append(words, *v), " ")
		}
		return strings.Join(append(words, "-"), " ")
	}
}
