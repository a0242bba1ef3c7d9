package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
)

// Sweep removes the containers, socket folders and cgroups of workers that no
// longer live, and those of this worker that are from before it started. A
// worker lives while it holds its lock. Safe beside other judges; those with
// another StateDir are left alone, since their locks are not seen from here.
func (s *Sandbox) Sweep(ctx context.Context) error {
	list, err := s.containers(ctx, labelWorker)
	if err != nil {
		return err
	}
	workers := map[string]bool{}
	for _, c := range list {
		workers[c.Labels[labelWorker]] = true
	}
	entries, err := os.ReadDir(s.opts.StateDir)
	if err != nil {
		return fmt.Errorf("list socket folders: %w", err)
	}
	for _, e := range entries {
		workers[strings.TrimSuffix(e.Name(), ".lock")] = true
	}
	for w := range workers {
		if workerName.MatchString(w) {
			s.sweepWorker(ctx, w)
		}
	}
	return ctx.Err()
}

// containers lists those of judges that share our locks, by a label.
func (s *Sandbox) containers(ctx context.Context, label string) ([]container.Summary, error) {
	list, err := s.engine.ContainerList(ctx, container.ListOptions{All: true, Filters: filters.NewArgs(
		filters.Arg("label", label), filters.Arg("label", labelState+"="+s.opts.StateDir))})
	if err != nil {
		return nil, fmt.Errorf("list containers: %w", err)
	}
	return list, nil
}

// sweepWorker removes what is left of one worker unless it lives. Our own worker
// is swept only before it has boxes.
func (s *Sandbox) sweepWorker(ctx context.Context, worker string) {
	if worker == s.opts.Worker {
		if s.life == nil {
			_ = s.removeWorker(ctx, worker)
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
	if s.removeWorker(ctx, worker) {
		_ = os.Remove(path)
	}
	_ = lock.Close()
}

// removeWorker reports whether nothing of the worker is left.
func (s *Sandbox) removeWorker(ctx context.Context, worker string) bool {
	removed, err := s.removeContainers(ctx, worker)
	gone := s.groups.remove(ctx, worker)
	err = errors.Join(err, os.RemoveAll(filepath.Join(s.opts.StateDir, worker)))
	if removed > 0 || err != nil || !gone {
		s.opts.Log.Info("swept a dead worker", "worker", worker, "containers", removed, "cgroups_gone", gone, "error", err)
	}
	return gone && err == nil
}

// The engine goes on making a container whose judge was killed while it asked
// for it (seen: it came after the first look). The folder of a box is made before
// that, so a folder without a container means that one may still come.
const (
	latePatience = 3 * time.Second
	lateTick     = 100 * time.Millisecond
)

func (s *Sandbox) removeContainers(ctx context.Context, worker string) (removed int, err error) {
	seen := map[string]bool{} // boxes whose containers were there
	for stop := time.Now().Add(latePatience); ; {
		list, lerr := s.containers(ctx, labelWorker+"="+worker)
		err = errors.Join(err, lerr)
		for _, c := range list {
			seen[c.Labels[labelBox]] = true
			removed++
			err = errors.Join(err, s.removeContainer(ctx, c.ID))
		}
		if err != nil || !s.expected(worker, seen) || time.Now().After(stop) {
			return removed, err
		}
		select {
		case <-time.After(lateTick):
		case <-ctx.Done():
			return removed, ctx.Err()
		}
	}
}

// expected reports whether the worker has a box whose container was not seen.
func (s *Sandbox) expected(worker string, seen map[string]bool) bool {
	boxes, _ := os.ReadDir(filepath.Join(s.opts.StateDir, worker)) // none, none expected
	return slices.ContainsFunc(boxes, func(e os.DirEntry) bool { return !seen[e.Name()] })
}
