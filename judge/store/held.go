package store

import (
	"context"

	"judge/judge"
)

// Leases lists what a worker has under way.
func (q queries) Leases(ctx context.Context, worker string) ([]judge.Lease, error) {
	if err := checkID("worker", worker); err != nil {
		return nil, err
	}
	var rows []struct {
		ID      string
		Attempt int
	}
	err := q.in(ctx).Raw("SELECT id, attempt FROM judgements WHERE worker = ? AND state IN ('compiling', 'running')", worker).Scan(&rows).Error
	if err != nil {
		return nil, wrap(err, "list leases of worker "+worker)
	}
	out := make([]judge.Lease, 0, len(rows))
	for _, r := range rows {
		out = append(out, judge.Lease{JudgementID: r.ID, Attempt: r.Attempt, Worker: worker})
	}
	return out, nil
}
