package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"judge/judge"
)

// attempt is submission s with judgement j as boards see it.
const attempt = `SELECT s.id::text, s.contestant, s.problem, s.created_at, j.state, j.judged_at,
		coalesce(nullif(j.review->>'Verdict', ''), j.verdict), coalesce((j.review->>'Score')::float8, j.score),
		coalesce((j.review->>'Ignored')::boolean, false), CASE WHEN j.review->>'Score' IS NULL THEN j.groups END
	FROM submissions s JOIN judgements j ON `

const selectAttempts = attempt + "j.id = s.newest WHERE s.contest = ?"

// Attempts lists the submissions of a contest as boards see them, in order of id:
// those that are named, or all where submissions is nil. Verdict and score are
// those that count: a review's, else those that were found. A review's score is of
// the whole, so there are no groups then.
func (q queries) Attempts(ctx context.Context, contest string, submissions []string) ([]judge.Attempt, error) {
	doing := "read attempts of contest " + contest
	query, args := selectAttempts, []any{contest}
	if submissions != nil {
		for _, id := range submissions {
			if err := checkID("submission", id); err != nil {
				return nil, err
			}
		}
		query, args = query+" AND s.id IN ?", append(args, submissions)
	}
	return q.attempts(ctx, doing, query, args)
}

func (q queries) attempts(ctx context.Context, doing, query string, args []any) (_ []judge.Attempt, err error) {
	rows, err := q.in(ctx).Raw(query+" ORDER BY s.id", args...).Rows()
	if err != nil {
		return nil, wrap(err, doing)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var out []judge.Attempt
	for rows.Next() {
		a, err := scanAttempt(rows)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", doing, err)
		}
		out = append(out, a)
	}
	return out, wrap(rows.Err(), doing)
}

// scanAttempt reads a row by hand: a board of 300,000 attempts is read at once.
func scanAttempt(rows *sql.Rows) (judge.Attempt, error) {
	var a judge.Attempt
	var judged *time.Time
	var groups []byte
	err := rows.Scan(&a.Submission, &a.Contestant, &a.Problem, &a.At, &a.State, &judged, &a.Verdict, &a.Score, &a.Ignored, &groups)
	if err != nil {
		return a, err
	}
	a.At, a.JudgedAt = a.At.UTC(), moment(judged)
	if groups != nil {
		err = json.Unmarshal(groups, &a.Groups)
	}
	return a, err
}
