package store

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm/clause"

	"judge/judge"
)

type runRow struct {
	JudgementID string `gorm:"primaryKey"`
	Ordinal     int    `gorm:"primaryKey;autoIncrement:false"`
	Case        string
	Verdict     judge.Verdict
	HitLimit    judge.Limit
	ExitCode    int
	Signal      int
	CPUNs       int64 `gorm:"column:cpu_ns"`
	WallNs      int64
	MemoryBytes int64
	Score       *float64
	Message     string
}

func (runRow) TableName() string { return "runs" }

func newRunRow(judgement string, r judge.Run) runRow {
	return runRow{
		JudgementID: judgement, Ordinal: r.Ordinal, Case: r.Case, Verdict: r.Verdict, HitLimit: r.Limit,
		ExitCode: r.ExitCode, Signal: r.Signal, CPUNs: int64(r.CPUTime), WallNs: int64(r.WallTime),
		MemoryBytes: r.Memory, Score: r.Score, Message: r.Message,
	}
}

func (r *runRow) run() judge.Run {
	return judge.Run{
		Ordinal: r.Ordinal, Case: r.Case, Verdict: r.Verdict, Limit: r.HitLimit, ExitCode: r.ExitCode, Signal: r.Signal,
		CPUTime: time.Duration(r.CPUNs), WallTime: time.Duration(r.WallNs), Memory: r.MemoryBytes, Score: r.Score, Message: r.Message,
	}
}

// Runs lists the runs of a judgement, in order.
func (q queries) Runs(ctx context.Context, judgement string) ([]judge.Run, error) {
	var rows []runRow
	if err := q.in(ctx).Where("judgement_id = ?", judgement).Order("ordinal").Find(&rows).Error; err != nil {
		return nil, wrap(err, "read runs of judgement "+judgement)
	}
	var out []judge.Run
	for i := range rows {
		out = append(out, rows[i].run())
	}
	return out, nil
}

// putRuns writes runs, and an event for each that is new.
func (tx *Tx) putRuns(ctx context.Context, judgement string, runs []judge.Run) error {
	if len(runs) == 0 {
		return nil
	}
	var have []int
	const doing = "write runs"
	if err := tx.in(ctx).Table("runs").Where("judgement_id = ?", judgement).Pluck("ordinal", &have).Error; err != nil {
		return wrap(err, doing)
	}
	rows := make([]runRow, 0, len(runs))
	var fresh []int
	for _, r := range runs {
		rows = append(rows, newRunRow(judgement, r))
		if !slices.Contains(have, r.Ordinal) {
			fresh = append(fresh, r.Ordinal)
		}
	}
	err := tx.in(ctx).Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(&rows, 500).Error
	if err != nil {
		return wrap(err, doing)
	}
	return tx.emitRuns(ctx, judgement, fresh)
}

// dropRuns removes the runs that are not among those to keep.
func (tx *Tx) dropRuns(ctx context.Context, judgement string, keep []judge.Run) error {
	ordinals := []int{0} // an empty list would be null, which nothing is in
	for _, r := range keep {
		ordinals = append(ordinals, r.Ordinal)
	}
	err := tx.in(ctx).Exec("DELETE FROM runs WHERE judgement_id = ? AND ordinal NOT IN ?", judgement, ordinals).Error
	return wrap(err, "remove runs")
}
