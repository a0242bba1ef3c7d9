package runnertest

import (
	"testing"

	"judge/runner"
)

// attack is one program against the sandbox. Whatever it does, the sandbox gives
// a result, and the box serves on.
type attack struct {
	name   string
	args   []string // sub-command of the probe
	stdin  string
	limits runner.Limits // those that matter; Wall is scaled
	want   check
}

// attacks runs each attack in a box of its own, and looks at the slot afterwards.
func (s *suite) attacks(t *testing.T, list []attack) {
	t.Helper()
	for _, a := range list {
		t.Run(a.name, func(t *testing.T) {
			b := s.box(t)
			cmd := b.command(a.args...)
			cmd.Limits = s.tightened(a.limits)
			if a.stdin != "" {
				cmd.Stdin = blob(t, []byte(a.stdin))
			}
			expect(t, b.run(t, cmd), a.want)
			b.survives(t)
		})
	}
}

// survives wants the box to serve on, unless it said that it is worn, to look
// right from the host, and to come clean when it is given back.
func (b *box) survives(t *testing.T) {
	t.Helper()
	if !b.worn {
		b.serves(t)
	}
	for _, check := range b.suite.HostChecks {
		check(t, b.Box)
	}
	b.next(t).servesClean(t)
}
