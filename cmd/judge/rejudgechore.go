package main

import (
	"context"
	"errors"

	"judge/judge"
)

// endRejudgings applies the rejudgings that wanted to be when all is judged, and
// cancels those whose time is over.
func (p choreParts) endRejudgings(ctx context.Context, dry bool) (int, error) {
	expired := 0
	err := p.change(ctx, dry, func(tx recordsTx) (err error) {
		expired, err = tx.ExpireRejudgings(ctx, batch)
		return err
	})
	if err != nil {
		return 0, err
	}
	ids, err := p.records.AutoRejudgings(ctx)
	if err != nil || dry {
		return expired + len(ids), err
	}
	for _, id := range ids {
		if err := p.applyRejudging(ctx, id); err != nil {
			return expired, err
		}
		expired++
	}
	return expired, nil
}

// applyRejudging applies one, or notes why it is left to people.
func (p choreParts) applyRejudging(ctx context.Context, id string) error {
	const reason = "all is judged"
	var found judge.Rejudging
	err := p.change(ctx, false, func(tx recordsTx) (err error) {
		var done bool
		if found, done, err = tx.ApplyRejudging(ctx, id, "", reason, false); err != nil || !done {
			return err
		}
		return tx.Audit(ctx, judge.AuditEntry{Action: "rejudging.apply", Object: id, Reason: reason})
	})
	if errors.Is(err, judge.ErrConflict) {
		return p.records.NoteRejudging(ctx, id, found.Counts.Obstacles())
	}
	return err
}
