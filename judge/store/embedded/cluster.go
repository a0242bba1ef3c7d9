package embedded

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
)

const (
	superuser = "judge"
	database  = "judge"
	port      = "5432" // only names the socket
	maxSocket = 107    // bytes of a path in sockaddr_un, one less for NUL (unix(7))
)

// prepare sees to it that there are a cluster, its password, and folders.
func (s *Server) prepare(ctx context.Context) error {
	if err := s.owner.makeDir(s.socketDir(), 0o755); err != nil {
		return err
	}
	if err := s.readPassword(); err != nil {
		return err
	}
	_, err := os.Stat(filepath.Join(s.cluster(), "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return s.initialise(ctx)
	}
	return err
}

// readPassword reads the superuser's password, or makes one for the cluster that
// is to come. A user on this machine who cannot read it cannot connect.
func (s *Server) readPassword() error {
	path := filepath.Join(s.dir, "password")
	b, err := os.ReadFile(path)
	if err == nil && len(b) > 0 {
		s.password = strings.TrimSpace(string(b))
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(s.cluster()); err == nil {
		return fmt.Errorf("%s is lost; put it back, or remove %s to begin anew without its data", path, s.cluster())
	}
	s.password = rand.Text()
	return os.WriteFile(path, []byte(s.password+"\n"), 0o600)
}

// initialise makes a cluster beside its place and moves it there when it is
// whole: what a killed initdb leaves is never taken for one.
func (s *Server) initialise(ctx context.Context) error {
	half := s.cluster() + ".new"
	if err := os.RemoveAll(half); err != nil {
		return err
	}
	if err := s.owner.makeDir(half, 0o700); err != nil {
		return err
	}
	pwfile := filepath.Join(s.socketDir(), "password.new")
	if err := s.owner.writeFile(pwfile, s.password); err != nil {
		return err
	}
	// C sorts by bytes on every machine, so no index depends on a libc.
	cmd := exec.CommandContext(ctx, s.programs.initdb(), "--pgdata", half, "--username", superuser, "--pwfile", pwfile,
		"--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--data-checksums")
	s.owner.runAs(cmd)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return errors.Join(fmt.Errorf("make cluster as user %s: %w: %s", s.owner.name, err, strings.TrimSpace(string(out))), os.Remove(pwfile))
	}
	if err := os.Remove(pwfile); err != nil {
		return err
	}
	if err := os.Rename(half, s.cluster()); err != nil {
		return err
	}
	return syncDir(s.dir)
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// makeDatabase makes our database in a new cluster.
func (s *Server) makeDatabase(ctx context.Context) (err error) {
	conn, err := pgx.Connect(ctx, s.urlOf("postgres"))
	if err != nil {
		return fmt.Errorf("connect to new server: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", database).Scan(&exists); err != nil || exists {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE DATABASE "+database)
	return err
}
