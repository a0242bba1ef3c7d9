//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// streams: what a program reads and writes, by descriptor and by name.
func (s *suite) streams(t *testing.T) {
	t.Run("stdin", s.stdin)
	t.Run("by name", s.byName)
	t.Run("files", s.outputFiles)
	t.Run("as they come", s.asTheyCome)
	t.Run("none", func(t *testing.T) {
		b := s.box(t)
		cmd := b.command("open", "w", "/dev/stdout", "/dev/stderr")
		r, err := b.Run(t.Context(), cmd)
		if err != nil || r.ExitCode != 0 || r.Signal != 0 || r.Stdout != 0 || r.Stderr != 0 {
			t.Errorf("run without outputs: %+v, %v", r, err)
		}
	})
}

func (s *suite) stdin(t *testing.T) {
	b := s.box(t)
	text := []byte("some\x00bytes\xff\n")
	big := bytes.Repeat([]byte("0123456789abcdef"), 4<<20/16)
	for _, c := range []struct {
		name string
		open func(t *testing.T, data []byte) *os.File
		data []byte
		args []string
		want string
	}{
		{"nothing", nil, nil, []string{"cat"}, ""},
		{"nothing, by name", nil, nil, []string{"cat", "/dev/stdin"}, ""},
		{"file", blob, text, []string{"cat"}, string(text)},
		{"empty file", blob, nil, []string{"cat"}, ""},
		{"big file", blob, big, []string{"cat"}, string(big)},
		{"big file, never read", blob, big, []string{"exit", "0"}, ""},
		{"pipe", feed, text, []string{"cat"}, string(text)},
		{"big pipe", feed, big, []string{"cat"}, string(big)},
		{"big pipe, never read", feed, big, []string{"exit", "0"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := b.command(c.args...)
			cmd.Limits.Output = 8 << 20
			if c.open != nil {
				cmd.Stdin = c.open(t, c.data)
			}
			r := b.run(t, cmd)
			expect(t, r, exited(0))
			if r.stdout != c.want {
				t.Errorf("got %d bytes back, want the %d bytes of stdin", len(r.stdout), len(c.want))
			}
			b.serves(t)
		})
	}
}

// feed is a pipe into which data is written until nobody reads it any more.
func feed(t *testing.T, data []byte) *os.File {
	t.Helper()
	r, w := pipe(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = w.Write(data) // EPIPE where the program does not care
		_ = w.Close()
	}()
	t.Cleanup(func() { _ = r.Close(); <-done })
	return r
}

// pipe is open to every user that holds an end, as between two boxes.
func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Chmod(0o666); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	return r, w
}

// byName: Node, Ruby, awk and shells open /dev/stdin and /dev/stdout anew.
func (s *suite) byName(t *testing.T) {
	b := s.box(t)
	for _, open := range []func(t *testing.T, data []byte) *os.File{blob, feed} {
		for _, to := range []string{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"} {
			cmd := b.command("copy", "/dev/stdin", to)
			cmd.Stdin = open(t, []byte("text"))
			expect(t, b.run(t, cmd), exited(0), printed("text"))
		}
	}
	cmd := b.command("copy", "/proc/self/fd/0", "/dev/stderr")
	cmd.Stdin = blob(t, []byte("text"))
	if r := b.run(t, cmd); r.stderr != "text" || r.stdout != "" {
		t.Errorf("stderr by name: %+v, %q", r.Result, r.stderr)
	}
	input := blob(t, []byte("intact"))
	cmd = b.command("open", "w", "/proc/self/fd/0", "/dev/stdin", "/dev/fd/0")
	cmd.Stdin = input
	denied := []string{"EACCES", "EPERM"}
	expect(t, b.run(t, cmd), exited(0), outcomes(map[string][]string{
		"/proc/self/fd/0": denied, "/dev/stdin": denied, "/dev/fd/0": denied,
	}))
	cmd = b.command("fill", "0", "1")
	cmd.Stdin = reopen(t, input.Name())
	if r := b.run(t, cmd); r.ExitCode == 0 {
		t.Errorf("writing to stdin: %+v", r.Result)
	}
}

// outputFiles are handed to the program itself, and count for no limit.
func (s *suite) outputFiles(t *testing.T) {
	b := s.box(t)
	name := filepath.Join(t.TempDir(), "out")
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	cmd := b.command("fill", "1", "100000")
	cmd.Stdout, cmd.Limits.Output = f, 1000
	expect(t, b.run(t, cmd), exited(0))
	if got, err := os.ReadFile(name); err != nil || string(got) != strings.Repeat("x", 100000) {
		t.Errorf("the output file holds %d bytes (%v), want 100000", len(got), err)
	}

	r, w := pipe(t)
	read := make(chan string, 1)
	go func() {
		got, _ := io.ReadAll(r)
		read <- string(got)
	}()
	cmd = b.command("copy", "/dev/stdin", "/dev/stdout")
	cmd.Stdin, cmd.Stdout = blob(t, []byte("text")), w
	expect(t, b.run(t, cmd), exited(0))
	_ = w.Close()
	if got := <-read; got != "text" {
		t.Errorf("the output pipe gave %q", got)
	}
}

// turn is a Writer that hands each write over, and waits until it was taken.
type turn struct {
	got chan string
	end <-chan struct{} // nobody takes any more
}

func newTurn(t *testing.T) turn {
	t.Helper()
	return turn{make(chan string), t.Context().Done()}
}

func (c turn) Write(p []byte) (int, error) {
	select {
	case c.got <- string(p):
		return len(p), nil
	case <-c.end:
		return 0, errWriter
	}
}

// asTheyCome: a Writer sees bytes while the program still runs.
func (s *suite) asTheyCome(t *testing.T) {
	b := s.box(t)
	r, w := pipe(t)
	out := newTurn(t)
	cmd := b.command("answer")
	cmd.Stdin, cmd.Stdout = r, out
	done := make(chan error, 1)
	go func() {
		defer close(out.got)
		res, err := b.Run(t.Context(), cmd)
		done <- errors.Join(err, exited(0)(report{Result: res}))
	}()
	for range 100 {
		if _, err := w.WriteString("line\n"); err != nil {
			t.Fatal(err)
		}
		if line := <-out.got; line != "line\n" {
			t.Fatalf("the program answered %q", line)
		}
	}
	_ = w.Close()
	for rest := range out.got {
		t.Errorf("the program added %q", rest)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
