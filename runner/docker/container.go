package docker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/mount"
	"golang.org/x/sys/unix"

	"judge/runner"
	"judge/runner/agent"
)

// Labels of our containers, for the sweeper and for people.
const (
	labelWorker  = "judge.worker"
	labelBox     = "judge.box"
	labelCreated = "judge.created"
	labelClass   = "judge.class"
	labelState   = "judge.state" // where the worker's lock is
)

// startPatience is how long a container may take to start and to dial in: far
// longer than the 150–280 ms seen, for machines under load and for emulation.
const startPatience = 2 * time.Minute

// start makes a box: its cgroups, its socket, its container; and greets the
// agent in it.
func (sl *slot) start(ctx context.Context, spec *runner.Spec) (_ *box, err error) {
	s := sl.sandbox
	s.mu.Lock()
	n, ok := s.numbers.take()
	s.mu.Unlock()
	if !ok {
		return nil, fmt.Errorf("make box: all %d numbers are in use", blockSize)
	}
	b := &box{slot: sl, number: n, name: strconv.Itoa(n), key: key(spec), class: spec.Class, since: time.Now(), socket: -1}
	b.uid = s.locks.uid + n
	defer func() {
		if err != nil {
			s.discard(b)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	listener, err := b.listen()
	if err != nil {
		return nil, err
	}
	defer func() { _ = listener.Close() }()
	if err := b.create(ctx, spec); err != nil {
		return nil, err
	}
	if err := b.accept(ctx, listener); err != nil {
		return nil, err
	}
	return b, b.greet(ctx, spec)
}

// dir is the box's folder on the host, with its socket.
func (b *box) dir() string {
	s := b.slot.sandbox
	return filepath.Join(s.opts.StateDir, s.opts.Worker, b.name)
}

func (b *box) listen() (*net.UnixListener, error) {
	if err := os.MkdirAll(b.dir(), 0o700); err != nil {
		return nil, fmt.Errorf("make the box's folder: %w", err)
	}
	path := filepath.Join(b.dir(), filepath.Base(agent.SocketPath))
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("clear the box's folder: %w", err)
	}
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: path, Net: "unixpacket"})
	if err != nil {
		return nil, fmt.Errorf("listen for the box: %w", err)
	}
	return l, nil
}

// createPatience bounds the making of a container, which takes 0.1 s: an engine
// that needs longer is stuck.
const createPatience = 30 * time.Second

func (b *box) create(ctx context.Context, spec *runner.Spec) error {
	s := b.slot.sandbox
	mounts, err := s.groups.wall(b.slot.name, b.name)
	if err != nil {
		return err
	}
	mounts = append(mounts,
		mount.Mount{Type: mount.TypeBind, Source: b.dir(), Target: agent.SocketDir},
		mount.Mount{Type: mount.TypeBind, Source: s.agent, Target: agent.BinaryPath, ReadOnly: true})
	config := &container.Config{
		Image: spec.Image, Entrypoint: []string{agent.BinaryPath}, Cmd: []string{}, User: "0:0", WorkingDir: "/",
		NetworkDisabled: true, Healthcheck: &container.HealthConfig{Test: []string{"NONE"}},
		Labels: map[string]string{
			labelWorker: s.opts.Worker, labelBox: b.name, labelClass: string(spec.Class),
			labelState: s.opts.StateDir, labelCreated: time.Now().UTC().Format(time.RFC3339),
		},
	}
	b.asked = true
	// The engine goes on when its client goes away, and the container would appear
	// after we had looked for it in vain: so the answer is waited for.
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), createPatience)
	defer cancel()
	made, err := s.engine.ContainerCreate(asking, config, b.hostConfig(spec, mounts), nil, nil, "")
	switch {
	case errdefs.IsNotFound(err):
		return fmt.Errorf("%w: image %s is missing: %w", runner.ErrUnavailable, spec.Image, err)
	case errdefs.IsInvalidArgument(err) && strings.Contains(err.Error(), "bind source path does not exist"):
		return fmt.Errorf("%w: the engine does not find what boxes mount: %w: "+inContainer, runner.ErrUnavailable, err,
			strings.Join([]string{s.opts.StateDir, s.opts.CacheDir, "/sys/fs/cgroup"}, ", "))
	case err != nil:
		return fmt.Errorf("create container: %w", err)
	}
	b.container = made.ID
	if err := s.engine.ContainerStart(ctx, made.ID, container.StartOptions{}); err != nil {
		return fmt.Errorf("start container: %w", err)
	}
	return nil
}

// Sizes of a box's file systems, in bytes, and their inodes. They only keep a
// full disk from being a full machine: what is in them counts as memory.
var sizes = map[runner.Class]int64{runner.Compile: 2 << 30, runner.Run: 512 << 20, runner.Jury: 2 << 30, runner.Workspace: 2 << 30}

const (
	sharedSize = 64 << 20 // of /tmp and /dev/shm each, but for compilers' /tmp
	inodes     = 100_000
)

