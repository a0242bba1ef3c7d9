package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"judge/api"
	"judge/judge"
)

type webhookDeliveriesCmd struct {
	serverFlags

	ID       string `arg:"" name:"webhook" help:"The webhook's id, as judge webhook list shows it."`
	Delivery string `arg:"" optional:"" help:"One delivery, to be shown with its body and all tries."`
	State    string `enum:",waiting,delivered,failed" default:"" placeholder:"STATE" help:"Only those that are waiting, delivered or failed."`
	Last     int    `default:"50" placeholder:"N" help:"How many, newest first (${default}); 0: all that are kept."`
	JSON     bool   `help:"One delivery a line, as JSON."`
}

// errEnough ends a list.
var errEnough = errors.New("enough")

// Run lists deliveries, or shows one.
func (c *webhookDeliveriesCmd) Run(a *app) error {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	if c.Delivery != "" {
		var d api.Delivery
		if _, err := cl.do(a.ctx, apiCall{method: http.MethodGet, path: "webhook-deliveries/" + url.PathEscape(c.Delivery)}, &d); err != nil {
			return err
		}
		return a.tellDelivery(&d, c.JSON, true)
	}
	path := "webhooks/" + url.PathEscape(c.ID) + "/deliveries"
	n, rows := 0, [][]string{}
	query := url.Values{"limit": {"200"}}
	if c.State != "" {
		query.Set("state", c.State)
	}
	err = listPages(a.ctx, cl, path, query, func(d api.Delivery) error {
		if n++; c.Last > 0 && n > c.Last {
			return errEnough
		}
		if c.JSON {
			return jsonLines(a.out).Encode(d)
		}
		var what []string
		for _, p := range []*string{d.Contest, d.Problem, d.SubmissionID} {
			if p != nil {
				what = append(what, *p)
			}
		}
		rows = append(rows, []string{d.ID, time.Time(d.At).UTC().Format(time.DateTime), d.Type, orDash(strings.Join(what, " ")), d.State, strconv.Itoa(d.Tries), dueText(&d)})
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) || c.JSON {
		return ignore(err, errEnough)
	}
	t := &table{out: a.out, columns: []column{{title: "delivery"}, {title: "at (UTC)"}, {title: "event"}, {title: "of"}, {title: "state"}, {title: "tries", right: true}, {title: "next try"}}}
	return t.all(rows)
}

func ignore(err, harmless error) error {
	if errors.Is(err, harmless) {
		return nil
	}
	return err
}

func dueText(d *api.Delivery) string {
	if d.NextAt == nil {
		return "-"
	}
	return time.Time(*d.NextAt).UTC().Format(time.DateTime)
}

// tellDelivery shows a delivery with its tries, and with bodies where whole.
func (a *app) tellDelivery(d *api.Delivery, asJSON, whole bool) error {
	if asJSON {
		return jsonLines(a.out).Encode(d)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s  %s\n", d.ID, d.Type, d.State)
	for _, t := range d.Log {
		said := "no answer"
		if t.Status != nil {
			said = strconv.Itoa(*t.Status)
		}
		fmt.Fprintf(&b, "  try %d at %s, %.3f s: %s", t.Number, time.Time(t.At).UTC().Format(time.DateTime), t.Duration, said)
		if t.Error != nil {
			fmt.Fprintf(&b, "; %s", judge.SafeText([]byte(*t.Error), maxShown))
		}
		b.WriteString("\n")
		if whole && t.Answer != nil {
			b.WriteString(indent(judge.SafeText([]byte(*t.Answer), maxShown), 20))
		}
	}
	if d.NextAt != nil {
		fmt.Fprintf(&b, "  next try at %s\n", dueText(d))
	}
	if whole && d.Body != nil {
		b.WriteString("  body:\n" + indent(judge.SafeText([]byte(*d.Body), 16*maxShown), 100))
	}
	_, err := a.out.Write([]byte(b.String()))
	return err
}

type webhookRedeliverCmd struct {
	serverFlags

	ID   string `arg:"" name:"delivery" help:"The delivery's id, as judge webhook deliveries shows it."`
	JSON bool   `help:"One JSON object."`
}

// Run sends a delivery once more, and waits for what comes of it.
func (c *webhookRedeliverCmd) Run(a *app) error {
	return a.sendNow(c.serverFlags, "webhook-deliveries/"+url.PathEscape(c.ID)+"/redeliver", c.JSON)
}

type webhookTestCmd struct{ webhookID }

// Run sends a ping, and waits for what comes of it.
func (c *webhookTestCmd) Run(a *app) error {
	return a.sendNow(c.serverFlags, "webhooks/"+url.PathEscape(c.ID)+"/test", c.JSON)
}

// How long a command waits for a try: longer than one may take.
const (
	tryPatience = 45 * time.Second
	tryLook     = 200 * time.Millisecond
)

// sendNow asks for a delivery, and waits until it was tried. It fails where that
// failed.
func (a *app) sendNow(flags serverFlags, path string, asJSON bool) error {
	cl, err := flags.client(a)
	if err != nil {
		return err
	}
	var d api.Delivery
	if _, err := cl.do(a.ctx, apiCall{method: http.MethodPost, path: path, once: true}, &d); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(a.ctx, tryPatience)
	defer cancel()
	for before := len(d.Log); len(d.Log) == before; {
		select {
		case <-ctx.Done():
			if a.ctx.Err() != nil {
				return a.ctx.Err()
			}
			return fmt.Errorf("delivery %s was not tried in %.0f s; judge webhook deliveries shows what becomes of it", d.ID, tryPatience.Seconds())
		case <-time.After(tryLook):
		}
		if _, err := cl.do(ctx, apiCall{method: http.MethodGet, path: "webhook-deliveries/" + d.ID}, &d); err != nil {
			return err
		}
	}
	if err := a.tellDelivery(&d, asJSON, false); err != nil {
		return err
	}
	if d.State != string(judge.DeliveryDelivered) {
		return exitCode(exitFailed)
	}
	return nil
}
