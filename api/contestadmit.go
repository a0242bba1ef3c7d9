package api

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"judge/judge"
)

// What is handed in at a contest is looked at twice: before anything is promised,
// with whatever can be said of the request, and in the transaction that writes it,
// with its contestant locked. The second look decides; the time that it takes is
// when the submission was handed in.

// mayEnter says why a contestant may not hand in at a moment, or whether it is
// practice.
func mayEnter(c *judge.Contest, p *judge.Contestant, at time.Time) (practice bool, err error) {
	start, end := c.Window(p)
	switch c.State(p, at) {
	case judge.ContestBefore:
		if start.IsZero() {
			return false, fault("contest", "contest %s has no start yet", c.Name).in("body.contest", "it has not begun")
		}
		return false, fault("contest", "contest %s has not begun; it begins at %s", c.Name, start.UTC().Format(time.RFC3339)).
			in("body.contest", "it has not begun").retryAfter(start.Sub(at))
	case judge.ContestPaused:
		return false, fault("contest", "contest %s is paused; hand it in again when it goes on", c.Name).in("body.contest", "it is paused")
	case judge.ContestEnded:
		if !c.Practice {
			return false, fault("contest", "contest %s has ended at %s", c.Name, end.UTC().Format(time.RFC3339)).in("body.contest", "it has ended")
		}
		return true, nil
	case judge.ContestRunning:
	}
	return c.Kind == judge.ContestPractice, nil
}

func noContestant(c *judge.Contest, id string) *Error {
	return wrongField("body.submitter", "%.80q is no contestant of contest %s; a contestant is who is called like the submitter's team, or where that is left out, id", id, c.Name)
}

// contest finds the contest of a request, and its problem there.
func (a *acceptor) contest(ctx context.Context, r *SubmissionRequest) (*judge.Contest, *judge.ContestProblem, error) {
	c, ok := a.contests[r.Contest]
	if !ok {
		found, err := a.s.contest(ctx, r.Contest)
		if e, ok := errors.AsType[*Error](err); ok {
			err = e.in("body.contest", "there is none of this name, or this token may not see it")
		}
		if err != nil {
			return nil, nil, err
		}
		c = &found
		a.contests[r.Contest] = c
	}
	id := r.person().ContestantID()
	if id == "" {
		return nil, nil, wrongField("body.submitter", "say whom it is for: in a contest every submission is a contestant's")
	}
	who, err := a.s.Records.Contestant(ctx, c.Name, id)
	p := &who
	if errors.Is(err, judge.ErrNotFound) {
		if p, err = nil, nil; !c.Open {
			return nil, nil, noContestant(c, id)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if _, err := mayEnter(c, p, a.s.now()); err != nil {
		return nil, nil, err
	}
	problem := c.Problem(r.Problem)
	if problem == nil {
		return nil, nil, unknown("problem", r.Problem).in("body.problem", "contest %s has none of this label or name", c.Name)
	}
	return c, problem, nil
}

// admission is of submissions to contests, in one transaction.
type admission struct {
	contests map[string]*judge.Contest
	who      map[string]map[string]*judge.Contestant // by contest and id
}

// beginAdmission locks the contestants of those submissions that are of contests,
// always in one order.
func (s *Server) beginAdmission(ctx context.Context, tx Tx, subs []judge.Submission) (*admission, error) {
	named := map[string]map[string]judge.Contestant{}
	for i := range subs {
		if subs[i].Contest == "" {
			continue
		}
		if named[subs[i].Contest] == nil {
			named[subs[i].Contest] = map[string]judge.Contestant{}
		}
		by := &subs[i].Submitter
		p := judge.Contestant{ID: by.ContestantID(), Name: cmp.Or(by.Team, by.Name, by.ID)}
		named[subs[i].Contest][p.ID] = p
	}
	a := &admission{contests: map[string]*judge.Contest{}, who: map[string]map[string]*judge.Contestant{}}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		c, err := tx.ContestInfo(ctx, name)
		if err != nil {
			return nil, err
		}
		var who []judge.Contestant
		for _, id := range slices.Sorted(maps.Keys(named[name])) {
			who = append(who, named[name][id])
		}
		found, err := tx.EnterContest(ctx, &c, who)
		if err != nil {
			return nil, err
		}
		a.contests[name], a.who[name] = &c, map[string]*judge.Contestant{}
		for i := range found {
			a.who[name][found[i].ID] = &found[i]
		}
	}
	return a, nil
}

// admit decides whether a submission is taken now, and gives it its time and
// class.
func (a *admission) admit(ctx context.Context, tx Tx, sub *judge.Submission, now time.Time) error {
	c := a.contests[sub.Contest]
	if c == nil {
		return nil
	}
	id := sub.Submitter.ContestantID()
	p := a.who[c.Name][id]
	if p == nil {
		return noContestant(c, id)
	}
	practice, err := mayEnter(c, p, now)
	if err != nil {
		return err
	}
	problem := c.Problem(sub.Problem)
	if problem == nil {
		return unknown("problem", sub.Problem).in("body.problem", "contest %s has it no more", c.Name)
	}
	sub.CreatedAt, sub.Priority = now, judge.PriorityContest
	most := c.MaxSubmissionsOf(problem)
	if practice {
		sub.Priority = judge.PriorityPractice
	}
	if c.State(p, now) == judge.ContestEnded {
		most = 0 // they have had theirs, and what comes now does not count
	}
	if most == 0 && c.PerMinute == 0 {
		return nil
	}
	tries, err := tx.ContestTries(ctx, c.Name, id, sub.Problem, now)
	switch {
	case err != nil:
		return err
	case most > 0 && tries.Problem >= most:
		return fault("contest", "contest %s takes %d submissions of a contestant for problem %s, and that many were handed in", c.Name, most, problem.Label).
			in("body.problem", "there were %d submissions", tries.Problem)
	case c.PerMinute > 0 && tries.Recent >= c.PerMinute:
		return fault("too-many-requests", "contest %s takes %d submissions of a contestant in a minute", c.Name, c.PerMinute).
			retryAfter(max(tries.Oldest.Add(time.Minute).Sub(now), time.Second))
	}
	return nil
}
