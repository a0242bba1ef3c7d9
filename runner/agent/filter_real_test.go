//go:build linux && (amd64 || arm64)

package agent_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"judge/runner/agent"
)

// filterChildEnv makes TestFilterChild, in this test binary run anew, a program
// of its own: what it is to do, as a childJob.
const filterChildEnv = "JUDGE_TEST_FILTER_CHILD"

type childJob struct {
	Exec  []string // to become under the filter, with what else is in the job left to do
	Work  string   // folder to do everyday things in
	Calls []call   // to make under the filter
}

// call is one system call, by number.
type call struct {
	Nr   uint32
	Args [6]uint64
}

// onOwnThread runs f on a thread that ends with it.
func onOwnThread(tb testing.TB, filtered bool, f func()) {
	tb.Helper()
	var wg sync.WaitGroup
	wg.Go(func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if filtered {
			if err := agent.InstallFilter(0); err != nil {
				tb.Error(err)
				return
			}
		}
		f()
	})
	wg.Wait()
}

// child runs this binary anew with a job.
func child(t *testing.T, job childJob) ([]byte, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestFilterChild$")
	cmd.Env = append(os.Environ(), filterChildEnv+"="+encode(t, job))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if stderr.Len() > 0 {
		t.Logf("the child says: %s", stderr.String())
	}
	return out, err
}

func encode(t *testing.T, job childJob) string {
	t.Helper()
	text, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFilterChild is not a test but what the tests below run as children.
func TestFilterChild(t *testing.T) {
	text, ok := os.LookupEnv(filterChildEnv)
	if !ok {
		return
	}
	var job childJob
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		t.Fatal(err)
	}
	if job.Exec != nil {
		t.Setenv(filterChildEnv, encode(t, childJob{Work: job.Work}))
		onOwnThread(t, true, func() {
			t.Error(unix.Exec(job.Exec[0], job.Exec, os.Environ()))
		})
		os.Exit(1)
	}
	if job.Work != "" {
		answer(everydayThings(job.Work))
	}
	onOwnThread(t, true, func() {
		errnos := make([]int, len(job.Calls))
		for i, c := range job.Calls {
			a := c.Args
			_, _, errno := unix.RawSyscall6(uintptr(c.Nr), uintptr(a[0]), uintptr(a[1]), uintptr(a[2]), uintptr(a[3]), uintptr(a[4]), uintptr(a[5]))
			errnos[i] = int(errno)
		}
		answer(errnos)
	})
}

// answer ends a child.
func answer(v any) {
	if err := json.NewEncoder(os.Stdout).Encode(v); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// errnos makes the calls in a filtered child.
func errnos(t *testing.T, calls []call) []unix.Errno {
	t.Helper()
	out, err := child(t, childJob{Calls: calls})
	if err != nil {
		t.Fatal(err)
	}
	var got []unix.Errno
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(calls) {
		t.Fatalf("the child answers %q: %v", out, err)
	}
	return got
}

// TestFilterDeniesTable makes every call that the table denies whatever its
// arguments. The arguments are such that the kernel would refuse them too, but
// otherwise.
func TestFilterDeniesTable(t *testing.T) {
	t.Parallel()
	var calls []call
	var want []unix.Errno
	for _, r := range agent.Rules() {
		if len(r.Match) == 0 {
			calls = append(calls, call{r.Nr, [6]uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}})
			want = append(want, unix.Errno(r.Miss&unix.SECCOMP_RET_DATA))
		}
	}
	for i, got := range errnos(t, calls) {
		if got != want[i] {
			t.Errorf("system call %d: %v, want %v", calls[i].Nr, got, want[i])
		}
	}
}

