//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"judge/runner"
)

// start: what a program finds when it starts.
func (s *suite) start(t *testing.T) {
	for _, class := range []runner.Class{runner.Run, runner.Compile, runner.Jury, runner.Workspace} {
		t.Run(string(class), func(t *testing.T) {
			b := s.boxIn(t, s.slot(t), runner.Spec{Class: class, Tenant: s.tenant()})
			b.findsIdentity(t)
			b.findsSurroundings(t)
			b.serves(t)
		})
	}
	t.Run("arguments", func(t *testing.T) {
		b := s.box(t)
		args := []string{"args", "", "a b", "$(x) 'y' \"z\"", "\xff\xfe\n", "--", strings.Repeat("l", 16<<10)}
		expect(t, b.run(t, b.command(args...)), exited(0), printed(strings.Join(args, "\x00")+"\x00"))
	})
	t.Run("environment", func(t *testing.T) {
		b := s.box(t)
		for _, env := range [][]string{nil, {"A=1"}, {"B=", "A=x=y", "C=\xff\n", "PATH=/nowhere"}} {
			cmd := b.command("env")
			cmd.Env = env
			want := strings.Join(append(env, ""), "\x00")
			expect(t, b.run(t, cmd), exited(0), printed(want))
		}
	})
	t.Run("core", func(t *testing.T) {
		b := s.box(t)
		cpu := strconv.Itoa(b.slot.CPU())
		expect(t, b.run(t, b.command("affinity")), exited(0), printed(cpu+"\n"+cpu+"\n"))
	})
	t.Run("users", s.users)
}

// findsIdentity: an unprivileged user with no way to become another.
func (b *box) findsIdentity(t *testing.T) {
	t.Helper()
	status := map[string]string{}
	for line := range strings.Lines(b.probe(t, "cat", "/proc/self/status")) {
		name, value, _ := strings.Cut(line, ":")
		status[name] = strings.Join(strings.Fields(value), " ")
	}
	const none = "0000000000000000"
	for name, want := range map[string]string{
		"Groups": "", "NoNewPrivs": "1", "Seccomp": "2", "TracerPid": "0", "Threads": "1",
		"CapInh": none, "CapPrm": none, "CapEff": none, "CapAmb": none,
		"SigPnd": none, "ShdPnd": none, "SigBlk": none, "SigIgn": none, "SigCgt": none,
	} {
		if got, ok := status[name]; !ok || got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"Uid", "Gid"} {
		ids := strings.Fields(status[name])
		if len(ids) != 4 || ids[0] == "0" || ids[1] != ids[0] || ids[2] != ids[0] || ids[3] != ids[0] {
			t.Errorf("%s is %q, want four times the same, not root's", name, ids)
		}
	}
}

func (b *box) findsSurroundings(t *testing.T) {
	t.Helper()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"cat", "/proc/self/oom_score_adj"}, "1000\n"},
		{[]string{"descriptors"}, "0\n1\n2\n"},
		{[]string{"session"}, "session own\ngroup own\nterminal none\n"},
	} {
		expect(t, b.run(t, b.command(c.args...)), exited(0), printed(c.want))
	}
	var files, hard int
	limits := b.probe(t, "rlimits")
	n, err := fmt.Sscanf(limits, "core 0 0\nstack -1 -1\nnofile %d %d\nfsize -1 -1\nas -1 -1\n", &files, &hard)
	if n != 2 || err != nil || files < 64 || hard > 1<<20 {
		t.Errorf("limits %q (%v), want core 0, stack, file size and address space unlimited, 64 files or more", limits, err)
	}
}

// users: those of two boxes differ, so that neither counts for the other.
func (s *suite) users(t *testing.T) {
	slot, seen := s.slot(t), map[string]runner.Class{}
	for _, class := range []runner.Class{runner.Run, runner.Jury, runner.Run} {
		b := s.boxIn(t, slot, runner.Spec{Class: class, Tenant: s.tenant()})
		uid, _, _ := strings.Cut(b.probe(t, "ids"), "\n")
		if other, dup := seen[uid]; dup {
			t.Errorf("two boxes in use, for %s and for %s, have the same %s", class, other, uid)
		}
		seen[uid] = class
	}
}
