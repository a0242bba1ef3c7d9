/* System calls that no program needs to solve a problem. Each would succeed, or
 * fail with an errno of its own, where the filter let it through. */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <grp.h>
#include <unistd.h>

#ifndef AF_VSOCK
#define AF_VSOCK 40
#endif
/* The same on all architectures, and newer than some C libraries. */
enum { nr_io_uring_setup = 425, nr_open_tree = 428, nr_fsopen = 430, nr_clone3 = 435, nr_pidfd_open = 434,
       nr_pidfd_getfd = 438, nr_memfd_secret = 447 };

#define CALL(name, expression) \
	static long name(void) { return expression; }

CALL(inet, socket(AF_INET, SOCK_STREAM, 0))
CALL(inet_udp, socket(AF_INET, SOCK_DGRAM, 0))
CALL(inet6, socket(AF_INET6, SOCK_STREAM, 0))
CALL(netlink, socket(AF_NETLINK, SOCK_RAW, 0))
CALL(packet, socket(AF_PACKET, SOCK_RAW, 0))
CALL(vsock, socket(AF_VSOCK, SOCK_STREAM, 0))
CALL(alg, socket(AF_ALG, SOCK_SEQPACKET, 0))
CALL(local, socket(AF_UNIX, SOCK_STREAM, 0))

static long pair_inet(void)
{
	int ends[2];
	return socketpair(AF_INET, SOCK_STREAM, 0, ends);
}

static long pair_local(void)
{
	int ends[2];
	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static long fresh(void)
{
	return must(open("own", O_CREAT | O_RDWR, 0600), "open");
}

CALL(own_chown, fchown(fresh(), getuid(), getgid()))
CALL(own_xattr, fsetxattr(fresh(), "user.probe", "x", 1, 0))
CALL(file_capability, fsetxattr(fresh(), "security.capability", "x", 1, 0))
CALL(device, mknod("device", S_IFCHR | 0600, (1 << 8) | 3))
CALL(trace_me, ptrace(PTRACE_TRACEME, 0, 0, 0))
CALL(trace_attach, ptrace(PTRACE_SEIZE, getppid(), 0, 0))
CALL(pidfd_getfd, syscall(nr_pidfd_getfd, syscall(nr_pidfd_open, getpid(), 0), 1, 0))
CALL(memfd_secret, syscall(nr_memfd_secret, 0))
CALL(userfaultfd, syscall(SYS_userfaultfd, 1)) /* UFFD_USER_MODE_ONLY */
CALL(do_mount, mount("none", ".", "tmpfs", 0, NULL))
CALL(do_umount, umount2("/tmp", MNT_DETACH))
CALL(do_open_tree, syscall(nr_open_tree, AT_FDCWD, ".", 1))
CALL(do_fsopen, syscall(nr_fsopen, "tmpfs", 0))
CALL(unshare_user, unshare(CLONE_NEWUSER))
CALL(unshare_net, unshare(CLONE_NEWNET))
CALL(enter_namespace, setns(open("/proc/self/ns/uts", O_RDONLY), 0))
CALL(clone_user, syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0))
CALL(executable_data, personality(READ_IMPLIES_EXEC))
CALL(do_chroot, chroot("."))
CALL(host_name, sethostname("x", 1))
CALL(become_root, setuid(0))
CALL(become_root_group, setgid(0))
CALL(no_groups, setgroups(0, NULL))
CALL(fsuid_root, (setfsuid(0), setfsuid(0) == 0 ? 0 : (errno = EPERM, -1)))
CALL(ambient, prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 7, 0, 0))
CALL(real_time, sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){1}))
CALL(hurry, setpriority(PRIO_PROCESS, 0, -5))
CALL(kernel_log, syscall(SYS_syslog, 3, (char[16]){0}, 16))
CALL(load_module, syscall(SYS_init_module, "", 0L, ""))
CALL(swap_on, syscall(SYS_swapon, "/own", 0))
CALL(account, syscall(SYS_acct, NULL))
CALL(reset_clock, syscall(SYS_settimeofday, NULL, &(int[2]){0, 0}))
CALL(core_limit, setrlimit(RLIMIT_CORE, &(struct rlimit){1 << 20, 1 << 20}))

