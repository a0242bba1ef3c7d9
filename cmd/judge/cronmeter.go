package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// choreMeter counts what scheduled jobs do. A nil one counts nothing.
type choreMeter struct {
	runs, failures, done *prometheus.CounterVec
	seconds              *prometheus.HistogramVec
	last                 *prometheus.GaugeVec
}

// newChoreMeter registers the metrics, unless r is nil.
func newChoreMeter(r prometheus.Registerer) (*choreMeter, error) {
	if r == nil {
		return nil, nil //nolint:nilnil // a nil meter counts nothing
	}
	counter := func(name, help string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "judge", Subsystem: "job", Name: name, Help: help}, []string{"job"})
	}
	m := &choreMeter{
		runs:     counter("runs_total", "Runs of scheduled jobs."),
		failures: counter("failures_total", "Runs that failed."),
		done:     counter("done_total", "What they removed, queued or refilled."),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "judge", Subsystem: "job", Name: "seconds", Help: "How long runs took.",
			Buckets: prometheus.ExponentialBuckets(0.01, 4, 9), // to 655 s
		}, []string{"job"}),
		last: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: "judge", Subsystem: "job", Name: "last_success_timestamp_seconds", Help: "When the last run ended that did not fail; 0: none yet.",
		}, []string{"job"}),
	}
	var errs []error
	for _, c := range []prometheus.Collector{m.runs, m.failures, m.done, m.seconds, m.last} {
		errs = append(errs, r.Register(c))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("register metrics of scheduled jobs: %w", err)
	}
	return m, nil
}

// known makes a job's metrics be there before its first run.
func (m *choreMeter) known(job string) {
	if m == nil {
		return
	}
	m.runs.WithLabelValues(job)
	m.failures.WithLabelValues(job)
	m.done.WithLabelValues(job)
	m.last.WithLabelValues(job)
}

func (m *choreMeter) ran(job string, done int, took time.Duration, err error) {
	if m == nil {
		return
	}
	m.runs.WithLabelValues(job).Inc()
	m.done.WithLabelValues(job).Add(float64(done))
	m.seconds.WithLabelValues(job).Observe(took.Seconds())
	if err != nil {
		m.failures.WithLabelValues(job).Inc()
		return
	}
	m.last.WithLabelValues(job).SetToCurrentTime()
}
