//go:build docker

package docker_test

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/image"
	"github.com/docker/docker/client"
	"github.com/docker/docker/pkg/stdcopy"
	"golang.org/x/sys/unix"

	"judge/runner/docker"
)

type probeCall struct {
	Nr   uint64
	Args [6]uint64
}

type probeAnswer struct {
	Errnos   []unix.Errno
	Statuses []string
}

// TestSeccompProfileInContainer runs a program under the profile, as root with
// the capabilities that the agent has, and without the second filter.
func TestSeccompProfileInContainer(t *testing.T) {
	t.Parallel()
	const bad = ^uint64(0)
	tests := []struct {
		name string
		call probeCall
		want unix.Errno
	}{
		// What the agent needs gets as far as the kernel's own complaint.
		{"clone3", probeCall{unix.SYS_CLONE3, [6]uint64{bad, 88}}, unix.EFAULT},
		{"seccomp", probeCall{unix.SYS_SECCOMP, [6]uint64{99}}, unix.EINVAL},
		{"openat2", probeCall{unix.SYS_OPENAT2, [6]uint64{bad, bad, bad, 24}}, unix.EFAULT},
		{"pidfd_open", probeCall{unix.SYS_PIDFD_OPEN, [6]uint64{bad}}, unix.EINVAL},
		{"setresuid", probeCall{unix.SYS_SETRESUID, [6]uint64{bad, bad, bad}}, 0},
		{"unix socket", probeCall{unix.SYS_SOCKET, [6]uint64{unix.AF_UNIX, unix.SOCK_SEQPACKET}}, 0},
		{"statx", probeCall{unix.SYS_STATX, [6]uint64{bad, bad, 0, 0, bad}}, unix.EFAULT},
		{"close_range", probeCall{unix.SYS_CLOSE_RANGE, [6]uint64{2, 1}}, unix.EINVAL},
		// What programs need.
		{"fork by clone", probeCall{unix.SYS_CLONE, [6]uint64{unix.CLONE_SIGHAND}}, unix.EINVAL},
		{"query personality", probeCall{unix.SYS_PERSONALITY, [6]uint64{0xffffffff}}, 0},
		{"fifo", probeCall{unix.SYS_MKNODAT, [6]uint64{bad, bad, unix.S_IFIFO | 0o600}}, unix.EFAULT},
		{"memfd", probeCall{unix.SYS_MEMFD_CREATE, [6]uint64{bad}}, unix.EFAULT},
		{"flock", probeCall{unix.SYS_FLOCK, [6]uint64{bad, unix.LOCK_SH}}, unix.EBADF},
		{"rseq", probeCall{unix.SYS_RSEQ, [6]uint64{1, 1, 8, 0}}, unix.EINVAL},
		// What nobody does.
		{"clone a user namespace", probeCall{unix.SYS_CLONE, [6]uint64{unix.CLONE_NEWUSER | unix.CLONE_SIGHAND}}, unix.EPERM},
		{"unshare", probeCall{unix.SYS_UNSHARE, [6]uint64{0}}, unix.EPERM},
		{"setns", probeCall{unix.SYS_SETNS, [6]uint64{bad}}, unix.EPERM},
		{"mount", probeCall{unix.SYS_MOUNT, [6]uint64{bad, bad, bad}}, unix.EPERM},
		{"fsopen", probeCall{unix.SYS_FSOPEN, [6]uint64{bad}}, unix.EPERM},
		{"IPv4", probeCall{unix.SYS_SOCKET, [6]uint64{unix.AF_INET, unix.SOCK_STREAM}}, unix.EAFNOSUPPORT},
		{"netlink", probeCall{unix.SYS_SOCKET, [6]uint64{unix.AF_NETLINK, unix.SOCK_RAW}}, unix.EAFNOSUPPORT},
		{"vsock", probeCall{unix.SYS_SOCKET, [6]uint64{unix.AF_VSOCK, unix.SOCK_STREAM}}, unix.EAFNOSUPPORT},
		{"alg", probeCall{unix.SYS_SOCKET, [6]uint64{unix.AF_ALG, unix.SOCK_SEQPACKET}}, unix.EAFNOSUPPORT},
		{"ptrace", probeCall{unix.SYS_PTRACE, [6]uint64{bad}}, unix.EPERM},
		{"process_vm_readv", probeCall{unix.SYS_PROCESS_VM_READV, [6]uint64{bad}}, unix.EPERM},
		{"pidfd_getfd", probeCall{unix.SYS_PIDFD_GETFD, [6]uint64{bad}}, unix.EPERM},
		{"io_uring", probeCall{unix.SYS_IO_URING_SETUP, [6]uint64{1, bad}}, unix.EPERM},
		{"io_setup", probeCall{unix.SYS_IO_SETUP, [6]uint64{1, bad}}, unix.EPERM},
		{"userfaultfd", probeCall{unix.SYS_USERFAULTFD, [6]uint64{bad}}, unix.EPERM},
		{"bpf", probeCall{unix.SYS_BPF, [6]uint64{bad}}, unix.EPERM},
		{"memfd_secret", probeCall{unix.SYS_MEMFD_SECRET, [6]uint64{bad}}, unix.EPERM},
		{"keyctl", probeCall{unix.SYS_KEYCTL, [6]uint64{bad}}, unix.EPERM},
		{"add_key", probeCall{unix.SYS_ADD_KEY, [6]uint64{bad}}, unix.EPERM},
		{"shmget", probeCall{unix.SYS_SHMGET, [6]uint64{1, 4096, 0o1600}}, unix.EPERM},
		{"semget", probeCall{unix.SYS_SEMGET, [6]uint64{1, 1, 0o1600}}, unix.EPERM},
		{"msgget", probeCall{unix.SYS_MSGGET, [6]uint64{1, 0o1600}}, unix.EPERM},
		{"mq_open", probeCall{unix.SYS_MQ_OPEN, [6]uint64{bad}}, unix.EPERM},
		{"inotify", probeCall{unix.SYS_INOTIFY_INIT1, [6]uint64{0}}, unix.EPERM},
		{"character device", probeCall{unix.SYS_MKNODAT, [6]uint64{bad, bad, unix.S_IFCHR | 0o600}}, unix.EPERM},
		{"fchown", probeCall{unix.SYS_FCHOWN, [6]uint64{bad}}, unix.EPERM},
		{"setxattr", probeCall{unix.SYS_SETXATTR, [6]uint64{bad}}, unix.EPERM},
		{"personality flags", probeCall{unix.SYS_PERSONALITY, [6]uint64{0x0400000}}, unix.EPERM},
		{"open_by_handle_at", probeCall{unix.SYS_OPEN_BY_HANDLE_AT, [6]uint64{bad}}, unix.EPERM},
		{"syncfs", probeCall{unix.SYS_SYNCFS, [6]uint64{bad}}, unix.EPERM},
		{"a call from the future", probeCall{600, [6]uint64{}}, unix.ENOSYS},
	}
	calls := make([]probeCall, len(tests))
	for i, tt := range tests {
		calls[i] = tt.call
	}
	got := probe(t, calls)
	for i, tt := range tests {
		if got.Errnos[i] != tt.want {
			t.Errorf("%s: %v (%d), want %v", tt.name, got.Errnos[i], got.Errnos[i], tt.want)
		}
	}
	for i, p := range foreignPrograms {
		if got.Statuses[i] != "signal: bad system call (core dumped)" && got.Statuses[i] != "signal: bad system call" {
			t.Errorf("%s: %s, want death by SIGSYS", p.name, got.Statuses[i])
		}
	}
}

