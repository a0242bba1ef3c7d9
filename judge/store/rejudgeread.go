package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"judge/judge"
)

type rejudgingRow struct {
	ID, TokenID, ByName, Reason string
	Chosen, Concerns            []byte
	Same, Auto                  bool
	State                       judge.RejudgingState
	Skipped                     int
	Counts                      []byte
	Trouble                     string
	CreatedAt, ExpiresAt        time.Time
	EndedAt                     *time.Time
	EndedBy                     *string
	EndReason                   string
}

const selectRejudging = "SELECT r.*, t.name AS by_name FROM rejudgings r JOIN tokens t ON t.id = r.token_id WHERE "

// What counts of judgement %[1]s, as reviewed.
const (
	countsVerdict = "coalesce(nullif(%[1]s.review->>'Verdict', ''), %[1]s.verdict)"
	countsOf      = "(" + countsVerdict + ", coalesce((%[1]s.review->>'Score')::float8, %[1]s.score), coalesce((%[1]s.review->>'Ignored')::boolean, false))"
)

// Of an item i: its old judgement is o, its new one n, its submission s. Groups
// are compared where there are points, of which those of a subtask may be another
// though their sum is not.
var (
	itemDiffers  = "(n.state = 'judged' AND (" + fmt.Sprintf(countsOf, "o") + " IS DISTINCT FROM " + fmt.Sprintf(countsOf, "n") + " OR (n.score IS NOT NULL AND o.groups IS DISTINCT FROM n.groups)))"
	itemConflict = "(s.newest <> i.old_id AND NOT i.applied)"
)

const ofItems = ` FROM rejudging_items i JOIN judgements o ON o.id = i.old_id JOIN judgements n ON n.id = i.new_id
	JOIN submissions s ON s.id = i.submission_id WHERE i.rejudging_id = ? `

var countItems = `SELECT count(*) AS total, count(*) FILTER (WHERE n.state = 'queued') AS queued,
	count(*) FILTER (WHERE n.state IN ('compiling', 'running')) AS running, count(*) FILTER (WHERE n.state = 'judged') AS judged,
	count(*) FILTER (WHERE n.verdict = 'JE') AS failed, count(*) FILTER (WHERE n.state = 'cancelled') AS cancelled,
	count(*) FILTER (WHERE ` + itemDiffers + `) AS changed, count(*) FILTER (WHERE o.review IS NOT NULL) AS reviewed,
	count(*) FILTER (WHERE ` + itemConflict + `) AS conflicts, count(*) FILTER (WHERE i.applied) AS applied` + ofItems

// Rejudging finds a rejudging, with its counts.
func (q queries) Rejudging(ctx context.Context, id string) (judge.Rejudging, error) {
	if err := checkID("rejudging", id); err != nil {
		return judge.Rejudging{}, err
	}
	list, err := q.rejudgings(ctx, "r.id = ?", id)
	if err != nil || len(list) == 0 {
		return judge.Rejudging{}, changed(err, int64(len(list)), "read rejudging "+id)
	}
	return list[0], nil
}

// Rejudgings lists rejudgings, newest first, after a cursor, at most limit of them.
// Within a scope are those of which it holds the problem or the contest of every
// submission.
func (q queries) Rejudgings(ctx context.Context, within judge.Scope, cursor string, limit int) (list []judge.Rejudging, next string, err error) {
	const doing = "list rejudgings"
	from, err := parseCursor(cursor)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", doing, err)
	}
	c := conditions{text: []string{"r.id < ?"}, args: []any{from}}
	if len(within.Problems)+len(within.Contests) > 0 {
		none := []string{""} // an empty list would be null, which nothing is in
		c.add("NOT EXISTS (SELECT FROM jsonb_array_elements(r.concerns) c WHERE c->>'Problem' NOT IN ? AND (c->>'Contest' = '' OR c->>'Contest' NOT IN ?))",
			append(none, within.Problems...), append(none, within.Contests...))
	}
	list, err = q.rejudgings(ctx, c.and()+" ORDER BY r.id DESC LIMIT ?", append(c.args, limit+1)...)
	if err != nil {
		return nil, "", err
	}
	if len(list) > limit {
		list = list[:limit]
		next = newCursor(list[limit-1].ID)
	}
	return list, next, nil
}

func (q queries) rejudgings(ctx context.Context, rest string, args ...any) ([]judge.Rejudging, error) {
	const doing = "read rejudgings"
	var rows []rejudgingRow
	if err := q.in(ctx).Raw(selectRejudging+rest, args...).Scan(&rows).Error; err != nil {
		return nil, wrap(err, doing)
	}
	out := make([]judge.Rejudging, 0, len(rows))
	for i := range rows {
		r, err := rows[i].rejudging()
		if err == nil && !r.State.Ended() {
			r.Counts, err = q.countItems(ctx, r.ID)
			r.Counts.Skipped = rows[i].Skipped
			if r.Counts.Left() == 0 {
				r.State = judge.RejudgeReady
			}
		}
		if err != nil {
			return nil, wrap(err, doing)
		}
		out = append(out, r)
	}
	return out, nil
}

