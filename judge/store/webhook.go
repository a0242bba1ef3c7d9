package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"judge/judge"
)

type webhookRow struct {
	ID, URL, TokenID                  string
	Events, Problems, Contests, Scope []byte
	State                             judge.WebhookState
	Reason                            string
	Secret                            []byte
	KeyID                             string
	OldSecret                         []byte
	OldUntil, FailingSince            *time.Time
	GivenUp                           int
	CreatedAt                         time.Time
}

func (webhookRow) TableName() string { return "webhooks" }

func (r *webhookRow) webhook() (judge.Webhook, error) {
	w := judge.Webhook{
		ID: r.ID, URL: r.URL, TokenID: r.TokenID, State: r.State, Reason: r.Reason, FailingSince: moment(r.FailingSince), GivenUp: r.GivenUp,
		Secret: judge.SealedSecret{Data: r.Secret, KeyID: r.KeyID}, OldUntil: moment(r.OldUntil), CreatedAt: r.CreatedAt.UTC(),
	}
	if r.OldSecret != nil {
		w.OldSecret = judge.SealedSecret{Data: r.OldSecret, KeyID: r.KeyID}
	}
	for _, list := range []struct {
		from []byte
		to   any
	}{{r.Events, &w.Events}, {r.Problems, &w.Problems}, {r.Contests, &w.Contests}, {r.Scope, &w.Scope}} {
		if err := json.Unmarshal(list.from, list.to); err != nil {
			return w, fmt.Errorf("read webhook %s: %w", r.ID, err)
		}
	}
	return w, nil
}

// webhookColumns are those that say what a webhook is told of.
func webhookColumns(w *judge.Webhook) (map[string]any, error) {
	columns := map[string]any{"url": w.URL}
	for name, list := range map[string]any{"events": append([]judge.EventType{}, w.Events...), "problems": append([]string{}, w.Problems...), "contests": append([]string{}, w.Contests...)} {
		b, err := json.Marshal(list)
		if err != nil {
			return nil, fmt.Errorf("write webhook: %w", err)
		}
		columns[name] = b
	}
	return columns, nil
}

// CreateWebhook makes a webhook, enabled, under the id that it bears: its secret
// is sealed for that.
func (q queries) CreateWebhook(ctx context.Context, w judge.Webhook) (judge.Webhook, error) {
	columns, err := webhookColumns(&w)
	if err != nil {
		return w, err
	}
	scope, err := json.Marshal(w.Scope)
	if err != nil {
		return w, fmt.Errorf("create webhook: %w", err)
	}
	columns["id"], columns["token_id"], columns["scope"], columns["state"] = w.ID, w.TokenID, scope, judge.WebhookEnabled
	columns["secret"], columns["key_id"] = w.Secret.Data, w.Secret.KeyID
	if err := q.in(ctx).Table("webhooks").Create(columns).Error; err != nil {
		return w, wrap(err, "create webhook")
	}
	return q.Webhook(ctx, w.ID)
}

// Webhook finds a webhook.
func (q queries) Webhook(ctx context.Context, id string) (judge.Webhook, error) {
	var row webhookRow
	err := checkID("webhook", id)
	if err == nil {
		err = wrap(q.in(ctx).Where("id = ?", id).Take(&row).Error, "read webhook "+id)
	}
	if err != nil {
		return judge.Webhook{}, err
	}
	return row.webhook()
}

// Webhooks lists all webhooks, oldest first.
func (q queries) Webhooks(ctx context.Context) ([]judge.Webhook, error) {
	var rows []webhookRow
	if err := q.in(ctx).Order("created_at, id").Find(&rows).Error; err != nil {
		return nil, wrap(err, "list webhooks")
	}
	out := make([]judge.Webhook, 0, len(rows))
	for i := range rows {
		w, err := rows[i].webhook()
		if err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, nil
}

// ChangeWebhook writes what a webhook is told of, its secrets, and its state with
// the reason. When it is enabled its failures are forgotten, and the caller's
// transaction wakes who delivers.
func (tx *Tx) ChangeWebhook(ctx context.Context, w judge.Webhook) error {
	if err := checkID("webhook", w.ID); err != nil {
		return err
	}
	columns, err := webhookColumns(&w)
	if err != nil {
		return err
	}
	columns["state"], columns["reason"] = w.State, w.Reason
	columns["secret"], columns["key_id"] = w.Secret.Data, w.Secret.KeyID
	columns["old_secret"], columns["old_until"] = w.OldSecret.Data, optional(w.OldUntil)
	if w.State == judge.WebhookEnabled {
		columns["failing_since"], columns["given_up"] = nil, 0
		tx.tell(w.ID)
	}
	res := tx.in(ctx).Table("webhooks").Where("id = ?", w.ID).Updates(columns)
	return changed(res.Error, res.RowsAffected, "change webhook "+w.ID)
}

// DeleteWebhook removes a webhook with its deliveries, also those that wait.
func (q queries) DeleteWebhook(ctx context.Context, id string) error {
	if err := checkID("webhook", id); err != nil {
		return err
	}
	res := q.in(ctx).Exec("DELETE FROM webhooks WHERE id = ?", id)
	return changed(res.Error, res.RowsAffected, "remove webhook "+id)
}

// EndWebhooks switches those webhooks off whose token is in force no more: what it
// might have seen must not go on flowing. It returns how many those were.
func (q queries) EndWebhooks(ctx context.Context) (int, error) {
	res := q.in(ctx).Exec(`UPDATE webhooks w SET state = 'off', reason = 'the token that it was made with is revoked or has expired'
		FROM tokens t WHERE t.id = w.token_id AND w.state <> 'off' AND (t.revoked_at IS NOT NULL OR t.expires_at <= now())`)
	return int(res.RowsAffected), wrap(res.Error, "switch off webhooks of ended tokens")
}

// DueWebhooks lists the enabled webhooks that have something to be sent for
// longer than a while: whoever was to send it is late, or dead.
func (q queries) DueWebhooks(ctx context.Context, late time.Duration) ([]string, error) {
	var ids []string
	err := q.in(ctx).Raw(`SELECT id::text FROM webhooks w WHERE state = 'enabled' AND EXISTS (SELECT FROM webhook_deliveries d
		WHERE d.webhook_id = w.id AND d.state = 'waiting' AND d.next_at < now() - make_interval(secs => ?))`, late.Seconds()).Scan(&ids).Error
	return ids, wrap(err, "list webhooks that wait")
}
