package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// idle submits one after the other, each with a commit before it, and returns
// how long each took. The first two fill caches and boxes, and do not count.
func (b *benchLoad) idle(ctx context.Context, kind benchKind, runs int) ([]time.Duration, error) {
	var took []time.Duration
	for i := range runs + 2 {
		if err := b.commit.one(ctx); err != nil {
			return nil, err
		}
		n := b.posted
		b.posted++
		start := time.Now()
		if err := b.submit(ctx, kind, n); err != nil {
			return nil, err
		}
		if i >= 2 {
			took = append(took, time.Since(start))
		}
	}
	return took, nil
}

// busy submits with twice as many waiting as there are slots, and returns how long
// all took together.
func (b *benchLoad) busy(ctx context.Context, kind benchKind, runs int) (time.Duration, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	first := b.posted
	b.posted += runs
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, 2*b.slots+2)
	start := time.Now()
	for i := range errs {
		wg.Go(func() {
			for ctx.Err() == nil {
				n := int(next.Add(1)) - 1
				if n >= runs {
					return
				}
				if errs[i] = b.submit(ctx, kind, first+n); errs[i] != nil {
					cancel()
					return
				}
			}
		})
	}
	wg.Wait()
	return time.Since(start), firstCause(errs)
}

// firstCause is the first error that is not the end of the others.
func firstCause(errs []error) error {
	var ended error
	for _, err := range errs {
		switch {
		case err == nil:
		case errors.Is(err, context.Canceled):
			ended = err
		default:
			return err
		}
	}
	return ended
}

// commits measures how long Postgres takes for a transaction of one row.
type commits struct {
	db   *database
	conn *pgx.Conn
	took []time.Duration
}

// The table is of this connection's bench alone; one that was killed leaves it,
// and the next takes it over.
const (
	commitTable = `CREATE TABLE IF NOT EXISTS judge_bench (n integer PRIMARY KEY, at timestamptz NOT NULL)`
	commitWrite = `INSERT INTO judge_bench VALUES (1, now()) ON CONFLICT (n) DO UPDATE SET at = now()`
	commitDrop  = `DROP TABLE IF EXISTS judge_bench`
)

func (a *app) openCommits(url string) (*commits, error) {
	db, err := a.openDatabase(url)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(a.ctx, db.url)
	if err == nil {
		_, err = conn.Exec(a.ctx, commitTable)
	}
	c := &commits{db: db, conn: conn}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("measure commits: %w", err), c.close(a.ctx))
	}
	return c, nil
}

// one commits once.
func (c *commits) one(ctx context.Context) error {
	start := time.Now()
	if _, err := c.conn.Exec(ctx, commitWrite); err != nil {
		return fmt.Errorf("measure commits: %w", err)
	}
	c.took = append(c.took, time.Since(start))
	return nil
}

// take returns what was measured since the last time.
func (c *commits) take() []time.Duration {
	all := c.took
	c.took = nil
	return all
}

func (c *commits) close(ctx context.Context) (err error) {
	ctx = context.WithoutCancel(ctx)
	if c.conn != nil {
		_, err = c.conn.Exec(ctx, commitDrop)
		err = errors.Join(err, c.conn.Close(ctx))
	}
	return errors.Join(err, c.db.Close())
}
