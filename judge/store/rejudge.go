package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"judge/judge"
)

// A rejudging's judgements are rows of judgements that are marked as shadows: they
// are taken, fenced and queued again with no code of their own, in the class of
// rejudgings and as a person of their own, so that nobody's share pays for them.
// Applying one is to move submissions.newest, and the marks, in one transaction.
//
// A rejudging is made in one transaction too: half of one would be none. Its ids
// go to Postgres as JSON, since a statement has at most 65,535 parameters.
const rejudgeBatch = 5000 // judgements in one statement

// picked is a submission that a query chooses.
type picked struct {
	ID, Problem, Contest string
	Newest               string
	Made                 string // version that the newest judgement was made on
	Published            string // version; empty: none
	Under                bool   // way: its newest judgement has not ended
}

const selectPicked = `SELECT s.id, s.problem, coalesce(s.contest, '') AS contest, s.newest, j.version_id AS made, coalesce(p.id::text, '') AS published,
	s.outcome = '' AS under FROM submissions s JOIN judgements j ON j.id = s.newest
	LEFT JOIN problem_versions p ON p.problem = s.problem AND p.state = 'published' WHERE `

// choosing are the conditions of a query within a scope.
func choosing(r *judge.RejudgingRequest) (conditions, error) {
	var c conditions
	q := &r.Query
	if len(q.Submissions) > 0 {
		ids, err := idList("submission", q.Submissions)
		if err != nil {
			return c, err
		}
		c.add("s.id IN (SELECT value::uuid FROM json_array_elements_text(?))", ids)
	} else {
		// One by one, what was cancelled may be judged after all.
		c.add("s.outcome <> 'cancelled'")
	}
	for column, values := range map[string][]string{"s.problem": q.Problems, "s.contest": q.Contests, "s.language": q.Languages} {
		if len(values) > 0 {
			c.add(column+" IN ?", values)
		}
	}
	if len(q.Workers) > 0 {
		ids, err := idList("worker", q.Workers)
		if err != nil {
			return c, err
		}
		c.add("j.worker IN (SELECT value::uuid FROM json_array_elements_text(?))", ids)
	}
	if len(q.Verdicts) > 0 {
		c.add("s.outcome IN ?", q.Verdicts)
	}
	if q.Submitter != "" {
		c.add("s.submitter_id = ?", q.Submitter)
	}
	if !q.Since.IsZero() {
		c.add("s.created_at >= ?", q.Since)
	}
	if !q.Until.IsZero() {
		c.add("s.created_at < ?", q.Until)
	}
	within(&c, r.Within)
	return c, nil
}

// within adds that a submission is of a scope.
func within(c *conditions, scope judge.Scope) {
	if len(scope.Problems)+len(scope.Contests) == 0 {
		return
	}
	none := []string{""} // an empty list would be null, which nothing is in
	c.add("(s.problem IN ? OR s.contest IN ?)", append(none, scope.Problems...), append(none, scope.Contests...))
}

// idList is ids as a JSON list.
func idList(what string, ids []string) (string, error) {
	for _, id := range ids {
		if err := checkID(what, id); err != nil {
			return "", err
		}
	}
	b, err := json.Marshal(ids)
	return string(b), err
}

