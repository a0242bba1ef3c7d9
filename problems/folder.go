package problems

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// folder is a package that lies open in a folder. All opens go through os.Root,
// so no link leads out, and each file must still be the one that was listed.
type folder struct{ root *os.Root }

func openFolder(name string) (*folder, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &folder{root}, nil
}

func (d *folder) close() error { return d.root.Close() }

func (d *folder) list(x *index) error { return d.listDir(x, ".") }

// listDir lists one folder in batches: a folder of millions must meet the
// ceiling before it fills our memory. The index bounds the depth.
func (d *folder) listDir(x *index, dir string) error {
	f, err := d.root.Open(dir)
	if err != nil {
		return fmt.Errorf("list folder: %w", err)
	}
	defer f.Close() //nolint:errcheck // opened for reading only
	for {
		batch, err := f.ReadDir(256)
		for _, de := range batch {
			if err := d.listEntry(x, path.Join(dir, de.Name())); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || x.full() {
			return nil
		}
		if err != nil {
			return fmt.Errorf("list folder: %w", err)
		}
	}
}

func (d *folder) listEntry(x *index, name string) error {
	fi, err := d.root.Lstat(name)
	if err != nil {
		return fmt.Errorf("list folder: %w", err)
	}
	if x.add(name, fi.Mode(), fi.Size(), fi) && fi.IsDir() {
		return d.listDir(x, name)
	}
	return nil
}

func (d *folder) open(e *entry) (io.ReadCloser, error) { return d.file(e) }

func (d *folder) direct(e *entry) (*os.File, bool, error) {
	if fi, ok := e.key.(fs.FileInfo); !ok || fi.Mode().Perm()&0o006 != 0o004 {
		return nil, false, nil
	}
	f, err := d.file(e)
	return f, err == nil, err
}

// file opens the file that was listed, and no other: one that was swapped or
// written to since is a fault.
func (d *folder) file(e *entry) (*os.File, error) {
	// Not blocking, should the name have become a named pipe.
	f, err := d.root.OpenFile(e.raw, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err == nil {
		was, ok := e.key.(fs.FileInfo)
		if !ok || !os.SameFile(was, fi) || was.Mode() != fi.Mode() || was.Size() != fi.Size() || !was.ModTime().Equal(fi.ModTime()) {
			err = faultf(Changed, "has changed since the package was read; leave the folder alone while it is in use")
		} else {
			err = blocking(f)
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// blocking clears O_NONBLOCK, which the description would pass on to the program
// that is given the file.
func blocking(f *os.File) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var serr error
	if err := raw.Control(func(fd uintptr) { serr = syscall.SetNonblock(int(fd), false) }); err != nil {
		return err
	}
	return serr
}

// noSource stands for a package that could not be opened at all.
type noSource struct{}

func (noSource) list(*index) error                     { return nil }
func (noSource) open(*entry) (io.ReadCloser, error)    { return nil, fs.ErrNotExist }
func (noSource) direct(*entry) (*os.File, bool, error) { return nil, false, nil }
func (noSource) close() error                          { return nil }
