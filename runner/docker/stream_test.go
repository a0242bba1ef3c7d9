package docker_test

import (
	"bytes"
	"io"
	"os"
	"testing"

	"judge/runner/docker"
)

// TestTaken: of a stream with a maximum, one byte more comes through: that is
// how the reader sees that there was more.
func TestTaken(t *testing.T) {
	t.Parallel()
	many := bytes.Repeat([]byte("x"), 1000)
	for name, c := range map[string]struct {
		most   int64
		chunks [][]byte
		got    int
		over   bool
	}{
		"nothing":          {10, nil, 0, false},
		"below":            {10, [][]byte{many[:4], many[:5]}, 9, false},
		"exactly":          {10, [][]byte{many[:4], many[:6]}, 10, false},
		"one more":         {10, [][]byte{many[:10], many[:1]}, 11, true},
		"one more at once": {10, [][]byte{many[:11]}, 11, true},
		"far more":         {10, [][]byte{many, many, many[:1]}, 11, true},
		"no maximum":       {0, [][]byte{many, many}, 2000, false},
		"empty chunks":     {1, [][]byte{nil, many[:1], nil}, 1, false},
	} {
		got, count, over := docker.Taken(c.most, c.chunks...)
		if len(got) != c.got || count != int64(c.got) || over != c.over {
			t.Errorf("%s: %d bytes, %d counted, over: %v; want %d, %v", name, len(got), count, over, c.got, c.over)
		}
	}
}

// zeroes is a pipe's end that is never empty.
func zeroes(t *testing.T) int {
	t.Helper()
	f, err := os.Open("/dev/zero")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return int(f.Fd())
}

// TestDrained: who writes without end does not hold the reader.
func TestDrained(t *testing.T) {
	t.Parallel()
	buf := make([]byte, 4096)
	var got bytes.Buffer
	more, eof, err := docker.Drained(zeroes(t), &got, buf)
	if !more || eof || err != nil || got.Len() == 0 {
		t.Errorf("endless: %d bytes, more: %v, end: %v (%v)", got.Len(), more, eof, err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	if _, err := w.Write(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	got.Reset()
	if more, eof, err = docker.Drained(int(r.Fd()), &got, buf); more || eof || err != nil || got.Len() != 100 {
		t.Errorf("100 bytes: %d, more: %v, end: %v (%v)", got.Len(), more, eof, err)
	}
	_ = w.Close()
	if more, eof, err = docker.Drained(int(r.Fd()), io.Discard, buf); more || !eof || err != nil {
		t.Errorf("at the end: more: %v, end: %v (%v)", more, eof, err)
	}
}
