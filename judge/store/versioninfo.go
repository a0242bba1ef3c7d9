package store

import (
	"context"

	"judge/judge"
)

// VersionInfo finds a version by its id, without manifest and blobs.
func (q queries) VersionInfo(ctx context.Context, id string) (judge.ProblemVersion, error) {
	if err := checkID("version", id); err != nil {
		return judge.ProblemVersion{}, err
	}
	return q.versionInfo(ctx, "read version "+id, "id = ?", id)
}

// PublishedInfo is PublishedVersion without manifest and blobs.
func (q queries) PublishedInfo(ctx context.Context, problem string) (judge.ProblemVersion, error) {
	return q.versionInfo(ctx, "read published version of problem "+problem, "problem = ? AND state = 'published'", problem)
}

func (q queries) versionInfo(ctx context.Context, doing, where, arg string) (judge.ProblemVersion, error) {
	var r versionRow
	if err := q.in(ctx).Omit("manifest").Where(where, arg).Take(&r).Error; err != nil {
		return judge.ProblemVersion{}, wrap(err, doing)
	}
	return r.version()
}
