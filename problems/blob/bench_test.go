package blob_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"judge/problems/blob"
)

// Each benchmark also does what the machine must do anyway, a plain copy of the
// same bytes from file to file (synced for Put, whose blobs are), turn and turn
// about, and reports how many times as long the blob took.

func numbers(n int) []byte {
	var buf bytes.Buffer
	for x := uint64(1); buf.Len() < n; x = x*6364136223846793005 + 1442695040888963407 {
		buf.WriteString(strconv.FormatUint(x>>44, 10))
		buf.WriteByte("    \n"[x>>40%5])
	}
	return buf.Bytes()[:n]
}

func benchmark(b *testing.B, data []byte, sync bool, f func(i int)) {
	b.Helper()
	dir := b.TempDir()
	from := filepath.Join(dir, "from")
	if err := os.WriteFile(from, data, 0o600); err != nil {
		b.Fatal(err)
	}
	var ours, plain time.Duration
	b.SetBytes(int64(len(data)))
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		f(i)
		ours += time.Since(start)
		b.StopTimer()
		start = time.Now()
		copied(b, from, filepath.Join(dir, "to"), sync)
		plain += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(ours.Seconds()/plain.Seconds(), "ratio")
}

func copied(b *testing.B, from, to string, sync bool) {
	b.Helper()
	r, err := os.Open(from)
	if err != nil {
		b.Fatal(err)
	}
	w, err := os.Create(to)
	if err != nil {
		b.Fatal(err)
	}
	_, err = io.Copy(struct{ io.Writer }{w}, struct{ io.Reader }{r}) // no reflink
	if sync {
		err = errors.Join(err, w.Sync())
	}
	if err := errors.Join(err, r.Close(), w.Close(), os.Remove(to)); err != nil {
		b.Fatal(err)
	}
}

func kinds() map[string][]byte {
	return map[string][]byte{"10KiB": numbers(10 << 10), "4MiB": numbers(4 << 20), "4MiB-noise": noise(4 << 20)}
}

func BenchmarkPut(b *testing.B) {
	for name, data := range kinds() {
		b.Run(name, func(b *testing.B) {
			s := fileStore(b).open(b)
			data = bytes.Clone(data)
			benchmark(b, data, true, func(i int) {
				copy(data, strconv.Itoa(i)+" ") // another blob each time
				put(b, s, data)
			})
		})
	}
}

func BenchmarkPutAgain(b *testing.B) {
	for name, data := range kinds() {
		b.Run(name, func(b *testing.B) {
			s := fileStore(b).open(b)
			put(b, s, data)
			benchmark(b, data, false, func(int) { put(b, s, data) })
		})
	}
}

func BenchmarkGet(b *testing.B) {
	for name, data := range kinds() {
		b.Run(name, func(b *testing.B) {
			s := fileStore(b).open(b)
			ref := put(b, s, data)
			benchmark(b, data, false, func(int) {
				r, err := s.Get(b.Context(), ref)
				if err == nil {
					_, err = io.Copy(io.Discard, r)
				}
				if err := errors.Join(err, r.Close()); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// BenchmarkCacheOpen is what a judgement pays per file that is cached.
func BenchmarkCacheOpen(b *testing.B) {
	s := fileStore(b).open(b)
	c := cache(b, s, blob.CacheOptions{Budget: 1 << 30})
	ref := put(b, s, text(10))
	for b.Loop() {
		closed(b, openBlob(b, c, ref))
	}
}
