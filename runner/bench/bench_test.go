//go:build docker

package bench_test

import (
	"flag"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"judge/runner/bench"
	"judge/runner/docker"
)

var image = flag.String("image", "", "image with /usr/bin/gcc; empty: the first judge/c or judge/cpp there is")

// TestEveryCaseReports makes few runs of every case. It says nothing about the
// figures, which a busy machine can make of any size.
func TestEveryCaseReports(t *testing.T) {
	dir := t.TempDir()
	agent := filepath.Join(dir, "judge-agent")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", agent, "judge/cmd/judge/agent")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the agent: %v\n%s", err, out)
	}
	sandbox, err := docker.New(t.Context(), docker.Options{Agent: agent})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := sandbox.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	b, err := bench.New(t.Context(), sandbox, compilerImage(t), filepath.Join(dir, "programs"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	report := func(r bench.Report) {
		got = append(got, r.Bench+" "+r.Case)
		v := r.Value
		if v == nil {
			v = r.Ratio
		}
		if v == nil || *v <= 0 || len(r.Want) != 2 || len(r.Figures) == 0 {
			t.Errorf("%s %s reports %v of %v, %v", r.Bench, r.Case, v, r.Want, r.Figures)
		}
	}
	for name, err := range map[string]error{
		"run": b.Run(t.Context(), 10, report), "io": b.IO(t.Context(), 2, report), "accuracy": b.Accuracy(t.Context(), 3, report),
		"interactive": b.Interactive(t.Context(), 1, 1000, report),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	want := []string{
		"run back-to-back", "run spaced", "run throughput", "io stdin", "io stdout", "accuracy cpu-idle", "accuracy cpu-loaded",
		"accuracy memory-touch", "accuracy memory-fork", "accuracy memory-stdout", "accuracy memory-after-cold", "accuracy cpu-limit",
		"interactive turns",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("reports of %q, want %q", got, want)
	}
}

// compilerImage finds an image that was built by make images.
func compilerImage(t *testing.T) string {
	t.Helper()
	if *image != "" {
		return *image
	}
	for _, language := range []string{"c", "cpp"} {
		out, err := exec.CommandContext(t.Context(), "docker", "images", "-q", "judge/"+language).Output()
		if id := firstLine(string(out)); err == nil && id != "" {
			return id
		}
	}
	t.Fatal("no image of C or C++: make images builds them, -image names another")
	return ""
}

func firstLine(s string) string {
	for i, c := range s {
		if c == '\n' {
			return s[:i]
		}
	}
	return s
}
