//go:build postgres

package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

func newWebhook(tb testing.TB, w *storetest.World, change func(*judge.Webhook)) judge.Webhook {
	tb.Helper()
	hook := judge.Webhook{
		ID: uuid.Must(uuid.NewV7()).String(), URL: "https://example.org/", TokenID: w.Token.ID, Secret: judge.SealedSecret{Data: []byte{1, 2}, KeyID: "k"},
		Events: []judge.EventType{judge.SubmissionCreated, judge.JudgementJudged, judge.JudgementCancelled},
	}
	if change != nil {
		change(&hook)
	}
	hook, err := w.CreateWebhook(tb.Context(), hook)
	if err != nil {
		tb.Fatal(err)
	}
	return hook
}

func deliveries(tb testing.TB, s *store.Store, webhook string) (types []judge.EventType) {
	tb.Helper()
	list, err := s.Deliveries(tb.Context(), webhook, "", "", 1000)
	if err != nil {
		tb.Fatal(err)
	}
	for _, d := range slices.Backward(list) {
		types = append(types, d.Event.Type)
	}
	return types
}

// TestDeliveriesWithEvents: each webhook gets what it asked for, in the transaction
// that made it, and whoever delivers is told of it there.
func TestDeliveriesWithEvents(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	var told [][]string
	w.Due = func(_ context.Context, _ pgx.Tx, webhooks []string) error {
		slices.Sort(webhooks)
		told = append(told, webhooks)
		return nil
	}
	all := newWebhook(t, w, nil)
	hooks := map[string]struct {
		hook judge.Webhook
		want string
	}{
		"default":       {all, "[submission.created judgement.judged]"},
		"runs":          {newWebhook(t, w, func(h *judge.Webhook) { h.Events = []judge.EventType{judge.RunJudged} }), "[run.judged]"},
		"problem":       {newWebhook(t, w, func(h *judge.Webhook) { h.Problems = []string{"x", "aplusb"} }), "[submission.created judgement.judged]"},
		"other problem": {newWebhook(t, w, func(h *judge.Webhook) { h.Problems = []string{"x"} }), "[]"},
		"scope":         {newWebhook(t, w, func(h *judge.Webhook) { h.Scope.Problems = []string{"aplusb"} }), "[submission.created judgement.judged]"},
		"other scope":   {newWebhook(t, w, func(h *judge.Webhook) { h.Scope.Problems = []string{"x"} }), "[]"},
		"no problem":    {newWebhook(t, w, func(h *judge.Webhook) { h.Scope.Contests = []string{"x"} }), "[]"},
	}
	stop := errors.New("rolled back")
	err := w.Tx(ctx, func(tx *store.Tx) error {
		_, _, err := tx.CreateSubmission(ctx, w.Submission("ada", judge.PriorityContest))
		return errors.Join(stop, err)
	})
	if !errors.Is(err, stop) || len(deliveries(t, w.Store, all.ID)) != 0 || len(told) != 0 {
		t.Fatalf("rolled back: %v, %d deliveries, told %v", err, len(deliveries(t, w.Store, all.ID)), told)
	}
	j := w.Submit(t, "ada", judge.PriorityContest)
	task := take(t, w.Store, worker(t, w.Store, 1))
	in(t, w.Store, func(tx *store.Tx) error {
		return tx.Progress(ctx, task.Lease, judge.Running, nil, []judge.Run{{Ordinal: 1, Case: "secret/1", Verdict: judge.AC}})
	})
	finish(t, w.Store, task.Lease, judge.AC)
	for name, tt := range hooks {
		if got := fmt.Sprint(deliveries(t, w.Store, tt.hook.ID)); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	if len(told) != 3 || len(told[0]) != 3 || !slices.Equal(told[1], []string{hooks["runs"].hook.ID}) {
		t.Errorf("told %v", told)
	}
	list, err := w.Deliveries(ctx, all.ID, judge.DeliveryWaiting, "", 1)
	if err != nil || len(list) != 1 || list[0].Event.JudgementID != j.ID || list[0].Event.Attempt != 1 || list[0].Event.Problem != "aplusb" {
		t.Fatalf("%+v, %v", list, err)
	}
	if id, err := uuid.Parse(list[0].ID); err != nil || id.Version() != 7 || id.Variant() != uuid.RFC4122 || time.Since(time.Unix(id.Time().UnixTime())).Abs() > time.Hour {
		t.Errorf("id %s of version %d: %v", list[0].ID, id.Version(), err)
	}
	if older, err := w.Deliveries(ctx, all.ID, "", list[0].ID, 10); err != nil || len(older) != 1 || older[0].Event.Type != judge.SubmissionCreated {
		t.Errorf("before the last: %+v, %v", older, err)
	}
}

// claimed takes the delivery that is due.
func claimed(tb testing.TB, s *store.Store, webhook string) judge.Delivery {
	tb.Helper()
	d, ok, err := s.ClaimDelivery(tb.Context(), webhook, time.Minute)
	if err != nil || !ok {
		tb.Fatalf("nothing to deliver: %v", err)
	}
	return d
}

func outcome(d judge.Delivery, state judge.DeliveryState, fault string) *judge.DeliveryOutcome {
	return &judge.DeliveryOutcome{
		DeliveryID: d.ID, WebhookID: d.WebhookID, Body: []byte("{}"), State: state, NextAt: time.Now().Add(-time.Second),
		Try: judge.DeliveryTry{Number: d.Tries, At: time.Now(), Duration: time.Second, Error: fault, Headers: map[string]string{"webhook-id": d.ID}, Answer: "a"},
	}
}

func finishTry(tb testing.TB, s *store.Store, o *judge.DeliveryOutcome) {
	tb.Helper()
	in(tb, s, func(tx *store.Tx) error { return tx.FinishTry(tb.Context(), o) })
}

// TestTries: a delivery is had by one at a time, and again when that one is dead,
// who then can write no more.
func TestTries(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	hook := newWebhook(t, w, nil)
	w.Submit(t, "ada", judge.PriorityContest)
	first := claimed(t, w.Store, hook.ID)
	if _, ok, err := w.ClaimDelivery(ctx, hook.ID, time.Minute); ok || err != nil {
		t.Fatalf("had twice: %v", err)
	}
	if due, err := w.DueWebhooks(ctx, 0); len(due) != 0 || err != nil {
		t.Errorf("due while it is tried: %v, %v", due, err)
	}
	exec(t, w.Store, "UPDATE webhook_deliveries SET next_at = now() - interval '1 minute'") // time passes
	if due, err := w.DueWebhooks(ctx, time.Second); !slices.Equal(due, []string{hook.ID}) || err != nil {
		t.Errorf("due after the death of who had it: %v, %v", due, err)
	}
	second := claimed(t, w.Store, hook.ID)
	if second.ID != first.ID || second.Tries != 2 {
		t.Errorf("%+v after %+v", second, first)
	}
	err := w.Tx(ctx, func(tx *store.Tx) error { return tx.FinishTry(ctx, outcome(first, judge.DeliveryDelivered, "")) })
	wantErr(t, "write of the dead one", err, judge.ErrStale)
	finishTry(t, w.Store, outcome(second, judge.DeliveryWaiting, "no answer"))
	if h, err := w.Webhook(ctx, hook.ID); err != nil || h.FailingSince.IsZero() {
		t.Errorf("%+v, %v: want failing", h, err)
	}
	finishTry(t, w.Store, outcome(claimed(t, w.Store, hook.ID), judge.DeliveryDelivered, ""))
	if h, err := w.Webhook(ctx, hook.ID); err != nil || !h.FailingSince.IsZero() {
		t.Errorf("%+v, %v: want no failure", h, err)
	}
	d, err := w.Delivery(ctx, first.ID)
	if err != nil || d.State != judge.DeliveryDelivered || d.EndedAt.IsZero() || string(d.Body) != "{}" || d.Failures != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	tries, err := w.DeliveryTries(ctx, d.ID)
	if err != nil || len(tries) != 3 || tries[0].Error == "" || tries[1].Number != 2 || tries[1].Error != "no answer" || tries[2].Headers["webhook-id"] != d.ID || tries[2].Duration != time.Second {
		t.Errorf("%+v, %v", tries, err)
	}
	in(t, w.Store, func(tx *store.Tx) error {
		d, err := tx.Redeliver(ctx, d.ID)
		if d.State != judge.DeliveryWaiting || d.Failures != 0 || d.Tries != 3 {
			t.Errorf("%+v", d)
		}
		return err
	})
	err = w.Tx(ctx, func(tx *store.Tx) error { _, err := tx.Redeliver(ctx, d.ID); return err })
	wantErr(t, "redeliver what waits", err, judge.ErrConflict)
}

// TestSwitchOff: an endpoint that fails for long is told no more, on record; what
// happens is kept for it until it is enabled.
func TestSwitchOff(t *testing.T) {
	ctx := t.Context()
	for name, tt := range map[string]struct {
		before string // done to the webhook
		state  judge.DeliveryState
		change func(*judge.DeliveryOutcome)
		off    bool
	}{
		"young":         {"failing_since = now() - interval '71 hours'", judge.DeliveryWaiting, nil, false},
		"for days":      {"failing_since = now() - interval '73 hours'", judge.DeliveryWaiting, nil, true},
		"our own fault": {"failing_since = now() - interval '73 hours'", judge.DeliveryWaiting, func(o *judge.DeliveryOutcome) { o.Ours = true }, false},
		"given up":      {"given_up = 49", judge.DeliveryFailed, nil, true},
		"one less":      {"given_up = 48", judge.DeliveryFailed, nil, false},
		"at once":       {"given_up = 0", judge.DeliveryFailed, func(o *judge.DeliveryOutcome) { o.SwitchOff = "gone" }, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.NewWorld(t)
			hook := newWebhook(t, w, nil)
			exec(t, w.Store, "UPDATE webhooks SET "+tt.before)
			w.Submit(t, "ada", judge.PriorityContest)
			o := outcome(claimed(t, w.Store, hook.ID), tt.state, "no answer")
			if tt.change != nil {
				tt.change(o)
			}
			finishTry(t, w.Store, o)
			h, err := w.Webhook(ctx, hook.ID)
			if err != nil || (h.State == judge.WebhookFailing) != tt.off || (h.Reason != "") != tt.off {
				t.Fatalf("%+v, %v", h, err)
			}
			log, err := w.AuditLog(ctx, hook.ID, 10)
			if err != nil || (len(log) == 1) != tt.off {
				t.Errorf("on record: %+v, %v", log, err)
			}
			if !tt.off {
				return
			}
			w.Submit(t, "bob", judge.PriorityContest)
			if _, ok, err := w.ClaimDelivery(ctx, hook.ID, time.Minute); ok || err != nil {
				t.Errorf("it is told: %v", err)
			}
			err = w.Tx(ctx, func(tx *store.Tx) error { _, err := tx.Ping(ctx, hook.ID); return err })
			wantErr(t, "ping", err, judge.ErrConflict)
			h.State, h.Reason = judge.WebhookEnabled, ""
			in(t, w.Store, func(tx *store.Tx) error { return tx.ChangeWebhook(ctx, h) })
			if due, err := w.DueWebhooks(ctx, -time.Second); len(due) != 1 || err != nil {
				t.Errorf("enabled, it is not due: %v", err)
			}
			claimed(t, w.Store, hook.ID)
			h.State = judge.WebhookOff
			in(t, w.Store, func(tx *store.Tx) error { return tx.ChangeWebhook(ctx, h) })
			before := len(deliveries(t, w.Store, hook.ID))
			w.Submit(t, "eve", judge.PriorityContest)
			if n := len(deliveries(t, w.Store, hook.ID)); n != before {
				t.Errorf("%d deliveries for one that is off, %d before", n, before)
			}
		})
	}
}

