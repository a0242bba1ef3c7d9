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
// ever wider stretches, first one as long as the page, since most rests pass most
// rows, and gives up for this page after walkMost rows.
const walkMost = 30_000

// listedRow is a submission with its newest judgement. Seen and Last tell of the
// stretch that it was found in: how many rows that has, and the last one's id.
type listedRow struct {
	Submission submissionRow `gorm:"embedded;embeddedPrefix:s_"`
	Judgement  judgementRow  `gorm:"embedded"`
	Seen       int
	Last       string
}

// listed are the columns of listedRow, but for those of the stretch.
const listed = `r.id AS s_id, r.problem AS s_problem, r.version_id AS s_version_id, r.language AS s_language, r.entry AS s_entry,
	r.submitter_id AS s_submitter_id, r.submitter_name AS s_submitter_name, r.submitter_team AS s_submitter_team,
	r.token_id AS s_token_id, r.priority AS s_priority, r.created_at AS s_created_at, r.contest AS s_contest,
	j.*, true AS current, r.problem, r.language, r.submitter_id, r.contest, r.created_at AS handed_in, v.digest`

const (
	listPlain = "SELECT " + listed + ` FROM (%s) r JOIN judgements j ON j.id = r.newest JOIN problem_versions v ON v.id = j.version_id ORDER BY r.id DESC`
	// One row at least, for Seen and Last.
	listRest = "WITH w AS MATERIALIZED (%s) SELECT seen, last, " + listed + `
		FROM (SELECT count(*) AS seen, (SELECT id FROM w ORDER BY id LIMIT 1) AS last FROM w) b
		LEFT JOIN (SELECT * FROM w WHERE %s ORDER BY id DESC LIMIT %d) r ON true
		LEFT JOIN judgements j ON j.id = r.newest LEFT JOIN problem_versions v ON v.id = j.version_id ORDER BY r.id DESC`
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
		last = rows[limit-1].Submission.ID
	}
	page := judge.Page{Next: newCursor(last)}
	for i := range rows {
		j, err := rows[i].Judgement.judgement()
		if err != nil {
			return judge.Page{}, fmt.Errorf("%s: %w", doing, err)
		}
		page.Items = append(page.Items, judge.Listed{Submission: rows[i].Submission.submission(), Judgement: j})
	}
	return page, nil
}

// walk returns at most n rows below an id, and, where it gave up before it had
// those, the last id that it looked at.
func (q queries) walk(ctx context.Context, w walk, from string, n int) (rows []listedRow, last string, err error) {
	if len(w.rest.text) == 0 {
		query, args := w.stretch(from, n)
		err = q.in(ctx).Raw(fmt.Sprintf(listPlain, query), args...).Scan(&rows).Error
		return rows, "", err
	}
	looked := 0
	for size := n; ; size *= 4 {
		size = min(size, walkMost-looked)
		query, args := w.stretch(from, size)
		var found []listedRow
		err = q.in(ctx).Raw(fmt.Sprintf(listRest, query, w.rest.and(), n), append(args, w.rest.args...)...).Scan(&found).Error
		if err != nil {
			return nil, "", err
		}
		for _, r := range found {
			if r.Submission.ID != "" {
				rows = append(rows, r)
			}
		}
		from = found[0].Last
		looked += found[0].Seen
		switch {
		case len(rows) >= n || found[0].Seen < size:
			return rows[:min(len(rows), n)], "", nil
		case looked >= walkMost:
			return rows, from, nil
		}
	}
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
