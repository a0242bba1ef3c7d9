package main

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"judge/judge/grader"
	"judge/judge/store"
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

	// started, if not nil, is told when the worker is ready to judge, with what
	// scheduled jobs need; what it returns is called before any of that is closed.
	started func(workerParts) (stop func(), err error)
}

// workerParts are what a worker has open.
type workerParts struct {
	store       *store.Store
	records     records
	sandbox     *docker.Sandbox
	executables *grader.Cache
	testdata    *blob.Cache
	blobs       *blob.Store
}

// runWorker judges until ctx is done, when it finishes or hands back what runs,
// or until it is drained: then ctx is not done and the error is nil. It needs
// root and Docker.
func (a *app) runWorker(ctx context.Context, c workerConfig) error {
	return errors.New("not wired yet")
}
