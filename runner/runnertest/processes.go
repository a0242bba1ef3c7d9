//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"judge/runner"
)

// processes: too many of them, some that stay, some that bite.
func (s *suite) processes(t *testing.T) {
	short := runner.Limits{CPU: 500 * time.Millisecond, Wall: 10 * time.Second}
	refusedFork := func(name string, room int) check {
		return func(r report) error {
			if r.Limit != runner.LimitProcesses || r.ExitCode != 0 || r.Signal != 0 {
				return errors.New("want a refused fork, and the run to go on to exit code 0")
			}
			return printed(fmt.Sprintf("%d\n%s EAGAIN\n", room, name))(r)
		}
	}
	bombed := stopped(runner.LimitCPU, runner.LimitWall)
	s.attacks(t, []attack{
		{name: "as many as allowed", args: []string{"forks"}, limits: runner.Limits{Processes: 8}, want: refusedFork("fork", 7)},
		{name: "one", args: []string{"forks"}, limits: runner.Limits{Processes: 1}, want: refusedFork("fork", 0)},
		{name: "threads count", args: []string{"threads"}, limits: runner.Limits{Processes: 8}, want: refusedFork("thread", 7)},
		{name: "fork bomb", args: []string{"bomb"}, limits: short, want: bombed},
		{name: "thread bomb", args: []string{"thread-bomb"}, limits: short, want: bombed},
		{name: "big fork bomb", args: []string{"bomb"}, limits: runner.Limits{CPU: time.Second, Wall: 20 * time.Second, Processes: 256}, want: bombed},
		{name: "stops the agent", args: []string{"signal", "19", "1"}, want: all(exited(0), printed("kill EPERM\n"))},
		{name: "kills the agent", args: []string{"signal", "9", "1"}, want: all(exited(0), printed("kill EPERM\n"))},
		{name: "kills everything", args: []string{"signal", "9", "-1"}, want: all(exited(0), either(printed("kill EPERM\n"), printed("kill ESRCH\n")))},
		{name: "hurts everything visible", args: []string{"hurt"}, want: all(exited(0), printed("0\n"))},
		{name: "hunts the sweeper", args: []string{"race"}, want: exited(0)},
		{name: "kills itself", args: []string{"signal", "9", "0"}, want: died(syscall.SIGKILL)},
	})
	var daemons []attack
	for _, how := range []string{"idles", "silent", "burns", "writes", "forks"} {
		daemons = append(daemons, attack{
			name: "daemon " + how, args: []string{"daemon", how}, limits: runner.Limits{Output: 1 << 40}, want: leftBehind,
		})
	}
	s.attacks(t, daemons)
	t.Run("many daemons", func(t *testing.T) {
		b := s.box(t)
		for range 50 {
			expect(t, b.run(t, b.command("daemon", "forks")), leftBehind)
		}
		b.survives(t)
	})
}

// leftBehind wants the end of the main process to have been the end of the run,
// with what was written until then: a run that waited for its daemons would
// have ended at a limit.
func leftBehind(r report) error {
	if !strings.HasPrefix(r.stdout, "parent\n") {
		return errors.New("want the parent's output")
	}
	return exited(0)(r)
}
