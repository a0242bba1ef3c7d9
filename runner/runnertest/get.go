//nolint:thelper // its subjects are tests, not helpers
package runnertest

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"judge/runner"
)

// get: only a regular file with one name is read, and never through a link.
func (s *suite) get(t *testing.T) {
	t.Run("regular", func(t *testing.T) {
		b := s.box(t)
		b.keep(t, "write", "out", "text")
		for _, maximum := range []int64{4, 5, 1 << 20} {
			if got, err := b.Get(t.Context(), "out", maximum); err != nil || string(got) != "text" {
				t.Errorf("get at most %d bytes: %q, %v", maximum, got, err)
			}
		}
		for _, name := range []string{"missing", "missing/below", "out/below"} {
			if got, err := b.Get(t.Context(), name, 100); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("get %s: %q, %v; want fs.ErrNotExist", name, got, err)
			}
		}
		b.serves(t)
	})
	for _, how := range []string{
		"symlink", "absolute", "hardlink", "folder", "fifo", "device", "dangling", "socket",
	} {
		t.Run(how, func(t *testing.T) {
			b := s.box(t)
			b.keep(t, "plant", how)
			if got, err := b.Get(t.Context(), "out", 1<<20); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("get: %.100q, %v; want fs.ErrNotExist", got, err)
			}
			b.survives(t)
		})
	}
	t.Run("unreadable", func(t *testing.T) {
		b := s.box(t)
		b.keep(t, "plant", "locked")
		if got, err := b.Get(t.Context(), "out", 100); err == nil && string(got) != "x" {
			t.Errorf("get a file of mode 000: %q, %v", got, err)
		}
	})
	t.Run("too large", func(t *testing.T) {
		for _, args := range [][]string{{"write", "out", "longer than that"}, {"sparse"}} {
			t.Run(args[0], func(t *testing.T) {
				b := s.box(t)
				b.keep(t, args...)
				got, err := b.Get(t.Context(), "out", 10)
				if !errors.Is(err, runner.ErrTooLarge) {
					t.Errorf("get at most 10 bytes: %d bytes, %v; want ErrTooLarge", len(got), err)
				}
				b.discard()
			})
		}
	})
	t.Run("hostile names", func(t *testing.T) {
		for _, name := range []string{"../out", "/etc/passwd", "/proc/1/environ", "a/../../../etc/passwd", ".", "", ".."} {
			t.Run(name, func(t *testing.T) {
				b := s.box(t)
				b.keep(t, "write", "out", "text")
				if got, err := b.Get(t.Context(), name, 1<<20); err == nil {
					t.Errorf("get %q: %.100q", name, got)
				}
				b.discard()
			})
		}
	})
	t.Run("swapped", func(t *testing.T) {
		// The swapping process is dead before anybody looks: there is no race to win.
		b := s.box(t)
		b.keep(t, "swap")
		got, err := b.Get(t.Context(), "out", 1<<20)
		if err == nil && string(got) != "regular" || err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("get: %.100q, %v; want the regular file or fs.ErrNotExist", got, err)
		}
		b.survives(t)
	})
	t.Run("deep and hostile", func(t *testing.T) {
		b := s.box(t)
		b.keep(t, "deep", "100")
		name := strings.Repeat("d/", 100) + "file"
		if got, err := b.Get(t.Context(), name, 100); err != nil || string(got) != "deep\n" {
			t.Errorf("get a file 100 folders down: %q, %v", got, err)
		}
	})
}
