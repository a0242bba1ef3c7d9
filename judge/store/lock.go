package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
)

// Locks by name, among all processes on the database. Each is held by a
// connection of its own and ends with it: by release, with the process, or when
// the connection is lost, which the holder is not told. What it guards must bear
// that two hold it for a moment after an outage.

// lockWait bounds one statement that waits for a lock, as it holds up vacuum.
const lockWait = 5 * time.Second

// lockNotAvailable is Postgres' code for lock_timeout.
const lockNotAvailable = "55P03"

// Lock waits for the lock of that name until ctx is done. Many may share it, one
// alone may have it unshared. Who waits goes before who comes later. release gives
// it back; again does nothing.
func (s *Store) Lock(ctx context.Context, name string, shared bool) (release func(), err error) {
	query := "SELECT pg_advisory_lock($1)"
	if shared {
		query = "SELECT pg_advisory_lock_shared($1)"
	}
	conn, err := s.lockConn(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	for {
		_, err := conn.Exec(ctx, query, lockKey(name))
		if err == nil {
			return func() { closeLate(ctx, conn) }, nil
		}
		if pg, ok := errors.AsType[*pgconn.PgError](err); !ok || pg.Code != lockNotAvailable {
			closeLate(ctx, conn)
			return nil, fmt.Errorf("lock %s: %w", name, errors.Join(ctx.Err(), err))
		}
	}
}

// TryLock is Lock, unshared, where it need not wait; ok says whether it was to be
// had. release is nil where not.
func (s *Store) TryLock(ctx context.Context, name string) (release func(), ok bool, err error) {
	conn, err := s.lockConn(ctx)
	if err == nil {
		err = conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", lockKey(name)).Scan(&ok)
	}
	if err == nil && ok {
		return func() { closeLate(ctx, conn) }, true, nil
	}
	if conn != nil {
		closeLate(ctx, conn)
	}
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", name, err)
	}
	return nil, false, nil
}

// lockConn opens a connection that is not of the pool: who holds a lock while it
// needs the pool would else wait for others that do the same.
func (s *Store) lockConn(ctx context.Context) (*pgx.Conn, error) {
	config := s.pool.Config().ConnConfig
	// Who gives up says so to the server: else it would wait on there, and be given
	// a lock that nobody has a use for.
	config.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: c, DeadlineDelay: rollbackTime}
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, fmt.Sprintf("SET lock_timeout = %d", lockWait.Milliseconds())); err != nil {
		closeLate(ctx, conn)
		return nil, err
	}
	return conn, nil
}

// closeLate closes a connection whose context may be done already. That fails
// only where the connection is lost, and the lock with it. The server ends the
// session a moment later, so the lock is given back first.
func closeLate(ctx context.Context, conn *pgx.Conn) {
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTime)
	defer cancel()
	_, _ = conn.Exec(late, "SELECT pg_advisory_unlock_all()")
	_ = conn.Close(late)
}

// lockKey is the number of a name among the server's advisory locks.
func lockKey(name string) int64 {
	sum := sha256.Sum256([]byte("judge lock " + name))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}