func (q queries) choose(ctx context.Context, r *judge.RejudgingRequest) ([]picked, error) {
	const doing = "choose submissions to rejudge"
	c, err := choosing(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	var rows []picked
	err = q.in(ctx).Raw(selectPicked+c.and()+" ORDER BY s.id LIMIT ?", append(c.args, 2*judge.MaxRejudging)...).Scan(&rows).Error
	return rows, wrap(err, doing)
}

// RejudgingChoice says what a query would choose; judge.ErrNotFound where it names
// a submission that is not there, or not within the request's scope.
func (q queries) RejudgingChoice(ctx context.Context, r judge.RejudgingRequest) (judge.RejudgingChoice, error) {
	rows, err := q.choose(ctx, &r)
	if err != nil {
		return judge.RejudgingChoice{}, err
	}
	if err := q.allThere(ctx, &r); err != nil {
		return judge.RejudgingChoice{}, err
	}
	return choiceOf(rows), nil
}

// allThere asks whether the submissions are there that a query names.
func (q queries) allThere(ctx context.Context, r *judge.RejudgingRequest) error {
	if len(r.Query.Submissions) == 0 {
		return nil
	}
	ids, err := idList("submission", r.Query.Submissions)
	if err != nil {
		return err
	}
	c := conditions{text: []string{"s.id = value::uuid"}}
	within(&c, r.Within)
	var missing []string
	err = q.in(ctx).Raw("SELECT value FROM json_array_elements_text(?) WHERE NOT EXISTS (SELECT FROM submissions s WHERE "+c.and()+") LIMIT 1",
		append([]any{ids}, c.args...)...).Scan(&missing).Error
	if err == nil && len(missing) > 0 {
		return fmt.Errorf("submission %s: %w", missing[0], judge.ErrNotFound)
	}
	return wrap(err, "find submissions to rejudge")
}

func choiceOf(rows []picked) judge.RejudgingChoice {
	var out judge.RejudgingChoice
	for _, r := range rows {
		if r.Under {
			out.Skipped++
			continue
		}
		out.Submissions++
		out.Concerns = append(out.Concerns, judge.RejudgingConcern{Problem: r.Problem, Contest: r.Contest})
		if r.Published == "" {
			out.Unpublished = append(out.Unpublished, r.Problem)
		}
	}
	slices.SortFunc(out.Concerns, func(a, b judge.RejudgingConcern) int {
		return cmp.Or(cmp.Compare(a.Contest, b.Contest), cmp.Compare(a.Problem, b.Problem))
	})
	out.Concerns = slices.Compact(out.Concerns)
	slices.Sort(out.Unpublished)
	out.Unpublished = slices.Compact(out.Unpublished)
	return out
}

// CreateRejudging queues a judgement of each submission that a query chooses. As
// many jobs are the caller's to insert: Counts.Total. judge.ErrInvalid: it chooses
// none, more than judge.MaxRejudging, or such whose problem has no published
// version; judge.ErrNotFound as for RejudgingChoice.
func (tx *Tx) CreateRejudging(ctx context.Context, r judge.RejudgingRequest) (judge.Rejudging, error) {
	const doing = "create rejudging"
	rows, err := tx.choose(ctx, &r)
	if err != nil {
		return judge.Rejudging{}, err
	}
	if err := tx.allThere(ctx, &r); err != nil {
		return judge.Rejudging{}, err
	}
	choice := choiceOf(rows)
	switch {
	case choice.Submissions == 0:
		err = errors.New("it chooses no submission")
	case choice.Submissions > judge.MaxRejudging:
		err = fmt.Errorf("it chooses more than %d submissions", judge.MaxRejudging)
	case !r.Same && len(choice.Unpublished) > 0:
		err = fmt.Errorf("problem %s has no published version", choice.Unpublished[0])
	}
	if err != nil {
		return judge.Rejudging{}, fmt.Errorf("%s: %w: %w", doing, err, judge.ErrInvalid)
	}
	id, err := newID()
	if err != nil {
		return judge.Rejudging{}, err
	}
	columns := map[string]any{
		"id": id, "token_id": r.By, "reason": r.Reason, "same": r.Same, "auto": r.Auto, "state": judge.RejudgeJudging,
		"skipped": choice.Skipped, "expires_at": time.Now().Add(judge.RejudgingTime),
	}
	for column, value := range map[string]any{"chosen": r.Query, "concerns": choice.Concerns} {
		if columns[column], err = json.Marshal(value); err != nil {
			return judge.Rejudging{}, fmt.Errorf("%s: %w", doing, err)
		}
	}
	if err := tx.in(ctx).Table("rejudgings").Create(columns).Error; err != nil {
		return judge.Rejudging{}, wrap(err, doing)
	}
	rows = slices.DeleteFunc(rows, func(c picked) bool { return c.Under })
	for part := range slices.Chunk(rows, rejudgeBatch) {
		if err := tx.rejudge(ctx, id, r.Same, part); err != nil {
			return judge.Rejudging{}, wrap(err, doing)
		}
	}
	return tx.Rejudging(ctx, id)
}

// shadow is a judgement to be made, as JSON.
type shadow struct {
	Submission string `json:"s"`
	Old        string `json:"o"`
	New        string `json:"n"`
	Version    string `json:"v"`
}

func (tx *Tx) rejudge(ctx context.Context, rejudging string, same bool, rows []picked) error {
	list := make([]shadow, 0, len(rows))
	for _, r := range rows {
		id, err := newID()
		if err != nil {
			return err
		}
		made := shadow{Submission: r.ID, Old: r.Newest, New: id, Version: r.Published}
		if same {
			made.Version = r.Made
		}
		list = append(list, made)
	}
	b, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return tx.in(ctx).Exec(`WITH made AS MATERIALIZED (
			SELECT * FROM json_to_recordset(@list) AS t(s uuid, o uuid, n uuid, v uuid)
		), j AS (
			INSERT INTO judgements (id, submission_id, version_id, person, priority, state, shadow, rejudging_id)
			SELECT n, s, v, @person, @class, 'queued', true, @rejudging FROM made ORDER BY n
		)
		INSERT INTO rejudging_items (rejudging_id, submission_id, old_id, new_id) SELECT @rejudging, s, o, n FROM made`, map[string]any{
		"list": string(b), "person": person(&judge.Submission{TokenID: rejudging}), "class": judge.PriorityRejudge, "rejudging": rejudging,
	}).Error
}
