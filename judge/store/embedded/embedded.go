// Package embedded is responsible for the judge's own Postgres, which runs where
// no other database is named: it finds the server's programs, makes a cluster
// below a data folder, keeps the server running while the judge runs, and stops
// it. The name says what the caller gets; the server is a child process, never
// part of ours.
//
// It knows no tables and no queries, and does not install, upgrade or back up
// anything.
//
// Theory of operation. Of a folder DIR:
//
//	DIR/lock        flock: one process owns the folder
//	DIR/password    the superuser's password, for the owner's eyes (0600)
//	DIR/cluster     the cluster, the server's user's own
//	DIR/run         the server's unix socket; there is no TCP
//	DIR/log         what the server says; the run before is log.1
//
// The lock goes first, so whatever server still works on the cluster was left by
// an owner that was killed. It is stopped, not taken over: as our own child a
// server's end is seen at once, and programs may have been replaced since. Every
// process of a server has the cluster as its working folder; by that they are
// found, not by the number in postmaster.pid, which may be another's by now.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// ErrInUse is wrapped when another process owns the folder.
var ErrInUse = errors.New("data folder is in use")

// ErrPrograms is wrapped when the server's programs are missing, or are not of
// the cluster's major version. The message says what to do.
var ErrPrograms = errors.New("no fitting Postgres programs")

// Times that a server is given. Recovery after a crash may replay as much as
// max_wal_size of log, 1 GB; a fast shutdown writes what is dirty.
const (
	readyTime = 2 * time.Minute
	stopTime  = 30 * time.Second
	pause     = 20 * time.Millisecond // between two looks
)

// Options say where and as whom a server runs.
type Options struct {
	Dir string // required; made if missing, with its parents

	// User runs the server when we are root, which Postgres refuses. Empty: the
	// owner of the cluster, for a new one postgres (the Debian package makes
	// that user), else nobody, who at least owns nothing on a sane machine.
	User string

	// Programs is where initdb and postgres lie. Empty: $PATH and the folders
	// where distributions put them, in which the cluster's major version goes
	// first, for a new cluster the newest.
	Programs string

	// Path is a list of folders as in $PATH.
	Path string

	// Log, if not nil, hears of starts, and of ends that nobody asked for.
	Log func(message string)
}

// Server is a running server. Its methods may be called by many goroutines.
type Server struct {
	dir      string
	programs programs
	owner    owner
	password string
	lock     *os.File
	log      func(string)

	cancel context.CancelFunc
	done   chan struct{} // the supervisor has ended
	err    error         // why, before done is closed
}

// Start takes the folder, makes a cluster where there is none, and returns when
// the server answers. The server outlives ctx: Close ends it. When it dies it is
// started again.
func Start(ctx context.Context, opts Options) (*Server, error) {
	s := &Server{log: opts.Log, done: make(chan struct{})}
	if s.log == nil {
		s.log = func(string) {}
	}
	if err := s.open(opts); err != nil {
		return nil, fmt.Errorf("start Postgres in %s: %w", opts.Dir, err)
	}
	if err := s.begin(ctx, opts); err != nil {
		return nil, fmt.Errorf("start Postgres in %s: %w", s.dir, errors.Join(err, s.lock.Close()))
	}
	return s, nil
}

// open takes the folder.
func (s *Server) open(opts Options) error {
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return err
	}
	// The server's user passes through, and sees only what is its own.
	if err := os.MkdirAll(dir, 0o711); err != nil { //nolint:gosec // see above
		return err
	}
	// Resolved, because the kernel shows working folders resolved.
	if s.dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	if n := len(s.socket()); n > maxSocket {
		return fmt.Errorf("the socket's path %s has %d bytes, at most %d are possible: choose a shorter data folder", s.socket(), n, maxSocket)
	}
	s.lock, err = takeLock(filepath.Join(s.dir, "lock"))
	return err
}

func (s *Server) begin(ctx context.Context, opts Options) error {
	var err error
	if s.owner, err = findOwner(opts.User, s.cluster()); err != nil {
		return err
	}
	if s.programs, err = findPrograms(ctx, opts, s.cluster()); err != nil {
		return err
	}
	if err := s.prepare(ctx); err != nil {
		return err
	}
	if err := s.endLeftovers(ctx); err != nil {
		return err
	}
	cmd, err := s.launch()
	if err != nil {
		return err
	}
	child := newChild(cmd)
	if err := s.whenReady(ctx, child); err != nil {
		return errors.Join(err, child.stop())
	}
	if err := s.makeDatabase(ctx); err != nil {
		return errors.Join(err, child.stop())
	}
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	go s.supervise(run, child)
	return nil
}

// URL is where clients connect. It holds the superuser's password.
func (s *Server) URL() string { return s.urlOf(database) }

func (s *Server) urlOf(db string) string { return s.connection(superuser, s.password, db) }

func (s *Server) connection(role, password, db string) string {
	q := url.Values{"host": {s.socketDir()}, "port": {port}, "sslmode": {"disable"}}
	u := url.URL{Scheme: "postgres", User: url.UserPassword(role, password), Path: "/" + db, RawQuery: q.Encode()}
	return u.String()
}

// Done is closed when there is no server any more: after Close, or when it could
// not be started again.
func (s *Server) Done() <-chan struct{} { return s.done }

// Close stops the server: sessions are ended, their transactions rolled back,
// and what is committed is on disk. It returns when no process of it is left.
// Closing again does nothing more.
func (s *Server) Close() error {
	s.cancel()
	<-s.done
	return s.err
}

func (s *Server) cluster() string   { return filepath.Join(s.dir, "cluster") }
func (s *Server) socketDir() string { return filepath.Join(s.dir, "run") }
func (s *Server) socket() string    { return filepath.Join(s.socketDir(), ".s.PGSQL."+port) }
