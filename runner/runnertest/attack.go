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
	more   []runner.File // put into Program beside the probe
}

// attacks runs each attack in a box of its own, and looks at the slot afterwards.
func (s *suite) attacks(t *testing.T, list []attack) {
	t.Helper()
	for _, a := range list {
		t.Run(a.name, func(t *testing.T) {
			b := s.box(t)
			if len(a.more) > 0 {
				b.put(t, runner.Program, a.more...)
			}
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

// survives wants the box to serve on, to look right from the host, and to come
// clean when it is given back.
func (b *box) survives(t *testing.T) {
	t.Helper()
	b.serves(t)
	for _, check := range b.suite.HostChecks {
		check(t, b.Box)
	}
	b.next(t).serves(t)
}
