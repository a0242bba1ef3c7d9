//go:build docker

package docker_test

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log/slog"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/docker/docker/api/types/build"
	"github.com/docker/docker/client"

	"judge/runner"
	"judge/runner/docker"
	"judge/runner/runnertest"
)

// Where there is neither Go nor a C compiler, as in a test machine of its own,
// the programs come ready-made.
var (
	agentPath = flag.String("agent", "", "judge-agent; empty: built by the test")
	programs  = flag.String("programs", "", "folder that runnertest.Build has filled, with testdata/seccomp compiled to seccomp; empty: built by the test")
	scale     = flag.Float64("scale", 1, "how much slower than usual this machine is")
	slots     = flag.Int("slots", 0, "slots of the sandbox; 0: all cores")
)

func TestConformance(t *testing.T) {
	options := docker.Options{Agent: builtAgent(t), Slots: *slots, Log: slog.New(slog.NewTextHandler(t.Output(), nil))}
	open := func(t *testing.T) runner.Sandbox {
		t.Helper()
		s, err := docker.New(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	runnertest.Conform(t, open, runnertest.Options{
		Image: emptyImage(t), Scale: *scale, Programs: *programs, HostChecks: []runnertest.HostCheck{onlyAgent},
	})
}

func builtAgent(t *testing.T) string {
	t.Helper()
	if *agentPath != "" {
		return *agentPath
	}
	path := filepath.Join(t.TempDir(), "judge-agent")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", path, "judge/cmd/judge/agent")
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build the agent: %v\n%s", err, out)
	}
	return path
}

// emptyImage builds an image with nothing in it: boxes bring all they need.
func emptyImage(t *testing.T) string {
	t.Helper()
	const name = "judge/test-empty"
	engine, err := client.NewClientWithOpts(client.FromEnv, client.WithAPIVersionNegotiation())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = engine.Close() }()
	var context bytes.Buffer
	w := tar.NewWriter(&context)
	file := []byte("FROM scratch\nLABEL judge.test=empty\n")
	err = errors.Join(w.WriteHeader(&tar.Header{Name: "Dockerfile", Mode: 0o644, Size: int64(len(file))}), second(w.Write(file)), w.Close())
	if err != nil {
		t.Fatal(err)
	}
	res, err := engine.ImageBuild(t.Context(), &context, build.ImageBuildOptions{Tags: []string{name}, Version: build.BuilderV1})
	if err != nil {
		t.Fatalf("build an empty image: %v", err)
	}
	defer func() { _ = res.Body.Close() }()
	for lines := json.NewDecoder(res.Body); ; {
		var line struct{ Error string }
		err := lines.Decode(&line)
		if errors.Is(err, io.EOF) {
			return name
		}
		if err != nil || line.Error != "" {
			t.Fatalf("build an empty image: %v %s", err, line.Error)
		}
	}
}

func second[T any](_ T, err error) error { return err }
