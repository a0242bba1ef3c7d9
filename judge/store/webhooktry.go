package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"judge/judge"
)

// When an endpoint is switched off.
const (
	failingFor = 3 * 24 * time.Hour // in which every try failed
	givenUp    = 50                 // deliveries in a row
)

// deadTry is what the log says of a try that nobody finished.
const deadTry = "the server that was sending it ended before it knew the answer: it may have arrived"

// ClaimDelivery gives the delivery of a webhook that is due for longest to whoever
// asks, to be tried within a time: after that it is due again. ok is false where
// there is none, or the webhook is not enabled.
func (q queries) ClaimDelivery(ctx context.Context, webhook string, within time.Duration) (d judge.Delivery, ok bool, err error) {
	if err := checkID("webhook", webhook); err != nil {
		return d, false, err
	}
	var rows []deliveryRow
	err = q.in(ctx).Raw(`WITH had AS (
			UPDATE webhook_deliveries SET tries = tries + 1, next_at = now() + make_interval(secs => ?)
			WHERE id = (SELECT d.id FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id AND w.state = 'enabled'
				WHERE d.webhook_id = ? AND d.state = 'waiting' AND d.next_at <= now() ORDER BY d.next_at, d.id LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
			RETURNING *
		), dead AS (
			INSERT INTO webhook_tries (delivery_id, number, at, duration_ns, error) SELECT id, tries - 1, now(), 0, ? FROM had
			WHERE tries > 1 AND NOT EXISTS (SELECT FROM webhook_tries t WHERE t.delivery_id = had.id AND t.number = had.tries - 1)
		) SELECT * FROM had`, within.Seconds(), webhook, deadTry).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return d, false, wrap(err, "take delivery")
	}
	return rows[0].delivery(), true, nil
}

// FinishTry writes what a try came to, and what follows for the endpoint, which
// may be switched off: that is on record. judge.ErrStale: the try was taken for
// dead and another one follows, or the delivery is not there any more.
func (tx *Tx) FinishTry(ctx context.Context, o *judge.DeliveryOutcome) error {
	doing := "finish try of delivery " + o.DeliveryID
	headers, err := json.Marshal(o.Try.Headers)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	failed := o.State != judge.DeliveryDelivered && !o.Ours
	columns := map[string]any{"state": o.State, "body": o.Body}
	if failed {
		columns["failures"] = gorm.Expr("failures + 1")
	}
	if o.State == judge.DeliveryWaiting {
		columns["next_at"] = o.NextAt
	} else {
		columns["ended_at"] = gorm.Expr("clock_timestamp()")
	}
	res := tx.in(ctx).Table("webhook_deliveries").Where("id = ? AND tries = ? AND state = 'waiting'", o.DeliveryID, o.Try.Number).Updates(columns)
	if res.Error == nil && res.RowsAffected == 0 {
		return fmt.Errorf("%s: %w", doing, judge.ErrStale)
	}
	if res.Error != nil {
		return wrap(res.Error, doing)
	}
	err = tx.in(ctx).Table("webhook_tries").Create(map[string]any{
		"delivery_id": o.DeliveryID, "number": o.Try.Number, "at": o.Try.At, "duration_ns": int64(o.Try.Duration),
		"status": o.Try.Status, "error": o.Try.Error, "headers": headers, "answer": o.Try.Answer,
	}).Error
	if err != nil || o.Ours {
		return wrap(err, doing)
	}
	if !failed {
		err = tx.in(ctx).Exec("UPDATE webhooks SET failing_since = NULL, given_up = 0 WHERE id = ? AND (failing_since IS NOT NULL OR given_up > 0)", o.WebhookID).Error
		return wrap(err, doing)
	}
	return tx.countFailure(ctx, o)
}

// countFailure notes a failed try of an endpoint, and switches it off where that
// is one too many.
func (tx *Tx) countFailure(ctx context.Context, o *judge.DeliveryOutcome) error {
	doing := "count failures of webhook " + o.WebhookID
	up := 0
	if o.State == judge.DeliveryFailed {
		up = 1
	}
	err := tx.in(ctx).Exec(`UPDATE webhooks SET failing_since = coalesce(failing_since, ?), given_up = given_up + ?
		WHERE id = ? AND (failing_since IS NULL OR ? > 0)`, o.Try.At, up, o.WebhookID, up).Error
	if err != nil {
		return wrap(err, doing)
	}
	w, err := tx.Webhook(ctx, o.WebhookID)
	if errors.Is(err, judge.ErrNotFound) || err == nil && w.State != judge.WebhookEnabled {
		return nil
	}
	if err != nil {
		return err
	}
	reason := o.SwitchOff
	switch {
	case reason != "":
	case w.GivenUp >= givenUp:
		reason = fmt.Sprintf("%d deliveries in a row were given up; the last one: %s", w.GivenUp, o.Try.Error)
	case o.Try.At.Sub(w.FailingSince) >= failingFor:
		reason = fmt.Sprintf("every try since %s has failed; the last one: %s", w.FailingSince.Format(time.RFC3339), o.Try.Error)
	default:
		return nil
	}
	res := tx.in(ctx).Exec("UPDATE webhooks SET state = 'failing', reason = ? WHERE id = ? AND state = 'enabled'", reason, o.WebhookID)
	if res.Error != nil || res.RowsAffected == 0 {
		return wrap(res.Error, doing)
	}
	return tx.Audit(ctx, judge.AuditEntry{Action: "webhook.switch-off", Object: o.WebhookID, Reason: reason})
}

// DeliveryTries lists the tries of a delivery, oldest first.
func (q queries) DeliveryTries(ctx context.Context, delivery string) ([]judge.DeliveryTry, error) {
	if err := checkID("delivery", delivery); err != nil {
		return nil, err
	}
	var rows []struct {
		Number        int
		At            time.Time
		DurationNs    int64
		Status        int
		Error, Answer string
		Headers       []byte
	}
	if err := q.in(ctx).Table("webhook_tries").Where("delivery_id = ?", delivery).Order("number").Find(&rows).Error; err != nil {
		return nil, wrap(err, "read tries of delivery "+delivery)
	}
	out := make([]judge.DeliveryTry, 0, len(rows))
	for _, r := range rows {
		t := judge.DeliveryTry{Number: r.Number, At: r.At.UTC(), Duration: time.Duration(r.DurationNs), Status: r.Status, Error: r.Error, Answer: r.Answer}
		if err := json.Unmarshal(r.Headers, &t.Headers); err != nil {
			return nil, fmt.Errorf("read tries of delivery %s: %w", delivery, err)
		}
		out = append(out, t)
	}
	return out, nil
}

// PruneDeliveries forgets deliveries that are older, with their tries, whether
// they ended or wait for a webhook that is switched off; see retention.go.
func (q queries) PruneDeliveries(ctx context.Context, olderThan time.Duration, limit int, dryRun bool) (int, error) {
	return q.prune(ctx, "prune deliveries", dryRun, "webhook_deliveries", "id",
		"SELECT id FROM webhook_deliveries WHERE id < ? ORDER BY id LIMIT ?", "FOR UPDATE SKIP LOCKED", idAt(time.Now().Add(-olderThan)), limit)
}
