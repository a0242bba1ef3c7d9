package store

import (
	"context"
	"fmt"
	"time"

	"judge/judge"
)

// DeadAfter is the time without a heartbeat after which a worker is taken for
// dead. It is less than the 15 s within which a killed worker's judgements run
// elsewhere.
const DeadAfter = 10 * time.Second

// silent is how long a worker has not been heard of. While the database was down
// nobody could be, so its start counts as a sign of life of all.
const silent = "now() - greatest(heartbeat_at, pg_postmaster_start_time())"

type workerRow struct {
	ID          string
	Name        string
	Slots       int
	Build       string
	State       judge.WorkerState
	StartedAt   time.Time
	HeartbeatAt time.Time
}

func (workerRow) TableName() string { return "workers" }

// Register announces a worker, active, whatever it was before. What an earlier
// process of the same id had under way is queued again; how much is returned.
func (tx *Tx) Register(ctx context.Context, w judge.Worker) (requeued int, err error) {
	err = tx.in(ctx).Exec(`INSERT INTO workers (id, name, slots, build, state) VALUES (?, ?, ?, ?, 'active')
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, slots = excluded.slots, build = excluded.build,
		state = 'active', started_at = now(), heartbeat_at = now()`, w.ID, w.Name, w.Slots, w.Build).Error
	if err != nil {
		return 0, wrap(err, "register worker "+w.ID)
	}
	return tx.requeue(ctx, "worker = ?", w.ID)
}

// Heartbeat says that a worker lives, and returns what it is meant to do.
// judge.ErrNotFound: it must register again.
func (q queries) Heartbeat(ctx context.Context, id string) (judge.WorkerState, error) {
	var state []judge.WorkerState
	err := q.in(ctx).Raw("UPDATE workers SET heartbeat_at = now() WHERE id = ? AND state <> 'gone' RETURNING state", id).Scan(&state).Error
	if err != nil || len(state) == 0 {
		return "", changed(err, int64(len(state)), "heartbeat of worker "+id)
	}
	return state[0], nil
}

// SetWorkerState cordons, drains or activates a worker, or says that it is gone,
// after which it must register anew.
func (q queries) SetWorkerState(ctx context.Context, id string, state judge.WorkerState) error {
	if err := checkID("worker", id); err != nil {
		return err
	}
	res := q.in(ctx).Table("workers").Where("id = ? AND state <> 'gone'", id).Update("state", state)
	return changed(res.Error, res.RowsAffected, "change worker "+id)
}

// Workers lists the workers that are not gone, oldest first.
func (q queries) Workers(ctx context.Context) ([]judge.Worker, error) {
	var rows []workerRow
	if err := q.in(ctx).Where("state <> 'gone'").Order("started_at, id").Find(&rows).Error; err != nil {
		return nil, wrap(err, "list workers")
	}
	out := make([]judge.Worker, 0, len(rows))
	for _, r := range rows {
		r.StartedAt, r.HeartbeatAt = r.StartedAt.UTC(), r.HeartbeatAt.UTC()
		out = append(out, judge.Worker(r))
	}
	return out, nil
}

// mayTake refuses a worker whose judgements would be given away at once.
func (tx *Tx) mayTake(ctx context.Context, id string) error {
	if err := checkID("worker", id); err != nil {
		return err
	}
	var row struct {
		State judge.WorkerState
		Fresh bool
	}
	err := tx.in(ctx).Raw("SELECT state, "+silent+" < make_interval(secs => ?) AS fresh FROM workers WHERE id = ?",
		DeadAfter.Seconds(), id).Take(&row).Error
	switch {
	case err != nil:
		return wrap(err, "take judgement for worker "+id)
	case row.State == judge.WorkerGone || !row.Fresh:
		return fmt.Errorf("take judgement: worker %s has no heartbeat: %w", id, judge.ErrStale)
	case row.State != judge.WorkerActive:
		return fmt.Errorf("take judgement: worker %s is %s: %w", id, row.State, judge.ErrCordoned)
	}
	return nil
}

// RequeueDead queues the judgements of dead workers again, says of those workers
// that they are gone, and returns how many judgements there were: as many jobs
// are the caller's to insert. A judgement that maxDeaths workers died of is
// judged JE.
func (tx *Tx) RequeueDead(ctx context.Context, maxDeaths int) (requeued int, err error) {
	err = tx.in(ctx).Exec("UPDATE workers SET state = 'gone' WHERE state <> 'gone' AND "+silent+" >= make_interval(secs => ?)",
		DeadAfter.Seconds()).Error
	if err != nil {
		return 0, wrap(err, "find dead workers")
	}
	const ofDead = "worker NOT IN (SELECT id FROM workers WHERE state <> 'gone')"
	if err := tx.giveUp(ctx, ofDead, maxDeaths); err != nil {
		return 0, err
	}
	return tx.requeue(ctx, ofDead)
}

func (tx *Tx) requeue(ctx context.Context, which string, args ...any) (int, error) {
	res := tx.in(ctx).Exec(`UPDATE judgements SET state = 'queued', worker = NULL, not_before = NULL, compilation = NULL, deaths = deaths + 1
		WHERE state IN ('compiling', 'running') AND `+which, args...)
	return int(res.RowsAffected), wrap(res.Error, "queue judgements of dead workers again")
}

// giveUp ends what would be the end of every worker, one after the other.
func (tx *Tx) giveUp(ctx context.Context, which string, maxDeaths int) error {
	var ids []string
	err := tx.in(ctx).Raw(`UPDATE judgements SET state = 'judged', verdict = 'JE', judged_at = now(), deaths = deaths + 1,
		message = 'workers died while they judged this, ' || (deaths + 1) || ' in all'
		WHERE state IN ('compiling', 'running') AND deaths + 1 >= ? AND `+which+" RETURNING id", maxDeaths).Scan(&ids).Error
	if err != nil {
		return wrap(err, "end judgements of dead workers")
	}
	for _, id := range ids {
		if err := tx.dropRuns(ctx, id, nil); err != nil {
			return err
		}
		if err := tx.emit(ctx, judge.JudgementJudged, id); err != nil {
			return err
		}
	}
	return tx.conclude(ctx, ids...)
}
