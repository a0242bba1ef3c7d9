package docker_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"judge/images"
	"judge/runner/docker"
)

func folder(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out["x/"+name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return out
}

func TestBasesOf(t *testing.T) {
	tests := []struct {
		name, file string
		want       []string
	}{
		{"one", "# of a language\nFROM debian:trixie-slim\nRUN true\n", []string{"debian:trixie-slim"}},
		{"stages", "FROM --platform=linux/amd64 a AS build\nfrom build as more\nFROM b\nCOPY --from=build /x /x\n", []string{"a", "b"}},
		{"scratch", "FROM scratch\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := docker.BasesOf(folder(map[string]string{"Dockerfile": tt.file}), "x")
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

// TestHashOf: whatever an image is made of is in its name, and nothing else is.
func TestHashOf(t *testing.T) {
	same := folder(map[string]string{"Dockerfile": "FROM a\n", "tool": "1"})
	hash := func(fsys fs.FS, ids ...string) string {
		t.Helper()
		h, err := docker.HashOf(fsys, "x", ids...)
		if err != nil || len(h) != 12 {
			t.Fatalf("%q, %v", h, err)
		}
		return h
	}
	want := hash(same, "sha256:1")
	embedded := folder(map[string]string{"Dockerfile": "FROM a\n", "tool": "1"})
	embedded["x/tool"].Mode = 0o444
	if hash(embedded, "sha256:1") != want {
		t.Error("an embedded folder has another hash")
	}
	executable := folder(map[string]string{"Dockerfile": "FROM a\n", "tool": "1"})
	executable["x/tool"].Mode = 0o755
	for name, got := range map[string]string{
		"another base": hash(same, "sha256:2"),
		"no base":      hash(same),
		"mode":         hash(executable, "sha256:1"),
		"content":      hash(folder(map[string]string{"Dockerfile": "FROM a\n", "tool": "2"}), "sha256:1"),
		"name":         hash(folder(map[string]string{"Dockerfile": "FROM a\n", "tools": "1"}), "sha256:1"),
		"one more":     hash(folder(map[string]string{"Dockerfile": "FROM a\n", "tool": "1", "b": ""}), "sha256:1"),
	} {
		if got == want {
			t.Errorf("%s changes nothing", name)
		}
	}
}

func TestFolderRefused(t *testing.T) {
	link := folder(map[string]string{"Dockerfile": "FROM a\n"})
	link["x/l"] = &fstest.MapFile{Data: []byte("/etc/passwd"), Mode: fs.ModeSymlink | 0o777}
	for name, tt := range map[string]struct {
		fsys fs.FS
		lang string
		want string
	}{
		"no Dockerfile": {folder(map[string]string{"a": ""}), "x", "holds no Dockerfile"},
		"no folder":     {folder(nil), "x", "x"},
		"upwards":       {folder(nil), "../x", "not the name of a folder"},
		"a link":        {link, "x", "not a regular file"},
	} {
		if _, err := docker.BasesOf(tt.fsys, tt.lang); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

func TestImagesHaveBases(t *testing.T) {
	entries, err := fs.ReadDir(images.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		bases, err := docker.BasesOf(images.FS, e.Name())
		bases = slices.Compact(bases) // stages of one image have one suite
		known := len(bases) == 1 && (strings.HasPrefix(bases[0], "debian:") || strings.HasPrefix(bases[0], "mcr.microsoft.com/"))
		if err != nil || !known {
			t.Errorf("%s: %q, %v", e.Name(), bases, err)
		}
	}
}
