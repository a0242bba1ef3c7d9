//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"judge/runner"
)

// time: CPU time however it is burned, elapsed time however it is waited away.
func (s *suite) time(t *testing.T) {
	t.Run("measured", s.cpuMeasured)
	const limit = 300 * time.Millisecond
	cpu := runner.Limits{CPU: limit}
	burned := all(stopped(runner.LimitCPU), s.usedCPU(limit))
	var list []attack
	for _, args := range [][]string{
		{"spin"},
		{"spin", "closed"},
		{"spin", "nice"},
		{"spin", "deaf"},
		{"spin", "storm"},
		{"spin", "yield"},
		{"spin", "naps"},
		{"spin", "threads"},
		{"family", "1"},
		{"family", "5"},
		{"mayflies"},
		{"orphans"},
		{"chain"},
	} {
		list = append(list, attack{name: strings.Join(args, " "), args: args, limits: cpu, want: burned})
	}
	s.attacks(t, list)
	s.attacks(t, []attack{{
		name: "idle class", args: []string{"spin", "idle"}, limits: runner.Limits{CPU: limit, Wall: 10 * time.Second},
		want: stopped(runner.LimitCPU, runner.LimitWall), // on a busy machine it hardly gets any time
	}, {
		name: "burns after the parent", args: []string{"daemon", "burns"}, limits: cpu,
		want: all(exited(0), printed("parent\n")),
	}})
	const wall = 500 * time.Millisecond
	waited := all(stopped(runner.LimitWall), func(r report) error {
		if r.Wall < s.long(wall) {
			return fmt.Errorf("want at least %v of elapsed time", s.long(wall))
		}
		return nil
	})
	list = nil
	for _, name := range []string{"nap", "futex", "starve", "stopped", "vforked"} {
		list = append(list, attack{name: name, args: []string{name}, limits: runner.Limits{Wall: wall}, want: waited})
	}
	s.attacks(t, list)
	t.Run("no CPU limit", func(t *testing.T) {
		b := s.box(t)
		cmd := b.command("spin")
		cmd.Limits.CPU, cmd.Limits.Wall = 0, s.long(wall)
		expect(t, b.run(t, cmd), waited)
		b.survives(t)
	})
}

// usedCPU wants the limit to have been reached, and no second of CPU time to be
// lost before somebody noticed.
func (s *suite) usedCPU(limit time.Duration) check {
	return func(r report) error {
		if r.CPU < limit || r.CPU > limit+s.long(time.Second) {
			return fmt.Errorf("want CPU time from %v to a second more", limit)
		}
		return nil
	}
}

// cpuMeasured: the result says what the kernel told the program, plus start and end.
func (s *suite) cpuMeasured(t *testing.T) {
	b := s.box(t)
	for _, ms := range []int{0, 50, 400} {
		r := b.run(t, b.command("burn", strconv.Itoa(ms)))
		expect(t, r, exited(0))
		ns, err := strconv.ParseInt(strings.TrimSpace(r.stdout), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		// rusage is scaled by ticks and rounded to 1 µs, and starts after execve.
		own := time.Duration(ns)
		if r.CPU < own-s.long(5*time.Millisecond) || r.CPU > own+s.long(50*time.Millisecond) {
			t.Errorf("burned %v by its own account: %+v", own, r.Result)
		}
	}
	b.serves(t)
}
