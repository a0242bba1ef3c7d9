package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// rollbackTime bounds what a transaction's end may take when its context is
// done.
const rollbackTime = 5 * time.Second

// Tx is a transaction, read committed. It is for one goroutine, until the
// function it was given to returns.
type Tx struct {
	queries

	pgx     pgx.Tx
	changed bool     // there are new events: readers are to be woken after commit
	due     []string // webhooks that have something to be sent
}

// Pgx is the same transaction for those who speak to the database by other
// means. It must not be committed or rolled back.
func (tx *Tx) Pgx() pgx.Tx { return tx.pgx }

// Tx runs fn in a transaction, which is committed when fn returns nil and rolled
// back when it does not. After an error it is not known to be rolled back when
// the connection was lost while it was committed (Unavailable): fn may then be
// tried again only if a second time does no harm.
//
// Gorm has one connection of the pool, and the transaction is begun on the pgx
// connection below it: so gorm and River write in the same one.
func (s *Store) Tx(ctx context.Context, fn func(tx *Tx) error) (err error) {
	conn, err := s.sql.Conn(ctx)
	if err != nil {
		return fmt.Errorf("begin transaction: %w", err)
	}
	defer func() {
		if e := conn.Close(); !errors.Is(e, sql.ErrConnDone) { // a lost connection is closed already
			err = errors.Join(err, e)
		}
	}()
	tx := &Tx{}
	err = conn.Raw(func(driver any) error {
		c, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("a %T, not pgx's connection", driver)
		}
		tx.pgx, err = c.Conn().Begin(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("begin transaction: %w", err)
	}
	db := s.db.Session(&gorm.Session{NewDB: true, Context: ctx})
	db.Statement.ConnPool = conn
	tx.db = db

	committed := false
	defer func() {
		if committed {
			return
		}
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTime)
		defer cancel()
		if e := tx.pgx.Rollback(late); e != nil && !errors.Is(e, pgx.ErrTxClosed) && err == nil {
			err = fmt.Errorf("roll back: %w", e)
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	if len(tx.due) > 0 && s.Due != nil {
		if err := s.Due(ctx, tx.pgx, tx.due); err != nil {
			return err
		}
	}
	if err := tx.pgx.Commit(ctx); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	committed = true
	if tx.changed {
		// On this connection: one more of the pool may not be had while all are held
		// by those who want one more.
		_, _ = conn.ExecContext(ctx, wake) // who misses it finds the events when it next looks
	}
	return nil
}
