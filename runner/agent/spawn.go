package agent

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// call is one system call that a child makes between clone and execve. refused
// is written by the child: the errno of the call that failed.
type call struct {
	nr, a, b, c, d uintptr
	refused        uintptr
}

// vforkTable is in assembly. The child makes the calls of table in turn; the
// last is execve, and one that fails ends it.
//
//go:noescape
func vforkTable(trap, a1, a2, a3 uintptr, table *call) (pid, errno uintptr)

// spawn is what one child is made of. The pointers must stay valid until start
// returns, which is when the child has executed or has ended.
type spawn struct {
	path, argv, envp unsafe.Pointer // as for execve
	dir              *byte          // NUL-terminated
	fds              [3]int
	uid              int             // -1: ours
	cgroup           int             // v2: descriptor of the cgroup to be born in; else -1
	filter           *unix.SockFprog // installed by the child; nil where it inherits ours
	pidfd            int32           // written by the kernel
	table            [16]call
}

// cloneArgs is the kernel's struct clone_args, version 2 (Linux 5.7).
type cloneArgs struct {
	flags, pidfd, childTID, parentTID, exitSignal uint64
	stack, stackSize, tls, setTID, setTIDSize     uint64
	cgroup                                        uint64
}

// emptySigset is what a program's signal mask starts as.
var emptySigset uint64

// start forks and executes. pidfd is the caller's to close. exec is the errno of
// an execve that the kernel refused; err is any other failure, ours.
func (s *spawn) start() (pid, pidfd int, exec unix.Errno, err error) {
	table, n := &s.table, 0
	add := func(nr, a, b, c, d uintptr) {
		table[n] = call{nr: nr, a: a, b: b, c: c, d: d}
		n++
	}
	add(unix.SYS_SETSID, 0, 0, 0, 0)
	add(unix.SYS_UMASK, 0o022, 0, 0, 0)
	add(unix.SYS_CHDIR, uintptr(unsafe.Pointer(s.dir)), 0, 0, 0)
	for i, fd := range s.fds {
		add(unix.SYS_DUP3, uintptr(fd), uintptr(i), 0, 0)
	}
	add(unix.SYS_CLOSE_RANGE, 3, uintptr(^uint32(0)), 0, 0)
	if uid := uintptr(s.uid); s.uid >= 0 {
		add(unix.SYS_SETRESGID, uid, uid, uid, 0)
		add(unix.SYS_SETRESUID, uid, uid, uid, 0)
	}
	if s.filter != nil {
		add(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW,
			uintptr(unsafe.Pointer(s.filter)), 0)
	}
	add(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&emptySigset)), 0, 8)
	add(unix.SYS_EXECVE, uintptr(s.path), uintptr(s.argv), uintptr(s.envp), 0)

	pid, errno := s.clone()
	pidfd = int(s.pidfd)
	if errno != 0 {
		return 0, -1, 0, sysError("clone", errno)
	}
	for i := range n {
		if table[i].refused == 0 {
			continue
		}
		_, _, err := reap(pid)
		_ = unix.Close(pidfd)
		if err != nil {
			return 0, -1, 0, err
		}
		if i == n-1 {
			return 0, -1, unix.Errno(table[i].refused), nil
		}
		return 0, -1, 0, sysError("prepare the child", unix.Errno(table[i].refused))
	}
	return pid, pidfd, 0, nil
}

func (s *spawn) clone() (pid int, errno unix.Errno) {
	const flags = unix.CLONE_VM | unix.CLONE_VFORK | unix.CLONE_PIDFD
	fd := uintptr(unsafe.Pointer(&s.pidfd))
	var r, e uintptr
	if s.cgroup >= 0 {
		args := cloneArgs{
			flags: flags | unix.CLONE_INTO_CGROUP, pidfd: uint64(fd),
			exitSignal: uint64(unix.SIGCHLD), cgroup: uint64(s.cgroup),
		}
		r, e = vforkTable(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&args)), unsafe.Sizeof(args), 0, &s.table[0])
	} else {
		r, e = vforkTable(unix.SYS_CLONE, flags|uintptr(unix.SIGCHLD), 0, fd, &s.table[0])
	}
	return int(r), unix.Errno(e)
}

// reap waits for a child that has ended or is about to, and says how much CPU
// time, in ns, it and the children that it waited for have used.
func reap(pid int) (status unix.WaitStatus, cpu int64, err error) {
	var usage unix.Rusage
	for {
		_, err := unix.Wait4(pid, &status, unix.WALL, &usage)
		if err == nil {
			return status, usage.Utime.Nano() + usage.Stime.Nano(), nil
		}
		if err != unix.EINTR {
			return 0, 0, fmt.Errorf("reap the main process: %w", err)
		}
	}
}
