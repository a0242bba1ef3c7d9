package webhook

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"judge/judge"
)

const (
	// atOnce is how many requests one endpoint gets at once from one process: it may
	// be slow, and then no more than these wait for it.
	atOnce = 4
	// TryTime is what one try may take, from dialling to the end of the answer.
	TryTime = 15 * time.Second
	// slack is what a try may take beside that until it is taken for dead.
	slack = 15 * time.Second
	// holdTime is how long what we cannot send for a fault of ours waits.
	holdTime = 5 * time.Minute
	// maxAfter bounds what an endpoint may ask for by Retry-After.
	maxAfter = time.Hour
)

// pauses are those between the tries of a delivery; after the last one it is
// given up. Each is made up to a tenth longer at random, so that what failed
// together does not come back together.
var pauses = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 3 * time.Hour, 8 * time.Hour, 24 * time.Hour,
}

// Records keep webhooks and deliveries: *store.Store and the queue behind one
// interface.
type Records interface {
	Webhook(ctx context.Context, id string) (judge.Webhook, error)
	ClaimDelivery(ctx context.Context, webhook string, within time.Duration) (d judge.Delivery, ok bool, err error)
	// FinishTry writes what a try came to, and has the webhook sent for again when a
	// delivery is to be tried again.
	FinishTry(ctx context.Context, o *judge.DeliveryOutcome) error
}

// Config is what a Deliverer works with.
type Config struct {
	Records Records
	// Body is what a delivery says; judge.ErrNotFound: what it is about is not kept
	// any more. Other errors are ours, and it is asked again.
	Body  func(ctx context.Context, d judge.Delivery) ([]byte, error)
	Key   *Key
	Guard Guard
	Roots *x509.CertPool // that certificates are checked against; nil: the system's
	Agent string         // that requests name as their sender
	Time  time.Duration  // of one try; 0: TryTime
	Log   *slog.Logger
}

// Deliverer delivers. Its methods may be called by many goroutines.
type Deliverer struct {
	Config

	sender *sender
	mu     sync.Mutex
	busy   map[string]*endpoint
}

// endpoint is one that is being sent something.
type endpoint struct {
	senders int
	again   bool // somebody came who found enough senders there
}

// New makes a Deliverer.
func New(c Config) *Deliverer {
	if c.Time == 0 {
		c.Time = TryTime
	}
	return &Deliverer{Config: c, sender: newSender(c), busy: map[string]*endpoint{}}
}

// Deliver sends what a webhook has due, until nothing is, or leaves that to those
// who are at it in this process if they are enough. An error is ours: what was
// due still is.
func (d *Deliverer) Deliver(ctx context.Context, webhook string) error {
	if !d.enter(webhook) {
		return nil
	}
	for {
		delivery, ok, err := d.Records.ClaimDelivery(ctx, webhook, d.Time+slack)
		switch {
		case err != nil:
			d.leave(webhook, true)
			return err
		case ok:
			if err := d.deliver(ctx, delivery); err != nil {
				d.leave(webhook, true)
				return err
			}
		case d.leave(webhook, false):
			return nil
		}
	}
}

func (d *Deliverer) enter(webhook string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.busy[webhook]
	if e == nil {
		e = &endpoint{}
		d.busy[webhook] = e
	}
	if e.senders == atOnce {
		e.again = true
		return false
	}
	e.senders++
	return true
}

// leave ends a sender that found nothing to send, unless somebody came meanwhile
// and left their news to it; or in any case.
func (d *Deliverer) leave(webhook string, now bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.busy[webhook]
	if e.again && !now {
		e.again = false
		return false
	}
	if e.senders--; e.senders == 0 {
		delete(d.busy, webhook)
	}
	return true
}

