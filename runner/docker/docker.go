// Package docker implements the sandbox with containers: it makes boxes, keeps
// them warm, pins them to slots, speaks to the agent inside them and sweeps away
// what dead processes left. It also builds the images. It is the only package
// that sees the Docker client, and it knows nothing of judging.
//
// A box is a container whose PID 1 is package runner/agent. dockerd makes and
// removes it and is on no data path: verbs, files and results go over a unix
// socket of the box's own (see talk.go), descriptors with them.
package docker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/docker/docker/client"

	"judge/runner"
)

// Places on the host, all of root's.
const (
	DefaultStateDir = "/run/judge"       // locks and sockets
	DefaultCacheDir = "/var/cache/judge" // the agent's copy
)

// Options configure a Sandbox. The zero value of a field is its default.
type Options struct {
	Worker    string       // twelve hex digits, this process's alone; empty: made for this process
	Slots     int          // how many; 0: one for each core that this process may use
	Agent     string       // path of the judge-agent binary; empty: beside this program
	MaxMemory int64        // bytes that one box may use in all; default 4 GiB, at most three quarters of the host's
	IdleBytes int64        // bytes that idle boxes may hold together; default an eighth of the host's memory
	StateDir  string       // default DefaultStateDir
	CacheDir  string       // default DefaultCacheDir; must not be mounted noexec
	Log       *slog.Logger // what is not the caller's error: boxes that broke, what was swept; default: none
}

// Sandbox is a pool of boxes on this machine's Docker engine.
type Sandbox struct {
	opts    Options
	engine  *client.Client
	host    *Host
	groups  *hierarchy
	locks   *locks
	agent   string // the agent's copy that boxes mount
	profile string

	life context.Context // ends when Close has begun
	end  context.CancelFunc
	work sync.WaitGroup // removals and boxes being made ahead

	mu      sync.Mutex
	idle    []*slot
	waiters []chan *slot // first come, first served
	slots   []*slot
	numbers numbers
}

var _ runner.Sandbox = (*Sandbox)(nil)

// New checks the host, sweeps what dead processes left and opens the slots.
// Boxes are made when they are first wanted. ctx bounds New alone. The error
// names everything that the host lacks, with its remedy.
func New(ctx context.Context, opts Options) (*Sandbox, error) {
	if os.Geteuid() != 0 {
		return nil, fmt.Errorf("%w: grading needs root: pipes are chowned and cgroups are made; run as root or with sudo", runner.ErrUnavailable)
	}
	engine, err := Connect(ctx)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{engine: engine, opts: opts}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, engine.Close())
	}
	return s, nil
}

func (s *Sandbox) open(ctx context.Context) (err error) {
	if s.host, err = Inspect(ctx, s.engine); err != nil {
		return err
	}
	if err := s.host.Err(); err != nil {
		return err
	}
	s.opts.fill(s.host)
	if s.locks, err = takeLocks(ctx, s.opts.StateDir, s.opts.Worker); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			s.locks.release()
		}
	}()
	s.groups = s.host.hierarchy(s.opts.Worker, s.opts.MaxMemory)
	if err := s.Sweep(ctx); err != nil {
		return err
	}
	if s.agent, err = installAgent(s.opts.Agent, s.opts.CacheDir); err != nil {
		return err
	}
	if s.profile, err = seccompProfile(); err != nil {
		return err
	}
	if err := s.openSlots(); err != nil {
		return err
	}
	s.life, s.end = context.WithCancel(context.WithoutCancel(ctx))
	return nil
}

func (o *Options) fill(h *Host) {
	if o.Worker == "" {
		o.Worker = newWorker()
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = 4 << 30
	}
	o.MaxMemory = min(o.MaxMemory, h.Memory/4*3)
	if o.IdleBytes == 0 {
		o.IdleBytes = h.Memory / 8
	}
	if o.StateDir == "" {
		o.StateDir = DefaultStateDir
	}
	if o.CacheDir == "" {
		o.CacheDir = DefaultCacheDir
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// Close removes every box and what they had on the host.
func (s *Sandbox) Close(ctx context.Context) error {
	s.end()
	for _, sl := range s.slots {
		sl.drop()
	}
	done := make(chan struct{})
	go func() { s.work.Wait(); close(done) }()
	var err error
	select {
	case <-done:
	case <-ctx.Done():
		err = fmt.Errorf("close the sandbox: %w", ctx.Err())
	}
	gone := s.groups.remove(ctx, s.opts.Worker)
	if err == nil && gone {
		err = os.RemoveAll(filepath.Join(s.opts.StateDir, s.opts.Worker))
		s.locks.forget()
	}
	s.locks.release()
	return errors.Join(err, s.engine.Close())
}

// Connect dials the engine that DOCKER_HOST and its kin name, and agrees on an
// API version with it.
func Connect(ctx context.Context) (*client.Client, error) {
	engine, err := client.NewClientWithOpts(client.FromEnv, client.WithAPIVersionNegotiation())
	if err != nil {
		return nil, fmt.Errorf("%w: make Docker client: %w", runner.ErrUnavailable, err)
	}
	if _, err := engine.Ping(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: the Docker engine does not answer: %w; start it (systemctl start docker) or let make demo do it",
			runner.ErrUnavailable, err), engine.Close())
	}
	return engine, nil
}

// agentPath finds judge-agent beside the running program.
func agentPath() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the running program: %w", err)
	}
	return filepath.Join(filepath.Dir(self), "judge-agent"), nil
}
