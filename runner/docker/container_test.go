//go:build docker

package docker_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"judge/runner"
)

// TestContainedChild is not a test but a judge in a container: this binary anew.
// It runs a program, says so, and holds its boxes until it is killed.
func TestContainedChild(t *testing.T) {
	if flag.NArg() != 4 || flag.Arg(0) != "contained" {
		return
	}
	s := open(t, flag.Arg(1), flag.Arg(2))
	slot := acquire(t, s)
	box := take(t, slot, runner.Spec{Image: flag.Arg(3), Class: runner.Run})
	var out strings.Builder
	res, err := box.Run(t.Context(), &runner.Command{
		Args: []string{"/bin/echo", "hello"}, Stdout: &out,
		Limits: runner.Limits{CPU: time.Second, Wall: 20 * time.Second, Memory: 64 << 20, Processes: 8, Output: 1 << 10},
	})
	if err != nil || res.ExitCode != 0 || res.Memory == 0 || out.String() != "hello\n" {
		t.Fatalf("in a container a run gives %+v, %q (%v)", res, out.String(), err)
	}
	fmt.Println("holds", s.Worker())
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// contained is docker run of a judge in dir, given what docker-compose.yml gives
// a worker but for some mounts.
func contained(t *testing.T, dir string, without ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{
		"run", "--rm", "--interactive", "--user", "0:0", "--network", "none", "--read-only", "--tmpfs", "/tmp",
		"--cap-drop", "ALL", "--cap-add", "CHOWN", "--cap-add", "DAC_OVERRIDE", "--security-opt", "no-new-privileges",
		"--volume", self + ":/judge.test:ro",
	}
	mounts := []string{"/var/run/docker.sock", "/sys/fs/cgroup", dir}
	if _, err := os.Stat("/run/systemd/system"); err == nil {
		mounts = append(mounts, "/run/systemd", "/usr") // the image has no systemctl
	}
	for _, m := range mounts {
		if !slices.Contains(without, m) {
			args = append(args, "--volume", m+":"+m)
		}
	}
	agent := builtAgent(t)
	args = append(args, "--volume", agent+":/agent:ro", "--entrypoint", "/judge.test", *warmImage,
		"-test.run=^TestContainedChild$", "contained", dir, "/agent", *warmImage)
	return exec.CommandContext(t.Context(), "docker", args...)
}

// TestInContainer: a judge in a container shares locks, sockets, cgroups and
// boxes with one on the host, which sweeps it when it is killed.
func TestInContainer(t *testing.T) {
	for _, namespace := range []string{"host", "private"} {
		t.Run(namespace, func(t *testing.T) { inContainer(t, namespace) })
	}
}

func inContainer(t *testing.T, namespace string) {
	t.Helper()
	dir := t.TempDir()
	cmd := contained(t, dir)
	cidfile := filepath.Join(t.TempDir(), "id")
	cmd.Args = slices.Insert(cmd.Args, 2, "--cidfile", cidfile, "--cgroupns", namespace)
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	cmd.Stderr = t.Output()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	var worker string
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		_, err = fmt.Sscanf(line, "holds %s", &worker)
	}
	if err != nil {
		rest, _ := io.ReadAll(out)
		t.Fatalf("%q: %v\n%s", line, err, rest)
	}

	host := open(t, dir, builtAgent(t))
	defer closed(t, host)
	if got := containers(t, worker); len(got) != 1 {
		t.Errorf("beside a judge in a container, one on the host has swept it: %v are left", got)
	}
	id, err := os.ReadFile(cidfile)
	if err != nil {
		t.Fatal(err)
	}
	if said, err := exec.CommandContext(t.Context(), "docker", "kill", string(id)).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	_ = cmd.Wait()
	if got := left(t, host, worker); len(got) < 2 {
		t.Errorf("a judge in a container left only %v where the host sees it", got)
	}
	if err := host.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := left(t, host, worker); len(got) != 0 {
		t.Errorf("after the sweep %v are left", got)
	}
}

// TestContainerLacks: what a container was not given is said before or when the
// first box is made, with the remedy.
func TestContainerLacks(t *testing.T) {
	for _, without := range []string{"/sys/fs/cgroup", "state"} {
		dir := t.TempDir()
		cmd := contained(t, dir, strings.Replace(without, "state", dir, 1))
		if without == "state" {
			cmd.Args = slices.Insert(cmd.Args, 2, "--tmpfs", dir+":exec")
		}
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "mounted at the same path") {
			t.Errorf("without %s: %v\n%s", without, err, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "cache")); without == "state" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("without %s the container still has it", without)
		}
	}
}
