package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"judge/judge"
)

type submissionRow struct {
	ID            string
	Problem       string
	VersionID     string
	Language      string
	Entry         string
	SubmitterID   string
	SubmitterName string
	SubmitterTeam string
	TokenID       string
	Priority      judge.Priority
	Contest       *string
	Contestant    *string
	CreatedAt     time.Time
	Newest        string // id of the judgement that counts
	Outcome       string // what that came to; empty: it has not ended
}

func (submissionRow) TableName() string { return "submissions" }

func (r submissionRow) submission() judge.Submission {
	return judge.Submission{
		ID: r.ID, Problem: r.Problem, VersionID: r.VersionID, Language: r.Language, Entry: r.Entry,
		Submitter: judge.Submitter{ID: r.SubmitterID, Name: r.SubmitterName, Team: r.SubmitterTeam},
		TokenID:   r.TokenID, Priority: r.Priority, Contest: value(r.Contest), CreatedAt: r.CreatedAt.UTC(),
	}
}

type fileRow struct {
	SubmissionID string
	Ordinal      int
	Name         string
	Data         []byte
}

func (fileRow) TableName() string { return "submission_files" }

// person is by whom fair shares go. Two tokens' submitters of one name are two
// people.
func person(s *judge.Submission) string {
	sum := sha256.Sum256([]byte(s.TokenID + "\x00" + s.Submitter.ID))
	return uuid.UUID(sum[:16]).String()
}

// CreateSubmission writes a submission, its first judgement, which is queued, and
// the event. It gives the ids, and the time where that is zero; VersionID is the
// version to judge on. Problem and contestant must be those of s's contest, if it
// is in one: else judge.ErrNotFound.
// The job that wakes a worker is the caller's to insert in the same transaction.
func (tx *Tx) CreateSubmission(ctx context.Context, s judge.Submission) (judge.Submission, judge.Judgement, error) {
	id, err := newID()
	if err != nil {
		return s, judge.Judgement{}, err
	}
	if s.CreatedAt.IsZero() {
		s.CreatedAt = time.Now()
	}
	s.ID, s.CreatedAt = id, s.CreatedAt.UTC().Truncate(time.Microsecond) // as Postgres keeps it
	judgement, err := newID()
	if err != nil {
		return s, judge.Judgement{}, err
	}
	row := submissionRow{
		ID: id, Problem: s.Problem, VersionID: s.VersionID, Language: s.Language, Entry: s.Entry,
		SubmitterID: s.Submitter.ID, SubmitterName: s.Submitter.Name, SubmitterTeam: s.Submitter.Team,
		TokenID: s.TokenID, Priority: s.Priority, CreatedAt: s.CreatedAt, Newest: judgement,
	}
	if s.Contest != "" {
		contestant := s.Submitter.ContestantID()
		row.Contest, row.Contestant = &s.Contest, &contestant
	}
	const doing = "create submission"
	if err := tx.in(ctx).Create(&row).Error; err != nil {
		return s, judge.Judgement{}, wrap(err, doing)
	}
	files := make([]fileRow, 0, len(s.Files))
	for i, f := range s.Files {
		// Not nil, which would be null.
		files = append(files, fileRow{SubmissionID: id, Ordinal: i, Name: f.Name, Data: append([]byte{}, f.Data...)})
	}
	if len(files) > 0 {
		if err := tx.in(ctx).Create(&files).Error; err != nil {
			return s, judge.Judgement{}, wrap(err, doing)
		}
	}
	if err := tx.createJudgement(ctx, judgement, &s, s.VersionID, s.Priority); err != nil {
		return s, judge.Judgement{}, err
	}
	if err := tx.emit(ctx, judge.SubmissionCreated, judgement); err != nil {
		return s, judge.Judgement{}, err
	}
	j, err := tx.bare(ctx, judgement)
	return s, j, err
}

// CreateJudgement queues one more judging of a submission, on the version given:
// from now on that is the one that counts.
func (tx *Tx) CreateJudgement(ctx context.Context, submission, version string, p judge.Priority) (judge.Judgement, error) {
	s, err := tx.submission(ctx, submission)
	if err != nil {
		return judge.Judgement{}, err
	}
	id, err := newID()
	if err != nil {
		return judge.Judgement{}, err
	}
	if err := tx.createJudgement(ctx, id, &s, version, p); err != nil {
		return judge.Judgement{}, err
	}
	err = tx.in(ctx).Exec("UPDATE submissions SET newest = ?, outcome = '' WHERE id = ? AND newest < ?", id, s.ID, id).Error
	if err != nil {
		return judge.Judgement{}, wrap(err, "queue judgement")
	}
	return tx.bare(ctx, id)
}

func (tx *Tx) createJudgement(ctx context.Context, id string, s *judge.Submission, version string, p judge.Priority) error {
	err := tx.in(ctx).Table("judgements").Create(map[string]any{
		"id": id, "submission_id": s.ID, "version_id": version, "person": person(s), "priority": p, "state": judge.Queued,
	}).Error
	return wrap(err, "queue judgement")
}

// Submission finds a submission, with its files.
func (q queries) Submission(ctx context.Context, id string) (judge.Submission, error) {
	s, err := q.submission(ctx, id)
	if err != nil {
		return s, err
	}
	var files []fileRow
	if err := q.in(ctx).Where("submission_id = ?", id).Order("ordinal").Find(&files).Error; err != nil {
		return s, wrap(err, "read files of submission "+id)
	}
	for _, f := range files {
		s.Files = append(s.Files, judge.File{Name: f.Name, Data: f.Data})
	}
	return s, nil
}

func (q queries) submission(ctx context.Context, id string) (judge.Submission, error) {
	var row submissionRow
	err := checkID("submission", id)
	if err == nil {
		err = wrap(q.in(ctx).Where("id = ?", id).Take(&row).Error, "read submission "+id)
	}
	return row.submission(), err
}

// errNone ends a transaction that has found nothing to do.
var errNone = errors.New("nothing to do")

// stale says that a lease has ended.
func stale(l judge.Lease) error {
	return fmt.Errorf("judgement %s, attempt %d: %w", l.JudgementID, l.Attempt, judge.ErrStale)
}
