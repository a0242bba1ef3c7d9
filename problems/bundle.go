package problems

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Bundle is a zip of files that belong to no format of packages, as a contest's,
// behind the same guard as a package. Its methods may be called from several
// goroutines at once; Close must come after the last of them.
type Bundle struct{ tree *tree }

// OpenBundle opens the zip at path. Of opts only the ceilings of files count.
// Faults of the zip are a *ReadError; any other error is ours or the system's.
func OpenBundle(path string, opts Options) (*Bundle, error) {
	rep := &report{}
	t, err := openTree(path, opts.withDefaults(), rep)
	if err != nil {
		return nil, fmt.Errorf("open zip %s: %w", path, err)
	}
	if rep.failed() {
		return nil, errors.Join(&ReadError{Path: path, Findings: rep.errors()}, t.close())
	}
	return &Bundle{t}, nil
}

// Names are the paths of all files, in order. A single folder that
// holds all of them is left out.
func (b *Bundle) Names() []string {
	out := make([]string, 0, len(b.tree.files))
	for _, e := range b.tree.files {
		out = append(out, e.name)
	}
	return out
}

// Open opens a file. What is wrong with its bytes shows while they are read, as a
// *ReadError in place of io.EOF: nothing is to be believed before that.
func (b *Bundle) Open(name string) (io.ReadCloser, error) {
	e := b.tree.byName[name]
	if e == nil {
		return nil, fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
	}
	rc, err := b.tree.src.open(e)
	if err != nil {
		return nil, e.readError(err)
	}
	return &declared{ReadCloser: rc, of: e}, nil
}

// Close closes the zip.
func (b *Bundle) Close() error { return b.tree.close() }

// readError is a fault of a file's as a *ReadError; other errors it leaves.
func (e *entry) readError(err error) error {
	f, ok := errors.AsType[fault](err)
	if !ok {
		return err
	}
	rep := &report{}
	rep.errorf(f.code, e.name, 0, "%s", f)
	return &ReadError{Path: e.name, Findings: rep.errors()}
}

// declared reads no more bytes of a file than were declared, and ends well only
// where there are as many.
type declared struct {
	io.ReadCloser

	of  *entry
	got int64
}

func (d *declared) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p)
	d.got += int64(n)
	if errors.Is(err, io.EOF) || d.got > d.of.size {
		if wrong := sizeFault(d.of, d.got); wrong != nil {
			return 0, d.of.readError(wrong)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = d.of.readError(err)
	}
	return n, err
}