// hidden are files of /proc and folders that would pass something from one run
// to the next, or tell of the host: Docker's own list and ours.
var hidden = []string{
	"/proc/asound", "/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/timer_list",
	"/proc/timer_stats", "/proc/sched_debug", "/proc/scsi", "/proc/interrupts", "/sys/firmware",
	"/sys/devices/virtual/powercap",
	"/dev/mqueue", "/sys/fs/cgroup", "/proc/loadavg", "/proc/pressure", "/proc/key-users", "/proc/vmstat",
}

func (b *box) hostConfig(spec *runner.Spec, mounts []mount.Mount) *container.HostConfig {
	s := b.slot.sandbox
	tmpfs := func(mode string, size int64) string {
		return fmt.Sprintf("rw,exec,nosuid,nodev,mode=%s,size=%d,nr_inodes=%d", mode, size, inodes)
	}
	tmp := int64(sharedSize)
	if spec.Class != runner.Run {
		tmp = sizes[spec.Class]
	}
	pids := int64(maxProcesses)
	return &container.HostConfig{
		NetworkMode:    "none",
		ReadonlyRootfs: true,
		CapDrop:        []string{"ALL"},
		CapAdd:         []string{"SETUID", "SETGID"},
		SecurityOpt:    []string{"no-new-privileges", "seccomp=" + s.profile},
		IpcMode:        "private",
		OomScoreAdj:    1000, // a box dies before anything else of the host; runs inherit it
		LogConfig:      container.LogConfig{Type: "none"},
		Mounts:         mounts,
		MaskedPaths:    slices.Clone(hidden),
		Tmpfs: map[string]string{
			agent.RootPath: "rw,noexec,nosuid,nodev,mode=700,size=64k,nr_inodes=64",
			agent.BoxPath:  tmpfs("755", sizes[spec.Class]),
			"/tmp":         tmpfs("1777", tmp),
			"/dev/shm":     tmpfs("1777", sharedSize),
		},
		Resources: container.Resources{
			CgroupParent: s.groups.parent(b.slot.name, b.name),
			CpusetCpus:   strconv.Itoa(b.slot.cpu),
			Memory:       s.opts.MaxMemory,
			MemorySwap:   s.opts.MaxMemory,
			PidsLimit:    &pids,
			Ulimits: []*container.Ulimit{
				{Name: "core", Soft: 0, Hard: 0},
				{Name: "stack", Soft: -1, Hard: -1},
				{Name: "nofile", Soft: 1024, Hard: 4096},
			},
		},
	}
}

// lookAgain is how often a container that has not dialled in is looked at.
const lookAgain = time.Second

// accept waits for the agent to dial in: that is the sign that the box is up.
func (b *box) accept(ctx context.Context, l *net.UnixListener) error {
	stop := context.AfterFunc(ctx, func() { _ = l.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	for {
		err := l.SetDeadline(time.Now().Add(lookAgain))
		if err == nil {
			err = ctx.Err() // before the deadline was set it would have been lost
		}
		if err != nil {
			return fmt.Errorf("wait for the box: %w", err)
		}
		conn, err := l.AcceptUnix()
		if err == nil {
			return b.take(conn)
		}
		if ctx.Err() == nil && errors.Is(err, os.ErrDeadlineExceeded) {
			if end := b.epitaph(ctx); end != "" {
				return fmt.Errorf("wait for the box: %s", end)
			}
			continue
		}
		return fmt.Errorf("wait for the box: %w", errors.Join(err, ctx.Err()))
	}
}

// take keeps the descriptor of a connection, out of Go's poller: verbs are raw
// system calls.
func (b *box) take(conn *net.UnixConn) error {
	defer func() { _ = conn.Close() }()
	f, err := conn.File()
	if err != nil {
		return fmt.Errorf("take the box's socket: %w", err)
	}
	defer func() { _ = f.Close() }()
	if b.socket, err = unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3); err != nil {
		return fmt.Errorf("take the box's socket: %w", err)
	}
	return nil
}

// epitaph says how a container ended that never dialled in; nothing while it may.
func (b *box) epitaph(ctx context.Context) string {
	info, err := b.slot.sandbox.engine.ContainerInspect(ctx, b.container)
	if err != nil || info.State == nil || info.State.Running {
		return ""
	}
	return fmt.Sprintf("the agent ended with exit code %d, out of memory %t %s", info.State.ExitCode, info.State.OOMKilled, info.State.Error)
}

// greet tells the agent what it is to find, and waits until it is warm.
func (b *box) greet(ctx context.Context, spec *runner.Spec) error {
	s := b.slot.sandbox
	msg, err := agent.AppendInit(nil, &agent.Init{
		Cgroup: s.groups.name(b.container), Unified: s.host.Cgroup == 2,
		UID: b.uid, Env: spec.Env, Warmup: spec.Warmup,
	})
	if err != nil {
		return err
	}
	_, err = b.ask(ctx, msg, nil, nil)
	return err
}
