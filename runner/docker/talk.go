package docker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"judge/runner/agent"
)

// A verb is one message with descriptors, and one answer. While the agent works,
// this goroutine sleeps in poll on the socket and on the pipes that the box
// writes to, and empties them. These are plain blocking system calls, not Go's
// poller: a wake-up by the scheduler costs more than a short run.
//
// The box is not trusted: no descriptor is accepted from it, an answer that is
// late, long or malformed makes it broken, and a broken box is only discarded.

// verbPatience is how long a verb other than a run may take. The longest seen
// is a wipe of 20,000 files in 10,000 levels in 315 ms.
const verbPatience = time.Minute

// errBox is wrapped when a box did not keep the protocol.
var errBox = errors.New("box failed")

// stream is a pipe from the box to a Writer.
type stream struct {
	to    io.Writer
	max   int64 // bytes that are given on, and one more; the rest is dropped; 0: all
	read  int
	write int // the box's end, ours until it is sent
	count int64
	wide  bool
	eof   bool
	err   error // of the Writer
}

// open makes the pipe. Its write end is made the run's own, since programs open
// /dev/stdout anew by name.
func (s *stream) open(uid int) error {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return fmt.Errorf("make pipe: %w", err)
	}
	s.read, s.write = p[0], p[1]
	if err := errors.Join(unix.SetNonblock(s.read, true), unix.Fchown(s.write, uid, uid)); err != nil {
		s.close()
		return fmt.Errorf("prepare pipe: %w", err)
	}
	return nil
}

func (s *stream) close() {
	s.closeWrite()
	_ = unix.Close(s.read)
}

func (s *stream) closeWrite() {
	if s.write >= 0 {
		_ = unix.Close(s.write)
		s.write = -1
	}
}

func (s *stream) over() bool { return s.max > 0 && s.count > s.max }

// widePipe is the size of the pipe of a program that writes much: the usual
// upper limit (fs.pipe-max-size).
const widePipe = 1 << 20

// drainAtOnce is how many buffers are read before the caller looks at the other
// pipe, the limits and the clock again: who writes fast enough never stops.
const drainAtOnce = 16

// drain reads what there is, and reports whether there may be more.
func (s *stream) drain(buf []byte) (more bool, err error) {
	for range drainAtOnce {
		n, err := unix.Read(s.read, buf)
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.EAGAIN:
			return false, nil
		case err != nil:
			return false, fmt.Errorf("read pipe: %w", err)
		case n == 0:
			s.eof = true
			return false, nil
		}
		s.take(buf[:n])
		if n == len(buf) && !s.wide {
			s.wide = true
			_, _ = unix.FcntlInt(uintptr(s.read), unix.F_SETPIPE_SZ, widePipe)
		}
		if n < len(buf) {
			return false, nil
		}
	}
	return true, nil
}

// take gives bytes on, as far as the maximum and one more.
func (s *stream) take(b []byte) {
	if s.max > 0 {
		b = b[:min(int64(len(b)), max(0, s.max+1-s.count))]
	}
	s.count += int64(len(b))
	if s.err == nil && len(b) > 0 {
		_, s.err = s.to.Write(b)
	}
}

// ask does one verb that is not a run.
func (b *box) ask(ctx context.Context, msg []byte, fds []int, out *stream) (agent.Reply, error) {
	var outs [2]*stream
	outs[0] = out
	reply, err := b.exchange(ctx, msg, fds, outs, verbPatience, nil)
	if cause := ctx.Err(); cause != nil {
		b.broken = true
		return agent.Reply{}, cause
	}
	if err == nil && out != nil && out.err != nil {
		err = fmt.Errorf("write what the box sends: %w", out.err)
	}
	return reply, err
}

// during is what happens while a run is under way.
type during struct {
	sent   func()      // called when the descriptors are on their way; may be nil
	enough func() bool // called after each read; asks for the run to be killed
}

// exchange sends a message and waits for its answer, at most for patience. run is
// nil for verbs that are no runs.
func (b *box) exchange(ctx context.Context, msg []byte, fds []int, outs [2]*stream, patience time.Duration, run *during) (agent.Reply, error) {
	b.message = msg
	if b.broken {
		return agent.Reply{}, fmt.Errorf("%w earlier", errBox)
	}
	if err := ctx.Err(); err != nil {
		return agent.Reply{}, err
	}
	reply, err := b.converse(ctx, msg, fds, outs, patience, run)
	if err != nil {
		b.broken = true
		return agent.Reply{}, fmt.Errorf("%w: %w", errBox, err)
	}
	if reply.Status == agent.Failed {
		b.broken = true
		return agent.Reply{}, fmt.Errorf("%w: %s", errBox, printable(reply.Message))
	}
	return reply, nil
}

