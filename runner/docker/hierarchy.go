package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/docker/docker/api/types/mount"

	"judge/runner/agent"
)

// hierarchy knows where this worker's cgroups are. Each box has three levels:
//
//	<worker>/<slot>/<box>       the wall: limits that nothing inside can reach
//	<worker>/<slot>/<box>/c     Docker's CgroupParent, and mounted into the box
//	<worker>/<slot>/<box>/c/X   the container's own, where the agent makes
//	                            agent/ and run/
//
// With the systemd driver the levels are slices, whose names repeat those of
// the levels above: judge-<worker>-<slot>-<box>-c.slice.
type hierarchy struct {
	host   *Host
	worker string
	memory int64 // of the wall
}

// root names our top folder in every hierarchy.
const root = "judge"

// maxProcesses is the wall's: far above any run's limit, far below the host's.
const maxProcesses = 4096

func (h *Host) hierarchy(worker string, memory int64) *hierarchy {
	return &hierarchy{host: h, worker: worker, memory: memory}
}

func (g *hierarchy) systemd() bool { return g.host.Driver == "systemd" }

// path is where the levels lie below a hierarchy's mount point.
func (g *hierarchy) path(levels ...string) string {
	if !g.systemd() {
		return filepath.Join(append([]string{root}, levels...)...)
	}
	name, p := root, root+".slice"
	for _, l := range levels {
		name += "-" + l
		p = filepath.Join(p, name+".slice")
	}
	return p
}

// parent is Docker's CgroupParent for a box.
func (g *hierarchy) parent(slot, box string) string {
	p := g.path(g.worker, slot, box, "c")
	if g.systemd() {
		return filepath.Base(p)
	}
	return "/" + p
}

// name is what Docker calls a container's own cgroup.
func (g *hierarchy) name(container string) string {
	if g.systemd() {
		return "docker-" + container + ".scope"
	}
	return container
}

// controllers are the mount points that boxes see, by their folder in a box.
func (g *hierarchy) controllers() map[string]string {
	if g.host.Cgroup == 2 {
		return map[string]string{agent.CgroupPath: g.host.mounts[""]}
	}
	m := map[string]string{}
	for _, c := range []string{"memory", "cpuacct", "pids"} {
		m[filepath.Join(agent.CgroupPath, c)] = g.host.mounts[c]
	}
	return m
}

// tellSystemd makes the wall known to systemd, which sets what it was told each
// time it looks at a slice. A drop-in of this name is for all slices of boxes of
// one slot.
func (g *hierarchy) tellSystemd(slot string) error {
	dir := g.dropIn(slot)
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // systemd's units are public
		return fmt.Errorf("make the wall: %w", err)
	}
	text := fmt.Sprintf("[Slice]\nMemoryMax=%d\nMemorySwapMax=0\nTasksMax=%d\n", g.memory, maxProcesses)
	if err := os.WriteFile(filepath.Join(dir, "wall.conf"), []byte(text), 0o644); err != nil { //nolint:gosec // as above
		return fmt.Errorf("make the wall: %w", err)
	}
	return nil
}

const unitDir = "/run/systemd/system"

func (g *hierarchy) dropIn(slot string) string {
	return filepath.Join(unitDir, strings.Join([]string{root, g.worker, slot, ".slice.d"}, "-"))
}

// wall makes a box's cgroups and their limits, and says what to mount.
func (g *hierarchy) wall(slot, box string) ([]mount.Mount, error) {
	var mounts []mount.Mount
	if g.systemd() {
		if err := g.tellSystemd(slot); err != nil {
			return nil, err
		}
	}
	for target, point := range g.controllers() {
		p := filepath.Join(point, g.path(g.worker, slot, box, "c"))
		if err := g.mkdir(point, slot, box); err != nil {
			return nil, err
		}
		mounts = append(mounts, mount.Mount{Type: mount.TypeBind, Source: p, Target: target})
	}
	return mounts, g.limit(slot, box)
}

// mkdir makes all levels of a box in one hierarchy. On v2 each level hands its
// controllers on.
func (g *hierarchy) mkdir(point, slot, box string) error {
	levels := []string{g.worker, slot, box, "c"}
	for i := range len(levels) + 1 {
		p := filepath.Join(point, g.path(levels[:i]...))
		if err := os.Mkdir(p, 0o755); err != nil && !errors.Is(err, os.ErrExist) { //nolint:gosec // as cgroups are
			return fmt.Errorf("make cgroup: %w", err)
		}
		if g.host.Cgroup == 2 {
			_ = os.WriteFile(filepath.Join(p, "cgroup.subtree_control"), []byte("+cpuset +cpu +memory +pids"), 0)
		}
	}
	return nil
}

// limit sets the wall's limits and reads them back.
func (g *hierarchy) limit(slot, box string) error {
	wall := g.path(g.worker, slot, box)
	type setting struct {
		controller, file string
		value            int64
		optional         bool
	}
	settings := []setting{
		{"memory", "memory.limit_in_bytes", g.memory, false},
		{"memory", "memory.memsw.limit_in_bytes", g.memory, true},
		{"pids", "pids.max", maxProcesses, false},
	}
	if g.host.Cgroup == 2 {
		settings = []setting{
			{"", "memory.max", g.memory, false},
			{"", "memory.swap.max", 0, true},
			{"", "pids.max", maxProcesses, false},
		}
	}
	for _, s := range settings {
		p := filepath.Join(g.host.mounts[s.controller], wall, s.file)
		err := os.WriteFile(p, []byte(strconv.FormatInt(s.value, 10)), 0)
		if err != nil && s.optional {
			continue // there is no swap to account for, or New would have refused
		}
		if err != nil {
			return fmt.Errorf("make the wall: %w", err)
		}
		got, err := readNumber(p)
		if err != nil {
			return fmt.Errorf("make the wall: %w", err)
		}
		if got > s.value {
			return fmt.Errorf("make the wall: %s reads %d, %d was written", p, got, s.value)
		}
	}
	return nil
}

// usage is how many bytes a box holds.
func (g *hierarchy) usage(slot, box string) int64 {
	file, controller := "memory.usage_in_bytes", "memory"
	if g.host.Cgroup == 2 {
		file, controller = "memory.current", ""
	}
	n, _ := readNumber(filepath.Join(g.host.mounts[controller], g.path(g.worker, slot, box), file))
	return n
}

// remove removes a level and all below it, in all hierarchies, and reports
// whether nothing is left.
func (g *hierarchy) remove(ctx context.Context, levels ...string) (gone bool) {
	if g.systemd() {
		unit := filepath.Base(g.path(levels...))
		_ = exec.CommandContext(ctx, "systemctl", "stop", unit).Run()
		if len(levels) == 1 {
			dirs, _ := filepath.Glob(filepath.Join(unitDir, root+"-"+levels[0]+"-*-.slice.d"))
			for _, d := range dirs {
				_ = os.RemoveAll(d)
			}
		}
	}
	gone = true
	for _, point := range g.host.everywhere {
		dir := filepath.Join(point, g.path(levels...))
		removeGroups(dir)
		if _, err := os.Lstat(dir); err == nil {
			gone = false
		}
	}
	return gone
}

// removeGroups removes a cgroup and those below it, innermost first. One that
// still holds processes stays, for the next sweep.
func removeGroups(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			removeGroups(filepath.Join(dir, e.Name()))
		}
	}
	_ = os.Remove(dir)
}
