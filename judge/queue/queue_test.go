//go:build postgres

package queue_test

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"judge/judge"
	"judge/judge/queue"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

func newClient(t *testing.T, s *store.Store, slots int, work func(ctx context.Context) (time.Duration, error)) *queue.Client {
	t.Helper()
	c, err := queue.New(queue.Config{Pool: s.Pool(), Slots: slots, Work: work})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// start runs jobs until the test ends.
func start(t *testing.T, c *queue.Client) {
	t.Helper()
	if err := c.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, c) })
}

func stop(t *testing.T, c *queue.Client) {
	t.Helper()
	if err := c.Stop(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
}

func insert(t *testing.T, s *store.Store, c *queue.Client, n int) {
	t.Helper()
	if err := s.Tx(t.Context(), func(tx *store.Tx) error { return c.Insert(t.Context(), tx.Pgx(), n) }); err != nil {
		t.Fatal(err)
	}
}

func jobs(t *testing.T, s *store.Store) (n int) {
	t.Helper()
	if err := s.Pool().QueryRow(t.Context(), "SELECT count(*) FROM river_job WHERE state <> 'completed'").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestOneTransaction: a submission and its job are committed or rolled back as
// one, and after the commit a worker is woken.
func TestOneTransaction(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	inserts := newClient(t, w.Store, 0, nil)
	fault := errors.New("fault")
	submit := func(fail error) (id string, err error) {
		err = w.Tx(ctx, func(tx *store.Tx) error {
			_, j, err := tx.CreateSubmission(ctx, w.Submission("ada", judge.PriorityContest))
			if err != nil {
				return err
			}
			id = j.ID
			return errors.Join(inserts.Insert(ctx, tx.Pgx(), 1), fail)
		})
		return id, err
	}
	if _, err := submit(fault); !errors.Is(err, fault) {
		t.Fatal(err)
	}
	if l, err := w.Load(ctx); err != nil || l.Ready != 0 || jobs(t, w.Store) != 0 {
		t.Fatalf("rolled back: %+v judgements, %d jobs, %v", l, jobs(t, w.Store), err)
	}

	var mu sync.Mutex
	seen := map[string]bool{}
	done := make(chan struct{}, 100)
	start(t, newClient(t, w.Store, 2, func(ctx context.Context) (time.Duration, error) {
		// A worker sees what was committed, and the judgement is always there.
		page, err := w.Submissions(ctx, judge.SubmissionFilter{}, "", 100)
		mu.Lock()
		defer mu.Unlock()
		for _, l := range page.Items {
			seen[l.Judgement.ID] = true
		}
		done <- struct{}{}
		return 0, err
	}))
	for range 10 {
		id, err := submit(nil)
		if err != nil {
			t.Fatal(err)
		}
		<-done
		mu.Lock()
		if !seen[id] {
			t.Errorf("woken before %s could be seen", id)
		}
		mu.Unlock()
	}
}

func TestEachJobRuns(t *testing.T) {
	w := storetest.NewWorld(t)
	const n = 300
	var ran, failed, snoozed atomic.Int32
	all := make(chan struct{})
	work := func(context.Context) (time.Duration, error) {
		if failed.Add(1) == 1 {
			return 0, errors.New("once")
		}
		if snoozed.Add(1) == 1 {
			return time.Millisecond, nil
		}
		if ran.Add(1) == n {
			close(all)
		}
		return 0, nil
	}
	c := newClient(t, w.Store, 3, work)
	insert(t, w.Store, c, n)
	start(t, c)
	start(t, newClient(t, w.Store, 2, work))
	<-all
}

// TestStop: what runs is waited for, and what does not end in time is told to,
// and left to others.
func TestStop(t *testing.T) {
	w := storetest.NewWorld(t)
	began, end := make(chan struct{}, 1), make(chan struct{})
	var ended atomic.Bool
	c := newClient(t, w.Store, 1, func(context.Context) (time.Duration, error) {
		began <- struct{}{}
		<-end
		ended.Store(true)
		return 0, nil
	})
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	insert(t, w.Store, c, 2)
	<-began
	go close(end)
	stop(t, c)
	if !ended.Load() {
		t.Error("Stop did not wait")
	}

	cancelled := make(chan struct{}, 1)
	hung := newClient(t, w.Store, 1, func(ctx context.Context) (time.Duration, error) {
		began <- struct{}{}
		<-ctx.Done()
		cancelled <- struct{}{}
		return 0, ctx.Err()
	})
	for len(began) > 0 {
		<-began
	}
	insert(t, w.Store, hung, 1)
	if err := hung.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	<-began
	now, cancel := context.WithCancel(t.Context())
	cancel()
	if err := hung.Stop(now); err != nil {
		t.Error(err)
	}
	<-cancelled
	left := jobs(t, w.Store)
	if left == 0 {
		t.Error("the job of who was cancelled is gone")
	}
	var ran atomic.Int32
	all := make(chan struct{})
	start(t, newClient(t, w.Store, 1, func(context.Context) (time.Duration, error) {
		if ran.Add(1) == int32(left) {
			close(all)
		}
		return 0, nil
	}))
	<-all
}

func TestRefill(t *testing.T) {
	w := storetest.NewWorld(t)
	c := newClient(t, w.Store, 0, nil)
	insert(t, w.Store, c, 2)
	for _, want := range []int{3, 0} {
		err := w.Tx(t.Context(), func(tx *store.Tx) error {
			n, err := c.Refill(t.Context(), tx.Pgx(), 5)
			if n != want {
				t.Errorf("%d jobs inserted, want %d", n, want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := jobs(t, w.Store); n != 5 {
		t.Errorf("%d jobs, want 5", n)
	}
}