// TestFilterDenies names, apart from the table, what a program must not do.
func TestFilterDenies(t *testing.T) {
	t.Parallel()
	const bad = ^uint64(0)
	tests := []struct {
		name string
		call call
		want unix.Errno
	}{
		{"clone3", call{unix.SYS_CLONE3, [6]uint64{bad, 88}}, unix.ENOSYS},
		{"clone a user namespace", call{unix.SYS_CLONE, [6]uint64{unix.CLONE_NEWUSER | unix.CLONE_SIGHAND}}, unix.EPERM},
		{"clone a network namespace", call{unix.SYS_CLONE, [6]uint64{unix.CLONE_NEWNET | unix.CLONE_SIGHAND}}, unix.EPERM},
		{"clone with bits above 32", call{unix.SYS_CLONE, [6]uint64{1<<40 | unix.CLONE_NEWPID | unix.CLONE_SIGHAND}}, unix.EPERM},
		{"clone a sibling", call{unix.SYS_CLONE, [6]uint64{unix.CLONE_PARENT | unix.CLONE_SIGHAND}}, unix.EPERM},
		{"unshare", call{unix.SYS_UNSHARE, [6]uint64{0}}, unix.EPERM},
		{"setns", call{unix.SYS_SETNS, [6]uint64{bad}}, unix.EPERM},
		{"mount", call{unix.SYS_MOUNT, [6]uint64{bad, bad, bad}}, unix.EPERM},
		{"open_tree", call{unix.SYS_OPEN_TREE, [6]uint64{bad, bad}}, unix.EPERM},
		{"IPv4", call{unix.SYS_SOCKET, [6]uint64{unix.AF_INET, unix.SOCK_STREAM}}, unix.EAFNOSUPPORT},
		{"IPv6", call{unix.SYS_SOCKET, [6]uint64{unix.AF_INET6, unix.SOCK_DGRAM}}, unix.EAFNOSUPPORT},
		{"netlink", call{unix.SYS_SOCKET, [6]uint64{unix.AF_NETLINK, unix.SOCK_RAW}}, unix.EAFNOSUPPORT},
		{"vsock", call{unix.SYS_SOCKET, [6]uint64{unix.AF_VSOCK, unix.SOCK_STREAM}}, unix.EAFNOSUPPORT},
		{"alg", call{unix.SYS_SOCKET, [6]uint64{unix.AF_ALG, unix.SOCK_SEQPACKET}}, unix.EAFNOSUPPORT},
		{"tipc pair", call{unix.SYS_SOCKETPAIR, [6]uint64{unix.AF_TIPC, unix.SOCK_SEQPACKET, 0, bad}}, unix.EAFNOSUPPORT},
		{"fchownat", call{unix.SYS_FCHOWNAT, [6]uint64{bad, bad}}, unix.EPERM},
		{"setxattr", call{unix.SYS_SETXATTR, [6]uint64{bad, bad}}, unix.EOPNOTSUPP},
		{"character device", call{unix.SYS_MKNODAT, [6]uint64{bad, bad, unix.S_IFCHR | 0o600}}, unix.EPERM},
		{"block device", call{unix.SYS_MKNODAT, [6]uint64{bad, bad, unix.S_IFBLK | 0o600}}, unix.EPERM},
		{"ptrace", call{unix.SYS_PTRACE, [6]uint64{unix.PTRACE_TRACEME}}, unix.EPERM},
		{"process_vm_readv", call{unix.SYS_PROCESS_VM_READV, [6]uint64{1}}, unix.EPERM},
		{"pidfd_getfd", call{unix.SYS_PIDFD_GETFD, [6]uint64{bad}}, unix.EPERM},
		{"io_uring", call{unix.SYS_IO_URING_SETUP, [6]uint64{1, bad}}, unix.ENOSYS},
		{"userfaultfd", call{unix.SYS_USERFAULTFD, [6]uint64{1}}, unix.ENOSYS},
		{"bpf", call{unix.SYS_BPF, [6]uint64{bad}}, unix.EPERM},
		{"perf", call{unix.SYS_PERF_EVENT_OPEN, [6]uint64{bad}}, unix.EPERM},
		{"memfd_secret", call{unix.SYS_MEMFD_SECRET, [6]uint64{bad}}, unix.ENOSYS},
		{"READ_IMPLIES_EXEC", call{unix.SYS_PERSONALITY, [6]uint64{0x0400000}}, unix.EPERM},
		{"add_key", call{unix.SYS_ADD_KEY, [6]uint64{bad, bad}}, unix.ENOSYS},
		{"shmget", call{unix.SYS_SHMGET, [6]uint64{1, 4096, 0o1600}}, unix.ENOSYS},
		{"semget", call{unix.SYS_SEMGET, [6]uint64{1, 1, 0o1600}}, unix.ENOSYS},
		{"msgget", call{unix.SYS_MSGGET, [6]uint64{1, 0o1600}}, unix.ENOSYS},
		{"mq_open", call{unix.SYS_MQ_OPEN, [6]uint64{bad}}, unix.ENOSYS},
		{"lease", call{unix.SYS_FCNTL, [6]uint64{0, unix.F_SETLEASE, unix.F_RDLCK}}, unix.EINVAL},
		{"dnotify", call{unix.SYS_FCNTL, [6]uint64{0, unix.F_NOTIFY, 1}}, unix.EINVAL},
		{"write-life hint", call{unix.SYS_FCNTL, [6]uint64{0, unix.F_SET_RW_HINT, bad}}, unix.EINVAL},
		{"inotify", call{unix.SYS_INOTIFY_INIT1, [6]uint64{bad}}, unix.ENOSYS},
		{"fanotify", call{unix.SYS_FANOTIFY_INIT, [6]uint64{bad}}, unix.ENOSYS},
		{"open_by_handle_at", call{unix.SYS_OPEN_BY_HANDLE_AT, [6]uint64{bad}}, unix.EPERM},
		{"TIOCSTI", call{unix.SYS_IOCTL, [6]uint64{bad, unix.TIOCSTI}}, unix.EPERM},
		{"a filter of its own", call{unix.SYS_SECCOMP, [6]uint64{1, 0, bad}}, unix.EPERM},
		{"a filter by prctl", call{unix.SYS_PRCTL, [6]uint64{unix.PR_SET_SECCOMP, 2, bad}}, unix.EINVAL},
		{"dropping pages", call{unix.SYS_FADVISE64, [6]uint64{bad, 0, 0, unix.FADV_DONTNEED}}, 0},
		{"sync", call{unix.SYS_SYNCFS, [6]uint64{bad}}, 0},
		{"a call from the future", call{agent.LastSyscall + 1, [6]uint64{}}, unix.ENOSYS},
	}
	calls := make([]call, len(tests))
	for i, tt := range tests {
		calls[i] = tt.call
	}
	for i, got := range errnos(t, calls) {
		if got != tests[i].want {
			t.Errorf("%s: %v, want %v", tests[i].name, got, tests[i].want)
		}
	}
}

