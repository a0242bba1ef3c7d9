//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"judge/runner"
)

// syscalls: what the filters must refuse, and the little that they must not.
func (s *suite) syscalls(t *testing.T) {
	no := []string{"EPERM", "EACCES", "ENOSYS", "signal 31"}
	noXattr := append([]string{"ENOTSUP"}, no...) // which cp and tar take in silence
	socket := append([]string{"EAFNOSUPPORT"}, no...)
	want := map[string][]string{
		"socket-unix": {"ok"}, "socketpair-unix": {"ok"},
		// Anything else breaks threads in C libraries that try it first.
		"clone3": {"ENOSYS"}, "clone3-user": {"ENOSYS"},
		"setuid": {"EPERM", "EINVAL"}, "setgid": {"EPERM", "EINVAL"},
		"setxattr": noXattr, "file-capability": noXattr,
	}
	for _, name := range []string{"inet", "inet-udp", "inet6", "netlink", "packet", "vsock", "alg"} {
		want["socket-"+name] = socket
	}
	want["socketpair-inet"] = socket
	for _, name := range []string{
		"chown", "mknod", "ptrace-traceme", "ptrace-seize", "process_vm_readv",
		"process_vm_writev", "pidfd_getfd", "io_uring_setup", "userfaultfd", "bpf", "perf_event_open", "memfd_secret",
		"mount", "umount", "open_tree", "fsopen", "unshare-user", "unshare-net", "setns", "clone-user", "personality",
		"chroot", "sethostname", "setgroups", "setfsuid", "ambient", "real-time", "setpriority", "syslog",
		"init_module", "swapon", "acct", "settimeofday", "setrlimit-core",
	} {
		want[name] = no
	}
	if runtime.GOARCH == "amd64" {
		want["int80"], want["x32"] = []string{"signal 31", "ENOSYS"}, []string{"signal 31", "ENOSYS"}
	}
	ipc := map[string][]string{
		"mqueue-file": {"EPERM", "EACCES", "ENOSYS", "ENOENT", "EROFS"},
		"lease":       append([]string{"EINVAL"}, no...), // as from a file system without leases
	}
	for _, name := range []string{
		"shmget", "semget", "msgget", "mq_open", "add_key", "request_key", "keyctl", "inotify", "fanotify",
		"open_by_handle_at",
	} {
		ipc[name] = no
	}
	s.attacks(t, []attack{
		{name: "denied", args: []string{"syscalls"}, want: all(exited(0), outcomes(want))},
		{name: "channels", args: []string{"ipc"}, want: all(exited(0), outcomes(ipc))},
	})
}

// escape: what is not the program's must be out of reach. The probe prints what is not.
func (s *suite) escape(t *testing.T) {
	// Something on the host that is there for root and for nobody else.
	secret := filepath.Join(t.TempDir(), "answer")
	if err := os.WriteFile(secret, []byte("42"), 0o600); err != nil {
		t.Fatal(err)
	}
	quiet := all(exited(0), silent)
	s.attacks(t, []attack{
		{name: "other processes", args: []string{"others"}, want: quiet},
		{name: "everything in reach", args: []string{"reach"}, want: quiet},
		{name: "reads", want: quiet, args: []string{
			"read-any", secret, filepath.Dir(secret), "/proc/self/fd/0/..", "/proc/1/root" + secret, "/proc/kcore", "/proc/kmsg",
			"/proc/kpagecount", "/proc/sched_debug", "/proc/timer_list", "/proc/keys", "/proc/acpi", "/proc/scsi", "/dev/mem", "/dev/kmsg", "/dev/sda",
			"/dev/vda", "/sys/firmware", "/sys/kernel/debug", "/sys/kernel/tracing", "/sys/fs/bpf", "/var/run/docker.sock",
			"/run/docker.sock", "/var/run/containerd/containerd.sock", "/root", "/etc/shadow", "/run/judge", "/var/lib/judge",
		}},
		{name: "writes", want: quiet, args: []string{
			"write-any", secret, "/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname",
			"/proc/sys/vm/drop_caches", "/proc/sys/kernel/ns_last_pid", "/proc/sys/fs/suid_dumpable", "/proc/sys/user/max_user_namespaces",
			"/proc/irq/default_smp_affinity", "/proc/mtrr", "/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda",
			"/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/tasks", "/sys/fs/cgroup/memory/release_agent",
			"/sys/power/state", "/etc/passwd", "/etc/hosts", "/etc/resolv.conf", "/etc/ld.so.preload",
		}},
		{name: "setuid copy", args: []string{"setuid-copy", runner.ProgramPath + "/" + probe}, want: noGain},
	})
	t.Run("writable folders", func(t *testing.T) {
		b := s.box(t)
		for line := range strings.Lines(b.probe(t, "writable")) {
			switch folder := strings.TrimSuffix(line, "\n"); folder {
			case ".", "/tmp", "/dev/shm":
			default:
				t.Errorf("a program may write in %s", folder)
			}
		}
	})
	t.Run("setuid copy of its own", func(t *testing.T) {
		b := s.box(t)
		b.put(t, runner.Work, b.program(t, probe))
		cmd := b.command("copy-and-raise", probe, "own")
		expect(t, b.run(t, cmd), noGain)
		b.survives(t)
	})
}

// noGain wants the probe, run with whatever bits it got, to be still who it was.
func noGain(r report) error {
	var uid, gid string // the chmod itself may be allowed
	for line := range strings.Lines(r.stdout) {
		f := strings.Fields(line)
		if len(f) == 4 && f[1] == f[2] && f[2] == f[3] && f[1] != "0" {
			switch f[0] {
			case "uid":
				uid = f[1]
			case "gid":
				gid = f[1]
			}
		}
	}
	if uid == "" || gid == "" {
		return errors.New("want one user and one group, not root's")
	}
	return exited(0)(r)
}
