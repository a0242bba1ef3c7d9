//go:build docker

package docker_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"judge/runner"
	"judge/runner/docker"
)

// onlyAgent wants an idle box to hold the agent's process and nothing else: in
// the container's cgroup nobody, in agent/ its threads, in run/ at most its
// spawning thread.
func onlyAgent(t *testing.T, box runner.Box) {
	t.Helper()
	for _, dir := range docker.GroupFolders(box) {
		// The dead leave their cgroup a moment after they were reaped.
		var pids map[string][]string
		for range 100 {
			pids = map[string][]string{}
			for _, leaf := range []string{"", "agent", "run"} {
				pids[leaf] = members(t, filepath.Join(dir, leaf))
			}
			if alone(pids) {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if !alone(pids) {
			t.Errorf("an idle box has processes in %s: %v", dir, pids)
		}
		others, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range others {
			if e.IsDir() && e.Name() != "agent" && e.Name() != "run" {
				t.Errorf("an idle box has a cgroup %s in %s", e.Name(), dir)
			}
		}
	}
}

func alone(pids map[string][]string) bool {
	agent := pids["agent"]
	return len(agent) == 1 && len(pids[""]) == 0 && (len(pids["run"]) == 0 || slices.Equal(pids["run"], agent))
}

func members(t *testing.T, dir string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(b))
}
