//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"fmt"
	"syscall"
	"testing"

	"judge/runner"
)

// end: how a program ended reaches the result unchanged.
func (s *suite) end(t *testing.T) {
	b := s.box(t)
	for _, code := range []int{0, 1, 42, 128 + 9, 255} {
		t.Run(fmt.Sprintf("exit %d", code), func(t *testing.T) {
			expect(t, b.run(t, b.command("exit", fmt.Sprint(code))), exited(code))
		})
	}
	for _, signal := range []syscall.Signal{
		syscall.SIGHUP, syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGFPE, syscall.SIGKILL, syscall.SIGTERM,
		syscall.SIGPIPE, syscall.SIGXCPU, syscall.SIGXFSZ, syscall.SIGSYS, 40,
	} {
		t.Run(fmt.Sprintf("signal %d", int(signal)), func(t *testing.T) {
			expect(t, b.run(t, b.command("raise", fmt.Sprint(int(signal)))), died(signal))
		})
	}
	b.serves(t)
}

// exec: a program that the kernel refuses is a result, not a fault of the sandbox.
func (s *suite) exec(t *testing.T) {
	b := s.box(t)
	b.put(t, runner.Program,
		runner.File{Name: "plain", Mode: 0o644, Data: []byte("\x7fELF")},
		runner.File{Name: "empty", Mode: 0o755},
		runner.File{Name: "garbage", Mode: 0o755, Data: []byte("\x00\x01\x02\x03 no program")},
		runner.File{Name: "torn", Mode: 0o755, Data: []byte("\x7fELF\x02\x01\x01")},
		runner.File{Name: "script", Mode: 0o755, Data: []byte("#!/no/such/interpreter\n")},
		runner.File{Name: "loop", Mode: 0o755, Data: []byte("#!" + runner.ProgramPath + "/loop\n")},
		runner.File{Name: "hello", Mode: 0o755, Data: []byte("#!" + runner.ProgramPath + "/probe args\n")},
	)
	for _, c := range []struct {
		path string
		want check
	}{
		{"missing", refused(syscall.ENOENT)},
		{"missing/below", refused(syscall.ENOENT)},
		{"plain/below", refused(syscall.ENOTDIR)},
		{"plain", refused(syscall.EACCES)},
		{"", refused(syscall.EACCES)},
		{"empty", refused(syscall.ENOEXEC)},
		{"garbage", refused(syscall.ENOEXEC)},
		{"torn", refused(syscall.ENOEXEC)},
		{"script", refused(syscall.ENOENT)},
		{"loop", refused(syscall.ELOOP)},
		{"hello", all(exited(0), printed("args\x00"+runner.ProgramPath+"/hello\x00"))},
	} {
		t.Run("path "+c.path, func(t *testing.T) {
			cmd := b.command()
			cmd.Args = []string{runner.ProgramPath + "/" + c.path}
			expect(t, b.run(t, cmd), c.want)
			b.serves(t)
		})
	}
}
