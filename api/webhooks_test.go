package api_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"judge/api"
	"judge/judge"
	"judge/judge/webhook"
)

const (
	webhookID  = "0195f1a2-0000-7000-8000-000000000011"
	deliveryID = "0195f1a2-0000-7000-8000-000000000012"
)

func testEndpoints(tb testing.TB) webhook.Endpoints {
	tb.Helper()
	key, err := webhook.ParseKey(strings.Repeat("ab", 32))
	if err != nil {
		tb.Fatal(err)
	}
	return webhook.Endpoints{Key: key}
}

func (f *fakeRecords) Webhook(_ context.Context, id string) (judge.Webhook, error) {
	if id != webhookID {
		return judge.Webhook{}, judge.ErrNotFound
	}
	return judge.Webhook{ID: id, URL: "https://example.org", Problems: []string{mine}, State: judge.WebhookEnabled, CreatedAt: created}, nil
}

func (f *fakeRecords) Webhooks(ctx context.Context) ([]judge.Webhook, error) {
	w, err := f.Webhook(ctx, webhookID)
	return []judge.Webhook{w}, err
}

func (f *fakeRecords) Delivery(_ context.Context, id string) (judge.Delivery, error) {
	if id != deliveryID {
		return judge.Delivery{}, judge.ErrNotFound
	}
	return judge.Delivery{ID: id, WebhookID: webhookID, State: judge.DeliveryFailed}, nil
}

func (f *fakeRecords) Deliveries(context.Context, string, judge.DeliveryState, string, int) ([]judge.Delivery, error) {
	return nil, nil
}

func (f *fakeRecords) DeliveryTries(context.Context, string) ([]judge.DeliveryTry, error) {
	return nil, nil
}

func (t fakeTx) CreateWebhook(_ context.Context, w judge.Webhook) (judge.Webhook, error) {
	return w, nil
}
func (t fakeTx) ChangeWebhook(context.Context, judge.Webhook) error { return nil }
func (t fakeTx) DeleteWebhook(context.Context, string) error        { return nil }
func (t fakeTx) Ping(ctx context.Context, _ string) (judge.Delivery, error) {
	return t.Delivery(ctx, deliveryID)
}

func (t fakeTx) Redeliver(ctx context.Context, id string) (judge.Delivery, error) {
	return t.Delivery(ctx, id)
}

func TestWebhookRequests(t *testing.T) {
	s := newServer(t, newFake(), nil)
	const path = v1 + "/webhooks"
	for name, tt := range map[string]struct {
		who, method, path, body string
		status                  int
		field                   string
	}{
		"inner address":       {"admin", "POST", path, `{"url":"https://127.0.0.1/"}`, 422, "body.url"},
		"http":                {"admin", "POST", path, `{"url":"http://example.org/"}`, 422, "body.url"},
		"no url":              {"admin", "POST", path, `{"events":["run.judged"]}`, 422, "body"},
		"unknown event":       {"admin", "POST", path, `{"url":"https://example.org","events":["x"]}`, 422, "body.events[0]"},
		"no event":            {"admin", "POST", path, `{"url":"https://example.org","events":[]}`, 422, "body.events"},
		"bad secret":          {"admin", "POST", path, `{"url":"https://example.org","secret":"hunter2"}`, 422, "body.secret"},
		"no name":             {"admin", "POST", path, `{"url":"https://example.org","contests":["A B"]}`, 422, "body.contests[0]"},
		"out of scope":        {"staff", "POST", path, `{"url":"https://example.org","problems":["theirs"]}`, 422, "body.problems[0]"},
		"change url":          {"staff", "PATCH", path + "/" + webhookID, `{"url":"https://10.0.0.1"}`, 422, "body.url"},
		"two secrets":         {"staff", "PATCH", path + "/" + webhookID, `{"secret":"x","new_secret":true}`, 422, "body.new_secret"},
		"secret that is none": {"staff", "PATCH", path + "/" + webhookID, `{"secret":""}`, 422, "body.secret"},
		"cursor":              {"staff", "GET", path + "/" + webhookID + "/deliveries?state=lost", "", 422, "query.state"},
	} {
		w := ask(s, tt.who, tt.method, tt.path, tt.body)
		e := errorOf(t, w.Body.Bytes())
		if w.Code != tt.status || len(e.Errors) == 0 || e.Errors[0].Field != tt.field {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	for _, tt := range []struct{ method, path, body string }{
		{"POST", path, `{"url":"https://example.org"}`},
		{"PATCH", path + "/" + webhookID, `{"new_secret":true}`},
	} {
		if w := ask(s, "admin", tt.method, tt.path, tt.body); !strings.Contains(w.Body.String(), `"secret":"whsec_`) {
			t.Errorf("%s: no secret: %s", tt.method, w.Body)
		}
	}
	if w := ask(s, "admin", "GET", path+"/"+webhookID, ""); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("the secret is shown again: %s", w.Body)
	}
}

// TestWebhookBody: an endpoint is told what staff see.
func TestWebhookBody(t *testing.T) {
	s := newServer(t, newFake(), nil)
	event := judge.Event{Type: judge.JudgementJudged, JudgementID: judgementID, SubmissionID: subID, Problem: mine, At: created}
	b, err := s.WebhookBody(t.Context(), judge.Delivery{ID: deliveryID, Event: event})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{"id":"` + deliveryID + `","type":"judgement.judged","at":"2026-03-01T12:04:05.006Z","data":{`, `"verdict":"WA"`, `"message":"secret word"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %s in %s", want, b)
		}
	}
	event.JudgementID = webhookID
	if _, err := s.WebhookBody(t.Context(), judge.Delivery{Event: event}); !errors.Is(err, judge.ErrNotFound) {
		t.Errorf("of what is gone: %v", err)
	}
	b, err = s.WebhookBody(t.Context(), judge.Delivery{ID: deliveryID, WebhookID: webhookID, Event: judge.Event{Type: judge.WebhookPing, At: created}})
	if err != nil || !strings.Contains(string(b), `"type":"ping"`) {
		t.Errorf("%s, %v", b, err)
	}
}

var _ api.Endpoints = webhook.Endpoints{}
