package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"judge/api"
	"judge/judge/wire"
)

type contestTeamsCmd struct {
	contestAt

	Group       string `placeholder:"NAME" help:"Only those of this group."`
	Affiliation string `placeholder:"TEXT" help:"Only those from there."`
	Search      string `placeholder:"TEXT" help:"Only those with this in id, name or affiliation."`
}

// Run lists contestants, by id.
func (c *contestTeamsCmd) Run(a *app) error {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	query := url.Values{"limit": {"200"}}
	for name, value := range map[string]string{"group": c.Group, "affiliation": c.Affiliation, "search": c.Search} {
		if value != "" {
			query.Set(name, value)
		}
	}
	lines := jsonLines(a.out)
	var rows [][]string
	err = listPages(a.ctx, cl, c.path("contestants"), query, func(p api.Contestant) error {
		if c.JSON {
			return lines.Encode(p)
		}
		rows = append(rows, []string{
			safe(p.ID), safe(p.Name), cmp.Or(safe(wire.Value(p.Affiliation)), "-"), cmp.Or(safe(wire.Value(p.Country)), "-"),
			cmp.Or(safe(strings.Join(p.Groups, " ")), "-"), cmp.Or(contestantState(&p), "-"),
		})
		return nil
	})
	if err != nil || c.JSON {
		return err
	}
	t := table{out: a.out, columns: []column{{title: "id"}, {title: "name"}, {title: "affiliation"}, {title: "country"}, {title: "groups"}, {title: "state"}}}
	return t.all(rows)
}

func contestantState(p *api.Contestant) string {
	var out []string
	if p.Hidden {
		out = append(out, "hidden")
	}
	if p.Disqualified {
		out = append(out, "disqualified")
	}
	if p.Start != nil {
		out = append(out, "starts "+localTime(p.Start))
	}
	if p.Extra > 0 {
		out = append(out, spanText(p.Extra)+" longer")
	}
	return strings.Join(out, ", ")
}

type contestTeamCmd struct {
	contestAt

	ID string `arg:"" name:"id" help:"The contestant's id, as the platform has it."`

	Name         *string  `placeholder:"TEXT" help:"For people."`
	Affiliation  *string  `placeholder:"TEXT" help:"As in a university."`
	Country      *string  `placeholder:"CODE" help:"Three letters, as in DEU."`
	Group        []string `placeholder:"NAME" help:"All groups that it is in; may be given several times."`
	Hidden       *bool    `negatable:"" help:"Judged, not on public boards."`
	Disqualified *bool    `negatable:"" help:"Below all others on the board, without a rank."`
	Start        *string  `placeholder:"WHEN" help:"A start of its own: a time, how long from now (30m), or none."`
	Extra        *string  `placeholder:"SPAN" help:"How much longer than the contest it has, as in 30m."`
	Delete       bool     `help:"Remove it; only who has handed nothing in."`
	Reason       string   `placeholder:"TEXT" help:"Why, for the audit log."`
}

// Help is shown by judge contest team --help.
func (contestTeamCmd) Help() string {
	return `A contestant that is not there yet is made; of one that is, what is not named stays.

Examples:
  judge contest team spring red --name "Red Pandas" --affiliation "Somewhere University"
  judge contest team spring red --disqualified --reason "two machines"
  judge contest team spring red --extra 10m`
}

// Run makes, changes or removes a contestant.
func (c *contestTeamCmd) Run(a *app) error {
	path := c.path("contestants", c.ID)
	if c.Delete {
		if err := c.do(a, http.MethodDelete, path, reasonQuery(c.Reason), nil, nil); err != nil {
			return err
		}
		a.notef("contestant %s is removed\n", safe(c.ID))
		return nil
	}
	change := api.ContestantChange{
		Name: c.Name, Affiliation: c.Affiliation, Country: c.Country, Hidden: c.Hidden, Disqualified: c.Disqualified, Reason: c.Reason,
	}
	if len(c.Group) > 0 {
		change.Groups = &c.Group
	}
	if c.Start != nil {
		change.Start = api.OptionalTime{Sent: true}
		if *c.Start != "none" {
			var err error
			if change.Start.Time, err = parseStart(*c.Start, time.Now()); err != nil {
				return badInput{fmt.Errorf("--start: %w", err)}
			}
		}
	}
	if c.Extra != nil {
		d, err := parseSpan(*c.Extra)
		if err != nil {
			return badInput{fmt.Errorf("--extra: %w", err)}
		}
		seconds := d.Seconds()
		change.Extra = &seconds
	}
	var p api.Contestant
	err := c.do(a, http.MethodPatch, path, nil, change, &p)
	if r, ok := errors.AsType[*refusal](err); ok && r.status == http.StatusNotFound && strings.HasPrefix(r.Detail, "contestant ") {
		err = c.do(a, http.MethodPut, path, nil, map[string]any{}, &p)
		if err == nil {
			err = c.do(a, http.MethodPatch, path, nil, change, &p)
		}
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return jsonLines(a.out).Encode(p)
	}
	_, err = fmt.Fprintf(a.out, "%s  %s  %s\n", safe(p.ID), cmp.Or(safe(p.Name), "-"), contestantState(&p))
	return err
}
