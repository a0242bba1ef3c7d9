package docker

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"judge/runner"
)

// Uids of runs. systemd's documentation (UIDS-GIDS) lists the numbers from
// 1,879,048,192 to 2,147,352,576 as used by nobody. Each process takes a block
// of uids, each box one of them: no two boxes of the host share one.
const (
	firstUID  = 0x70000000
	uidBlocks = 256
	blockSize = 4096
)

// locks are what a process holds on the host while it lives: its worker's lock,
// by which sweepers know it alive, and a block of uids. flock frees both when
// the process ends, however it ends.
type locks struct {
	path   string // of worker
	worker *os.File
	block  *os.File
	uid    int // first of the block
}

func newWorker() string {
	var b [6]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

var workerName = regexp.MustCompile(`^[0-9a-f]{12}$`)

func takeLocks(ctx context.Context, dir, worker string) (*locks, error) {
	if !workerName.MatchString(worker) {
		return nil, fmt.Errorf("take the worker's lock: worker %q: want twelve hex digits", worker)
	}
	for _, sub := range []string{"", "uids", "cores"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, fmt.Errorf("make the state folder: %w", err)
		}
	}
	l := &locks{path: filepath.Join(dir, worker+".lock")}
	var err error
	if l.worker, err = waitLock(ctx, l.path); err != nil {
		return nil, fmt.Errorf("take the worker's lock: %w (is a judge with worker %s running?)", err, worker)
	}
	if err := l.takeBlock(dir); err != nil {
		l.release()
		return nil, err
	}
	return l, nil
}

// takeBlock takes the first block of uids that nobody has.
func (l *locks) takeBlock(dir string) error {
	ids, err := knownIDs()
	if err != nil {
		return err
	}
	for n := range uidBlocks {
		first := firstUID + n*blockSize
		if ids.overlap(first, blockSize) {
			continue
		}
		l.block, err = lockFile(filepath.Join(dir, "uids", strconv.Itoa(n)))
		if err == nil {
			l.uid = first
			return nil
		}
		if !errors.Is(err, errLocked) {
			return fmt.Errorf("take a block of uids: %w", err)
		}
	}
	return fmt.Errorf("%w: no block of uids from %d on is free: /etc/passwd, /etc/subuid or other judges use all", runner.ErrUnavailable, firstUID)
}

// forget says that nothing is left for a sweeper to find. To be called while the
// lock is held.
func (l *locks) forget() { _ = os.Remove(l.path) }

func (l *locks) release() {
	for _, f := range []*os.File{l.block, l.worker} {
		if f != nil {
			_ = f.Close()
		}
	}
}

var errLocked = errors.New("locked by another process")

// lockFile makes and locks a file without waiting. Whoever holds a lock may
// remove its file: a lock counts only on the file that still has the name.
func lockFile(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil && named(f, path) {
			return f, nil
		}
		_ = f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, errLocked
		}
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
	}
}

func named(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, there)
}

// A sweeper holds a dead worker's lock while it removes what is left of it, and
// the worker may be starting anew at that moment.
const (
	sweepPatience = 10 * time.Second
	lockTick      = 20 * time.Millisecond
)

// waitLock is lockFile for a lock that a sweeper may have.
func waitLock(ctx context.Context, path string) (*os.File, error) {
	for deadline := time.Now().Add(sweepPatience); ; {
		f, err := lockFile(path)
		if !errors.Is(err, errLocked) || time.Now().After(deadline) {
			return f, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockTick):
		}
	}
}

// idRanges are uids that somebody on the host has: first and count.
type idRanges [][2]int

// knownIDs reads the uids of /etc/passwd and the ranges of /etc/subuid.
func knownIDs() (idRanges, error) {
	var all idRanges
	for file, column := range map[string]int{"/etc/passwd": 2, "/etc/subuid": 1} {
		b, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("look for uids in use: %w", err)
		}
		all = append(all, parseIDs(string(b), column)...)
	}
	return all, nil
}

// parseIDs reads lines with a uid in a column, and in /etc/subuid the count in
// the next. Lines that are none, such as NIS's, are left out.
func parseIDs(text string, column int) (all idRanges) {
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), ":")
		if len(f) <= column {
			continue
		}
		first, err := strconv.Atoi(f[column])
		if err != nil {
			continue
		}
		count := 1
		if column == 1 && len(f) > 2 {
			if count, err = strconv.Atoi(f[2]); err != nil {
				continue
			}
		}
		all = append(all, [2]int{first, count})
	}
	return all
}

func (r idRanges) overlap(first, count int) bool {
	for _, x := range r {
		if x[0] < first+count && first < x[0]+x[1] {
			return true
		}
	}
	return false
}

// numbers gives boxes short numbers, unique within the process.
type numbers struct{ used [blockSize]bool }

func (n *numbers) take() (int, bool) {
	for i, u := range n.used {
		if !u {
			n.used[i] = true
			return i, true
		}
	}
	return 0, false
}

func (n *numbers) free(i int) { n.used[i] = false }
