package store

import (
	"context"
	"fmt"
	"time"

	"judge/judge"
)

// ahead counts what is likely to go first: all of lower classes, a person's own
// that are older, and, as people take turns, of each other person who waits in
// the class as many as that, and one.
const ahead = `WITH me AS (
	SELECT j.id, j.priority, j.person, (SELECT count(*) FROM judgements o
		WHERE o.state = 'queued' AND o.not_before IS NULL AND o.priority = j.priority AND o.person = j.person AND o.id < j.id) AS own
	FROM judgements j WHERE j.id = @id AND j.state = 'queued'
), waiting AS (
	SELECT priority, person, count(*) AS n FROM judgements
	WHERE state = 'queued' AND not_before IS NULL AND priority <= (SELECT priority FROM me) GROUP BY priority, person
)
SELECT me.own + coalesce(sum(CASE WHEN w.priority < me.priority THEN w.n
	WHEN w.person <> me.person THEN least(w.n, me.own + 1) ELSE 0 END), 0)::bigint AS ahead
FROM me LEFT JOIN waiting w ON true GROUP BY me.own`

// pace is the mean time that the latest judgements took, in seconds, and how many
// slots there are.
const pace = `SELECT coalesce((SELECT avg(extract(epoch FROM judged_at - started_at)) FROM (
		SELECT judged_at, started_at FROM judgements WHERE state = 'judged' AND started_at IS NOT NULL AND NOT inspection ORDER BY judged_at DESC LIMIT 100) t), 0)::float8 AS mean,
	(SELECT coalesce(sum(slots), 0) FROM workers WHERE state = 'active')::bigint AS slots`

// Place estimates where a queued judgement stands; judge.ErrConflict where it is
// not queued. It counts the whole queue: not for every request of a flood.
func (q queries) Place(ctx context.Context, judgement string) (judge.Place, error) {
	if err := checkID("judgement", judgement); err != nil {
		return judge.Place{}, err
	}
	doing := "find place of judgement " + judgement
	var counts []int
	if err := q.in(ctx).Raw(ahead, map[string]any{"id": judgement}).Scan(&counts).Error; err != nil {
		return judge.Place{}, wrap(err, doing)
	}
	if len(counts) == 0 {
		j, err := q.Judgement(ctx, judgement)
		if err != nil {
			return judge.Place{}, err
		}
		return judge.Place{}, fmt.Errorf("%s: it is %s: %w", doing, j.State, judge.ErrConflict)
	}
	var p struct {
		Mean  float64
		Slots int
	}
	if err := q.in(ctx).Raw(pace).Scan(&p).Error; err != nil {
		return judge.Place{}, wrap(err, doing)
	}
	place := judge.Place{Ahead: counts[0]}
	if p.Slots > 0 {
		place.Wait = time.Duration(p.Mean * float64(place.Ahead) / float64(p.Slots) * float64(time.Second))
	}
	return place, nil
}

// Load counts what is queued and under way.
func (q queries) Load(ctx context.Context) (judge.Load, error) {
	var l judge.Load
	err := q.in(ctx).Raw(`SELECT
		(SELECT count(*) FROM judgements WHERE state = 'queued' AND not_before IS NULL) AS ready,
		(SELECT count(*) FROM judgements WHERE state = 'queued' AND not_before IS NOT NULL) AS delayed,
		(SELECT count(*) FROM judgements WHERE state IN ('compiling', 'running')) AS running`).Scan(&l).Error
	return l, wrap(err, "count judgements")
}
