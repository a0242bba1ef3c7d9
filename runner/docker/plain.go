package docker

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/mount"

	"judge/runner"
)

// Plain is a command in an ordinary container of an image: as root, without a
// filter of system calls, without cgroups for each run. Boxes are measured against
// it; only programs of ours are run so.
type Plain struct {
	Image  string
	CPU    int // the core that it is pinned to
	Args   []string
	Env    []string
	Mounts []Mount
}

// Mount is a file or folder of the host in a Plain container.
type Mount struct {
	Source, Target string
	Writable       bool
}

// Plain runs the command to its end and returns its exit code. The container is
// gone afterwards.
func (s *Sandbox) Plain(ctx context.Context, p Plain) (code int, err error) {
	var mounts []mount.Mount
	for _, m := range p.Mounts {
		mounts = append(mounts, mount.Mount{Type: mount.TypeBind, Source: m.Source, Target: m.Target, ReadOnly: !m.Writable})
	}
	config := &container.Config{
		Image: p.Image, Entrypoint: p.Args, Cmd: []string{}, Env: p.Env, User: "0:0", WorkingDir: "/tmp", NetworkDisabled: true,
		Labels: map[string]string{
			labelWorker: s.opts.Worker, labelBox: "plain", labelState: s.opts.StateDir, labelCreated: time.Now().UTC().Format(time.RFC3339),
		},
	}
	host := &container.HostConfig{
		NetworkMode: "none", SecurityOpt: []string{"seccomp=unconfined"}, LogConfig: container.LogConfig{Type: "none"}, Mounts: mounts,
		Resources: container.Resources{CpusetCpus: strconv.Itoa(p.CPU), Ulimits: []*container.Ulimit{{Name: "stack", Soft: -1, Hard: -1}}},
	}
	made, err := s.engine.ContainerCreate(ctx, config, host, nil, nil, "")
	if errdefs.IsNotFound(err) {
		return 0, fmt.Errorf("%w: image %s is missing: %w", runner.ErrUnavailable, p.Image, err)
	}
	if err != nil {
		return 0, fmt.Errorf("create plain container: %w", err)
	}
	defer func() {
		gone, cancel := context.WithTimeout(context.WithoutCancel(ctx), createPatience)
		defer cancel()
		err = errors.Join(err, s.engine.ContainerRemove(gone, made.ID, container.RemoveOptions{Force: true}))
	}()
	ended, failed := s.engine.ContainerWait(ctx, made.ID, container.WaitConditionNextExit)
	if err := s.engine.ContainerStart(ctx, made.ID, container.StartOptions{}); err != nil {
		return 0, fmt.Errorf("start plain container: %w", err)
	}
	select {
	case end := <-ended:
		return int(end.StatusCode), nil
	case err := <-failed:
		return 0, fmt.Errorf("wait for plain container: %w", err)
	}
}
