package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// Endpoints say which endpoints webhooks may have, and seal their secrets.
type Endpoints interface {
	// CheckURL says what is wrong with a URL, as far as that can be told now.
	CheckURL(url string) error
	// Seal seals the secret of a webhook, and makes one where it is empty. An error
	// says what is wrong with the secret. shown is what the receiver is to know.
	Seal(webhook, secret string) (shown string, sealed judge.SealedSecret, err error)
}

// Webhook is an endpoint that is told of events. Its secret is shown once: when
// it is made, or made anew.
type Webhook struct {
	ID             string     `json:"id" format:"uuid"`
	URL            string     `json:"url"`
	Events         []string   `json:"events"`
	Problems       []string   `json:"problems" doc:"Empty: all."`
	Contests       []string   `json:"contests" doc:"Empty: all."`
	Scope          Scope      `json:"scope" doc:"Of the token that it was made with: it is told of nothing else."`
	Enabled        bool       `json:"enabled"`
	DisabledReason *string    `json:"disabled_reason" doc:"Why it is not enabled; null: it is, or that was asked for."`
	Kept           bool       `json:"kept" doc:"Whether what happens is kept for it while it is not enabled, and sent when it is."`
	FailingSince   *wire.Time `json:"failing_since" doc:"The first failure since the last success."`
	CreatedAt      wire.Time  `json:"created_at"`
	CreatedBy      string     `json:"created_by" doc:"Id of the token."`
	Secret         *string    `json:"secret,omitempty" doc:"What signs; it cannot be read again."`
}

func newWebhook(w *judge.Webhook) Webhook {
	out := Webhook{
		ID: w.ID, URL: w.URL, Events: []string{}, Problems: append([]string{}, w.Problems...), Contests: append([]string{}, w.Contests...),
		Scope:   Scope{append([]string{}, w.Scope.Problems...), append([]string{}, w.Scope.Contests...)},
		Enabled: w.State == judge.WebhookEnabled, DisabledReason: wire.Known(w.Reason), Kept: w.State == judge.WebhookFailing,
		FailingSince: moment(w.FailingSince), CreatedAt: wire.Time(w.CreatedAt), CreatedBy: w.TokenID,
	}
	for _, e := range w.Events {
		out.Events = append(out.Events, string(e))
	}
	return out
}

func (s *Server) webhookRoutes() {
	tags := []string{"webhooks"}
	register(s, huma.Operation{OperationID: "list-webhooks", Method: http.MethodGet, Path: "/webhooks", Tags: tags, Summary: "All webhooks, oldest first"}, s.listWebhooks)
	register(s, huma.Operation{
		OperationID: "create-webhook", Method: http.MethodPost, Path: "/webhooks", DefaultStatus: http.StatusCreated, Tags: tags, Summary: "Make a webhook",
		Description: `Requests are signed as Standard Webhooks 1.0.0 has it: webhook-signature is v1, and the base64 of HMAC-SHA256, by the secret, over webhook-id, webhook-timestamp and the body, with dots between.
The body is {"id", "type", "at", "data"}, data being what the event stream sends, as staff see it. Each event comes at least once, in no order: know repetitions by webhook-id.
Whatever is not 2xx within 15 s is tried again after about 5 s, 30 s, 2 min, 10 min, 1 h, 3 h, 8 h and 24 h. After three days of failures only, or 50 events in a row that were given up, or 410, the webhook is switched off.`,
	}, s.createWebhook)
	register(s, huma.Operation{OperationID: "get-webhook", Method: http.MethodGet, Path: "/webhooks/{id}", Tags: tags, Summary: "A webhook, without its secret"}, s.getWebhook)
	register(s, huma.Operation{OperationID: "update-webhook", Method: http.MethodPatch, Path: "/webhooks/{id}", Tags: tags, Summary: "Change a webhook, enable it, give it a new secret"}, s.updateWebhook)
	register(s, huma.Operation{OperationID: "delete-webhook", Method: http.MethodDelete, Path: "/webhooks/{id}", Tags: tags, Summary: "Remove a webhook with its deliveries"}, s.deleteWebhook)
	register(s, huma.Operation{OperationID: "test-webhook", Method: http.MethodPost, Path: "/webhooks/{id}/test", DefaultStatus: http.StatusAccepted, Tags: tags, Summary: "Send a ping"}, s.testWebhook)
	s.deliveryRoutes(tags)
}

// seesWebhook reports whether a token may know of a webhook: all that it tells of
// has to be within the token's scope.
func seesWebhook(t judge.Token, w *judge.Webhook) bool {
	if t.Role == judge.RoleAdmin || !scoped(t) {
		return true
	}
	within := func(problems, contests []string) bool {
		if len(problems)+len(contests) == 0 {
			return false
		}
		outside := func(names, scope []string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(scope, n) })
		}
		return !outside(problems, t.Scope.Problems) && !outside(contests, t.Scope.Contests)
	}
	return within(w.Problems, w.Contests) || within(w.Scope.Problems, w.Scope.Contests)
}

// webhook finds a webhook that the caller may know of.
func (s *Server) webhook(ctx context.Context, reads Reads, id string) (judge.Webhook, error) {
	w, err := reads.Webhook(ctx, id)
	if err == nil && !seesWebhook(tokenOf(ctx), &w) {
		err = judge.ErrNotFound
	}
	return w, named(err, "webhook", id)
}

func (s *Server) listWebhooks(ctx context.Context, _ *struct{}) (*answer[List[Webhook]], error) {
	list, err := s.Records.Webhooks(ctx)
	if err != nil {
		return nil, err
	}
	items := []Webhook{}
	for i := range list {
		if seesWebhook(tokenOf(ctx), &list[i]) {
			items = append(items, newWebhook(&list[i]))
		}
	}
	return answered(newList(items, "")), nil
}

// WebhookPath names a webhook.
type WebhookPath struct {
	ID string `path:"id" maxLength:"64" doc:"Id of the webhook."`
}

func (s *Server) getWebhook(ctx context.Context, in *WebhookPath) (*answer[Webhook], error) {
	w, err := s.webhook(ctx, s.Records, in.ID)
	if err != nil {
		return nil, err
	}
	return answered(newWebhook(&w)), nil
}

type webhookDelete struct {
	WebhookPath

	Reason string `query:"reason" maxLength:"1000"`
}

func (s *Server) deleteWebhook(ctx context.Context, in *webhookDelete) (*struct{}, error) {
	if _, err := s.webhook(ctx, s.Records, in.ID); err != nil {
		return nil, err
	}
	err := s.changed(ctx, judge.AuditEntry{Action: "webhook.delete", Object: in.ID, Reason: in.Reason}, func(tx Tx) error {
		return tx.DeleteWebhook(ctx, in.ID)
	})
	return nil, named(err, "webhook", in.ID)
}

// oldSecrets is for how long after a change the secret before it signs too.
const oldSecrets = 24 * time.Hour
