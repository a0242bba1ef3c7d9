package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// endLeftovers ends the processes of an earlier server, whose owner was killed
// or that was killed itself, and returns when none is left. Processes whose
// server was killed notice by themselves, except in the middle of a long step;
// a new server beside them would ruin the cluster.
func (s *Server) endLeftovers(ctx context.Context) error {
	cluster := s.cluster()
	steps := []struct {
		signal unix.Signal
		wait   time.Duration
		all    bool // not only the first process, which ends the others
	}{
		{unix.SIGINT, stopTime, false},
		{unix.SIGQUIT, 5 * time.Second, true},
		{unix.SIGKILL, stopTime, true},
	}
	for _, step := range steps {
		pids, err := processesOf(cluster)
		if err != nil {
			return err
		}
		first := firstProcess(cluster)
		if len(pids) > 0 && !step.all && !slices.Contains(pids, first) {
			step.wait = time.Second // they end by themselves, or not at all
		}
		for _, pid := range pids {
			if !step.all && pid != first {
				continue
			}
			if err := unix.Kill(pid, step.signal); err != nil && !errors.Is(err, unix.ESRCH) {
				return fmt.Errorf("end server's process %d: %w", pid, err)
			}
		}
		gone, err := whenGone(ctx, cluster, step.wait)
		if err != nil {
			return err
		}
		if gone {
			return s.forget()
		}
	}
	return fmt.Errorf("an earlier server's processes on %s do not end", cluster)
}

// forget removes the files in which the earlier server left its number, in the
// cluster and beside the socket: by now it may be the number of a process that
// has nothing to do with it, or of one that is dead and that nobody waits for,
// and a server would refuse to start. Their other use, to find processes that
// are left, is done.
func (s *Server) forget() error {
	for _, path := range []string{filepath.Join(s.cluster(), "postmaster.pid"), s.socket(), s.socket() + ".lock"} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func whenGone(ctx context.Context, cluster string, limit time.Duration) (bool, error) {
	deadline := time.After(limit)
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		pids, err := processesOf(cluster)
		if err != nil || len(pids) == 0 {
			return err == nil, err
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-deadline:
			return false, nil
		case <-tick.C:
		}
	}
}

// processesOf lists the processes that run a program named postgres in the
// cluster's folder. Those that we may not look at are another user's, and so
// not of a server that we started.
func processesOf(cluster string) ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		dir := filepath.Join("/proc", e.Name())
		cwd, err := os.Readlink(filepath.Join(dir, "cwd"))
		if err != nil || cwd != cluster {
			continue
		}
		comm, err := os.ReadFile(filepath.Join(dir, "comm"))
		if err == nil && string(comm) == "postgres\n" {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// firstProcess is the number in postmaster.pid; 0 where there is none.
func firstProcess(cluster string) int {
	b, err := os.ReadFile(filepath.Join(cluster, "postmaster.pid"))
	if err != nil {
		return 0
	}
	n := 0
	for n < len(b) && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	pid, err := strconv.Atoi(string(b[:n]))
	if err != nil {
		return 0
	}
	return pid
}
