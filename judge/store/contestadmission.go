package store

import (
	"context"
	"time"

	"judge/judge"
)

// EnterContest begins an admission to a contest: it finds the contestants that are
// named, in order of ID, and locks them, so that what each has handed in is counted
// and added to by nobody else until the transaction ends. Where the contest is open
// it makes those that are not there; else they are left out. Who enters several
// contests goes in order of their names.
func (tx *Tx) EnterContest(ctx context.Context, c *judge.Contest, who []judge.Contestant) ([]judge.Contestant, error) {
	doing := "enter contest " + c.Name
	ids := make([]string, 0, len(who))
	for i := range who {
		ids = append(ids, who[i].ID)
	}
	if c.Open {
		if err := tx.join(ctx, c.Name, who, ids); err != nil {
			return nil, err
		}
	}
	var rows []contestantRow
	err := tx.in(ctx).Raw("SELECT * FROM contestants WHERE contest = ? AND id IN ? ORDER BY id FOR NO KEY UPDATE", c.Name, ids).Scan(&rows).Error
	if err != nil {
		return nil, wrap(err, doing)
	}
	found := make([]judge.Contestant, 0, len(rows))
	for i := range rows {
		p, err := rows[i].contestant()
		if err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	return found, nil
}

// join makes contestants of those who are none.
func (tx *Tx) join(ctx context.Context, contest string, who []judge.Contestant, ids []string) error {
	n, err := tx.CountContestants(ctx, contest, judge.ContestantFilter{IDs: ids})
	if err != nil || n == len(who) {
		return err
	}
	// The contest's lock before those of contestants, as whoever changes them has it.
	if _, err := tx.LockContest(ctx, contest); err != nil {
		return err
	}
	isNew := false
	for i := range who {
		res := tx.in(ctx).Exec("INSERT INTO contestants (contest, id, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", contest, who[i].ID, who[i].Name)
		if res.Error != nil {
			return wrap(res.Error, "enter contest "+contest)
		}
		isNew = isNew || res.RowsAffected > 0
	}
	if !isNew { // somebody was faster
		return nil
	}
	return tx.touchContest(ctx, contest)
}

// ContestTries counts what a contestant has handed in, as of a moment.
func (tx *Tx) ContestTries(ctx context.Context, contest, contestant, problem string, at time.Time) (judge.Tries, error) {
	var row struct {
		Recent, Problem int
		Oldest          *time.Time
	}
	err := tx.in(ctx).Raw(`SELECT count(*) FILTER (WHERE s.created_at > @since) AS recent, min(s.created_at) FILTER (WHERE s.created_at > @since) AS oldest,
			count(*) FILTER (WHERE s.problem = @problem AND s.outcome NOT IN ('cancelled', 'JE') AND NOT coalesce((j.review->>'Ignored')::boolean, false)) AS problem
		FROM submissions s JOIN judgements j ON j.id = s.newest WHERE s.contest = @contest AND s.contestant = @contestant`,
		map[string]any{"since": at.Add(-time.Minute), "problem": problem, "contest": contest, "contestant": contestant}).Scan(&row).Error
	return judge.Tries{Recent: row.Recent, Oldest: moment(row.Oldest), Problem: row.Problem}, wrap(err, "count submissions in contest "+contest)
}