static long vm_readv(void)
{
	char from[1] = {1}, to[1];
	struct iovec a = {to, 1}, b = {from, 1};
	return process_vm_readv(getpid(), &a, 1, &b, 1, 0);
}

static long vm_writev(void)
{
	char from[1] = {1}, to[1];
	struct iovec a = {from, 1}, b = {to, 1};
	return process_vm_writev(getpid(), &a, 1, &b, 1, 0);
}

static long io_uring(void)
{
	char params[120] = {0};
	return syscall(nr_io_uring_setup, 1, params);
}

static long bpf(void)
{
	char attr[128] = {1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 1}; /* BPF_MAP_TYPE_HASH of one */
	return syscall(SYS_bpf, 0, attr, sizeof attr);
}

static long perf(void)
{
	struct {
		uint32_t type, size;
		char rest[120];
	} attr = {1, 128, {0}}; /* PERF_TYPE_SOFTWARE */
	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

/* Its flags are in memory, which no filter can read: it must not be there at all. */
static long clone3(void)
{
	uint64_t args[8] = {0, [4] = SIGCHLD};
	return syscall(nr_clone3, args, sizeof args);
}

static long clone3_user(void)
{
	uint64_t args[8] = {CLONE_NEWUSER | CLONE_NEWNET, [4] = SIGCHLD};
	return syscall(nr_clone3, args, sizeof args);
}

#ifdef __x86_64__
/* The 32-bit entry of the kernel has numbers of its own: 20 is getpid. */
static long int80(void)
{
	long rc;
	__asm__ volatile("int $0x80" : "=a"(rc) : "a"(20L) : "memory");
	return rc;
}

static long x32(void)
{
	return syscall(0x40000000 | SYS_getpid);
}
#endif

static const struct {
	const char *name;
	long (*call)(void);
} calls[] = {
	{"socket-unix", local}, {"socketpair-unix", pair_local},
	{"socket-inet", inet}, {"socket-inet-udp", inet_udp}, {"socket-inet6", inet6}, {"socket-netlink", netlink},
	{"socket-packet", packet}, {"socket-vsock", vsock}, {"socket-alg", alg}, {"socketpair-inet", pair_inet},
	{"chown", own_chown}, {"setxattr", own_xattr}, {"file-capability", file_capability}, {"mknod", device},
	{"ptrace-traceme", trace_me}, {"ptrace-seize", trace_attach}, {"process_vm_readv", vm_readv},
	{"process_vm_writev", vm_writev}, {"pidfd_getfd", pidfd_getfd}, {"io_uring_setup", io_uring},
	{"userfaultfd", userfaultfd}, {"bpf", bpf}, {"perf_event_open", perf}, {"memfd_secret", memfd_secret},
	{"mount", do_mount}, {"umount", do_umount}, {"open_tree", do_open_tree}, {"fsopen", do_fsopen},
	{"unshare-user", unshare_user}, {"unshare-net", unshare_net}, {"setns", enter_namespace},
	{"clone-user", clone_user}, {"clone3", clone3}, {"clone3-user", clone3_user}, {"personality", executable_data},
	{"chroot", do_chroot}, {"sethostname", host_name}, {"setuid", become_root}, {"setgid", become_root_group},
	{"setgroups", no_groups}, {"setfsuid", fsuid_root}, {"ambient", ambient}, {"real-time", real_time},
	{"setpriority", hurry}, {"syslog", kernel_log}, {"init_module", load_module}, {"swapon", swap_on},
	{"acct", account}, {"settimeofday", reset_clock}, {"setrlimit-core", core_limit},
#ifdef __x86_64__
	{"int80", int80}, {"x32", x32},
#endif
};

/* syscalls: each in a process of its own, since some are answered by a signal. */
static int syscalls(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		attempt(calls[i].name, calls[i].call);
	return 0;
}

const struct command syscall_commands[] = {{"syscalls", syscalls}, {0}};
