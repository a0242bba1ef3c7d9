//go:build postgres

package archive_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
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

func unzstd(tb testing.TB, file []byte) io.Reader {
	tb.Helper()
	z, err := zstd.NewReader(nil)
	if err != nil {
		tb.Fatal(err)
	}
	out, err := z.DecodeAll(file, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return bytes.NewReader(out)
}
