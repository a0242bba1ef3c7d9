//go:build postgres

package queue_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"judge/judge/queue"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

// TestSend: the jobs of webhooks go to who sends, those of judgements to who
// works, each tried again after an error, and those for later come later.
func TestSend(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	inserts := newClient(t, w.Store, 0, nil)
	var mu sync.Mutex
	sent := map[string]time.Time{}
	failed := false
	all, worked := make(chan struct{}), make(chan struct{}, 1)
	sender, err := queue.New(queue.Config{Pool: w.Pool(), Senders: 2, Send: func(_ context.Context, webhook string) error {
		mu.Lock()
		defer mu.Unlock()
		if webhook == "a" && !failed {
			failed = true
			return errors.New("once")
		}
		if sent[webhook] = time.Now(); len(sent) == 3 {
			close(all)
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Second)
	err = w.Tx(ctx, func(tx *store.Tx) error {
		err := inserts.InsertSend(ctx, tx.Pgx(), time.Time{}, "a", "b")
		return errors.Join(err, inserts.InsertSend(ctx, tx.Pgx(), time.Time{}), inserts.InsertSend(ctx, tx.Pgx(), later, "c"))
	})
	if err != nil {
		t.Fatal(err)
	}
	start(t, sender)
	// A worker, which keeps the table in order, and inserts jobs of either kind.
	worker := newClient(t, w.Store, 1, func(context.Context) (time.Duration, error) {
		worked <- struct{}{}
		return 0, nil
	})
	start(t, worker)
	insert(t, w.Store, worker, 1)
	<-worked
	<-all
	if sent["c"].Before(later) {
		t.Errorf("sent at %v what is for %v", sent["c"], later)
	}
	err = w.Tx(ctx, func(tx *store.Tx) error {
		n, err := inserts.Refill(ctx, tx.Pgx(), 0)
		if n != 0 {
			t.Errorf("%d jobs are missing", n)
		}
		return errors.Join(err, worker.InsertSend(ctx, tx.Pgx(), time.Time{}, "d"))
	})
	if err != nil {
		t.Fatal(err)
	}
}
