package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"judge/api"
	"judge/judge"
	"judge/judge/webhook"
)

// webhookCmd is what a client does with webhooks.
type webhookCmd struct {
	Create     webhookCreateCmd     `cmd:"" help:"Have an endpoint told of events; its secret is shown once."`
	List       webhookListCmd       `cmd:"" help:"List webhooks."`
	Update     webhookUpdateCmd     `cmd:"" help:"Change a webhook, or give it a new secret."`
	Enable     webhookEnableCmd     `cmd:"" help:"Enable a webhook: what waits is sent."`
	Disable    webhookDisableCmd    `cmd:"" help:"Disable a webhook: it is told of nothing from now on."`
	Delete     webhookDeleteCmd     `cmd:"" help:"Remove a webhook with its log."`
	Test       webhookTestCmd       `cmd:"" help:"Send a ping, and say what came of it."`
	Deliveries webhookDeliveriesCmd `cmd:"" help:"List what a webhook was sent, or show one delivery with all its tries."`
	Redeliver  webhookRedeliverCmd  `cmd:"" help:"Send a delivery once more."`
	Verify     webhookVerifyCmd     `cmd:"" help:"Check the signature of a request that an endpoint got."`
}

type webhookCreateCmd struct {
	serverFlags

	Endpoint string   `arg:"" help:"The endpoint's URL: https://…"`
	Event    []string `placeholder:"TYPE" help:"Tell of this event; may be given several times. None: all but judgement.started and run.judged."`
	Problem  []string `placeholder:"PROBLEM" help:"Only of this problem; may be given several times."`
	Contest  []string `placeholder:"CONTEST" help:"Only of this contest; may be given several times."`
	Secret   string   `placeholder:"whsec_…" help:"What requests are signed with; better as JUDGE_SECRET. Else one is made."`
	JSON     bool     `help:"One JSON object."`
}

// Help is shown by judge webhook create --help.
func (webhookCreateCmd) Help() string {
	return `The endpoint gets a POST for each event, at least once and in no order, signed as Standard Webhooks 1.0.0 has it: libraries for most languages verify that, and judge webhook verify does.

Examples:
  judge webhook create https://platform.example/judge
  judge webhook create https://platform.example/judge --event judgement.judged --contest spring-finals`
}

// Run makes a webhook.
func (c *webhookCreateCmd) Run(a *app) error {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	call, err := apiCall{method: http.MethodPost, path: "webhooks", once: true}.withJSON(api.WebhookRequest{
		URL: c.Endpoint, Events: c.Event, Problems: c.Problem, Contests: c.Contest, Secret: c.Secret,
	})
	if err != nil {
		return err
	}
	var made api.Webhook
	if _, err := cl.do(a.ctx, call, &made); err != nil {
		return err
	}
	return a.tellSecret(&made, c.JSON, "is made")
}

// tellSecret shows a webhook that has a new secret.
func (a *app) tellSecret(w *api.Webhook, asJSON bool, done string) error {
	if asJSON {
		return jsonLines(a.out).Encode(w) //nolint:gosec // it is shown once, to whoever made it
	}
	a.notef("webhook %s (%s) %s.", w.ID, w.URL, done)
	if w.Secret == nil {
		a.notef("\n")
		return nil
	}
	a.notef(" Its secret, which is not shown again:\n")
	_, err := fmt.Fprintln(a.out, *w.Secret)
	return err
}

type webhookListCmd struct {
	serverFlags

	JSON bool `help:"One webhook a line, as JSON."`
}

// Run lists webhooks.
func (c *webhookListCmd) Run(a *app) error {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	var rows [][]string
	err = listAll(a.ctx, cl, "webhooks", func(w api.Webhook) error {
		if c.JSON {
			return jsonLines(a.out).Encode(w) //nolint:gosec // it is shown once, to whoever made it
		}
		state := "enabled"
		switch {
		case !w.Enabled && w.DisabledReason != nil:
			state = "off: " + *w.DisabledReason
		case !w.Enabled:
			state = "off"
		case w.FailingSince != nil:
			state = "failing since " + time.Time(*w.FailingSince).UTC().Format(time.DateTime)
		}
		of := strings.Join(append(append([]string{}, w.Problems...), w.Contests...), " ")
		rows = append(rows, []string{w.ID, w.URL, strings.Join(w.Events, " "), cmp.Or(of, "all"), judge.SafeText([]byte(state), maxName)})
		return nil
	})
	if err != nil || c.JSON {
		return err
	}
	t := &table{out: a.out, columns: []column{{title: "id"}, {title: "url"}, {title: "events"}, {title: "of"}, {title: "state"}}}
	return t.all(rows)
}

// webhookID names a webhook.
type webhookID struct {
	serverFlags

	ID   string `arg:"" name:"webhook" help:"The webhook's id, as judge webhook list shows it."`
	JSON bool   `help:"One JSON object."`
}

