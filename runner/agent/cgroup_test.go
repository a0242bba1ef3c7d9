package agent_test

import (
	"math"
	"testing"
	"time"

	"judge/runner/agent"
)

func TestFieldOf(t *testing.T) {
	t.Parallel()
	const events = "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 7\n"
	for _, c := range []struct {
		text, name string
		want       int64
		ok         bool
	}{
		{"oom_kill_disable 0\nunder_oom 0\noom_kill 5\n", "oom_kill", 5, true},
		{events, "oom_kill", 2, true},
		{events, "oom", 3, true},
		{events, "low", 0, true},
		{events, "oom_group_kill", 7, true},
		{events, "kill", 0, false},
		{"max 4", "max", 4, true},
		{"max 4", "maximum", 0, false},
		{"usage_usec 18446744073\nuser_usec 1", "usage_usec", 18446744073, true},
		{"oom_kill", "oom_kill", 0, false},
		{"oom_kill \n", "oom_kill", 0, false},
		{"oom_kill\n5", "oom_kill", 0, false},
		{"\n\n oom_kill 4\noom_kill 3", "oom_kill", 3, true},
		{"", "oom_kill", 0, false},
	} {
		if got, ok := agent.FieldOf([]byte(c.text), c.name); got != c.want || ok != c.ok {
			t.Errorf("%s of %q is %d, %v; want %d, %v", c.name, c.text, got, ok, c.want, c.ok)
		}
	}
}

func TestLeadingNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"0\n", 0, true},
		{"4096\n", 4096, true},
		{"12 34", 12, true},
		{"9223372036854771712\n", 9223372036854771712, true}, // "no limit" of cgroup v1
		{"9223372036854775807", math.MaxInt64, true},
		{"max\n", 0, false},
		{"-1", 0, false},
		{" 1", 0, false},
		{"", 0, false},
		{"99999999999999999999", 0, false},
	} {
		if got, ok := agent.LeadingNumber([]byte(c.text)); got != c.want || ok != c.ok {
			t.Errorf("%q is read as %d, %v; want %d, %v", c.text, got, ok, c.want, c.ok)
		}
	}
}

func FuzzFieldOf(f *testing.F) {
	f.Add([]byte("oom_kill_disable 0\nunder_oom 0\noom_kill 5\n"), "oom_kill")
	f.Add([]byte("max"), "max")
	f.Fuzz(func(t *testing.T, b []byte, name string) {
		if n, ok := agent.FieldOf(b, name); n < 0 || (!ok && n != 0) {
			t.Errorf("%s of %q is %d, %v", name, b, n, ok)
		}
	})
}

func TestUntilLimit(t *testing.T) {
	t.Parallel()
	const second = int64(time.Second)
	for _, c := range []struct{ cpuLimit, wallLimit, cpu, wall, want int64 }{
		{0, 0, 5, 5, -1},
		{second, 0, 0, 0, second},
		{second, 2 * second, second / 2, second, second / 2},
		{second, 2 * second, 0, 2*second - 3e6, 3e6},
		{0, second, 7 * second, second / 4, 3 * second / 4},
		{second, 0, 2 * second, 0, int64(time.Millisecond)}, // never a busy loop, never for ever
		{second, second, 0, 2 * second, int64(time.Millisecond)},
	} {
		if got := agent.UntilLimit(c.cpuLimit, c.wallLimit, c.cpu, c.wall); got != c.want {
			t.Errorf("limits %d and %d, used %d and %d: wait %d, want %d", c.cpuLimit, c.wallLimit, c.cpu, c.wall, got, c.want)
		}
	}
}
