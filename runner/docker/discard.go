package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"golang.org/x/sys/unix"
)

// removePatience is how long the engine may take to remove a box.
const removePatience = time.Minute

// discard removes a box and all it had, in the background.
func (s *Sandbox) discard(b *box) {
	s.work.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(s.life), removePatience)
		defer cancel()
		if b.socket >= 0 {
			_ = unix.Close(b.socket) // the agent ends when the judge is gone
		}
		if err := s.remove(ctx, b); err != nil {
			// Its uid, its cgroup and its folder may be in use: no other box gets
			// them. A sweep after this process removes what there is.
			s.opts.Log.Warn("remove box", "box", b.name, "container", b.container, "error", err)
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.numbers.free(b.number)
	})
}

// remove returns when nothing of the box is left.
func (s *Sandbox) remove(ctx context.Context, b *box) error {
	if b.container == "" && b.asked {
		if err := s.findContainer(ctx, b); err != nil {
			return err
		}
	}
	if b.container != "" {
		if err := s.removeContainer(ctx, b.container); err != nil {
			return err
		}
	}
	s.groups.remove(ctx, s.opts.Worker, b.slot.name, b.name)
	if err := os.RemoveAll(b.dir()); err != nil {
		return fmt.Errorf("remove the box's folder: %w", err)
	}
	return nil
}

// findContainer looks for the container of a request whose answer was lost.
func (s *Sandbox) findContainer(ctx context.Context, b *box) error {
	list, err := s.engine.ContainerList(ctx, container.ListOptions{All: true, Filters: filters.NewArgs(
		filters.Arg("label", labelWorker+"="+s.opts.Worker), filters.Arg("label", labelBox+"="+b.name))})
	if err != nil {
		return fmt.Errorf("look for the box's container: %w", err)
	}
	if len(list) > 0 {
		b.container = list[0].ID
	}
	return nil
}

// removeContainer returns when the container and its processes are gone.
func (s *Sandbox) removeContainer(ctx context.Context, id string) error {
	err := s.engine.ContainerRemove(ctx, id, container.RemoveOptions{Force: true, RemoveVolumes: true})
	if errdefs.IsConflict(err) { // somebody else's removal is under way
		done, errs := s.engine.ContainerWait(ctx, id, container.WaitConditionRemoved)
		select {
		case <-done:
			err = nil
		case err = <-errs:
		}
	}
	if err != nil && !errdefs.IsNotFound(err) {
		return fmt.Errorf("remove container %s: %w", id, errors.Join(err, ctx.Err()))
	}
	return nil
}
