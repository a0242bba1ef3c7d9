package api

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"judge/judge"
)

// queueLoad shows how much there is to do, counted when it is asked for: the same
// from every process of the API.
type queueLoad struct {
	load  func(context.Context) (judge.Load, error)
	gauge *prometheus.Desc
}

func newQueueLoad(load func(context.Context) (judge.Load, error)) *queueLoad {
	return &queueLoad{load: load, gauge: prometheus.NewDesc("judge_queue_judgements",
		"Judgements that are not judged: ready to be taken, delayed after a failure of ours, running.", []string{"state"}, nil)}
}

// Describe is for prometheus.
func (q *queueLoad) Describe(out chan<- *prometheus.Desc) { out <- q.gauge }

// Collect is for prometheus, which has no context to give.
func (q *queueLoad) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second) //nolint:forbidigo // there is no caller with one
	defer cancel()
	l, err := q.load(ctx)
	if err != nil {
		out <- prometheus.NewInvalidMetric(q.gauge, err)
		return
	}
	for state, n := range map[string]int{"ready": l.Ready, "delayed": l.Delayed, "running": l.Running} {
		out <- prometheus.MustNewConstMetric(q.gauge, prometheus.GaugeValue, float64(n), state)
	}
}
