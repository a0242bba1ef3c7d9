package store

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"judge/judge"
)

// The order of events. Numbers from a sequence are given out before their
// transactions end, so a reader that goes by them alone misses the lower number
// that commits later. Here an event bears its transaction's number, the order is
// by that, and only those below the oldest transaction that is under way are
// given out: whatever commits later has a higher one. What is held back so is
// pending, and comes a moment later.
//
// Transaction numbers are a cluster's own. A database that was restored into
// another one begins a new epoch, and positions of the old one are judge.ErrGone.

// channel is where readers are told that there are new events. It is told after
// the commit, not in it: sessions that notify commit one after the other.
const (
	channel = "judge_events"
	wake    = "SELECT pg_notify('" + channel + "', '')"
)

const insertEvent = `INSERT INTO events (type, ordinal, submission_id, judgement_id, attempt, problem, token_id, submitter_id)
	SELECT ?, %s, s.id, j.id, j.attempt, s.problem, s.token_id, s.submitter_id
	FROM judgements j JOIN submissions s ON s.id = j.submission_id AND NOT j.inspection `

// emit writes an event of a judgement as a whole. Of inspections there are none.
func (tx *Tx) emit(ctx context.Context, kind judge.EventType, judgement string) error {
	tx.changed = true
	err := tx.in(ctx).Exec(fmt.Sprintf(insertEvent, "0")+"WHERE j.id = ?", kind, judgement).Error
	return wrap(err, "write event")
}

// emitRuns writes the events of runs, in their order.
func (tx *Tx) emitRuns(ctx context.Context, judgement string, ordinals []int) error {
	if len(ordinals) == 0 {
		return nil
	}
	tx.changed = true
	err := tx.in(ctx).Exec(fmt.Sprintf(insertEvent, "r.ordinal")+
		"JOIN runs r ON r.judgement_id = j.id WHERE j.id = ? AND r.ordinal IN ? ORDER BY r.ordinal", judge.RunJudged, judgement, ordinals).Error
	return wrap(err, "write events")
}

type eventRow struct {
	Xid                  string
	ID                   int64
	Type                 judge.EventType
	SubmissionID         string
	JudgementID          string
	Attempt, Ordinal     int
	Problem              string
	TokenID, SubmitterID string
	At                   time.Time
}

// Events lists at most limit events after a position, which is one of an event,
// of an earlier Events, or of Now. It wraps judge.ErrGone where the position is
// of a database that was replaced, and judge.ErrInvalid where it is none.
func (q queries) Events(ctx context.Context, after string, f judge.EventFilter, limit int) (judge.Events, error) {
	const doing = "read events"
	h, err := q.horizon(ctx)
	if err != nil {
		return judge.Events{}, err
	}
	from, err := parsePosition(after)
	if err != nil {
		return judge.Events{}, err
	}
	if from.epoch != h.epoch {
		return judge.Events{}, fmt.Errorf("%s: %w", doing, judge.ErrGone)
	}
	look := q.in(ctx).Table("events").Select("xid::text AS xid, id, type, submission_id, judgement_id, attempt, ordinal, problem, token_id, submitter_id, at").
		Where("(xid, id) > (?::text::xid8, ?) AND xid < ?::text::xid8", strconv.FormatUint(from.xid, 10), from.id, strconv.FormatUint(h.xid, 10)).
		Order("events.xid, id").Limit(limit)
	if f.SubmissionID != "" {
		look = look.Where("submission_id = ?", f.SubmissionID)
	}
	if f.TokenID != "" {
		look = look.Where("token_id = ?", f.TokenID)
	}
	if f.SubmitterID != "" {
		look = look.Where("submitter_id = ?", f.SubmitterID)
	}
	if len(f.Problems) > 0 {
		look = look.Where("problem IN ?", f.Problems)
	}
	var rows []eventRow
	if err := look.Scan(&rows).Error; err != nil {
		return judge.Events{}, wrap(err, doing)
	}
	out := judge.Events{Pending: h.pending, Next: after}
	for _, r := range rows {
		xid, err := strconv.ParseUint(r.Xid, 10, 64)
		if err != nil {
			return judge.Events{}, fmt.Errorf("%s: %w", doing, err)
		}
		out.Next = position{h.epoch, xid, r.ID}.String()
		out.Items = append(out.Items, judge.Event{
			Position: out.Next, Type: r.Type, SubmissionID: r.SubmissionID, JudgementID: r.JudgementID,
			Attempt: r.Attempt, Ordinal: r.Ordinal, Problem: r.Problem, TokenID: r.TokenID, SubmitterID: r.SubmitterID, At: r.At.UTC(),
		})
	}
	if end := (position{h.epoch, h.xid - 1, math.MaxInt64}); len(rows) < limit && end.after(from) {
		out.Next = end.String()
	}
	return out, nil
}

