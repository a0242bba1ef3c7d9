// Package blob is responsible for the service's test data: the files of
// problems are stored once by what they hold (Store), cached uncompressed on
// each worker (Cache), listed in a Manifest from which a judge.Problem is made
// again without the package, and received as uploads (Uploads).
//
// It does not know which problems there are: which blobs are still referred to
// is the database's business, and so is keeping a collector of garbage (List,
// Delete) apart from imports, by a lock that imports share and the collector
// holds alone. It judges nothing and runs nothing.
//
// A blob's key is sha256/ab/cdef…, by the SHA-256 of what it holds. What lies
// there is one zstd frame, so that `zstd -dc FILE | sha256sum` checks any of
// them by hand; where compression saves less than a tenth, the frame's blocks
// are raw. What is read is compared with its key, always.
package blob

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/s3blob" // s3:// URLs
	"gocloud.dev/gcerrors"
)

// ErrNotFound is wrapped by errors about a blob that is not in the store.
var ErrNotFound = errors.New("no such blob")

// ErrDamaged is wrapped by errors about stored or cached bytes that are not what
// their key says. It is our failure, never a submission's or a package's.
var ErrDamaged = errors.New("damaged test data")

// Ref names a blob.
type Ref struct {
	SHA256 string // of what it holds, 64 lower-case hex digits
	Size   int64  // of what it holds, in bytes
	Stored int64  // bytes that it takes in the store; 0: not known
}

// Store holds blobs in a bucket. Its methods may be called by many goroutines,
// and many processes may use one bucket at once.
type Store struct {
	bucket *blob.Bucket
	temp   string
}

// Open opens the store at a URL: file:///path for a folder, which is made if it
// is not there, or s3://bucket?endpoint=https://…&region=…&use_path_style=true
// for an S3-compatible service (further parameters: gocloud.dev/blob/s3blob and
// prefix=). Credentials for S3 come from where the AWS SDK looks: environment,
// then its files. temp is the folder for blobs on their way in; empty:
// os.TempDir.
func Open(ctx context.Context, storeURL, temp string) (*Store, error) {
	u, err := url.Parse(storeURL)
	if err != nil {
		return nil, fmt.Errorf("read blob store URL: %w; write file:///folder or s3://bucket?endpoint=https://host", err)
	}
	var b *blob.Bucket
	switch u.Scheme {
	case "file":
		b, err = openFolder(u)
	case "s3":
		b, err = blob.OpenBucket(ctx, withoutChecksums(u))
	default:
		err = fmt.Errorf("scheme %q is not known; write file:///folder or s3://bucket?endpoint=https://host", u.Scheme)
	}
	if err != nil {
		return nil, fmt.Errorf("open blob store %s: %w", u.Redacted(), err)
	}
	return &Store{bucket: b, temp: temp}, nil
}

func openFolder(u *url.URL) (*blob.Bucket, error) {
	if u.Host != "" || !filepath.IsAbs(u.Path) || u.RawQuery != "" {
		return nil, errors.New("a folder is given by its absolute path and nothing else; write file:///folder, with three slashes")
	}
	return fileblob.OpenBucket(u.Path, &fileblob.Options{
		CreateDir: true, DirFileMode: 0o700,
		NoTempDir: true, // a rename must not cross file systems
		Metadata:  fileblob.MetadataDontWrite,
	})
}

// withoutChecksums turns off checksums of the SDK's own unless the URL asks for
// them: ours are stronger, a mismatch would not be told from a fault of the
// network, and not every S3-compatible service knows them.
func withoutChecksums(u *url.URL) string {
	q := u.Query()
	for _, name := range []string{"request_checksum_calculation", "response_checksum_validation"} {
		if !q.Has(name) {
			q.Set(name, "when_required")
		}
	}
	with := *u
	with.RawQuery = q.Encode()
	return with.String()
}

// Close releases what the store holds open.
func (s *Store) Close() error {
	if err := s.bucket.Close(); err != nil {
		return fmt.Errorf("close blob store: %w", err)
	}
	return nil
}

const keyPrefix = "sha256/"

var hexSum = regexp.MustCompile(`^[0-9a-f]{64}$`)

func keyOf(sum string) (string, error) {
	if !hexSum.MatchString(sum) {
		return "", fmt.Errorf("%q is not the SHA-256 of a blob (64 lower-case hex digits)", sum)
	}
	return keyPrefix + sum[:2] + "/" + sum[2:], nil
}

// sumOf is the opposite of keyOf; false: the object is not a blob.
func sumOf(key string) (string, bool) {
	if len(key) != len(keyPrefix)+65 || key[len(keyPrefix)+2] != '/' {
		return "", false
	}
	sum := key[len(keyPrefix):len(keyPrefix)+2] + key[len(keyPrefix)+3:]
	back, err := keyOf(sum)
	return sum, err == nil && back == key
}

// failure wraps an error of the bucket's.
func failure(verb, key string, err error) error {
	if gcerrors.Code(err) == gcerrors.NotFound {
		return fmt.Errorf("%s %s: %w", verb, key, ErrNotFound)
	}
	return fmt.Errorf("%s %s: %w", verb, key, err)
}

func damaged(key, format string, args ...any) error {
	return fmt.Errorf("%w: %s %s", ErrDamaged, key, fmt.Sprintf(format, args...))
}

func hexOf(sum []byte) string { return hex.EncodeToString(sum) }
