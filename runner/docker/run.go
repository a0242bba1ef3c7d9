package docker

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"
	"time"

	"judge/runner"
	"judge/runner/agent"
)

// runPatience is added to a run's wall limit before its box is given up: the
// agent's patience with dying processes and more.
const runPatience = 30 * time.Second

// Run runs one command.
func (b *box) Run(ctx context.Context, cmd *runner.Command) (runner.Result, error) {
	if cmd.Limits.Memory > b.slot.sandbox.opts.MaxMemory {
		return runner.Result{}, fmt.Errorf("%w: memory limit of %d bytes: boxes here hold at most %d (--max-memory)",
			runner.ErrUnavailable, cmd.Limits.Memory, b.slot.sandbox.opts.MaxMemory)
	}
	if b.buffer == nil {
		b.buffer = make([]byte, 64<<10)
	}
	if cmd.Stdin != nil {
		if err := warmInput(cmd.Stdin, b.buffer); err != nil {
			return runner.Result{}, err
		}
	}
	var out, err2 stream
	req, fds, outs, err := b.request(cmd, &out, &err2)
	for _, o := range outs {
		if o != nil {
			defer o.close()
		}
	}
	if err != nil {
		return runner.Result{}, err
	}
	msg, err := agent.AppendRun(b.message[:0], req)
	if err != nil {
		return runner.Result{}, err
	}
	reply, err := b.exchange(ctx, msg, fds, outs, agent.MaxStretch*cmd.Limits.Wall+runPatience, &during{
		sent:   cmd.Handed,
		enough: func() bool { return out.over() || err2.over() || out.err != nil || err2.err != nil },
	})
	runtime.KeepAlive(cmd)
	if err != nil {
		return runner.Result{}, err
	}
	if err := b.only(&reply, agent.Refused); err != nil {
		return runner.Result{}, err
	}
	if status := syscall.WaitStatus(reply.Wait); !status.Exited() && !status.Signaled() {
		b.broken = true
		return runner.Result{}, fmt.Errorf("%w: wait status %#x", errBox, reply.Wait)
	}
	b.runs++
	b.worn = b.worn || reply.Left > agent.MaxLeft || b.runs >= recycleAfter
	for _, o := range outs {
		if o != nil && o.err != nil {
			return runner.Result{}, fmt.Errorf("take output: %w", o.err)
		}
	}
	if err := ctx.Err(); err != nil {
		return runner.Result{}, err
	}
	res := result(&reply, &out, &err2)
	res.Worn = b.worn
	return res, nil
}

// request turns a command into the agent's words, and opens the pipes.
func (b *box) request(cmd *runner.Command, out, err2 *stream) (*agent.Run, []int, [2]*stream, error) {
	var outs [2]*stream
	l := &cmd.Limits
	req := &agent.Run{
		CPU: int64(l.CPU), Wall: int64(l.Wall), Memory: l.Memory, Processes: int32(min(l.Processes, maxProcesses)),
		Args: cmd.Args, Env: cmd.Env,
	}
	if cmd.Keep {
		req.Flags |= agent.FlagKeep
	}
	if cmd.Dir == runner.Program {
		req.Flags |= agent.FlagInProgram
	}
	fds := make([]int, 0, 3)
	if cmd.Stdin != nil {
		req.Flags |= agent.FlagStdin
		fds = append(fds, int(cmd.Stdin.Fd()))
	}
	for i, w := range []io.Writer{cmd.Stdout, cmd.Stderr} {
		if w == nil {
			continue
		}
		req.Flags |= []uint32{agent.FlagStdout, agent.FlagStderr}[i]
		if f, ok := w.(*os.File); ok {
			fds = append(fds, int(f.Fd()))
			continue
		}
		s := []*stream{out, err2}[i]
		s.to, s.max = w, l.Output
		if err := s.open(b.uid); err != nil {
			return nil, nil, outs, err
		}
		outs[i] = s
		fds = append(fds, s.write)
	}
	return req, fds, outs, nil
}

func result(r *agent.Reply, out, err2 *stream) runner.Result {
	res := runner.Result{
		Exec: syscall.Errno(r.Exec), CPU: time.Duration(r.CPU), Wall: time.Duration(r.Wall),
		Memory: r.Memory, MemoryBase: r.Base, OOMKills: int(r.OOMKills), Stdout: out.count, Stderr: err2.count,
	}
	status := syscall.WaitStatus(r.Wait)
	if status.Signaled() {
		res.Signal = status.Signal()
	} else {
		res.ExitCode = status.ExitStatus()
	}
	switch {
	case out.over() || err2.over():
		res.Limit = runner.LimitOutput
	case r.Limit == agent.LimitCPU:
		res.Limit = runner.LimitCPU
	case r.Limit == agent.LimitWall:
		res.Limit = runner.LimitWall
	case r.OOMKills > 0:
		res.Limit = runner.LimitMemory
	case r.Limit == agent.LimitProcesses:
		res.Limit = runner.LimitProcesses
	}
	return res
}
