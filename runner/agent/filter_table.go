//go:build linux && (amd64 || arm64)

package agent

import "golang.org/x/sys/unix"

// What a denied system call returns is what programs and their runtimes already
// have a way around: noFeature is a kernel built without it, noRight a user
// without the right.
var (
	allow     = &action{miss: unix.SECCOMP_RET_ALLOW}
	kill      = &action{miss: unix.SECCOMP_RET_KILL_PROCESS}
	noRight   = &action{miss: returnErrno | uint32(unix.EPERM)}
	noFeature = &action{miss: returnErrno | uint32(unix.ENOSYS)}
	noXattr   = &action{miss: returnErrno | uint32(unix.EOPNOTSUPP)} // cp and tar say nothing of it
	pretend   = &action{miss: returnErrno}                           // returns 0, nothing is done

	// newNamespaces is every CLONE_NEW* that the old clone takes (NEWTIME it does
	// not: the bit is part of the exit signal), and CLONE_PARENT, which would make
	// the agent the parent of a process that it never started.
	newNamespaces = uint32(unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
		unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_PARENT)
)

// rules name every system call that is not simply allowed. What is not named
// and newer than lastSyscall is ENOSYS; the container's profile is an allow-list
// beneath this one.
//
// Left allowed on purpose: flock and F_SETLK (Go modules, SQLite), memfd_create,
// vmsplice, mincore (the Go runtime calls it, and it tells only of files that one
// may write), landlock, sched_setaffinity (within the cpuset), scheduling classes
// and priorities (real time needs a capability), map_shadow_stack.
var rules = append([]rule{
	// Its flags are behind a pointer, where no filter sees CLONE_NEWUSER. EPERM
	// would break glibc's threads, ENOSYS makes them fall back to clone.
	{noFeature, []uint32{unix.SYS_CLONE3}},
	{only(0, newNamespaces, unix.EPERM, 0), []uint32{unix.SYS_CLONE}},
	// Namespaces, mounts, handles that reach past a mount.
	{noRight, []uint32{
		unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_CHROOT, unix.SYS_PIVOT_ROOT, unix.SYS_MOUNT, unix.SYS_UMOUNT2,
		unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR, unix.SYS_FSOPEN, unix.SYS_FSMOUNT,
		unix.SYS_FSCONFIG, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
		unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT,
	}},
	{noFeature, []uint32{unix.SYS_LISTMOUNT, unix.SYS_STATMOUNT, unix.SYS_LISTNS}},
	// No network of any kind. The errno of a kernel without IP makes getaddrinfo,
	// Go and Java go on without.
	{only(0, ^uint32(0), unix.EAFNOSUPPORT, unix.AF_UNIX), []uint32{unix.SYS_SOCKET, unix.SYS_SOCKETPAIR}},
	// What would make a file outlive its run or be more than it seems.
	{noRight, []uint32{unix.SYS_FCHOWN, unix.SYS_FCHOWNAT}},
	{noXattr, []uint32{unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT}},
	{noFeature, []uint32{unix.SYS_FILE_SETATTR}},
	{nodes(2), []uint32{unix.SYS_MKNODAT}},
	// Other processes' memory and descriptors.
	{noRight, []uint32{
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
		unix.SYS_PROCESS_MRELEASE, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
	}},
	// Large and young parts of the kernel, where its escapes are found. Old AIO
	// draws on one host-wide count besides (fs.aio-max-nr).
	{noFeature, []uint32{
		unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_USERFAULTFD,
		unix.SYS_MEMFD_SECRET, unix.SYS_IO_SETUP, unix.SYS_IO_DESTROY, unix.SYS_IO_SUBMIT, unix.SYS_IO_CANCEL,
		unix.SYS_IO_GETEVENTS, unix.SYS_IO_PGETEVENTS,
		unix.SYS_LSM_GET_SELF_ATTR, unix.SYS_LSM_SET_SELF_ATTR, unix.SYS_LSM_LIST_MODULES,
	}},
	{noRight, []uint32{unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN}},
	// A program that filters itself, by seccomp or by the older prctl; and core
	// scheduling, by which it would idle the other hyperthread, another's slot.
	{noRight, []uint32{unix.SYS_SECCOMP}},
	{except(0, unix.EINVAL, unix.PR_SET_SECCOMP, unix.PR_SCHED_CORE), []uint32{unix.SYS_PRCTL}},
	// Flags weaken the kernel's checks of the process. ADDR_NO_RANDOMIZE weakens
	// it against nobody but itself, and sanitizers and SBCL start with it.
	{only(0, ^uint32(0), unix.EPERM, 0, addrNoRandomize, 0xffffffff), []uint32{unix.SYS_PERSONALITY}},
	// What outlives its process: keys, System V and POSIX message queues,
	// shared memory and semaphores.
	{noFeature, []uint32{
		unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
		unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SHMDT,
		unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
		unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL,
		unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK, unix.SYS_MQ_TIMEDSEND, unix.SYS_MQ_TIMEDRECEIVE,
		unix.SYS_MQ_NOTIFY, unix.SYS_MQ_GETSETATTR,
	}},
	// Watching files that others open too, and marks that stay on an inode:
	// leases, dnotify, write-life hints (older kernels let any reader set those).
	{noFeature, []uint32{
		unix.SYS_INOTIFY_INIT1, unix.SYS_INOTIFY_ADD_WATCH, unix.SYS_INOTIFY_RM_WATCH,
		unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK,
	}},
	{except(1, unix.EINVAL, unix.F_SETLEASE, unix.F_NOTIFY, unix.F_SET_RW_HINT, unix.F_SET_FILE_RW_HINT), []uint32{unix.SYS_FCNTL}},
	// The page cache, by which runs and boxes could tell of each other: dropping a
	// shared library from it would charge the next run for reading it. It is
	// advice, so it may go unheeded.
	{noFeature, []uint32{unix.SYS_CACHESTAT}},
	{except(3, 0, unix.FADV_DONTNEED), []uint32{unix.SYS_FADVISE64}},
	// They would wait, unkillable, for every disk of the host. A box has nothing
	// on disk that could need it.
	{pretend, []uint32{unix.SYS_SYNC, unix.SYS_SYNCFS}},
	// Typing into a terminal for whoever reads from it.
	{except(1, unix.EPERM, unix.TIOCSTI, unix.TIOCLINUX), []uint32{unix.SYS_IOCTL}},
	// Where memory lies is the judge's to say.
	{noRight, []uint32{
		unix.SYS_MBIND, unix.SYS_SET_MEMPOLICY, unix.SYS_GET_MEMPOLICY, unix.SYS_SET_MEMPOLICY_HOME_NODE,
		unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
	}},
	// The host's clock, names, log, disks and kernel.
	{noRight, []uint32{
		unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
		unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SYSLOG, unix.SYS_VHANGUP, unix.SYS_ACCT,
		unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_REBOOT,
		unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
		unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	}},
	{noFeature, []uint32{unix.SYS_LOOKUP_DCOOKIE, unix.SYS_NFSSERVCTL}},
}, archRules...)

// lastSyscall is the highest number known to this table.
const lastSyscall = unix.SYS_RSEQ_SLICE_YIELD

// addrNoRandomize is in the kernel's uapi personality.h.
const addrNoRandomize = 0x0040000

// only allows the call when the masked argument is one of match.
func only(arg, mask uint32, errno unix.Errno, match ...uint32) *action {
	return &action{arg: arg, mask: mask, match: match, hit: unix.SECCOMP_RET_ALLOW, miss: returnErrno | uint32(errno)}
}

// except allows the call unless the argument is one of match.
func except(arg uint32, errno unix.Errno, match ...uint32) *action {
	return &action{arg: arg, mask: ^uint32(0), match: match, hit: returnErrno | uint32(errno), miss: unix.SECCOMP_RET_ALLOW}
}

// nodes allows FIFOs and plain files, but no devices and no sockets. The kernel
// takes the mode as 16 bits.
func nodes(arg uint32) *action {
	return only(arg, unix.S_IFMT, unix.EPERM, 0, unix.S_IFREG, unix.S_IFIFO)
}
