package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// Object is a blob as it lies in the store.
type Object struct {
	SHA256  string
	Stored  int64 // bytes that it takes
	ModTime time.Time
}

// Has reports whether a blob is in the store; it does not look at its bytes.
func (s *Store) Has(ctx context.Context, sum string) (bool, error) {
	key, err := keyOf(sum)
	if err != nil {
		return false, err
	}
	ok, err := s.bucket.Exists(ctx, key)
	if err != nil {
		return false, failure("look for", key, err)
	}
	return ok, nil
}

// Delete removes a blob. One that is not there is no error. Caches keep their
// copies until they need the room.
func (s *Store) Delete(ctx context.Context, sum string) error {
	key, err := keyOf(sum)
	if err != nil {
		return err
	}
	if err := s.bucket.Delete(ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return failure("delete", key, err)
	}
	return nil
}

// List goes through all blobs in order of name, for the collection of garbage.
// It ends with the first error. Blobs that come or go meanwhile may be in it or
// not.
func (s *Store) List(ctx context.Context) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		for o, err := range s.objects(ctx) {
			if err != nil {
				yield(Object{}, err)
				return
			}
			if sum, ok := sumOf(o.Key); ok && !yield(Object{SHA256: sum, Stored: o.Size, ModTime: o.ModTime}, nil) {
				return
			}
		}
	}
}

// Sweep removes what writers that were killed left in a store of files and that
// was last written before the given time. (An S3 service drops unfinished
// uploads by a lifecycle rule of the bucket.)
func (s *Store) Sweep(ctx context.Context, before time.Time) (removed int, err error) {
	for o, err := range s.objects(ctx) {
		if err != nil {
			return removed, err
		}
		if !strings.HasSuffix(o.Key, ".tmp") || !o.ModTime.Before(before) { // as fileblob calls them
			continue
		}
		if err := s.bucket.Delete(ctx, o.Key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
			return removed, failure("delete", o.Key, err)
		}
		removed++
	}
	return removed, nil
}

// objects lists by the first two digits: a store of files walks all that is
// below a prefix for each page.
func (s *Store) objects(ctx context.Context) iter.Seq2[*blob.ListObject, error] {
	return func(yield func(*blob.ListObject, error) bool) {
		for i := range 256 {
			it := s.bucket.List(&blob.ListOptions{Prefix: fmt.Sprintf("%s%02x/", keyPrefix, i)})
			for {
				o, err := it.Next(ctx)
				if errors.Is(err, io.EOF) && ctx.Err() == nil {
					break
				}
				if err = errors.Join(err, ctx.Err()); err != nil { // a store of files does not look at ctx
					yield(nil, fmt.Errorf("list blobs: %w", err))
					return
				}
				if !yield(o, nil) {
					return
				}
			}
		}
	}
}
