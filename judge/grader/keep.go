package grader

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

const (
	maxMessage = 64 << 10 // bytes of a run's message
	maxStderr  = 4 << 10  // bytes of a failed run's standard error in its message
	endSize    = 32 << 10 // bytes kept of each end of a run's standard error
)

// head keeps the beginning of what is written to it, and one byte more, by
// which SafeText sees that there was more. For concurrent use: a compiler's two
// outputs go into one.
type head struct {
	max int

	mu  sync.Mutex
	buf []byte
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buf = append(h.buf, p[:min(len(p), h.max+1-len(h.buf))]...)
	return len(p), nil
}

func (h *head) bytes() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.buf
}

// ends keeps both ends of what is written to it: a runtime may say first or
// last that memory has run out.
type ends struct {
	head, tail []byte
}

func (e *ends) Write(p []byte) (int, error) {
	n := min(len(p), endSize-len(e.head))
	e.head = append(e.head, p[:n]...)
	e.tail = append(e.tail, p[max(n, len(p)-endSize):]...)
	if len(e.tail) >= 2*endSize {
		e.tail = append(e.tail[:0], e.last(endSize)...)
	}
	return len(p), nil
}

func (e *ends) bytes() []byte { return append(slices.Clip(e.head), e.tail...) }

// last is at most the last n bytes, n being at most endSize.
func (e *ends) last(n int) []byte {
	all := e.tail
	if len(all) < n {
		all = e.bytes()
	}
	return all[max(0, len(all)-n):]
}

// tempFile is a file without a name: nothing is left of it when we die, and
// nobody can open it but by its descriptor.
func tempFile(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "judge-*")
	if err != nil {
		return nil, fmt.Errorf("create temporary file: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		drop(f)
		return nil, fmt.Errorf("unlink temporary file: %w", err)
	}
	return f, nil
}

// drop closes what was only read, or is of no use any more.
func drop(f io.Closer) { _ = f.Close() }

// reopen opens f's file once more, for reading, with an offset of its own. It
// works for files without a name too.
func reopen(f *os.File) (*os.File, error) {
	return os.Open(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
}