// change sends a change of the webhook.
func (c *webhookID) change(a *app, change api.WebhookChange, done string) error {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	call, err := apiCall{method: http.MethodPatch, path: "webhooks/" + url.PathEscape(c.ID), once: change.NewSecret}.withJSON(change)
	if err != nil {
		return err
	}
	var now api.Webhook
	if _, err := cl.do(a.ctx, call, &now); err != nil {
		return err
	}
	return a.tellSecret(&now, c.JSON, done)
}

type webhookUpdateCmd struct {
	webhookID

	Endpoint  *string  `placeholder:"URL" help:"The endpoint's new URL."`
	Event     []string `placeholder:"TYPE" help:"Tell of this event, and of others only where they are named too."`
	Problem   []string `placeholder:"PROBLEM" help:"Only of this problem; may be given several times."`
	Contest   []string `placeholder:"CONTEST" help:"Only of this contest; may be given several times."`
	All       bool     `help:"Of all problems and contests."`
	NewSecret bool     `help:"Make a new secret; for a day requests are signed with the old one too."`
	Secret    *string  `placeholder:"whsec_…" help:"The new secret; better as JUDGE_SECRET."`
}

// Run changes a webhook.
func (c *webhookUpdateCmd) Run(a *app) error {
	list := func(names []string) *[]string {
		if c.All {
			names = []string{}
		} else if len(names) == 0 {
			return nil
		}
		return &names
	}
	change := api.WebhookChange{URL: c.Endpoint, Problems: list(c.Problem), Contests: list(c.Contest), NewSecret: c.NewSecret, Secret: c.Secret}
	if len(c.Event) > 0 {
		change.Events = &c.Event
	}
	if c.All && len(c.Problem)+len(c.Contest) > 0 {
		return badInput{errors.New("--all: give either that or --problem and --contest")}
	}
	return c.change(a, change, "is changed")
}

type webhookEnableCmd struct{ webhookID }

// Run enables a webhook.
func (c *webhookEnableCmd) Run(a *app) error {
	yes := true
	return c.change(a, api.WebhookChange{Enabled: &yes}, "is enabled")
}

type webhookDisableCmd struct{ webhookID }

// Run disables a webhook.
func (c *webhookDisableCmd) Run(a *app) error {
	no := false
	return c.change(a, api.WebhookChange{Enabled: &no}, "is disabled")
}

type webhookDeleteCmd struct {
	serverFlags

	ID  string `arg:"" name:"webhook" help:"The webhook's id, as judge webhook list shows it."`
	Yes bool   `help:"Yes: what waits to be sent is lost, and the log with it."`
}

// Run removes a webhook.
func (c *webhookDeleteCmd) Run(a *app) error {
	if !c.Yes {
		return badInput{errors.New("what waits to be sent is lost, and the log of what was sent: say so with --yes, or see judge webhook disable")}
	}
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	if _, err := cl.do(a.ctx, apiCall{method: http.MethodDelete, path: "webhooks/" + url.PathEscape(c.ID)}, nil); err != nil {
		return err
	}
	a.notef("webhook %s is removed\n", c.ID)
	return nil
}

type webhookVerifyCmd struct {
	Secret    string   `required:"" placeholder:"whsec_…" help:"The webhook's secret; better as JUDGE_SECRET."`
	ID        string   `required:"" name:"id" placeholder:"TEXT" help:"The request's header webhook-id."`
	Timestamp string   `required:"" placeholder:"SECONDS" help:"The request's header webhook-timestamp."`
	Signature string   `required:"" placeholder:"TEXT" help:"The request's header webhook-signature."`
	Tolerance *seconds `placeholder:"D" help:"How far the timestamp may be from now; else any time will do."`
	Body      string   `arg:"" default:"-" help:"The file with the request's body, byte for byte; - is standard input."`
}

// Help is shown by judge webhook verify --help.
func (webhookVerifyCmd) Help() string {
	return `For whoever writes a receiver. Exit code 0: the signature is of this secret, body, id and timestamp; 2: it is not, and why.`
}

// maxBody is how much of a request's body is read, in bytes.
const maxBody = 64 << 20

// Run checks a signature.
func (c *webhookVerifyCmd) Run(a *app) (err error) {
	secret, err := webhook.ParseSecret(c.Secret)
	if err != nil {
		return badInput{fmt.Errorf("--secret: %w", err)}
	}
	from := a.in
	if c.Body != "-" {
		f, err := os.Open(c.Body)
		if err != nil {
			return badInput{err}
		}
		defer func() { _ = f.Close() }() // nothing was written
		from = f
	}
	body, err := io.ReadAll(io.LimitReader(from, maxBody))
	if err != nil {
		return badInput{fmt.Errorf("read body: %w", err)}
	}
	h := http.Header{}
	h.Set(webhook.HeaderID, c.ID)
	h.Set(webhook.HeaderTimestamp, c.Timestamp)
	h.Set(webhook.HeaderSignature, c.Signature)
	tolerance := 100 * 365 * 24 * time.Hour
	if c.Tolerance != nil {
		tolerance = time.Duration(*c.Tolerance)
	}
	if err := secret.Verify(h, body, time.Now(), tolerance); err != nil {
		return badInput{err}
	}
	_, err = fmt.Fprintln(a.out, "the signature is good")
	return err
}
