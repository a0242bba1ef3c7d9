package docker_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/runner/docker"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares v, as JSON, with a file.
func golden(t *testing.T, name string, v any) {
	t.Helper()
	got, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	path := filepath.Join("testdata", name+".golden.json")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func mountinfo(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "mountinfo", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestMounts(t *testing.T) {
	t.Parallel()
	v1 := map[string]string{
		"memory": "/sys/fs/cgroup/memory", "cpu": "/sys/fs/cgroup/cpu,cpuacct",
		"cpuacct": "/sys/fs/cgroup/cpu,cpuacct", "pids": "/sys/fs/cgroup/pids", "": "",
	}
	for _, c := range []struct {
		sample   string
		version  int
		points   map[string]string
		all      int // hierarchies and mounts of them
		delegate bool
	}{
		{"v1", 1, v1, 6, false},
		{"v1-apart", 1, map[string]string{"memory": "/cg/memory", "cpuacct": "/cg/cpuacct", "cpu": "/cg/cpu", "pids": "/cg/pids"}, 4, false},
		{"v2", 2, map[string]string{"": "/sys/fs/cgroup", "memory": ""}, 1, true},
		{"v2-not-delegated", 2, map[string]string{"": "/sys/fs/cgroup"}, 1, false},
		{"hybrid", 1, v1, 5, false},
		{"v2-container", 2, map[string]string{"": "/sys/fs/cgroup"}, 1, true},
		{"v1-container", 1, map[string]string{"memory": "", "cpuacct": ""}, 0, false},
	} {
		t.Run(c.sample, func(t *testing.T) {
			t.Parallel()
			points, all, delegate, err := docker.Mounts(c.version, mountinfo(t, c.sample))
			if err != nil || len(all) != c.all || delegate != c.delegate {
				t.Errorf("mounted at %v, nsdelegate %v (%v)", all, delegate, err)
			}
			if slices.Contains(all, "/mnt/part") || slices.Contains(all, "/run/part") {
				t.Errorf("%v holds a part of a hierarchy", all)
			}
			for controller, want := range c.points {
				if points[controller] != want {
					t.Errorf("%q is at %q, want %q", controller, points[controller], want)
				}
			}
		})
	}
}

func FuzzMounts(f *testing.F) {
	for _, name := range []string{"v1", "v2", "hybrid"} {
		b, err := os.ReadFile(filepath.Join("testdata", "mountinfo", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, text string) {
		points, all, _, _ := docker.Mounts(2, text)
		if p := points[""]; p != "" && !slices.Contains(all, p) {
			t.Errorf("the tree is at %q, the mounts are %q", p, all)
		}
	})
}

// TestGroupNames: the names under which the cgroups of a box are found, by
// driver and version.
func TestGroupNames(t *testing.T) {
	t.Parallel()
	all := map[string]docker.Groups{}
	for _, c := range []struct {
		driver, sample string
		version        int
	}{{"cgroupfs", "v1", 1}, {"systemd", "v1", 1}, {"cgroupfs", "v2", 2}, {"systemd", "v2", 2}, {"cgroupfs", "hybrid", 1}} {
		g, err := docker.GroupNames(c.driver, c.version, mountinfo(t, c.sample), "0123456789ab", "s3", "17", strings.Repeat("c0ffee", 2))
		if err != nil {
			t.Fatal(err)
		}
		all[c.driver+", "+c.sample] = g
	}
	golden(t, "groups", all)
}

// TestWhole: a container's own cgroup, which looks like a hierarchy's root in its
// namespace, is none.
func TestWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version int
		file    string // in the cgroup
		want    bool
	}{{1, "cgroup.sane_behavior", true}, {1, "cgroup.procs", false}, {2, "cgroup.type", false}, {2, "cgroup.procs", true}} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, c.file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := docker.Whole(dir, c.version); got != c.want {
			t.Errorf("v%d with %s: whole %v, want %v", c.version, c.file, got, c.want)
		}
	}
}
