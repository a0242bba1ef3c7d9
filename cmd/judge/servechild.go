package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// How judge serve looks after its API.
const (
	childGrace  = 40 * time.Second // from SIGTERM to SIGKILL: requests that wait may take 30 s
	childSteady = 30 * time.Second // who lived so long begins anew with the pauses
	firstPause  = 100 * time.Millisecond
	longPause   = 10 * time.Second
)

// selfExe runs this very build, from wherever it lies: the child's user need not
// be able to reach it by its path, and it may have been replaced there.
const selfExe = "/proc/self/exe"

// apiChild is judge api as a child of judge serve: another user's, without the
// groups of ours, without a way to more rights, and gone when we are.
type apiChild struct {
	as       account
	env      []string
	listener *os.File
	out      io.Writer
	log      *slog.Logger
}

// listenerFile is a listener for a child. Closing the listener is up to the
// caller; requests that come meanwhile wait in the socket's queue.
func listenerFile(l net.Listener) (*os.File, error) {
	t, ok := l.(*net.TCPListener)
	if !ok {
		return nil, fmt.Errorf("a %T cannot be handed to a child", l)
	}
	f, err := t.File()
	if err != nil {
		return nil, fmt.Errorf("hand over listening socket: %w", err)
	}
	return f, nil
}

// keep runs the child until ctx is done, and starts it again whenever it ends:
// at once the first time, then after pauses that grow.
func (c *apiChild) keep(ctx context.Context) {
	pause := firstPause
	for ctx.Err() == nil {
		begun := time.Now()
		err := c.once(ctx)
		if ctx.Err() != nil {
			if err != nil {
				c.log.Warn("the API did not end in good order", "error", err)
			}
			return
		}
		if time.Since(begun) > childSteady {
			pause = firstPause
		}
		c.log.Error("the API ended, starting it again", "error", err, "pause_s", pause.Seconds())
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, longPause)
	}
}

// once runs the child to its end, which ctx makes come.
func (c *apiChild) once(ctx context.Context) error {
	ended := make(chan error)
	// The thread is this goroutine's alone, and ends with it: what it may not do any
	// more only its child inherits, and the child is told of the end of the thread
	// that made it, not of the process (prctl(2), PR_SET_PDEATHSIG).
	go func() {
		runtime.LockOSThread()
		ended <- c.run(ctx)
	}()
	return <-ended
}

func (c *apiChild) run(ctx context.Context) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new rights: %w", err)
	}
	cmd := exec.CommandContext(ctx, selfExe, "api")
	cmd.Args[0] = programName()
	cmd.Env, cmd.Dir = c.env, "/"
	cmd.Stdout, cmd.Stderr = c.out, c.out
	cmd.ExtraFiles = []*os.File{c.listener} // becomes 3
	cmd.Cancel = func() error { return cmd.Process.Signal(unix.SIGTERM) }
	cmd.WaitDelay = childGrace
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setpgid:   true, // what a terminal sends reaches us, and the child by us
		Pdeathsig: unix.SIGKILL,
	}
	if c.as.switched {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: c.as.uid, Gid: c.as.gid} // and no other groups
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start API as user %s: %w", c.as.name, err)
	}
	c.log.Info("started the API", "pid", cmd.Process.Pid, "user", c.as.name)
	err := cmd.Wait()
	if ctx.Err() != nil && cmd.ProcessState.Success() {
		return nil // it ended because it was told to
	}
	return err
}

// programName is what this program is called, for people who list processes.
func programName() string {
	if path, err := os.Executable(); err == nil {
		return path
	}
	return os.Args[0]
}
