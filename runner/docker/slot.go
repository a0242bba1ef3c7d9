package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"judge/runner"
)

// slot is one core of this process's, with the boxes that are warm there.
type slot struct {
	sandbox *Sandbox
	cpu     int
	name    string // in names of cgroups

	lease *os.File // held while the slot is taken
	warm  []*box   // idle, least recently used first; guarded by Sandbox.mu
}

func (s *Sandbox) openSlots() error {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return fmt.Errorf("find cores: %w", err)
	}
	var cpus []int
	for i := range len(set) * 64 {
		if set.IsSet(i) {
			cpus = append(cpus, i)
		}
	}
	n := s.opts.Slots
	if n == 0 {
		n = len(cpus)
	}
	if n < 1 || n > len(cpus) {
		return fmt.Errorf("open slots: %d wanted, this process may use %d cores: a slot is one core", n, len(cpus))
	}
	s.addSlots(cpus[:n])
	return nil
}

func (s *Sandbox) addSlots(cpus []int) {
	for _, cpu := range cpus {
		s.slots = append(s.slots, &slot{sandbox: s, cpu: cpu, name: "s" + strconv.Itoa(cpu)})
	}
	s.idle = slices.Clone(s.slots)
}

// Slots is how many slots there are.
func (s *Sandbox) Slots() int { return len(s.slots) }

// leaseTick is how often a core that another process uses is asked for.
const leaseTick = 5 * time.Millisecond

// Acquire waits for an idle slot whose core no other process has leased.
func (s *Sandbox) Acquire(ctx context.Context) (runner.Slot, error) {
	sl, err := s.next(ctx)
	if err != nil {
		return nil, err
	}
	for {
		taken, err := sl.takeLease()
		if taken {
			return sl, nil
		}
		s.giveBack(sl)
		if err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(leaseTick):
		}
		if sl, err = s.next(ctx); err != nil {
			return nil, err
		}
	}
}

// next takes the slot that has been idle for longest, or waits in line.
func (s *Sandbox) next(ctx context.Context) (*slot, error) {
	s.mu.Lock()
	if len(s.idle) > 0 {
		sl := s.idle[0]
		s.idle = s.idle[1:]
		s.mu.Unlock()
		return sl, nil
	}
	line := make(chan *slot, 1)
	s.waiters = append(s.waiters, line)
	s.mu.Unlock()
	select {
	case sl := <-line:
		return sl, nil
	case <-ctx.Done():
		s.mu.Lock()
		s.waiters = slices.DeleteFunc(s.waiters, func(c chan *slot) bool { return c == line })
		s.mu.Unlock()
		select {
		case sl := <-line: // it came at the same moment
			s.giveBack(sl)
		default:
		}
		return nil, ctx.Err()
	}
}

// TryAcquire takes an idle slot if there is one and nobody waits for it.
func (s *Sandbox) TryAcquire() (runner.Slot, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiters) > 0 {
		return nil, false
	}
	for i, sl := range s.idle {
		if taken, _ := sl.takeLease(); taken { // Acquire says what is wrong
			s.idle = slices.Delete(s.idle, i, i+1)
			return sl, true
		}
	}
	return nil, false
}

func (s *Sandbox) giveBack(sl *slot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiters) > 0 {
		s.waiters[0] <- sl
		s.waiters = s.waiters[1:]
		return
	}
	s.idle = append(s.idle, sl)
}

// CPU is the number of the core.
func (sl *slot) CPU() int { return sl.cpu }

// Release gives the slot and the lease of its core back. A second call does
// nothing.
func (sl *slot) Release() {
	if sl.lease == nil {
		return
	}
	_ = sl.lease.Close()
	sl.lease = nil
	sl.sandbox.giveBack(sl)
}

// takeLease takes the slot's core unless another process has it.
func (sl *slot) takeLease() (bool, error) {
	f, err := lockFile(filepath.Join(sl.sandbox.opts.StateDir, "cores", strconv.Itoa(sl.cpu)))
	if errors.Is(err, errLocked) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("lease core %d: %w", sl.cpu, err)
	}
	sl.lease = f
	return true, nil
}

// Box takes a clean box, warm where there is one.
func (sl *slot) Box(ctx context.Context, spec runner.Spec) (runner.Box, error) {
	if spec.Isolation == "" {
		spec.Isolation = runner.PerRun
	}
	if b := sl.takeWarm(&spec); b != nil {
		return b, nil
	}
	b, err := sl.start(ctx, &spec)
	if err != nil {
		return nil, err
	}
	b.claim(&spec)
	return b, nil
}

// drop removes the slot's warm boxes.
func (sl *slot) drop() {
	sl.sandbox.mu.Lock()
	warm := sl.warm
	sl.warm = nil
	sl.sandbox.mu.Unlock()
	for _, b := range warm {
		sl.sandbox.discard(b)
	}
}