// TestWebhookEnds: with its token, or by hand; and old deliveries are forgotten.
func TestWebhookEnds(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	hook := newWebhook(t, w, nil)
	w.Submit(t, "ada", judge.PriorityContest)
	finishTry(t, w.Store, outcome(claimed(t, w.Store, hook.ID), judge.DeliveryWaiting, "no"))
	if n, err := w.EndWebhooks(ctx); n != 0 || err != nil {
		t.Errorf("%d ended, %v", n, err)
	}
	if err := w.RevokeToken(ctx, w.Token.ID); err != nil {
		t.Fatal(err)
	}
	if n, err := w.EndWebhooks(ctx); n != 1 || err != nil {
		t.Errorf("%d ended with their tokens, %v", n, err)
	}
	for _, tt := range []struct {
		age  time.Duration
		dry  bool
		want int
	}{{time.Hour, false, 0}, {-time.Second, true, 1}, {-time.Second, false, 1}, {-time.Second, false, 0}} {
		if n, err := w.PruneDeliveries(ctx, tt.age, 10, tt.dry); n != tt.want || err != nil {
			t.Errorf("%+v: %d forgotten, %v", tt, n, err)
		}
	}
	if err := w.DeleteWebhook(ctx, hook.ID); err != nil {
		t.Error(err)
	}
	wantErr(t, "again", w.DeleteWebhook(ctx, hook.ID), judge.ErrNotFound)
	for _, f := range []func(string) error{
		func(id string) error { _, err := w.Webhook(ctx, id); return err },
		func(id string) error { _, err := w.Delivery(ctx, id); return err },
		func(id string) error {
			return w.Tx(ctx, func(tx *store.Tx) error { _, err := tx.Ping(ctx, id); return err })
		},
		func(id string) error {
			return w.Tx(ctx, func(tx *store.Tx) error { _, err := tx.Redeliver(ctx, id); return err })
		},
	} {
		wantErr(t, "of what is not there", f(hook.ID), judge.ErrNotFound)
		wantErr(t, "of no id", f("x"), judge.ErrNotFound)
	}
}
