package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"judge/judge"
)

type contestRow struct {
	Name       string
	Kind       judge.ContestKind
	StartAt    *time.Time
	DurationNs int64
	Settings   []byte
	Revision   int64
	CreatedAt  time.Time
}

func (contestRow) TableName() string { return "contests" }

func (r *contestRow) contest() (judge.Contest, error) {
	var c judge.Contest
	if err := json.Unmarshal(r.Settings, &c); err != nil {
		return c, fmt.Errorf("read contest %s: %w", r.Name, err)
	}
	c.Name, c.Kind, c.Start, c.Duration = r.Name, r.Kind, moment(r.StartAt), time.Duration(r.DurationNs)
	c.Revision, c.CreatedAt = r.Revision, r.CreatedAt.UTC()
	return c, nil
}

// contestColumns are what a contest's row holds that may change. Postgres keeps
// microseconds.
func contestColumns(c *judge.Contest) (map[string]any, error) {
	rest := *c
	rest.Name, rest.Kind, rest.Start, rest.Duration = "", "", time.Time{}, 0
	rest.Problems, rest.Contestants, rest.CreatedAt, rest.Revision = nil, nil, time.Time{}, 0
	settings, err := json.Marshal(rest)
	if err != nil {
		return nil, fmt.Errorf("write contest %s: %w", c.Name, err)
	}
	return map[string]any{"kind": c.Kind, "start_at": optional(c.Start.UTC().Truncate(time.Microsecond)), "duration_ns": int64(c.Duration), "settings": settings}, nil
}

// Contest finds a contest, with its problems and all contestants in order of ID.
func (q queries) Contest(ctx context.Context, name string) (judge.Contest, error) {
	c, err := q.ContestInfo(ctx, name)
	if err == nil {
		c.Contestants, err = q.Contestants(ctx, name, judge.ContestantFilter{}, "", 0)
	}
	return c, err
}

// ContestInfo is Contest without contestants.
func (q queries) ContestInfo(ctx context.Context, name string) (judge.Contest, error) {
	return q.contest(ctx, name, "")
}

// LockContest is ContestInfo, and nobody else changes the contest, its problems or
// contestants until the transaction ends. Handing in goes on: a lock that it had to
// wait for would be had late, or never, in a contest where somebody always does.
func (tx *Tx) LockContest(ctx context.Context, name string) (judge.Contest, error) {
	return tx.contest(ctx, name, " FOR NO KEY UPDATE")
}

func (q queries) contest(ctx context.Context, name, lock string) (judge.Contest, error) {
	doing := "read contest " + name
	var row contestRow
	if err := q.in(ctx).Raw("SELECT * FROM contests WHERE name = ?"+lock, name).Take(&row).Error; err != nil {
		return judge.Contest{}, wrap(err, doing)
	}
	c, err := row.contest()
	if err != nil {
		return c, err
	}
	all := []judge.Contest{c}
	err = q.withProblems(ctx, all)
	return all[0], err
}

// Contests lists contests after a name, in order of name, at most limit, without
// contestants.
func (q queries) Contests(ctx context.Context, after string, limit int) ([]judge.Contest, error) {
	var rows []contestRow
	if err := q.in(ctx).Where("name > ?", after).Order("name").Limit(limit).Find(&rows).Error; err != nil {
		return nil, wrap(err, "list contests")
	}
	out := make([]judge.Contest, 0, len(rows))
	for i := range rows {
		c, err := rows[i].contest()
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, q.withProblems(ctx, out)
}

type contestProblemRow struct {
	Contest, Problem, Label, Color, RGB string
	Languages                           []byte
	MaxSubmissions                      int
	Points                              float64
}

func (contestProblemRow) TableName() string { return "contest_problems" }

// withProblems gives contests their problems.
func (q queries) withProblems(ctx context.Context, contests []judge.Contest) error {
	if len(contests) == 0 {
		return nil
	}
	at := map[string]*judge.Contest{}
	names := make([]string, 0, len(contests))
	for i := range contests {
		at[contests[i].Name] = &contests[i]
		names = append(names, contests[i].Name)
	}
	var rows []contestProblemRow
	if err := q.in(ctx).Where("contest IN ?", names).Order("contest, label").Find(&rows).Error; err != nil {
		return wrap(err, "read problems of contests")
	}
	for _, r := range rows {
		p := judge.ContestProblem{Label: r.Label, Problem: r.Problem, Color: r.Color, RGB: r.RGB, MaxSubmissions: r.MaxSubmissions, Points: r.Points}
		if err := json.Unmarshal(r.Languages, &p.Languages); err != nil {
			return fmt.Errorf("read problem %s of contest %s: %w", r.Problem, r.Contest, err)
		}
		at[r.Contest].Problems = append(at[r.Contest].Problems, p)
	}
	for i := range contests {
		contests[i].SortProblems()
	}
	return nil
}

// ContestUses lists the contests that problems are in.
func (q queries) ContestUses(ctx context.Context, problems []string) ([]judge.ContestUse, error) {
	if len(problems) == 0 {
		return nil, nil
	}
	var rows []struct {
		Problem, Contest string
		StartAt          *time.Time
	}
	err := q.in(ctx).Raw(`SELECT p.problem, p.contest, c.start_at FROM contest_problems p JOIN contests c ON c.name = p.contest
		WHERE p.problem IN ? ORDER BY p.problem, p.contest`, problems).Scan(&rows).Error
	if err != nil {
		return nil, wrap(err, "read contests of problems")
	}
	out := make([]judge.ContestUse, 0, len(rows))
	for _, r := range rows {
		out = append(out, judge.ContestUse{Problem: r.Problem, Contest: r.Contest, Start: moment(r.StartAt)})
	}
	return out, nil
}
