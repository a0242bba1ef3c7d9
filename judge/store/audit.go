package store

import (
	"context"
	"time"

	"judge/judge"
)

type auditRow struct {
	ID      int64
	At      time.Time
	TokenID *string
	Action  string
	Object  string
	Reason  string
	Detail  []byte
}

// Audit writes a line of the audit log, best in the transaction of the change
// itself. The database gives the time.
func (q queries) Audit(ctx context.Context, e judge.AuditEntry) error {
	err := q.in(ctx).Table("audit_log").Create(map[string]any{
		"token_id": optional(e.TokenID), "action": e.Action, "object": e.Object, "reason": e.Reason, "detail": e.Detail,
	}).Error
	return wrap(err, "write audit log")
}

// AuditLog lists the lines about an object, or all for an empty one, newest
// first, at most limit.
func (q queries) AuditLog(ctx context.Context, object string, limit int) ([]judge.AuditEntry, error) {
	look := q.in(ctx).Table("audit_log")
	if object != "" {
		look = look.Where("object = ?", object)
	}
	var rows []auditRow
	if err := look.Order("id DESC").Limit(limit).Find(&rows).Error; err != nil {
		return nil, wrap(err, "read audit log")
	}
	out := make([]judge.AuditEntry, 0, len(rows))
	for _, r := range rows {
		out = append(out, judge.AuditEntry{At: r.At.UTC(), TokenID: value(r.TokenID), Action: r.Action, Object: r.Object, Reason: r.Reason, Detail: r.Detail})
	}
	return out, nil
}