// deliver makes one try and writes what it came to.
func (d *Deliverer) deliver(ctx context.Context, delivery judge.Delivery) error {
	w, err := d.Records.Webhook(ctx, delivery.WebhookID)
	if errors.Is(err, judge.ErrNotFound) {
		return nil // it was removed just now, with its deliveries
	}
	if err != nil {
		return err
	}
	o, err := d.try(ctx, &w, &delivery)
	if err != nil {
		return err
	}
	// A request that was made is to be on record, also while this process ends.
	err = d.Records.FinishTry(context.WithoutCancel(ctx), o)
	if errors.Is(err, judge.ErrStale) {
		return nil
	}
	return err
}

func (d *Deliverer) try(ctx context.Context, w *judge.Webhook, delivery *judge.Delivery) (*judge.DeliveryOutcome, error) {
	o := &judge.DeliveryOutcome{
		DeliveryID: delivery.ID, WebhookID: w.ID, Body: delivery.Body, State: judge.DeliveryWaiting,
		Try: judge.DeliveryTry{Number: delivery.Tries, At: time.Now()},
	}
	secrets, fault := d.secrets(w)
	if fault != nil { // it stays due, and the log of deliveries says why
		d.Log.ErrorContext(ctx, "a webhook cannot be told", "webhook", w.ID, "error", fault)
		o.Ours, o.NextAt, o.Try.Error = true, time.Now().Add(holdTime), "it was not sent: "+fault.Error()
		return o, nil
	}
	if o.Body == nil {
		body, gone, err := d.say(ctx, delivery)
		if err != nil {
			return nil, err
		}
		if gone {
			o.Ours, o.State, o.Try.Error = true, judge.DeliveryFailed, "it was not sent: what it tells of is not kept any more"
			return o, nil
		}
		o.Body = body
	}
	var answer http.Header
	o.Try, answer = d.sender.send(ctx, w, delivery, o.Body, secrets...)
	if o.Try.Error != "" && ctx.Err() != nil {
		// It was us who broke it off: not the endpoint's fault, and another's to do.
		o.Ours, o.NextAt, o.Try.Error = true, time.Now(), "the server that was sending it ended"
		return o, nil //nolint:nilerr // it is told by the outcome
	}
	d.judge(o, delivery, answer)
	return o, nil
}

// say writes what a delivery says; gone: that is not kept any more.
func (d *Deliverer) say(ctx context.Context, delivery *judge.Delivery) (body []byte, gone bool, err error) {
	body, err = d.Body(ctx, *delivery)
	switch {
	case errors.Is(err, judge.ErrNotFound):
		return nil, true, nil
	case err != nil:
		return nil, false, fmt.Errorf("write delivery %s: %w", delivery.ID, err)
	}
	return body, false, nil
}

// judge decides what follows from a try.
func (d *Deliverer) judge(o *judge.DeliveryOutcome, delivery *judge.Delivery, answer http.Header) {
	switch {
	case o.Try.Error == "":
		o.State = judge.DeliveryDelivered
	case o.Try.Status == http.StatusGone:
		// The specification's way for a receiver to say that it wants no more.
		o.State, o.SwitchOff = judge.DeliveryFailed, o.Try.Error
	case delivery.Failures >= len(pauses):
		o.State = judge.DeliveryFailed
	default:
		pause := pauses[delivery.Failures]
		pause += rand.N(pause/10 + 1) //nolint:gosec // spread, not secrecy
		if after, err := strconv.Atoi(answer.Get("Retry-After")); err == nil && after > 0 {
			pause = max(pause, min(time.Duration(after)*time.Second, maxAfter))
		}
		o.NextAt = time.Now().Add(pause)
	}
}

// secrets are those that sign: for a while after a change two.
func (d *Deliverer) secrets(w *judge.Webhook) ([]Secret, error) {
	s, err := d.Key.Open(w.ID, w.Secret)
	if err != nil {
		return nil, err
	}
	out := []Secret{s}
	if w.OldSecret.Data != nil && time.Now().Before(w.OldUntil) {
		if old, err := d.Key.Open(w.ID, w.OldSecret); err == nil {
			out = append(out, old)
		}
	}
	return out, nil
}
