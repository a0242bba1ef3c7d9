package archive

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/klauspost/compress/zstd"
)

// Write writes a backup of the database as it is at one moment, with the blobs
// that it refers to then, which the caller must keep from being collected. Others
// work on meanwhile. progress may be nil.
func Write(ctx context.Context, w io.Writer, pool *pgxpool.Pool, blobs Blobs, build string, progress Progress) (sum Summary, err error) {
	if progress == nil {
		progress = func(string, int, int) {}
	}
	z, err := zstd.NewWriter(w)
	if err != nil {
		return sum, fmt.Errorf("write backup: %w", err)
	}
	defer func() {
		if e := z.Close(); err == nil && e != nil {
			err = fmt.Errorf("write backup: %w", e)
		}
	}()
	a := &writer{tar: tar.NewWriter(z), digest: digest{sha256.New()}, progress: progress, sum: Summary{Rows: map[string]int64{}}}
	refs, err := a.database(ctx, pool, build)
	if err != nil {
		return a.sum, fmt.Errorf("back up database: %w", err)
	}
	for i, ref := range refs {
		progress("test data", i, len(refs))
		if err := a.blob(ctx, blobs, ref); err != nil {
			return a.sum, fmt.Errorf("back up blob %s: %w", ref.SHA256, err)
		}
	}
	progress("test data", len(refs), len(refs))
	if err := a.end(); err != nil {
		return a.sum, fmt.Errorf("write backup: %w", err)
	}
	return a.sum, nil
}

type writer struct {
	tar      *tar.Writer
	digest   digest
	progress Progress
	sum      Summary
}

// database writes header and rows, and returns which blobs there are.
func (a *writer) database(ctx context.Context, pool *pgxpool.Pool, build string) (refs []blobRef, err error) {
	// It writes nothing, so it has no number, and no reader of events waits for it.
	tx, err := pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := tx.Rollback(context.WithoutCancel(ctx)); err == nil && e != nil && !errors.Is(e, pgx.ErrTxClosed) {
			err = e
		}
	}()
	h := Header{Format: Format, CreatedAt: time.Now().UTC().Truncate(time.Millisecond), Build: build}
	if h.Schema, err = schemaVersion(ctx, tx); err != nil {
		return nil, fmt.Errorf("read schema version: %w", err)
	}
	if h.Tables, err = listTables(ctx, tx); err != nil {
		return nil, err
	}
	if refs, err = listBlobs(ctx, tx); err != nil {
		return nil, err
	}
	h.Blobs = len(refs)
	if err := a.note(headerName, h, true); err != nil {
		return nil, err
	}
	for i, t := range h.Tables {
		a.progress("rows of "+t.Name, i, len(h.Tables))
		rows := &rowWriter{to: a, table: t.Name}
		tag, err := tx.Conn().PgConn().CopyTo(ctx, rows, t.copySQL("TO STDOUT"))
		if err == nil {
			err = rows.flush()
		}
		if err != nil {
			return nil, fmt.Errorf("read table %s: %w", t.Name, err)
		}
		a.sum.Rows[t.Name] = tag.RowsAffected()
	}
	return refs, nil
}

// rowWriter cuts rows into entries.
type rowWriter struct {
	to    *writer
	table string
	count int
	buf   []byte
}

// Write is io.Writer's.
func (r *rowWriter) Write(p []byte) (int, error) {
	r.buf = append(r.buf, p...)
	if len(r.buf) >= chunk {
		return len(p), r.flush()
	}
	return len(p), nil
}

func (r *rowWriter) flush() error {
	for len(r.buf) > 0 {
		n := min(len(r.buf), maxChunk)
		r.count++
		if err := r.to.bytes(fmt.Sprintf("%s%s/%06d", tablesDir, r.table, r.count), r.buf[:n]); err != nil {
			return err
		}
		r.buf = r.buf[:copy(r.buf, r.buf[n:])]
	}
	return nil
}

func (a *writer) blob(ctx context.Context, blobs Blobs, ref blobRef) (err error) {
	r, err := blobs.Read(ctx, ref.SHA256, ref.Size)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	sum := sha256.New()
	if err := a.begin(blobsDir+ref.SHA256, ref.Size); err != nil {
		return err
	}
	n, err := io.Copy(io.MultiWriter(a.tar, a.digest, sum), r)
	if err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != ref.SHA256 || n != ref.Size {
		return fmt.Errorf("it has %d bytes with SHA-256 %s, %d bytes are on record", n, got, ref.Size)
	}
	a.sum.Blobs++
	return nil
}

func (a *writer) begin(name string, size int64) error {
	a.digest.entry(name, size)
	a.sum.Bytes += size
	return a.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600})
}

func (a *writer) bytes(name string, data []byte) error {
	if err := a.begin(name, int64(len(data))); err != nil {
		return err
	}
	_, _ = a.digest.Write(data) // a hash takes all
	_, err := a.tar.Write(data)
	return err
}

// note writes an entry of JSON; counted says whether it is in the digest.
func (a *writer) note(name string, v any, counted bool) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if counted {
		return a.bytes(name, data)
	}
	if err := a.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(data)), Mode: 0o600}); err != nil {
		return err
	}
	_, err = a.tar.Write(data)
	return err
}

func (a *writer) end() error {
	a.sum.SHA256 = hex.EncodeToString(a.digest.Sum(nil))
	if err := a.note(endName, a.sum, false); err != nil {
		return err
	}
	return a.tar.Close()
}
