package problems

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"judge/judge"
)

// maxSourceFiles bounds a submission given as a folder.
const maxSourceFiles = 1000

// ReadSource reads a submission of at most maxBytes bytes altogether: a file, or
// a folder with all files below it, named by their paths in it and in their
// order. Hidden files are left out; links and special files are refused, the
// path itself included, for a name that came from a pattern is nobody's choice.
// What the submitter can mend wraps judge.ErrSource.
func ReadSource(path string, maxBytes int64) ([]judge.File, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}
	switch {
	case fi.IsDir():
		return readSourceFolder(path, maxBytes)
	case fi.Mode()&os.ModeSymlink != 0:
		return nil, fmt.Errorf("%w: %s is a symbolic link; name the file that it leads to", judge.ErrSource, path)
	case !fi.Mode().IsRegular():
		return nil, fmt.Errorf("%w: %s is neither a file nor a folder", judge.ErrSource, path)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}
	data, err := readSourceFile(f, fi, maxBytes)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return []judge.File{{Name: filepath.Base(path), Data: data}}, nil
}

func readSourceFile(f *os.File, was os.FileInfo, maxBytes int64) ([]byte, error) {
	fi, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}
	if !os.SameFile(was, fi) {
		return nil, fmt.Errorf("%w: %s was replaced while it was read", judge.ErrSource, f.Name())
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}
	if int64(len(data)) > maxBytes {
		return nil, sourceTooLarge(f.Name(), max(fi.Size(), int64(len(data))), maxBytes)
	}
	return data, nil
}

func readSourceFolder(path string, maxBytes int64) ([]judge.File, error) {
	rep := &report{}
	opts := Options{MaxFiles: maxSourceFiles}.withDefaults()
	t, err := openTree(path, opts, rep)
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}
	files, err := sourceFiles(t, path, maxBytes, rep)
	if err := errors.Join(err, t.close()); err != nil {
		return nil, err
	}
	if rep.failed() {
		return nil, fmt.Errorf("%w: %w", judge.ErrSource, &ReadError{Path: path, Findings: rep.errors()})
	}
	return files, nil
}

func sourceFiles(t *tree, path string, maxBytes int64, rep *report) ([]judge.File, error) {
	if rep.failed() {
		return nil, nil
	}
	all := slices.DeleteFunc(t.files, func(e *entry) bool { return e.raw == timeLimitFile })
	total := int64(0)
	for _, e := range all {
		total += e.size
	}
	if total > maxBytes {
		return nil, sourceTooLarge(path, total, maxBytes)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: no files in folder %s", judge.ErrSource, path)
	}
	var files []judge.File
	for _, e := range all {
		data, err := t.read(e, maxBytes)
		if f, ok := errors.AsType[fault](err); ok {
			rep.errorf(f.code, e.raw, 0, "%s", f)
			continue
		} else if err != nil {
			return nil, fmt.Errorf("read source: %w", err)
		}
		files = append(files, judge.File{Name: e.raw, Data: data})
	}
	return files, nil
}

func sourceTooLarge(path string, size, limit int64) error {
	return fmt.Errorf("%w: %s holds %s; the code limit is %s", judge.ErrSource, path, bytesText(size), bytesText(limit))
}
