package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// URL is where clients connect to the server that another process runs for dir:
// what its Server.URL says. It takes a reader of the password; whether the server
// answers is seen when it is connected to.
func URL(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find Postgres in %s: %w", dir, err)
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", fmt.Errorf("find Postgres in %s: %w", dir, err)
	}
	s := &Server{dir: abs}
	b, err := os.ReadFile(filepath.Join(abs, "password"))
	if errors.Is(err, fs.ErrPermission) {
		return "", fmt.Errorf("find Postgres in %s: %w: run this as who runs judge serve", dir, err)
	}
	if err != nil {
		return "", fmt.Errorf("find Postgres in %s: %w", dir, err)
	}
	s.password = strings.TrimSpace(string(b))
	return s.URL(), nil
}
