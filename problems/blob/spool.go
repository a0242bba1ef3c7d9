package blob

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// inMemory is up to how many bytes a spool does without a file.
const inMemory = 1 << 20

// spool keeps bytes until their key is known: in memory while they are few, then
// in a file that has no name, so that nothing is left whatever happens to us.
type spool struct {
	dir  string
	buf  bytes.Buffer
	file *os.File
	size int64
}

func (s *spool) Write(p []byte) (int, error) {
	if s.file == nil && s.buf.Len()+len(p) > inMemory {
		if err := s.toFile(); err != nil {
			return 0, err
		}
	}
	var n int
	var err error
	if s.file != nil {
		n, err = s.file.Write(p)
	} else {
		n, err = s.buf.Write(p)
	}
	s.size += int64(n)
	return n, err
}

func (s *spool) toFile() error {
	f, err := os.CreateTemp(s.dir, "judge-blob-")
	if err != nil {
		return fmt.Errorf("make temporary file: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return errors.Join(fmt.Errorf("unlink temporary file: %w", err), f.Close())
	}
	s.file = f
	_, err = s.buf.WriteTo(f)
	s.buf = bytes.Buffer{}
	return err
}

// reader reads what was written, from the start.
func (s *spool) reader() io.Reader {
	if s.file != nil {
		return io.NewSectionReader(s.file, 0, s.size)
	}
	return bytes.NewReader(s.buf.Bytes())
}

func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
