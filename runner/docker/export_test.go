package docker

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"judge/runner"
)

// What the tests see of the package's inside.

// Pools of uids and numbers.
const (
	FirstUID  = firstUID
	BlockSize = blockSize
)

// ErrLocked is what lockFile says of a lock that another has.
var ErrLocked = errLocked

// LockFile is lockFile.
func LockFile(path string) (*os.File, error) { return lockFile(path) }

// Locks are the locks of one judge.
type Locks struct{ l *locks }

// TakeLocks is takeLocks.
func TakeLocks(ctx context.Context, dir, worker string) (*Locks, error) {
	l, err := takeLocks(ctx, dir, worker)
	return &Locks{l}, err
}

// UID is the first of the block's.
func (l *Locks) UID() int { return l.l.uid }

// Release is release.
func (l *Locks) Release() { l.l.release() }

// Forget is forget.
func (l *Locks) Forget() { l.l.forget() }

// NewWorker is newWorker.
func NewWorker() string { return newWorker() }

// ParseIDs is parseIDs.
func ParseIDs(text string, column int) [][2]int { return parseIDs(text, column) }

// Overlap is idRanges.overlap.
func Overlap(r [][2]int, first, count int) bool { return idRanges(r).overlap(first, count) }

// Numbers is numbers.
type Numbers struct{ n numbers }

// Take is take.
func (n *Numbers) Take() (int, bool) { return n.n.take() }

// Free is free.
func (n *Numbers) Free(i int) { n.n.free(i) }

// Groups are the names of a box's cgroups.
type Groups struct {
	Levels  []string // path of each level
	Parent  string
	Own     string
	DropIn  string
	Mounted map[string]string
}

// GroupNames are those of a box of a host with this driver and these mounts.
func GroupNames(driver string, version int, mountinfo, worker, slot, box, container string) (Groups, error) {
	h := &Host{Driver: driver, Cgroup: version}
	if _, err := h.readMounts(strings.NewReader(mountinfo)); err != nil {
		return Groups{}, err
	}
	g := h.hierarchy(worker, 1<<30)
	all := Groups{Parent: g.parent(slot, box), Own: g.name(container), DropIn: g.dropIn(slot), Mounted: g.controllers()}
	levels := []string{worker, slot, box, "c"}
	for i := range len(levels) + 1 {
		all.Levels = append(all.Levels, g.path(levels[:i]...))
	}
	return all, nil
}

// Mounts is what a mountinfo says: where controllers are, where all hierarchies
// are, and whether the v2 tree has nsdelegate.
func Mounts(version int, mountinfo string) (points map[string]string, all []string, delegate bool, err error) {
	h := &Host{Cgroup: version}
	delegate, err = h.readMounts(strings.NewReader(mountinfo))
	return h.mounts, h.everywhere, delegate, err
}

// Whole is whole.
func Whole(point string, version int) bool { return whole(point, version) }

// InstallFile is installFile.
func InstallFile(dir, name string, data []byte) error { return installFile(dir, name, data) }

// Taken gives chunks to a stream with a maximum: what comes through, how much is
// counted, and whether it is over.
func Taken(most int64, chunks ...[]byte) (got []byte, count int64, over bool) {
	var to bytes.Buffer
	s := stream{to: &to, max: most}
	for _, c := range chunks {
		s.take(c)
	}
	return to.Bytes(), s.count, s.over()
}

// Drained is one drain of a pipe's read end.
func Drained(read int, to io.Writer, buf []byte) (more, eof bool, err error) {
	s := stream{to: to, read: read}
	more, err = s.drain(buf)
	return more, s.eof, err
}

// SlotsOnly is a sandbox that has slots and nothing else, with one slot for each
// of the cores.
func SlotsOnly(dir string, cpus ...int) (*Sandbox, error) {
	if err := os.MkdirAll(filepath.Join(dir, "cores"), 0o700); err != nil {
		return nil, err
	}
	s := &Sandbox{opts: Options{StateDir: dir}}
	s.addSlots(cpus)
	return s, nil
}

// Waiting is how many wait for a slot.
func (s *Sandbox) Waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiters)
}

// Worker is the sandbox's worker.
func (s *Sandbox) Worker() string { return s.opts.Worker }

// StateDir is where the sandbox has its sockets and locks.
func (s *Sandbox) StateDir() string { return s.opts.StateDir }

// Hierarchies are the mount points of all cgroup hierarchies.
func (s *Sandbox) Hierarchies() []string { return s.host.everywhere }

// Traces are the folders that a worker has on the host, wherever there are any.
func (s *Sandbox) Traces(worker string) (all []string) {
	g := s.host.hierarchy(worker, 0)
	for _, point := range s.host.everywhere {
		all = append(all, filepath.Join(point, g.path(worker)))
	}
	return append(all, filepath.Join(s.opts.StateDir, worker), filepath.Join(s.opts.StateDir, worker+".lock"))
}

// Drain waits until no box is being made or removed.
func (s *Sandbox) Drain() { s.work.Wait() }

// ContainerID is a box's container.
func ContainerID(b runner.Box) string { return b.(*box).container }

// GroupFolders are a box's own cgroups on the host.
func GroupFolders(b runner.Box) (all []string) {
	x := b.(*box)
	g := x.slot.sandbox.groups
	for _, point := range g.controllers() {
		all = append(all, filepath.Join(point, g.path(g.worker, x.slot.name, x.name, "c"), g.name(x.container)))
	}
	return all
}
