package main

import (
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"judge/judge"
	"judge/runner"
)

// A command called npm that leaves a file where npm pack would: what is pinned is
// held against what came, whoever fetched it.
func TestNPMPack(t *testing.T) {
	bin := t.TempDir()
	write(t, filepath.Join(bin, "npm"), `#!/bin/sh
while [ $# -gt 0 ]; do
    [ "$1" != --pack-destination ] || dir=$2
    last=$1
    shift
done
case $last in
@a/good@1.2.3) printf 'what it holds' >"$dir/good.tgz" ;;
two@*) touch "$dir/a.tgz" "$dir/b.tgz" ;;
*) echo "npm error 404 $last" >&2; exit 1 ;;
esac
`)
	if err := os.Chmod(filepath.Join(bin, "npm"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	sum := sha512.Sum512([]byte("what it holds"))
	good := judge.Package{Name: "@a/good", Version: "1.2.3", Integrity: "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
	if data, err := npmPack(t.Context(), good); err != nil || string(data) != "what it holds" {
		t.Errorf("%q, %v", data, err)
	}
	other := good
	other.Integrity = "sha512-other"
	_, err := npmPack(t.Context(), other)
	contains(t, "error", message(err), "@a/good@1.2.3 is not what language.yaml pins", good.Integrity, "sha512-other")
	_, err = npmPack(t.Context(), judge.Package{Name: "nowhere", Version: "1.0.0"})
	contains(t, "error", message(err), "npm error 404 nowhere@1.0.0")
	if !errors.Is(err, runner.ErrUnavailable) {
		t.Errorf("%v is not runner.ErrUnavailable", err)
	}
	_, err = npmPack(t.Context(), judge.Package{Name: "two", Version: "1.0.0"})
	contains(t, "error", message(err), "left 2 files")
	t.Setenv("PATH", t.TempDir())
	_, err = npmPack(t.Context(), good)
	contains(t, "error", message(err), "npm is missing", "install it")
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
