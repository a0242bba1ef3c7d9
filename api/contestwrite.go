package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
)

// ContestSettings change a contest; what is left out stays, or is what the
// contest has by itself.
type ContestSettings struct {
	Title           *string                  `json:"title,omitempty" maxLength:"200"`
	Kind            *string                  `json:"kind,omitempty" enum:"icpc,ioi,practice" doc:"By which rules the board ranks; icpc where it is left out."`
	Start           OptionalTime             `json:"start,omitzero" doc:"null: not set, nothing can be handed in."`
	Duration        *float64                 `json:"duration_s,omitempty" minimum:"0" doc:"0: no end, only for practice. Five hours where it is left out."`
	Freeze          *float64                 `json:"freeze_s,omitempty" minimum:"0" doc:"How long before the end the public board stands still; 0: never."`
	Penalty         *float64                 `json:"penalty_s,omitempty" minimum:"0" doc:"For each attempt that costs; 1200 where it is left out."`
	PenaltyVerdicts *[]string                `json:"penalty_verdicts,omitempty" maxItems:"8" doc:"That cost; WA, TLE, MLE, OLE and RE where it is left out."`
	SubtaskBest     *bool                    `json:"subtask_best,omitempty"`
	Practice        *bool                    `json:"practice,omitempty" doc:"What comes after the end is judged, and is not on the board."`
	PublicBoard     *bool                    `json:"public_board,omitempty" doc:"The public board needs no token."`
	Open            *bool                    `json:"open,omitempty" doc:"Whoever hands in for the first time becomes a contestant."`
	Feedback        *string                  `json:"feedback,omitempty" enum:",full,cases,first_failed,verdict,none" doc:"Instead of the problems' own; empty: theirs."`
	HoldResults     *bool                    `json:"hold_results,omitempty" doc:"Contestants see no verdicts until they are released."`
	Languages       *[]string                `json:"languages,omitempty" maxItems:"200" doc:"Empty: as each problem has it."`
	MaxSubmissions  *int                     `json:"max_submissions,omitempty" minimum:"0" doc:"Of one contestant for one problem; 0: no limit."`
	PerMinute       *int                     `json:"per_minute,omitempty" minimum:"0" doc:"Submissions of one contestant in any 60 s; 0: no limit."`
	Problems        *[]ContestProblemRequest `json:"problems,omitempty" maxItems:"200"`
	Reason          string                   `json:"reason,omitempty" maxLength:"1000"`
}

// ContestProblemRequest is a problem to be in a contest.
type ContestProblemRequest struct {
	Label          string   `json:"label,omitempty" maxLength:"16" doc:"Else A, B, … by its place in the list."`
	Problem        string   `json:"problem" minLength:"1" maxLength:"64"`
	Color          string   `json:"color,omitempty" maxLength:"200"`
	RGB            string   `json:"rgb,omitempty" maxLength:"7" doc:"As in #ff0000."`
	Languages      []string `json:"languages,omitempty" maxItems:"200"`
	MaxSubmissions int      `json:"max_submissions,omitempty" minimum:"0"`
	Points         float64  `json:"points,omitempty" minimum:"0" doc:"ioi: what its full score is scaled to; 0: its own."`
}

// OptionalTime is a time in a request that may be null, or left out.
type OptionalTime struct {
	Sent bool
	Time time.Time
}

// UnmarshalJSON reads a time or null.
func (o *OptionalTime) UnmarshalJSON(b []byte) error {
	o.Sent, o.Time = true, time.Time{}
	if bytes.Equal(b, []byte("null")) {
		return nil
	}
	return json.Unmarshal(b, &o.Time)
}

// MarshalJSON is for the audit log.
func (o OptionalTime) MarshalJSON() ([]byte, error) {
	if o.Time.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(o.Time)
}

// IsZero reports whether it was left out.
func (o OptionalTime) IsZero() bool { return !o.Sent }

// Schema is for huma.
func (OptionalTime) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time", Nullable: true}
}

func (o OptionalTime) set(t *time.Time) {
	if o.Sent {
		*t = o.Time.UTC()
	}
}

// secondsOf is a duration of so many seconds. What no duration can hold is the
// longest one, which every check refuses.
func secondsOf(s float64) time.Duration {
	if !(s < math.MaxInt64/float64(time.Second)) {
		return math.MaxInt64
	}
	return time.Duration(math.Round(s * float64(time.Second)))
}

const (
	defaultDuration = 5 * time.Hour
	defaultPenalty  = 20 * time.Minute
)

