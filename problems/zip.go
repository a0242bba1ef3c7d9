package problems

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// archive is a package in a zip. The central directory is believed only as far
// as it can be checked: names and sizes by the index, places here, and the
// bytes themselves while they are inflated.
type archive struct {
	file *os.File
	zip  *zip.Reader
	size int64
	opts Options
}

func openZip(name string, opts Options) (*archive, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	a, err := newArchive(f, opts)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return a, nil
}

func newArchive(f *os.File, opts Options) (*archive, error) {
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	// The directory is held in memory whole, so how much of it is read must be
	// bounded before its own count can be seen: a KiB for each file, far more
	// than name and attributes take, and room to find the directory's end.
	dir := &bounded{r: f, left: 1<<20 + int64(opts.MaxFiles)<<10}
	z, err := zip.NewReader(dir, fi.Size())
	switch {
	case errors.Is(err, errDirectory):
		return nil, faultf(TooMany, "the zip's directory is too large for %d files, which is the ceiling for one package", opts.MaxFiles)
	case err != nil && !errors.Is(err, zip.ErrInsecurePath): // names are the index's to judge, one by one
		return nil, unpackFault(err)
	}
	dir.left = 1<<63 - 1
	return &archive{file: f, zip: z, size: fi.Size(), opts: opts}, nil
}

func (a *archive) close() error { return a.file.Close() }

func (a *archive) list(x *index) error {
	var total uint64
	var bodies []body
	for _, f := range a.zip.File {
		name := strings.TrimSuffix(f.Name, "/")
		size := int64(min(f.UncompressedSize64, 1<<62))
		if !x.add(name, f.Mode(), size, f) || f.Mode().IsDir() {
			continue
		}
		total += f.UncompressedSize64
		if err := badEntry(f); err != nil {
			x.rep.errorf(err.code, name, 0, "%s", err)
			continue
		}
		from, err := f.DataOffset()
		if err != nil {
			f, ok := errors.AsType[fault](unpackFault(err))
			if !ok {
				return err
			}
			x.rep.errorf(f.code, name, 0, "%s", f)
			continue
		}
		bodies = append(bodies, body{name, from, from + int64(min(f.CompressedSize64, 1<<62-1))})
	}
	overlaps(bodies, a.size, x.rep)
	if total > freeRatio && total/uint64(max(a.size, 1)) >= uint64(a.opts.MaxRatio) {
		x.rep.errorf(ZipBomb, "", 0, "the zip unpacks to %d times its size; the ceiling is %d times; a package with such data can be given as a folder", total/uint64(max(a.size, 1)), a.opts.MaxRatio)
	}
	return nil
}

func badEntry(f *zip.File) *fault {
	const encrypted = 1
	switch {
	case f.Flags&encrypted != 0:
		return &fault{Encrypted, "is encrypted; make the zip without a password"}
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return &fault{BadZip, fmt.Sprintf("is packed by method %d; make the zip with the usual method, deflate", f.Method)}
	}
	return nil
}

// body is where the packed bytes of a file lie in the zip.
type body struct {
	name     string
	from, to int64
}

// overlaps refuses files that share packed bytes: by that trick a small zip
// unpacks to petabytes with no file of a high ratio.
func overlaps(bodies []body, size int64, rep *report) {
	slices.SortFunc(bodies, func(a, b body) int { return cmp.Compare(a.from, b.from) })
	var last body
	for _, b := range bodies {
		switch {
		case b.to > size || b.to < b.from:
			rep.errorf(BadZip, b.name, 0, "ends beyond the end of the zip, which was cut off or made by hand; make the zip anew")
		case b.from < last.to:
			rep.errorf(ZipBomb, b.name, 0, "shares packed bytes with %q; such zips are made to unpack to more than they hold; make the zip anew", last.name)
		}
		if b.to > last.to {
			last = b
		}
	}
}

func (a *archive) open(e *entry) (io.ReadCloser, error) {
	f, ok := e.key.(*zip.File)
	if !ok {
		return nil, fmt.Errorf("open %s: %w", e.name, fs.ErrNotExist)
	}
	rc, err := f.Open()
	if err != nil {
		return nil, unpackFault(err)
	}
	return unpacking{rc}, nil
}

func (a *archive) direct(*entry) (*os.File, bool, error) { return nil, false, nil }

// unpacking turns damage that shows while inflating into faults: bad deflate
// data, a wrong checksum, a size other than declared.
type unpacking struct{ io.ReadCloser }

func (u unpacking) Read(b []byte) (int, error) {
	n, err := u.ReadCloser.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		err = unpackFault(err)
	}
	return n, err
}

func unpackFault(err error) error {
	if _, ours := errors.AsType[*fs.PathError](err); ours {
		return err
	}
	return faultf(BadZip, "cannot be unpacked (%v); make the zip anew, without a password, by deflate", err)
}

var errDirectory = errors.New("directory too large")

// bounded fails once more than left bytes were read.
type bounded struct {
	r    io.ReaderAt
	left int64
}

func (b *bounded) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 { // else the file calls it a failure of the system's
		return 0, zip.ErrFormat
	}
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, errDirectory
	}
	return b.r.ReadAt(p, off)
}
