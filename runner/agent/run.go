package agent

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// killPatience is how long processes may take to die after SIGKILL: longer than
// any exit seen (a process freeing gigabytes takes seconds on a busy machine).
const killPatience = 20 * time.Second

// run makes one run and fills r. An error means that the box is not to be used
// any more.
func (a *agent) run(req *runRequest, fds []int, r *Reply) error {
	if err := a.setSpawn(req, fds); err != nil {
		return err
	}
	if err := a.group.begin(req.memory, req.processes); err != nil {
		return err
	}
	a.spawn.cgroup = a.group.fd()
	t0 := monotonic()
	pid, pidfd, exec, err := a.spawn.start()
	closeAll(fds) // or nobody would see that the program closes its ends
	if err != nil {
		return err
	}
	if exec != 0 {
		r.Status, r.Exec = Refused, uint16(exec)
		return a.finish(req, r)
	}
	err = a.watch(pidfd, req, t0, r)
	_ = unix.Close(pidfd)
	if err != nil {
		return err
	}
	st, cpu, err := reap(pid)
	if err != nil {
		return err
	}
	r.Wait, r.Wall = uint32(st), monotonic()-t0
	if err := a.clear(); err != nil {
		return err
	}
	err = a.finish(req, r)
	// A cgroup's own account may miss its last update, which the kernel calls a
	// temporary inaccuracy (seen on v2, Linux 6.1: 0 for a run of milliseconds).
	// What the main process used with all that it waited for is at most the whole.
	r.CPU = max(r.CPU, cpu)
	return err
}

// closeAll closes what came with a message, once.
func closeAll(fds []int) {
	for i, fd := range fds {
		if fd >= 0 {
			_ = unix.Close(fd)
			fds[i] = -1
		}
	}
}

// finish reads the account of a run whose processes are gone, and wipes.
func (a *agent) finish(req *runRequest, r *Reply) error {
	if err := a.group.end(r); err != nil {
		return err
	}
	if req.flags&FlagKeep != 0 {
		return nil // what is kept is in run/, and rightly so: the wipe will tell
	}
	if err := a.wipeRun(); err != nil {
		return err
	}
	var err error
	r.Left, err = a.remains()
	return err
}

// wiped says what a wipe has left in run/.
func (a *agent) wiped(err error, r *Reply) error {
	if err == nil && a.group != nil {
		r.Left, err = a.settle()
	}
	return err
}

// Much of what a process leaves is given back a little later, after an RCU grace
// period. Short runs back to back pile up 1 to 3 MiB of it (seen), and to wait for
// it each time would cost more than the run. So after a run little is let pass for
// a while; before a box changes hands, or when it is much, it is waited for.
const (
	MaxLeft     = 1 << 20 // bytes; a box with more of them left is worn
	muchLeft    = 4 << 20 // bytes
	lenientRuns = 500
	settleTries = 30
	settleNap   = 2 * time.Millisecond
)

// remains is what stays in run/ after a run, as far as it is known to stay.
func (a *agent) remains() (int64, error) {
	left, err := a.group.left()
	if err != nil || left <= MaxLeft {
		a.lenient = 0
		return left, err
	}
	if a.lenient++; left <= muchLeft && a.lenient < lenientRuns {
		return MaxLeft, nil
	}
	a.lenient = 0
	return a.settle()
}

// settle is how many bytes stay in run/.
func (a *agent) settle() (int64, error) {
	left, err := a.group.left()
	for try := 0; err == nil && left > MaxLeft && try < settleTries; try++ {
		nap(settleNap)
		left, err = a.group.left()
	}
	return left, err
}

// setSpawn points the child at the strings of the message, which stays in
// place until the next one.
func (a *agent) setSpawn(req *runRequest, fds []int) error {
	a.pointers = a.pointers[:0]
	next := req.strings
	for i := range req.argc + req.envc {
		if i == req.argc {
			a.pointers = append(a.pointers, nil)
		}
		a.pointers = append(a.pointers, &next[0])
		n := 0
		for next[n] != 0 {
			n++
		}
		next = next[n+1:]
	}
	a.pointers = append(a.pointers, nil)
	if req.envc == 0 {
		a.pointers = append(a.pointers, nil)
	}
	s := &a.spawn
	s.path = unsafe.Pointer(a.pointers[0])
	s.argv = unsafe.Pointer(&a.pointers[0])
	s.envp = unsafe.Pointer(&a.pointers[req.argc+1])
	s.uid = a.uid
	s.dir = &workDir[0]
	if req.flags&FlagInProgram != 0 {
		s.dir = &programDir[0]
	}
	for i, flag := range []uint32{FlagStdin, FlagStdout, FlagStderr} {
		s.fds[i] = a.null
		if req.flags&flag == 0 {
			continue
		}
		if len(fds) == 0 {
			return fmt.Errorf("start run: %w: a descriptor is missing", errMessage)
		}
		s.fds[i], fds = fds[0], fds[1:]
	}
	return nil
}

var (
	workDir    = []byte(WorkPath + "\x00")
	programDir = []byte(ProgramPath + "\x00")
)

