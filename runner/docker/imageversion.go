package docker

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"judge/runner"
)

// Versions keeps what the version commands of images print, in a folder that
// several processes may share: an image never changes, so each is run once.
// Its methods may be called by many goroutines.
type Versions struct {
	Dir string // made when it is first written to
}

// versionLimits are far above what any version command needs.
var versionLimits = runner.Limits{CPU: 20 * time.Second, Wall: 30 * time.Second, Memory: 1 << 30, Output: 64 << 10, Processes: 64}

// Known is the first line that argv prints in the image of that id, if it has
// been run before.
func (v Versions) Known(id string, argv []string) (string, bool) {
	b, err := os.ReadFile(v.file(id, argv))
	return string(b), err == nil
}

// Ask returns what Known knows, and else runs argv with the environment env in
// a box. It waits for a slot: who has one may not call it.
func (v Versions) Ask(ctx context.Context, sandbox runner.Sandbox, id string, argv, env []string) (string, error) {
	if known, ok := v.Known(id, argv); ok || len(argv) == 0 {
		return known, nil
	}
	slot, err := sandbox.Acquire(ctx)
	if err != nil {
		return "", err
	}
	defer slot.Release()
	box, err := slot.Box(ctx, runner.Spec{Image: id, Class: runner.Compile, Tenant: "version"})
	if err != nil {
		return "", fmt.Errorf("take box for %s: %w", argv[0], err)
	}
	defer box.Discard()
	var out, errs bytes.Buffer
	res, err := box.Run(ctx, &runner.Command{Args: argv, Env: env, Stdout: &out, Stderr: &errs, Limits: versionLimits})
	if err != nil {
		return "", fmt.Errorf("run %s: %w", argv[0], err)
	}
	text := strings.TrimSpace(out.String())
	if text == "" {
		text = strings.TrimSpace(errs.String())
	}
	if res.Exec != 0 || res.Signal != 0 || res.ExitCode != 0 || res.Limit != runner.LimitNone {
		return "", fmt.Errorf("run %s: exit code %d, signal %d, limit %q, execve %w: %s",
			strings.Join(argv, " "), res.ExitCode, res.Signal, res.Limit, res.Exec, printable(text))
	}
	text, _, _ = strings.Cut(text, "\n")
	text = printable(strings.TrimSpace(text))
	return text, v.keep(v.file(id, argv), text)
}

func (v Versions) file(id string, argv []string) string {
	sum := sha256.Sum256([]byte(id + "\x00" + strings.Join(argv, "\x00")))
	return filepath.Join(v.Dir, hex.EncodeToString(sum[:]))
}

// keep writes the file as a whole or not at all.
func (v Versions) keep(name, text string) error {
	if err := os.MkdirAll(v.Dir, 0o755); err != nil { //nolint:gosec // versions are no secret, and client commands read them
		return fmt.Errorf("keep version: %w", err)
	}
	tmp, err := os.CreateTemp(v.Dir, "new-")
	if err != nil {
		return fmt.Errorf("keep version: %w", err)
	}
	_, err = tmp.WriteString(text)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		if rerr := os.Remove(tmp.Name()); !errors.Is(rerr, fs.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
		return fmt.Errorf("keep version: %w", err)
	}
	return nil
}
