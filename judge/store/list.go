package store

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"judge/judge"
)

// Submissions lists submissions, newest first, at most limit after a cursor,
// which is empty for the first page. judge.ErrInvalid: it is not a cursor.
func (q queries) Submissions(ctx context.Context, f judge.SubmissionFilter, cursor string, limit int) (judge.Page, error) {
	const doing = "list submissions"
	look, err := before(q.in(ctx).Table("submissions"), cursor)
	if err != nil {
		return judge.Page{}, fmt.Errorf("%s: %w", doing, err)
	}
	var rows []submissionRow
	if err := where(look, f).Order("id DESC").Limit(limit + 1).Find(&rows).Error; err != nil {
		return judge.Page{}, wrap(err, doing)
	}
	var page judge.Page
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = newCursor(rows[limit-1].ID)
	}
	ids := make([]string, 0, len(rows))
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	newest, err := q.newest(ctx, ids)
	if err != nil {
		return judge.Page{}, err
	}
	for _, r := range rows {
		page.Items = append(page.Items, judge.Listed{Submission: r.submission(), Judgement: newest[r.ID]})
	}
	return page, nil
}

func where(db *gorm.DB, f judge.SubmissionFilter) *gorm.DB {
	for column, val := range map[string]string{
		"token_id": f.TokenID, "submitter_id": f.SubmitterID, "submitter_team": f.Team, "language": f.Language,
	} {
		if val != "" {
			db = db.Where(column+" = ?", val)
		}
	}
	if len(f.Problems) > 0 {
		db = db.Where("problem IN ?", f.Problems)
	}
	if !f.Since.IsZero() {
		db = db.Where("id >= ? AND created_at >= ?", idAt(f.Since), f.Since)
	}
	if !f.Until.IsZero() {
		// Its id may bear a time that is later by the milliseconds of one request.
		db = db.Where("id < ? AND created_at < ?", idAt(f.Until.Add(time.Minute)), f.Until)
	}
	const newest = "(SELECT %s FROM judgements j WHERE j.submission_id = submissions.id ORDER BY j.id DESC LIMIT 1) = ?"
	if f.State != "" {
		db = db.Where(fmt.Sprintf(newest, "j.state"), f.State)
	}
	if f.Verdict != "" {
		db = db.Where(fmt.Sprintf(newest, "coalesce(nullif(j.review->>'Verdict', ''), j.verdict)"), f.Verdict)
	}
	return db
}

// newest finds the newest judgement of each submission.
func (q queries) newest(ctx context.Context, submissions []string) (map[string]judge.Judgement, error) {
	out := map[string]judge.Judgement{}
	if len(submissions) == 0 {
		return out, nil
	}
	list, err := q.judgements(ctx, `WHERE j.submission_id IN ? ORDER BY j.submission_id, j.id`, submissions)
	for _, j := range list {
		out[j.SubmissionID] = j
	}
	return out, err
}

// idAt is below every id that was made at a time or later (RFC 9562: the first
// 48 bits are milliseconds), and made of nothing else.
func idAt(t time.Time) string {
	var id uuid.UUID
	ms := max(t.Add(-time.Millisecond).UnixMilli(), 0)
	for i := range 6 {
		id[i] = byte(ms >> (8 * (5 - i)))
	}
	return id.String()
}

func newCursor(id string) string {
	u := uuid.MustParse(id) // of a column of that type
	return base64.RawURLEncoding.EncodeToString(u[:])
}

func before(db *gorm.DB, cursor string) (*gorm.DB, error) {
	if cursor == "" {
		return db, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		var id uuid.UUID
		if id, err = uuid.FromBytes(b); err == nil {
			return db.Where("id < ?", id.String()), nil
		}
	}
	return nil, fmt.Errorf("cursor %.40q: %w", cursor, judge.ErrInvalid)
}
