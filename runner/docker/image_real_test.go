//go:build docker

package docker_test

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"judge/runner"
	"judge/runner/docker"
)

func openImages(t *testing.T, files fstest.MapFS) *docker.Images {
	t.Helper()
	im, err := docker.OpenImages(t.Context(), files, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = im.Close() })
	return im
}

func imageOf(t *testing.T, im *docker.Images) docker.Image {
	t.Helper()
	list, err := im.List(t.Context(), []string{"x"})
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	return list[0]
}

// TestBuild builds an image, changes its folder, builds it again and prunes.
func TestBuild(t *testing.T) {
	mark := t.Name() + fmt.Sprint(t.TempDir()) // no earlier test's image
	first := openImages(t, folder(map[string]string{"Dockerfile": "FROM scratch\nCOPY file /file\n", "file": mark}))
	before := imageOf(t, first)
	if before.State != docker.ImageMissing || before.ID != "" || !strings.HasPrefix(before.Ref, "judge/x:") {
		t.Fatalf("before: %+v", before)
	}
	var steps []string
	if err := first.Build(t.Context(), []string{"x"}, 2, func(p docker.BuildProgress) {
		steps = append(steps, fmt.Sprintf("%d/%d %t", p.Step, p.Steps, p.Done))
	}); err != nil {
		t.Fatal(err)
	}
	remove := func(ref string) {
		_ = exec.CommandContext(context.WithoutCancel(t.Context()), "docker", "rmi", ref).Run() // gone if the test went well
	}
	t.Cleanup(func() { remove(before.Ref) })
	if !slices.Contains(steps, "2/3 false") || steps[len(steps)-1] != "0/0 true" {
		t.Errorf("steps %q", steps)
	}
	built := imageOf(t, first)
	if built.State != docker.ImageReady || built.Ref != before.Ref || !strings.HasPrefix(built.ID, "sha256:") {
		t.Fatalf("after: %+v", built)
	}
	if err := first.Build(t.Context(), []string{"x"}, 2, func(p docker.BuildProgress) { t.Errorf("built again: %+v", p) }); err != nil {
		t.Fatal(err)
	}

	second := openImages(t, folder(map[string]string{"Dockerfile": "FROM scratch\nCOPY file /file\n", "file": mark + "2"}))
	if got := imageOf(t, second); got.State != docker.ImageMissing {
		t.Fatalf("a changed folder: %+v", got)
	}
	if removed, err := second.Prune(t.Context(), []string{"x"}); err != nil || len(removed) > 0 {
		t.Errorf("pruned before there is a new one: %v, %v", removed, err)
	}
	if err := second.Build(t.Context(), []string{"x"}, 2, nil); err != nil {
		t.Fatal(err)
	}
	after := imageOf(t, second).Ref
	t.Cleanup(func() { remove(after) })
	if removed, err := second.Prune(t.Context(), []string{"x"}); err != nil || !slices.Contains(removed, before.Ref) {
		t.Errorf("pruned %v, %v", removed, err)
	}
	if got := imageOf(t, first); got.State != docker.ImageMissing {
		t.Errorf("pruned, and still there: %+v", got)
	}
}

func TestBuildFails(t *testing.T) {
	im := openImages(t, folder(map[string]string{"Dockerfile": "FROM scratch\nCOPY missing /\n"}))
	err := im.Build(t.Context(), []string{"x"}, 1, nil)
	if err == nil || !strings.Contains(err.Error(), "image of x") || !strings.Contains(err.Error(), "COPY missing") {
		t.Errorf("%v: want the step that failed", err)
	}
	im = openImages(t, folder(map[string]string{"Dockerfile": "FROM judge/no-such-base:1\n"}))
	if got := imageOf(t, im); got.State != docker.ImageBaseMissing || got.Missing != "judge/no-such-base:1" {
		t.Errorf("%+v", got)
	}
	err = im.Build(t.Context(), []string{"x"}, 1, nil)
	if !errors.Is(err, runner.ErrUnavailable) || !strings.Contains(err.Error(), "make images") {
		t.Errorf("%v: want the remedy", err)
	}
}
