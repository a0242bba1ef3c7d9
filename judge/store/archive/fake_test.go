package archive_test

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// heap is a store of blobs in memory.
type heap map[string][]byte

func (h heap) Read(_ context.Context, sum string, _ int64) (io.ReadCloser, error) {
	b, ok := h[sum]
	if !ok {
		return nil, fmt.Errorf("no blob %s", sum)
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

func (h heap) Write(_ context.Context, r io.Reader, size int64) (string, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return "", err
	}
	if int64(len(b)) != size {
		return "", fmt.Errorf("%d bytes, not %d", len(b), size)
	}
	return h.put(b), nil
}

func (h heap) put(b []byte) string {
	sum := sha256.Sum256(b)
	name := hex.EncodeToString(sum[:])
	h[name] = b
	return name
}

// entry is one of a tar.
type entry struct {
	name string
	data []byte
}

// pack makes a file of entries, as a backup is packed.
func pack(tb testing.TB, entries ...entry) []byte {
	tb.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return z.EncodeAll(packTar(tb, entries...), nil)
}

func packTar(tb testing.TB, entries ...entry) []byte {
	tb.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, e := range entries {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: e.name, Size: int64(len(e.data)), Mode: 0o600}); err != nil {
			tb.Fatal(err)
		}
		if _, err := w.Write(e.data); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

func unpackTar(tb testing.TB, file io.Reader) []entry {
	tb.Helper()
	var all []entry
	for r := tar.NewReader(file); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			tb.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, entry{h.Name, data})
	}
}
