package problems

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// stage is the private folder of a package's copies: 0700, so that nobody but
// us finds them by name, while each file is 0444, so that a program that was
// given one as its standard input may open /dev/stdin anew but not write.
type stage struct {
	parent string
	dir    string // made with the first copy
	count  int
}

func (s *stage) add(r io.Reader) (name string, n int64, err error) {
	if s.dir == "" {
		if s.dir, err = os.MkdirTemp(s.parent, "judge-package-"); err != nil {
			return "", 0, fmt.Errorf("make folder for copies: %w", err)
		}
	}
	s.count++
	name = filepath.Join(s.dir, strconv.Itoa(s.count))
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o400)
	if err != nil {
		return "", 0, fmt.Errorf("make copy: %w", err)
	}
	n, err = io.Copy(f, r)
	if err == nil {
		err = f.Chmod(0o444) // whatever the umask
	}
	return name, n, errors.Join(err, f.Close())
}

func (s *stage) remove() error {
	if s.dir == "" {
		return nil
	}
	dir := s.dir
	s.dir = ""
	return os.RemoveAll(dir)
}
