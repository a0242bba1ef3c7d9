package main

import (
	"bytes"
	"context"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"time"

	"judge/judge"
	"judge/judge/language"
	"judge/runner"
	"judge/runner/docker"
)

const (
	npmPatience = 10 * time.Minute
	npmMaxBytes = 512 << 20
)

// npmPackages says which packages of the npm registry the build of a folder's image
// gets, as npm/NAME.tgz. They are got outside of the build: npm inside of one would
// know neither a company's certificates nor what integrity we want.
func npmPackages(set *language.Set) func(folder string) []docker.Extra {
	byFolder := map[string][]docker.Extra{}
	for _, l := range set.All() {
		if byFolder[l.Image] != nil { // variants have the same
			continue
		}
		for _, p := range l.Packages {
			byFolder[l.Image] = append(byFolder[l.Image], docker.Extra{
				Name: "npm/" + path.Base(p.Name) + ".tgz", Digest: p.Integrity,
				Read: func(ctx context.Context) ([]byte, error) { return npmPack(ctx, p) },
			})
		}
	}
	return func(folder string) []docker.Extra { return byFolder[folder] }
}

// npmPack has npm fetch a package, and checks what came.
func npmPack(ctx context.Context, p judge.Package) (data []byte, err error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return nil, fmt.Errorf("%w: npm is missing, which fetches %s: install it (apt-get install npm) and build again", runner.ErrUnavailable, p.Name)
	}
	dir, err := os.MkdirTemp("", "judge-npm-")
	if err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx, cancel := context.WithTimeout(ctx, npmPatience)
	defer cancel()
	var words bytes.Buffer
	cmd := exec.CommandContext(ctx, npm, "pack", "--silent", "--ignore-scripts", "--pack-destination", dir, p.Name+"@"+p.Version)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &words, &words
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w: npm pack %s@%s: %w: %s", runner.ErrUnavailable, p.Name, p.Version, err, judge.SafeText(words.Bytes(), maxNpmWords))
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("npm pack %s@%s left %d files, want one", p.Name, p.Version, len(found))
	}
	if info, err := os.Stat(found[0]); err != nil || info.Size() > npmMaxBytes {
		return nil, fmt.Errorf("npm pack %s@%s: more than %d MiB, or %w", p.Name, p.Version, npmMaxBytes>>20, err)
	}
	if data, err = os.ReadFile(found[0]); err != nil {
		return nil, fmt.Errorf("read package: %w", err)
	}
	return data, checkIntegrity(p, data)
}

const maxNpmWords = 2000

// checkIntegrity compares a package with what was pinned.
func checkIntegrity(p judge.Package, data []byte) error {
	sum := sha512.Sum512(data)
	got := "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
	if subtle.ConstantTimeCompare([]byte(got), []byte(p.Integrity)) != 1 {
		return fmt.Errorf("%s@%s is not what language.yaml pins: its integrity is %s, want %s", p.Name, p.Version, got, p.Integrity)
	}
	return nil
}
