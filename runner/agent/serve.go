package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// alertness is how long the agent waits for the next verb by raw system calls,
// which the Go scheduler does not see. Longer than the gap between two test
// cases; after it, it blocks in the scheduler's sight, and an idle box costs
// nothing.
const alertness = 100 * time.Millisecond

// agent is the state of PID 1. All of it belongs to the spawning thread.
type agent struct {
	socket      int
	null        int // /dev/null, for standard streams that are not given
	uid         int
	group       cgroup
	lenient     int // runs in a row after which more than MaxLeft was let pass
	spawn       spawn
	pointers    []*byte // argv and envp of a run
	shared      []int   // folders that every run can write to: /tmp, /dev/shm
	in, control []byte
	out         []byte
}

// dial connects to the judge, which is the sign that the box is up.
func dial() (*agent, error) {
	a := &agent{
		in: make([]byte, MaxMessage), control: make([]byte, unix.CmsgSpace(4*4)),
		out: make([]byte, 0, MaxMessage), pointers: make([]*byte, 0, 256), group: nil,
	}
	a.spawn.cgroup = -1
	var err error
	if a.null, err = unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0); err != nil {
		return nil, fmt.Errorf("open /dev/null: %w", err)
	}
	for _, dir := range []string{"/tmp", "/dev/shm"} {
		fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", dir, err)
		}
		a.shared = append(a.shared, fd)
	}
	for path, mode := range map[string]uint32{ProgramPath: 0o755, WorkPath: 0o777} {
		if err := unix.Mkdir(path, mode); err != nil {
			return nil, fmt.Errorf("make %s: %w", path, err)
		}
	}
	if a.socket, err = unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0); err != nil {
		return nil, fmt.Errorf("make socket: %w", err)
	}
	if err := unix.Connect(a.socket, &unix.SockaddrUnix{Name: SocketPath}); err != nil {
		return nil, fmt.Errorf("reach the judge: %w", err)
	}
	return a, nil
}

// step answers one verb.
func (a *agent) step() error {
	n, fds, err := a.receive()
	if err != nil {
		return err
	}
	msg := a.in[:n]
	if Verb(msg[0]) == VerbKill {
		return nil // the run had ended by itself before the word came
	}
	r := Reply{}
	err = a.do(Verb(msg[0]), msg, fds, &r)
	closeAll(fds)
	if err != nil {
		r = Reply{Status: Failed, Message: err.Error()}
	}
	if serr := a.send(&r); serr != nil || err != nil {
		return errors.Join(err, serr)
	}
	return nil
}

func (a *agent) do(verb Verb, msg []byte, fds []int, r *Reply) error {
	switch verb {
	case VerbRun:
		if a.group == nil {
			return fmt.Errorf("run: %w: not initialised", errMessage)
		}
		req, err := parseRun(msg)
		if err != nil {
			return err
		}
		return a.run(&req, fds, r)
	case VerbInit:
		var m Init
		if err := parseJSON(msg, &m); err != nil {
			return err
		}
		return a.init(&m)
	case VerbClear:
		return a.wiped(a.wipeRun(), r)
	case VerbWipe:
		return a.wiped(a.wipeAll(), r)
	case VerbPut, VerbUnpack, VerbPack, VerbGet:
		var op FileOp
		if err := parseJSON(msg, &op); err != nil {
			return err
		}
		if len(fds) == 0 {
			fds = []int{-1}
		}
		return status(a.file(verb, &op, fds[0]), r)
	case VerbKill: // step has dealt with it
	}
	return fmt.Errorf("%w: verb %q", errMessage, verb)
}

// status turns what is no fault of the box into a reply.
func status(err error, r *Reply) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		r.Status = NotExist
	case errors.Is(err, errTooLarge):
		r.Status = TooLarge
	default:
		return err
	}
	r.Message = err.Error()
	return nil
}

// init finds the cgroups, warms the box and takes the thread's place in run/.
// From then on this thread and its children have the second seccomp filter.
func (a *agent) init(m *Init) error {
	if a.group != nil || m.UID <= 0 || filepath.Base(m.Cgroup) != m.Cgroup || m.Cgroup == ".." {
		return errMessage
	}
	a.uid = m.UID
	if m.Unified {
		a.group = newCgroup2(m.Cgroup)
		a.spawn.filter = newFilter()
	} else {
		a.group = newCgroup1(m.Cgroup)
		if err := installFilter(unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW); err != nil {
			return err
		}
	}
	if err := a.warm(m); err != nil {
		return err
	}
	return a.group.enter()
}

