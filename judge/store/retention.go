package store

import (
	"context"
	"time"
)

// Retention. Each call takes away at most limit of the oldest, in one statement,
// and returns how many; it may be called again until that is less. A dry run
// counts what a call would take, and changes nothing. Ages are of judgements and
// submissions since they were created; all go by primary keys, which are in the
// order of time.

// PruneOutputs forgets what runs said, also those of inspections, and leaves the
// runs. It counts runs.
func (q queries) PruneOutputs(ctx context.Context, olderThan time.Duration, limit int, dryRun bool) (int, error) {
	return q.prune(ctx, "prune outputs", dryRun, "run_outputs", "(judgement_id, ordinal)",
		"SELECT judgement_id, ordinal FROM run_outputs WHERE judgement_id < ? ORDER BY judgement_id, ordinal LIMIT ?", "FOR UPDATE SKIP LOCKED",
		idAt(time.Now().Add(-olderThan)), limit)
}

// PruneInspections forgets inspections that have ended, which can be had again.
func (q queries) PruneInspections(ctx context.Context, olderThan time.Duration, limit int, dryRun bool) (int, error) {
	return q.prune(ctx, "prune inspections", dryRun, "judgements", "id",
		`SELECT j.id FROM judgements j JOIN inspections i USING (id) WHERE id < ? AND j.state IN ('judged', 'cancelled')
			ORDER BY id LIMIT ?`, "FOR UPDATE OF j SKIP LOCKED",
		idAt(time.Now().Add(-olderThan)), limit)
}

// PruneSubmissions forgets submissions with all that belongs to them: files,
// judgements, runs, outputs, inspections. Those of which something is queued or
// under way stay.
func (q queries) PruneSubmissions(ctx context.Context, olderThan time.Duration, limit int, dryRun bool) (int, error) {
	const old = `SELECT s.id FROM submissions s WHERE s.id < ? AND NOT EXISTS (
		SELECT FROM judgements j WHERE j.submission_id = s.id AND j.state NOT IN ('judged', 'cancelled')) ORDER BY s.id LIMIT ?`
	before := idAt(time.Now().Add(-olderThan))
	if dryRun {
		return q.prune(ctx, "prune submissions", true, "", "", old, "", before, limit)
	}
	// Judgements are locked before their submission, as everywhere. One that is to be
	// judged again meanwhile has no outcome any more when its row is to be had.
	return q.prune(ctx, "prune submissions", false, "submissions", "outcome <> '' AND id",
		`WITH old AS MATERIALIZED (`+old+`), held AS MATERIALIZED (
			SELECT j.submission_id FROM judgements j WHERE j.submission_id IN (SELECT id FROM old) ORDER BY j.id FOR UPDATE
		) SELECT submission_id FROM held`, "", before, limit)
}

// prune deletes from a table the rows whose key is among those that a query finds
// and locks.
func (q queries) prune(ctx context.Context, doing string, dryRun bool, table, key, which, lock string, args ...any) (n int, err error) {
	if dryRun {
		err = q.in(ctx).Raw("SELECT count(*) FROM ("+which+") AS old", args...).Scan(&n).Error
		return n, wrap(err, doing)
	}
	// Found once: a plan that looks for each row anew would find others each time.
	res := q.in(ctx).Exec("WITH gone AS MATERIALIZED ("+which+" "+lock+") DELETE FROM "+table+" WHERE "+key+" IN (SELECT * FROM gone)", args...)
	return int(res.RowsAffected), wrap(res.Error, doing)
}
