package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"judge/judge"
)

type verificationRow struct {
	ID        string
	VersionID string
	State     judge.VerificationState
	Attempt   int
	Publish   bool
	TokenID   *string
	Reason    string
	CreatedAt time.Time
	StartedAt *time.Time
	EndedAt   *time.Time
	Step      int64
	Done      int
	Total     int
	Doing     string
	Findings  []byte
	OK        *bool `gorm:"column:ok"`
	Report    []byte
	Fault     string
}

func (verificationRow) TableName() string { return "verifications" }

func (r verificationRow) verification() judge.Verification {
	return judge.Verification{
		ID: r.ID, VersionID: r.VersionID, State: r.State, Attempt: r.Attempt, Publish: r.Publish, By: value(r.TokenID), Reason: r.Reason,
		CreatedAt: r.CreatedAt.UTC(), StartedAt: moment(r.StartedAt), EndedAt: moment(r.EndedAt), Step: r.Step,
		Done: r.Done, Total: r.Total, Doing: r.Doing, Findings: r.Findings, OK: value(r.OK), Report: r.Report, Fault: r.Fault,
	}
}

// CreateVerification queues a version to be verified; of v counts VersionID,
// Publish, By, Reason and Findings. A draft is verifying from now on. A job that
// wakes a worker is the caller's to insert. judge.ErrConflict: one is queued or
// running already.
func (tx *Tx) CreateVerification(ctx context.Context, v judge.Verification) (judge.Verification, error) {
	doing := "verify version " + v.VersionID
	if err := checkID("version", v.VersionID); err != nil {
		return v, err
	}
	// The row's lock: of two at once the second sees what the first did.
	if err := tx.in(ctx).Exec("SELECT FROM problem_versions WHERE id = ? FOR UPDATE", v.VersionID).Error; err != nil {
		return v, wrap(err, doing)
	}
	var open int64
	if err := tx.in(ctx).Table("verifications").Where("version_id = ? AND state IN ('queued', 'running')", v.VersionID).Count(&open).Error; err != nil {
		return v, wrap(err, doing)
	}
	if open > 0 {
		return v, fmt.Errorf("%s: that is under way: %w", doing, judge.ErrConflict)
	}
	id, err := newID()
	if err != nil {
		return v, err
	}
	if v.Findings == nil {
		v.Findings = []byte("[]")
	}
	err = tx.in(ctx).Table("verifications").Create(map[string]any{
		"id": id, "version_id": v.VersionID, "state": judge.VerificationQueued, "publish": v.Publish,
		"token_id": optional(v.By), "reason": v.Reason, "findings": v.Findings,
	}).Error
	if err != nil {
		return v, wrap(err, doing)
	}
	if err := tx.in(ctx).Exec("UPDATE problem_versions SET state = 'verifying' WHERE id = ? AND state = 'draft'", v.VersionID).Error; err != nil {
		return v, wrap(err, doing)
	}
	return tx.Verification(ctx, v.VersionID)
}

// Verification finds the newest verification of a version; judge.ErrNotFound:
// there is none.
func (q queries) Verification(ctx context.Context, version string) (judge.Verification, error) {
	if err := checkID("version", version); err != nil {
		return judge.Verification{}, err
	}
	var r verificationRow
	if err := q.in(ctx).Where("version_id = ?", version).Order("id DESC").Limit(1).Take(&r).Error; err != nil {
		return judge.Verification{}, wrap(err, "read verification of version "+version)
	}
	return r.verification(), nil
}

// VerificationStep is the newest verification's id and Step, which is all that who
// waits for a change must look at.
func (q queries) VerificationStep(ctx context.Context, version string) (id string, step int64, err error) {
	var r verificationRow
	err = q.in(ctx).Select("id, step").Where("version_id = ?", version).Order("id DESC").Limit(1).Take(&r).Error
	return r.ID, r.Step, wrap(err, "read verification of version "+version)
}

// TakeVerification gives a worker the verification that has waited longest, if
// there is one. The worker must be as for Take.
func (s *Store) TakeVerification(ctx context.Context, worker string) (task judge.VerificationTask, ok bool, err error) {
	err = s.Tx(ctx, func(tx *Tx) error {
		if err := tx.mayTake(ctx, worker); err != nil {
			return err
		}
		var rows []verificationRow
		err := tx.in(ctx).Raw(`UPDATE verifications SET state = 'running', attempt = attempt + 1, worker = @worker, started_at = now(),
				step = step + 1, done = 0, total = 0, doing = ''
			WHERE id = (SELECT id FROM verifications WHERE state = 'queued' AND (not_before IS NULL OR not_before <= now())
				ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
			RETURNING *`, map[string]any{"worker": worker}).Scan(&rows).Error
		if err != nil {
			return wrap(err, "take verification")
		}
		if ok = len(rows) > 0; ok {
			r := rows[0]
			task = judge.VerificationTask{
				VerificationLease: judge.VerificationLease{ID: r.ID, Attempt: r.Attempt, Worker: worker},
				VersionID:         r.VersionID, Findings: r.Findings,
			}
		}
		return nil
	})
	return task, ok && err == nil, err
}

