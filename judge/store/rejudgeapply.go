package store

import (
	"context"
	"encoding/json"
	"fmt"

	"judge/judge"
)

// ApplyRejudging makes the judgements of a rejudging count, all at once. Reviews
// stay with the judgements that they are of, so those of old ones count no more.
// Applied already, it does nothing: done is false. judge.ErrConflict: it has ended
// otherwise, or something keeps it from being applied (RejudgingCounts.Blocked).
// By force those submissions are left as they are, and what has not ended is
// cancelled.
func (tx *Tx) ApplyRejudging(ctx context.Context, id, by, reason string, force bool) (_ judge.Rejudging, done bool, _ error) {
	doing := "apply rejudging " + id
	r, err := tx.holdRejudging(ctx, id)
	if err != nil || r.State == judge.RejudgeApplied {
		return r, false, err
	}
	if r.State.Ended() || (r.Counts.Blocked() > 0 && !force) {
		return r, false, fmt.Errorf("%s: it is %s, %d in the way: %w", doing, r.State, r.Counts.Blocked(), judge.ErrConflict)
	}
	if err := tx.cancelShadows(ctx, id); err != nil {
		return r, false, wrap(err, doing)
	}
	err = tx.in(ctx).Exec(`WITH fit AS (
			UPDATE rejudging_items i SET applied = true FROM submissions s, judgements n
			WHERE i.rejudging_id = @id AND s.id = i.submission_id AND s.newest = i.old_id AND n.id = i.new_id AND n.state = 'judged' AND n.verdict <> 'JE'
			RETURNING i.new_id
		), j AS (
			UPDATE judgements SET shadow = false WHERE id IN (SELECT new_id FROM fit) RETURNING *
		)
		UPDATE submissions SET newest = j.id, outcome = `+outcome+` FROM j WHERE submissions.id = j.submission_id`, map[string]any{"id": id}).Error
	if err != nil {
		return r, false, wrap(err, doing)
	}
	if err := tx.tellApplied(ctx, id); err != nil {
		return r, false, wrap(err, doing)
	}
	r, err = tx.endRejudging(ctx, id, judge.RejudgeApplied, by, reason)
	return r, err == nil, err
}

// tellApplied writes the events: first of the boards, so that who follows one
// reads it once, then of the submissions that are shown otherwise now.
func (tx *Tx) tellApplied(ctx context.Context, id string) error {
	err := tx.told(ctx, `INSERT INTO events (type, ordinal, attempt, problem, submitter_id, contest)
		SELECT DISTINCT ?, 0, 0, CASE WHEN s.contest IS NULL THEN s.problem ELSE '' END, '', coalesce(s.contest, '')
		FROM rejudging_items i JOIN submissions s ON s.id = i.submission_id WHERE i.rejudging_id = ? AND i.applied`, judge.RejudgingApplied, id)
	if err != nil {
		return err
	}
	return tx.told(ctx, fmt.Sprintf(insertEvent, "0")+`JOIN rejudging_items i ON i.new_id = j.id JOIN judgements o ON o.id = i.old_id JOIN judgements n ON n.id = i.new_id
		WHERE i.rejudging_id = ? AND i.applied AND `+itemDiffers+` ORDER BY s.id`, judge.JudgementJudged, id)
}

// CancelRejudging ends a rejudging, and what of it is queued or under way; the old
// judgements stay. Cancelled already, it does nothing: done is false.
// judge.ErrConflict: it was applied, or has expired.
func (tx *Tx) CancelRejudging(ctx context.Context, id, by, reason string) (_ judge.Rejudging, done bool, _ error) {
	r, err := tx.holdRejudging(ctx, id)
	if err != nil || r.State == judge.RejudgeCancelled {
		return r, false, err
	}
	if r.State.Ended() {
		return r, false, fmt.Errorf("cancel rejudging %s: it is %s: %w", id, r.State, judge.ErrConflict)
	}
	if err := tx.cancelShadows(ctx, id); err != nil {
		return r, false, wrap(err, "cancel rejudging "+id)
	}
	r, err = tx.endRejudging(ctx, id, judge.RejudgeCancelled, by, reason)
	return r, err == nil, err
}

