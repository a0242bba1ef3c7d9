package agent

import (
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Bare runs programs by the agent's own fork and exec, and by nothing else that
// makes a box: no cgroup, no seccomp filter, no uid, no wipe. It is what boxes
// are measured against. For use by one goroutine that is locked to its thread.
type Bare struct {
	spawn spawn
	dir   []byte
	args  [][]byte
	argv  []*byte
}

// NewBare prepares runs of a program in a folder. args[0] is its path.
func NewBare(dir string, args ...string) *Bare {
	b := &Bare{dir: append([]byte(dir), 0)}
	for _, a := range args {
		b.args = append(b.args, append([]byte(a), 0))
		b.argv = append(b.argv, &b.args[len(b.args)-1][0])
	}
	b.argv = append(b.argv, nil, nil) // the second ends an empty environment
	b.spawn = spawn{
		path: unsafe.Pointer(b.argv[0]), argv: unsafe.Pointer(&b.argv[0]), envp: unsafe.Pointer(&b.argv[len(b.argv)-1]),
		dir: &b.dir[0], uid: -1, cgroup: -1,
	}
	return b
}

// Start starts the program with three descriptors as its standard streams.
func (b *Bare) Start(fds [3]int) (pid int, err error) {
	b.spawn.fds = fds
	pid, pidfd, exec, err := b.spawn.start()
	runtime.KeepAlive(b)
	if err == nil && exec != 0 {
		err = sysError("execve", exec)
	}
	if err != nil {
		return 0, fmt.Errorf("start bare: %w", err)
	}
	_ = unix.Close(pidfd)
	return pid, nil
}

// Wait waits for it to end, and returns its exit status and its CPU time.
func (b *Bare) Wait(pid int) (unix.WaitStatus, time.Duration, error) {
	var status unix.WaitStatus
	var usage unix.Rusage
	for {
		_, err := unix.Wait4(pid, &status, 0, &usage)
		if err == nil {
			return status, time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
		}
		if err != unix.EINTR {
			return 0, 0, fmt.Errorf("wait bare: %w", err)
		}
	}
}
