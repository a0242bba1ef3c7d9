package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"judge/judge"
)

// A delivery is written by the statement that writes its event, for each webhook
// that is to be told: there is no event without it, nor one too many. What it
// says is looked up later, when it is first tried.

// fanOut makes a statement of an insert of events that also writes deliveries,
// and returns the webhooks that have some. Where there are no webhooks it costs a
// look at an empty table. Ids are UUIDv7: 48 bits of milliseconds, then what is
// random, with the version set from 4 to 7.
func fanOut(insert string) string {
	return `WITH told AS (` + insert + ` RETURNING type, ordinal, submission_id, judgement_id, attempt, problem, contest), sent AS (
	INSERT INTO webhook_deliveries (id, webhook_id, type, ordinal, submission_id, judgement_id, attempt, problem, contest)
	SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
			PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid,
		w.id, told.type, told.ordinal, told.submission_id, told.judgement_id, told.attempt, told.problem, told.contest
	FROM told JOIN webhooks w ON w.state <> 'off' AND w.events @> to_jsonb(told.type)
		AND (w.problems = '[]' OR w.problems @> to_jsonb(told.problem))
		AND (w.contests = '[]' OR w.contests @> to_jsonb(told.contest))
		AND (coalesce(w.scope->'problems', '[]') = '[]' AND coalesce(w.scope->'contests', '[]') = '[]'
			OR w.scope->'problems' @> to_jsonb(told.problem) OR w.scope->'contests' @> to_jsonb(told.contest))
	RETURNING webhook_id, state
) SELECT DISTINCT s.webhook_id::text FROM sent s JOIN webhooks w ON w.id = s.webhook_id AND w.state = 'enabled'`
}

// told writes events, with their deliveries.
func (tx *Tx) told(ctx context.Context, insert string, args ...any) error {
	tx.changed = true
	var webhooks []string
	if err := tx.in(ctx).Raw(fanOut(insert), args...).Scan(&webhooks).Error; err != nil {
		return wrap(err, "write event")
	}
	tx.tell(webhooks...)
	return nil
}

// tell notes webhooks that have something to be sent once this commits.
func (tx *Tx) tell(webhooks ...string) {
	for _, id := range webhooks {
		if !slices.Contains(tx.due, id) {
			tx.due = append(tx.due, id)
		}
	}
}

type deliveryRow struct {
	ID, WebhookID    string
	Type             judge.EventType
	SubmissionID     *string
	JudgementID      *string
	Attempt, Ordinal int
	Problem, Contest string
	State            judge.DeliveryState
	Tries, Failures  int
	NextAt           time.Time
	Body             []byte
	CreatedAt        time.Time
	EndedAt          *time.Time
}

func (deliveryRow) TableName() string { return "webhook_deliveries" }

func (r *deliveryRow) delivery() judge.Delivery {
	d := judge.Delivery{
		ID: r.ID, WebhookID: r.WebhookID, State: r.State, Tries: r.Tries, Failures: r.Failures, EndedAt: moment(r.EndedAt), Body: r.Body,
		Event: judge.Event{
			Type: r.Type, SubmissionID: value(r.SubmissionID), JudgementID: value(r.JudgementID), Attempt: r.Attempt, Ordinal: r.Ordinal,
			Problem: r.Problem, Contest: r.Contest, At: r.CreatedAt.UTC(),
		},
	}
	if d.State == judge.DeliveryWaiting {
		d.NextAt = r.NextAt.UTC()
	}
	return d
}

// Ping makes a delivery that tells of nothing. A webhook that is not enabled is
// judge.ErrConflict: it would wait.
func (tx *Tx) Ping(ctx context.Context, webhook string) (judge.Delivery, error) {
	if err := checkID("webhook", webhook); err != nil {
		return judge.Delivery{}, err
	}
	id, err := newID()
	if err != nil {
		return judge.Delivery{}, err
	}
	res := tx.in(ctx).Exec(`INSERT INTO webhook_deliveries (id, webhook_id, type) SELECT ?, id, ? FROM webhooks WHERE id = ? AND state = 'enabled'`, id, judge.WebhookPing, webhook)
	if res.Error != nil || res.RowsAffected == 0 {
		return judge.Delivery{}, tx.notSent(ctx, webhook, res.Error)
	}
	tx.tell(webhook)
	return tx.Delivery(ctx, id)
}

// notSent says why a delivery of a webhook cannot be asked for.
func (tx *Tx) notSent(ctx context.Context, webhook string, err error) error {
	if err != nil {
		return wrap(err, "ask for delivery")
	}
	w, err := tx.Webhook(ctx, webhook)
	if err != nil {
		return err
	}
	return fmt.Errorf("ask for delivery: webhook %s is %s: %w", webhook, w.State, judge.ErrConflict)
}

// Redeliver has a delivery that has ended sent once more, under its old id, with
// what it said, and as many tries as a new one. judge.ErrConflict: it waits, or
// its webhook is not enabled.
func (tx *Tx) Redeliver(ctx context.Context, id string) (judge.Delivery, error) {
	d, err := tx.Delivery(ctx, id)
	if err != nil {
		return d, err
	}
	res := tx.in(ctx).Exec(`UPDATE webhook_deliveries d SET state = 'waiting', failures = 0, next_at = now(), ended_at = NULL
		FROM webhooks w WHERE d.id = ? AND d.state <> 'waiting' AND w.id = d.webhook_id AND w.state = 'enabled'`, id)
	if res.Error != nil {
		return d, wrap(res.Error, "redeliver "+id)
	}
	if res.RowsAffected == 0 && d.State == judge.DeliveryWaiting {
		return d, fmt.Errorf("redeliver %s: it waits to be sent already: %w", id, judge.ErrConflict)
	}
	if res.RowsAffected == 0 {
		return d, tx.notSent(ctx, d.WebhookID, nil)
	}
	tx.tell(d.WebhookID)
	return tx.Delivery(ctx, id)
}

// Delivery finds a delivery.
func (q queries) Delivery(ctx context.Context, id string) (judge.Delivery, error) {
	var row deliveryRow
	err := checkID("delivery", id)
	if err == nil {
		err = wrap(q.in(ctx).Where("id = ?", id).Take(&row).Error, "read delivery "+id)
	}
	return row.delivery(), err
}

// Deliveries lists a webhook's deliveries without their bodies, newest first:
// those of a state, or all where that is empty; older than one, unless that is
// empty. There are at most limit.
func (q queries) Deliveries(ctx context.Context, webhook string, state judge.DeliveryState, before string, limit int) ([]judge.Delivery, error) {
	look := q.in(ctx).Omit("body").Where("webhook_id = ?", webhook)
	if state != "" {
		look = look.Where("state = ?", state)
	}
	if before != "" {
		if uuid.Validate(before) != nil {
			return nil, fmt.Errorf("list deliveries before %.64q: %w", before, judge.ErrInvalid)
		}
		look = look.Where("id < ?", before)
	}
	var rows []deliveryRow
	if err := look.Order("id DESC").Limit(limit).Find(&rows).Error; err != nil {
		return nil, wrap(err, "list deliveries")
	}
	out := make([]judge.Delivery, 0, len(rows))
	for i := range rows {
		out = append(out, rows[i].delivery())
	}
	return out, nil
}
