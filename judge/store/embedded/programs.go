package embedded

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// oldest is the oldest major version that the tables work with: the newest that
// is no longer maintained (13) is left out.
const oldest = 14

// places are where distributions put the server's programs: Debian, Red Hat,
// Alpine, and whoever builds them from source.
var places = []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/libexec/postgresql*", "/usr/local/pgsql/bin"}

// programs are one installation of the server.
type programs struct {
	dir   string
	major int
}

func (p programs) initdb() string   { return filepath.Join(p.dir, "initdb") }
func (p programs) postgres() string { return filepath.Join(p.dir, "postgres") }

// findPrograms chooses the installation for a cluster, which may not exist yet.
func findPrograms(ctx context.Context, opts Options, cluster string) (programs, error) {
	all, err := installed(ctx, opts)
	if err != nil {
		return programs{}, err
	}
	made, err := clusterVersion(cluster)
	if err != nil {
		return programs{}, err
	}
	var majors []string
	for _, p := range all {
		if p.major == made || (made == 0 && p.major >= oldest) {
			return p, nil
		}
		majors = append(majors, strconv.Itoa(p.major))
	}
	switch {
	case len(all) == 0:
		return programs{}, fmt.Errorf("%w: initdb and postgres are neither in PATH nor in %s: install them (Debian: apt-get install postgresql), or name a database with --database-url", ErrPrograms, strings.Join(places, ", "))
	case made == 0:
		return programs{}, fmt.Errorf("%w: found version %s, at least %d is needed", ErrPrograms, strings.Join(majors, ", "), oldest)
	}
	return programs{}, fmt.Errorf("%w: the cluster %s is of version %d, the programs found are of version %s: install version %d again (Debian: apt-get install postgresql-%d); to move on, run judge backup with it, remove %s, and judge restore with the new one",
		ErrPrograms, cluster, made, strings.Join(majors, ", "), made, made, cluster)
}

// installed lists the installations, newest first.
func installed(ctx context.Context, opts Options) ([]programs, error) {
	dirs := []string{opts.Programs}
	if opts.Programs == "" {
		dirs = filepath.SplitList(opts.Path)
		for _, pattern := range places {
			found, err := filepath.Glob(pattern)
			if err != nil {
				return nil, err
			}
			dirs = append(dirs, found...)
		}
	}
	var all []programs
	for _, dir := range dirs {
		p, ok, err := installation(ctx, dir)
		if err != nil {
			return nil, err
		}
		if ok && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b programs) int { return b.major - a.major })
	return all, nil
}
