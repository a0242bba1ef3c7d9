//go:build postgres

package work_test

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"judge/judge"
	"judge/judge/queue"
	"judge/judge/store"
	"judge/judge/store/storetest"
	"judge/judge/work"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(childURL); url != "" {
		os.Exit(child(url))
	}
	os.Exit(storetest.Main(m))
}

// records join store and queue as cmd/judge does.
type records struct {
	*store.Store

	queue *queue.Client
}

type recordsTx struct {
	*store.Tx

	queue *queue.Client
}

func (r records) Tx(ctx context.Context, fn func(work.Tx) error) error {
	return r.Store.Tx(ctx, func(tx *store.Tx) error { return fn(recordsTx{tx, r.queue}) })
}

func (t recordsTx) Enqueue(ctx context.Context, n int) error {
	return t.queue.Insert(ctx, t.Pgx(), n)
}

func (t recordsTx) Refill(ctx context.Context, waiting int) (int, error) {
	return t.queue.Refill(ctx, t.Pgx(), waiting)
}

func newRecords(s *store.Store) (records, error) {
	q, err := queue.New(queue.Config{Pool: s.Pool()})
	return records{s, q}, err
}

// world is a database with a problem, and a way to hand in.
type world struct {
	*storetest.World

	records records
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: storetest.NewWorld(t)}
	var err error
	if w.records, err = newRecords(w.Store); err != nil {
		t.Fatal(err)
	}
	return w
}

// submit hands in one submission of a person, as the API does.
func (w *world) submit(t *testing.T, who string, p judge.Priority) judge.Judgement {
	t.Helper()
	return submit(t, w.records, w.Submission(who, p))
}

func submit(t *testing.T, r records, s judge.Submission) (j judge.Judgement) {
	t.Helper()
	err := r.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		if _, j, err = tx.CreateSubmission(t.Context(), s); err != nil {
			return err
		}
		return r.queue.Insert(t.Context(), tx.Pgx(), 1)
	})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// await returns a judgement once it has ended.
func (w *world) await(t *testing.T, id string) judge.Judgement {
	t.Helper()
	var j judge.Judgement
	eventually(t, "judgement "+id+" ends", func() bool {
		var err error
		if j, err = w.Judgement(t.Context(), id); err != nil && !store.Unavailable(err) {
			t.Fatal(err)
		}
		return j.State == judge.Judged || j.State == judge.Cancelled
	})
	return j
}

// eventually fails only where a thing does not come to be at all.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); {
		if time.Now().After(end) {
			t.Fatalf("it did not come to be that %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

type judgeFunc = func(ctx context.Context, t judge.Task, on func(work.Progress)) (judge.Judgement, error)

// accept accepts everything after two cases.
func accept(_ context.Context, _ judge.Task, on func(work.Progress)) (judge.Judgement, error) {
	on(work.Progress{State: judge.Compiling})
	on(work.Progress{State: judge.Running, Compile: &judge.Compilation{OK: true}})
	runs := []judge.Run{{Ordinal: 1, Case: "sample/1", Verdict: judge.AC}, {Ordinal: 2, Case: "secret/1", Verdict: judge.AC}}
	for i := range runs {
		on(work.Progress{State: judge.Running, Run: &runs[i]})
	}
	return judge.Judgement{Verdict: judge.AC, Compile: &judge.Compilation{OK: true}, Runs: runs}, nil
}

// node is a worker that runs until the test ends, or stop.
type node struct {
	id    string
	ended chan struct{} // closed when Run has returned
	err   error
	stop  context.CancelFunc
}

func config(r records, slots int, judge1 judgeFunc) work.Config {
	return work.Config{
		Worker:  judge.Worker{ID: uuid.NewString(), Name: "test", Slots: slots},
		Records: r, Judge: judge1, Unavailable: store.Unavailable, Grace: time.Minute,
	}
}

func start(t *testing.T, c work.Config) *node {
	t.Helper()
	n := &node{id: c.Worker.ID, ended: make(chan struct{})}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	n.stop = stop
	if c.Log == nil {
		c.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelInfo}))
	}
	w := work.New(c)
	pool := c.Records.(interface{ Pool() *pgxpool.Pool }).Pool()
	q, err := queue.New(queue.Config{Pool: pool, Work: w.Next, Slots: c.Worker.Slots})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(n.ended)
		n.err = w.Run(ctx, q)
	}()
	t.Cleanup(func() {
		stop()
		<-n.ended
		if n.err != nil {
			t.Errorf("worker: %v", n.err)
		}
	})
	return n
}

// state is what the records have a worker as.
func (w *world) state(t *testing.T, id string) judge.WorkerState {
	t.Helper()
	list, err := w.Workers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range list {
		if x.ID == id {
			return x.State
		}
	}
	return judge.WorkerGone
}