// verificationFence changes a verification whose lease this is, or says
// judge.ErrStale.
func (tx *Tx) verificationFence(ctx context.Context, l judge.VerificationLease, columns map[string]any) error {
	columns["step"] = gorm.Expr("step + 1")
	res := tx.in(ctx).Table("verifications").
		Where("id = ? AND attempt = ? AND worker = ? AND state = 'running'", l.ID, l.Attempt, l.Worker).Updates(columns)
	if res.Error == nil && res.RowsAffected == 0 {
		return fmt.Errorf("verification %s, attempt %d: %w", l.ID, l.Attempt, judge.ErrStale)
	}
	return wrap(res.Error, "write verification "+l.ID)
}

// VerificationProgress says how far a verification has come.
func (tx *Tx) VerificationProgress(ctx context.Context, l judge.VerificationLease, done, total int, doing string) error {
	return tx.verificationFence(ctx, l, map[string]any{"done": done, "total": total, "doing": doing})
}

// HandBackVerification queues a verification again that its worker will not finish,
// after a delay.
func (tx *Tx) HandBackVerification(ctx context.Context, l judge.VerificationLease, after time.Duration) error {
	return tx.verificationFence(ctx, l, map[string]any{
		"state": judge.VerificationQueued, "worker": nil, "not_before": gorm.Expr("now() + make_interval(secs => ?)", after.Seconds()),
	})
}

// FailVerification ends a verification that we could not make. Its version is a
// draft again, if it was verifying.
func (tx *Tx) FailVerification(ctx context.Context, l judge.VerificationLease, fault string) error {
	err := tx.verificationFence(ctx, l, map[string]any{
		"state": judge.VerificationFailed, "ended_at": gorm.Expr("now()"), "worker": nil, "fault": fault,
	})
	if err != nil {
		return err
	}
	return tx.verified(ctx, "id = (SELECT version_id FROM verifications WHERE id = ?)", l.ID)
}

// verified makes versions that are verifying drafts again.
func (tx *Tx) verified(ctx context.Context, which string, args ...any) error {
	err := tx.in(ctx).Exec("UPDATE problem_versions SET state = 'draft' WHERE state = 'verifying' AND "+which, args...).Error
	return wrap(err, "end verification")
}

// FinishVerification writes what was found: the report, and the limit that was
// calibrated. The version is published if that was asked for and nothing is worse
// than a warning, with a line in the audit log; else it is a draft again.
func (tx *Tx) FinishVerification(ctx context.Context, l judge.VerificationLease, found judge.Verified) error {
	err := tx.verificationFence(ctx, l, map[string]any{
		"state": judge.VerificationDone, "ended_at": gorm.Expr("now()"), "worker": nil, "doing": "", "done": gorm.Expr("total"),
		"ok": found.OK, "report": found.Report,
	})
	if err != nil {
		return err
	}
	var r verificationRow
	if err := tx.in(ctx).Where("id = ?", l.ID).Take(&r).Error; err != nil {
		return wrap(err, "end verification "+l.ID)
	}
	res := tx.in(ctx).Exec("UPDATE problem_versions SET calibrated_ns = ? WHERE id = ?", int64(found.Calibrated), r.VersionID)
	if res.Error != nil {
		return wrap(res.Error, "end verification "+l.ID)
	}
	v, err := tx.VersionInfo(ctx, r.VersionID)
	if err != nil {
		return err
	}
	if !found.OK || !r.Publish || v.State != judge.Verifying {
		return tx.verified(ctx, "id = ?", r.VersionID)
	}
	if err := tx.SetVersionState(ctx, v.ID, judge.Published); err != nil {
		return err
	}
	detail, err := json.Marshal(map[string]any{"number": v.Number, "verification": l.ID})
	if err != nil {
		return fmt.Errorf("write audit log: %w", err)
	}
	return tx.Audit(ctx, judge.AuditEntry{TokenID: value(r.TokenID), Action: "version.publish", Object: v.Problem, Reason: "verified without errors", Detail: detail})
}

// RequeueVerifications queues what workers that are gone were verifying again, and
// what one did that begins anew, if it is named. What maxDeaths workers died of fails.
func (tx *Tx) RequeueVerifications(ctx context.Context, anew string, maxDeaths int) (requeued int, err error) {
	const ofDead = "state = 'running' AND (worker NOT IN (SELECT id FROM workers WHERE state <> 'gone') OR worker = @anew)"
	args := map[string]any{"anew": optional(anew), "most": maxDeaths}
	var ended []string
	err = tx.in(ctx).Raw(`UPDATE verifications SET state = 'failed', ended_at = now(), worker = NULL, step = step + 1, deaths = deaths + 1,
			fault = 'workers died while they verified this, ' || (deaths + 1) || ' in all'
		WHERE deaths + 1 >= @most AND `+ofDead+" RETURNING version_id", args).Scan(&ended).Error
	if err != nil {
		return 0, wrap(err, "end verifications of dead workers")
	}
	if len(ended) > 0 {
		if err := tx.verified(ctx, "id IN ?", ended); err != nil {
			return 0, err
		}
	}
	res := tx.in(ctx).Exec("UPDATE verifications SET state = 'queued', worker = NULL, not_before = NULL, step = step + 1, deaths = deaths + 1 WHERE "+ofDead, args)
	return int(res.RowsAffected), wrap(res.Error, "queue verifications of dead workers again")
}
