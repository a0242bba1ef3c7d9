package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

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

const insertEvent = `INSERT INTO events (type, ordinal, submission_id, judgement_id, attempt, problem, token_id, submitter_id, contest)
	SELECT ?, %s, s.id, j.id, j.attempt, s.problem, s.token_id, s.submitter_id, coalesce(s.contest, '')
	FROM judgements j JOIN submissions s ON s.id = j.submission_id AND NOT j.inspection AND NOT j.shadow `

// emit writes an event of a judgement as a whole. Of inspections and
// shadows there are none.
func (tx *Tx) emit(ctx context.Context, kind judge.EventType, judgement string) error {
	return tx.told(ctx, fmt.Sprintf(insertEvent, "0")+"WHERE j.id = ?", kind, judgement)
}

// emitRuns writes the events of runs, in their order.
func (tx *Tx) emitRuns(ctx context.Context, judgement string, ordinals []int) error {
	if len(ordinals) == 0 {
		return nil
	}
	return tx.told(ctx, fmt.Sprintf(insertEvent, "r.ordinal")+
		"JOIN runs r ON r.judgement_id = j.id WHERE j.id = ? AND r.ordinal IN ? ORDER BY r.ordinal", judge.RunJudged, judgement, ordinals)
}

type eventRow struct {
	Xid                  string
	ID                   int64
	Type                 judge.EventType
	SubmissionID         *string
	JudgementID          *string
	Attempt, Ordinal     int
	Problem              string
	TokenID              *string
	SubmitterID, Contest string
	At                   time.Time
}

// ofFilter leaves the events that a filter chooses.
func ofFilter(look *gorm.DB, f judge.EventFilter) *gorm.DB {
	if f.SubmissionID != "" {
		look = look.Where("submission_id = ?", f.SubmissionID)
	}
	if f.TokenID != "" {
		look = look.Where("(token_id = ? OR (token_id IS NULL AND contest = ? AND contest <> ''))", f.TokenID, f.Contest)
	}
	if f.SubmitterID != "" {
		look = look.Where("submitter_id = ?", f.SubmitterID)
	}
	if len(f.Problems) > 0 {
		look = look.Where("problem IN ?", f.Problems)
	}
	if f.Contest != "" {
		look = look.Where("contest = ?", f.Contest)
	}
	if scope := scopeOf(f.Scope); len(scope.text) > 0 {
		look = look.Where(scope.and(), scope.args...)
	}
	return look
}

// Events lists at most limit events after a position, which is one of an event,
// of an earlier Events, or of Now. It wraps judge.ErrGone where the position is
// of a database that was replaced or before events that were forgotten, and
// judge.ErrInvalid where it is none.
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
	if from.epoch != h.epoch || (from.xid > 0 && h.pruned.after(from)) {
		return judge.Events{}, fmt.Errorf("%s: %w", doing, judge.ErrGone)
	}
	look := q.in(ctx).Table("events").Select("xid::text AS xid, id, type, submission_id, judgement_id, attempt, ordinal, problem, token_id, submitter_id, contest, at").
		Where("(xid, id) > (?::text::xid8, ?) AND xid < ?::text::xid8", strconv.FormatUint(from.xid, 10), from.id, strconv.FormatUint(h.xid, 10)).
		Order("events.xid, id").Limit(limit)
	look = ofFilter(look, f)
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
			Position: out.Next, Type: r.Type, SubmissionID: value(r.SubmissionID), JudgementID: value(r.JudgementID), Contest: r.Contest,
			Attempt: r.Attempt, Ordinal: r.Ordinal, Problem: r.Problem, TokenID: value(r.TokenID), SubmitterID: r.SubmitterID, At: r.At.UTC(),
		})
	}
	whole := f.SubmissionID == "" && f.TokenID == "" && f.SubmitterID == "" && f.Contest == "" && len(f.Problems)+len(f.Scope.Problems)+len(f.Scope.Contests) == 0
	if whole || len(rows) == limit {
		return out, nil
	}
	end, err := q.last(ctx, h)
	if err != nil {
		return judge.Events{}, err
	}
	if end.after(from) {
		out.Next = end.String()
	}
	return out, nil
}

