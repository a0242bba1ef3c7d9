package docker

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

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

func takeLocks(dir, worker string) (*locks, error) {
	if !workerName.MatchString(worker) {
		return nil, fmt.Errorf("take the worker's lock: worker %q: want twelve hex digits", worker)
	}
	for _, sub := range []string{"", "uids", "cores"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, fmt.Errorf("make the state folder: %w", err)
		}
	}
	l := &locks{}
	var err error
	if l.worker, err = lockFile(filepath.Join(dir, worker+".lock")); err != nil {
		return nil, fmt.Errorf("take the worker's lock: %w (is a judge with worker %s running?)", err, worker)
	}
	ids, err := knownIDs()
	if err != nil {
		return nil, err
	}
	for n := range uidBlocks {
		first := firstUID + n*blockSize
		if ids.overlap(first, blockSize) {
			continue
		}
		if l.block, err = lockFile(filepath.Join(dir, "uids", strconv.Itoa(n))); err == nil {
			l.uid = first
			return l, nil
		}
	}
	l.release()
	return nil, fmt.Errorf("%w: no block of uids from %d on is free: /etc/passwd, /etc/subuid or other judges use all", runner.ErrUnavailable, firstUID)
}

func (l *locks) release() {
	for _, f := range []*os.File{l.block, l.worker} {
		if f != nil {
			_ = f.Close()
		}
	}
}

var errLocked = errors.New("locked by another process")

// lockFile makes and locks a file without waiting.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, errLocked
	}
	return f, nil
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
		for line := range strings.Lines(string(b)) {
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
				count, _ = strconv.Atoi(f[2])
			}
			all = append(all, [2]int{first, count})
		}
	}
	return all, nil
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
