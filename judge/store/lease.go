package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"judge/judge"
)

// fence is the condition of every write by a worker.
func (tx *Tx) fence(ctx context.Context, l judge.Lease) *gorm.DB {
	return tx.in(ctx).Table("judgements").
		Where("id = ? AND attempt = ? AND worker = ? AND state IN ('compiling', 'running')", l.JudgementID, l.Attempt, l.Worker)
}

// Progress moves a judgement that is compiling on to running, and writes runs as
// they end, in whichever order. What compiling said may come with either call.
func (tx *Tx) Progress(ctx context.Context, l judge.Lease, state judge.State, compile *judge.Compilation, runs []judge.Run) error {
	if state != judge.Compiling && state != judge.Running {
		return fmt.Errorf("progress of judgement %s to %s: %w", l.JudgementID, state, judge.ErrInvalid)
	}
	columns := map[string]any{"state": state}
	if compile != nil {
		b, err := toJSON(compile)
		if err != nil {
			return fmt.Errorf("write compilation: %w", err)
		}
		columns["compilation"] = b
	}
	res := tx.fence(ctx, l).Updates(columns)
	if res.Error == nil && res.RowsAffected == 0 {
		return stale(l)
	}
	if res.Error != nil {
		return wrap(res.Error, "write progress of judgement "+l.JudgementID)
	}
	return tx.putRuns(ctx, l.JudgementID, runs)
}

// Finish writes the result: j's verdict, figures, compilation, groups and runs,
// these with their outputs.
// Runs written before that are not in j are removed. The time that it took counts
// for its person. A second Finish of a lease is judge.ErrStale, also where the
// first one's answer was lost.
func (tx *Tx) Finish(ctx context.Context, l judge.Lease, j *judge.Judgement) error {
	doing := "finish judgement " + l.JudgementID
	if !j.Verdict.Valid() {
		return fmt.Errorf("%s: verdict %.20q: %w", doing, j.Verdict, judge.ErrInvalid)
	}
	compilation, err := toJSON(j.Compile)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	groups, err := toJSON(&j.Groups)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	res := tx.fence(ctx, l).Updates(map[string]any{
		"state": judge.Judged, "judged_at": gorm.Expr("clock_timestamp()"),
		"language_version": j.LanguageVersion, "image_id": j.ImageID, "verdict": j.Verdict, "score": j.Score, "hit_limit": j.Limit,
		"cpu_ns": int64(j.CPUTime), "wall_ns": int64(j.WallTime), "memory_bytes": j.Memory, "message": j.Message,
		"compilation": compilation, "groups": groups,
	})
	if res.Error == nil && res.RowsAffected == 0 {
		return stale(l)
	}
	if res.Error != nil {
		return wrap(res.Error, doing)
	}
	if err := tx.dropRuns(ctx, l.JudgementID, j.Runs); err != nil {
		return err
	}
	if err := tx.putRuns(ctx, l.JudgementID, j.Runs); err != nil {
		return err
	}
	if err := tx.putOutputs(ctx, l.JudgementID, j.Runs); err != nil {
		return err
	}
	if err := tx.conclude(ctx, l.JudgementID); err != nil {
		return err
	}
	if err := tx.charge(ctx, l.JudgementID); err != nil {
		return err
	}
	return tx.emit(ctx, judge.JudgementJudged, l.JudgementID)
}

// charge adds the time since a judgement was started to its person's share:
// load = ln(Σ cost × e^(time / tau)), added to in a way that never overflows.
func (tx *Tx) charge(ctx context.Context, judgement string) error {
	err := tx.in(ctx).Exec(`INSERT INTO shares AS s (person, load)
		SELECT person, ln(greatest(extract(epoch FROM clock_timestamp() - started_at)::float8, 0.001)) + extract(epoch FROM clock_timestamp())::float8 / @tau
			FROM judgements WHERE id = @id
		ON CONFLICT (person) DO UPDATE SET load = greatest(s.load, excluded.load) + ln(1 + exp(greatest(-abs(s.load - excluded.load), -700)))`,
		map[string]any{"tau": tau, "id": judgement}).Error
	return wrap(err, "charge time of judgement "+judgement)
}

// HandBack queues a judgement again that its worker will not finish, after a
// delay, 0 for at once. Its runs so far are forgotten when it is taken again. A
// job is the caller's to see to.
func (tx *Tx) HandBack(ctx context.Context, l judge.Lease, after time.Duration) error {
	res := tx.fence(ctx, l).Updates(map[string]any{
		"state": judge.Queued, "worker": nil, "compilation": nil,
		"not_before": gorm.Expr("CASE WHEN ? > 0 THEN now() + make_interval(secs => ?) END", after.Seconds(), after.Seconds()),
	})
	if res.Error == nil && res.RowsAffected == 0 {
		return stale(l)
	}
	return wrap(res.Error, "hand back judgement "+l.JudgementID)
}

// Cancel ends a judgement that is queued or under way, whose worker learns it by
// its next write. judge.ErrConflict: it has ended already.
func (tx *Tx) Cancel(ctx context.Context, judgement string) error {
	if err := checkID("judgement", judgement); err != nil {
		return err
	}
	res := tx.in(ctx).Exec(`UPDATE judgements SET state = 'cancelled', worker = NULL, not_before = NULL, judged_at = now()
		WHERE id = ? AND state IN ('queued', 'compiling', 'running') AND NOT inspection`, judgement)
	if res.Error != nil {
		return wrap(res.Error, "cancel judgement "+judgement)
	}
	if res.RowsAffected == 0 {
		j, err := tx.Judgement(ctx, judgement)
		if err != nil {
			return err
		}
		return fmt.Errorf("cancel judgement %s: it is %s: %w", judgement, j.State, judge.ErrConflict)
	}
	if err := tx.conclude(ctx, judgement); err != nil {
		return err
	}
	return tx.emit(ctx, judge.JudgementCancelled, judgement)
}
