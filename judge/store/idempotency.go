package store

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"judge/judge"
)

// Claim takes a token's idempotency key for this transaction, before what it
// guards is done. An answer that is not nil is the one to give again, and there
// is nothing to do. It waits for another transaction that has the same key.
// judge.ErrConflict: the key was used with another body.
func (tx *Tx) Claim(ctx context.Context, token, key string, bodyHash []byte) (*judge.Answer, error) {
	const doing = "claim idempotency key"
	res := tx.in(ctx).Exec("INSERT INTO idempotency_keys (token_id, key, body_hash) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", token, key, bodyHash)
	if res.Error != nil || res.RowsAffected == 1 {
		return nil, wrap(res.Error, doing)
	}
	var row struct {
		BodyHash []byte
		Status   *int
		Body     []byte
	}
	err := tx.in(ctx).Raw("SELECT body_hash, status, body FROM idempotency_keys WHERE token_id = ? AND key = ?", token, key).Take(&row).Error
	switch {
	case err != nil:
		return nil, wrap(err, doing)
	case !bytes.Equal(row.BodyHash, bodyHash):
		return nil, fmt.Errorf("%s: it was used with another body: %w", doing, judge.ErrConflict)
	case row.Status == nil:
		return nil, nil //nolint:nilnil // claimed by a transaction that gave no answer: do it
	}
	return &judge.Answer{Status: *row.Status, Body: row.Body}, nil
}

// Answer records the answer for a key that this transaction has claimed.
func (tx *Tx) Answer(ctx context.Context, token, key string, a judge.Answer) error {
	res := tx.in(ctx).Exec("UPDATE idempotency_keys SET status = ?, body = ? WHERE token_id = ? AND key = ?", a.Status, a.Body, token, key)
	return changed(res.Error, res.RowsAffected, "record answer of idempotency key")
}

// PruneKeys forgets idempotency keys that are older, and returns how many.
func (q queries) PruneKeys(ctx context.Context, olderThan time.Duration) (int, error) {
	res := q.in(ctx).Exec("DELETE FROM idempotency_keys WHERE created_at < now() - make_interval(secs => ?)", olderThan.Seconds())
	return int(res.RowsAffected), wrap(res.Error, "prune idempotency keys")
}
