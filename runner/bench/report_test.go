package bench_test

import (
	"testing"

	"judge/runner/bench"
)

func TestOK(t *testing.T) {
	t.Parallel()
	number := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		report bench.Report
		want   bool
	}{
		{bench.Report{}, true},
		{bench.Report{Value: number(2)}, true},
		{bench.Report{Value: number(2), Want: []float64{1, 2}}, true},
		{bench.Report{Value: number(2.1), Want: []float64{1, 2}}, false},
		{bench.Report{Value: number(0.9), Want: []float64{1, 2}}, false},
		{bench.Report{Ratio: number(3), Want: []float64{0, 1.5}}, false},
		{bench.Report{Ratio: number(1), Want: []float64{0, 1.5}}, true},
	} {
		if got := c.report.OK(); got != c.want {
			t.Errorf("%+v is OK: %v", c.report, got)
		}
	}
}
