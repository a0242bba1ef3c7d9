package store

import (
	"context"
	"fmt"
	"time"

	"judge/judge"
)

// counted is how many of the newest submissions, and of the newest judgements,
// statistics look at: a range of a primary key, whose rows lie side by side, so
// that the cost has a bound however much is kept.
const counted = 50_000

// beyond finds from when on a table has no more than counted.
const beyond = "SELECT created_at FROM %s WHERE id >= ? ORDER BY id DESC OFFSET ? LIMIT 1"

// A submission's outcome says of which state and verdict its newest judgement is,
// but for those under way, which are looked at.
const tallySubmissions = `SELECT problem, language, state, verdict, count(*) AS n FROM (
	SELECT problem, contest, language,
		CASE outcome WHEN '' THEN (SELECT state FROM judgements j WHERE j.id = s.newest) WHEN 'cancelled' THEN 'cancelled' ELSE 'judged' END AS state,
		CASE outcome WHEN 'cancelled' THEN '' ELSE outcome END AS verdict
	FROM submissions s WHERE id >= ? AND created_at >= ?
) t`

// Languages and contests are looked up one by one: a join would read all
// submissions. What is not asked for is not looked up.
const tallyJudgements = `SELECT problem, language, state, verdict, count(*) AS n FROM (
	SELECT v.problem, (SELECT language FROM submissions s WHERE s.id = j.submission_id) AS language,
		(SELECT contest FROM submissions s WHERE s.id = j.submission_id) AS contest,
		j.state, CASE j.state WHEN 'judged' THEN ` + outcome + ` ELSE '' END AS verdict
	FROM judgements j JOIN problem_versions v ON v.id = j.version_id WHERE j.id >= ? AND j.created_at >= ? AND NOT j.inspection AND NOT j.shadow
) t`

// Statistics counts what was handed in, and what was to be judged, since a time,
// of a scope; and what there is to do, of all. Where that is more than the newest
// fifty thousand it counts from a later time on, and says so. The cost is that of reading as many rows: not for every request.
func (q queries) Statistics(ctx context.Context, since time.Time, scope judge.Scope) (judge.Statistics, error) {
	out := judge.Statistics{Since: since}
	for _, table := range []string{"submissions", "judgements"} {
		var at []time.Time
		if err := q.in(ctx).Raw(fmt.Sprintf(beyond, table), idAt(since), counted).Scan(&at).Error; err != nil {
			return out, wrap(err, "count "+table)
		}
		if len(at) > 0 && at[0].After(out.Since) {
			out.Since = at[0].UTC()
		}
	}
	var err error
	if out.Submissions, err = q.tally(ctx, tallySubmissions, out.Since, scope); err != nil {
		return out, err
	}
	if out.Judgements, err = q.tally(ctx, tallyJudgements, out.Since, scope); err != nil {
		return out, err
	}
	out.Load, err = q.Load(ctx)
	return out, err
}

// tally adds up groups, of which there are few: problems × languages × verdicts.
func (q queries) tally(ctx context.Context, query string, since time.Time, scope judge.Scope) (judge.Tally, error) {
	t := judge.Tally{States: map[judge.State]int{}, Verdicts: map[judge.Verdict]int{}, Languages: map[string]int{}, Problems: map[string]int{}}
	args := []any{idAt(since), since}
	switch {
	case len(scope.Contests) > 0:
		query += " WHERE problem IN ? OR contest IN ?"
		args = append(args, scope.Problems, scope.Contests)
	case len(scope.Problems) > 0:
		query += " WHERE problem IN ?"
		args = append(args, scope.Problems)
	}
	query += " GROUP BY 1, 2, 3, 4"
	var rows []struct {
		Problem, Language string
		State             judge.State
		Verdict           judge.Verdict
		N                 int
	}
	if err := q.in(ctx).Raw(query, args...).Scan(&rows).Error; err != nil {
		return t, wrap(err, "count what was judged")
	}
	for _, r := range rows {
		t.Total += r.N
		t.States[r.State] += r.N
		t.Languages[r.Language] += r.N
		t.Problems[r.Problem] += r.N
		if r.Verdict != "" {
			t.Verdicts[r.Verdict] += r.N
		}
	}
	return t, nil
}
