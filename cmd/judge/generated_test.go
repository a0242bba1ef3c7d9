//go:build docker

package main

import (
	"archive/zip"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// oapiCodegen makes clients of OpenAPI documents; it does not read 3.1.
const oapiCodegen = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"

// TestGeneratedClient makes a client of the server's own document, in a module of
// its own, and judges with it.
func TestGeneratedClient(t *testing.T) {
	d := deploy(t)
	dir := t.TempDir()
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
	}
	program, err := os.ReadFile("testdata/generated/main.go")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "main.go"), string(program))
	write(t, filepath.Join(dir, "go.mod"), "module generated\n\ngo 1.26.0\n")
	run("curl", "-sf", "-o", "openapi.json", "http://"+d.address+"/openapi-3.0.json")
	run("go", "run", oapiCodegen, "-generate", "types,client", "-package", "main", "-o", "client.go", "openapi.json")
	run("go", "mod", "tidy")
	pack := zipped(t, filepath.Join(samples, "aplusb"))
	run("go", "run", ".", "http://"+d.address, d.token, pack)
}

// zipped packs a folder as whoever has only zip at hand.
func zipped(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "package.zip")
	if err := writeZip(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

func writeZip(to string, from fs.FS) error {
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	w := zip.NewWriter(f)
	return errors.Join(w.AddFS(from), w.Close(), f.Close())
}
