// Package runnertest is the contract of package runner as a test suite, with
// the programs that try to break a sandbox. Every implementation calls Conform.
//
// It does not look behind the contract: what only an implementation knows, such
// as its containers on the host, it brings along as a HostCheck.
package runnertest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"judge/runner"
)

// Options say how an implementation is tested.
type Options struct {
	// Image is what boxes are made from. The suite needs nothing in it: its
	// programs are static and are put into the box.
	Image string
	// Isolations to run everything under; empty: both.
	Isolations []runner.Isolation
	// Scale multiplies limits of time that a slow machine would reach (about 20
	// under software emulation); 0 is 1.
	Scale float64
	// Programs is a folder that Build has filled; empty: Conform builds.
	Programs string
	// HostChecks look at an idle box from the outside after each attack.
	HostChecks []HostCheck
}

// HostCheck fails t if what it sees of the idle box, from the host, is wrong:
// for instance a process too many.
type HostCheck func(t *testing.T, box runner.Box)

// Conform tests the sandbox that open makes. It closes it at the end.
func Conform(t *testing.T, open func(t *testing.T) runner.Sandbox, opts Options) {
	t.Helper()
	if opts.Scale == 0 {
		opts.Scale = 1
	}
	if len(opts.Isolations) == 0 {
		opts.Isolations = []runner.Isolation{runner.PerRun, runner.PerSubmission}
	}
	if opts.Programs == "" {
		opts.Programs = t.TempDir()
		if err := Build(t.Context(), opts.Programs); err != nil {
			t.Fatal(err)
		}
	}
	sandbox := open(t)
	t.Cleanup(func() {
		if err := sandbox.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("close sandbox: %v", err)
		}
	})
	for _, isolation := range opts.Isolations {
		t.Run(string(isolation), func(t *testing.T) {
			s := &suite{Options: opts, sandbox: sandbox, isolation: isolation}
			for _, subject := range subjects {
				t.Run(subject.name, func(t *testing.T) { subject.test(s, t) })
			}
		})
	}
}

// subjects are in the order in which a new implementation wants to fail.
var subjects = []struct {
	name string
	test func(s *suite, t *testing.T)
}{
	{"Start", (*suite).start},
	{"End", (*suite).end},
	{"Exec", (*suite).exec},
	{"WorkingFolder", (*suite).workingFolder},
	{"Streams", (*suite).streams},
	{"Output", (*suite).output},
	{"Files", (*suite).files},
	{"Get", (*suite).get},
	{"Pack", (*suite).pack},
	{"Time", (*suite).time},
	{"Cancel", (*suite).cancel},
	{"Memory", (*suite).memory},
	{"Processes", (*suite).processes},
	{"Syscalls", (*suite).syscalls},
	{"Escape", (*suite).escape},
	{"Wipe", (*suite).wipe},
	{"State", (*suite).state},
	{"Pairs", (*suite).pairs},
	{"Pool", (*suite).pool},
}

// suite is one pass over all subjects.
type suite struct {
	Options
	sandbox   runner.Sandbox
	isolation runner.Isolation
	tenants   atomic.Int64
}

// long is d on a machine that is as slow as Options says.
func (s *suite) long(d time.Duration) time.Duration {
	return time.Duration(float64(d) * s.Scale)
}

// tenant is a name that no box was asked for with.
func (s *suite) tenant() string {
	return fmt.Sprintf("tenant-%d", s.tenants.Add(1))
}

// limits are those that a harmless program never reaches.
func (s *suite) limits() runner.Limits {
	return runner.Limits{
		CPU:       s.long(30 * time.Second),
		Wall:      s.long(60 * time.Second),
		Memory:    256 << 20,
		Output:    1 << 20,
		Processes: 64,
	}
}

// tightened is the suite's limits with those of l that are not zero.
func (s *suite) tightened(l runner.Limits) runner.Limits {
	to := s.limits()
	if l.CPU != 0 {
		to.CPU = l.CPU
	}
	if l.Wall != 0 {
		to.Wall = s.long(l.Wall)
	}
	if l.Memory != 0 {
		to.Memory = l.Memory
	}
	if l.Output != 0 {
		to.Output = l.Output
	}
	if l.Processes != 0 {
		to.Processes = l.Processes
	}
	return to
}
