package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Get reads a blob. The reader gives io.EOF only when all bytes were what the
// name says; else its last error wraps ErrDamaged, or is the store's. What was
// read before io.EOF is not to be believed. ErrNotFound: it is not there.
func (s *Store) Get(ctx context.Context, ref Ref) (io.ReadCloser, error) {
	key, err := keyOf(ref.SHA256)
	if err != nil {
		return nil, err
	}
	obj, err := s.bucket.NewReader(ctx, key, nil)
	if err != nil {
		return nil, failure("read", key, err)
	}
	src := &source{rc: obj}
	dec := decoders.Get().(*zstd.Decoder)
	g := &getting{key: key, ref: ref, src: src, dec: dec, h: sha256.New()}
	if err := dec.Reset(src); err != nil {
		return nil, errors.Join(g.failed(err), g.Close())
	}
	return g, nil
}

// source remembers the bucket's error, so that it is not taken for damage.
type source struct {
	rc  io.ReadCloser
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.rc.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

type getting struct {
	key string
	ref Ref
	src *source
	dec *zstd.Decoder
	h   hash.Hash
	n   int64
	err error // the last word
}

func (g *getting) Read(p []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	if most := g.ref.Size - g.n + 1; int64(len(p)) > most { // one more shows that there is more
		p = p[:max(most, 0)]
	}
	n, err := g.dec.Read(p)
	g.h.Write(p[:n])
	g.n += int64(n)
	switch {
	case g.n > g.ref.Size:
		g.err = damaged(g.key, "in the store holds more than its %d bytes", g.ref.Size)
	case errors.Is(err, io.EOF):
		g.err = g.whole()
	case err != nil:
		g.err = g.failed(err)
	}
	return n, g.err
}

func (g *getting) whole() error {
	if sum := hexOf(g.h.Sum(nil)); sum != g.ref.SHA256 {
		return damaged(g.key, "in the store has the SHA-256 %s (%d bytes)", sum, g.n)
	}
	if g.n != g.ref.Size { // the bytes are right, so whoever wrote the reference was not
		return damaged(g.key, "holds %d bytes, its reference says %d", g.n, g.ref.Size)
	}
	return io.EOF
}

func (g *getting) failed(err error) error {
	if g.src.err != nil {
		return failure("read", g.key, g.src.err)
	}
	return damaged(g.key, "in the store cannot be unpacked: %v", err)
}

func (g *getting) Close() error {
	if g.dec == nil {
		return nil
	}
	err := g.dec.Reset(nil)
	decoders.Put(g.dec)
	g.dec = nil
	if g.err == nil {
		g.err = errors.New("read after close")
	}
	return errors.Join(err, g.src.rc.Close())
}
