package main

import (
	"fmt"
	"net/http"
	"time"

	"judge/api"
)

// act does something with a contest's clock, and tells how it then stands.
func (c *contestAt) act(a *app, action string, body any) error {
	var k api.Contest
	if err := c.do(a, http.MethodPost, c.path(action), nil, body, &k); err != nil {
		return err
	}
	if c.JSON {
		return jsonLines(a.out).Encode(k)
	}
	_, err := fmt.Fprintf(a.out, "contest %s is %s; it begins %s and ends %s\n", safe(k.Name), safe(k.State), localTime(k.Start), localTime(k.End))
	return err
}

type contestActionFlags struct {
	contestAt

	Reason string `placeholder:"TEXT" help:"Why, for the audit log."`
}

func (c *contestActionFlags) plain(a *app, action string) error {
	return c.act(a, action, api.ReasonRequest{Reason: c.Reason})
}

type contestStartCmd struct {
	contestActionFlags

	At string `placeholder:"WHEN" help:"A time (2027-01-31T10:00:00Z), or how long from now (30m). Else now."`
}

// Run starts a contest.
func (c *contestStartCmd) Run(a *app) error {
	body := map[string]any{"reason": c.Reason}
	if c.At != "" {
		at, err := parseStart(c.At, time.Now())
		if err != nil {
			return badInput{fmt.Errorf("--at: %w", err)}
		}
		body["at"] = at
	}
	return c.act(a, "start", body)
}

type contestPauseCmd struct{ contestActionFlags }

// Run pauses a contest.
func (c *contestPauseCmd) Run(a *app) error { return c.plain(a, "pause") }

type contestResumeCmd struct{ contestActionFlags }

// Run lets a contest go on.
func (c *contestResumeCmd) Run(a *app) error { return c.plain(a, "resume") }

type contestFreezeCmd struct{ contestActionFlags }

// Run freezes the board.
func (c *contestFreezeCmd) Run(a *app) error { return c.plain(a, "freeze") }

type contestThawCmd struct{ contestActionFlags }

// Run thaws the board.
func (c *contestThawCmd) Run(a *app) error { return c.plain(a, "thaw") }

type contestReleaseCmd struct{ contestActionFlags }

// Run releases verdicts.
func (c *contestReleaseCmd) Run(a *app) error { return c.plain(a, "release") }

type contestExtendCmd struct {
	contestActionFlags

	By         string `required:"" placeholder:"SPAN" help:"How much longer: 10m, 1:30:00, or 600 for seconds."`
	Contestant string `placeholder:"ID" help:"For this one alone."`
}

// Run makes a contest longer.
func (c *contestExtendCmd) Run(a *app) error {
	by, err := parseSpan(c.By)
	if err != nil {
		return badInput{fmt.Errorf("--by: %w", err)}
	}
	body := map[string]any{"by_s": by.Seconds(), "reason": c.Reason}
	if c.Contestant != "" {
		body["contestant"] = c.Contestant
	}
	return c.act(a, "extend", body)
}
