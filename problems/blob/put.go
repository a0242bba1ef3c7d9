package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// Put stores all that r holds, unless it is there already, and says under which
// name. size is how many bytes are expected; negative: unknown. Another number
// is an error, and then nothing is stored. Nothing can be read under the key
// before all of it is there; when Put returns, a power cut does not undo it
// (files) or the service has confirmed it (S3). Several writers of the same blob
// do not disturb each other.
func (s *Store) Put(ctx context.Context, r io.Reader, size int64) (ref Ref, err error) {
	in := &spool{dir: s.temp}
	defer func() { err = errors.Join(err, in.close()) }()
	h := sha256.New()
	if _, err := io.Copy(io.MultiWriter(h, in), reading(ctx, r)); err != nil {
		return Ref{}, fmt.Errorf("read blob: %w", err)
	}
	if size >= 0 && in.size != size {
		return Ref{}, fmt.Errorf("read blob: it holds %d bytes, %d were announced", in.size, size)
	}
	ref = Ref{SHA256: hexOf(h.Sum(nil)), Size: in.size}
	key, err := keyOf(ref.SHA256)
	if err != nil {
		return Ref{}, err
	}
	attrs, err := s.bucket.Attributes(ctx, key)
	switch {
	case err == nil:
		ref.Stored = attrs.Size
		return ref, nil
	case gcerrors.Code(err) != gcerrors.NotFound:
		return Ref{}, failure("look for", key, err)
	}
	if ref.Stored, err = s.pack(ctx, key, in); err != nil {
		return Ref{}, failure("store", key, err)
	}
	return ref, nil
}

// pack writes a blob compressed if that saves at least a tenth.
func (s *Store) pack(ctx context.Context, key string, in *spool) (stored int64, err error) {
	packed := &spool{dir: s.temp}
	defer func() { err = errors.Join(err, packed.close()) }()
	if err := compress(packed, reading(ctx, in.reader())); err != nil {
		return 0, fmt.Errorf("compress: %w", err)
	}
	if packed.size <= in.size-in.size/10 && packed.size < in.size {
		return packed.size, s.write(ctx, key, packed.reader())
	}
	return rawSize(in.size), s.write(ctx, key, newRaw(in.reader(), in.size))
}

// write makes an object. A writer that is closed after its context was cancelled
// leaves none.
func (s *Store) write(ctx context.Context, key string, r io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var file *os.File // that is renamed to the key, in a store of files
	w, err := s.bucket.NewWriter(ctx, key, &blob.WriterOptions{
		ContentType: "application/zstd",
		BeforeWrite: func(as func(any) bool) error {
			as(&file)
			return nil
		},
	})
	if err != nil {
		return err
	}
	_, err = io.Copy(w, reading(ctx, r))
	if err == nil && file != nil {
		err = file.Sync() // before the rename: else a power cut leaves the key with less than its bytes
	}
	if err != nil {
		cancel()
	}
	if err := errors.Join(err, w.Close()); err != nil || file == nil {
		return err
	}
	return syncFolders(filepath.Dir(file.Name()))
}

// syncFolders makes a name in dir last, and the names of dir and of sha256/.
func syncFolders(dir string) error {
	for range 3 {
		d, err := os.Open(dir)
		if err != nil {
			return err
		}
		if err := errors.Join(d.Sync(), d.Close()); err != nil {
			return err
		}
		dir = filepath.Dir(dir)
	}
	return nil
}

// reading makes reads fail once ctx is done. It hides what else r can do, so
// that copying goes through it.
func reading(ctx context.Context, r io.Reader) io.Reader { return &ctxReader{ctx, r} }

type ctxReader struct {
	ctx context.Context //nolint:containedctx // lives as long as one call
	r   io.Reader
}

func (c *ctxReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
