package docker

import (
	"encoding/json"
	"fmt"
	"strings"
	"syscall"
)

// The container's seccomp profile: what the agent and programs may call at all.
// It is an allow-list; what it does not name is EPERM, and what is newer than
// all it names is ENOSYS (runc's doing). Programs are under the agent's own,
// stricter filter besides (runner/agent), whose errno is the one they see.
//
// The agent alone needs clone3, to be allowed to make children in a cgroup, and
// seccomp, to install that filter. So a process of this container that is not
// under the second filter could make namespaces; the second filter is no luxury.
//
// Not named, because neither agent nor program needs it: sockets but AF_UNIX,
// namespaces and mounts, ptrace and other processes' memory, io_uring and AIO,
// System V and POSIX queues, keys, leases' kin (inotify, fanotify), file handles,
// memfd_secret, userfaultfd, bpf, perf, chown, setxattr, NUMA placement, clocks,
// sync of all disks, and everything for administrators.
const (
	allowFiles = `
		access chdir chmod close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64
		fallocate fchdir fchmod fchmodat fchmodat2 fcntl fdatasync fgetxattr file_getattr flistxattr flock
		fremovexattr fstat fstatfs fsync ftruncate futimesat getcwd getdents getdents64 getxattr getxattrat ioctl
		lgetxattr link linkat listxattr listxattrat llistxattr lremovexattr lseek lstat mkdir mkdirat newfstatat
		open openat openat2 pipe pipe2 pread64 preadv preadv2 pwrite64 pwritev pwritev2 read readahead readlink
		readlinkat readv removexattr removexattrat rename renameat renameat2 rmdir sendfile splice stat statfs
		statx symlink symlinkat sync_file_range tee truncate umask unlink unlinkat utime utimensat utimes vmsplice
		write writev`
	allowMemory = `
		brk madvise map_shadow_stack membarrier memfd_create mincore mlock mlock2 mlockall mmap mprotect mremap
		mseal msync munlock munlockall munmap pkey_alloc pkey_free pkey_mprotect remap_file_pages`
	allowProcesses = `
		arch_prctl capget capset clone3 execve execveat exit exit_group fork get_robust_list getcpu getegid geteuid
		getgid getgroups getpgid getpgrp getpid getppid getpriority getresgid getresuid getrlimit getrusage getsid
		gettid getuid ioprio_get ioprio_set kill landlock_add_rule landlock_create_ruleset landlock_restrict_self
		pidfd_open pidfd_send_signal prctl prlimit64 restart_syscall rseq rseq_slice_yield sched_get_priority_max
		sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler
		sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield seccomp
		set_robust_list set_tid_address setfsgid setfsuid setgid setgroups setpgid setpriority setregid setresgid
		setresuid setreuid setrlimit setsid setuid sysinfo tgkill times tkill uname vfork wait4 waitid`
	allowSignalsAndTime = `
		alarm clock_getres clock_gettime clock_nanosleep getitimer gettimeofday nanosleep pause rt_sigaction
		rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo
		setitimer sigaltstack time timer_create timer_delete timer_getoverrun timer_gettime timer_settime
		timerfd_create timerfd_gettime timerfd_settime`
	allowWaiting = `
		epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 futex
		futex_requeue futex_wait futex_waitv futex_wake getrandom poll ppoll pselect6 select signalfd signalfd4`
	allowUnixSockets = `
		accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg recvmsg sendmmsg
		sendmsg sendto setsockopt shutdown`
)

// Values of arguments, from the kernel's uapi headers; package syscall has some
// of them for some systems only.
const (
	anyNamespace    = 0x7e020000 // every CLONE_NEW* that the old clone takes
	addrNoRandomize = 0x0040000  // sanitizers and SBCL start with it
	personalityGet  = 0xffffffff
)

// The profile as Docker reads it: github.com/moby/profiles, since 1.12.
type profile struct {
	DefaultAction string        `json:"defaultAction"`
	ArchMap       []profileArch `json:"archMap"`
	Syscalls      []profileRule `json:"syscalls"`
}

// profileArch leaves out the subarchitectures: a call by int 0x80 or x32 is of
// an architecture that the filter does not know, and the kernel kills for it.
type profileArch struct {
	Architecture string   `json:"architecture"`
	Others       []string `json:"subArchitectures"`
}

type profileRule struct {
	Names    []string     `json:"names"`
	Action   string       `json:"action"`
	ErrnoRet *uint        `json:"errnoRet,omitempty"`
	Args     []profileArg `json:"args"`
}

type profileArg struct {
	Index    uint   `json:"index"`
	Value    uint64 `json:"value"`
	ValueTwo uint64 `json:"valueTwo"` // for SCMP_CMP_MASKED_EQ: what Value is the mask of
	Op       string `json:"op"`
}

// seccompProfile is the value of the security option seccomp=.
func seccompProfile() (string, error) {
	p := profile{
		DefaultAction: "SCMP_ACT_ERRNO",
		ArchMap: []profileArch{
			{Architecture: "SCMP_ARCH_X86_64", Others: []string{}},
			{Architecture: "SCMP_ARCH_AARCH64", Others: []string{}},
		},
		Syscalls: []profileRule{
			allowed(allowFiles + allowMemory + allowProcesses + allowSignalsAndTime + allowWaiting + allowUnixSockets),
			allowed("socket socketpair", equal(0, syscall.AF_UNIX)),
			refused("socket socketpair", syscall.EAFNOSUPPORT, profileArg{Index: 0, Value: syscall.AF_UNIX, Op: "SCMP_CMP_NE"}),
			allowed("clone", masked(0, anyNamespace, 0)),
		},
	}
	for _, flags := range []uint64{0, addrNoRandomize, personalityGet} {
		p.Syscalls = append(p.Syscalls, allowed("personality", equal(0, flags)))
	}
	for _, kind := range []uint64{0, syscall.S_IFREG, syscall.S_IFIFO} { // no devices, no sockets
		p.Syscalls = append(p.Syscalls, allowed("mknod", masked(1, syscall.S_IFMT, kind)), allowed("mknodat", masked(2, syscall.S_IFMT, kind)))
	}
	text, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("write the seccomp profile: %w", err)
	}
	return string(text), nil
}

func allowed(names string, args ...profileArg) profileRule {
	return profileRule{Names: strings.Fields(names), Action: "SCMP_ACT_ALLOW", Args: append([]profileArg{}, args...)}
}

func refused(names string, errno syscall.Errno, args ...profileArg) profileRule {
	ret := uint(errno)
	return profileRule{Names: strings.Fields(names), Action: "SCMP_ACT_ERRNO", ErrnoRet: &ret, Args: args}
}

func equal(index uint, value uint64) profileArg {
	return profileArg{Index: index, Value: value, Op: "SCMP_CMP_EQ"}
}

func masked(index uint, mask, value uint64) profileArg {
	return profileArg{Index: index, Value: mask, ValueTwo: value, Op: "SCMP_CMP_MASKED_EQ"}
}
