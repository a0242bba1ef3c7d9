package api

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"judge/judge"
)

// toldByDefault are the events that a webhook is told of where it does not say
// which: all but those of a judgement's way, of which there are many.
var toldByDefault = []judge.EventType{
	judge.SubmissionCreated, judge.JudgementJudged, judge.JudgementCancelled, judge.JudgementReviewed, judge.RejudgingApplied, judge.ContestUpdated,
}

const maxWebhooks = 1000

// WebhookRequest is a webhook to be made.
type WebhookRequest struct {
	URL      string   `json:"url" minLength:"1" maxLength:"2048" doc:"https://…; http and addresses that are not of the internet only where the operator allows them." example:"https://platform.example/judge"`
	Events   []string `json:"events,omitempty" minItems:"1" maxItems:"20" enum:"submission.created,judgement.started,run.judged,judgement.judged,judgement.cancelled,judgement.reviewed,rejudging.applied,contest.updated" doc:"Else all but judgement.started and run.judged."`
	Problems []string `json:"problems,omitempty" maxItems:"1000" doc:"Only events of these; else of all that the token may see."`
	Contests []string `json:"contests,omitempty" maxItems:"1000" doc:"Only events of these; else of all."`
	Secret   string   `json:"secret,omitempty" maxLength:"200" doc:"whsec_ and the base64 of 24 to 64 bytes; else one is made."`
	Reason   string   `json:"reason,omitempty" maxLength:"1000"`
}

type webhookInput struct {
	Body WebhookRequest
}

func (s *Server) createWebhook(ctx context.Context, in *webhookInput) (*answer[Webhook], error) {
	token, r := tokenOf(ctx), &in.Body
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	w := judge.Webhook{ID: id.String(), URL: r.URL, Events: eventTypes(r.Events), Problems: r.Problems, Contests: r.Contests, Scope: token.Scope, TokenID: token.ID}
	if len(w.Events) == 0 {
		w.Events = toldByDefault
	}
	if err := s.checkWebhook(token, &w); err != nil {
		return nil, err
	}
	shown, sealed, err := s.Endpoints.Seal(w.ID, r.Secret)
	if err != nil {
		return nil, wrongField("body.secret", "%s", err)
	}
	w.Secret = sealed
	var out Webhook
	err = s.Records.Tx(ctx, func(tx Tx) error {
		all, err := tx.Webhooks(ctx)
		if err != nil {
			return err
		}
		if len(all) >= maxWebhooks {
			return fault("conflict", "there are %d webhooks, which is as many as may be: remove some", len(all))
		}
		made, err := tx.CreateWebhook(ctx, w)
		if err != nil {
			return err
		}
		out = newWebhook(&made)
		return audit(ctx, tx, judge.AuditEntry{Action: "webhook.create", Object: w.ID, Reason: r.Reason, Detail: detail(out)})
	})
	out.Secret = &shown
	return answered(out), err
}

func eventTypes(names []string) (out []judge.EventType) {
	for _, n := range names {
		if t := judge.EventType(n); !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// checkWebhook says what is wrong with what a webhook is to be told of, and where.
func (s *Server) checkWebhook(token judge.Token, w *judge.Webhook) error {
	if err := s.Endpoints.CheckURL(w.URL); err != nil {
		return wrongField("body.url", "%s", err)
	}
	for _, list := range []struct {
		field        string
		names, scope []string
	}{{"problems", w.Problems, token.Scope.Problems}, {"contests", w.Contests, token.Scope.Contests}} {
		for i, name := range list.names {
			field := fmt.Sprintf("body.%s[%d]", list.field, i)
			switch {
			case !goodName.MatchString(name):
				return wrongField(field, "%.80q is no name; names are [a-z0-9][a-z0-9._-]{0,63}", name)
			case scoped(token) && len(list.scope) > 0 && !slices.Contains(list.scope, name):
				return wrongField(field, "%s is not in the scope of this token", name)
			}
		}
	}
	return nil
}

// WebhookChange is what is to be changed; what is left out stays.
type WebhookChange struct {
	URL       *string   `json:"url,omitempty" minLength:"1" maxLength:"2048"`
	Events    *[]string `json:"events,omitempty" minItems:"1" maxItems:"20" enum:"submission.created,judgement.started,run.judged,judgement.judged,judgement.cancelled,judgement.reviewed,rejudging.applied,contest.updated"`
	Problems  *[]string `json:"problems,omitempty" maxItems:"1000"`
	Contests  *[]string `json:"contests,omitempty" maxItems:"1000"`
	Enabled   *bool     `json:"enabled,omitempty" doc:"true: what waits is sent now, and failures are forgotten. false: it is told of nothing that happens from now on."`
	Secret    *string   `json:"secret,omitempty" maxLength:"200" doc:"A new secret. For a day requests are signed with the old one too."`
	NewSecret bool      `json:"new_secret,omitempty" doc:"Make a new secret, which the answer has."`
	Reason    string    `json:"reason,omitempty" maxLength:"1000"`
}

type webhookPatch struct {
	WebhookPath

	Body WebhookChange
}

func (s *Server) updateWebhook(ctx context.Context, in *webhookPatch) (*answer[Webhook], error) {
	r := &in.Body
	var out Webhook
	err := s.Records.Tx(ctx, func(tx Tx) error {
		w, err := s.webhook(ctx, tx, in.ID)
		if err != nil {
			return err
		}
		shown, err := s.changeWebhook(&w, r)
		if err != nil {
			return err
		}
		if err := s.checkWebhook(tokenOf(ctx), &w); err != nil {
			return err
		}
		if err := tx.ChangeWebhook(ctx, w); err != nil {
			return err
		}
		if w, err = tx.Webhook(ctx, w.ID); err != nil {
			return err
		}
		out = newWebhook(&w)
		entry := judge.AuditEntry{Action: "webhook.update", Object: w.ID, Reason: r.Reason, Detail: detail(out)}
		out.Secret = shown
		return audit(ctx, tx, entry)
	})
	return answered(out), err
}

// changeWebhook applies a request, and returns the secret where there is a new one.
func (s *Server) changeWebhook(w *judge.Webhook, r *WebhookChange) (shown *string, err error) {
	if r.URL != nil {
		w.URL = *r.URL
	}
	if r.Events != nil {
		w.Events = eventTypes(*r.Events)
	}
	if r.Problems != nil {
		w.Problems = *r.Problems
	}
	if r.Contests != nil {
		w.Contests = *r.Contests
	}
	if r.Enabled != nil {
		w.State, w.Reason = judge.WebhookOff, ""
		if *r.Enabled {
			w.State = judge.WebhookEnabled
		}
	}
	if r.Secret == nil && !r.NewSecret {
		return nil, nil //nolint:nilnil // no secret is none to show
	}
	if r.Secret != nil && r.NewSecret {
		return nil, wrongField("body.new_secret", "give either that or a secret")
	}
	var text string
	if r.Secret != nil {
		if text = *r.Secret; text == "" {
			return nil, wrongField("body.secret", "it is empty; new_secret makes one")
		}
	}
	made, sealed, err := s.Endpoints.Seal(w.ID, text)
	if err != nil {
		return nil, wrongField("body.secret", "%s", err)
	}
	// One that was sealed with a key that is lost can sign no more.
	w.OldSecret, w.OldUntil = judge.SealedSecret{}, time.Time{}
	if w.Secret.KeyID == sealed.KeyID {
		w.OldSecret, w.OldUntil = w.Secret, s.now().Add(oldSecrets)
	}
	w.Secret = sealed
	return &made, nil
}
