package api

import (
	"context"
	"encoding/json"
	"fmt"

	"judge/judge"
	"judge/judge/wire"
)

// WebhookBody is what an endpoint is sent.
type WebhookBody struct {
	ID   string    `json:"id"`
	Type string    `json:"type"`
	At   wire.Time `json:"at"`
	Data any       `json:"data"`
}

// everything is who sees all there is: staff, for whom webhooks are.
var everything = judge.Token{Role: judge.RoleAdmin}

// WebhookBody writes what a delivery says, as things stand now. The error wraps
// judge.ErrNotFound where what it is about is not kept any more.
func (s *Server) WebhookBody(ctx context.Context, d judge.Delivery) ([]byte, error) {
	out := WebhookBody{ID: d.ID, Type: string(d.Event.Type), At: wire.Time(d.Event.At), Data: map[string]string{"webhook_id": d.WebhookID}}
	if d.Event.Type != judge.WebhookPing {
		data, err := s.eventData(ctx, &d.Event)
		if err != nil {
			return nil, err
		}
		out.Data = data
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("write body of delivery %s: %w", d.ID, err)
	}
	return b, nil
}

// eventData is an event as the stream of events has it.
func (s *Server) eventData(ctx context.Context, e *judge.Event) (StreamEvent, error) {
	if e.JudgementID == "" {
		return newStreamEvent(e), nil
	}
	j, err := s.Records.Judgement(ctx, e.JudgementID)
	if err != nil {
		return StreamEvent{}, err
	}
	out, _, err := s.viewOf(s.Records, everything).event(ctx, e, &j)
	return out, err
}
