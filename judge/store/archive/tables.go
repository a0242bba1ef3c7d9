package archive

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// notKept are tables whose rows mean nothing elsewhere: which migrations there
// were, in which cluster we are, and events, whose order is of its transactions.
var notKept = []string{"goose_db_version", "origin", "events"}

// queryer is a connection or a transaction.
type queryer interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// listTables finds the tables to keep, each after those that it refers to.
func listTables(ctx context.Context, db queryer) ([]Table, error) {
	rows, err := db.Query(ctx, `SELECT c.relname,
			array(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum),
			array(SELECT DISTINCT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid)
		FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
			AND c.relname NOT LIKE 'river\_%' AND c.relname <> ALL($1) ORDER BY c.relname`, notKept)
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	type found struct {
		Table
		needs []string
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (f found, err error) {
		return f, row.Scan(&f.Name, &f.Columns, &f.needs)
	})
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	var sorted []Table
	for len(all) > 0 {
		i := slices.IndexFunc(all, func(f found) bool {
			return !slices.ContainsFunc(all, func(other found) bool { return slices.Contains(f.needs, other.Name) })
		})
		if i < 0 {
			return nil, fmt.Errorf("list tables: %s and others refer to each other in a circle", all[0].Name)
		}
		sorted = append(sorted, all[i].Table)
		all = slices.Delete(all, i, i+1)
	}
	return sorted, nil
}

func (t Table) equal(u Table) bool { return t.Name == u.Name && slices.Equal(t.Columns, u.Columns) }

func (t Table) copySQL(direction string) string {
	var columns []string
	for _, c := range t.Columns {
		columns = append(columns, pgx.Identifier{c}.Sanitize())
	}
	return fmt.Sprintf("COPY public.%s (%s) %s", pgx.Identifier{t.Name}.Sanitize(), strings.Join(columns, ", "), direction)
}

// schemaVersion is the schema's version; 0: there is none.
func schemaVersion(ctx context.Context, db queryer) (version int64, err error) {
	var exists bool
	if err := db.QueryRow(ctx, "SELECT to_regclass('public.goose_db_version') IS NOT NULL").Scan(&exists); err != nil || !exists {
		return 0, err
	}
	err = db.QueryRow(ctx, "SELECT coalesce(max(version_id), 0) FROM public.goose_db_version WHERE is_applied").Scan(&version)
	return version, err
}

// Empty says whether a database keeps nothing, and else which table has rows.
func Empty(ctx context.Context, db queryer) (table string, err error) {
	tables, err := listTables(ctx, db)
	if err != nil {
		return "", err
	}
	for _, t := range tables {
		var some bool
		if err := db.QueryRow(ctx, fmt.Sprintf("SELECT EXISTS (SELECT FROM public.%s)", pgx.Identifier{t.Name}.Sanitize())).Scan(&some); err != nil {
			return "", fmt.Errorf("look into table %s: %w", t.Name, err)
		}
		if some {
			return t.Name, nil
		}
	}
	return "", nil
}

// blobRef is a blob that versions refer to.
type blobRef struct {
	SHA256 string
	Size   int64
}

func listBlobs(ctx context.Context, db queryer) ([]blobRef, error) {
	rows, err := db.Query(ctx, "SELECT b.sha256, b.size FROM blobs b WHERE EXISTS (SELECT FROM version_blobs v WHERE v.sha256 = b.sha256) ORDER BY b.sha256")
	if err != nil {
		return nil, fmt.Errorf("list blobs: %w", err)
	}
	refs, err := pgx.CollectRows(rows, pgx.RowToStructByPos[blobRef])
	if err != nil {
		return nil, fmt.Errorf("list blobs: %w", err)
	}
	return refs, nil
}

// advanceSequences sets the sequences of a table's columns to go on after the rows
// that it has.
func advanceSequences(ctx context.Context, tx pgx.Tx, t Table) error {
	for _, c := range t.Columns {
		var sequence *string
		name := "public." + pgx.Identifier{t.Name}.Sanitize()
		if err := tx.QueryRow(ctx, "SELECT pg_get_serial_sequence($1, $2)", name, c).Scan(&sequence); err != nil {
			return fmt.Errorf("find sequence of %s.%s: %w", t.Name, c, err)
		}
		if sequence == nil {
			continue
		}
		_, err := tx.Exec(ctx, fmt.Sprintf("SELECT setval($1, max(%s)) FROM %s HAVING max(%[1]s) IS NOT NULL", pgx.Identifier{c}.Sanitize(), name), *sequence)
		if err != nil {
			return fmt.Errorf("set sequence of %s.%s: %w", t.Name, c, err)
		}
	}
	return nil
}
