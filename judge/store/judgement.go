package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"judge/judge"
)

// judgementRow is a judgement as it is read, with what others know of it.
type judgementRow struct {
	ID, SubmissionID, VersionID string
	State                       judge.State
	Attempt                     int
	Worker                      *string
	CreatedAt                   time.Time
	JudgedAt                    *time.Time
	LanguageVersion, ImageID    string
	Verdict                     judge.Verdict
	Score                       *float64
	HitLimit                    judge.Limit
	CPUNs                       int64 `gorm:"column:cpu_ns"`
	WallNs                      int64
	MemoryBytes                 int64
	Message                     string
	Compilation, Groups, Review []byte
	Shadow, Current             bool
	RejudgingID                 *string

	Problem, Language, SubmitterID, Digest string
	Contest                                *string
	HandedIn                               time.Time
}

const selectJudgement = `SELECT j.*, s.newest = j.id AS current, s.problem, s.language, s.submitter_id, s.contest, s.created_at AS handed_in, v.digest FROM judgements j
	JOIN submissions s ON s.id = j.submission_id JOIN problem_versions v ON v.id = j.version_id WHERE NOT j.inspection AND `

func (r *judgementRow) judgement() (judge.Judgement, error) {
	j := judge.Judgement{
		ID: r.ID, SubmissionID: r.SubmissionID, State: r.State, Attempt: r.Attempt, Worker: value(r.Worker),
		Problem: r.Problem, ProblemVersion: r.Digest, VersionID: r.VersionID, Submitter: r.SubmitterID, Contest: value(r.Contest), HandedIn: r.HandedIn.UTC(), Language: r.Language,
		CreatedAt: r.CreatedAt.UTC(), JudgedAt: moment(r.JudgedAt),
		Current: r.Current, Shadow: r.Shadow, RejudgingID: value(r.RejudgingID),
		LanguageVersion: r.LanguageVersion, ImageID: r.ImageID, Verdict: r.Verdict, Score: r.Score, Limit: r.HitLimit,
		CPUTime: time.Duration(r.CPUNs), WallTime: time.Duration(r.WallNs), Memory: r.MemoryBytes, Message: r.Message,
	}
	var err error
	if j.Compile, err = fromJSON[judge.Compilation](r.Compilation); err == nil {
		j.Review, err = fromJSON[judge.Review](r.Review)
	}
	if err == nil && r.Groups != nil {
		err = json.Unmarshal(r.Groups, &j.Groups)
	}
	if err != nil {
		return j, fmt.Errorf("read judgement %s: %w", r.ID, err)
	}
	return j, nil
}

// The columns compilation, groups and review hold the types of package judge
// under the names of their fields: renaming one takes a migration.
func fromJSON[T any](b []byte) (*T, error) {
	if b == nil {
		return nil, nil //nolint:nilnil // null and nil are the same here
	}
	var v T
	return &v, json.Unmarshal(b, &v)
}

func toJSON[T any](p *T) (any, error) {
	if p == nil {
		return nil, nil //nolint:nilnil // null and nil are the same here
	}
	b, err := json.Marshal(p)
	return b, err
}

// Judgement finds a judgement, with its runs so far.
func (q queries) Judgement(ctx context.Context, id string) (judge.Judgement, error) {
	if err := checkID("judgement", id); err != nil {
		return judge.Judgement{}, err
	}
	j, err := q.bare(ctx, id)
	if err != nil {
		return j, err
	}
	j.Runs, err = q.Runs(ctx, id)
	return j, err
}

// bare reads a judgement without its runs.
func (q queries) bare(ctx context.Context, id string) (judge.Judgement, error) {
	list, err := q.judgements(ctx, "j.id = ?", id)
	if err != nil || len(list) == 0 {
		return judge.Judgement{}, changed(err, int64(len(list)), "read judgement "+id)
	}
	return list[0], nil
}

// Judgements lists the judgements of a submission, newest first, without runs:
// shadows too.
func (q queries) Judgements(ctx context.Context, submission string) ([]judge.Judgement, error) {
	if err := checkID("submission", submission); err != nil {
		return nil, err
	}
	return q.judgements(ctx, "j.submission_id = ? ORDER BY j.id DESC", submission)
}

func (q queries) judgements(ctx context.Context, rest string, args ...any) ([]judge.Judgement, error) {
	var rows []judgementRow
	if err := q.in(ctx).Raw(selectJudgement+rest, args...).Scan(&rows).Error; err != nil {
		return nil, wrap(err, "read judgements")
	}
	out := make([]judge.Judgement, 0, len(rows))
	for i := range rows {
		j, err := rows[i].judgement()
		if err != nil {
			return nil, err
		}
		out = append(out, j)
	}
	return out, nil
}

// outcome is what judgement j came to, for its submission: empty until it ended.
const outcome = `CASE j.state WHEN 'judged' THEN coalesce(nullif(j.review->>'Verdict', ''), j.verdict) WHEN 'cancelled' THEN 'cancelled' ELSE '' END`

// conclude writes what judgements came to where they are their submissions' newest.
// Locks of submissions come after those of their judgements.
func (tx *Tx) conclude(ctx context.Context, judgements ...string) error {
	if len(judgements) == 0 {
		return nil
	}
	err := tx.in(ctx).Exec("UPDATE submissions SET outcome = "+outcome+" FROM judgements j WHERE j.id IN ? AND submissions.id = j.submission_id AND newest = j.id", judgements).Error
	return wrap(err, "write outcome")
}

// SetReview records what staff say of a judgement that is judged, in place of
// what they said before, and the event; judge.ErrConflict where it is not judged.
func (tx *Tx) SetReview(ctx context.Context, judgement string, r judge.Review) error {
	if err := checkID("judgement", judgement); err != nil {
		return err
	}
	doing := "review judgement " + judgement
	if r.Verdict != "" && !r.Verdict.Valid() {
		return fmt.Errorf("%s: verdict %.20q: %w", doing, r.Verdict, judge.ErrInvalid)
	}
	b, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	var done int
	err = tx.in(ctx).Raw(`WITH j AS (
		UPDATE judgements SET review = @review WHERE id = @id AND state = 'judged' AND NOT inspection RETURNING *
	), s AS (
		UPDATE submissions SET outcome = `+outcome+` FROM j WHERE submissions.id = j.submission_id AND newest = j.id
	) SELECT count(*) FROM j`, map[string]any{"review": b, "id": judgement}).Scan(&done).Error
	if err == nil && done == 0 {
		j, err := tx.Judgement(ctx, judgement)
		if err != nil {
			return err
		}
		return fmt.Errorf("%s: it is %s: %w", doing, j.State, judge.ErrConflict)
	}
	if err != nil {
		return wrap(err, doing)
	}
	return tx.emit(ctx, judge.JudgementReviewed, judgement)
}
