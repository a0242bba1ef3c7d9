package main

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// localPackage is a package as it is uploaded: a zip as it is, a folder zipped
// on its way.
type localPackage struct {
	path   string
	name   string // of the problem, where none is given
	folder bool
	size   int64 // bytes of content, to tell progress by
	length int64 // bytes of the body; 0: not known before it is made
}

func packageAt(at string) (*localPackage, error) {
	info, err := os.Stat(at)
	if err != nil {
		return nil, readable(fmt.Errorf("find package: %w", err))
	}
	abs, err := filepath.Abs(at)
	if err != nil {
		return nil, fmt.Errorf("find package: %w", err)
	}
	name := strings.ToLower(filepath.Base(abs))
	if !info.IsDir() {
		name = strings.TrimSuffix(strings.TrimSuffix(name, ".zip"), ".kpp")
		return &localPackage{path: at, name: name, size: info.Size(), length: info.Size()}, nil
	}
	p := &localPackage{path: at, name: name, folder: true}
	root, err := os.OpenRoot(at)
	if err != nil {
		return nil, readable(fmt.Errorf("open package: %w", err))
	}
	defer root.Close() //nolint:errcheck // opened for reading only
	return p, packed(root, func(_ string, info fs.FileInfo) error {
		p.size += info.Size()
		return nil
	})
}

// packed visits the files of a folder that belong to the package, in order.
// Hidden ones do not, but for .timelimit.
func packed(root *os.Root, visit func(name string, info fs.FileInfo) error) error {
	err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case base != "." && (strings.HasPrefix(base, ".") && base != ".timelimit" || base == "__MACOSX"):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			return badInput{fmt.Errorf("%s: is a symbolic link; replace it by a copy of the file (cp -RL copies a folder so)", name)}
		case !d.Type().IsRegular():
			return badInput{fmt.Errorf("%s: is neither a file nor a folder; remove it", name)}
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return visit(name, info)
	})
	if err != nil {
		return readable(fmt.Errorf("read package: %w", err))
	}
	return nil
}

// body makes the request's body; moved hears how many bytes of content are read.
func (p *localPackage) body(moved func(int64)) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		count := &counter{moved: moved}
		if p.folder {
			return p.zipped(count), nil
		}
		f, err := os.Open(p.path)
		if err != nil {
			return nil, readable(fmt.Errorf("open package: %w", err))
		}
		return struct {
			io.Reader
			io.Closer
		}{io.TeeReader(f, count), f}, nil
	}
}

// zipped is the folder as a zip, made as it is read. Closing it ends the making.
func (p *localPackage) zipped(count *counter) io.ReadCloser {
	out, in := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = in.CloseWithError(p.writeZip(in, count)) // it returns nil always
	}()
	return struct {
		io.Reader
		io.Closer
	}{out, closerFunc(func() error {
		err := out.Close()
		<-done
		return err
	})}
}

type closerFunc func() error

func (f closerFunc) Close() error { return f() }

func (p *localPackage) writeZip(w io.Writer, count *counter) error {
	root, err := os.OpenRoot(p.path)
	if err != nil {
		return readable(fmt.Errorf("open package: %w", err))
	}
	defer root.Close() //nolint:errcheck // opened for reading only
	z := zip.NewWriter(w)
	// Time counts more than size where the server is near.
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	err = packed(root, func(name string, info fs.FileInfo) error {
		h, err := zip.FileInfoHeader(info)
		if err != nil {
			return err
		}
		h.Name, h.Method = name, zip.Deflate
		out, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.MultiWriter(out, count), f)
		return errors.Join(err, f.Close())
	})
	return errors.Join(err, z.Close())
}

// counter tells how many bytes went through it.
type counter struct {
	n     int64
	moved func(int64)
}

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	c.moved(c.n)
	return len(b), nil
}
