package store

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/google/uuid"

	"judge/judge"
)

// How a list is found: a walk goes by one index that has the order of the list,
// and what of the filter that index does not know is asked of the rows on the way.
// The planner is not left to choose: by plans that are kept as long as the
// connection, it now and then reads all submissions of a problem to sort them.
//
// A walk without such a rest ends when the page is full. One with a rest looks at
// ever wider stretches, and gives up for this page after walkMost rows.
const (
	walkFirst = 500
	walkMost  = 40_000
)

// Submissions lists submissions, newest first, at most limit after a cursor, which
// is empty for the first page. A page of a filter that few rows pass may hold
// less, even nothing, and yet have a Next. judge.ErrInvalid: it is not a cursor.
func (q queries) Submissions(ctx context.Context, f judge.SubmissionFilter, cursor string, limit int) (judge.Page, error) {
	const doing = "list submissions"
	from, err := parseCursor(cursor)
	if err != nil {
		return judge.Page{}, fmt.Errorf("%s: %w", doing, err)
	}
	rows, last, err := q.walk(ctx, newWalk(f), from, limit+1)
	if err != nil {
		return judge.Page{}, wrap(err, doing)
	}
	if len(rows) > limit {
		rows = rows[:limit]
		last = rows[limit-1].ID
	}
	page := judge.Page{Next: newCursor(last)}
	newest, err := q.newest(ctx, rows)
	if err != nil {
		return judge.Page{}, err
	}
	for _, r := range rows {
		page.Items = append(page.Items, judge.Listed{Submission: r.submission(), Judgement: newest[r.Newest]})
	}
	return page, nil
}

// walk returns at most n rows below an id, and, where it gave up before it had
// those, the last id that it looked at.
func (q queries) walk(ctx context.Context, w walk, from string, n int) (rows []submissionRow, last string, err error) {
	if len(w.rest.text) == 0 {
		query, args := w.stretch(from, n)
		err = q.in(ctx).Raw(query, args...).Scan(&rows).Error
		return rows, "", err
	}
	looked := 0
	for size := walkFirst; ; size *= 4 {
		size = min(size, walkMost-looked)
		query, args := w.stretch(from, size)
		var found []struct {
			Row  submissionRow `gorm:"embedded"`
			Seen int
			Last string
		}
		// One row at least, for Seen and Last.
		err = q.in(ctx).Raw("WITH w AS MATERIALIZED ("+query+`)
			SELECT seen, last, coalesce(r.id, '`+uuid.Nil.String()+`') AS id, r.problem, r.version_id, r.language, r.entry, r.submitter_id, r.submitter_name, r.submitter_team,
				r.token_id, r.priority, r.created_at, r.newest, r.outcome
			FROM (SELECT count(*) AS seen, coalesce((SELECT id FROM w ORDER BY id LIMIT 1), '`+uuid.Nil.String()+`') AS last FROM w) b
			LEFT JOIN (SELECT * FROM w WHERE `+w.rest.and()+` ORDER BY id DESC LIMIT ?) r ON true ORDER BY r.id DESC`,
			append(append(args, w.rest.args...), n-len(rows))...).Scan(&found).Error
		if err != nil {
			return nil, "", err
		}
		for _, r := range found {
			if r.Row.ID != uuid.Nil.String() {
				rows = append(rows, r.Row)
			}
		}
		from = found[0].Last
		looked += found[0].Seen
		switch {
		case len(rows) == n || found[0].Seen < size:
			return rows, "", nil
		case looked >= walkMost:
			return rows, from, nil
		}
	}
}

// newest finds the judgements that count.
func (q queries) newest(ctx context.Context, submissions []submissionRow) (map[string]judge.Judgement, error) {
	out := map[string]judge.Judgement{}
	if len(submissions) == 0 {
		return out, nil
	}
	ids := make([]string, 0, len(submissions))
	for _, s := range submissions {
		ids = append(ids, s.Newest)
	}
	list, err := q.judgements(ctx, "j.id IN ?", ids)
	for _, j := range list {
		out[j.ID] = j
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

// newCursor is empty for an empty id.
func newCursor(id string) string {
	if id == "" {
		return ""
	}
	u := uuid.MustParse(id) // of a column of that type
	return base64.RawURLEncoding.EncodeToString(u[:])
}

// parseCursor is the id that a cursor stands for; for none, the highest.
func parseCursor(cursor string) (string, error) {
	if cursor == "" {
		return uuid.Max.String(), nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		var id uuid.UUID
		if id, err = uuid.FromBytes(b); err == nil {
			return id.String(), nil
		}
	}
	return "", fmt.Errorf("cursor %.40q: %w", cursor, judge.ErrInvalid)
}