func (b *box) converse(ctx context.Context, msg []byte, fds []int, outs [2]*stream, patience time.Duration, run *during) (agent.Reply, error) {
	if err := send(b.socket, msg, fds); err != nil {
		return agent.Reply{}, err
	}
	for _, o := range outs {
		if o != nil {
			o.closeWrite()
		}
	}
	if run != nil && run.sent != nil {
		run.sent()
	}
	if ctx.Done() != nil {
		defer b.whenDone(ctx, run != nil)()
	}
	deadline := time.Now().Add(patience)
	killed := false
	for {
		answered, err := b.wait(outs, time.Until(deadline))
		if err != nil {
			return agent.Reply{}, err
		}
		more := false
		for _, o := range outs {
			if o == nil || o.eof {
				continue
			}
			rest, err := o.drain(b.buffer)
			if err != nil {
				return agent.Reply{}, err
			}
			more = more || rest
		}
		if answered && !more {
			return b.receive()
		}
		if !killed && run != nil && run.enough() {
			killed = true
			b.kill()
		}
	}
}

// whenDone interrupts a verb when ctx is done: a run is killed, and answered;
// other verbs hear nothing while they work, so they are hung up on. After stop
// no goroutine touches the socket any more: its number may soon be another's.
func (b *box) whenDone(ctx context.Context, run bool) (stop func()) {
	interrupt := b.hangUp
	if run {
		interrupt = b.kill
	}
	b.others.Add(1)
	forget := context.AfterFunc(ctx, func() {
		defer b.others.Done()
		interrupt()
	})
	return func() {
		if forget() {
			b.others.Done()
		}
		b.others.Wait()
	}
}

// kill asks the agent to end the run.
func (b *box) kill() { _ = send(b.socket, []byte{byte(agent.VerbKill)}, nil) }

// hangUp ends the conversation. The agent ends with it.
func (b *box) hangUp() { _ = unix.Shutdown(b.socket, unix.SHUT_RDWR) }

// wait sleeps until the agent answers or a pipe has something.
func (b *box) wait(outs [2]*stream, left time.Duration) (answered bool, err error) {
	if left <= 0 {
		return false, os.ErrDeadlineExceeded
	}
	polls := [3]unix.PollFd{{Fd: int32(b.socket), Events: unix.POLLIN}, {Fd: -1}, {Fd: -1}}
	for i, o := range outs {
		if o != nil && !o.eof {
			polls[i+1] = unix.PollFd{Fd: int32(o.read), Events: unix.POLLIN}
			if b.buffer == nil {
				b.buffer = make([]byte, 64<<10)
			}
		}
	}
	ts := unix.NsecToTimespec(int64(left))
	if _, err := unix.Ppoll(polls[:], &ts, nil); err != nil && err != unix.EINTR {
		return false, fmt.Errorf("poll the box: %w", err)
	}
	return polls[0].Revents != 0, nil
}

// receive reads the answer. Descriptors that come with it are refused by
// offering them no room.
func (b *box) receive() (agent.Reply, error) {
	var buf [8 << 10]byte
	n, _, flags, _, err := unix.Recvmsg(b.socket, buf[:], nil, unix.MSG_DONTWAIT|unix.MSG_CMSG_CLOEXEC)
	switch {
	case err != nil:
		return agent.Reply{}, fmt.Errorf("receive: %w", err)
	case n == 0:
		return agent.Reply{}, errors.New("receive: the agent has gone")
	case flags&(unix.MSG_TRUNC|unix.MSG_CTRUNC) != 0:
		return agent.Reply{}, errors.New("receive: a message too long, or with descriptors")
	}
	reply, err := agent.ParseReply(buf[:n])
	if err != nil {
		return agent.Reply{}, fmt.Errorf("receive: %w", err)
	}
	return reply, nil
}

func send(socket int, msg []byte, fds []int) error {
	var rights []byte
	if len(fds) > 0 {
		rights = unix.UnixRights(fds...)
	}
	for {
		err := unix.Sendmsg(socket, msg, rights, nil, unix.MSG_NOSIGNAL|unix.MSG_DONTWAIT)
		if err == nil {
			return nil
		}
		if err != unix.EINTR {
			return fmt.Errorf("send: %w", err)
		}
	}
}
