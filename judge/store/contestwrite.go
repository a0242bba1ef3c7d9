package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"judge/judge"
)

// CreateContest makes a contest with its problems and contestants;
// judge.ErrConflict where there is one of that name, judge.ErrNotFound where there
// is no such problem.
func (tx *Tx) CreateContest(ctx context.Context, c judge.Contest) (judge.Contest, error) {
	doing := "create contest " + c.Name
	columns, err := contestColumns(&c)
	if err != nil {
		return c, err
	}
	maps.Copy(columns, map[string]any{"name": c.Name})
	if err := tx.in(ctx).Table("contests").Create(columns).Error; err != nil {
		return c, wrap(err, doing)
	}
	if err := tx.setProblems(ctx, &c); err != nil {
		return c, wrap(err, doing)
	}
	if len(c.Contestants) > 0 {
		if _, err := tx.upsertContestants(ctx, c.Name, c.Contestants); err != nil {
			return c, wrap(err, doing)
		}
	}
	if err := tx.contestUpdated(ctx, c.Name); err != nil {
		return c, err
	}
	return tx.ContestInfo(ctx, c.Name)
}

// UpdateContest writes all of a contest but its contestants. c's Revision is the
// one that it was read at: judge.ErrConflict where it has changed since, and where
// a problem is taken out for which something was handed in.
func (tx *Tx) UpdateContest(ctx context.Context, c judge.Contest) (judge.Contest, error) {
	doing := "change contest " + c.Name
	columns, err := contestColumns(&c)
	if err != nil {
		return c, err
	}
	columns["revision"] = c.Revision + 1
	res := tx.in(ctx).Table("contests").Where("name = ? AND revision = ?", c.Name, c.Revision).Updates(columns)
	if res.Error != nil {
		return c, wrap(res.Error, doing)
	}
	if res.RowsAffected == 0 {
		if _, err := tx.ContestInfo(ctx, c.Name); err != nil {
			return c, err
		}
		return c, fmt.Errorf("%s: it has changed since revision %d: %w", doing, c.Revision, judge.ErrConflict)
	}
	if err := tx.setProblems(ctx, &c); err != nil {
		return c, wrap(err, doing)
	}
	if err := tx.contestUpdated(ctx, c.Name); err != nil {
		return c, err
	}
	return tx.ContestInfo(ctx, c.Name)
}

// setProblems makes c's problems those of its rows.
func (tx *Tx) setProblems(ctx context.Context, c *judge.Contest) error {
	names := []string{""} // no problem is called so, and IN wants one
	rows := make([]map[string]any, 0, len(c.Problems))
	for _, p := range c.Problems {
		names = append(names, p.Problem)
		rows = append(rows, map[string]any{
			"problem": p.Problem, "label": p.Label, "color": p.Color, "rgb": p.RGB, "languages": append([]string{}, p.Languages...),
			"max_submissions": p.MaxSubmissions, "points": p.Points,
		})
	}
	used, err := tx.exists(ctx, "SELECT FROM submissions WHERE contest = ? AND problem NOT IN ?", c.Name, names)
	if err != nil {
		return err
	}
	if used {
		return fmt.Errorf("something was handed in for a problem that it would not have any more: %w", judge.ErrConflict)
	}
	if err := tx.in(ctx).Exec("DELETE FROM contest_problems WHERE contest = ? AND problem NOT IN ?", c.Name, names).Error; err != nil {
		return err
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	// In one statement, so that two may swap their labels.
	return tx.in(ctx).Exec(`INSERT INTO contest_problems (contest, problem, label, color, rgb, languages, max_submissions, points)
		SELECT ?, r.* FROM jsonb_to_recordset(?::text::jsonb) AS r(problem text, label text, color text, rgb text, languages jsonb, max_submissions integer, points float8)
		ON CONFLICT (contest, problem) DO UPDATE SET label = excluded.label, color = excluded.color, rgb = excluded.rgb,
			languages = excluded.languages, max_submissions = excluded.max_submissions, points = excluded.points`, c.Name, string(list)).Error
}

func (q queries) exists(ctx context.Context, query string, args ...any) (bool, error) {
	var is bool
	err := q.in(ctx).Raw("SELECT EXISTS ("+query+")", args...).Scan(&is).Error
	return is, err
}

// DeleteContest removes a contest with its problems and contestants;
// judge.ErrConflict where something was handed in there.
func (tx *Tx) DeleteContest(ctx context.Context, name string) error {
	doing := "delete contest " + name
	res := tx.in(ctx).Exec("DELETE FROM contests WHERE name = ?", name)
	if err := wrap(res.Error, doing); errors.Is(err, judge.ErrNotFound) { // they refer to its problems and contestants
		return fmt.Errorf("%s: it has submissions: %w", doing, judge.ErrConflict)
	}
	if err := changed(res.Error, res.RowsAffected, doing); err != nil {
		return err
	}
	return tx.contestUpdated(ctx, name)
}

// contestUpdated writes the event that a contest has changed.
func (tx *Tx) contestUpdated(ctx context.Context, name string) error {
	return tx.told(ctx, `INSERT INTO events (type, ordinal, attempt, problem, submitter_id, contest) VALUES (?, 0, 0, '', '', ?)`, judge.ContestUpdated, name)
}
