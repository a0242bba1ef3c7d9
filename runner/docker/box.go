package docker

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"judge/runner"
	"judge/runner/agent"
)

// box is one warm container. It belongs to who took it until it is released.
type box struct {
	slot      *slot
	number    int
	name      string // the number, as cgroups and folders have it
	key       string
	class     runner.Class
	uid       int
	container string
	socket    int
	message   []byte // reused
	buffer    []byte // reused; made for the first output

	used      bool
	tenant    string
	isolation runner.Isolation
	runs      int
	worn      bool
	bytes     int64 // held when it was last released
	since     time.Time
	broken    bool
	asked     bool           // the engine was asked for a container
	held      bool           // given out, and neither released nor discarded
	others    sync.WaitGroup // goroutines that may use socket
}

var _ runner.Box = (*box)(nil)

// Put writes files into dir.
func (b *box) Put(ctx context.Context, dir runner.Dir, files ...runner.File) error {
	for i := range files {
		if err := b.put(ctx, dir, &files[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *box) put(ctx context.Context, dir runner.Dir, f *runner.File) error {
	op := &agent.FileOp{Dir: byte(dir), Name: []byte(f.Name), Mode: uint32(f.Mode.Perm())}
	if f.Mode.IsDir() {
		op.Name = []byte(strings.TrimSuffix(f.Name, "/") + "/")
		return b.fileVerb(ctx, agent.VerbPut, op, nil, nil)
	}
	if f.Source != nil {
		return b.fileVerb(ctx, agent.VerbPut, op, f.Source, nil)
	}
	m, err := memoryFile(f.Data)
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }()
	return b.fileVerb(ctx, agent.VerbPut, op, m, nil)
}

// memoryFile is a file that holds data and lies nowhere.
func memoryFile(data []byte) (*os.File, error) {
	fd, err := unix.MemfdCreate("put", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("make memory file: %w", err)
	}
	f := os.NewFile(uintptr(fd), "put")
	if _, err := f.Write(data); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("fill memory file: %w", err)
	}
	return f, nil
}

// Unpack writes the files of a tar that Pack made into dir.
func (b *box) Unpack(ctx context.Context, dir runner.Dir, tar *os.File) error {
	return b.fileVerb(ctx, agent.VerbUnpack, &agent.FileOp{Dir: byte(dir)}, tar, nil)
}

// tarOverhead bounds what a tar adds to the files in it: headers and padding of
// as many files as the agent packs.
const tarOverhead = 4096 * 4 << 10

// Pack writes a tar of files in the working folder to w.
func (b *box) Pack(ctx context.Context, patterns []string, maxBytes int64, w io.Writer) error {
	op := &agent.FileOp{Dir: byte(runner.Work), Patterns: patterns, Max: maxBytes}
	return b.fileVerb(ctx, agent.VerbPack, op, nil, &stream{to: w, max: maxBytes + tarOverhead})
}

// Get reads a file below the working folder.
func (b *box) Get(ctx context.Context, name string, maxBytes int64) ([]byte, error) {
	var buf bytes.Buffer
	op := &agent.FileOp{Dir: byte(runner.Work), Name: []byte(name), Max: maxBytes}
	if err := b.fileVerb(ctx, agent.VerbGet, op, nil, &stream{to: &buf, max: maxBytes}); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// Clear removes what runs could write.
func (b *box) Clear(ctx context.Context) error { return b.plainVerb(ctx, agent.VerbClear) }

// Wipe removes all that runs and puts left.
func (b *box) Wipe(ctx context.Context) error { return b.plainVerb(ctx, agent.VerbWipe) }

func (b *box) plainVerb(ctx context.Context, verb agent.Verb) error {
	reply, err := b.ask(ctx, append(b.message[:0], byte(verb)), nil, nil)
	if err != nil {
		return err
	}
	b.worn = b.worn || reply.Left > agent.MaxLeft
	return b.only(&reply)
}

// only wants one of some statuses, or OK. Any other breaks the protocol.
func (b *box) only(reply *agent.Reply, may ...agent.Status) error {
	if reply.Status == agent.OK || slices.Contains(may, reply.Status) {
		return nil
	}
	b.broken = true
	return fmt.Errorf("%w: status %d does not answer the verb", errBox, reply.Status)
}

// Discard destroys the box. What was given back already is left alone.
func (b *box) Discard() {
	if b.held {
		b.held = false
		b.slot.sandbox.discard(b)
	}
}

// fileVerb does a verb on files: in is read by the agent, out is what it writes.
func (b *box) fileVerb(ctx context.Context, verb agent.Verb, op *agent.FileOp, in *os.File, out *stream) error {
	msg, err := agent.AppendFileOp(b.message[:0], verb, op)
	if err != nil {
		return err
	}
	var fds []int
	if in != nil {
		fds = append(fds, int(in.Fd()))
	}
	if out != nil {
		if err := out.open(0); err != nil {
			return err
		}
		defer out.close()
		fds = append(fds, out.write)
	}
	reply, err := b.ask(ctx, msg, fds, out)
	runtime.KeepAlive(in) // until its descriptor has been sent
	if err != nil {
		return err
	}
	if err := b.only(&reply, agent.NotExist, agent.TooLarge); err != nil {
		return err
	}
	if reply.Status == agent.NotExist {
		return fmt.Errorf("%w: %s", fs.ErrNotExist, printable(reply.Message))
	}
	if reply.Status == agent.TooLarge {
		return fmt.Errorf("%w: %s", runner.ErrTooLarge, printable(reply.Message))
	}
	if out != nil && out.over() {
		return fmt.Errorf("%w: more than %d bytes", runner.ErrTooLarge, out.max)
	}
	return nil
}

// printable makes text from a box safe for a log.
func printable(s string) string { return strings.Trim(fmt.Sprintf("%q", s), `"`) }
