package main

import (
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"judge/judge"
)

// workerMetrics count what a worker does.
type workerMetrics struct {
	taken, lost prometheus.Counter
	judged      *prometheus.CounterVec
	handedBack  *prometheus.CounterVec
	phases      *prometheus.HistogramVec
}

// newWorkerMetrics registers them, unless r is nil.
func newWorkerMetrics(r prometheus.Registerer) (*workerMetrics, error) {
	opts := func(name, help string) prometheus.CounterOpts {
		return prometheus.CounterOpts{Namespace: "judge", Subsystem: "worker", Name: name, Help: help}
	}
	m := &workerMetrics{
		taken:      prometheus.NewCounter(opts("taken_total", "Judgements taken.")),
		lost:       prometheus.NewCounter(opts("lost_total", "Judgements cancelled or given to another worker while they were judged.")),
		judged:     prometheus.NewCounterVec(opts("judged_total", "Judgements finished, by verdict."), []string{"verdict"}),
		handedBack: prometheus.NewCounterVec(opts("handed_back_total", "Judgements handed back, by reason."), []string{"reason"}),
		phases: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "judge", Subsystem: "worker", Name: "phase_seconds", Help: "Time that parts of judgements took.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 17), // to 65 s
		}, []string{"phase"}),
	}
	if r == nil {
		return m, nil
	}
	for _, c := range []prometheus.Collector{m.taken, m.lost, m.judged, m.handedBack, m.phases} {
		if err := r.Register(c); err != nil {
			return nil, fmt.Errorf("register metrics: %w", err)
		}
	}
	return m, nil
}

func (m *workerMetrics) Taken()                 { m.taken.Inc() }
func (m *workerMetrics) Lost()                  { m.lost.Inc() }
func (m *workerMetrics) Judged(v judge.Verdict) { m.judged.WithLabelValues(string(v)).Inc() }

func (m *workerMetrics) HandedBack(fault bool) {
	reason := "ending"
	if fault {
		reason = "fault"
	}
	m.handedBack.WithLabelValues(reason).Inc()
}

func (m *workerMetrics) Phase(name string, took time.Duration) {
	m.phases.WithLabelValues(name).Observe(took.Seconds())
}
