package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// keeper has locks, unless somebody else has them.
type keeper struct {
	elsewhere bool
	err       error
	held      atomic.Int64
}

func (k *keeper) TryLock(context.Context, string) (func(), bool, error) {
	if k.err != nil || k.elsewhere {
		return nil, false, k.err
	}
	k.held.Add(1)
	return func() { k.held.Add(-1) }, true, nil
}

func TestScheduler(t *testing.T) {
	boom := errors.New("boom")
	tests := []struct {
		name                string
		scope               choreScope
		locks               *keeper
		err                 error
		runs, done, failure float64 // after three turns
	}{
		{"of the cluster", perCluster, &keeper{}, nil, 3, 6, 0},
		{"of a node", perNode, &keeper{elsewhere: true}, nil, 3, 6, 0},
		{"done elsewhere", perCluster, &keeper{elsewhere: true}, nil, 0, 0, 0},
		{"no lock to be had", perCluster, &keeper{err: boom}, nil, 3, 0, 3},
		{"failing", perCluster, &keeper{}, boom, 3, 6, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				registry := prometheus.NewRegistry()
				meter, err := newChoreMeter(registry)
				if err != nil {
					t.Fatal(err)
				}
				c := chore{name: "c", scope: tt.scope, do: func(context.Context, bool) (int, error) {
					if held := tt.locks.held.Load(); (held == 1) != (tt.scope == perCluster) {
						t.Errorf("%d locks are held", held)
					}
					return 2, tt.err
				}}
				s := &scheduler{locks: tt.locks, meter: meter, log: slog.New(slog.DiscardHandler)}
				stop, err := s.start(t.Context(), []chore{c, {name: "off"}}, map[string]time.Duration{"c": time.Minute})
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(choreBegin + 2*time.Minute + time.Second)
				stop()
				for name, want := range map[string]float64{"runs_total": tt.runs, "done_total": tt.done, "failures_total": tt.failure} {
					if got := metric(t, registry, "judge_job_"+name); got != want {
						t.Errorf("%s: %v, want %v", name, got, want)
					}
				}
				if tt.locks.held.Load() != 0 {
					t.Error("a lock is still held")
				}
			})
		})
	}
}

// metric is the value of the only counter of that name.
func metric(t *testing.T, registry *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name && len(f.GetMetric()) == 1 {
			return f.GetMetric()[0].GetCounter().GetValue()
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

// TestSchedulerStop ends a run that takes long, and waits for it.
func TestSchedulerStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := false
		c := chore{name: "long", scope: perNode, do: func(ctx context.Context, _ bool) (int, error) {
			<-ctx.Done()
			ended = true
			return 0, ctx.Err()
		}}
		stop, err := (&scheduler{log: slog.New(slog.DiscardHandler)}).start(t.Context(), []chore{c}, map[string]time.Duration{"long": time.Second})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		stop()
		if !ended {
			t.Error("the job still runs")
		}
	})
}

func TestIntervals(t *testing.T) {
	tests := []struct {
		flags map[string]string
		blobs time.Duration
		want  string
	}{
		{nil, 6 * time.Hour, ""},
		{map[string]string{"blobs": "90s"}, 90 * time.Second, ""},
		{map[string]string{"blobs": "off"}, 0, ""},
		{map[string]string{"blobs": "0"}, 0, `"0" is no duration`},
		{map[string]string{"blob": "1h"}, 0, "there is no such job; there are blobs, boxes"},
	}
	for _, tt := range tests {
		all, err := (&choreFlags{tt.flags}).intervals()
		if tt.want != "" {
			if err == nil || !isBadInput(err) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v: %v, want %s", tt.flags, err, tt.want)
			}
			continue
		}
		if err != nil || all["blobs"] != tt.blobs || all["boxes"] != 10*time.Minute {
			t.Errorf("%v: %v %v", tt.flags, all, err)
		}
	}
}

func TestJobsCommand(t *testing.T) {
	got := judgeIn(t, "job_every:\n  keys: 5m\n", "", "jobs", "list", "--job-every", "events=off")
	if got.code != exitOK {
		t.Fatalf("exit code %d: %s", got.code, got.err)
	}
	for _, c := range allChores(choreParts{}) {
		contains(t, "list", got.out, c.name, c.help)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"jobs", "run", "frob"}, `there is no job "frob"; there are boxes, executables`},
		{[]string{"jobs", "run", "keys", "--dry-run"}, "cannot say what it would do"},
		{[]string{"serve", "--job-every", "frob=1s"}, "--job-every frob"},
	} {
		got := judgeIn(t, "", "", append(tt.args, "--data", t.TempDir())...)
		if got.code != exitInput {
			t.Errorf("%v: exit code %d", tt.args, got.code)
		}
		contains(t, "stderr", got.err, tt.want)
	}
}
