package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// Contestant is a team or a person that takes part, as JSON.
type Contestant struct {
	ID           string     `json:"id" doc:"Of the platform: the submitter's team, or where that is none, id."`
	Name         string     `json:"name"`
	Affiliation  *string    `json:"affiliation"`
	Country      *string    `json:"country" doc:"ISO 3166-1 alpha-3."`
	Groups       []string   `json:"groups"`
	Hidden       bool       `json:"hidden" doc:"Judged, not on public boards; only its contest's staff know of it."`
	Disqualified bool       `json:"disqualified"`
	Start        *wire.Time `json:"start" doc:"Of its own; null: the contest's."`
	Extra        float64    `json:"extra_s" doc:"That it has longer than the contest."`
}

// ContestantRequest is a contestant to be written; what is left out is empty.
type ContestantRequest struct {
	ID           string    `json:"id" minLength:"1" maxLength:"255"`
	Name         string    `json:"name,omitempty" maxLength:"200"`
	Affiliation  string    `json:"affiliation,omitempty" maxLength:"200"`
	Country      string    `json:"country,omitempty" maxLength:"3" doc:"ISO 3166-1 alpha-3."`
	Groups       []string  `json:"groups,omitempty" maxItems:"50"`
	Hidden       bool      `json:"hidden,omitempty"`
	Disqualified bool      `json:"disqualified,omitempty"`
	Start        time.Time `json:"start,omitzero"`
	Extra        float64   `json:"extra_s,omitempty" minimum:"0"`
}

// ContestantChange changes a contestant; what is left out stays.
type ContestantChange struct {
	Name         *string      `json:"name,omitempty" maxLength:"200"`
	Affiliation  *string      `json:"affiliation,omitempty" maxLength:"200"`
	Country      *string      `json:"country,omitempty" maxLength:"3"`
	Groups       *[]string    `json:"groups,omitempty" maxItems:"50"`
	Hidden       *bool        `json:"hidden,omitempty"`
	Disqualified *bool        `json:"disqualified,omitempty"`
	Start        OptionalTime `json:"start,omitzero" doc:"null: the contest's."`
	Extra        *float64     `json:"extra_s,omitempty" minimum:"0"`
	Reason       string       `json:"reason,omitempty" maxLength:"1000"`
}

// ContestantPath names a contestant.
type ContestantPath struct {
	ContestPath

	Contestant string `path:"contestant" maxLength:"255" doc:"Id of the contestant."`
}

// object is what the audit log calls it.
func (p *ContestantPath) object() string { return p.Contest + "/" + p.Contestant }

func (s *Server) contestantRoutes(tags []string) {
	at := "/contests/{contest}/contestants"
	register(s, huma.Operation{OperationID: "list-contestants", Method: http.MethodGet, Path: at, Tags: tags, Summary: "The contestants, by id", Description: "Hidden ones only for the contest's staff."}, s.listContestants)
	register(s, huma.Operation{
		OperationID: "put-contestants", Method: http.MethodPut, Path: at, Tags: tags, Summary: "Write many contestants at once, all or none",
		Description: "Those that are not in the list are removed, unless merge is set. Who has handed something in cannot be removed: hide or disqualify it.",
	}, s.putContestants)
	register(s, huma.Operation{OperationID: "get-contestant", Method: http.MethodGet, Path: at + "/{contestant}", Tags: tags, Summary: "A contestant"}, s.getContestant)
	register(s, huma.Operation{OperationID: "put-contestant", Method: http.MethodPut, Path: at + "/{contestant}", Tags: tags, Summary: "Write a contestant, whether it is there or not"}, s.putContestant)
	register(s, huma.Operation{OperationID: "update-contestant", Method: http.MethodPatch, Path: at + "/{contestant}", Tags: tags, Summary: "Change a contestant: hide, disqualify, give it a start or more time"}, s.updateContestant)
	register(s, huma.Operation{OperationID: "delete-contestant", Method: http.MethodDelete, Path: at + "/{contestant}", Tags: tags, Summary: "Remove a contestant that has handed nothing in"}, s.deleteContestant)
}

func newContestant(p *judge.Contestant) Contestant {
	return Contestant{
		ID: p.ID, Name: p.Name, Affiliation: wire.Known(p.Affiliation), Country: wire.Known(p.Country), Groups: append([]string{}, p.Groups...),
		Hidden: p.Hidden, Disqualified: p.Disqualified, Start: moment(p.Start), Extra: p.Extra.Seconds(),
	}
}

