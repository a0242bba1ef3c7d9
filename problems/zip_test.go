package problems_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"judge/problems"
)

func with(more ...header) []header { return append(entries(oneCase), more...) }

// typed is an entry with a mode, as Unix tools write it.
func typed(name, data string, mode fs.FileMode) header {
	h := entry(name, data)
	h.SetMode(mode)
	return h
}

// lying is an entry whose header states sizes that are not true.
func lying(name string, packed string, method uint16, size uint64) header {
	h := header{raw: true, data: packed}
	h.FileHeader = zip.FileHeader{Name: name, Method: method, UncompressedSize64: size, CompressedSize64: uint64(len(packed))}
	return h
}

func TestHostileZip(t *testing.T) {
	encrypted := entry("secret.txt", "")
	encrypted.Flags |= 1
	for name, tc := range map[string]struct {
		zip  []byte
		want []string
	}{
		"slip":             {zipBytes(t, with(entry("../../etc/cron.d/x", ""))...), []string{`../../etc/cron.d/x: … climbs out`}},
		"slip inside":      {zipBytes(t, with(entry("data/../../x", ""))...), []string{"climbs out"}},
		"slip folder":      {zipBytes(t, with(entry("../", ""))...), []string{"climbs out"}},
		"slip hidden":      {zipBytes(t, with(entry(".git/../../x", ""))...), []string{"climbs out"}},
		"absolute":         {zipBytes(t, with(entry("/etc/passwd", ""))...), []string{"absolute"}},
		"backslash":        {zipBytes(t, with(entry(`..\..\x`, ""))...), []string{"backslash"}},
		"drive":            {zipBytes(t, with(entry("C:/x", ""))...), []string{"absolute"}},
		"NUL":              {zipBytes(t, with(entry("data/secret/1.in\x00.png", ""))...), []string{"NUL"}},
		"dot":              {zipBytes(t, with(entry("./data/secret/1.in", ""))...), []string{"not a plain path"}},
		"double slash":     {zipBytes(t, with(entry("data//secret/2.in", ""))...), []string{"not a plain path"}},
		"empty":            {zipBytes(t, with(entry("", ""))...), []string{"empty"}},
		"symlink":          {zipBytes(t, with(typed("data/secret/2.in", "/etc/passwd", fs.ModeSymlink|0o777))...), []string{"data/secret/2.in: … symbolic link"}},
		"symlink folder":   {zipBytes(t, with(typed("d", "/etc", fs.ModeSymlink|0o777), entry("d/passwd", ""))...), []string{"d: … symbolic link"}},
		"device":           {zipBytes(t, with(typed("null", "", fs.ModeDevice|fs.ModeCharDevice|0o666))...), []string{"neither a file nor a folder"}},
		"pipe":             {zipBytes(t, with(typed("pipe", "", fs.ModeNamedPipe|0o666))...), []string{"neither a file nor a folder"}},
		"twice":            {zipBytes(t, with(entry("data/secret/1.in", "other"))...), []string{"data/secret/1.in: … twice"}},
		"case":             {zipBytes(t, with(entry("DATA/secret/1.in", "other"))...), []string{"upper and lower case"}},
		"file and folder":  {zipBytes(t, with(entry("data/secret/1.in/x", ""))...), []string{"as a file and as a folder"}},
		"folder and file":  {zipBytes(t, with(entry("a/b", ""), entry("a", ""))...), []string{"as a file and as a folder"}},
		"encrypted":        {zipBytes(t, with(encrypted)...), []string{"encrypted"}},
		"method":           {zipBytes(t, with(lying("x", "abc", 14, 3))...), []string{"packed by method 14"}},
		"says less":        {zipBytes(t, with(lying("data/secret/2.in", "abcdef", zip.Store, 3), entry("data/secret/2.ans", ""))...), []string{"data/secret/2.in: … cannot be unpacked"}},
		"says more":        {zipBytes(t, with(lying("data/secret/2.in", "abcdef", zip.Store, 60), entry("data/secret/2.ans", ""))...), []string{"data/secret/2.in: … cannot be unpacked"}},
		"says petabytes":   {zipBytes(t, with(lying("x", "abcdef", zip.Store, 1<<63))...), []string{"x: … ceiling for one file is 512 MiB"}},
		"damaged":          {zipBytes(t, with(lying("data/secret/2.in", "\xff\xff\xff\xff", zip.Deflate, 9), entry("data/secret/2.ans", ""))...), []string{"data/secret/2.in: … cannot be unpacked"}},
		"checksum":         {bytes.Replace(zipBytes(t, with(header{FileHeader: zip.FileHeader{Name: "include/c/x"}, data: "abcdef"})...), []byte("abcdef"), []byte("abcdeg"), 1), []string{"include/c/x: … checksum"}},
		"before the start": {shifted(t), []string{"data/secret/1.ans: … cannot be unpacked", "cannot be unpacked", "cannot be unpacked"}},
		"no zip":           {[]byte("PK, almost"), []string{"cannot be unpacked"}},
		"cut":              {zipBytes(t, with()...)[:100], []string{"cannot be unpacked"}},
		"nothing":          {nil, []string{"cannot be unpacked"}},
		"no files":         {zipBytes(t), []string{"no test cases"}},
		"overlap":          {overlapping(t), []string{`shares packed bytes with "data/secret/1.in"`}},
		"beyond the end":   {zipBytes(t, with(patched(lying("x", "abc", zip.Store, 1<<20)))...), []string{"x: … beyond the end"}},
	} {
		t.Run(name, func(t *testing.T) {
			wantEach(t, refused(t, zipFile(t, "p.zip", tc.zip), problems.Options{}), tc.want...)
		})
	}
}

