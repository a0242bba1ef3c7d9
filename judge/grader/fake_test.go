package grader_test

import (
	"context"
	"io"
	"slices"
	"sync"
	"testing"

	"judge/runner"
)

// sandbox is a runner.Sandbox whose programs are Go functions. It holds its
// user to the contract: what is used after an error, released twice or never
// fails the test.
type sandbox struct {
	t       testing.TB
	idle    chan *slot
	n       int
	compile func(*call) (runner.Result, error)
	run     func(*call) (runner.Result, error)
	jury    func(*call) (runner.Result, error)
	take    func(runner.Spec) error // fails Slot.Box
	pack    func() error            // fails Pack
	unpack  func() error            // fails Unpack

	mu    sync.Mutex
	calls []*call
	specs []runner.Spec
	open  int // boxes
	peak  int // slots in use at once, at most
	used  int
}

// call is one Run.
type call struct {
	ctx   context.Context
	cmd   *runner.Command
	box   *box
	input string // what Stdin holds
}

func (c *call) print(s string) {
	if c.cmd.Stdout != nil { // else /dev/null
		_, _ = io.WriteString(c.cmd.Stdout, s)
	}
}

func (c *call) warn(s string) { _, _ = io.WriteString(c.cmd.Stderr, s) }

func newSandbox(tb testing.TB, slots int) *sandbox {
	tb.Helper()
	s := &sandbox{t: tb, idle: make(chan *slot, slots), n: slots}
	for i := range slots {
		s.idle <- &slot{sandbox: s, cpu: i}
	}
	s.compile = func(c *call) (runner.Result, error) {
		c.box.work["main"] = slices.Concat([]byte("compiled:"), c.box.work["main.x"])
		return ok(), nil
	}
	s.run = func(c *call) (runner.Result, error) {
		c.print(c.input)
		return ok(), nil
	}
	tb.Cleanup(func() {
		if len(s.idle) != slots || s.open != 0 {
			tb.Errorf("%d of %d slots are idle, %d boxes are open", len(s.idle), slots, s.open)
		}
	})
	return s
}

func (s *sandbox) Slots() int { return s.n }

func (s *sandbox) Acquire(ctx context.Context) (runner.Slot, error) {
	select {
	case sl := <-s.idle:
		return s.taken(sl), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *sandbox) TryAcquire() (runner.Slot, bool) {
	select {
	case sl := <-s.idle:
		return s.taken(sl), true
	default:
		return nil, false
	}
}

func (s *sandbox) taken(sl *slot) *slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used++
	s.peak = max(s.peak, s.used)
	return sl
}

func (s *sandbox) Close(context.Context) error { return nil }

// count is how many runs of a class there were.
func (s *sandbox) count(class runner.Class) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, c := range s.calls {
		if c.box.spec.Class == class {
			n++
		}
	}
	return n
}

type slot struct {
	*sandbox

	cpu   int
	boxes int
	pins  int
}

func (s *slot) Pin() func() {
	s.pins++
	return func() { s.pins-- }
}

func (s *slot) CPU() int { return s.cpu }

func (s *slot) Box(ctx context.Context, spec runner.Spec) (runner.Box, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.specs = append(s.specs, spec)
	if s.take != nil {
		if err := s.take(spec); err != nil {
			return nil, err
		}
	}
	s.open++
	s.boxes++
	return &box{slot: s, spec: spec, work: files{}, program: files{}}, nil
}

func (s *slot) Release() {
	s.mu.Lock()
	s.used--
	if s.boxes != 0 || s.pins != 0 {
		s.t.Errorf("slot released with %d boxes and %d pins", s.boxes, s.pins)
	}
	s.mu.Unlock()
	s.idle <- s
}

type files map[string][]byte
