package docker_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"judge/runner"
	"judge/runner/docker"
)

func slotsOnly(t *testing.T, dir string, cpus ...int) *docker.Sandbox {
	t.Helper()
	s, err := docker.SlotsOnly(dir, cpus...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func acquire(t *testing.T, s *docker.Sandbox) runner.Slot {
	t.Helper()
	slot, err := s.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return slot
}

// waitFor waits until so many wait in line.
func waitFor(s *docker.Sandbox, n int) {
	for s.Waiting() != n {
		runtime.Gosched()
	}
}

func TestSlotsInLine(t *testing.T) {
	t.Parallel()
	s := slotsOnly(t, t.TempDir(), 0)
	first := acquire(t, s)
	if _, ok := s.TryAcquire(); ok {
		t.Fatal("took a slot more than there are")
	}
	order := make(chan int, 3)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			slot, err := s.Acquire(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			order <- i
			slot.Release()
		})
		waitFor(s, i+1)
	}
	first.Release()
	wg.Wait()
	close(order)
	var got []int
	for i := range order {
		got = append(got, i)
	}
	if !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("served %v", got)
	}
	first.Release() // again: it must not make one core two
	one := acquire(t, s)
	if slot, ok := s.TryAcquire(); ok {
		t.Errorf("core %d is taken twice", slot.CPU())
	}
	one.Release()
}

// TestSlotsGivenUp: who stops waiting takes no slot with it, not even one that
// comes at the same moment.
func TestSlotsGivenUp(t *testing.T) {
	t.Parallel()
	s := slotsOnly(t, t.TempDir(), 0)
	for range 300 {
		slot := acquire(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			got, err := s.Acquire(ctx)
			if err == nil {
				got.Release()
			} else if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		waitFor(s, 1)
		wg.Go(cancel)
		slot.Release()
		wg.Wait()
		back, ok := s.TryAcquire()
		if !ok {
			t.Fatal("a slot was lost")
		}
		back.Release()
		if s.Waiting() != 0 {
			t.Fatal("a waiter is left")
		}
	}
}

// TestSlotsTwoSandboxes: sandboxes that share a state folder, as two processes
// do, never hold one core at the same time, and leave nobody waiting.
func TestSlotsTwoSandboxes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var users [3]atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		s := slotsOnly(t, dir, 0, 1, 2)
		for range 4 {
			wg.Go(func() {
				for range 25 {
					slot, err := s.Acquire(t.Context())
					if err != nil {
						t.Error(err)
						return
					}
					if users[slot.CPU()].Add(1) != 1 {
						t.Errorf("core %d has two users", slot.CPU())
					}
					runtime.Gosched()
					users[slot.CPU()].Add(-1)
					slot.Release()
				}
			})
		}
	}
	wg.Wait()
}

// TestSlotsNoLease: a lease that cannot be asked for is an error, not a wait.
func TestSlotsNoLease(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := slotsOnly(t, dir, 0)
	if err := os.RemoveAll(filepath.Join(dir, "cores")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := s.Acquire(ctx); err == nil || ctx.Err() != nil {
		t.Errorf("acquire without a folder for leases: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "cores"), 0o700); err != nil {
		t.Fatal(err)
	}
	acquire(t, s).Release()
}