// TestFilterLeavesTheRest runs this Go program whole, from execve on, under the
// filter: threads, children, FIFOs, locks, unix sockets.
func TestFilterLeavesTheRest(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child(t, childJob{Exec: []string{self, "-test.run=^TestFilterChild$"}, Work: t.TempDir()})
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got := make(map[string]string)
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("the child answers %q: %v", out, err)
	}
	want := map[string]string{
		"threads": "", "exec": "", "fifo": "", "plain file by mknod": "", "flock": "", "F_SETLK": "",
		"socketpair": "", "unix listener": "", "memfd": "", "personality": "", "openat2": "", "tcp listener refused": "true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("under the filter (-want +got):\n%s", diff)
	}
}

// everydayThings does what programs do, and says what went wrong.
func everydayThings(dir string) map[string]string {
	got := make(map[string]string)
	say := func(what string, err error) {
		got[what] = ""
		if err != nil {
			got[what] = err.Error()
		}
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			runtime.LockOSThread()
			_ = unix.Nanosleep(&unix.Timespec{Nsec: 1e6}, nil) // holds its thread, so that others are made
		})
	}
	wg.Wait()
	say("threads", nil)
	say("exec", exec.Command("/proc/self/exe", "-test.run=^$").Run())
	say("fifo", unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	name := filepath.Join(dir, "file")
	say("plain file by mknod", unix.Mknod(name, unix.S_IFREG|0o600, 0))
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		say("open", err)
		return got
	}
	say("flock", unix.Flock(int(file.Fd()), unix.LOCK_EX))
	say("F_SETLK", unix.FcntlFlock(file.Fd(), unix.F_SETLK, &unix.Flock_t{Type: unix.F_WRLCK}))
	_, err = unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET, 0)
	say("socketpair", err)
	_, err = net.Listen("unix", filepath.Join(dir, "socket"))
	say("unix listener", err)
	_, err = unix.MemfdCreate("m", 0)
	say("memfd", err)
	_, _, errno := unix.RawSyscall(unix.SYS_PERSONALITY, 0xffffffff, 0, 0)
	say("personality", errnoError(errno))
	_, err = unix.Openat2(unix.AT_FDCWD, name, &unix.OpenHow{Resolve: unix.RESOLVE_NO_SYMLINKS})
	say("openat2", err)
	_, err = net.Listen("tcp4", "127.0.0.1:0")
	got["tcp listener refused"] = fmt.Sprint(errors.Is(err, syscall.EAFNOSUPPORT))
	return got
}

func errnoError(errno unix.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}
