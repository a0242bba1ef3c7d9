//go:build docker

package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var lockPath = regexp.MustCompile(`^/run/judge/([0-9a-f]{12})\.lock$`)

// TestKill kills judge without warning, at moments of all kinds, and then looks
// whether one sweep, or one start of another judge, leaves anything of it.
func TestKill(t *testing.T) {
	program := built(t)
	cache := filepath.Join(t.TempDir(), "cache")
	before := 0 // what kills left for the sweeps
	for i := range 8 {
		// From before the first box to the middle of judging.
		after := time.Duration(rand.Int64N(int64(2500 * time.Millisecond)))
		if i < 3 {
			after /= 10
		}
		t.Run(strconv.Itoa(i)+" after "+after.String(), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), program, "run", "--cache-dir", cache, "--problem", filepath.Join(samples, "popular"))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			worker := ""
			for deadline := time.Now().Add(30 * time.Second); worker == "" && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
				worker = workerOf(cmd.Process.Pid)
			}
			time.Sleep(after)
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // it was killed
			if worker == "" {
				t.Fatal("it never took a lock")
			}
			before += len(leftOf(t, worker))
			next := []string{"sweep"}
			if i%2 == 1 {
				next = []string{"run", "-p", filepath.Join(samples, "aplusb"), filepath.Join(samples, "aplusb/submissions/accepted/sum.py")}
			}
			if got := runToEnd(t, append([]string{program}, next...)...); got.code != exitOK {
				t.Fatalf("%s: exit code %d: %s", next[0], got.code, got.err)
			}
			if left := leftOf(t, worker); len(left) > 0 {
				t.Errorf("left after %s: %s", next[0], strings.Join(left, ", "))
			}
		})
	}
	if before == 0 {
		t.Error("no kill left anything: the sweeps had nothing to show")
	}
}

// TestInterrupt ends judge in good order: it leaves nothing, and needs no sweep.
func TestInterrupt(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), built(t), "run", "--problem", filepath.Join(samples, "popular"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	worker := ""
	for deadline := time.Now().Add(30 * time.Second); worker == "" && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		worker = workerOf(cmd.Process.Pid)
	}
	time.Sleep(700 * time.Millisecond)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitFailed || worker == "" {
		t.Errorf("exit code %d, worker %q", code, worker)
	}
	if left := leftOf(t, worker); len(left) > 0 {
		t.Errorf("left: %s", strings.Join(left, ", "))
	}
}

// workerOf finds a process's worker by the lock that it holds.
func workerOf(pid int) string {
	fds, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/fd/*")
	for _, fd := range fds {
		if target, err := os.Readlink(fd); err == nil {
			if m := lockPath.FindStringSubmatch(target); m != nil {
				return m[1]
			}
		}
	}
	return ""
}

// leftOf lists what there is of a worker: containers, its socket folder, its
// lock, its cgroups in every hierarchy.
func leftOf(t *testing.T, worker string) []string {
	t.Helper()
	left := strings.Fields(runToEnd(t, "docker", "ps", "-a", "--format", "{{.ID}}/{{.State}}", "--filter", "label=judge.worker="+worker).out)
	for _, pattern := range []string{
		"/run/judge/" + worker + "*",
		"/sys/fs/cgroup/*/judge/" + worker, "/sys/fs/cgroup/judge/" + worker,
		"/sys/fs/cgroup/*/judge.slice/judge-" + worker + ".slice", "/sys/fs/cgroup/judge.slice/judge-" + worker + ".slice",
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, found...)
	}
	return left
}