// receive waits for a message. The descriptors are the caller's to close.
func (a *agent) receive() (n int, fds []int, err error) {
	polls := []unix.PollFd{{Fd: int32(a.socket), Events: unix.POLLIN}}
	if err := ppoll(polls, int64(alertness)); err != nil {
		return 0, nil, err
	}
	var cn, flags int
	for {
		n, cn, flags, _, err = unix.Recvmsg(a.socket, a.in, a.control, unix.MSG_CMSG_CLOEXEC)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	switch {
	case err != nil:
		return 0, nil, fmt.Errorf("receive: %w", err)
	case n == 0:
		return 0, nil, errors.New("receive: the judge has gone")
	case flags&(unix.MSG_TRUNC|unix.MSG_CTRUNC) != 0:
		return 0, nil, fmt.Errorf("receive: %w: too long", errMessage)
	}
	fds, err = rights(a.control[:cn])
	return n, fds, err
}

// rights reads the descriptors of a control message without copies.
func rights(b []byte) ([]int, error) {
	if len(b) == 0 {
		return nil, nil
	}
	msgs, err := unix.ParseSocketControlMessage(b)
	if err != nil || len(msgs) != 1 {
		return nil, fmt.Errorf("receive: %w: control message", errMessage)
	}
	fds, err := unix.ParseUnixRights(&msgs[0])
	if err != nil {
		return nil, fmt.Errorf("receive descriptors: %w", err)
	}
	return fds, nil
}

// heardDuringRun takes what the judge sent while a run was on: only Kill makes
// sense then, and its silence for ever means that it is gone.
func (a *agent) heardDuringRun() error {
	var b [1]byte
	n, _, err := unix.Recvfrom(a.socket, b[:], unix.MSG_DONTWAIT)
	if err != nil {
		return fmt.Errorf("receive during a run: %w", err)
	}
	if n != 1 || Verb(b[0]) != VerbKill {
		return fmt.Errorf("receive during a run: %w, or the judge has gone", errMessage)
	}
	return nil
}

func (a *agent) send(r *Reply) error {
	a.out = AppendReply(a.out[:0], r)
	for {
		_, _, e := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(a.socket), uintptr(unsafe.Pointer(&a.out[0])),
			uintptr(len(a.out)), unix.MSG_NOSIGNAL, 0, 0)
		runtime.KeepAlive(a)
		if e == 0 {
			return nil
		}
		if e != unix.EINTR {
			return sysError("send", e)
		}
	}
}

// warm runs the warm-up commands where the agent's own memory is charged, so
// that what they fault in is in no run's peak. Their failure is not the
// program's: a language whose warm-up fails is defined wrongly.
func (a *agent) warm(m *Init) error {
	for _, args := range m.Warmup {
		msg, err := AppendRun(nil, &Run{Args: args, Env: m.Env})
		if err != nil {
			return err
		}
		req, err := parseRun(msg)
		if err != nil {
			return err
		}
		if err := a.setSpawn(&req, nil); err != nil {
			return err
		}
		pid, pidfd, exec, err := a.spawn.start()
		runtime.KeepAlive(msg)
		if err != nil {
			return err
		}
		if exec != 0 {
			return fmt.Errorf("warm up: run %s: %w", args[0], exec)
		}
		_ = unix.Close(pidfd)
		st, _, err := reap(pid)
		if err != nil {
			return err
		}
		if st != 0 {
			return fmt.Errorf("warm up: %q: exit status %d, signal %d", args, st.ExitStatus(), st.Signal())
		}
	}
	if len(m.Warmup) == 0 {
		return nil
	}
	if err := a.killOrphans(); err != nil {
		return err
	}
	return a.wipeRun()
}

// openBeneath opens a path below dir as the run's user, by none of the ways in
// which a program could lead it elsewhere. To be called only while no process of
// the run lives.
func (a *agent) openBeneath(dir, name string, flags int) (*os.File, error) {
	base, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", dir, err)
	}
	defer func() { _ = unix.Close(base) }()
	how := unix.OpenHow{
		Flags:   uint64(flags) | unix.O_NONBLOCK | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS | unix.RESOLVE_NO_XDEV,
	}
	if flags&unix.O_CREAT != 0 {
		how.Mode = 0o600
	}
	fd, err := unix.Openat2(base, name, &how)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(fd), name), nil
}

// asRun does f with the run's user as the one that the kernel asks about files.
func (a *agent) asRun(f func() error) error {
	if err := setfsuid(a.uid); err != nil {
		return err
	}
	err := f()
	if back := setfsuid(0); back != nil {
		return back
	}
	return err
}

// setfsuid also takes the fsgid, so that new files get neither id of root's.
func setfsuid(id int) error {
	const query = ^uintptr(0)
	for _, nr := range []uintptr{unix.SYS_SETFSGID, unix.SYS_SETFSUID} {
		_, _, _ = unix.RawSyscall(nr, uintptr(id), 0, 0)
		if now, _, _ := unix.RawSyscall(nr, query, 0, 0); int(now) != id {
			return fmt.Errorf("take user %d for files: still %d", id, now)
		}
	}
	return nil
}
