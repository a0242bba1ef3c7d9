// Package agent is PID 1 inside a box, and the protocol by which the judge
// speaks to it. It forks, limits, measures, reaps and wipes; it knows no image,
// no pool and no verdict.
//
// # How a run works
//
// The agent is root without capabilities but SETUID and SETGID, in a container
// of its own. It dials the judge's SOCK_SEQPACKET socket and answers one verb
// after the other, all on one locked OS thread. Nothing is moved into a cgroup
// for a run, because a move waits for an RCU grace period: on cgroup v1 this
// thread lives in run/ (its memory is charged to the thread-group leader's
// agent/, its CPU time is subtracted by its own clock), on v2 children are born
// in run/ by clone3. A child is made by vfork and is not Go code: it executes a
// table of system calls (spawn.go) that ends in execve.
//
// While a program runs, the thread sleeps in ppoll on its pidfd and the socket,
// with a time-out by which no CPU limit can be overrun for long. When the
// program has ended, everything that it left behind is killed under its own
// uid, run/ must be empty, and only then are its files touched.
package agent

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Paths inside a box; the container is made with them.
const (
	RootPath    = "/judge"            // tmpfs of root's, 0700: runs see nothing below
	BinaryPath  = RootPath + "/agent" // the agent's own binary, read-only
	SocketDir   = RootPath + "/sock"  // folder of the judge's socket
	SocketPath  = SocketDir + "/s"
	CgroupPath  = RootPath + "/cg" // v1: one folder for each controller; v2: the tree's part
	BoxPath     = "/box"           // tmpfs of root's, 0755
	ProgramPath = BoxPath + "/p"   // what is run, read-only for runs
	WorkPath    = BoxPath + "/w"   // working folder, new for each run
)

// Main is the agent's whole life. It returns only when something is so wrong
// that the box must go; the error is for the container's log.
func Main() error {
	errs := make(chan error)
	// The spawning thread must not be the main one: on cgroup v1 the thread-
	// group leader stays in agent/, so that the agent's memory is charged there.
	runtime.LockOSThread()
	go func() {
		runtime.LockOSThread()
		errs <- serve()
	}()
	return <-errs
}

func serve() error {
	if os.Getpid() != 1 {
		return fmt.Errorf("the agent is for use as PID 1 of a box only")
	}
	if err := harden(); err != nil {
		return err
	}
	a, err := dial()
	if err != nil {
		return err
	}
	for {
		if err := a.step(); err != nil {
			return err
		}
	}
}

// harden closes what a program in the box could use against PID 1.
func harden() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("clear dumpable: %w", err)
	}
	if err := unix.Setgroups(nil); err != nil {
		return fmt.Errorf("drop supplementary groups: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no_new_privs: %w", err)
	}
	if err := defaultSignals(); err != nil {
		return err
	}
	unix.Umask(0) // modes are given in full; children set their own
	// Blocked for good on this thread: children inherit the mask and clear it as
	// their last step before execve, so no handler of ours runs in a child that
	// still shares our memory.
	var all unix.Sigset_t
	for i := range all.Val {
		all.Val[i] = ^uint64(0)
	}
	if err := unix.PthreadSigmask(unix.SIG_SETMASK, &all, nil); err != nil {
		return fmt.Errorf("block signals: %w", err)
	}
	return nil
}

// defaultSignals takes back what whoever started the engine had chosen to ignore:
// an ignored signal stays ignored through fork and execve (seen: signal 32, from
// the shell that started dockerd). Signals that Go handles are default again after
// execve by themselves.
func defaultSignals() error {
	const ignore = 1                                             // SIG_IGN
	type action struct{ handler, flags, restorer, mask uintptr } // the kernel's struct sigaction
	for signal := uintptr(1); signal <= 64; signal++ {
		var old, none action
		_, _, e := unix.RawSyscall6(unix.SYS_RT_SIGACTION, signal, 0, uintptr(unsafe.Pointer(&old)), 8, 0, 0)
		if e == 0 && old.handler == ignore {
			_, _, e = unix.RawSyscall6(unix.SYS_RT_SIGACTION, signal, uintptr(unsafe.Pointer(&none)), 0, 8, 0, 0)
		}
		if e != 0 {
			return sysError("set signals to their defaults", e)
		}
	}
	return nil
}
