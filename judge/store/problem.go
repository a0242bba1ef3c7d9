package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"gorm.io/gorm/clause"

	"judge/judge"
)

type versionRow struct {
	ID           string
	Problem      string
	Number       int
	State        judge.VersionState
	Digest       string
	Manifest     []byte
	CPULimitNs   int64 `gorm:"column:cpu_limit_ns"`
	Languages    []byte
	Feedback     judge.Feedback
	CalibratedNs int64 `gorm:"column:calibrated_ns"`
	CreatedAt    time.Time
	CreatedBy    *string
}

func (versionRow) TableName() string { return "problem_versions" }

func (r versionRow) version() (judge.ProblemVersion, error) {
	v := judge.ProblemVersion{
		ID: r.ID, Problem: r.Problem, Number: r.Number, State: r.State, Digest: r.Digest, Manifest: r.Manifest,
		Settings:  judge.Settings{CPU: time.Duration(r.CPULimitNs), Feedback: r.Feedback},
		CreatedAt: r.CreatedAt.UTC(), CreatedBy: value(r.CreatedBy), Calibrated: time.Duration(r.CalibratedNs),
	}
	if err := json.Unmarshal(r.Languages, &v.Settings.Languages); err != nil {
		return v, fmt.Errorf("read languages of version %s: %w", r.ID, err)
	}
	return v, nil
}

func settingsColumns(s judge.Settings) (map[string]any, error) {
	if s.Languages == nil {
		s.Languages = []string{}
	}
	if s.Feedback == "" {
		s.Feedback = judge.FeedbackCases
	}
	languages, err := json.Marshal(s.Languages)
	if err != nil {
		return nil, fmt.Errorf("write languages: %w", err)
	}
	return map[string]any{"cpu_limit_ns": int64(s.CPU), "languages": languages, "feedback": s.Feedback}, nil
}

// CreateVersion adds a version to a problem, which it makes if it is new, and
// returns it with id and number. Its blobs must be known (PutBlob). Settings
// without a feedback policy are taken over from the newest version.
func (tx *Tx) CreateVersion(ctx context.Context, v judge.ProblemVersion) (judge.ProblemVersion, error) {
	doing := "create version of problem " + v.Problem
	if err := tx.in(ctx).Exec("INSERT INTO problems (name) VALUES (?) ON CONFLICT DO NOTHING", v.Problem).Error; err != nil {
		return v, wrap(err, doing)
	}
	// The row's lock gives numbers one after the other.
	if err := tx.in(ctx).Exec("SELECT FROM problems WHERE name = ? FOR UPDATE", v.Problem).Error; err != nil {
		return v, wrap(err, doing)
	}
	var last []versionRow
	if err := tx.in(ctx).Where("problem = ?", v.Problem).Order("number DESC").Limit(1).Find(&last).Error; err != nil {
		return v, wrap(err, doing)
	}
	v.Number = 1
	if len(last) > 0 {
		before, err := last[0].version()
		if err != nil {
			return v, err
		}
		v.Number = before.Number + 1
		if v.Settings.Feedback == "" {
			v.Settings = before.Settings
		}
	}
	if v.State == "" {
		v.State = judge.Draft
	}
	id, err := newID()
	if err != nil {
		return v, err
	}
	columns, err := settingsColumns(v.Settings)
	if err != nil {
		return v, err
	}
	maps.Copy(columns, map[string]any{
		"id": id, "problem": v.Problem, "number": v.Number, "state": v.State,
		"digest": v.Digest, "manifest": v.Manifest, "created_by": optional(v.CreatedBy),
	})
	if err := tx.in(ctx).Table("problem_versions").Create(columns).Error; err != nil {
		return v, wrap(err, doing)
	}
	if err := tx.addBlobs(ctx, id, v.Blobs); err != nil {
		return v, wrap(err, doing)
	}
	return tx.ProblemVersion(ctx, id)
}

func (tx *Tx) addBlobs(ctx context.Context, version string, blobs []string) error {
	rows := make([]map[string]any, 0, len(blobs))
	for _, sum := range blobs {
		rows = append(rows, map[string]any{"version_id": version, "sha256": sum})
	}
	if len(rows) == 0 {
		return nil
	}
	return tx.in(ctx).Table("version_blobs").Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(rows, 1000).Error
}

// ProblemVersion finds a version by its id, with its blobs.
func (q queries) ProblemVersion(ctx context.Context, id string) (judge.ProblemVersion, error) {
	if err := checkID("version", id); err != nil {
		return judge.ProblemVersion{}, err
	}
	var r versionRow
	if err := q.in(ctx).Where("id = ?", id).Take(&r).Error; err != nil {
		return judge.ProblemVersion{}, wrap(err, "read version "+id)
	}
	v, err := r.version()
	if err != nil {
		return v, err
	}
	err = q.in(ctx).Table("version_blobs").Where("version_id = ?", id).Order("sha256").Pluck("sha256", &v.Blobs).Error
	return v, wrap(err, "read blobs of version "+id)
}

// PublishedVersion finds the version that submissions to a problem are judged
// on; judge.ErrNotFound where there is none.
func (q queries) PublishedVersion(ctx context.Context, problem string) (judge.ProblemVersion, error) {
	var id string
	err := q.in(ctx).Table("problem_versions").Select("id").Where("problem = ? AND state = 'published'", problem).Take(&id).Error
	if err != nil {
		return judge.ProblemVersion{}, wrap(err, "read published version of problem "+problem)
	}
	return q.ProblemVersion(ctx, id)
}

// Versions lists the versions of a problem, newest first, without manifests and
// blobs.
func (q queries) Versions(ctx context.Context, problem string) ([]judge.ProblemVersion, error) {
	var rows []versionRow
	err := q.in(ctx).Omit("manifest").Where("problem = ?", problem).Order("number DESC").Find(&rows).Error
	if err != nil {
		return nil, wrap(err, "list versions of problem "+problem)
	}
	out := make([]judge.ProblemVersion, 0, len(rows))
	for _, r := range rows {
		v, err := r.version()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}