// seenContestants are those that staff, or others, may know of.
func seenContestants(staff bool) (f judge.ContestantFilter) {
	if hidden := false; !staff {
		f.Hidden = &hidden
	}
	return f
}

type contestantsQuery struct {
	ContestPath
	Paging

	Group       string `query:"group" maxLength:"200"`
	Affiliation string `query:"affiliation" maxLength:"200"`
	Search      string `query:"search" maxLength:"200" doc:"A part of id, name or affiliation, in any case."`
}

func (s *Server) listContestants(ctx context.Context, in *contestantsQuery) (*answer[List[Contestant]], error) {
	after, err := readCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	c, err := s.contest(ctx, in.Contest)
	if err != nil {
		return nil, err
	}
	f := seenContestants(runsContest(tokenOf(ctx), c.Name))
	f.Group, f.Affiliation, f.Text = in.Group, in.Affiliation, in.Search
	page, err := s.Records.Contestants(ctx, c.Name, f, after, in.Limit+1)
	if err != nil {
		return nil, err
	}
	next := ""
	if len(page) > in.Limit {
		page = page[:in.Limit]
		next = cursorOf(page[in.Limit-1].ID)
	}
	items := make([]Contestant, 0, len(page))
	for i := range page {
		items = append(items, newContestant(&page[i]))
	}
	return answered(newList(items, next)), nil
}

func (s *Server) getContestant(ctx context.Context, in *ContestantPath) (*answer[Contestant], error) {
	c, err := s.contest(ctx, in.Contest)
	if err != nil {
		return nil, err
	}
	p, err := s.Records.Contestant(ctx, c.Name, in.Contestant)
	if err == nil && p.Hidden && !runsContest(tokenOf(ctx), c.Name) {
		err = judge.ErrNotFound
	}
	return answered(newContestant(&p)), named(err, "contestant", in.Contestant)
}

func (r *ContestantRequest) contestant() judge.Contestant {
	return judge.Contestant{
		ID: r.ID, Name: r.Name, Affiliation: r.Affiliation, Country: r.Country, Groups: r.Groups, Hidden: r.Hidden, Disqualified: r.Disqualified,
		Start: r.Start, Extra: secondsOf(r.Extra),
	}
}

type putContestantsInput struct {
	ContestPath

	Merge bool   `query:"merge" doc:"Leave those that are not in the list."`
	Match string `header:"If-Match" doc:"ETag of the contest: 412 where it has changed since."`
	Body  struct {
		Contestants []ContestantRequest `json:"contestants" maxItems:"100000"`
		Reason      string              `json:"reason,omitempty" maxLength:"1000"`
	}
}

// ContestantsWritten says what came of writing contestants.
type ContestantsWritten struct {
	Contestants int   `json:"contestants" doc:"That there are now."`
	Changed     bool  `json:"changed" doc:"Something is other than before."`
	Revision    int64 `json:"revision" doc:"Of the contest."`
}

func (s *Server) putContestants(ctx context.Context, in *putContestantsInput) (*answer[ContestantsWritten], error) {
	all := make([]judge.Contestant, 0, len(in.Body.Contestants))
	for i := range in.Body.Contestants {
		all = append(all, in.Body.Contestants[i].contestant())
	}
	if err := judge.CheckContestants(all); err != nil {
		return nil, inBody(err)
	}
	var out ContestantsWritten
	entry := judge.AuditEntry{Action: "contest.contestants", Object: in.Contest, Reason: in.Body.Reason}
	err := s.changeContestants(ctx, in.Contest, in.Match, entry, func(tx Tx) (_ any, err error) {
		if out.Changed, err = tx.PutContestants(ctx, in.Contest, all, !in.Merge); err != nil {
			return nil, err
		}
		c, err := tx.ContestInfo(ctx, in.Contest)
		if err != nil {
			return nil, err
		}
		out.Revision = c.Revision
		out.Contestants, err = tx.CountContestants(ctx, in.Contest, judge.ContestantFilter{})
		return map[string]any{"contestants": len(all), "merge": in.Merge}, err
	})
	return answered(out), err
}