func (r *ContestSettings) apply(c *judge.Contest) {
	set(&c.Title, r.Title)
	set((*string)(&c.Kind), r.Kind)
	set((*string)(&c.Feedback), r.Feedback)
	r.Start.set(&c.Start)
	for to, from := range map[*time.Duration]*float64{&c.Duration: r.Duration, &c.Freeze: r.Freeze, &c.Penalty: r.Penalty} {
		if from != nil {
			*to = secondsOf(*from)
		}
	}
	for to, from := range map[*bool]*bool{
		&c.SubtaskBest: r.SubtaskBest, &c.Practice: r.Practice, &c.PublicBoard: r.PublicBoard, &c.Open: r.Open, &c.HoldResults: r.HoldResults,
	} {
		set(to, from)
	}
	if r.PenaltyVerdicts != nil {
		c.PenaltyVerdicts = []judge.Verdict{}
		for _, v := range *r.PenaltyVerdicts {
			c.PenaltyVerdicts = append(c.PenaltyVerdicts, judge.Verdict(v))
		}
	}
	set(&c.Languages, r.Languages)
	set(&c.MaxSubmissions, r.MaxSubmissions)
	set(&c.PerMinute, r.PerMinute)
	if r.Problems != nil {
		c.Problems = nil
		for i, p := range *r.Problems {
			if p.Label == "" {
				p.Label = labelOf(i)
			}
			c.Problems = append(c.Problems, judge.ContestProblem{
				Label: p.Label, Problem: p.Problem, Color: p.Color, RGB: strings.ToLower(p.RGB), Languages: p.Languages,
				MaxSubmissions: p.MaxSubmissions, Points: p.Points,
			})
		}
	}
}

// labelOf is the label of the problem at a place: A to Z, AA and so on.
func labelOf(i int) string {
	label := ""
	for i++; i > 0; i = (i - 1) / 26 {
		label = string(rune('A'+(i-1)%26)) + label
	}
	return label
}

func (s *Server) contestWriteRoutes(tags []string) {
	at := "/contests/{contest}"
	register(s, huma.Operation{
		OperationID: "create-contest", Method: http.MethodPost, Path: "/contests", DefaultStatus: http.StatusCreated, Tags: tags, Summary: "Make a contest",
		Description: "Who makes it must be staff of its problems. They are hidden from contestants until the start.",
	}, s.createContest)
	register(s, huma.Operation{OperationID: "update-contest", Method: http.MethodPatch, Path: at, Tags: tags, Summary: "Change a contest"}, s.updateContest)
	register(s, huma.Operation{
		OperationID: "put-contest-problems", Method: http.MethodPut, Path: at + "/problems", Tags: tags, Summary: "Write the problems of a contest, all at once",
		Description: "One for which something was handed in cannot be taken out.",
	}, s.putContestProblems)
	register(s, huma.Operation{OperationID: "delete-contest", Method: http.MethodDelete, Path: at, Tags: tags, Summary: "Remove a contest at which nothing was handed in"}, s.deleteContest)
}

type createContestInput struct {
	Body struct {
		ContestSettings

		Name string `json:"name" pattern:"^[a-z0-9][a-z0-9._-]{0,63}$"`
	}
}

type createdContest struct {
	Location string `header:"Location"`
	Tag      string `header:"ETag"`
	Body     Contest
}

func (s *Server) createContest(ctx context.Context, in *createContestInput) (*createdContest, error) {
	name := in.Body.Name
	if !runsContest(tokenOf(ctx), name) {
		return nil, fault("forbidden", "this token's scope does not hold contest %s", name).in("body.name", "not in the token's scope")
	}
	c := judge.Contest{Name: name, Kind: judge.ContestICPC, Duration: defaultDuration, Penalty: defaultPenalty}
	in.Body.apply(&c)
	if err := s.checkContest(ctx, &c, nil); err != nil {
		return nil, err
	}
	var out createdContest
	err := s.changed(ctx, judge.AuditEntry{Action: "contest.create", Object: name, Reason: in.Body.Reason, Detail: detail(in.Body)}, func(tx Tx) error {
		made, err := tx.CreateContest(ctx, c)
		if err != nil {
			return err
		}
		out.Body, err = s.showContest(ctx, tx, &made)
		out.Location, out.Tag = base+"/contests/"+name, contestTag(&made, out.Body.State)
		return err
	})
	if isConflict(err) {
		return nil, fault("conflict", "there is a contest %s already; change it by PATCH %s/contests/%s", name, base, name).in("body.name", "it is taken")
	}
	return &out, err
}

type updateContestInput struct {
	ContestPath

	Match string `header:"If-Match" doc:"ETag of the contest: 412 where it has changed since."`
	Body  ContestSettings
}

func (s *Server) updateContest(ctx context.Context, in *updateContestInput) (*contestOutput, error) {
	entry := judge.AuditEntry{Action: "contest.update", Object: in.Contest, Reason: in.Body.Reason, Detail: detail(in.Body)}
	return s.changeContest(ctx, in.Match, entry, func(c *judge.Contest) error {
		in.Body.apply(c)
		return nil
	})
}

