// Package queue is responsible for waking workers: a job says that there is a
// judgement to take, not which one, or that a webhook has something to be sent
// (webhook.go). It is the only package that speaks to River.
//
// It does not know what a judgement or a delivery is, and does not choose one:
// whoever is woken takes the next by the store's rule.
//
// For every judgement that is ready there is a job, inserted in the transaction
// that made it ready. A job may find nothing to do (another job's worker took
// it), and then is done. A job whose worker was killed is not waited for: with
// the judgements of dead workers new jobs are inserted, and River's own rescue,
// an hour later, wakes somebody for nothing.
package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

const (
	// River's own defaults, 100 ms and 1 s, would be most of a short judgement's
	// time. A notification wakes; the poll finds what was missed.
	fetchCooldown = 2 * time.Millisecond
	fetchPoll     = 500 * time.Millisecond

	// Jobs that are done are of no use; they only slow down those that are not.
	keepDone = 10 * time.Minute

	maxBackOff  = 30 * time.Second
	maxAttempts = 1000 // at maxBackOff: a working day of a broken engine
)

// job is the kind of job that wakes a worker.
type job struct{}

// Kind names the kind in the table.
func (job) Kind() string { return "judge" }

// Config is what a Client works with.
type Config struct {
	Pool *pgxpool.Pool

	// Work takes a judgement, if there is one, and judges it; Slots of them run at
	// once. With an error the job is tried again, by whichever worker, after a
	// back-off of 1 s, 2 s, and so on to 30 s. With again above 0 it is tried after
	// that time, and it does not count as a failure. ctx is done when running work
	// shall end at once.
	Work  func(ctx context.Context) (again time.Duration, err error)
	Slots int

	// Send sends what a webhook has to be sent; Senders of them run at once. Errors
	// are as those of Work. A process that sends and does not work is one of an API.
	Send    func(ctx context.Context, webhook string) error
	Senders int

	Log *slog.Logger // of what goes wrong; nil: none
}

// Client inserts jobs, and runs those that it was made to run. Its methods may be
// called by many goroutines.
type Client struct {
	river *river.Client[pgx.Tx]
}

// New returns a client. Without Work and Send it only inserts.
func New(c Config) (*Client, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	config := &river.Config{
		Logger: slog.New(warnings{c.Log.Handler()}), FetchCooldown: fetchCooldown, FetchPollInterval: fetchPoll,
		CompletedJobRetentionPeriod: keepDone, MaxAttempts: maxAttempts, RetryPolicy: backOff{},
		JobTimeout: -1, // a judgement's time is bounded by its limits
		// Either kind is inserted by processes that run the other one.
		SkipUnknownJobCheck: true,
	}
	if c.Work != nil {
		config.Workers = river.NewWorkers()
		config.Queues = map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: c.Slots}}
		if err := river.AddWorkerSafely(config.Workers, river.WorkFunc(c.work)); err != nil {
			return nil, fmt.Errorf("make queue: %w", err)
		}
	}
	if c.Send != nil {
		if err := c.sends(config); err != nil {
			return nil, err
		}
	}
	r, err := river.NewClient(riverpgxv5.New(c.Pool), config)
	if err != nil {
		return nil, fmt.Errorf("make queue: %w", err)
	}
	return &Client{river: r}, nil
}

func (c *Config) work(ctx context.Context, _ *river.Job[job]) error {
	again, err := c.Work(ctx)
	if err == nil && again > 0 {
		return river.JobSnooze(again)
	}
	return err
}

// warnings leaves out what River tells of each start and every few seconds.
type warnings struct{ slog.Handler }

// Enabled is true for what is a warning or worse.
func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// WithAttrs and WithGroup keep the rule.
func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

// WithGroup is slog.Handler's.
func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }

// backOff is the rule of Config.Work.
type backOff struct{}

// NextRetry is when a job that failed is tried again.
func (backOff) NextRetry(j *rivertype.JobRow) time.Time {
	wait := min(time.Second<<min(max(len(j.Errors), 0), 10), maxBackOff)
	return time.Now().UTC().Add(wait)
}

// Insert inserts n jobs in a transaction: there are n more judgements to take
// once it is committed.
func (c *Client) Insert(ctx context.Context, tx pgx.Tx, n int) error {
	if n <= 0 {
		return nil
	}
	if n == 1 {
		if _, err := c.river.InsertTx(ctx, tx, job{}, nil); err != nil {
			return fmt.Errorf("insert job: %w", err)
		}
		return nil
	}
	many := make([]river.InsertManyParams, n)
	for i := range many {
		many[i].Args = job{}
	}
	if _, err := c.river.InsertManyFastTx(ctx, tx, many); err != nil {
		return fmt.Errorf("insert %d jobs: %w", n, err)
	}
	return nil
}

// Refill inserts what jobs are missing where ready judgements wait, and returns
// how many that were. What is inserted meanwhile by others may make it too many,
// which does no harm.
func (c *Client) Refill(ctx context.Context, tx pgx.Tx, ready int) (inserted int, err error) {
	var waiting int
	err = tx.QueryRow(ctx, "SELECT count(*) FROM river_job WHERE kind = $1 AND state IN ('available', 'retryable', 'scheduled')", job{}.Kind()).Scan(&waiting)
	if err != nil {
		return 0, fmt.Errorf("count jobs: %w", err)
	}
	n := max(ready-waiting, 0)
	return n, c.Insert(ctx, tx, n)
}

// Start begins to fetch and run jobs, until Stop or until ctx is done, which
// stops as Stop does. A client that was stopped may be started again.
func (c *Client) Start(ctx context.Context) error {
	if err := c.river.Start(ctx); err != nil {
		return fmt.Errorf("start queue: %w", err)
	}
	return nil
}

// Stop fetches no more jobs and waits for those that run. When ctx is done
// before they are, their contexts are cancelled, and they are waited for all the
// same: what they could not finish is tried again by others.
func (c *Client) Stop(ctx context.Context) error {
	err := c.river.Stop(ctx)
	if err == nil {
		return nil
	}
	if !errors.Is(err, ctx.Err()) {
		return fmt.Errorf("stop queue: %w", err)
	}
	if err := c.river.StopAndCancel(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("stop queue: %w", err)
	}
	return nil
}
