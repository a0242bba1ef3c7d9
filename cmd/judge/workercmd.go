package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"judge/judge/store/embedded"
	"judge/runner"
)

// workerCmd judges, and does nothing else.
type workerCmd struct {
	databaseFlags
	workerFlags
	choreFlags
	cacheFlags
}

// Help is shown by judge worker --help.
func (workerCmd) Help() string {
	return `Any number of workers, on any number of machines, judge what is queued in one database; each needs root, Docker, the images (judge images build) and a way to the test data. The database must have this build's schema: judge migrate brings it there.

The first signal to end lets what is being judged finish within --grace and hands back the rest; a second one ends at once, and what was being judged is queued again after some seconds. A worker that is cordoned takes no more, one that is drained ends when it has finished.

Without --database-url it works for the judge serve that runs on the same --data.`
}

// Run judges until it is told to end, or drained.
func (c *workerCmd) Run(a *app) (err error) {
	if os.Geteuid() != 0 {
		return badInput{errors.New("judging needs root: start judge worker as root")}
	}
	log := a.serviceLog("worker")
	database, err := c.database(a)
	if err != nil {
		return err
	}
	config, err := c.config(a, database, log)
	if err != nil {
		return err
	}
	if _, err := c.intervals(); err != nil {
		return err
	}
	if config.slots == 0 {
		return badInput{errors.New("--slots 0: a worker of its own needs at least one")}
	}
	registry := prometheus.NewRegistry()
	config.metrics = registry
	config.started = func(p workerParts) (func(), error) { return c.startWorkerChores(a.ctx, c.cacheFlags, p, registry, log) }
	stop, err := a.serveMetrics(c.MetricsListen, registry, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	return a.runWorker(a.ctx, config)
}

// database is where the database is: the one named, or that of judge serve here.
func (c *workerCmd) database(a *app) (string, error) {
	if c.DatabaseURL != "" {
		return c.DatabaseURL, nil
	}
	at, err := embedded.URL(a.postgresDir())
	if errors.Is(err, fs.ErrNotExist) {
		return "", badInput{fmt.Errorf("%w: name the database with --database-url, or start judge serve with --data %s", err, a.Data)}
	}
	return at, err
}

// workerFlags are those of whatever has a worker.
type workerFlags struct {
	Blobs         string  `placeholder:"URL" help:"Where test data are kept: file:///folder or s3://bucket?endpoint=…; else the folder blobs below --data."`
	Slots         *int    `placeholder:"N" help:"Judge on N cores; else on all."`
	Isolation     string  `enum:"run,submission" default:"run" placeholder:"MODE" help:"run: boxes are wiped and used again; submission: each submission gets boxes of its own (${default})."`
	Grace         seconds `default:"30s" placeholder:"D" help:"How long what is being judged may go on when the process is to end; then it is handed back (${default})."`
	Name          string  `placeholder:"NAME" help:"The worker's name for people; else the host's."`
	MetricsListen string  `placeholder:"ADDRESS" help:"Show the worker's metrics at http://ADDRESS/metrics, to anybody who reaches it; else nowhere."`
	Testdata      int64   `default:"20480" placeholder:"MIB" help:"MiB on disk that cached test data may have (${default})."`
}

// config makes a worker's configuration of the flags. Slots may be 0.
func (f *workerFlags) config(a *app, database string, log *slog.Logger) (workerConfig, error) {
	slots := runtime.NumCPU()
	if f.Slots != nil {
		slots = *f.Slots
	}
	if n := runtime.NumCPU(); slots < 0 || slots > n {
		return workerConfig{}, badInput{fmt.Errorf("--slots %d: a slot is a core, and judge may use %d", slots, n)}
	}
	if f.Testdata < 1 {
		return workerConfig{}, badInput{fmt.Errorf("--testdata %d: test data need at least 1 MiB on disk", f.Testdata)}
	}
	c := workerConfig{
		database: database, slots: slots, isolation: runner.Isolation(f.Isolation),
		grace: time.Duration(f.Grace), name: f.Name, testdata: f.Testdata << 20, log: log,
	}
	var err error
	if c.blobs, err = a.blobsURL(f.Blobs); err != nil {
		return c, err
	}
	if c.name == "" {
		host, err := os.Hostname()
		if err != nil {
			return c, fmt.Errorf("find the host's name (--name gives another): %w", err)
		}
		c.name = host
	}
	return c, nil
}

// serveMetrics shows metrics at an address, and nothing where it is empty.
func (a *app) serveMetrics(address string, registry *prometheus.Registry, log *slog.Logger) (stop func() error, err error) {
	if address == "" {
		return func() error { return nil }, nil
	}
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	l, err := a.listen(address)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: time.Minute}
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics cannot be shown any more", "error", err)
		}
	}()
	return func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), time.Second)
		defer cancel()
		return server.Shutdown(ctx)
	}, nil
}

// buildName is the build of a worker, in its line in the list.
func buildName() string {
	b := thisBuild()
	if len(b.Revision) < 12 {
		return b.Version
	}
	return b.Version + " " + b.Revision[:12]
}