// changeContest changes a contest that is locked, and checks what it then is.
func (s *Server) changeContest(ctx context.Context, match string, entry judge.AuditEntry, change func(*judge.Contest) error) (*contestOutput, error) {
	if _, err := s.staffContest(ctx, entry.Object); err != nil {
		return nil, err
	}
	var out *contestOutput
	err := s.changed(ctx, entry, func(tx Tx) error {
		c, err := tx.LockContest(ctx, entry.Object)
		if err == nil {
			err = ifMatch(match, &c)
		}
		if err != nil {
			return err
		}
		before := slices.Clone(c.Problems)
		if err := change(&c); err != nil {
			return err
		}
		if err := s.checkContest(ctx, &c, before); err != nil {
			return err
		}
		if c, err = tx.UpdateContest(ctx, c); err != nil {
			return err
		}
		out, err = s.answerContest(ctx, tx, &c, "")
		return err
	})
	if isConflict(err) {
		return nil, fault("conflict", "contest %s: something was handed in for a problem that it would not have any more", entry.Object)
	}
	return out, named(err, "contest", entry.Object)
}

type putContestProblemsInput struct {
	ContestPath

	Match string `header:"If-Match" doc:"ETag of the contest: 412 where it has changed since."`
	Body  struct {
		Problems []ContestProblemRequest `json:"problems" maxItems:"200"`
		Reason   string                  `json:"reason,omitempty" maxLength:"1000"`
	}
}

func (s *Server) putContestProblems(ctx context.Context, in *putContestProblemsInput) (*answer[List[ContestProblem]], error) {
	entry := judge.AuditEntry{Action: "contest.problems", Object: in.Contest, Reason: in.Body.Reason, Detail: detail(in.Body)}
	out, err := s.changeContest(ctx, in.Match, entry, func(c *judge.Contest) error {
		(&ContestSettings{Problems: &in.Body.Problems}).apply(c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return answered(newList(*out.Body.Problems, "")), nil
}

// checkContest refuses what cannot be: languages that there are not, and problems
// that are not there or not the caller's to give, but for those that are in it.
func (s *Server) checkContest(ctx context.Context, c *judge.Contest, before []judge.ContestProblem) error {
	if err := c.Check(); err != nil {
		return inBody(err)
	}
	if err := s.checkLanguages(c, "body."); err != nil {
		return err
	}
	for i, p := range c.Problems {
		if slices.ContainsFunc(before, func(b judge.ContestProblem) bool { return b.Problem == p.Problem }) {
			continue
		}
		field := fmt.Sprintf("body.problems[%d].problem", i)
		_, err := s.problem(ctx, p.Problem)
		if refused, ok := errors.AsType[*Error](err); ok && refused.Status == http.StatusNotFound {
			return wrongField(field, "there is no problem %.80q, or this token may not see it", p.Problem)
		}
		if err != nil {
			return err
		}
		if !isStaff(tokenOf(ctx), p.Problem) {
			return fault("forbidden", "%s: only staff of problem %s may put it into a contest", field, p.Problem).in(field, "not in the token's scope")
		}
	}
	return nil
}

// checkLanguages refuses languages that there are not. at is what stands before the
// names of a contest's fields.
func (s *Server) checkLanguages(c *judge.Contest, at string) error {
	if err := s.knownLanguages(at+"languages", c.Languages); err != nil {
		return err
	}
	for i, p := range c.Problems {
		if err := s.knownLanguages(fmt.Sprintf("%sproblems[%d].languages", at, i), p.Languages); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) knownLanguages(field string, ids []string) error {
	for _, id := range ids {
		if !slices.ContainsFunc(s.Languages.All(), func(l *judge.Language) bool { return l.ID == id }) {
			return wrongField(field, "there is no language %.40q; GET %s/languages has them", id, base)
		}
	}
	return nil
}

// inBody is the error about a field of a request's body.
func inBody(err error) error {
	if f, ok := errors.AsType[*judge.Fault](err); ok {
		return wrongField("body."+f.Field, "%s", f.Text)
	}
	return err
}

type deleteContestInput struct {
	ContestPath

	Match  string `header:"If-Match" doc:"ETag of the contest: 412 where it has changed since."`
	Reason string `query:"reason" maxLength:"1000"`
}

func (s *Server) deleteContest(ctx context.Context, in *deleteContestInput) (*struct{}, error) {
	if _, err := s.staffContest(ctx, in.Contest); err != nil {
		return nil, err
	}
	err := s.changed(ctx, judge.AuditEntry{Action: "contest.delete", Object: in.Contest, Reason: in.Reason}, func(tx Tx) error {
		c, err := tx.LockContest(ctx, in.Contest)
		if err == nil {
			err = ifMatch(in.Match, &c)
		}
		if err != nil {
			return err
		}
		return tx.DeleteContest(ctx, in.Contest)
	})
	if isConflict(err) {
		return nil, fault("conflict", "contest %s has submissions, and stays", in.Contest)
	}
	return nil, named(err, "contest", in.Contest)
}