// Now is the position before all that is to come: who looks at the state after
// that, and at events from there on, misses nothing.
func (q queries) Now(ctx context.Context) (string, error) {
	h, err := q.horizon(ctx)
	if err != nil {
		return "", err
	}
	// That of the last event which is known to be on disk, not the horizon itself:
	// a server that was killed gives the numbers of unwritten transactions out
	// again, and what they then write must not lie before the position.
	var row struct {
		Xid string
		ID  int64
	}
	err = q.in(ctx).Raw(`SELECT xid::text AS xid, id FROM events WHERE xid < ?::text::xid8 ORDER BY xid DESC, id DESC LIMIT 1`,
		strconv.FormatUint(h.xid, 10)).Scan(&row).Error
	if err != nil {
		return "", wrap(err, "read events")
	}
	at := position{epoch: h.epoch, id: row.ID}
	if row.Xid != "" {
		if at.xid, err = strconv.ParseUint(row.Xid, 10, 64); err != nil {
			return "", fmt.Errorf("read events: %w", err)
		}
	}
	return at.String(), nil
}

type horizon struct {
	epoch   string
	xid     uint64 // of the oldest transaction under way
	pending bool
}

func (q queries) horizon(ctx context.Context) (horizon, error) {
	var row struct {
		Epoch, Oldest string
		Pending       bool
	}
	err := q.in(ctx).Raw(`SELECT (SELECT epoch::text FROM origin) AS epoch, pg_snapshot_xmin(pg_current_snapshot())::text AS oldest,
		EXISTS (SELECT FROM events WHERE xid >= pg_snapshot_xmin(pg_current_snapshot())) AS pending`).Scan(&row).Error
	if err != nil {
		return horizon{}, wrap(err, "read events")
	}
	xid, err := strconv.ParseUint(row.Oldest, 10, 64)
	if err != nil || len(row.Epoch) < epochLength {
		return horizon{}, fmt.Errorf("read events: oldest transaction %q, epoch %q: was the database migrated?", row.Oldest, row.Epoch)
	}
	return horizon{row.Epoch[:epochLength], xid, row.Pending}, nil
}

// epochLength is how much of an epoch's UUID tells it from others.
const epochLength = 8

type position struct {
	epoch string
	xid   uint64
	id    int64
}

// String is such that positions of one epoch sort as text.
func (p position) String() string { return fmt.Sprintf("%s-%016x-%016x", p.epoch, p.xid, p.id) }

func (p position) after(o position) bool { return p.xid > o.xid || (p.xid == o.xid && p.id > o.id) }

func parsePosition(s string) (position, error) {
	var p position
	parts := strings.Split(s, "-")
	if len(parts) == 3 && len(parts[0]) == epochLength {
		xid, err1 := strconv.ParseUint(parts[1], 16, 63)
		id, err2 := strconv.ParseInt(parts[2], 16, 64)
		if err1 == nil && err2 == nil {
			return position{parts[0], xid, id}, nil
		}
	}
	return p, fmt.Errorf("position of events %.40q: %w", s, judge.ErrInvalid)
}

// PruneEvents forgets events that are older, at most limit at once, and returns
// how many.
func (q queries) PruneEvents(ctx context.Context, olderThan time.Duration, limit int) (int, error) {
	res := q.in(ctx).Exec("DELETE FROM events WHERE (xid, id) IN (SELECT xid, id FROM events WHERE at < now() - make_interval(secs => ?) LIMIT ?)",
		olderThan.Seconds(), limit)
	return int(res.RowsAffected), wrap(res.Error, "prune events")
}

// settle begins a new epoch when the database is not in the cluster where it was
// last.
func (tx *Tx) settle(ctx context.Context) error {
	const doing = "settle database in its cluster"
	res := tx.in(ctx).Exec(`INSERT INTO origin AS o (epoch, cluster) SELECT ?, system_identifier FROM pg_control_system()
		ON CONFLICT (one) DO UPDATE SET epoch = excluded.epoch, cluster = excluded.cluster WHERE o.cluster <> excluded.cluster`, uuid.NewString())
	if res.Error != nil || res.RowsAffected == 0 {
		return wrap(res.Error, doing)
	}
	return wrap(tx.in(ctx).Exec("TRUNCATE events").Error, doing)
}
