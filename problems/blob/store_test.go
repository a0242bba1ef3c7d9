package blob_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/zstd"

	"judge/problems/blob"
)

// place is a bucket that a test may look into: S3's too lies in a folder.
type place struct {
	url string
	dir string
}

func fileStore(tb testing.TB) place {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "blobs")
	return place{"file://" + dir, dir}
}

func (p place) open(tb testing.TB) *blob.Store {
	tb.Helper()
	s, err := blob.Open(tb.Context(), p.url, tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

func (p place) path(sum string) string { return filepath.Join(p.dir, "sha256", sum[:2], sum[2:]) }

func (p place) files(tb testing.TB) []string {
	tb.Helper()
	var all []string
	err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && d.Type().IsRegular() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

func put(tb testing.TB, s *blob.Store, data []byte) blob.Ref {
	tb.Helper()
	ref, err := s.Put(tb.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		tb.Fatal(err)
	}
	return ref
}

func get(ctx context.Context, s *blob.Store, ref blob.Ref) ([]byte, error) {
	r, err := s.Get(ctx, ref)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	return data, errors.Join(err, r.Close())
}

func noise(n int) []byte {
	data := make([]byte, n)
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

func text(n int) []byte { return bytes.Repeat([]byte("1 2 3 five\n"), n/11+1)[:n] }

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// conforms is what every kind of store promises.
func conforms(t *testing.T, at func(testing.TB) place) {
	t.Helper()
	t.Run("round trip", func(t *testing.T) { roundTrip(t, at(t)) })
	t.Run("absent", func(t *testing.T) { absent(t, at(t).open(t)) })
	t.Run("list and delete", func(t *testing.T) { listAndDelete(t, at(t).open(t)) })
	t.Run("writers at once", func(t *testing.T) { writersAtOnce(t, at(t)) })
	t.Run("failed writers", func(t *testing.T) { failedWriters(t, at(t)) })
	t.Run("damage", func(t *testing.T) { damage(t, at(t)) })
	t.Run("import", func(t *testing.T) { importTwice(t, at(t)) })
}

func TestFileStore(t *testing.T) { conforms(t, fileStore) }

func roundTrip(t *testing.T, p place) {
	t.Helper()
	s := p.open(t)
	for _, n := range []int{0, 1, 10, 4096, 128 << 10, 128<<10 + 1, 1 << 20, 1<<20 + 1, 6<<20 + 7} {
		for kind, data := range map[string][]byte{"text": text(n), "noise": noise(n)} {
			ref := put(t, s, data)
			if ref.SHA256 != sumOf(data) || ref.Size != int64(n) {
				t.Errorf("%d bytes of %s: %+v", n, kind, ref)
			}
			if most := int64(n) + 9 + int64(n)/10000; ref.Stored > most {
				t.Errorf("%d bytes of %s take %d, want at most %d", n, kind, ref.Stored, most)
			}
			if kind == "text" && n >= 4096 && ref.Stored > int64(n)/10 {
				t.Errorf("%d bytes of text take %d, as if not compressed", n, ref.Stored)
			}
			got, err := get(t.Context(), s, ref)
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("%d bytes of %s: got %d bytes, %v", n, kind, len(got), err)
			}
			packed, err := os.ReadFile(p.path(ref.SHA256))
			if err != nil || int64(len(packed)) != ref.Stored {
				t.Errorf("%d bytes lie there, Stored is %d (%v)", len(packed), ref.Stored, err)
			}
			// Any tool that reads zstd can read what lies there.
			dec, err := zstd.NewReader(bytes.NewReader(packed))
			if err != nil {
				t.Fatal(err)
			}
			plain, err := io.ReadAll(dec)
			if err != nil || !bytes.Equal(plain, data) {
				t.Errorf("%d bytes of %s as a zstd frame: got %d bytes, %v", n, kind, len(plain), err)
			}
			dec.Close()
			if again := put(t, s, data); again != ref {
				t.Errorf("stored again: %+v, before %+v", again, ref)
			}
		}
	}
}

func absent(t *testing.T, s *blob.Store) {
	t.Helper()
	sum := sumOf([]byte("nobody stored this"))
	if ok, err := s.Has(t.Context(), sum); ok || err != nil {
		t.Errorf("Has: %v, %v", ok, err)
	}
	if _, err := get(t.Context(), s, blob.Ref{SHA256: sum}); !errors.Is(err, blob.ErrNotFound) || !strings.Contains(err.Error(), sum[2:]) {
		t.Errorf("Get: %v, want ErrNotFound with the key", err)
	}
	if err := s.Delete(t.Context(), sum); err != nil {
		t.Errorf("Delete: %v", err)
	}
	for _, bad := range []string{"", "ab", "../../etc/passwd", strings.ToUpper(sum), sum + "0", sum[:63] + "/"} {
		_, err := s.Has(t.Context(), bad)
		_, gerr := s.Get(t.Context(), blob.Ref{SHA256: bad})
		if err == nil || gerr == nil || s.Delete(t.Context(), bad) == nil {
			t.Errorf("%q passes for a SHA-256", bad)
		}
	}
}

func listAndDelete(t *testing.T, s *blob.Store) {
	t.Helper()
	want := map[string]int64{}
	before := time.Now().Add(-time.Minute)
	for i := range 40 {
		ref := put(t, s, noise(i))
		want[ref.SHA256] = ref.Stored
	}
	var sums []string
	for o, err := range s.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if o.Stored != want[o.SHA256] || o.ModTime.Before(before) {
			t.Errorf("listed %+v, want %d bytes", o, want[o.SHA256])
		}
		sums = append(sums, o.SHA256)
	}
	if len(sums) != len(want) || !slices.IsSorted(sums) {
		t.Fatalf("listed %d blobs, want %d in order", len(sums), len(want))
	}
	for _, sum := range sums[:30] {
		if err := s.Delete(t.Context(), sum); err != nil {
			t.Fatal(err)
		}
		if ok, err := s.Has(t.Context(), sum); ok || err != nil {
			t.Errorf("after Delete: %v, %v", ok, err)
		}
	}
	left := 0
	for _, err := range s.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		left++
		if left == 5 {
			break
		}
	}
	if left != 5 {
		t.Errorf("%d of ten blobs listed before the break at 5", left)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range s.List(ctx) {
		if err == nil {
			t.Error("a cancelled listing goes on")
		}
	}
}

func writersAtOnce(t *testing.T, p place) {
	t.Helper()
	for round := range 3 {
		data := text(3<<20 + round)
		var wg sync.WaitGroup
		for range 4 {
			s := p.open(t)
			wg.Go(func() {
				ref, err := s.Put(t.Context(), iotest.HalfReader(bytes.NewReader(data)), -1)
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := get(t.Context(), s, ref); err != nil || !bytes.Equal(got, data) {
					t.Errorf("read %d bytes, %v", len(got), err)
				}
			})
		}
		wg.Wait()
	}
	if all := p.files(t); len(all) != 3 {
		t.Errorf("there are %q, want three blobs", all)
	}
}

func failedWriters(t *testing.T, p place) {
	t.Helper()
	s := p.open(t)
	broken := errors.New("the line is cut")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range map[string]error{
		"cut":       second(s.Put(t.Context(), io.MultiReader(bytes.NewReader(text(3<<20)), iotest.ErrReader(broken)), -1)),
		"short":     second(s.Put(t.Context(), bytes.NewReader(text(9)), 10)),
		"long":      second(s.Put(t.Context(), bytes.NewReader(text(9)), 8)),
		"cancelled": second(s.Put(ctx, bytes.NewReader(text(9)), 9)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if name == "cut" && !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all := stored(t, s); len(all) > 0 {
		t.Errorf("left %q", all)
	}
	if left := p.files(t); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

func second[T any](_ T, err error) error { return err }

// damage: whatever happens to the stored bytes, they are never taken for the
// blob, and the error says which it was.
func damage(t *testing.T, p place) {
	t.Helper()
	s := p.open(t)
	for kind, data := range map[string][]byte{"packed": text(300 << 10), "raw": noise(300 << 10)} {
		ref := put(t, s, data)
		path := p.path(ref.SHA256)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var bomb bytes.Buffer
		enc, err := zstd.NewWriter(&bomb, zstd.WithWindowSize(1<<20))
		if err == nil {
			_, err = enc.Write(make([]byte, 8<<20))
			err = errors.Join(err, enc.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		spoilt := map[string][]byte{
			"more than a memory": bomb.Bytes(),

			"empty": {}, "cut": whole[:len(whole)/2], "without its last byte": whole[:len(whole)-1],
			"other": text(100), "followed": append(slices.Clone(whole), 0), "twice": slices.Concat(whole, whole),
		}
		for _, at := range []int{0, 4, 5, 6, 9, len(whole) / 2, len(whole) - 1} {
			flipped := slices.Clone(whole)
			flipped[at] ^= 1
			spoilt["flipped at "+string(rune('a'+at%26))] = flipped
		}
		for name, data := range spoilt {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := get(t.Context(), s, ref)
			if !errors.Is(err, blob.ErrDamaged) || !strings.Contains(err.Error(), ref.SHA256[2:]) {
				t.Errorf("%s, %s: %d bytes, %v; want ErrDamaged with the key", kind, name, len(got), err)
			}
			if int64(len(got)) > ref.Size+1 {
				t.Errorf("%s, %s: gave %d bytes, the blob has %d", kind, name, len(got), ref.Size)
			}
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, size := range []int64{0, ref.Size - 1, ref.Size + 1} {
			if _, err := get(t.Context(), s, blob.Ref{SHA256: ref.SHA256, Size: size}); !errors.Is(err, blob.ErrDamaged) {
				t.Errorf("%s, referred to with %d bytes: %v", kind, size, err)
			}
		}
		if _, err := get(t.Context(), s, ref); err != nil {
			t.Errorf("%s, mended: %v", kind, err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, url := range []string{"", "/var/lib", "file://relative/x", "file:relative", "file:///x?create_dir=1", "gs://bucket", "s3://b?what=1", "::"} {
		if _, err := blob.Open(t.Context(), url, ""); err == nil {
			t.Errorf("%q was opened", url)
		}
	}
}

func TestSweepStore(t *testing.T) {
	p := fileStore(t)
	s := p.open(t)
	ref := put(t, s, text(100))
	// What a writer that was killed leaves.
	left := p.path(ref.SHA256) + ".18a5.tmp"
	if err := os.WriteFile(left, text(10), 0o600); err != nil {
		t.Fatal(err)
	}
	if all := stored(t, s); !slices.Equal(all, []string{ref.SHA256}) {
		t.Errorf("listed %q", all)
	}
	if n, err := s.Sweep(t.Context(), time.Now().Add(-time.Hour)); n != 0 || err != nil {
		t.Errorf("swept %d that may be in the making, %v", n, err)
	}
	if n, err := s.Sweep(t.Context(), time.Now().Add(time.Hour)); n != 1 || err != nil {
		t.Errorf("swept %d, %v; want 1", n, err)
	}
	if all := p.files(t); len(all) != 1 || all[0] != p.path(ref.SHA256) {
		t.Errorf("there are %q", all)
	}
}
