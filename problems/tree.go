package problems

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"judge/judge"
)

// fault is a reason and remedy that the people of the package can act on, as
// opposed to an error of ours or of the system.
type fault struct {
	code Code
	text string
}

func (f fault) Error() string { return f.text }

func faultf(code Code, format string, args ...any) fault {
	return fault{code, fmt.Sprintf(format, args...)}
}

// source is where a tree's files come from: a folder or a zip.
type source interface {
	// list gives every name to the index.
	list(x *index) error
	// open opens a file's content. Reading more than declared is the tree's to
	// notice; damage is a fault.
	open(e *entry) (io.ReadCloser, error)
	// direct opens the file itself if it may be handed to a program as it lies
	// there; false: it needs a staged copy.
	direct(e *entry) (*os.File, bool, error)
	close() error
}

// tree is the files of a package behind one guard: regular files only, plain
// relative names, sizes within the ceilings.
type tree struct {
	src    source
	stage  stage
	files  []*entry // by name
	byName map[string]*entry
	pinned map[string]pin // by entry name; fixed once the package is read
}

// pin is how a file is opened again: in place, or its staged copy.
type pin struct {
	entry  *entry
	staged string // path of the copy; empty: in place
}

func openTree(path string, opts Options, rep *report) (*tree, error) {
	src, err := openSource(path, opts)
	if f, ok := errors.AsType[fault](err); ok {
		rep.errorf(f.code, "", 0, "%s", f)
		return &tree{src: noSource{}}, nil
	} else if err != nil {
		return nil, err
	}
	t := &tree{src: src, stage: stage{parent: opts.TempDir}, byName: map[string]*entry{}, pinned: map[string]pin{}}
	x := &index{opts: opts, rep: rep, seen: map[string]seenName{}}
	if err := src.list(x); err != nil {
		return nil, errors.Join(err, src.close())
	}
	x.unwrap()
	slices.SortFunc(x.files, func(a, b *entry) int { return cmp.Compare(a.name, b.name) })
	t.files = x.files
	for _, e := range t.files {
		t.byName[e.name] = e
	}
	return t, nil
}

func openSource(path string, opts Options) (source, error) {
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case fi.IsDir():
		return openFolder(path)
	case !fi.Mode().IsRegular():
		return nil, faultf(SpecialFile, "is neither a folder nor a zip file")
	case fi.Size() > opts.MaxBytes:
		return nil, faultf(TooLarge, "the zip holds %s; the ceiling is %s", bytesText(fi.Size()), bytesText(opts.MaxBytes))
	}
	return openZip(path, opts)
}

func (t *tree) has(name string) bool { return t.byName[name] != nil }

// under lists the files below a folder, in order of path. A folder of "" is the
// package itself.
func (t *tree) under(folder string) []*entry {
	if folder == "" {
		return t.files
	}
	prefix := folder + "/"
	from, _ := slices.BinarySearchFunc(t.files, prefix, func(e *entry, p string) int { return cmp.Compare(e.name, p) })
	to := from
	for to < len(t.files) && strings.HasPrefix(t.files[to].name, prefix) {
		to++
	}
	return t.files[from:to]
}

// read returns a file's bytes if there are at most limit of them.
func (t *tree) read(e *entry, limit int64) ([]byte, error) {
	if e.size > limit {
		return nil, faultf(TooLarge, "holds %s; the ceiling for this file is %s", bytesText(e.size), bytesText(limit))
	}
	rc, err := t.src.open(e)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(rc, e.size+1))
	if err = errors.Join(err, rc.Close()); err != nil {
		return nil, err
	}
	return data, sizeFault(e, int64(len(data)))
}

// sizeFault compares the bytes that came with those that were declared.
func sizeFault(e *entry, got int64) error {
	if got == e.size {
		return nil
	}
	return faultf(Changed, "holds other than the %s that were declared; make the zip anew, and leave the folder alone while it is read", bytesText(e.size))
}

// pin makes a file one that openPinned opens, by a staged copy where the file
// itself may not be handed out.
func (t *tree) pin(e *entry) (judge.Blob, error) {
	f, ok, err := t.src.direct(e)
	if err != nil {
		return judge.Blob{}, err
	}
	p := pin{entry: e}
	if ok {
		err = f.Close()
	} else {
		p.staged, err = t.copy(e)
	}
	if err != nil {
		return judge.Blob{}, err
	}
	t.pinned[e.name] = p
	return judge.Blob{Ref: e.name, Size: e.size}, nil
}

func (t *tree) copy(e *entry) (string, error) { return t.copyFrom(t, e) }

// copyFrom stages a file of this tree or of another.
func (t *tree) copyFrom(from *tree, e *entry) (string, error) {
	rc, err := from.src.open(e)
	if err != nil {
		return "", err
	}
	staged, n, err := t.stage.add(io.LimitReader(rc, e.size+1))
	if err = errors.Join(err, rc.Close()); err != nil {
		return "", err
	}
	return staged, sizeFault(e, n)
}

func (t *tree) openPinned(name string) (*os.File, error) {
	p, ok := t.pinned[name]
	if !ok {
		return nil, errors.New("neither test data nor a document of this package")
	}
	if p.staged != "" {
		return os.Open(p.staged)
	}
	f, ok, err := t.src.direct(p.entry)
	if err == nil && !ok {
		err = errors.New("its mode has changed since the package was read")
	}
	return f, err
}

func (t *tree) close() error { return errors.Join(t.src.close(), t.stage.remove()) }

// bytesText is a size for people.
func bytesText(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size && n%u.size == 0 {
			return strconv.FormatInt(n/u.size, 10) + " " + u.name
		}
		if n >= 10*u.size {
			return strconv.FormatFloat(float64(n)/float64(u.size), 'f', 1, 64) + " " + u.name
		}
	}
	return plural(int(n), "byte")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}