// changeContestants changes contestants of a contest that is locked, on record;
// change returns the detail for that.
func (s *Server) changeContestants(ctx context.Context, contest, match string, entry judge.AuditEntry, change func(Tx) (any, error)) error {
	if _, err := s.staffContest(ctx, contest); err != nil {
		return err
	}
	err := s.Records.Tx(ctx, func(tx Tx) error {
		c, err := tx.LockContest(ctx, contest)
		if err == nil {
			err = ifMatch(match, &c)
		}
		if err != nil {
			return err
		}
		did, err := change(tx)
		if err != nil {
			return err
		}
		entry.Detail = detail(did)
		return audit(ctx, tx, entry)
	})
	if isConflict(err) {
		return fault("conflict", "contest %s: who has handed something in cannot be removed; hide or disqualify it", contest)
	}
	return named(err, "contest", contest)
}

type putContestantInput struct {
	ContestantPath

	Match string `header:"If-Match" doc:"ETag of the contest: 412 where it has changed since."`
	Body  struct {
		ContestantRequest

		ID     string `json:"id,omitempty" maxLength:"255" doc:"That of the path, or left out."`
		Reason string `json:"reason,omitempty" maxLength:"1000"`
	}
}

func (s *Server) putContestant(ctx context.Context, in *putContestantInput) (*answer[Contestant], error) {
	if in.Body.ID != "" && in.Body.ID != in.Contestant {
		return nil, wrongField("body.id", "%.80q is not that of the path, %.80q", in.Body.ID, in.Contestant)
	}
	p := in.Body.contestant()
	p.ID = in.Contestant
	return s.writeContestant(ctx, &in.ContestantPath, in.Match, in.Body.Reason, func(*judge.Contestant) judge.Contestant { return p })
}

type updateContestantInput struct {
	ContestantPath

	Match string `header:"If-Match" doc:"ETag of the contest: 412 where it has changed since."`
	Body  ContestantChange
}

func (s *Server) updateContestant(ctx context.Context, in *updateContestantInput) (*answer[Contestant], error) {
	r := &in.Body
	return s.writeContestant(ctx, &in.ContestantPath, in.Match, r.Reason, func(p *judge.Contestant) judge.Contestant {
		if p == nil {
			return judge.Contestant{}
		}
		set(&p.Name, r.Name)
		set(&p.Affiliation, r.Affiliation)
		set(&p.Country, r.Country)
		set(&p.Groups, r.Groups)
		set(&p.Hidden, r.Hidden)
		set(&p.Disqualified, r.Disqualified)
		r.Start.set(&p.Start)
		if r.Extra != nil {
			p.Extra = secondsOf(*r.Extra)
		}
		return *p
	})
}

// set changes a value where there is a new one.
func set[T any](value, to *T) {
	if to != nil {
		*value = *to
	}
}

// writeContestant writes what change makes of a contestant, which is nil where
// there is none; where that has no ID, there had to be one.
func (s *Server) writeContestant(ctx context.Context, at *ContestantPath, match, reason string, change func(*judge.Contestant) judge.Contestant) (*answer[Contestant], error) {
	var made judge.Contestant
	entry := judge.AuditEntry{Action: "contestant.write", Object: at.object(), Reason: reason}
	err := s.changeContestants(ctx, at.Contest, match, entry, func(tx Tx) (any, error) {
		found, err := tx.Contestants(ctx, at.Contest, judge.ContestantFilter{IDs: []string{at.Contestant}}, "", 1)
		if err != nil {
			return nil, err
		}
		var before *judge.Contestant
		if len(found) > 0 {
			before = &found[0]
		}
		if made = change(before); made.ID == "" {
			return nil, unknown("contestant", at.Contestant)
		}
		if err := judge.CheckContestants([]judge.Contestant{made}); err != nil {
			return nil, inBody(err)
		}
		_, err = tx.PutContestants(ctx, at.Contest, []judge.Contestant{made}, false)
		return newContestant(&made), err
	})
	return answered(newContestant(&made)), err
}

type deleteContestantInput struct {
	ContestantPath

	Match  string `header:"If-Match" doc:"ETag of the contest: 412 where it has changed since."`
	Reason string `query:"reason" maxLength:"1000"`
}

func (s *Server) deleteContestant(ctx context.Context, in *deleteContestantInput) (*struct{}, error) {
	entry := judge.AuditEntry{Action: "contestant.delete", Object: in.object(), Reason: in.Reason}
	return nil, s.changeContestants(ctx, in.Contest, in.Match, entry, func(tx Tx) (any, error) {
		return nil, named(tx.DeleteContestant(ctx, in.Contest, in.Contestant), "contestant", in.Contestant)
	})
}
