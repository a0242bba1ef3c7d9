package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"judge/judge"
)

// The rule of Take. Of the judgements that are ready, the lowest class goes
// first. Within it goes the person who holds the fewest slots, of equals the one
// whose judgements took the least time lately, and of theirs the oldest. So who
// floods the queue costs another one submission's time for each slot.
//
// Lately: what was used is halved every halfLife. Such sums grow old together,
// so their order does not change while time passes, and shares.load holds the
// logarithm of the sum as of the epoch, written when a judgement ends.
const (
	halfLife = time.Minute
	// crowd is how many people are compared. Where more are waiting, those behind
	// a random point are: in so wide a backlog nobody has much more than others.
	crowd = 128
)

// tau is halfLife for base e, in seconds.
var tau = halfLife.Seconds() / math.Ln2

// waiting lists by a loose index scan the people who wait in class @class,
// beginning at person @from: one step of the index for each, however much each
// has waiting.
const waiting = `WITH RECURSIVE waiting AS (
	(SELECT person, 1 AS n FROM judgements
		WHERE state = 'queued' AND not_before IS NULL AND priority = @class AND person >= @from
		ORDER BY priority, person LIMIT 1)
	UNION ALL
	SELECT next.person, w.n + 1 FROM waiting w CROSS JOIN LATERAL (SELECT person FROM judgements
		WHERE state = 'queued' AND not_before IS NULL AND priority = @class AND person > w.person
		ORDER BY priority, person LIMIT 1) next
	WHERE w.n < @crowd
), running AS (
	SELECT person, count(*) AS slots FROM judgements WHERE state IN ('compiling', 'running') GROUP BY person
)
SELECT w.person FROM waiting w LEFT JOIN running r USING (person)
ORDER BY coalesce(r.slots, 0), coalesce((SELECT load FROM shares s WHERE s.person = w.person), '-infinity'), w.person`

// lockNext takes the oldest of a person's that nobody else is taking.
const lockNext = `UPDATE judgements SET state = 'compiling', attempt = attempt + 1, worker = @worker, started_at = clock_timestamp()
	WHERE id = (SELECT id FROM judgements WHERE state = 'queued' AND not_before IS NULL AND priority = @class AND person = @person
		ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
	RETURNING id, attempt, version_id, submission_id, inspection`

// Take gives a worker the next judgement, if there is one. The worker must have
// been seen lately (judge.ErrStale) and be active (judge.ErrCordoned).
func (s *Store) Take(ctx context.Context, worker string) (task judge.Task, ok bool, err error) {
	err = s.Tx(ctx, func(tx *Tx) error {
		task, err = tx.take(ctx, worker)
		return err
	})
	if errors.Is(err, errNone) {
		return judge.Task{}, false, nil
	}
	return task, err == nil, err
}

func (tx *Tx) take(ctx context.Context, worker string) (judge.Task, error) {
	if err := tx.mayTake(ctx, worker); err != nil {
		return judge.Task{}, err
	}
	if err := tx.planByIndex(ctx); err != nil {
		return judge.Task{}, err
	}
	if err := tx.ripen(ctx); err != nil {
		return judge.Task{}, err
	}
	for class := judge.PriorityContest; class <= judge.PriorityRejudge; class++ {
		people, err := tx.people(ctx, class)
		if err != nil {
			return judge.Task{}, err
		}
		for _, p := range people {
			task, err := tx.lock(ctx, worker, class, p)
			if !errors.Is(err, errNone) {
				return task, err
			}
		}
	}
	return judge.Task{}, errNone
}

// planByIndex has the queries of this transaction go by their indexes. Their plans
// are kept as long as the connection, and one that was made for an almost empty
// table reads all of it: with thousands waiting, once for each of crowd people.
func (tx *Tx) planByIndex(ctx context.Context) error {
	err := tx.in(ctx).Exec("SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)").Error
	return wrap(err, "take judgement")
}

// ripen makes those ready whose time has come.
func (tx *Tx) ripen(ctx context.Context) error {
	err := tx.in(ctx).Exec(`UPDATE judgements SET not_before = NULL WHERE id IN (SELECT id FROM judgements
		WHERE state = 'queued' AND not_before <= now() ORDER BY not_before LIMIT 100 FOR UPDATE SKIP LOCKED)`).Error
	return wrap(err, "take judgement")
}

// people lists who waits in a class, who goes first first.
func (tx *Tx) people(ctx context.Context, class judge.Priority) ([]string, error) {
	list := func(from uuid.UUID) (out []string, err error) {
		err = tx.in(ctx).Raw(waiting, map[string]any{"class": class, "from": from.String(), "crowd": crowd}).Scan(&out).Error
		return out, wrap(err, "take judgement")
	}
	all, err := list(uuid.Nil)
	if err != nil || len(all) < crowd {
		return all, err
	}
	some, err := list(randomPoint())
	return append(some, all...), err
}

func randomPoint() uuid.UUID {
	var id uuid.UUID
	id[0], id[1] = byte(rand.Uint32()), byte(rand.Uint32()) //nolint:gosec // fairness, not secrecy
	return id
}

func (tx *Tx) lock(ctx context.Context, worker string, class judge.Priority, who string) (judge.Task, error) {
	var rows []struct {
		ID, VersionID, SubmissionID string
		Attempt                     int
		Inspection                  bool
	}
	err := tx.in(ctx).Raw(lockNext, map[string]any{"worker": worker, "class": class, "person": who}).Scan(&rows).Error
	if err != nil {
		return judge.Task{}, wrap(err, "take judgement")
	}
	if len(rows) == 0 {
		return judge.Task{}, errNone
	}
	r := rows[0]
	task := judge.Task{Lease: judge.Lease{JudgementID: r.ID, Attempt: r.Attempt, Worker: worker}, VersionID: r.VersionID}
	if r.Attempt > 1 {
		if err := tx.dropRuns(ctx, r.ID, nil); err != nil {
			return task, err
		}
	}
	if r.Inspection {
		if err := tx.in(ctx).Raw(`SELECT "case" FROM inspections WHERE id = ?`, r.ID).Take(&task.Inspect).Error; err != nil {
			return task, wrap(err, "take inspection")
		}
	} else if err := tx.emit(ctx, judge.JudgementStarted, r.ID); err != nil {
		return task, err
	}
	if task.Submission, err = tx.Submission(ctx, r.SubmissionID); err != nil {
		return task, fmt.Errorf("take judgement: %w", err)
	}
	return task, nil
}