// last is the position of the last event that can be given out. It is never
// the horizon itself: a server that was killed gives the numbers of transactions
// that left nothing on disk out again, and what those then write must not lie
// before any position. What is committed is on disk.
func (q queries) last(ctx context.Context, h horizon) (position, error) {
	const doing = "read events"
	var row struct {
		Xid string
		ID  int64
	}
	err := q.in(ctx).Raw(`SELECT xid::text AS xid, id FROM events WHERE xid < ?::text::xid8 ORDER BY events.xid DESC, id DESC LIMIT 1`,
		strconv.FormatUint(h.xid, 10)).Scan(&row).Error
	if err != nil || row.Xid == "" {
		return h.pruned, wrap(err, doing)
	}
	xid, err := strconv.ParseUint(row.Xid, 10, 64)
	if err != nil {
		return position{}, fmt.Errorf("%s: %w", doing, err)
	}
	return position{h.epoch, xid, row.ID}, nil
}

// Now is the position before all that is to come: who looks at the state after
// that, and at events from there on, misses nothing.
func (q queries) Now(ctx context.Context) (string, error) {
	h, err := q.horizon(ctx)
	if err != nil {
		return "", err
	}
	at, err := q.last(ctx, h)
	if err != nil {
		return "", err
	}
	return at.String(), nil
}

type horizon struct {
	epoch   string
	xid     uint64 // of the oldest transaction under way
	pending bool
	pruned  position // of the last event that was forgotten
}

func (q queries) horizon(ctx context.Context) (horizon, error) {
	var row struct {
		Epoch, Oldest, PrunedXid string
		PrunedID                 int64
		Pending                  bool
	}
	err := q.in(ctx).Raw(`SELECT epoch::text, pruned_xid::text, pruned_id, pg_snapshot_xmin(pg_current_snapshot())::text AS oldest,
		EXISTS (SELECT FROM events WHERE xid >= pg_snapshot_xmin(pg_current_snapshot())) AS pending FROM origin`).Scan(&row).Error
	if err != nil {
		return horizon{}, wrap(err, "read events")
	}
	xid, err := strconv.ParseUint(row.Oldest, 10, 64)
	if err != nil || len(row.Epoch) < epochLength {
		return horizon{}, fmt.Errorf("read events: oldest transaction %q, epoch %q: was the database migrated?", row.Oldest, row.Epoch)
	}
	h := horizon{epoch: row.Epoch[:epochLength], xid: xid, pending: row.Pending}
	h.pruned = position{epoch: h.epoch, id: row.PrunedID}
	if h.pruned.xid, err = strconv.ParseUint(row.PrunedXid, 10, 64); err != nil {
		return horizon{}, fmt.Errorf("read events: %w", err)
	}
	return h, nil
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
// how many. Positions before them are gone.
func (q queries) PruneEvents(ctx context.Context, olderThan time.Duration, limit int) (int, error) {
	var pruned int
	err := q.in(ctx).Raw(`WITH gone AS (
			DELETE FROM events WHERE (xid, id) IN (SELECT xid, id FROM events WHERE at < now() - make_interval(secs => ?) ORDER BY at LIMIT ?)
			RETURNING xid, id
		), last AS (
			SELECT xid, id FROM gone ORDER BY xid DESC, id DESC LIMIT 1
		), noted AS (
			UPDATE origin SET pruned_xid = last.xid, pruned_id = last.id FROM last WHERE (last.xid, last.id) > (pruned_xid, pruned_id)
		)
		SELECT count(*) FROM gone`, olderThan.Seconds(), limit).Scan(&pruned).Error
	return pruned, wrap(err, "prune events")
}

// settle begins a new epoch when the database is not in the cluster where it was
// last.
func (tx *Tx) settle(ctx context.Context) error {
	const doing = "settle database in its cluster"
	res := tx.in(ctx).Exec(`INSERT INTO origin AS o (epoch, cluster) SELECT ?, system_identifier FROM pg_control_system()
		ON CONFLICT (one) DO UPDATE SET epoch = excluded.epoch, cluster = excluded.cluster, pruned_xid = '0', pruned_id = 0 WHERE o.cluster <> excluded.cluster`, uuid.NewString())
	if res.Error != nil || res.RowsAffected == 0 {
		return wrap(res.Error, doing)
	}
	return wrap(tx.in(ctx).Exec("TRUNCATE events").Error, doing)
}
