package runnertest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"judge/runner"
)

// sumCPU is more CPU time than adding two numbers takes on any machine.
const sumCPU = 100 * time.Millisecond

// check says what is wrong with a report.
type check func(r report) error

// expect fails t where a check does.
func expect(t *testing.T, r report, checks ...check) {
	t.Helper()
	if err := all(checks...)(r); err != nil {
		t.Errorf("%v\n  result: %+v\n  stdout: %.600q\n  stderr: %.600q", err, r.Result, r.stdout, r.stderr)
	}
}

func all(checks ...check) check {
	return func(r report) error {
		var errs []error
		for _, c := range checks {
			errs = append(errs, c(r))
		}
		return errors.Join(errs...)
	}
}

// either wants one of several outcomes, where the kernel or the sandbox's sizes decide which.
func either(checks ...check) check {
	return func(r report) error {
		var errs []error
		for _, c := range checks {
			err := c(r)
			if err == nil {
				return nil
			}
			errs = append(errs, err)
		}
		return fmt.Errorf("none of: %w", errors.Join(errs...))
	}
}

// exited wants the program to have ended by itself, under no limit.
func exited(code int) check {
	return func(r report) error {
		if r.Exec != 0 || r.Signal != 0 || r.ExitCode != code || r.Limit != runner.LimitNone || r.OOMKills != 0 {
			return fmt.Errorf("want exit code %d under no limit", code)
		}
		return nil
	}
}

// died wants the program to have been ended by a signal of its own.
func died(signal syscall.Signal) check {
	return func(r report) error {
		if r.Exec != 0 || r.Signal != signal || r.ExitCode != 0 || r.Limit != runner.LimitNone || r.OOMKills != 0 {
			return fmt.Errorf("want signal %d (%v) under no limit", int(signal), signal)
		}
		return nil
	}
}

// stopped wants the sandbox to have stopped the program at one of the limits.
func stopped(limits ...runner.Limit) check {
	return func(r report) error {
		if r.Exec != 0 || !slices.Contains(limits, r.Limit) || r.Signal != syscall.SIGKILL {
			return fmt.Errorf("want a stop at one of the limits %q", limits)
		}
		return nil
	}
}

// refused wants execve to have failed.
func refused(errno ...syscall.Errno) check {
	return func(r report) error {
		if !slices.Contains(errno, r.Exec) || r.stdout+r.stderr != "" {
			return fmt.Errorf("want execve refused with %v", errno)
		}
		return nil
	}
}

func printed(text string) check {
	return func(r report) error {
		if r.stdout != text {
			return fmt.Errorf("want stdout %.600q", text)
		}
		return nil
	}
}

// silent wants nothing printed: the probe prints what it got at.
func silent(r report) error {
	return printed("")(r)
}

// outcomes wants one line "name outcome" for each name, the outcome one of those allowed.
func outcomes(want map[string][]string) check {
	return func(r report) error {
		var errs []error
		seen := map[string]bool{}
		for line := range strings.Lines(r.stdout) {
			name, got, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			allowed, known := want[name]
			seen[name] = known
			if !known || !slices.Contains(allowed, got) {
				errs = append(errs, fmt.Errorf("%s: got %q, want one of %q", name, got, allowed))
			}
		}
		for name := range want {
			if !seen[name] {
				errs = append(errs, fmt.Errorf("%s: no outcome", name))
			}
		}
		return errors.Join(errs...)
	}
}
