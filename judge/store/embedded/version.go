package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

var versionLine = regexp.MustCompile(`^postgres \(PostgreSQL\) (\d+)`)

// installation looks for both programs in dir. Links are followed: the server
// finds its own files beside its real place.
func installation(ctx context.Context, dir string) (programs, bool, error) {
	if dir == "" {
		return programs{}, false, nil
	}
	for _, name := range []string{"initdb", "postgres"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
			return programs{}, false, nil //nolint:nilerr // not here, or not for us: look elsewhere
		}
	}
	path, err := filepath.EvalSymlinks(filepath.Join(dir, "postgres"))
	if err != nil {
		return programs{}, false, fmt.Errorf("find programs: %w", err)
	}
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return programs{}, false, fmt.Errorf("ask %s for its version: %w", path, err)
	}
	m := versionLine.FindSubmatch(out)
	if m == nil {
		return programs{}, false, nil // some other program of that name
	}
	major, err := strconv.Atoi(string(m[1]))
	if err != nil {
		return programs{}, false, fmt.Errorf("read version of %s: %w", path, err)
	}
	return programs{dir: filepath.Dir(path), major: major}, true, nil
}

// clusterVersion is the major version that made a cluster; 0: there is none.
func clusterVersion(cluster string) (int, error) {
	path := filepath.Join(cluster, "PG_VERSION")
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read version of cluster: %w", err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0, fmt.Errorf("read version of cluster: %s says %q, a number like 15 is wanted", path, b)
	}
	return major, nil
}
