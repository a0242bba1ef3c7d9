package api

import (
	"cmp"
	"errors"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// meters are the server's metrics.
type meters struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	waiters  prometheus.Gauge
	streams  prometheus.Gauge
}

func newMeters(r prometheus.Registerer) (*meters, error) {
	m := &meters{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "judge_http_requests_total", Help: "Requests that were answered.",
		}, []string{"operation", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "judge_http_request_duration_seconds", Help: "Time from a request to the end of its answer; streams and waits are long.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"operation"}),
		waiters: prometheus.NewGauge(prometheus.GaugeOpts{Name: "judge_http_waiters", Help: "Requests that wait for a verdict."}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{Name: "judge_http_streams", Help: "Event streams that are open."}),
	}
	var errs []error
	for _, c := range []prometheus.Collector{m.requests, m.seconds, m.waiters, m.streams} {
		errs = append(errs, r.Register(c))
	}
	return m, errors.Join(errs...)
}

// request counts a request. What matched no route has no operation.
func (m *meters) request(operation, method string, status int, took time.Duration) {
	operation = cmp.Or(operation, "none")
	if operation == "none" {
		method = "any" // a client can make up as many as it likes
	}
	m.requests.WithLabelValues(operation, method, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(operation).Observe(took.Seconds())
}
