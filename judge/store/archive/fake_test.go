package archive_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"
)

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
