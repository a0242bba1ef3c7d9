package docker

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"judge/runner"
)

// installAgent copies the agent to where boxes mount it from, under the name of
// its content: a new build does not change a running box.
func installAgent(path, cache string) (string, error) {
	if path == "" {
		var err error
		if path, err = agentPath(); err != nil {
			return "", err
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("%w: read the agent: %w (make build puts it beside judge)", runner.ErrUnavailable, err)
	}
	sum := sha256.Sum256(data)
	dir, name := filepath.Join(cache, "agent"), hex.EncodeToString(sum[:8])
	if err := installFile(dir, name, data); err != nil {
		return "", fmt.Errorf("install the agent: %w", err)
	}
	return filepath.Join(dir, name), nil
}

// installFile makes an executable that is there whole or not at all, however
// many processes do so at once.
func installFile(dir, name string, data []byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if _, err := root.Stat(name); err == nil {
		return nil
	}
	tmp := "new-" + newWorker()
	err = errors.Join(root.WriteFile(tmp, data, 0o500), root.Chmod(tmp, 0o500))
	if err == nil {
		err = root.Rename(tmp, name)
	}
	if err != nil {
		return errors.Join(err, root.RemoveAll(tmp))
	}
	return nil
}
