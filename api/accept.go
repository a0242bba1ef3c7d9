package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"judge/judge"
)

// acceptor makes submissions of requests. What problems say is looked up once for
// all of a batch.
type acceptor struct {
	s        *Server
	token    judge.Token
	known    map[string]*accepting
	contests map[string]*judge.Contest
}

// accepting is a problem that submissions are taken for, or why they are not.
type accepting struct {
	info    judge.ProblemVersion
	problem *judge.Problem
	err     error
}

// accept checks what was asked for before anything is promised: that the problem
// is there and open, the language allowed, the source such that it can be judged.
func (s *Server) accept(ctx context.Context, token judge.Token, requests []SubmissionRequest) ([]judge.Submission, error) {
	a := acceptor{s: s, token: token, known: map[string]*accepting{}, contests: map[string]*judge.Contest{}}
	subs := make([]judge.Submission, 0, len(requests))
	for i := range requests {
		sub, err := a.submission(ctx, &requests[i])
		if err != nil {
			return nil, inItem(err, i, len(requests) > 1)
		}
		subs = append(subs, sub)
	}
	return subs, nil
}

// inItem says which item of a batch an error is about.
func inItem(err error, i int, several bool) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || !several {
		return err
	}
	copied := *e
	copied.Detail = fmt.Sprintf("items[%d]: %s", i, e.Detail)
	copied.Errors = slices.Clone(e.Errors)
	for k := range copied.Errors {
		copied.Errors[k].Field = strings.Replace(copied.Errors[k].Field, "body.", fmt.Sprintf("body.items[%d].", i), 1)
	}
	return &copied
}

func (a *acceptor) submission(ctx context.Context, r *SubmissionRequest) (judge.Submission, error) {
	var none judge.Submission
	var contest *judge.Contest
	var entered *judge.ContestProblem
	name := r.Problem
	if r.Contest != "" {
		var err error
		if contest, entered, err = a.contest(ctx, r); err != nil {
			return none, err
		}
		name = entered.Problem
	}
	at := a.known[r.Contest+"\x00"+name]
	if at == nil {
		at = a.problem(ctx, name, contest != nil)
		a.known[r.Contest+"\x00"+name] = at
	}
	if at.err != nil {
		return none, at.err
	}
	files, err := r.files()
	if err != nil {
		return none, err
	}
	language := ""
	if !at.problem.SubmitAnswer { // whose files are outputs
		if language, err = a.language(r, at, files, contest, entered); err != nil {
			return none, err
		}
	}
	priority, ok := priorityOf(r.Priority)
	if !ok {
		return none, wrongField("body.priority", "%.20q is none; contest and practice are", r.Priority)
	}
	return judge.Submission{
		Problem: name, Contest: r.Contest, VersionID: at.info.ID, Language: language, Entry: r.Entry, Submitter: r.person(),
		TokenID: a.token.ID, Priority: priority, Files: files,
	}, nil
}

// language finds the language of a submission and tries whether it can be judged.
func (a *acceptor) language(r *SubmissionRequest, at *accepting, files []judge.File, contest *judge.Contest, entered *judge.ContestProblem) (string, error) {
	lang, err := a.s.Languages.Detect(files, nil, r.Language)
	if errors.Is(err, judge.ErrSource) {
		return "", fault("source", "%s", err).in(cmp.Or(map[bool]string{true: "body.language"}[r.Language != ""], "body.files"), "%s", err)
	}
	if err != nil {
		return "", err
	}
	lists := map[string][]string{"problem " + at.info.Problem: at.info.Settings.Languages, "the package of problem " + at.info.Problem: at.problem.Languages}
	if contest != nil {
		lists["contest "+contest.Name] = contest.LanguagesOf(entered)
	}
	for whose, allowed := range lists {
		if len(allowed) > 0 && !slices.Contains(allowed, lang.ID) {
			return "", wrongField("body.language", "%s is not allowed for %s; allowed are %s", lang.ID, whose, strings.Join(allowed, ", "))
		}
	}
	if _, err := at.problem.NewProgram(lang, files, r.Entry); err != nil {
		if errors.Is(err, judge.ErrSource) {
			return "", fault("source", "%s", err).in("body.files", "%s", err)
		}
		return "", err
	}
	return lang.ID, nil
}

// problem looks up what submissions to a problem need. Whether it is open, and who
// may see it, is a contest's to say of its own.
func (a *acceptor) problem(ctx context.Context, name string, inContest bool) *accepting {
	at := &accepting{}
	info, err := a.s.Records.Problem(ctx, name)
	if err == nil && !inContest {
		err = a.open(ctx, &info)
	}
	switch {
	case errors.Is(err, judge.ErrNotFound):
		at.err = unknown("problem", name).in("body.problem", "there is none of this name, or this token may not see it")
		return at
	case err != nil:
		at.err = err
		return at
	case !info.Enabled && !inContest:
		at.err = fault("conflict", "problem %s is closed; staff open it by PATCH %s/problems/%s", name, base, name).in("body.problem", "it is closed")
		return at
	}
	at.info, err = a.s.Records.PublishedInfo(ctx, name)
	if errors.Is(err, judge.ErrNotFound) {
		at.err = fault("conflict", "problem %s has no published version", name).in("body.problem", "it has no published version")
		return at
	}
	if err == nil {
		at.problem, err = a.s.Packages.Problem(ctx, at.info.ID)
	}
	at.err = err
	return at
}

// open asks whether the caller may hand in for a problem outside of contests.
func (a *acceptor) open(ctx context.Context, info *judge.ProblemInfo) error {
	switch {
	case isStaff(a.token, info.Name):
		return nil
	case !holds(a.token, info.Name) || !info.Enabled:
		return judge.ErrNotFound
	case info.Published == 0:
		return nil // it is told so
	}
	shown, err := a.s.showProblems(ctx, []judge.ProblemInfo{*info}, "")
	if err == nil && !shown[0] {
		err = judge.ErrNotFound
	}
	return err
}
