// Package store is responsible for what is kept: it alone knows the tables and
// gorm, and gives and takes the plain types of package judge. Rows are private.
//
// It does not queue jobs (judge/queue does, in a transaction of this package),
// holds no test data, and decides nothing about who may see what.
//
// What only reads, and what is a single statement, are methods of both Store and
// Tx; what must be written together is a method of Tx. Every write of a
// judgement after Take carries its Lease: the row is changed only while attempt
// and worker are still those, else the answer is judge.ErrStale and nothing was
// changed. Locks are taken in one order: judgement, submission, share.
//
// Errors wrap those of judge/errors.go where they apply; Unavailable tells those
// that end when the database is back.
package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"judge/migrations"
)

// connections is the most that a pool opens where its url says nothing: pgxpool
// would open as many as there are cores, but transactions mostly wait for a disk.
const connections = 16

// pageCost tells the planner that a page by an index costs hardly more than one in
// a row, as on today's disks and in memory. By its default of 4 it reads a whole
// table of thousands for the fifty rows of a page.
const pageCost = "1.1"

// Store is a pool of connections to one database. Its methods may be called by
// many goroutines.
type Store struct {
	queries

	// Due is called before the commit of a transaction that leaves these webhooks
	// something to be sent, to insert the jobs that wake who sends it. It is set
	// before the store is used; nil: whoever looks for late ones finds them.
	Due func(ctx context.Context, tx pgx.Tx, webhooks []string) error

	pool *pgxpool.Pool
	sql  *sql.DB
}

// queries are the methods that Store and Tx share.
type queries struct {
	db *gorm.DB
}

func (q queries) in(ctx context.Context) *gorm.DB { return q.db.WithContext(ctx) }

// Open makes a pool for the database at url; settings of pgxpool, such as
// pool_max_conns, may be among its parameters. It connects once, so that a wrong
// url is seen here.
func Open(ctx context.Context, url string) (*Store, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read database url: %w", err)
	}
	if !strings.Contains(url, "pool_max_conns") {
		config.MaxConns = max(config.MaxConns, connections)
	}
	config.ConnConfig.RuntimeParams["random_page_cost"] = pageCost
	// Who wants the first of many in the order of an index must not collect them all.
	config.ConnConfig.RuntimeParams["enable_bitmapscan"] = "off"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	db := stdlib.OpenDBFromPool(pool)
	g, err := gorm.Open(postgres.New(postgres.Config{Conn: db}), &gorm.Config{
		SkipDefaultTransaction: true, // a transaction is ours, and seen
		DisableAutomaticPing:   true,
		Logger:                 logger.Discard,
		NowFunc:                func() time.Time { return time.Now().UTC() },
	})
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	return &Store{queries: queries{g}, pool: pool, sql: db}, nil
}

// Close closes all connections, after those in use have come back.
func (s *Store) Close() error {
	err := s.sql.Close()
	s.pool.Close()
	if err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

// Pool is the pool itself, which judge/queue shares.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// Migrate brings the database to this build's version, and notices when it has
// been moved to another cluster. Several processes may call it at once.
func (s *Store) Migrate(ctx context.Context) error {
	if err := migrations.Up(ctx, s.pool); err != nil {
		return err
	}
	return s.Tx(ctx, func(tx *Tx) error { return tx.settle(ctx) })
}

// Version is the schema's version; 0: there is none yet.
func (s *Store) Version(ctx context.Context) (int64, error) { return migrations.Version(ctx, s.pool) }

// Check says whether this build may work on the database: its error wraps
// migrations.ErrOld or migrations.ErrNew where not.
func (s *Store) Check(ctx context.Context) error { return migrations.Check(ctx, s.pool) }
