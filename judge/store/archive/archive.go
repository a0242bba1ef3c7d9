// Package archive is responsible for backups: all that a database of ours keeps,
// and the test data that it refers to, as one file, and back.
//
// It knows tables only by what Postgres says of them, stores no blob itself and
// decides nothing about when and where. It keeps no jobs (judge/queue makes them
// again), no events (who followed them begins anew) and nothing of the cluster.
//
// A backup is a tar in zstd, whose entries are, in this order:
//
//	backup.json              Header: the format, the schema's version, tables, columns
//	tables/NAME/000001 …     rows as COPY writes them (text), cut anywhere
//	blobs/SHA256             what a blob holds, uncompressed
//	end.json                 Summary: how much there was, and the SHA-256 of it
//
// Tables come in an order in which foreign keys can be checked as they are read.
// The digest is of name, size and content of each entry before the last, so that
// no change of any byte, and no missing end, goes unnoticed.
package archive

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"regexp"
	"time"
)

// Format is the only format of backups so far.
const Format = 1

// ErrDamaged is wrapped by errors about a file that is no backup, or not a whole
// one.
var ErrDamaged = errors.New("not a whole backup")

const (
	headerName = "backup.json"
	endName    = "end.json"
	tablesDir  = "tables/"
	blobsDir   = "blobs/"

	chunk    = 4 << 20  // bytes of rows in one entry
	maxChunk = 64 << 20 // that an entry of rows may have
	maxNote  = 16 << 20 // of backup.json and end.json
	maxBlob  = 1 << 40  // of a blob

	maxWindow = 64 << 20 // bytes of memory for decompression; what we write wants 8 MiB
)

var (
	blobName  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	tableName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`)
)

// Header says what a backup is of.
type Header struct {
	Format    int       `json:"format"`
	Schema    int64     `json:"schema"` // version of the tables
	CreatedAt time.Time `json:"created_at"`
	Build     string    `json:"build"` // that wrote it
	Tables    []Table   `json:"tables"`
	Blobs     int       `json:"blobs"`
}

// Table is a table and the columns whose values are kept.
type Table struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
}

// Summary is what a backup holds.
type Summary struct {
	SHA256 string           `json:"sha256"`
	Rows   map[string]int64 `json:"rows"` // by table
	Blobs  int              `json:"blobs"`
	Bytes  int64            `json:"bytes"` // of all entries before the last
}

// Progress tells what is being done, and how far it is: total may grow.
type Progress func(what string, done, total int)

// Blobs are where test data are.
type Blobs interface {
	// Read reads a blob of that many bytes; an error where it is not what it should be.
	Read(ctx context.Context, sha256 string, size int64) (io.ReadCloser, error)
	// Write stores one, unless it is there, and says by which digest.
	Write(ctx context.Context, r io.Reader, size int64) (sha256 string, err error)
}

// digest is the running digest of entries.
type digest struct{ hash.Hash }

func (d digest) entry(name string, size int64) {
	head := binary.BigEndian.AppendUint64(nil, uint64(len(name)))
	head = append(head, name...)
	head = binary.BigEndian.AppendUint64(head, uint64(size))
	_, _ = d.Write(head) // a hash takes all
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrDamaged, fmt.Errorf(format, args...))
}
