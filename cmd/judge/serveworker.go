package main

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// keepWorker judges, and begins again after a pause where that fails: the engine
// may come back. It ends when ctx is done, or the worker was drained.
func (s *service) keepWorker(ctx context.Context, end context.CancelCauseFunc) {
	pause := firstPause
	for {
		begun := time.Now()
		metrics := &passing{Registerer: s.metrics}
		s.worker.metrics = metrics
		s.worker.started = func(p workerParts) (func(), error) { return s.startWorkerChores(ctx, s.cacheFlags, p, metrics, s.log) }
		err := s.runWorker(ctx, s.worker)
		metrics.forget()
		switch {
		case ctx.Err() != nil:
			if err != nil {
				s.log.Error("the worker did not end in good order", "error", err)
			}
			return
		case err == nil:
			s.log.Warn("the worker is drained; judge serve goes on without it")
			return
		case isBadInput(err):
			end(err)
			return
		}
		if time.Since(begun) > childSteady {
			pause = firstPause
		}
		s.log.Error("the worker ended, starting it again", "error", err, "pause_s", pause.Seconds())
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		pause = min(2*pause, longPause)
	}
}

// passing registers metrics of a worker that may be followed by another.
type passing struct {
	prometheus.Registerer

	all []prometheus.Collector
}

// Register is prometheus.Registerer's.
func (p *passing) Register(c prometheus.Collector) error {
	p.all = append(p.all, c)
	return p.Registerer.Register(c)
}

// forget takes away what was registered.
func (p *passing) forget() {
	for _, c := range p.all {
		p.Unregister(c)
	}
}
