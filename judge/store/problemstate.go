package store

import (
	"context"
	"fmt"
	"time"

	"judge/judge"
)

// SetVersionState moves a version on. Publishing one retires the one that was
// published before. judge.ErrConflict: no such move, as from retired to draft.
func (tx *Tx) SetVersionState(ctx context.Context, id string, to judge.VersionState) error {
	v, err := tx.ProblemVersion(ctx, id)
	if err != nil {
		return err
	}
	doing := fmt.Sprintf("make version %s %s", id, to)
	// The order of two who publish at once.
	if err := tx.in(ctx).Exec("SELECT FROM problems WHERE name = ? FOR UPDATE", v.Problem).Error; err != nil {
		return wrap(err, doing)
	}
	var from []judge.VersionState
	switch to {
	case judge.Draft:
		from = []judge.VersionState{judge.Verifying}
	case judge.Verifying:
		from = []judge.VersionState{judge.Draft}
	case judge.Published:
		from = []judge.VersionState{judge.Draft, judge.Verifying, judge.Retired}
	case judge.Retired:
		from = []judge.VersionState{judge.Draft, judge.Verifying, judge.Published}
	}
	if to == judge.Published {
		err := tx.in(ctx).Exec("UPDATE problem_versions SET state = 'retired' WHERE problem = ? AND state = 'published' AND id <> ?", v.Problem, id).Error
		if err != nil {
			return wrap(err, doing)
		}
	}
	res := tx.in(ctx).Table("problem_versions").Where("id = ? AND state IN ?", id, from).Update("state", to)
	if res.Error == nil && res.RowsAffected == 0 {
		return fmt.Errorf("%s: it is %s: %w", doing, v.State, judge.ErrConflict)
	}
	return wrap(res.Error, doing)
}

// SetSettings replaces the settings of a version. Judgements that have begun
// keep what they began with.
func (q queries) SetSettings(ctx context.Context, id string, s judge.Settings) error {
	if err := checkID("version", id); err != nil {
		return err
	}
	columns, err := settingsColumns(s)
	if err != nil {
		return err
	}
	res := q.in(ctx).Table("problem_versions").Where("id = ?", id).Updates(columns)
	return changed(res.Error, res.RowsAffected, "change settings of version "+id)
}

// EnableProblem opens a problem for submissions, or closes it.
func (q queries) EnableProblem(ctx context.Context, problem string, enabled bool) error {
	res := q.in(ctx).Table("problems").Where("name = ?", problem).Update("enabled", enabled)
	return changed(res.Error, res.RowsAffected, "change problem "+problem)
}

// Problem finds a problem.
func (q queries) Problem(ctx context.Context, name string) (judge.ProblemInfo, error) {
	infos, err := q.problems(ctx, "WHERE p.name = ?", name)
	if err == nil && len(infos) == 0 {
		err = fmt.Errorf("problem %.64q: %w", name, judge.ErrNotFound)
	}
	if err != nil {
		return judge.ProblemInfo{}, err
	}
	return infos[0], nil
}

// Problems lists problems by name, after a name, at most limit of them.
func (q queries) Problems(ctx context.Context, after string, limit int) ([]judge.ProblemInfo, error) {
	return q.problems(ctx, "WHERE p.name > ? ORDER BY p.name LIMIT ?", after, limit)
}

func (q queries) problems(ctx context.Context, rest string, args ...any) ([]judge.ProblemInfo, error) {
	var out []judge.ProblemInfo
	var rows []struct {
		Name        string
		Enabled     bool
		CreatedAt   time.Time
		Published   int
		PublishedID string
	}
	err := q.in(ctx).Raw(`SELECT p.name, p.enabled, p.created_at, coalesce(v.number, 0) AS published, coalesce(v.id::text, '') AS published_id
		FROM problems p LEFT JOIN problem_versions v ON v.problem = p.name AND v.state = 'published' `+rest, args...).Scan(&rows).Error
	for _, r := range rows {
		r.CreatedAt = r.CreatedAt.UTC()
		out = append(out, judge.ProblemInfo(r))
	}
	return out, wrap(err, "list problems")
}
