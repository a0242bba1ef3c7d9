package agent

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	"golang.org/x/sys/unix"
)

// What compiling leaves goes from box to box as a tar that only agents write
// and read: the judge keeps it as it is and never looks at a name in it.

// maxPacked bounds how many files are packed and how many entries are looked at.
const (
	maxPacked  = 4096
	maxVisited = 65536
	maxDepth   = 64
)

// pack writes the files below dir that match a pattern.
func (a *agent) pack(dir string, op *FileOp, dst io.Writer) error {
	found := walk{agent: a, dir: dir, patterns: op.Patterns}
	if err := found.folder("."); err != nil {
		return err
	}
	names := found.names
	slices.Sort(names)
	w := tar.NewWriter(dst)
	left := op.Max
	for _, name := range names {
		n, err := a.packOne(w, dir, name, left)
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

func (a *agent) packOne(w *tar.Writer, dir, name string, left int64) (int64, error) {
	f, size, err := a.openRegular(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil // a link or worse is not kept
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
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

// walk finds the files below dir that match a pattern. It keeps
// nothing else in memory: a run may leave many long paths.
type walk struct {
	agent    *agent
	dir      string
	patterns []string
	names    []string
	visited  int
}

func (w *walk) folder(name string) error {
	d, err := w.agent.openBeneath(w.dir, name, unix.O_RDONLY|unix.O_DIRECTORY)
	if withheld(err) {
		return nil // a folder that its owner cannot read has nothing to keep
	}
	if err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	defer func() { _ = d.Close() }()
	for {
		entries, err := d.ReadDir(256)
		for _, e := range entries {
			if err := w.entry(path.Join(name, e.Name()), e); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("pack: list %s: %w", name, err)
		}
	}
}

func (w *walk) entry(name string, e fs.DirEntry) error {
	if w.visited++; w.visited > maxVisited {
		return fmt.Errorf("pack: more than %d files are there: %w", maxVisited, errTooLarge)
	}
	switch {
	case e.Type().IsRegular() && matches(w.patterns, name):
		if w.names = append(w.names, name); len(w.names) > maxPacked {
			return fmt.Errorf("pack: more than %d files match: %w", maxPacked, errTooLarge)
		}
	case e.IsDir() && depth(name) < maxDepth:
		return w.folder(name)
	}
	return nil
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
