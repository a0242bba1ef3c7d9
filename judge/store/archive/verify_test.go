package archive_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"judge/judge/store/archive"
)

// small is a backup made by hand after the format's description.
func small(tb testing.TB) []entry {
	tb.Helper()
	blob := []byte("1 2\n")
	sum := sha256.Sum256(blob)
	entries := []entry{
		{"backup.json", []byte(`{"format":1,"schema":5,"created_at":"2027-01-31T00:00:00Z","build":"b","tables":[{"name":"a","columns":["x"]},{"name":"b","columns":["y"]}],"blobs":1}`)},
		{"tables/b/000001", []byte("1\n2")},
		{"tables/b/000002", []byte("2\n")},
		{"blobs/" + hex.EncodeToString(sum[:]), blob},
	}
	return append(entries, ending(tb, entries, map[string]int64{"a": 0, "b": 2}, 1))
}

func ending(tb testing.TB, entries []entry, rows map[string]int64, blobs int) entry {
	tb.Helper()
	h := sha256.New()
	var bytes int64
	for _, e := range entries {
		head := binary.BigEndian.AppendUint64(nil, uint64(len(e.name)))
		head = append(head, e.name...)
		head = binary.BigEndian.AppendUint64(head, uint64(len(e.data)))
		h.Write(head)
		h.Write(e.data)
		bytes += int64(len(e.data))
	}
	data, err := json.Marshal(archive.Summary{SHA256: hex.EncodeToString(h.Sum(nil)), Rows: rows, Blobs: blobs, Bytes: bytes})
	if err != nil {
		tb.Fatal(err)
	}
	return entry{"end.json", data}
}

func TestVerify(t *testing.T) {
	good := small(t)
	h, sum, err := archive.Verify(t.Context(), bytes.NewReader(pack(t, good...)))
	if err != nil || h.Schema != 5 || sum.Rows["b"] != 2 || sum.Blobs != 1 {
		t.Fatalf("%+v %+v: %v", h, sum, err)
	}
	change := func(i int, f func(*entry)) []entry {
		out := slices.Clone(good)
		out[i].data = slices.Clone(out[i].data)
		f(&out[i])
		return out
	}
	resealed := func(entries []entry) []entry {
		return append(entries, ending(t, entries, map[string]int64{"a": 0, "b": 2}, 1))
	}
	swap := func(entries []entry, old, with string) []entry {
		out := slices.Clone(entries)
		out[0].data = []byte(strings.Replace(string(out[0].data), old, with, 1))
		return out
	}
	body := good[:len(good)-1]
	tests := []struct {
		name string
		file []byte
	}{
		{"nothing", nil},
		{"some other file", []byte("PK\x03\x04 this is a zip")},
		{"no end", pack(t, body...)},
		{"no blobs", pack(t, slices.Delete(slices.Clone(good), 3, 4)...)},
		{"a changed row", pack(t, change(1, func(e *entry) { e.data[0] = '7' })...)},
		{"a changed blob", pack(t, change(3, func(e *entry) { e.data[0] = '7' })...)},
		{"a changed digest", pack(t, change(4, func(e *entry) { e.data = bytes.Replace(e.data, []byte(`:"`), []byte(`:"0`), 1) })...)},
		{"a row less in the end", pack(t, change(4, func(e *entry) { e.data = bytes.Replace(e.data, []byte(`"blobs":1`), []byte(`"blobs":2`), 1) })...)},
		{"something after the end", pack(t, append(slices.Clone(good), entry{"more", nil})...)},
		{"parts in another order", pack(t, resealed([]entry{body[0], body[2], body[1], body[3]})...)},
		{"a table that is not listed", pack(t, resealed([]entry{body[0], {"tables/c/000001", nil}, body[3]})...)},
		{"a blob that is not what its name says, sealed", pack(t, resealed([]entry{body[0], {body[3].name, []byte("no")}})...)},
		{"a blob by another name", pack(t, resealed([]entry{body[0], {"blobs/../../etc/passwd", nil}})...)},
		{"a table with a name that is code", pack(t, resealed(swap(body, `"name":"a"`, `"name":"a; DROP TABLE b"`))...)},
		{"a column with a name that is code", pack(t, resealed(swap(body, `["x"]`, `["x) FROM PROGRAM"]`))...)},
		{"a table twice", pack(t, resealed(swap(body, `"name":"a"`, `"name":"b"`))...)},
		{"an unknown field", pack(t, resealed(swap(body, `"build":`, `"built":`))...)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, _, err := archive.Verify(t.Context(), bytes.NewReader(tt.file)); !errors.Is(err, archive.ErrDamaged) {
				t.Errorf("error %v, want ErrDamaged", err)
			}
		})
	}
	whole := pack(t, good...)
	for n := range len(whole) {
		if _, _, err := archive.Verify(t.Context(), bytes.NewReader(whole[:n])); !errors.Is(err, archive.ErrDamaged) {
			t.Fatalf("cut after %d of %d bytes: error %v, want ErrDamaged", n, len(whole), err)
		}
	}
	if _, _, err := archive.Verify(t.Context(), bytes.NewReader(pack(t, resealed(swap(body, `"format":1`, `"format":2`))...))); err == nil || errors.Is(err, archive.ErrDamaged) || !strings.Contains(err.Error(), "format 2") {
		t.Errorf("a later format: %v", err)
	}
}

// FuzzVerify reads whatever tar comes: it may not panic, and what it accepts is
// what was sealed.
func FuzzVerify(f *testing.F) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packTar(f, small(f)...))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, file []byte) {
		_, sum, err := archive.Verify(t.Context(), bytes.NewReader(z.EncodeAll(file, nil)))
		if err != nil {
			return
		}
		entries := unpackTar(t, bytes.NewReader(file))
		end := ending(t, entries[:len(entries)-1], sum.Rows, sum.Blobs)
		var want archive.Summary
		if err := json.Unmarshal(end.data, &want); err != nil {
			t.Fatal(err)
		}
		if want.SHA256 != sum.SHA256 || want.Bytes != sum.Bytes {
			t.Errorf("accepted %+v, what it holds is %+v", sum, want)
		}
	})
}
