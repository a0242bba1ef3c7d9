package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"judge/migrations"
)

// ErrNotEmpty is wrapped where a restore would mix two histories.
var ErrNotEmpty = errors.New("the database is not empty")

// Restore puts a backup into a database that keeps nothing, and brings it to the
// schema of the backup first; to go on from there to this build's is up to the
// caller. Blobs are stored before rows are committed, all rows at once: what
// fails leaves a database without rows, and at most blobs that nothing refers to.
func Restore(ctx context.Context, r io.Reader, pool *pgxpool.Pool, blobs Blobs) (sum Summary, err error) {
	in, err := open(ctx, r)
	if err != nil {
		return sum, err
	}
	defer in.close()
	if err := prepare(ctx, pool, in.header.Schema); err != nil {
		return sum, err
	}
	tx, err := pool.Begin(ctx)
	if err != nil {
		return sum, fmt.Errorf("restore: %w", err)
	}
	defer func() {
		if e := tx.Rollback(context.WithoutCancel(ctx)); err == nil && e != nil && !errors.Is(e, pgx.ErrTxClosed) {
			err = e
		}
	}()
	tables, err := listTables(ctx, tx)
	if err != nil {
		return sum, err
	}
	if !slices.EqualFunc(tables, in.header.Tables, Table.equal) {
		return sum, damaged("its tables are not those of schema version %d", in.header.Schema)
	}
	err = in.walk(
		func(t Table, rows io.Reader) (int64, error) {
			tag, err := tx.Conn().PgConn().CopyFrom(ctx, rows, t.copySQL("FROM STDIN"))
			return tag.RowsAffected(), err
		},
		func(want string, size int64, r io.Reader) error {
			got, err := blobs.Write(ctx, r, size)
			if err == nil && got != want {
				err = damaged("what it holds has SHA-256 %s", got)
			}
			return err
		},
	)
	if err != nil {
		return sum, fmt.Errorf("restore: %w", err)
	}
	for _, t := range tables {
		if err := advanceSequences(ctx, tx, t); err != nil {
			return sum, err
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return sum, fmt.Errorf("restore: %w", err)
	}
	return in.end, nil
}

// prepare makes the tables of a schema's version in a database without rows.
func prepare(ctx context.Context, pool *pgxpool.Pool, version int64) error {
	latest, err := migrations.Latest()
	if err != nil {
		return err
	}
	if version < 1 || version > latest {
		return fmt.Errorf("restore: %w: the backup is of version %d, this build knows %d: use the build that wrote it", migrations.ErrNew, version, latest)
	}
	table, err := Empty(ctx, pool)
	if err != nil {
		return err
	}
	if table != "" {
		return fmt.Errorf("restore: %w: table %s has rows", ErrNotEmpty, table)
	}
	if err := migrations.UpTo(ctx, pool, version); err != nil {
		return err
	}
	has, err := schemaVersion(ctx, pool)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if has != version {
		return fmt.Errorf("restore: %w: its tables are of version %d, those of the backup of %d", ErrNotEmpty, has, version)
	}
	return nil
}

// Clear removes all that is in a database's public schema, ours or not.
func Clear(ctx context.Context, conn *pgx.Conn) error {
	for _, statement := range []string{"DROP SCHEMA public CASCADE", "CREATE SCHEMA public"} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("clear database: %w", err)
		}
	}
	return nil
}