// foreignProgram makes a call of another architecture than the container's.
type foreignProgram struct {
	name string
	elf  []byte
}

// probe makes the calls, and runs the foreign programs, in a container that has
// nothing but testdata/seccomp.
func probe(t *testing.T, calls []probeCall) probeAnswer {
	t.Helper()
	engine, err := client.NewClientWithOpts(client.FromEnv, client.WithAPIVersionNegotiation())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	list, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	cmd := []string{"/probe", string(list)}
	for _, p := range foreignPrograms {
		cmd = append(cmd, "/"+p.name)
	}
	profile, err := docker.SeccompProfile()
	if err != nil {
		t.Fatal(err)
	}
	made, err := engine.ContainerCreate(t.Context(),
		&container.Config{Image: importProbe(t, engine), Cmd: cmd},
		&container.HostConfig{
			NetworkMode: "none", ReadonlyRootfs: true, CapDrop: []string{"ALL"}, CapAdd: []string{"SETUID", "SETGID"},
			SecurityOpt: []string{"no-new-privileges", "seccomp=" + profile},
			LogConfig:   container.LogConfig{Type: "json-file"},
		}, nil, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.ContainerRemove(context.WithoutCancel(t.Context()), made.ID, container.RemoveOptions{Force: true}); err != nil {
			t.Errorf("remove the probe's container: %v", err)
		}
	})
	done, failed := engine.ContainerWait(t.Context(), made.ID, container.WaitConditionNextExit)
	if err := engine.ContainerStart(t.Context(), made.ID, container.StartOptions{}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-done:
	case err := <-failed:
		t.Fatal(err)
	}
	logs, err := engine.ContainerLogs(t.Context(), made.ID, container.LogsOptions{ShowStdout: true, ShowStderr: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = logs.Close() }()
	var stdout, stderr bytes.Buffer
	if _, err := stdcopy.StdCopy(&stdout, &stderr, logs); err != nil {
		t.Fatal(err)
	}
	var a probeAnswer
	if err := json.Unmarshal(stdout.Bytes(), &a); err != nil || len(a.Errnos) != len(calls) || len(a.Statuses) != len(foreignPrograms) {
		t.Fatalf("the probe answers %q, %q: %v", stdout.String(), stderr.String(), err)
	}
	return a
}

// importProbe makes an image of the probe and the foreign programs.
func importProbe(t *testing.T, engine *client.Client) (id string) {
	t.Helper()
	binary := filepath.Join(*programs, "seccomp")
	if *programs == "" {
		binary = filepath.Join(t.TempDir(), "seccomp")
		build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./testdata/seccomp")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build the probe: %v\n%s", err, out)
		}
	}
	text, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	var root bytes.Buffer
	w := tar.NewWriter(&root)
	for _, p := range append([]foreignProgram{{"probe", text}}, foreignPrograms...) {
		if err := w.WriteHeader(&tar.Header{Name: p.name, Mode: 0o755, Size: int64(len(p.elf))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(p.elf); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	progress, err := engine.ImageImport(t.Context(), image.ImportSource{Source: &root, SourceName: "-"}, "", image.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = progress.Close() }()
	for dec := json.NewDecoder(progress); ; {
		var line struct{ Status string }
		if err := dec.Decode(&line); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		id = line.Status
	}
	t.Cleanup(func() {
		if _, err := engine.ImageRemove(context.WithoutCancel(t.Context()), id, image.RemoveOptions{}); err != nil {
			t.Errorf("remove the probe's image: %v", err)
		}
	})
	return id
}