// shifted says that the directory lies a byte further on than it does, so that
// the first file begins a byte before the zip.
func shifted(t *testing.T) []byte {
	t.Helper()
	data := zipBytes(t, with()...)
	const offsetField = 16 // of the end record, with its signature
	at := data[bytes.LastIndex(data, []byte("PK\x05\x06"))+offsetField:]
	binary.LittleEndian.PutUint32(at, binary.LittleEndian.Uint32(at)+1)
	return data
}

// patched makes the packed size as large as the unpacked one is said to be.
func patched(h header) header {
	h.CompressedSize64 = h.UncompressedSize64
	return h
}

// overlapping lets the directory's last entry begin where another begins, so
// that both are the same packed bytes.
func overlapping(t *testing.T) []byte {
	t.Helper()
	all := []header{entry("data/secret/1.in", "1"), entry("data/secret/1.ans", "1"), entry("problem.yaml", "name: x")}
	data := zipBytes(t, all...)
	const offsetField = 42 // of a directory header, with its signature
	last := bytes.LastIndex(data, []byte("PK\x01\x02"))
	first := bytes.Index(data, []byte("PK\x01\x02"))
	copy(data[last+offsetField:last+offsetField+4], data[first+offsetField:first+offsetField+4])
	return data
}

func TestZipBomb(t *testing.T) {
	bomb := zipBytes(t, with(zeros(t, "data/secret/2.in", 66), entry("data/secret/2.ans", ""))...)
	if len(bomb) > 1<<20 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	wantEach(t, refused(t, zipFile(t, "p.zip", bomb), problems.Options{}), "times its size; the ceiling is 250 times")

	// The same ratio is legitimate in small test data.
	small := zipBytes(t, with(zeros(t, "data/secret/2.in", 8), entry("data/secret/2.ans", ""))...)
	if n := len(open(t, zipFile(t, "p.zip", small), problems.Options{}).Problem.Cases()); n != 2 {
		t.Errorf("%d cases, want 2", n)
	}
}

// TestZipBombHidden says that it unpacks to a byte and holds 8 MiB.
func TestZipBombHidden(t *testing.T) {
	h := zeros(t, "data/secret/2.in", 8)
	h.UncompressedSize64 = 1
	wantEach(t, refused(t, zipFile(t, "p.zip", zipBytes(t, with(h, entry("data/secret/2.ans", ""))...)), problems.Options{}),
		"data/secret/2.in: … cannot be unpacked")
}

// zeros is an entry of so many MiB of zero bytes, packed as small as can be. One
// MiB is packed and repeated: packing all would take the race detector long.
func zeros(t *testing.T, name string, mib int) header {
	t.Helper()
	var one bytes.Buffer
	w, err := flate.NewWriter(&one, flate.BestCompression)
	if err == nil {
		_, err = w.Write(make([]byte, 1<<20))
	}
	if err = errors.Join(err, w.Flush()); err != nil {
		t.Fatal(err)
	}
	const end = "\x01\x00\x00\xff\xff" // a last block with nothing in it
	return lying(name, strings.Repeat(one.String(), mib)+end, zip.Deflate, uint64(mib)<<20)
}

// TestZipDirectory has more files in its directory than the ceiling allows, and
// says that it has fewer: only the lowest 16 bits of the count are ever checked.
func TestZipDirectory(t *testing.T) {
	many := make([]header, 1<<16)
	for i := range many {
		many[i] = header{FileHeader: zip.FileHeader{Name: fmt.Sprint(i), Comment: strings.Repeat("c", 100)}}
	}
	data := zipBytes(t, many...)
	wantEach(t, refused(t, zipFile(t, "p.zip", data), problems.Options{MaxFiles: 10}), "directory is too large for 10 files")
	wantEach(t, refused(t, zipFile(t, "p.zip", data), problems.Options{}), "more than 20000 files")
}

// TestZipOddities are zips of honest tools that must be readable.
func TestZipOddities(t *testing.T) {
	utf16 := entry("data/secret/ü.in", "")
	for name, all := range map[string][]header{
		"folders listed":       with(entry("data/", ""), entry("data/secret/", ""), typed("empty/", "", fs.ModeDir|0o755)),
		"stored":               with(header{FileHeader: zip.FileHeader{Name: "data/secret/2.in"}, data: "x"}, entry("data/secret/2.ans", "")),
		"macOS":                with(entry("__MACOSX/._data", "x"), entry(".DS_Store", "x"), entry("data/.DS_Store", "")),
		"link in hidden":       with(typed(".git/link", "/etc/passwd", fs.ModeSymlink|0o777)),
		"not ASCII":            with(utf16, entry("data/secret/ü.ans", "")),
		"executable, writable": with(typed("output_validators/run", "", 0o777)),
	} {
		t.Run(name, func(t *testing.T) {
			pkg := open(t, zipFile(t, "p.zip", zipBytes(t, all...)), problems.Options{})
			for _, c := range pkg.Problem.Cases() {
				content(t, pkg, c.Input)
			}
		})
	}
	// Bytes before the zip (a self-extracting one) move all offsets.
	data := append([]byte("#!/bin/sh\nexit 1\n"), zipBytes(t, with()...)...)
	pkg := open(t, zipFile(t, "p.zip", data), problems.Options{})
	if got := content(t, pkg, pkg.Problem.Cases()[0].Input); got != oneCase["data/secret/1.in"] {
		t.Errorf("input %q", got)
	}
}

// TestZipCount is the end record's count against the directory's.
func TestZipCount(t *testing.T) {
	data := zipBytes(t, with()...)
	end := bytes.LastIndex(data, []byte("PK\x05\x06"))
	binary.LittleEndian.PutUint16(data[end+10:], 60_000)
	wantEach(t, refused(t, zipFile(t, "p.zip", data), problems.Options{}), "cannot be unpacked")
}
