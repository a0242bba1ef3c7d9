// Package migrations is responsible for the shape of the database: numbered SQL,
// embedded, applied once each and in order, River's tables before ours.
//
// It reads and writes no record, and knows no way back: what a migration did is
// undone by restoring a backup.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed *.sql
var files embed.FS

// ErrOld is wrapped when the database wants migrations, ErrNew when it has some
// that this build does not know.
var (
	ErrOld = errors.New("schema is older than this build")
	ErrNew = errors.New("schema is newer than this build")
)

// lockKey names the advisory lock under which migrations run: "judge" as bytes.
const lockKey int64 = 0x6a75646765

// retry is the time between two attempts to get the lock. It is asked for, not
// waited for: a session that waits inside a statement holds a snapshot, on which
// an index that is built concurrently would wait in turn.
const retry = 100 * time.Millisecond

// Latest is the version that this build wants.
func Latest() (int64, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return 0, fmt.Errorf("list migrations: %w", err)
	}
	var latest int64
	for _, name := range names {
		n, err := goose.NumericComponent(name)
		if err != nil {
			return 0, fmt.Errorf("read number of migration %s: %w", name, err)
		}
		latest = max(latest, n)
	}
	return latest, nil
}

// Version is the version that the database has; 0: none.
func Version(ctx context.Context, pool *pgxpool.Pool) (int64, error) {
	var exists bool
	if err := pool.QueryRow(ctx, "SELECT to_regclass('goose_db_version') IS NOT NULL").Scan(&exists); err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	if !exists {
		return 0, nil
	}
	var version int64
	err := pool.QueryRow(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied").Scan(&version)
	if err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	return version, nil
}

// Check says whether this build may work on the database: its error wraps ErrOld
// or ErrNew where it may not.
func Check(ctx context.Context, pool *pgxpool.Pool) error {
	has, err := Version(ctx, pool)
	if err != nil {
		return err
	}
	wants, err := Latest()
	if err != nil {
		return err
	}
	switch {
	case has < wants:
		return fmt.Errorf("%w: the database has version %d, %d is wanted: run judge migrate", ErrOld, has, wants)
	case has > wants:
		return fmt.Errorf("%w: the database has version %d, this build knows %d: install the build that migrated it", ErrNew, has, wants)
	}
	return nil
}

// Up applies what is missing. Of several processes one does it, the others wait
// for it. A database newer than this build is left alone, with ErrNew.
func Up(ctx context.Context, pool *pgxpool.Pool) error {
	latest, err := Latest()
	if err != nil {
		return err
	}
	return UpTo(ctx, pool, latest)
}

// UpTo is Up, but ends at a version: what a backup is of. A database that has
// that version, or a later one that this build knows, is left as it is.
func UpTo(ctx context.Context, pool *pgxpool.Pool, version int64) (err error) {
	unlock, err := lock(ctx, pool)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := Check(ctx, pool); !errors.Is(err, ErrOld) {
		return err
	}
	river, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("migrate River: %w", err)
	}
	if _, err := river.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate River: %w", err)
	}
	return ours(ctx, stdlib.OpenDBFromPool(pool), version)
}

func ours(ctx context.Context, db *sql.DB, version int64) (err error) {
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read migrations: %w", errors.Join(err, db.Close()))
	}
	defer func() { err = errors.Join(err, provider.Close()) }()
	if _, err := provider.UpTo(ctx, version); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// lock takes the lock on a connection of its own, and returns how to give it
// back. It ends with the connection at the latest.
func lock(ctx context.Context, pool *pgxpool.Pool) (unlock func() error, err error) {
	held, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	conn := held.Hijack()
	tick := time.NewTicker(retry)
	defer tick.Stop()
	for {
		got, err := tryLock(ctx, conn)
		if err != nil {
			return nil, errors.Join(err, conn.Close(ctx))
		}
		if got {
			return func() error { return conn.Close(ctx) }, nil
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), conn.Close(ctx))
		case <-tick.C:
		}
	}
}

func tryLock(ctx context.Context, conn *pgx.Conn) (bool, error) {
	var got bool
	err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", lockKey).Scan(&got)
	return got, err
}
