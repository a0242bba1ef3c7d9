package agent

import (
	"bytes"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// What the tests see of the agent's inside.

// MaxPacked and MaxVisited bound Pack.
const (
	MaxPacked  = maxPacked
	MaxVisited = maxVisited
)

// ErrTooLarge is what becomes of too much to pack.
var ErrTooLarge = errTooLarge

// ParseRun is parseRun, put back into the words of the request.
func ParseRun(b []byte) (*Run, error) {
	r, err := parseRun(b)
	if err != nil {
		return nil, err
	}
	run := &Run{Flags: r.flags, CPU: r.cpu, Wall: r.wall, Memory: r.memory, Processes: r.processes}
	for i, s := range bytes.SplitAfter(r.strings, []byte{0})[:r.argc+r.envc] {
		text := string(s[:len(s)-1])
		if i < r.argc {
			run.Args = append(run.Args, text)
		} else {
			run.Env = append(run.Env, text)
		}
	}
	return run, nil
}

// Vectors is what a child would get to see of a message: argv and envp, read as
// the kernel reads them.
func Vectors(b []byte) (argv, envp []string, err error) {
	r, err := parseRun(b)
	if err != nil {
		return nil, nil, err
	}
	a := &agent{}
	if err := a.setSpawn(&r, []int{3, 4, 5}); err != nil {
		return nil, nil, err
	}
	split := r.argc + 1
	for _, p := range a.pointers[:r.argc] {
		argv = append(argv, unix.BytePtrToString(p))
	}
	for _, p := range a.pointers[split:] {
		if p == nil {
			break
		}
		envp = append(envp, unix.BytePtrToString(p))
	}
	return argv, envp, nil
}

// ParseJSON is parseJSON.
func ParseJSON(b []byte, m any) error { return parseJSON(b, m) }

// ParseDirents is parseDirents.
func ParseDirents(b []byte) ([]string, bool) { return parseDirents(b) }

// FieldOf is fieldOf.
func FieldOf(b []byte, name string) (int64, bool) { return fieldOf(b, name) }

// LeadingNumber is leadingNumber.
func LeadingNumber(b []byte) (int64, bool) { return leadingNumber(b) }

// Empty is empty.
func Empty(dir int) error { return empty(dir) }

// Put is put, by whoever calls it.
func Put(dir, name string, mode uint32, src io.Reader) error {
	return (&agent{}).put(dir, name, mode, src)
}

// Get is get.
func Get(dir, name string, limit int64, dst io.Writer) error {
	return (&agent{}).get(dir, name, limit, dst)
}

// Pack is pack.
func Pack(dir string, op *FileOp, dst io.Writer) error { return (&agent{}).pack(dir, op, dst) }

// Unpack is unpack.
func Unpack(dir string, src io.Reader) error { return (&agent{}).unpack(dir, src) }

// FromStart is fromStart.
func FromStart(f *os.File) io.Reader { return fromStart(f) }

// UntilLimit is untilLimit.
func UntilLimit(cpuLimit, wallLimit, cpu, wall int64) int64 {
	return untilLimit(&runRequest{cpu: cpuLimit, wall: wallLimit}, cpu, wall)
}
