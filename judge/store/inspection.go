package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"judge/judge"
)

// An inspection is a row of judgements that is marked as one: so it is taken by
// the rule of Take, fenced, handed back and queued again with no code of its own,
// and its run and output lie where all do. Events, lists, reviews, statistics and
// submissions.newest leave such rows out. Its time is charged to whoever asked.

// CreateInspection queues one run of a judgement to be made again with its full
// output, in class practice. The job that wakes a worker is the caller's to insert.
// judge.ErrNotFound: there is no such run; judge.ErrConflict: the judgement is not
// judged.
func (tx *Tx) CreateInspection(ctx context.Context, judgement string, ordinal int, by string) (judge.Inspection, error) {
	doing := fmt.Sprintf("inspect run %d of judgement %s", ordinal, judgement)
	j, err := tx.Judgement(ctx, judgement)
	if err != nil {
		return judge.Inspection{}, err
	}
	if j.State != judge.Judged {
		return judge.Inspection{}, fmt.Errorf("%s: it is %s: %w", doing, j.State, judge.ErrConflict)
	}
	id, err := newID()
	if err != nil {
		return judge.Inspection{}, err
	}
	res := tx.in(ctx).Exec(`INSERT INTO judgements (id, submission_id, version_id, person, priority, state, inspection)
		SELECT @id, submission_id, version_id, @person, @class, 'queued', true FROM judgements
		WHERE id = @judgement AND EXISTS (SELECT FROM runs WHERE judgement_id = @judgement AND ordinal = @ordinal)`, map[string]any{
		"id": id, "person": person(&judge.Submission{TokenID: by}), "class": judge.PriorityPractice, "judgement": judgement, "ordinal": ordinal,
	})
	if err := changed(res.Error, res.RowsAffected, doing); err != nil {
		return judge.Inspection{}, err
	}
	err = tx.in(ctx).Exec(`INSERT INTO inspections (id, judgement_id, ordinal, "case", token_id)
		SELECT ?, judgement_id, ordinal, "case", ? FROM runs WHERE judgement_id = ? AND ordinal = ?`, id, by, judgement, ordinal).Error
	if err != nil {
		return judge.Inspection{}, wrap(err, doing)
	}
	return tx.Inspection(ctx, id)
}

// Inspection finds an inspection, with its run and the full output once it is
// judged.
func (q queries) Inspection(ctx context.Context, id string) (judge.Inspection, error) {
	if err := checkID("inspection", id); err != nil {
		return judge.Inspection{}, err
	}
	var row struct {
		ID, JudgementID, SubmissionID, Problem string
		Ordinal                                int
		Case                                   string
		TokenID                                string
		State                                  judge.State
		Attempt                                int
		CreatedAt                              time.Time
		JudgedAt                               *time.Time
		Verdict                                judge.Verdict
		Message                                string
	}
	err := q.in(ctx).Raw(`SELECT i.*, j.submission_id, s.problem, j.state, j.attempt, j.created_at, j.judged_at, j.verdict, j.message
		FROM inspections i JOIN judgements j ON j.id = i.id JOIN submissions s ON s.id = j.submission_id WHERE i.id = ?`, id).Take(&row).Error
	if err != nil {
		return judge.Inspection{}, wrap(err, "read inspection "+id)
	}
	i := judge.Inspection{
		ID: row.ID, JudgementID: row.JudgementID, SubmissionID: row.SubmissionID, Problem: row.Problem, Ordinal: row.Ordinal,
		Case: row.Case, By: row.TokenID, State: row.State, Attempt: row.Attempt, CreatedAt: row.CreatedAt.UTC(), JudgedAt: moment(row.JudgedAt),
		Verdict: row.Verdict, Message: row.Message,
	}
	if i.State != judge.Judged {
		return i, nil
	}
	runs, err := q.Runs(ctx, id)
	if err != nil || len(runs) == 0 {
		return i, err
	}
	i.Run = &runs[0]
	output, err := q.RunOutput(ctx, id, i.Run.Ordinal)
	if errors.Is(err, judge.ErrNotFound) {
		return i, nil
	}
	i.Run.Output = &output
	return i, err
}
