package store

import (
	"context"
	"fmt"

	"judge/judge"
)

type outputRow struct {
	JudgementID string `gorm:"primaryKey"`
	Ordinal     int    `gorm:"primaryKey;autoIncrement:false"`

	Stdout, Stderr                             []byte
	StdoutSize, StderrSize                     int64
	JudgeMessage, TeamMessage, ValidatorStderr []byte
	Difference, Transcript                     []byte
}

func (outputRow) TableName() string { return "run_outputs" }

// outputBatch is how many bytes of outputs go into one statement, if one row is
// not more.
const outputBatch = 4 << 20

// putOutputs keeps what the runs said that have something to say.
func (tx *Tx) putOutputs(ctx context.Context, judgement string, runs []judge.Run) error {
	var rows []outputRow
	size := 0
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		err := tx.in(ctx).Create(&rows).Error
		rows, size = rows[:0], 0
		return wrap(err, "write outputs of runs")
	}
	for _, r := range runs {
		if r.Output == nil {
			continue
		}
		row, err := newOutputRow(judgement, r.Ordinal, r.Output)
		if err != nil {
			return err
		}
		rows = append(rows, row)
		size += len(row.Stdout) + len(row.Stderr) + len(row.JudgeMessage) + len(row.TeamMessage) + len(row.ValidatorStderr) + len(row.Transcript)
		if size >= outputBatch || len(rows) == 500 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

func newOutputRow(judgement string, ordinal int, o *judge.RunOutput) (outputRow, error) {
	difference, err := toJSON(o.Difference)
	if err != nil {
		return outputRow{}, fmt.Errorf("write output of run %d: %w", ordinal, err)
	}
	transcript, err := toJSON(&o.Transcript)
	if err != nil {
		return outputRow{}, fmt.Errorf("write transcript of run %d: %w", ordinal, err)
	}
	row := outputRow{
		JudgementID: judgement, Ordinal: ordinal, Stdout: notNil(o.Stdout), Stderr: notNil(o.Stderr),
		StdoutSize: o.StdoutSize, StderrSize: o.StderrSize,
		JudgeMessage: notNil(o.JudgeMessage), TeamMessage: notNil(o.TeamMessage), ValidatorStderr: notNil(o.ValidatorStderr),
	}
	row.Difference, _ = difference.([]byte) // nil where there is none
	if len(o.Transcript) > 0 {
		row.Transcript, _ = transcript.([]byte)
	}
	return row, nil
}

// notNil is b, where nil would be null.
func notNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// RunOutput finds what a run of a judgement said; judge.ErrNotFound where that is
// not kept.
func (q queries) RunOutput(ctx context.Context, judgement string, ordinal int) (judge.RunOutput, error) {
	if err := checkID("judgement", judgement); err != nil {
		return judge.RunOutput{}, err
	}
	doing := fmt.Sprintf("read output of run %d of judgement %s", ordinal, judgement)
	var row outputRow
	if err := q.in(ctx).Where("judgement_id = ? AND ordinal = ?", judgement, ordinal).Take(&row).Error; err != nil {
		return judge.RunOutput{}, wrap(err, doing)
	}
	difference, err := fromJSON[judge.Difference](row.Difference)
	if err != nil {
		return judge.RunOutput{}, fmt.Errorf("%s: %w", doing, err)
	}
	transcript, err := fromJSON[[]judge.Utterance](row.Transcript)
	if err != nil {
		return judge.RunOutput{}, fmt.Errorf("%s: %w", doing, err)
	}
	out := judge.RunOutput{
		Stdout: row.Stdout, Stderr: row.Stderr, StdoutSize: row.StdoutSize, StderrSize: row.StderrSize,
		JudgeMessage: row.JudgeMessage, TeamMessage: row.TeamMessage, ValidatorStderr: row.ValidatorStderr,
		Difference: difference,
	}
	if transcript != nil {
		out.Transcript = *transcript
	}
	return out, nil
}
