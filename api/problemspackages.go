package api

import (
	"context"
	"fmt"
	"io"
	"time"

	"judge/judge"
	"judge/judge/wire"
)

// Packages know what is in problem packages. Their methods may be called by many
// goroutines. Callers must not change what they get: it may be shared.
type Packages interface {
	// Problem reads what a version's package says, with its include files, and
	// names its test data without opening them. Settings are not applied.
	Problem(ctx context.Context, versionID string) (*judge.Problem, error)
	// Summary is what is asked of a version most often, without the cost of Problem.
	Summary(ctx context.Context, versionID string) (Summary, error)
	// Documents lists what people read of a version.
	Documents(ctx context.Context, versionID string) (Documents, error)
	// Open reads test data or a document, whose Ref is its SHA-256 in hex. It
	// gives io.EOF only after all bytes were what that says; what was read before
	// another error is not to be believed.
	Open(ctx context.Context, b judge.Blob) (io.ReadCloser, error)
	// Receive takes a package as a zip. It leaves nothing of what it refuses, by a
	// *PackageError where the package is at fault.
	Receive(ctx context.Context, zip io.Reader, r Reception) (Received, error)
	// ReceiveBundle takes a zip that holds others: its names are safe, its sizes true.
	// It leaves nothing of what it refuses, as Receive does.
	ReceiveBundle(ctx context.Context, zip io.Reader, most int64) (Bundle, error)
	// Page shows a file of a version's statement as HTML that can do nothing; an error
	// wraps judge.ErrNotFound where there is no such file or it is none to be shown.
	Page(ctx context.Context, versionID, file string) (StatementPage, error)
	// Export makes a version a package in the format 2025-09, whichever it came in. It
	// is a *PackageError where the format cannot say what the problem is.
	Export(ctx context.Context, versionID string) (Export, error)
	// WriteSkeleton writes a package to begin a problem with, as a zip.
	// judge.ErrInvalid: no problem may have that name.
	WriteSkeleton(w io.Writer, name string) error
}

// Summary is some of what a version's package says.
type Summary struct {
	Title        string
	EmbargoUntil time.Time // not to be shown to the public before; zero: no embargo
	// Open has the cases and groups that submitters are shown as they are shown
	// samples: paths below data/, as in runs and groups.
	Open map[string]bool
}

// Reception says as what a package is received, and how much of it.
type Reception struct {
	Name     string
	Zip      int64 // bytes at most
	Unpacked int64 // bytes of all files at most
}

// Received is a package that could be read. It is for one goroutine.
type Received interface {
	Problem() *judge.Problem
	Findings() []Finding
	// ZipSHA256 is of the zip as it came, in hex.
	ZipSHA256() string
	// Digest is what Store will say, and stores nothing.
	Digest() (string, error)
	// Store keeps all files by what they hold. The caller holds the lock blobsLock
	// until the answer is on record, or dropped.
	Store(ctx context.Context) (StoredPackage, error)
	// Close forgets what was received, but for what was stored.
	Close() error
}

// Bundle is a zip that was received. It is for one goroutine.
type Bundle interface {
	Names() []string // of its files, in order
	// Open reads one of them. A *PackageError in place of io.EOF says that what was
	// read is not to be believed.
	Open(name string) (io.ReadCloser, error)
	Close() error
}

// blobsLock keeps the collector of garbage away while uploads share it.
const blobsLock = "blobs"

// StoredPackage is a package whose files are kept.
type StoredPackage struct {
	Digest   string // of all that judging depends on
	Manifest []byte // JSON
	Blobs    []judge.StoredBlob
}

// Documents are the files of a version that people read.
type Documents struct{ Statement, Attachments []Document }

// StatementPage is a whole page, and the Content-Security-Policy that it is made for.
type StatementPage struct {
	HTML   []byte
	Policy string
}

// Export is a package that is ready to be written, once.
type Export struct {
	Findings []Finding // what is said in another way
	Write    func(w io.Writer) error
}

// Document is one of them. Its name is relative to the folder of its kind.
type Document struct {
	Name string
	Blob judge.Blob
}

// Finding is something about a package that its makers should know.
type Finding = wire.Finding

// PackageError is why a package is refused.
type PackageError struct {
	TooLarge bool // more than Reception.Zip
	Findings []Finding
}

func (e *PackageError) Error() string {
	if len(e.Findings) == 0 {
		return "the package cannot be used"
	}
	return fmt.Sprintf("%d faults, the first: %s", len(e.Findings), e.Findings[0].Message)
}
