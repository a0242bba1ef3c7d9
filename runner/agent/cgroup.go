package agent

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// cgroup is the run's cgroup, run/, inside the container's own. Its control
// files are kept open. All methods are for the spawning thread.
type cgroup interface {
	// enter makes agent/ and run/ and takes their places in them; after it,
	// children are born in run/.
	enter() error
	// fd is what a child is to be born in, -1 where it follows from the parent.
	fd() int
	// begin sets the limits (0: none) and clears the counters.
	begin(memory int64, processes int32) error
	// cpu is the CPU time that the run has used since begin, in ns.
	cpu() (int64, error)
	// others is how many processes and threads of the run there are.
	others() (int, error)
	// left is how many bytes are in run/.
	left() (int64, error)
	// end reads what the run did since begin.
	end(r *Reply) error
}

// control is an open control file.
type control struct {
	file int
	name string
}

func openControl(dir, name string, flags int) (control, error) {
	p := filepath.Join(dir, name)
	fd, err := unix.Open(p, flags|unix.O_CLOEXEC, 0)
	if err != nil {
		return control{}, fmt.Errorf("open %s: %w", p, err)
	}
	return control{fd, p}, nil
}

// openControls opens several at once: the first character of a name is its
// mode, r, w or +.
func openControls(dir string, names map[string]*control) error {
	modes := map[byte]int{'r': unix.O_RDONLY, 'w': unix.O_WRONLY, '+': unix.O_RDWR}
	for name, c := range names {
		var err error
		if *c, err = openControl(dir, name[1:], modes[name[0]]); err != nil {
			return err
		}
	}
	return nil
}

func (c control) close() { _ = unix.Close(c.file) }

func (c control) read(buf []byte) ([]byte, error) {
	n, err := unix.Pread(c.file, buf, 0)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", c.name, err)
	}
	return buf[:n], nil
}

func (c control) number() (int64, error) {
	var buf [32]byte
	b, err := c.read(buf[:])
	if err != nil {
		return 0, err
	}
	n, ok := leadingNumber(b)
	if !ok {
		return 0, fmt.Errorf("read %s: %q is not a number", c.name, b)
	}
	return n, nil
}

// field reads "name value" from a file of such lines; 0 where there is none.
func (c control) field(name string) (int64, error) {
	var buf [1024]byte
	b, err := c.read(buf[:])
	if err != nil {
		return 0, err
	}
	n, _ := fieldOf(b, name)
	return n, nil
}

func fieldOf(b []byte, name string) (int64, bool) {
	for i := 0; i+len(name) < len(b); {
		if string(b[i:i+len(name)]) == name && b[i+len(name)] == ' ' {
			return leadingNumber(b[i+len(name)+1:])
		}
		for i < len(b) && b[i] != '\n' {
			i++
		}
		i++
	}
	return 0, false
}

// leadingNumber reads the digits at the start of b, which must fit.
func leadingNumber(b []byte) (n int64, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			break
		}
		if n > (math.MaxInt64-int64(c-'0'))/10 {
			return 0, false
		}
		n, ok = n*10+int64(c-'0'), true
	}
	return n, ok
}

func (c control) write(n int64) error {
	var buf [24]byte
	return c.writeBytes(strconv.AppendInt(buf[:0], n, 10))
}

func (c control) writeBytes(b []byte) error {
	if _, err := unix.Pwrite(c.file, b, 0); err != nil {
		return fmt.Errorf("write %q to %s: %w", b, c.name, err)
	}
	return nil
}

// groupMode: in a box that only root can see.
const groupMode = 0o700

// makeLeaves makes agent/ and run/ below the container's cgroup, which must be
// ours: PID 1 of this PID namespace is seen in it.
func makeLeaves(own string) error {
	procs, err := os.ReadFile(filepath.Join(own, "cgroup.procs"))
	if err != nil {
		return fmt.Errorf("read own cgroup: %w", err)
	}
	found := false
	for line := range strings.FieldsSeq(string(procs)) {
		found = found || line == "1"
	}
	if !found {
		return fmt.Errorf("verify own cgroup: PID 1 is not in %s", own)
	}
	for _, leaf := range []string{"agent", "run"} {
		if err := os.Mkdir(filepath.Join(own, leaf), groupMode); err != nil && !errors.Is(err, os.ErrExist) {
			return fmt.Errorf("make cgroup: %w", err)
		}
	}
	if err := os.WriteFile(filepath.Join(own, "agent", "cgroup.procs"), []byte("1"), 0); err != nil {
		return fmt.Errorf("enter agent's cgroup: %w", err)
	}
	return nil
}
