package main

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"judge/api"
	"judge/judge/queue"
	"judge/judge/store"
	"judge/judge/webhook"
	"judge/judge/work"
)

// records are the store and the queue as one: what makes a judgement ready and
// the job that wakes a worker for it are written in the same transaction, as are
// what a webhook is to be sent and the job of who sends it. Each
// consumer knows them by an interface of its own, for which there is a type here.
type records struct {
	*store.Store

	queue *queue.Client // inserts only
}

func newRecords(s *store.Store) (records, error) {
	q, err := queue.New(queue.Config{Pool: s.Pool()})
	s.Due = func(ctx context.Context, tx pgx.Tx, webhooks []string) error {
		return q.InsertSend(ctx, tx, time.Time{}, webhooks...)
	}
	return records{Store: s, queue: q}, err
}

// recordsTx is a transaction of both.
type recordsTx struct {
	*store.Tx

	queue *queue.Client
}

// Enqueue says that there are n more judgements to take.
func (t recordsTx) Enqueue(ctx context.Context, n int) error {
	return t.queue.Insert(ctx, t.Pgx(), n)
}

// Refill inserts the jobs that are missing where so many judgements wait.
func (t recordsTx) Refill(ctx context.Context, waiting int) (int, error) {
	return t.queue.Refill(ctx, t.Pgx(), waiting)
}

func (r records) tx(ctx context.Context, fn func(recordsTx) error) error {
	return r.Tx(ctx, func(tx *store.Tx) error { return fn(recordsTx{tx, r.queue}) })
}

// workRecords are records as judge/work knows them.
type workRecords struct{ records }

// Tx is store.Tx.
func (r workRecords) Tx(ctx context.Context, fn func(work.Tx) error) error {
	return r.tx(ctx, func(tx recordsTx) error { return fn(tx) })
}

// apiRecords are records as api knows them.
type apiRecords struct{ records }

// Tx is store.Tx.
func (r apiRecords) Tx(ctx context.Context, fn func(api.Tx) error) error {
	return r.tx(ctx, func(tx recordsTx) error { return fn(tx) })
}

var (
	_ api.Records  = apiRecords{}
	_ work.Records = workRecords{}

	_ webhook.Records = webhookRecords{}
)
