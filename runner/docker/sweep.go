package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
)

// Sweep removes the containers, socket folders and cgroups of workers that no
// longer live, and those of this worker that are from before it started. A
// worker lives while it holds its lock. Safe beside other judges; those with
// another StateDir are left alone, since their locks are not seen from here.
func (s *Sandbox) Sweep(ctx context.Context) error {
	list, err := s.engine.ContainerList(ctx, container.ListOptions{All: true, Filters: filters.NewArgs(
		filters.Arg("label", labelWorker), filters.Arg("label", labelState+"="+s.opts.StateDir))})
	if err != nil {
		return fmt.Errorf("list containers: %w", err)
	}
	dead := map[string][]string{} // worker → its containers
	for _, c := range list {
		w := c.Labels[labelWorker]
		dead[w] = append(dead[w], c.ID)
	}
	entries, err := os.ReadDir(s.opts.StateDir)
	if err != nil {
		return fmt.Errorf("list socket folders: %w", err)
	}
	for _, e := range entries {
		if w := strings.TrimSuffix(e.Name(), ".lock"); workerName.MatchString(w) {
			dead[w] = append(dead[w], []string{}...)
		}
	}
	for w, containers := range dead {
		if workerName.MatchString(w) {
			s.sweepWorker(ctx, w, containers)
		}
	}
	return ctx.Err()
}

// sweepWorker removes what is left of one worker unless it lives. Our own worker
// is swept only before it has boxes.
func (s *Sandbox) sweepWorker(ctx context.Context, worker string, containers []string) {
	if worker == s.opts.Worker {
		if s.life == nil {
			_ = s.removeWorker(ctx, worker, containers)
		}
		return
	}
	path := filepath.Join(s.opts.StateDir, worker+".lock")
	lock, err := lockFile(path)
	if err != nil {
		return // alive
	}
	// The file goes before the lock: who waits for the lock sees that, and makes
	// another. It stays, for a next sweep, while anything else does.
	if s.removeWorker(ctx, worker, containers) {
		_ = os.Remove(path)
	}
	_ = lock.Close()
}

// removeWorker reports whether nothing of the worker is left.
func (s *Sandbox) removeWorker(ctx context.Context, worker string, containers []string) bool {
	var err error
	for _, id := range containers {
		err = errors.Join(err, s.removeContainer(ctx, id))
	}
	gone := s.groups.remove(ctx, worker)
	err = errors.Join(err, os.RemoveAll(filepath.Join(s.opts.StateDir, worker)))
	if len(containers) > 0 || err != nil || !gone {
		s.opts.Log.Info("swept a dead worker", "worker", worker, "containers", len(containers), "cgroups_gone", gone, "error", err)
	}
	return gone && err == nil
}
