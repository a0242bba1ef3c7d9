package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sys/unix"
)

// workersOfOne is how many workers may have their ids in one data folder.
const workersOfOne = 256

// workerID is a worker's id, which is this process's until close.
type workerID struct {
	id   string
	file *os.File // locked
}

// short is the id in the names of cgroups, sockets and locks.
func (w *workerID) short() string { return strings.ReplaceAll(w.id, "-", "")[20:] }

func (w *workerID) close() error { return w.file.Close() }

// takeWorkerID takes the first id below dir that no other process has, or makes
// one. So a worker that is started again is the same worker, and what it had under
// way is queued again at once; of several on one folder each has its own.
func takeWorkerID(dir string) (*workerID, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of worker ids: %w", err)
	}
	for n := range workersOfOne {
		path := filepath.Join(dir, strconv.Itoa(n+1))
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, fmt.Errorf("open worker id: %w", err)
		}
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if errors.Is(err, unix.EWOULDBLOCK) {
			_ = f.Close()
			continue
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
		}
		id, err := readWorkerID(f)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
		}
		return &workerID{id, f}, nil
	}
	return nil, badInput{fmt.Errorf("%s: %d workers have their ids there already; start more with another --data", dir, workersOfOne)}
}

// readWorkerID reads the id, or writes one where there is none whole: a process
// that was killed while it wrote has used none.
func readWorkerID(f *os.File) (string, error) {
	b, err := io.ReadAll(io.LimitReader(f, 64))
	if err != nil {
		return "", fmt.Errorf("read worker id: %w", err)
	}
	if id := strings.TrimSpace(string(b)); uuid.Validate(id) == nil && len(id) == 36 {
		return id, nil
	}
	made, err := uuid.NewRandom()
	if err != nil {
		return "", fmt.Errorf("make worker id: %w", err)
	}
	id := made.String()
	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt([]byte(id+"\n"), 0)
	}
	if err := errors.Join(err, f.Sync()); err != nil {
		return "", fmt.Errorf("write worker id: %w", err)
	}
	return id, nil
}
