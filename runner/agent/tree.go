package agent

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
)

// What compiling leaves goes from box to box as a tar that only agents write
// and read: the judge keeps it as it is and never looks at a name in it.

// maxPacked bounds how many files are packed and how many entries are looked at.
const (
	maxPacked  = 4096
	maxVisited = 65536
	maxDepth   = 64
)

// pack writes the files of the working folder that match a pattern.
func (a *agent) pack(op *FileOp, dst io.Writer) error {
	names, err := a.list(".", nil, new(int))
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !matches(op.Patterns, n) })
	if len(names) > maxPacked {
		return fmt.Errorf("pack: %d files, at most %d are kept: %w", len(names), maxPacked, errTooLarge)
	}
	slices.Sort(names)
	w := tar.NewWriter(dst)
	left := op.Max
	for _, name := range names {
		n, err := a.packOne(w, name, left)
		if err != nil {
			return err
		}
		left -= n
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	return nil
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		whole, _ := path.Match(p, name)
		base, _ := path.Match(p, path.Base(name))
		return whole || base
	})
}

func (a *agent) packOne(w *tar.Writer, name string, left int64) (int64, error) {
	f, size, err := a.openRegular(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil // a link or worse is not kept
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if size > left {
		return 0, fmt.Errorf("pack %s: %w", name, errTooLarge)
	}
	info, err := f.Stat()
	if err != nil {
		return 0, fmt.Errorf("pack %s: %w", name, err)
	}
	mode := int64(0o444)
	if info.Mode()&0o111 != 0 {
		mode = 0o555
	}
	h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: mode, Format: tar.FormatPAX}
	if err := w.WriteHeader(h); err != nil {
		return 0, fmt.Errorf("pack %s: %w", name, err)
	}
	if _, err := io.CopyN(w, f, size); err != nil {
		return 0, fmt.Errorf("pack %s: %w", name, err)
	}
	return size, nil
}

// list names the files below a folder of the working folder.
func (a *agent) list(dir string, names []string, visited *int) ([]string, error) {
	d, err := a.openBeneath(WorkPath, dir, os.O_RDONLY)
	if err != nil {
		return names, nil // a folder that its owner cannot read has nothing to keep
	}
	entries, err := d.ReadDir(maxVisited)
	d.Close()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	for _, e := range entries {
		if *visited++; *visited >= maxVisited {
			return nil, fmt.Errorf("list: more than %d files: %w", maxVisited, errTooLarge)
		}
		name := path.Join(dir, e.Name())
		switch {
		case e.Type().IsRegular():
			names = append(names, name)
		case e.IsDir() && depth(name) < maxDepth:
			if names, err = a.list(name, names, visited); err != nil {
				return nil, err
			}
		}
	}
	return names, nil
}

func depth(name string) (n int) {
	for _, c := range name {
		if c == '/' {
			n++
		}
	}
	return n
}

// unpack writes the files of a tar made by pack.
func (a *agent) unpack(dir string, src io.Reader) error {
	r := tar.NewReader(src)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		if h.Typeflag != tar.TypeReg || !fs.ValidPath(h.Name) {
			return fmt.Errorf("unpack: %q is not a plain file", h.Name)
		}
		if err := a.mkdirs(dir, path.Dir(h.Name), 0o755); err != nil {
			return err
		}
		if err := a.write(dir, h.Name, uint32(h.Mode), r); err != nil {
			return err
		}
	}
}
