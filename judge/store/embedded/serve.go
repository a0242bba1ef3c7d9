package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// maxRestarts is how often in a row a server that never got ready is started
// again before we give up.
const maxRestarts = 5

// launch starts the server's first process.
func (s *Server) launch() (*exec.Cmd, error) {
	path := filepath.Join(s.dir, "log")
	if err := os.Rename(path, path+".1"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	// Not bound to a context: it is stopped by signals that let it finish.
	cmd := exec.Command(s.programs.postgres(), "-D", s.cluster(), //nolint:noctx // see above
		"-c", "listen_addresses=", "-c", "port="+port,
		"-c", "unix_socket_directories="+quoteList(s.socketDir()),
		"-c", "max_connections=200",
		"-c", "jit=off", // our queries are short
		"-c", "max_wal_size=1GB",
		"-c", "log_checkpoints=off", "-c", "log_timezone=UTC", "-c", "timezone=UTC")
	s.owner.runAs(cmd)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s as user %s: %w", cmd.Path, s.owner.name, err), out.Close())
	}
	return cmd, out.Close()
}

// quoteList quotes a folder for a setting that is a list of folders.
func quoteList(path string) string {
	quoted := make([]byte, 0, len(path)+2)
	for i := range len(path) {
		if path[i] == '"' {
			quoted = append(quoted, '"')
		}
		quoted = append(quoted, path[i])
	}
	return `"` + string(quoted) + `"`
}

// child is a started server and its end.
type child struct {
	cmd   *exec.Cmd
	ended chan struct{}
}

func newChild(cmd *exec.Cmd) *child {
	c := &child{cmd: cmd, ended: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // ProcessState says how it ended
		close(c.ended)
	}()
	return c
}

// stop is a fast shutdown, then an immediate one, which the next start recovers
// from, then the end.
func (c *child) stop() error {
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL} {
		if err := c.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("stop Postgres: %w", err)
		}
		select {
		case <-c.ended:
			return nil
		case <-time.After(stopTime):
		}
	}
	<-c.ended
	return nil
}

// whenReady waits until the server takes connections.
func (s *Server) whenReady(ctx context.Context, c *child) error {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		conn, err := pgx.Connect(ctx, s.urlOf("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-c.ended:
			return fmt.Errorf("server ended (%v); its last words in %s: %s", c.cmd.ProcessState, filepath.Join(s.dir, "log"), s.lastWords())
		case <-ctx.Done():
			return fmt.Errorf("server is not ready: %w: %w", ctx.Err(), err)
		case <-tick.C:
		}
	}
}

// lastWords is the end of the server's log.
func (s *Server) lastWords() string {
	b, err := os.ReadFile(filepath.Join(s.dir, "log"))
	if err != nil {
		return err.Error()
	}
	return string(b[max(0, len(b)-2048):])
}

// supervise starts the server again whenever it ends, until ctx is done.
func (s *Server) supervise(ctx context.Context, c *child) {
	defer close(s.done)
	defer func() { s.err = errors.Join(s.err, s.lock.Close()) }()
	for {
		select {
		case <-ctx.Done():
			s.err = c.stop()
			return
		case <-c.ended:
		}
		s.log(fmt.Sprintf("Postgres ended (%v), starting it again", c.cmd.ProcessState))
		next, err := s.restart(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			s.err = fmt.Errorf("start Postgres again: %w", err)
			s.log(s.err.Error())
			return
		}
		c = next
	}
}

func (s *Server) restart(ctx context.Context) (*child, error) {
	var last error
	for i := range maxRestarts {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Duration(i) * time.Second):
		}
		if last = s.endLeftovers(ctx); last != nil {
			continue
		}
		cmd, err := s.launch()
		if err != nil {
			last = err
			continue
		}
		c := newChild(cmd)
		if last = s.whenReady(ctx, c); last == nil {
			return c, nil
		}
		last = errors.Join(last, c.stop())
	}
	return nil, last
}