// watch returns when the main process has ended. It ends the run at its limits
// and at the judge's word.
func (a *agent) watch(pidfd int, req *runRequest, t0 int64, r *Reply) error {
	polls := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}, {Fd: int32(a.socket), Events: unix.POLLIN}}
	var cpu int64 // ns that the run used
	var g grace
	for {
		wait := int64(-1)
		if r.Limit == LimitNone {
			wait = untilLimit(req, cpu, monotonic()-t0-g.total())
		}
		if err := ppoll(polls, wait); err != nil {
			return err
		}
		if polls[0].Revents != 0 {
			return nil
		}
		if polls[1].Revents != 0 {
			if err := a.heardDuringRun(); err != nil {
				return err
			}
			r.Limit = LimitKilled
		}
		if r.Limit == LimitNone {
			var err error
			if cpu, err = a.group.cpu(); err != nil {
				return err
			}
			wall := monotonic() - t0
			if r.Limit = limitHit(req, cpu, wall-g.total()); r.Limit == LimitWall && wall < MaxStretch*req.wall {
				a.look(&g, wall, cpu, req.wall)
				r.Limit = limitHit(req, cpu, wall-g.total())
			}
		}
		if r.Limit != LimitNone {
			if err := a.killAll(); err != nil {
				return err
			}
		}
	}
}

func limitHit(req *runRequest, cpu, wall int64) byte {
	switch {
	case req.cpu > 0 && cpu >= req.cpu:
		return LimitCPU
	case req.wall > 0 && wall >= req.wall:
		return LimitWall
	}
	return LimitNone
}

// untilLimit is how long no limit can be hit, in ns: a box has one core, so
// what is left of the CPU limit takes at least as long; -1 without limits.
func untilLimit(req *runRequest, cpu, wall int64) int64 {
	wait := int64(-1)
	if req.cpu > 0 {
		wait = req.cpu - cpu
	}
	if left := req.wall - wall; req.wall > 0 && (wait < 0 || left < wait) {
		wait = left
	}
	if req.cpu == 0 && req.wall == 0 {
		return -1
	}
	return max(wait, int64(time.Millisecond))
}

// ppoll is a raw call: the Go scheduler has nothing else to run here, and to
// tell it would cost more than the call.
func ppoll(polls []unix.PollFd, wait int64) error {
	var ts unix.Timespec
	tp := unsafe.Pointer(nil)
	if wait >= 0 {
		ts = unix.NsecToTimespec(wait)
		tp = unsafe.Pointer(&ts)
	}
	_, _, errno := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&polls[0])), uintptr(len(polls)),
		uintptr(tp), 0, 8, 0)
	if errno != 0 && errno != unix.EINTR {
		return sysError("ppoll", errno)
	}
	return nil
}

// clear kills what outlives the main process, reaps it and proves run/ empty.
func (a *agent) clear() error {
	n, err := a.group.others()
	if err != nil || n == 0 {
		return err
	}
	deadline := monotonic() + int64(killPatience)
	for n != 0 {
		if monotonic() > deadline {
			return fmt.Errorf("clear run: %d processes outlive SIGKILL", n)
		}
		if err := a.killAll(); err != nil {
			return err
		}
		if !reapOrphan() {
			nap(50 * time.Microsecond)
		}
		if n, err = a.group.others(); err != nil {
			return err
		}
	}
	return nil
}

// reapOrphan waits for one child; false when there is none to wait for yet.
func reapOrphan() bool {
	pid, err := unix.Wait4(-1, nil, unix.WALL|unix.WNOHANG, nil)
	return err == nil && pid > 0
}

// killOrphans kills what is left of warm-ups, which are not in run/, until this
// process has no child any more.
func (a *agent) killOrphans() error {
	for deadline := monotonic() + int64(killPatience); monotonic() < deadline; {
		if err := a.killAll(); err != nil {
			return err
		}
		pid, err := unix.Wait4(-1, nil, unix.WALL|unix.WNOHANG, nil)
		if err == unix.ECHILD {
			return nil
		}
		if pid == 0 {
			nap(settleNap)
		}
	}
	return errors.New("warm up: processes outlive SIGKILL")
}

// nap lets dying processes run: this thread shares its core with them.
func nap(d time.Duration) { _ = ppoll([]unix.PollFd{{Fd: -1}}, int64(d)) }

// killAll sends SIGKILL to every process of the run. As PID 1 that is kill(-1)
// under the run's uid, which needs no CAP_KILL and spares this process.
func (a *agent) killAll() error {
	const keep = ^uintptr(0)
	if _, _, e := unix.RawSyscall(unix.SYS_SETRESUID, keep, uintptr(a.uid), keep); e != 0 {
		return sysError("take the run's uid", e)
	}
	_, _, kill := unix.RawSyscall(unix.SYS_KILL, keep, uintptr(unix.SIGKILL), 0)
	if _, _, e := unix.RawSyscall(unix.SYS_SETRESUID, keep, 0, keep); e != 0 {
		return sysError("give the run's uid back", e)
	}
	if kill != 0 && kill != unix.ESRCH && kill != unix.EPERM {
		return sysError("kill the run", kill)
	}
	return nil
}

func sysError(call string, errno unix.Errno) error { return fmt.Errorf("%s: %w", call, errno) }