func (q queries) countItems(ctx context.Context, id string) (c judge.RejudgingCounts, err error) {
	err = q.in(ctx).Raw(countItems, id).Scan(&c).Error
	return c, err
}

func (r *rejudgingRow) rejudging() (judge.Rejudging, error) {
	out := judge.Rejudging{
		ID: r.ID, By: r.TokenID, ByName: r.ByName, Reason: r.Reason, Same: r.Same, Auto: r.Auto, State: r.State, Trouble: r.Trouble,
		CreatedAt: r.CreatedAt.UTC(), ExpiresAt: r.ExpiresAt.UTC(), EndedAt: moment(r.EndedAt), EndedBy: value(r.EndedBy), EndReason: r.EndReason,
	}
	for _, column := range []struct {
		text []byte
		into any
	}{{r.Chosen, &out.Query}, {r.Concerns, &out.Concerns}, {r.Counts, &out.Counts}} {
		if column.text == nil {
			continue
		}
		if err := json.Unmarshal(column.text, column.into); err != nil {
			return out, fmt.Errorf("read rejudging %s: %w", r.ID, err)
		}
	}
	return out, nil
}

// RejudgingPairs counts the judged submissions of a rejudging by their old and new
// verdicts, the most frequent first.
func (q queries) RejudgingPairs(ctx context.Context, id string) ([]judge.VerdictPair, error) {
	var out []judge.VerdictPair
	err := q.in(ctx).Raw("SELECT "+fmt.Sprintf(countsVerdict, "o")+" AS old, "+fmt.Sprintf(countsVerdict, "n")+" AS new, count(*)"+
		ofItems+"AND n.state = 'judged' GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2", id).Scan(&out).Error
	return out, wrap(err, "count verdicts of rejudging "+id)
}

// RejudgingChanges lists what a rejudging does to its submissions, newest first,
// after a cursor, at most limit of them: those that differ, or all.
func (q queries) RejudgingChanges(ctx context.Context, id string, all bool, cursor string, limit int) (list []judge.RejudgingChange, next string, err error) {
	doing := "list changes of rejudging " + id
	from, err := parseCursor(cursor)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", doing, err)
	}
	var rows []struct {
		SubmissionID, OldID, NewID string
		Differs, Conflict, Applied bool
	}
	which := "AND s.id < ? "
	if !all {
		which += "AND " + itemDiffers
	}
	err = q.in(ctx).Raw("SELECT i.submission_id, i.old_id, i.new_id, i.applied, "+itemDiffers+" AS differs, "+itemConflict+" AS conflict"+
		ofItems+which+" ORDER BY s.id DESC LIMIT ?", id, from, limit+1).Scan(&rows).Error
	if err != nil {
		return nil, "", wrap(err, doing)
	}
	if len(rows) > limit {
		rows = rows[:limit]
		next = newCursor(rows[limit-1].SubmissionID)
	}
	var subs, made []string
	for _, r := range rows {
		subs, made = append(subs, r.SubmissionID), append(made, r.OldID, r.NewID)
	}
	if len(rows) == 0 {
		return nil, "", nil
	}
	var found []submissionRow
	if err := q.in(ctx).Where("id IN ?", subs).Find(&found).Error; err != nil {
		return nil, "", wrap(err, doing)
	}
	judgements, err := q.judgements(ctx, "j.id IN ?", made)
	if err != nil {
		return nil, "", err
	}
	submissions, byID := map[string]judge.Submission{}, map[string]judge.Judgement{}
	for i := range found {
		submissions[found[i].ID] = found[i].submission()
	}
	for _, j := range judgements {
		byID[j.ID] = j
	}
	for _, r := range rows {
		list = append(list, judge.RejudgingChange{
			Submission: submissions[r.SubmissionID], Old: byID[r.OldID], New: byID[r.NewID], Differs: r.Differs, Conflict: r.Conflict, Applied: r.Applied,
		})
	}
	return list, next, nil
}

// RejudgingAttempts lists the submissions of a contest that a rejudging has judged,
// as boards would see them if it were applied: those that it would not change, as
// it failed or conflicts, are left out.
func (q queries) RejudgingAttempts(ctx context.Context, id, contest string) ([]judge.Attempt, error) {
	return q.attempts(ctx, "read attempts of rejudging "+id, attempt+`j.state = 'judged' AND j.verdict <> 'JE'
		JOIN rejudging_items i ON i.submission_id = s.id AND i.new_id = j.id AND i.old_id = s.newest WHERE i.rejudging_id = ? AND s.contest = ?`, []any{id, contest})
}
