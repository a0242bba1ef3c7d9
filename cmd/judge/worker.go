package main

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"judge/judge"
	"judge/judge/grader"
	"judge/judge/queue"
	"judge/judge/store"
	"judge/judge/work"
	"judge/problems/blob"
	"judge/runner"
	"judge/runner/docker"
)

// workerConfig is what a worker is made of.
type workerConfig struct {
	database  string // URL; the schema must be this build's
	blobs     string // URL of the store of test data
	slots     int    // above 0
	isolation runner.Isolation
	grace     time.Duration         // for what runs when ctx is done
	name      string                // for people; empty: the host's
	testdata  int64                 // bytes that cached test data may have on disk
	metrics   prometheus.Registerer // nil: none
	log       *slog.Logger

	// started, if not nil, is told when the worker is about to judge, with what
	// scheduled jobs need; what it returns is called before any of that is closed.
	started func(workerParts) (stop func(), err error)
}

// workerParts are what a worker has open.
type workerParts struct {
	records     records
	sandbox     *docker.Sandbox
	executables *grader.Cache
	testdata    *blob.Cache
	blobs       *blob.Store
}

// runWorker judges until ctx is done, when it finishes or hands back what runs,
// or until it is drained: then ctx is not done and the error is nil. It needs
// root and Docker.
func (a *app) runWorker(ctx context.Context, c workerConfig) (err error) {
	var open closers
	defer func() { err = errors.Join(err, open.close()) }()
	id, err := takeWorkerID(filepath.Join(a.Data, "workers"))
	if err != nil {
		return err
	}
	open.add(id.close)
	parts, err := a.openWorkerRecords(ctx, c, &open)
	if err != nil {
		return err
	}
	st, err := a.openStationWith(docker.Options{Worker: id.short(), Slots: c.slots, CacheDir: a.CacheDir, Log: c.log}, c.isolation)
	if err != nil {
		return err
	}
	open.add(func() error { return st.close(ctx) })
	parts.sandbox, parts.executables = st.sandbox, st.grader.Cache
	metrics, err := newWorkerMetrics(c.metrics)
	if err != nil {
		return err
	}
	g := &judging{store: parts.records.Store, station: st, testdata: parts.testdata}
	w := work.New(work.Config{
		Worker:  judge.Worker{ID: id.id, Name: c.name, Slots: c.slots, Build: buildName()},
		Records: workRecords{parts.records}, Judge: g.judge, Verify: g.verify, Hopeless: hopeless, Ready: g.ready,
		Unavailable: store.Unavailable, Grace: c.grace, Metrics: metrics, Log: c.log,
	})
	q, err := queue.New(queue.Config{Pool: parts.records.Pool(), Work: w.Next, Slots: c.slots, Log: c.log})
	if err != nil {
		return err
	}
	if c.started != nil {
		stop, err := c.started(parts)
		if err != nil {
			return err
		}
		open.add(func() error { stop(); return nil })
	}
	c.log.Info("worker starts", "worker", id.id, "slots", c.slots)
	err = w.Run(ctx, q)
	c.log.Info("worker ended", "worker", id.id)
	return err
}

// openWorkerRecords opens database, test data and their cache.
func (a *app) openWorkerRecords(ctx context.Context, c workerConfig, open *closers) (parts workerParts, err error) {
	s, err := store.Open(ctx, withConnections(c.database, c.slots))
	if err != nil {
		return parts, err
	}
	open.add(s.Close)
	if err := s.Check(ctx); err != nil {
		return parts, err
	}
	if parts.records, err = newRecords(s); err != nil {
		return parts, err
	}
	if parts.blobs, err = blob.Open(ctx, c.blobs, ""); err != nil {
		return parts, err
	}
	open.add(parts.blobs.Close)
	parts.testdata, err = blob.OpenCache(parts.blobs, blob.CacheOptions{
		Dir: filepath.Join(a.CacheDir, "testdata"), Budget: c.testdata,
		Damaged: func(err error) { c.log.Error("test data in the cache were damaged and are fetched anew", "error", err) },
	})
	if err != nil {
		return parts, err
	}
	open.add(parts.testdata.Close)
	return parts, nil
}

// withConnections has a pool open enough connections for so many slots, unless
// the url says how many: each slot may be writing progress while its judgement
// looks something up, and heartbeats must not wait for them.
func withConnections(database string, slots int) string {
	const option = "pool_max_conns"
	if strings.Contains(database, option) {
		return database
	}
	n := strconv.Itoa(2*slots + 8)
	u, err := url.Parse(database)
	if err != nil || u.Scheme == "" {
		return database + " " + option + "=" + n // of the form name=value
	}
	q := u.Query()
	q.Set(option, n)
	u.RawQuery = q.Encode()
	return u.String()
}

// closers are what is to be closed, the last first.
type closers struct{ all []func() error }

func (c *closers) add(f func() error) { c.all = append(c.all, f) }

func (c *closers) close() error {
	var err error
	for _, f := range slices.Backward(c.all) {
		err = errors.Join(err, f())
	}
	return err
}
