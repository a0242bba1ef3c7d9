package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"

	"github.com/alecthomas/kong"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sys/unix"
)

// serveCmd runs the whole service on one machine.
type serveCmd struct {
	databaseFlags
	workerFlags
	apiFlags
	choreFlags
	cacheFlags
	keepFlags

	Listen         string `default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Where the API listens (${default})."`
	APIUser        string `name:"api-user" placeholder:"USER" help:"Who the API runs as; else judge if there is such a user, else nobody."`
	APIDatabaseURL string `name:"api-database-url" placeholder:"URL" help:"The database as the API sees it, with --database-url: a role that may only read and write rows. Our own database has such a role."`
}

// Help is shown by judge serve --help.
func (serveCmd) Help() string {
	return `One process as root, which judges, and two children: Postgres (unless --database-url names another) as the user postgres, and the API as a user who has neither root nor the engine's socket nor the files of the database. Either is started again when it ends. A second signal ends all at once; what was accepted is judged after the next start.

Examples:
  judge serve
  judge token create --role admin --name ops
  judge serve --database-url postgres://judge@db/judge --slots 0     no worker: see judge worker`
}

// service is judge serve while it runs.
type service struct {
	*serveCmd
	*app

	log      *slog.Logger
	db       *database
	as       account
	worker   workerConfig
	metrics  *prometheus.Registry // of this process; the API has its own
	listener net.Listener
}

// Run starts all, in order, and ends all, in the other order.
func (c *serveCmd) Run(a *app, k *kong.Context) (err error) {
	s := &service{serveCmd: c, app: a, log: a.serviceLog("serve"), metrics: prometheus.NewRegistry()}
	if s.worker, err = c.config(a, "", s.log); err != nil {
		return err
	}
	if _, err := c.intervals(); err != nil {
		return err
	}
	if _, err := c.answering(); err != nil { // the API takes them over
		return err
	}
	if os.Geteuid() != 0 && s.worker.slots > 0 {
		return badInput{errors.New("judging needs root: start judge serve as root, or with --slots 0 for a service that only takes submissions")}
	}
	lock, err := a.lockData()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if s.as, err = apiAccount(c.APIUser); err != nil {
		return err
	}
	if s.listener, err = a.listen(c.Listen); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.listener.Close()) }()
	if s.db, err = a.ownDatabase(c.DatabaseURL, s.log); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.db.Close()) }()
	s.worker.database = s.db.url
	if err := s.db.Migrate(a.ctx); err != nil {
		return err
	}
	if err := s.prepare(); err != nil {
		return err
	}
	api, err := s.api(k)
	if err != nil {
		return err
	}
	stop, err := a.serveMetrics(c.MetricsListen, s.metrics, s.log)
	if err != nil {
		return errors.Join(err, api.listener.Close())
	}
	defer func() { err = errors.Join(err, stop()) }()
	return s.run(api)
}

// prepare makes the API's folders, and sees that it is kept from all others.
func (s *service) prepare() error {
	if err := s.as.harmless(engineSocket(), filepath.Join(s.postgresDir(), "cluster")); err != nil {
		return err
	}
	folders := []string{s.uploadsDir(), s.secretsDir()}
	if dir, ok := blobsFolder(s.worker.blobs); ok {
		folders = append(folders, dir)
	}
	for _, dir := range folders {
		if err := s.as.own(dir); err != nil {
			return fmt.Errorf("make folder of the API: %w", err)
		}
	}
	return nil
}

// api is the child, not started yet.
func (s *service) api(k *kong.Context) (*apiChild, error) {
	url := s.DatabaseURL
	var err error
	switch {
	case s.APIDatabaseURL != "":
		url = s.APIDatabaseURL
	case s.db.server != nil:
		if url, err = s.db.server.Role(s.ctx, "judge_api"); err != nil {
			return nil, err
		}
	}
	file, err := listenerFile(s.listener)
	if err != nil {
		return nil, err
	}
	env, err := childEnv(k, "api", map[string]string{"database-url": url, "blobs": s.worker.blobs})
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &apiChild{as: s.as, env: append(env, listenFD+"=3"), listener: file, out: s.err, log: s.log}, nil
}

// run keeps API and worker going until the service is to end, or its database
// cannot be kept.
func (s *service) run(api *apiChild) error {
	ctx, end := context.WithCancelCause(s.ctx)
	defer end(nil)
	var parts sync.WaitGroup
	parts.Go(func() { api.keep(ctx) })
	if s.worker.slots > 0 {
		parts.Go(func() { s.keepWorker(ctx, end) })
	}
	parts.Go(func() { s.tellReady(ctx) })
	if s.db.server != nil {
		parts.Go(func() {
			select {
			case <-ctx.Done():
			case <-s.db.server.Done():
				end(errors.New("the database ended for good; its folder is " + s.postgresDir()))
			}
		})
	}
	<-ctx.Done()
	s.log.Info("ending")
	err := notifySystemd("STOPPING=1")
	parts.Wait()
	err = errors.Join(err, api.listener.Close())
	if s.ctx.Err() == nil {
		err = errors.Join(context.Cause(ctx), err)
	}
	return err
}

// lockData makes this process the only judge serve of a data folder.
func (a *app) lockData() (*os.File, error) {
	if err := os.MkdirAll(a.Data, 0o711); err != nil { //nolint:gosec // others pass through, to what is theirs
		return nil, badInput{fmt.Errorf("make --data: %w", err)}
	}
	f, err := os.OpenFile(filepath.Join(a.Data, "serve.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, badInput{fmt.Errorf("lock --data: %w", err)}
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = badInput{fmt.Errorf("another judge serve runs on %s: stop it, or name another folder with --data", a.Data)}
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
