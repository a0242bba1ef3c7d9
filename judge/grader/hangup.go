package grader

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

// hangups tells in which order two pipes lost their last writers. One program
// learns of the other's end by nothing else, so this is the order of cause and
// effect, where the order in which their ends are told to us is chance: the kernel
// puts a pipe into the list that epoll gives out before its reader can see the end.
type hangups struct {
	epoll int
	wake  [2]int // a pipe: its hang-up ends the watch
	done  sync.WaitGroup
	order []hangup // read after end
}

type hangup struct {
	side int // submission or interactor
	at   time.Time
}

const (
	bySubmission = iota
	byInteractor
	byUs
)

// watchHangups watches the read ends of what submission and interactor write to.
func watchHangups(submission, interactor *os.File) (*hangups, error) {
	h := &hangups{}
	if err := syscall.Pipe2(h.wake[:], syscall.O_CLOEXEC); err != nil {
		return nil, fmt.Errorf("watch pipes: %w", err)
	}
	var err error
	if h.epoll, err = syscall.EpollCreate1(syscall.EPOLL_CLOEXEC); err != nil {
		_, _ = syscall.Close(h.wake[0]), syscall.Close(h.wake[1])
		return nil, fmt.Errorf("watch pipes: %w", err)
	}
	for side, fd := range []int{int(submission.Fd()), int(interactor.Fd()), h.wake[0]} {
		// A hang-up is told unasked; data is not asked for.
		event := syscall.EpollEvent{Events: epollOneShot, Fd: int32(side)}
		if err := syscall.EpollCtl(h.epoll, syscall.EPOLL_CTL_ADD, fd, &event); err != nil {
			h.close()
			return nil, fmt.Errorf("watch pipes: %w", err)
		}
	}
	h.done.Go(h.watch)
	return h, nil
}

// epollOneShot: each pipe is told of once. Package syscall has no unsigned one.
const epollOneShot = 1 << 30

func (h *hangups) watch() {
	var events [3]syscall.EpollEvent
	for len(h.order) < 2 {
		n, err := syscall.EpollWait(h.epoll, events[:], -1)
		if err != nil && err != syscall.EINTR {
			return
		}
		for _, e := range events[:max(n, 0)] {
			if e.Fd == byUs {
				return
			}
			h.order = append(h.order, hangup{int(e.Fd), time.Now()})
		}
	}
}

// end returns when the watch is over: at once, whatever has not hung up.
func (h *hangups) end() {
	_ = syscall.Close(h.wake[1])
	h.wake[1] = -1
	h.done.Wait()
	h.close()
}

func (h *hangups) close() {
	_ = syscall.Close(h.epoll)
	_ = syscall.Close(h.wake[0])
	if h.wake[1] >= 0 {
		_ = syscall.Close(h.wake[1])
	}
}

// living is how long an interactor must go on after it has closed its output to have
// done so by itself: dying takes less, however busy the machine.
const living = 150 * time.Millisecond

// interactorFirst reports whether the interactor ended before the submission. A
// submission ends for the interactor when it closes its output; an interactor may
// do that to say that it has said all, and listen on. gone: the submission's output
// was closed when the interactor's end was told; stopped: the submission ended at a
// limit, so by nothing that the other one did.
func (h *hangups) interactorFirst(gone, stopped bool) bool {
	switch {
	case !gone:
		return true
	case stopped, len(h.order) == 0, h.order[0].side == bySubmission:
		return false
	}
	return len(h.order) < 2 || h.order[1].at.Sub(h.order[0].at) < living
}

// hungUp asks whether nobody can write into a pipe any more.
func hungUp(f *os.File) bool {
	epoll, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return false
	}
	defer func() { _ = syscall.Close(epoll) }()
	var events [1]syscall.EpollEvent
	if syscall.EpollCtl(epoll, syscall.EPOLL_CTL_ADD, int(f.Fd()), &events[0]) != nil {
		return false
	}
	n, err := syscall.EpollWait(epoll, events[:], 0)
	return err == nil && n == 1 && events[0].Events&syscall.EPOLLHUP != 0
}
