//go:build docker

package docker_test

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/client"

	"judge/runner"
	"judge/runner/docker"
)

// warmImage has a shell and a libc, whose pages a warm-up must fault in.
var warmImage = flag.String("warm-image", "debian:trixie-slim", "image with /bin/bash and /bin/ls")

// open makes a sandbox with a state folder of the test's own: short, since
// names of sockets are.
func open(t *testing.T, dir, agent string) *docker.Sandbox {
	t.Helper()
	s, err := docker.New(t.Context(), docker.Options{
		Agent: agent, StateDir: dir, CacheDir: filepath.Join(dir, "cache"), Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closed(t *testing.T, s *docker.Sandbox) {
	t.Helper()
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func take(t *testing.T, slot runner.Slot, spec runner.Spec) runner.Box {
	t.Helper()
	b, err := slot.Box(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// containers lists a worker's containers, in any state.
func containers(t *testing.T, worker string) (ids []string) {
	t.Helper()
	engine, err := client.NewClientWithOpts(client.FromEnv, client.WithAPIVersionNegotiation())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = engine.Close() }()
	list, err := engine.ContainerList(t.Context(), container.ListOptions{
		All: true, Filters: filters.NewArgs(filters.Arg("label", "judge.worker="+worker)),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return ids
}

// left lists what a worker has on the host.
func left(t *testing.T, s *docker.Sandbox, worker string) []string {
	t.Helper()
	all := containers(t, worker)
	for _, p := range s.Traces(worker) {
		if _, err := os.Lstat(p); !errors.Is(err, fs.ErrNotExist) {
			all = append(all, p)
		}
	}
	return all
}

// TestSandboxChild is not a test but a judge that is killed: this binary anew.
// One of its boxes is warm, one is taken.
func TestSandboxChild(t *testing.T) {
	if flag.NArg() != 4 || flag.Arg(0) != "hold-boxes" {
		return
	}
	s := open(t, flag.Arg(1), flag.Arg(2))
	slot := acquire(t, s)
	spec := runner.Spec{Image: flag.Arg(3), Class: runner.Run}
	warm, taken := take(t, slot, spec), take(t, slot, spec)
	warm.Release()
	fmt.Println("holds", s.Worker(), docker.ContainerID(taken))
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// TestSweep: of a judge that was killed nothing is left after the next one's
// start, and nothing of a living one is touched.
func TestSweep(t *testing.T) {
	dir, agent, image := t.TempDir(), builtAgent(t), emptyImage(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestSandboxChild$", "hold-boxes", dir, agent, image)
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	cmd.Stderr = t.Output()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	var worker, id string
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		_, err = fmt.Sscanf(line, "holds %s %s", &worker, &id)
	}
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}

	living := open(t, dir, agent)
	defer closed(t, living)
	if got := containers(t, worker); len(got) != 2 || !slices.Contains(got, id) {
		t.Errorf("beside a living judge, another has swept it: %v are left", got)
	}
	elsewhere := open(t, t.TempDir(), agent)
	defer closed(t, elsewhere)
	if got := containers(t, worker); len(got) != 2 {
		t.Errorf("a judge that cannot see its lock has swept it: %v are left", got)
	}
	slot := acquire(t, living)
	defer slot.Release()
	box := take(t, slot, runner.Spec{Image: image, Class: runner.Run})
	defer box.Discard()

	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if got := left(t, living, worker); len(got) < 2+2 {
		t.Fatalf("a killed judge has left only %v", got)
	}
	if err := living.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := left(t, living, worker); len(got) != 0 {
		t.Errorf("after the sweep %v are left", got)
	}
	if err := box.Wipe(t.Context()); err != nil {
		t.Errorf("the box of a living judge: %v", err)
	}
}

// TestCloseLeavesNothing: not even names.
func TestCloseLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, builtAgent(t))
	slot := acquire(t, s)
	spec := runner.Spec{Image: emptyImage(t), Class: runner.Run}
	one, two := take(t, slot, spec), take(t, slot, spec)
	one.Release()
	one.Release() // again: the pool has it once
	if a, b := take(t, slot, spec), take(t, slot, spec); docker.ContainerID(a) == docker.ContainerID(b) {
		t.Error("a box has two owners")
	} else {
		a.Discard()
		a.Discard()
		b.Release()
	}
	two.Discard()
	slot.Release()
	closed(t, s)
	if got := left(t, s, s.Worker()); len(got) != 0 {
		t.Errorf("after the end %v are left", got)
	}
}

// TestCores: two sandboxes in one process never hold one core at once.
func TestCores(t *testing.T) {
	dir, agent := t.TempDir(), builtAgent(t)
	var users [1024]atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		s := open(t, dir, agent)
		defer closed(t, s)
		for range s.Slots() + 1 {
			wg.Go(func() {
				for range 20 {
					slot, err := s.Acquire(t.Context())
					if err != nil {
						t.Error(err)
						return
					}
					if users[slot.CPU()].Add(1) != 1 {
						t.Errorf("core %d has two users", slot.CPU())
					}
					time.Sleep(time.Millisecond)
					users[slot.CPU()].Add(-1)
					slot.Release()
				}
			})
		}
	}
	wg.Wait()
}

// TestUnavailable: what another box could not do either.
func TestUnavailable(t *testing.T) {
	s := open(t, t.TempDir(), builtAgent(t))
	defer closed(t, s)
	slot := acquire(t, s)
	defer slot.Release()
	if _, err := slot.Box(t.Context(), runner.Spec{Image: "judge/none:none", Class: runner.Run}); !errors.Is(err, runner.ErrUnavailable) {
		t.Errorf("missing image: %v", err)
	}
	box := take(t, slot, runner.Spec{Image: emptyImage(t), Class: runner.Run})
	defer box.Discard()
	cmd := &runner.Command{Args: []string{"/x"}, Limits: runner.Limits{Wall: time.Second, Memory: 1 << 50, Processes: 1}}
	if _, err := box.Run(t.Context(), cmd); !errors.Is(err, runner.ErrUnavailable) || !strings.Contains(err.Error(), "memory") {
		t.Errorf("memory limit above what boxes hold: %v", err)
	}
	cmd.Limits.Memory = 0
	if r, err := box.Run(t.Context(), cmd); err != nil || r.Exec == 0 {
		t.Errorf("the box after it: %+v, %v", r, err)
	}
}

// TestReuse: under PerSubmission no box comes twice; a jury's comes back to its
// problem version alone.
func TestReuse(t *testing.T) {
	s := open(t, t.TempDir(), builtAgent(t))
	defer closed(t, s)
	slot := acquire(t, s)
	defer slot.Release()
	image := emptyImage(t)
	used := func(spec runner.Spec) string {
		spec.Image = image
		b := take(t, slot, spec)
		defer b.Release()
		return docker.ContainerID(b)
	}
	seen := map[string]bool{}
	for range 4 {
		id := used(runner.Spec{Class: runner.Run, Isolation: runner.PerSubmission, Tenant: "s"})
		if seen[id] {
			t.Error("a submission got a used box")
		}
		seen[id] = true
		s.Drain() // the next one is ready: it is taken
	}
	a := used(runner.Spec{Class: runner.Jury, Tenant: "a"})
	b := used(runner.Spec{Class: runner.Jury, Tenant: "b"})
	if a == b || used(runner.Spec{Class: runner.Jury, Tenant: "a"}) != a || used(runner.Spec{Class: runner.Jury, Tenant: "b"}) != b {
		t.Error("jury boxes of two problem versions got mixed up")
	}
	if c := used(runner.Spec{Class: runner.Compile, Tenant: "a"}); c == a || c == b || seen[c] {
		t.Error("a box changed its class")
	}
}

// TestWarmUp: what a warm-up faults in is in no run's memory.
func TestWarmUp(t *testing.T) {
	s := open(t, t.TempDir(), builtAgent(t))
	defer closed(t, s)
	slot := acquire(t, s)
	defer slot.Release()
	box := take(t, slot, runner.Spec{
		Image: *warmImage, Class: runner.Run, Env: []string{"PATH=/usr/bin:/bin"},
		Warmup: [][]string{{"/bin/bash", "-c", "ls -l /bin; echo x > /tmp/left; sleep 60 & true"}},
	})
	defer box.Discard()
	var out bytes.Buffer
	r, err := box.Run(t.Context(), &runner.Command{
		Args: []string{"/bin/bash", "-c", "ls -a /tmp; set -- /proc/[0-9]*; echo $#"}, Env: []string{"PATH=/usr/bin:/bin"}, Stdout: &out,
		Limits: runner.Limits{CPU: 10 * time.Second, Wall: time.Minute, Memory: 64 << 20, Output: 1 << 10, Processes: 16},
	})
	if err != nil || r.ExitCode != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.MemoryBase > 1<<20 || r.Memory > 4<<20 {
		t.Errorf("the first run has %d bytes, %d of them from before", r.Memory, r.MemoryBase)
	}
	if got := out.String(); got != ".\n..\n2\n" { // the agent and the shell
		t.Errorf("the first run finds %q", got)
	}
	_, err = slot.Box(t.Context(), runner.Spec{Image: *warmImage, Class: runner.Run, Warmup: [][]string{{"/bin/bash", "-c", "exit 3"}}})
	if err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("a warm-up that fails: %v", err)
	}
}
