package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// Delivery is one event for one webhook. In lists there are no tries, and no body.
type Delivery struct {
	ID           string        `json:"id" format:"uuid" doc:"Of the event at this receiver: webhook-id."`
	WebhookID    string        `json:"webhook_id" format:"uuid"`
	Type         string        `json:"type"`
	At           wire.Time     `json:"at"`
	SubmissionID *string       `json:"submission_id"`
	JudgementID  *string       `json:"judgement_id"`
	Problem      *string       `json:"problem"`
	Contest      *string       `json:"contest"`
	State        string        `json:"state" enum:"waiting,delivered,failed" doc:"failed: it was given up."`
	Tries        int           `json:"tries"`
	NextAt       *wire.Time    `json:"next_at" doc:"When it is due; null: it has ended. It waits for longer while the webhook is not enabled."`
	EndedAt      *wire.Time    `json:"ended_at"`
	Body         *string       `json:"body" doc:"What is sent, byte for byte; null before the first try, and in lists."`
	Log          []DeliveryTry `json:"log,omitempty" doc:"Of each try; not in lists."`
}

// DeliveryTry is one request, and what came of it.
type DeliveryTry struct {
	Number   int               `json:"number"`
	At       wire.Time         `json:"at"`
	Duration float64           `json:"duration_s"`
	Headers  map[string]string `json:"headers" doc:"Of the request."`
	Status   *int              `json:"status" doc:"Of the answer; null: there was none."`
	Error    *string           `json:"error" doc:"Why it failed, in words; null: it did not."`
	Answer   *string           `json:"answer" doc:"The first 16 KiB of the answer's body."`
}

func newDelivery(d *judge.Delivery) Delivery {
	return Delivery{
		ID: d.ID, WebhookID: d.WebhookID, Type: string(d.Event.Type), At: wire.Time(d.Event.At), State: string(d.State), Tries: d.Tries,
		SubmissionID: wire.Known(d.Event.SubmissionID), JudgementID: wire.Known(d.Event.JudgementID),
		Problem: wire.Known(d.Event.Problem), Contest: wire.Known(d.Event.Contest), NextAt: moment(d.NextAt), EndedAt: moment(d.EndedAt),
	}
}

func (s *Server) deliveryRoutes(tags []string) {
	register(s, huma.Operation{OperationID: "list-deliveries", Method: http.MethodGet, Path: "/webhooks/{id}/deliveries", Tags: tags, Summary: "What a webhook was sent, or is to be, newest first"}, s.listDeliveries)
	register(s, huma.Operation{OperationID: "get-delivery", Method: http.MethodGet, Path: "/webhook-deliveries/{id}", Tags: tags, Summary: "A delivery with its body and all tries"}, s.getDelivery)
	register(s, huma.Operation{OperationID: "redeliver", Method: http.MethodPost, Path: "/webhook-deliveries/{id}/redeliver", DefaultStatus: http.StatusAccepted, Tags: tags, Summary: "Send a delivery that has ended once more, under its id"}, s.redeliver)
}

type deliveriesQuery struct {
	WebhookPath
	Paging

	State string `query:"state" enum:"waiting,delivered,failed"`
}

func (s *Server) listDeliveries(ctx context.Context, in *deliveriesQuery) (*answer[List[Delivery]], error) {
	if _, err := s.webhook(ctx, s.Records, in.ID); err != nil {
		return nil, err
	}
	list, err := s.Records.Deliveries(ctx, in.ID, judge.DeliveryState(in.State), in.Cursor, in.Limit)
	if err != nil {
		return nil, inCursor(err, in.Cursor)
	}
	items := make([]Delivery, 0, len(list))
	for i := range list {
		items = append(items, newDelivery(&list[i]))
	}
	next := ""
	if len(list) == in.Limit {
		next = list[len(list)-1].ID
	}
	return answered(newList(items, next)), nil
}

// DeliveryPath names a delivery.
type DeliveryPath struct {
	ID string `path:"id" maxLength:"64" doc:"Id of the delivery."`
}

// delivery finds a delivery of a webhook that the caller may know of.
func (s *Server) delivery(ctx context.Context, reads Reads, id string) (judge.Delivery, error) {
	d, err := reads.Delivery(ctx, id)
	if err == nil {
		_, err = s.webhook(ctx, reads, d.WebhookID)
	}
	return d, named(err, "delivery", id)
}

func (s *Server) getDelivery(ctx context.Context, in *DeliveryPath) (*answer[Delivery], error) {
	d, err := s.delivery(ctx, s.Records, in.ID)
	if err != nil {
		return nil, err
	}
	return s.answerDelivery(ctx, &d)
}

func (s *Server) answerDelivery(ctx context.Context, d *judge.Delivery) (*answer[Delivery], error) {
	tries, err := s.Records.DeliveryTries(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	out := newDelivery(d)
	out.Body = wire.Known(string(d.Body))
	for _, t := range tries {
		out.Log = append(out.Log, DeliveryTry{
			Number: t.Number, At: wire.Time(t.At), Duration: t.Duration.Seconds(), Headers: t.Headers,
			Status: wire.Known(t.Status), Error: wire.Known(t.Error), Answer: wire.Known(t.Answer),
		})
	}
	return answered(out), nil
}

// notSent says why nothing can be sent, where that is what is wrong.
func notSent(err error) error {
	if errors.Is(err, judge.ErrConflict) {
		return fault("conflict", "the webhook is not enabled, or the delivery waits to be sent already; PATCH it with {\"enabled\": true}, or see next_at")
	}
	return err
}

func (s *Server) redeliver(ctx context.Context, in *DeliveryPath) (*answer[Delivery], error) {
	var d judge.Delivery
	err := s.changed(ctx, judge.AuditEntry{Action: "webhook.redeliver", Object: in.ID}, func(tx Tx) (err error) {
		if _, err = s.delivery(ctx, tx, in.ID); err != nil {
			return err
		}
		d, err = tx.Redeliver(ctx, in.ID)
		return notSent(err)
	})
	if err != nil {
		return nil, err
	}
	return s.answerDelivery(ctx, &d)
}

func (s *Server) testWebhook(ctx context.Context, in *WebhookPath) (*answer[Delivery], error) {
	var d judge.Delivery
	err := s.Records.Tx(ctx, func(tx Tx) (err error) {
		if _, err = s.webhook(ctx, tx, in.ID); err != nil {
			return err
		}
		d, err = tx.Ping(ctx, in.ID)
		return notSent(err)
	})
	if err != nil {
		return nil, err
	}
	return s.answerDelivery(ctx, &d)
}