// ExpireRejudgings cancels the rejudgings whose time is over, at most limit of
// them, and returns how many.
func (tx *Tx) ExpireRejudgings(ctx context.Context, limit int) (int, error) {
	const doing = "expire rejudgings"
	var ids []string
	err := tx.in(ctx).Raw("SELECT id::text FROM rejudgings WHERE state = 'judging' AND expires_at <= now() ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED", limit).Scan(&ids).Error
	if err != nil {
		return 0, wrap(err, doing)
	}
	for _, id := range ids {
		if _, err := tx.holdRejudging(ctx, id); err != nil {
			return 0, err
		}
		if err := tx.cancelShadows(ctx, id); err != nil {
			return 0, wrap(err, doing)
		}
		if _, err := tx.endRejudging(ctx, id, judge.RejudgeExpired, "", ""); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

// AutoRejudgings lists the rejudgings that are to be applied by themselves, have
// judged all, and have not been kept from it before.
func (q queries) AutoRejudgings(ctx context.Context) (ids []string, err error) {
	err = q.in(ctx).Raw(`SELECT r.id::text FROM rejudgings r WHERE r.state = 'judging' AND r.auto AND r.trouble = '' AND r.expires_at > now() AND NOT EXISTS (
		SELECT FROM rejudging_items i JOIN judgements n ON n.id = i.new_id WHERE i.rejudging_id = r.id AND n.state IN ('queued', 'compiling', 'running')) ORDER BY r.id`).Scan(&ids).Error
	return ids, wrap(err, "list rejudgings to be applied")
}

// NoteRejudging keeps why a rejudging was not applied by itself.
func (q queries) NoteRejudging(ctx context.Context, id, trouble string) error {
	res := q.in(ctx).Table("rejudgings").Where("id = ? AND state = 'judging'", id).Update("trouble", trouble)
	return wrap(res.Error, "note trouble of rejudging "+id)
}

// holdRejudging locks a rejudging with all that ending it would change, in the
// order of locks, and returns it as it is then.
func (tx *Tx) holdRejudging(ctx context.Context, id string) (judge.Rejudging, error) {
	if err := checkID("rejudging", id); err != nil {
		return judge.Rejudging{}, err
	}
	for _, lock := range []string{
		"SELECT FROM rejudgings WHERE id = @id FOR UPDATE",
		`SELECT FROM judgements WHERE id IN (SELECT old_id FROM rejudging_items WHERE rejudging_id = @id UNION SELECT new_id FROM rejudging_items WHERE rejudging_id = @id)
			ORDER BY id FOR UPDATE`,
		"SELECT FROM submissions WHERE id IN (SELECT submission_id FROM rejudging_items WHERE rejudging_id = @id) ORDER BY id FOR UPDATE",
	} {
		if err := tx.in(ctx).Exec(lock, map[string]any{"id": id}).Error; err != nil {
			return judge.Rejudging{}, wrap(err, "lock rejudging "+id)
		}
	}
	return tx.Rejudging(ctx, id)
}

// cancelShadows ends what of a rejudging has not ended; who judges it learns it by
// its next write.
func (tx *Tx) cancelShadows(ctx context.Context, id string) error {
	return tx.in(ctx).Exec(`UPDATE judgements SET state = 'cancelled', worker = NULL, not_before = NULL, judged_at = now()
		WHERE id IN (SELECT new_id FROM rejudging_items WHERE rejudging_id = ?) AND shadow AND state IN ('queued', 'compiling', 'running')`, id).Error
}

func (tx *Tx) endRejudging(ctx context.Context, id string, state judge.RejudgingState, by, reason string) (judge.Rejudging, error) {
	doing := fmt.Sprintf("end rejudging %s as %s", id, state)
	r, err := tx.Rejudging(ctx, id)
	if err != nil {
		return r, err
	}
	counts, err := json.Marshal(r.Counts)
	if err != nil {
		return r, fmt.Errorf("%s: %w", doing, err)
	}
	err = tx.in(ctx).Exec("UPDATE rejudgings SET state = ?, counts = ?, ended_at = now(), ended_by = ?, end_reason = ? WHERE id = ?",
		state, counts, optional(by), reason, id).Error
	if err != nil {
		return r, wrap(err, doing)
	}
	return tx.Rejudging(ctx, id)
}
