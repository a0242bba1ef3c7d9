package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"judge/runner"
	"judge/runner/agent"
)

// pair runs the same program in a box and bare, on one core: the calling
// goroutine's, which stays pinned to it until close.
type pair struct {
	slot  runner.Slot
	box   runner.Box
	unpin func()
	bare  *agent.Bare
	cmd   runner.Command
	input string // path; empty: /dev/null
	out   counter
	buf   []byte
}

// counter is an output that is read and dropped.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// pair takes a slot and prepares a program with its arguments.
func (b *Bench) pair(ctx context.Context, input, name string, args ...string) (*pair, error) {
	slot, err := b.sandbox.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("acquire slot: %w", err)
	}
	p := &pair{slot: slot, input: input, buf: make([]byte, 64<<10)}
	p.unpin = slot.Pin()
	if p.box, err = slot.Box(ctx, runner.Spec{Image: b.image, Class: runner.Run}); err != nil {
		p.close()
		return nil, fmt.Errorf("take box: %w", err)
	}
	exe, err := os.Open(b.path(name))
	if err != nil {
		p.close()
		return nil, fmt.Errorf("open program: %w", err)
	}
	defer func() { _ = exe.Close() }()
	if err := p.box.Put(ctx, runner.Program, runner.File{Name: name, Mode: 0o555, Source: exe}); err != nil {
		p.close()
		return nil, err
	}
	p.cmd = runner.Command{
		Args: append([]string{runner.ProgramPath + "/" + name}, args...), Limits: limits(),
		Stdout: &p.out, Stderr: &counter{},
	}
	p.bare = agent.NewBare(b.dir, append([]string{b.path(name)}, args...)...)
	return p, nil
}

func (p *pair) close() {
	if p.box != nil {
		p.box.Release()
	}
	p.unpin()
	p.slot.Release()
}

// inBox is one run in the box, from sending Run to its result, wipe included.
func (p *pair) inBox(ctx context.Context) (runner.Result, time.Duration, error) {
	in, err := p.open()
	if err != nil {
		return runner.Result{}, 0, err
	}
	defer func() { _ = in.Close() }()
	p.cmd.Stdin = in
	start := time.Now()
	res, err := p.box.Run(ctx, &p.cmd)
	took := time.Since(start)
	if err == nil && (res.ExitCode != 0 || res.Signal != 0 || res.Exec != 0) && res.Limit == runner.LimitNone {
		err = fmt.Errorf("run in a box: %+v", res)
	}
	return res, took, err
}

func (p *pair) open() (*os.File, error) {
	if p.input == "" {
		return os.Open(os.DevNull)
	}
	return os.Open(p.input)
}

// outside is one bare run, with the same pipes: its CPU time by rusage, and how
// long it took.
func (p *pair) outside() (cpu, took time.Duration, err error) {
	in, err := p.open()
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = in.Close() }()
	start := time.Now()
	pid, out, err := p.startBare(in)
	if err != nil {
		return 0, 0, err
	}
	err = p.empty(out)
	status, cpu, werr := p.bare.Wait(pid)
	took = time.Since(start)
	if err = errors.Join(err, werr); err == nil && status != 0 {
		err = fmt.Errorf("run bare: wait status %#x", uint32(status))
	}
	return cpu, took, err
}

func (p *pair) startBare(in *os.File) (pid int, out [2]int, err error) {
	var o, e [2]int
	if err := unix.Pipe2(o[:], unix.O_CLOEXEC); err != nil {
		return 0, out, fmt.Errorf("make pipe: %w", err)
	}
	if err := unix.Pipe2(e[:], unix.O_CLOEXEC); err != nil {
		closeBoth(o)
		return 0, out, fmt.Errorf("make pipe: %w", err)
	}
	out = [2]int{o[0], e[0]}
	pid, err = p.bare.Start([3]int{int(in.Fd()), o[1], e[1]})
	closeBoth([2]int{o[1], e[1]})
	if err != nil {
		closeBoth(out)
	}
	return pid, out, err
}

// empty reads both pipes to their ends.
func (p *pair) empty(out [2]int) error {
	polls := []unix.PollFd{{Fd: int32(out[0]), Events: unix.POLLIN}, {Fd: int32(out[1]), Events: unix.POLLIN}}
	defer closeBoth(out)
	for open := 2; open > 0; {
		if _, err := unix.Poll(polls, -1); err != nil && !errors.Is(err, unix.EINTR) {
			return fmt.Errorf("poll: %w", err)
		}
		for i := range polls {
			if polls[i].Revents == 0 {
				continue
			}
			n, err := unix.Read(int(polls[i].Fd), p.buf)
			if err != nil {
				return fmt.Errorf("read: %w", err)
			}
			if n == 0 {
				polls[i].Fd, polls[i].Revents = -1, 0
				open--
			}
			_, _ = p.out.Write(p.buf[:n])
		}
	}
	return nil
}

func closeBoth(p [2]int) {
	_ = unix.Close(p[0])
	_ = unix.Close(p[1])
}

// interleave runs box and bare in turn, n times each, with a pause before each.
func (p *pair) interleave(ctx context.Context, n int, pause time.Duration) (box, bare []time.Duration, err error) {
	for range n {
		rest(pause)
		_, took, err := p.inBox(ctx)
		if err != nil {
			return nil, nil, err
		}
		box = append(box, took)
		rest(pause)
		if _, took, err = p.outside(); err != nil {
			return nil, nil, err
		}
		bare = append(bare, took)
	}
	return box, bare, nil
}

func rest(d time.Duration) {
	if d > 0 {
		<-time.After(d)
	}
}

// writeFile makes a file that a box may read.
func (b *Bench) writeFile(name string, fill func(w io.Writer) error) (string, error) {
	path := b.path(name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644) //nolint:gosec // read by runs
	if err != nil {
		return "", err
	}
	return path, errors.Join(fill(f), f.Close())
}
