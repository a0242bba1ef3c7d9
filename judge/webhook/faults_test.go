//go:build postgres

package webhook_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/webhook"
)

// TestOurFaults do not count against the endpoint, and are in the log.
func TestOurFaults(t *testing.T) {
	o := newOffice(t)
	hook, _ := o.hook(o.receiver(answer(200, "")).URL)
	missing, _ := o.hook(hook.URL)
	other := parseKey(t, webhook.NewKeyText())
	sealed := other.Seal(hook.ID, webhook.NewSecret())
	hook.Secret = sealed
	if err := o.Tx(t.Context(), func(tx *store.Tx) error { return tx.ChangeWebhook(t.Context(), hook) }); err != nil {
		t.Fatal(err)
	}
	o.body = func(_ context.Context, d judge.Delivery) ([]byte, error) {
		return nil, fmt.Errorf("judgement %s: %w", d.Event.JudgementID, judge.ErrNotFound)
	}
	o.Submit(t, "ada", judge.PriorityContest)
	o.send()
	d, try := o.tried(hook)
	if d.State != judge.DeliveryWaiting || d.Failures != 0 || !strings.Contains(try.Error, "sealed with key "+other.ID()) || !strings.Contains(try.Error, "JUDGE_SECRET_KEY") {
		t.Errorf("%+v %+v", d, try)
	}
	d, try = o.tried(missing)
	if d.State != judge.DeliveryFailed || d.Failures != 0 || !strings.Contains(try.Error, "not kept any more") {
		t.Errorf("%+v %+v", d, try)
	}
	for _, w := range []judge.Webhook{hook, missing} {
		if w, err := o.Webhook(t.Context(), w.ID); err != nil || !w.FailingSince.IsZero() || w.GivenUp != 0 {
			t.Errorf("%+v, %v", w, err)
		}
	}
}

// TestPauses: a delivery is tried nine times, after pauses that grow, and then
// given up; an endpoint that says when is asked then.
func TestPauses(t *testing.T) {
	o := newOffice(t)
	hook, _ := o.hook(o.receiver(answer(503, "")).URL)
	polite, _ := o.hook(o.receiver(answer(429, "", "Retry-After", "600")).URL)
	o.Submit(t, "ada", judge.PriorityContest)
	d := o.deliverer()
	var waits []time.Duration
	for {
		begun := time.Now()
		if err := d.Deliver(t.Context(), hook.ID); err != nil {
			t.Fatal(err)
		}
		now := o.deliveries(hook, "")[0]
		if now.State == judge.DeliveryFailed {
			break
		}
		waits = append(waits, now.NextAt.Sub(begun))
		if _, err := o.Pool().Exec(t.Context(), "UPDATE webhook_deliveries SET next_at = now() WHERE webhook_id = $1", hook.ID); err != nil {
			t.Fatal(err)
		}
	}
	want := []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 3 * time.Hour, 8 * time.Hour, 24 * time.Hour}
	if !slices.EqualFunc(waits, want, func(got, want time.Duration) bool { return got >= want && got <= want*11/10+time.Minute }) {
		t.Errorf("waited %v, want %v", waits, want)
	}
	begun := time.Now()
	if err := d.Deliver(t.Context(), polite.ID); err != nil {
		t.Fatal(err)
	}
	if wait := o.deliveries(polite, "")[0].NextAt.Sub(begun); wait < 600*time.Second || wait > 700*time.Second {
		t.Errorf("asked to wait 600 s, it waits %v", wait)
	}
}
