package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Verify reads a backup to its end and says what it is of and what it holds, if it
// is whole: every byte is what was written. It touches nothing.
func Verify(ctx context.Context, r io.Reader) (Header, Summary, error) {
	in, err := open(ctx, r)
	if err != nil {
		return Header{}, Summary{}, err
	}
	defer in.close()
	err = in.walk(
		func(_ Table, rows io.Reader) (int64, error) { return -1, discard(rows) },
		func(_ string, _ int64, r io.Reader) error { return discard(r) },
	)
	return in.header, in.end, err
}

func discard(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

// reader goes through a backup, in which nothing is believed.
type reader struct {
	ctx    context.Context
	zstd   *zstd.Decoder
	tar    *tar.Reader
	digest digest
	header Header
	end    Summary

	name  string // of the entry that is being read
	size  int64
	bytes int64 // of all entries so far
}

func open(ctx context.Context, r io.Reader) (*reader, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxWindow), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, fmt.Errorf("read backup: %w", err)
	}
	in := &reader{ctx: ctx, zstd: z, tar: tar.NewReader(z), digest: digest{sha256.New()}}
	if err := in.readHeader(); err != nil {
		z.Close()
		return nil, err
	}
	return in, nil
}

func (in *reader) close() { in.zstd.Close() }

func (in *reader) readHeader() error {
	if err := in.advance(); err != nil {
		return err
	}
	if in.name != headerName {
		return damaged("it begins with %q", in.name)
	}
	data, err := in.note()
	if err != nil {
		return err
	}
	_, _ = in.digest.Write(data) // a hash takes all
	h := &in.header
	var format struct{ Format int }
	if err := json.Unmarshal(data, &format); err != nil {
		return damaged("%w", err)
	}
	if format.Format != Format {
		return fmt.Errorf("read backup: it is of format %d, this build reads %d: use the build that wrote it", format.Format, Format)
	}
	if err := decode(data, h); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, t := range h.Tables {
		bad := func(name string) bool { return !tableName.MatchString(name) }
		if bad(t.Name) || seen[t.Name] || len(t.Columns) == 0 || slices.ContainsFunc(t.Columns, bad) {
			return damaged("its list of tables is not one of ours")
		}
		seen[t.Name] = true
	}
	return nil
}

// advance goes to the next entry.
func (in *reader) advance() error {
	if err := in.ctx.Err(); err != nil {
		return err
	}
	head, err := in.tar.Next()
	if errors.Is(err, io.EOF) {
		return damaged("its end is missing")
	}
	if err != nil {
		return damaged("%w", err)
	}
	if head.Typeflag != tar.TypeReg {
		return damaged("entry %q is no file", head.Name)
	}
	in.name, in.size = head.Name, head.Size
	if head.Name != endName {
		in.digest.entry(head.Name, head.Size)
		in.bytes += head.Size
	}
	return nil
}

// note reads an entry of JSON.
func (in *reader) note() ([]byte, error) {
	if in.size > maxNote {
		return nil, damaged("%s has %d bytes", in.name, in.size)
	}
	data, err := io.ReadAll(in.tar)
	if err != nil {
		return nil, damaged("%w", err)
	}
	return data, nil
}

func decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return damaged("%w", err)
	}
	return nil
}

// walk goes through tables, blobs and the end. rows is given the rows of each
// table as one stream and returns how many there were, negative where it does not
// know; blob is given what each blob holds. What they do may have to be undone:
// only at the end is it known that the backup is whole.
func (in *reader) walk(rows func(t Table, r io.Reader) (int64, error), blob func(sha256 string, size int64, r io.Reader) error) error {
	if err := in.advance(); err != nil {
		return err
	}
	counts := map[string]int64{}
	for _, t := range in.header.Tables {
		r := &rowReader{in: in, table: t.Name}
		n, err := rows(t, r)
		if err == nil {
			err = discard(r)
		}
		if err != nil {
			return fmt.Errorf("read table %s: %w", t.Name, err)
		}
		counts[t.Name] = n
	}
	blobs, last := 0, ""
	for ; strings.HasPrefix(in.name, blobsDir); blobs++ {
		sum := strings.TrimPrefix(in.name, blobsDir)
		if !blobName.MatchString(sum) || sum <= last || in.size > maxBlob {
			return damaged("%q with %d bytes is no blob, or not in order", in.name, in.size)
		}
		last = sum
		if err := in.readBlob(sum, blob); err != nil {
			return fmt.Errorf("read blob %s: %w", sum, err)
		}
	}
	return in.readEnd(counts, blobs)
}

func (in *reader) readBlob(want string, blob func(sha256 string, size int64, r io.Reader) error) error {
	sum := sha256.New()
	r := &entryReader{in: in, also: sum}
	err := blob(want, in.size, r)
	if err == nil {
		err = discard(r)
	}
	if err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		return damaged("what it holds has SHA-256 %s", got)
	}
	return in.advance()
}

func (in *reader) readEnd(rows map[string]int64, blobs int) error {
	if in.name != endName {
		return damaged("%q does not belong where it is", in.name)
	}
	data, err := in.note()
	if err != nil {
		return err
	}
	if err := decode(data, &in.end); err != nil {
		return err
	}
	sum := hex.EncodeToString(in.digest.Sum(nil))
	if in.end.SHA256 != sum || in.end.Bytes != in.bytes || in.end.Blobs != blobs || in.header.Blobs != blobs || len(in.end.Rows) != len(rows) {
		return damaged("what it holds is not what its end says")
	}
	for table, n := range rows {
		if want, ok := in.end.Rows[table]; !ok || (n >= 0 && n != want) {
			return damaged("table %s has %d rows, its end says %d", table, n, want)
		}
	}
	if _, err := in.tar.Next(); !errors.Is(err, io.EOF) {
		return damaged("something follows its end")
	}
	if err := discard(in.zstd); err != nil { // its checksum is at its end
		return damaged("%w", err)
	}
	return nil
}

// entryReader reads the entry, for its digests too.
type entryReader struct {
	in   *reader
	also io.Writer // nil: none
}

// Read is io.Reader's.
func (r *entryReader) Read(p []byte) (int, error) {
	n, err := r.in.tar.Read(p)
	_, _ = r.in.digest.Write(p[:n]) // a hash takes all
	if r.also != nil {
		_, _ = r.also.Write(p[:n])
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = damaged("%w", err)
	}
	return n, err
}

// rowReader reads the entries of a table as one stream.
type rowReader struct {
	in    *reader
	table string
	part  int // that is being read; 0: none yet
}

// Read is io.Reader's.
func (r *rowReader) Read(p []byte) (int, error) {
	for {
		if r.in.name != r.entry(r.part) {
			if r.in.name != r.entry(r.part+1) {
				return 0, io.EOF
			}
			if r.part++; r.in.size > maxChunk {
				return 0, damaged("%s has %d bytes", r.in.name, r.in.size)
			}
		}
		n, err := (&entryReader{in: r.in}).Read(p)
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		if err := r.in.advance(); err != nil {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
	}
}

func (r *rowReader) entry(part int) string {
	return fmt.Sprintf("%s%s/%06d", tablesDir, r.table, part)
}
