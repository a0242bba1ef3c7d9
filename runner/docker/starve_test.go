//go:build docker

package docker_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"judge/runner"
	"judge/runner/docker"
)

// TestStarved: a run that others keep from its core is not stopped by its wall
// limit, and one that sleeps is.
func TestStarved(t *testing.T) {
	s, err := docker.New(t.Context(), docker.Options{Agent: builtAgent(t), Slots: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(t.Context()) })
	slot, err := s.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer slot.Release()
	box, err := slot.Box(t.Context(), runner.Spec{Image: "debian:trixie-slim", Class: runner.Run})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Discard()
	for range 3 {
		hog(t, slot.CPU())
	}
	const wall = 500 * time.Millisecond
	run := func(script string) runner.Result {
		t.Helper()
		r, err := box.Run(t.Context(), &runner.Command{
			Args: []string{"/bin/bash", "-c", script}, Env: []string{"PATH=/usr/bin:/bin"},
			Limits: runner.Limits{CPU: 450 * time.Millisecond, Wall: wall, Memory: 256 << 20, Processes: 10},
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := run("while :; do :; done"); r.Limit != runner.LimitCPU || r.Wall < wall {
		t.Errorf("a starved loop: %+v", r)
	}
	if r := run("sleep 100"); r.Limit != runner.LimitWall {
		t.Errorf("a sleeper: %+v", r)
	}
}

// hog keeps a core busy until the test ends.
func hog(t *testing.T, cpu int) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", "while :; do :; done")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	var set unix.CPUSet
	set.Set(cpu)
	if err := unix.SchedSetaffinity(cmd.Process.Pid, &set); err != nil {
		t.Fatal(err)
	}
}
