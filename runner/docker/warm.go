package docker

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// warmInput reads an input that is not wholly in the page cache. Pages belong to
// whoever faults them in first: a cold input would count as the program's memory
// (seen: 64 MiB read 64.5), and in a small limit it would be read over and over.
func warmInput(f *os.File, buf []byte) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("look at the input: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() == 0 || cached(f, info.Size()) {
		return nil
	}
	if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{io.NewSectionReader(f, 0, info.Size())}, buf); err != nil {
		return fmt.Errorf("read the input ahead: %w", err)
	}
	return nil
}

// cached asks the kernel, since Linux 6.5; before, the answer is no, and reading
// pages that are there costs a few hundred µs for a megabyte.
func cached(f *os.File, size int64) bool {
	var st unix.Cachestat_t
	if unix.Cachestat(uint(f.Fd()), &unix.CachestatRange{Len: uint64(size)}, &st, 0) != nil {
		return false
	}
	page := int64(os.Getpagesize())
	return int64(st.Cache) >= (size+page-1)/page
}
