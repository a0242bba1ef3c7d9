package api_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"judge/api"
	"judge/judge"
)

// TestHubCatchUp: from a position on, what is in the database and what comes
// live meet without gap or repetition, wherever the seam is.
func TestHubCatchUp(t *testing.T) {
	for _, before := range []int{0, 1, 499, 500, 501, 1500} {
		t.Run(strconv.Itoa(before), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &feed{events: some("s", 0, before)}
				h := running(t, f)
				r, err := h.Follow(t.Context(), judge.EventFilter{}, "0-000000000")
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				go func() {
					for i := range 300 {
						time.Sleep(time.Duration(rand.IntN(3)) * time.Millisecond)
						f.add(false, some("s", before+i, 1)...)
					}
				}()
				if got := ordinals(t, r, before+300); !slices.Equal(got, upTo(before+300)) {
					t.Errorf("events came as %v", got)
				}
			})
		})
	}
}

// TestHubBehind: a reader who comes from another process may be ahead of this hub,
// which then tells it nothing twice.
func TestHubBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{events: some("s", 0, 5)}
		h := running(t, f)
		synctest.Wait() // the hub is at 5
		f.set(func() { f.events = append(f.events, some("s", 5, 5)...) })
		r, err := h.Follow(t.Context(), judge.EventFilter{}, f.position(8))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		go func() {
			time.Sleep(time.Minute)
			f.add(false, some("s", 10, 1)...)
		}()
		if got := ordinals(t, r, 3); !slices.Equal(got, []int{8, 9, 10}) {
			t.Errorf("events %v, want [8 9 10]", got)
		}
	})
}

// TestHubBegin: without a position, a submission's events are told from the
// first, all others from now on.
func TestHubBegin(t *testing.T) {
	for _, c := range []struct {
		submission string
		want       []int
	}{{"", []int{99, 5}}, {"s", []int{0, 1, 2, 3, 4, 5}}} {
		synctest.Test(t, func(t *testing.T) {
			f := &feed{events: some("s", 0, 5)}
			h := running(t, f)
			r, err := h.Follow(t.Context(), judge.EventFilter{SubmissionID: c.submission}, "")
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			go f.add(false, append(some("other", 99, 1), some("s", 5, 1)...)...)
			if got := ordinals(t, r, len(c.want)); !slices.Equal(got, c.want) {
				t.Errorf("events %v, want %v", got, c.want)
			}
		})
	}
}

// TestHubHeldBack: nobody tells when what was held back can be given out.
func TestHubHeldBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		h := running(t, f)
		r, err := h.Follow(t.Context(), judge.EventFilter{}, "")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		f.add(true, some("s", 0, 1)...)
		go func() {
			time.Sleep(20 * time.Millisecond)
			f.set(func() { f.held = 0 })
		}()
		begun := time.Now()
		ordinals(t, r, 1)
		if late := time.Since(begun) - 20*time.Millisecond; late > 50*time.Millisecond {
			t.Errorf("told %v after it could be", late)
		}
	})
}

// TestHubUntold: whoever wrote an event was killed before it could tell.
func TestHubUntold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		h := running(t, f)
		r, err := h.Follow(t.Context(), judge.EventFilter{}, "")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		synctest.Wait()
		f.set(func() { f.events = some("s", 0, 1) })
		ordinals(t, r, 1)
	})
}

// TestHubSlow: one reader who does not read keeps nobody waiting, costs no more
// memory than its queue, and misses nothing when it reads at last.
func TestHubSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 5000
		f := &feed{}
		h := running(t, f)
		var readers []*api.Follower
		for range 2 {
			r, err := h.Follow(t.Context(), judge.EventFilter{}, "")
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			readers = append(readers, r)
			first := make(chan struct{})
			go func() { defer close(first); ordinals(t, r, 1) }() // takes its seat
			synctest.Wait()
			f.add(false, some("s", -1, 1)...)
			<-first
		}
		if got := ordinals(t, readers[0], 1); len(got) != 1 {
			t.Fatalf("events %v, want the second reader's first", got)
		}
		for i := range n {
			f.add(false, some("s", i, 1)...)
			if got := ordinals(t, readers[0], 1); !slices.Equal(got, []int{i}) {
				t.Fatalf("events %v, want [%d]", got, i)
			}
		}
		if got := ordinals(t, readers[1], n); !slices.Equal(got, upTo(n)) {
			t.Errorf("the slow reader got %d events: %v", len(got), got)
		}
	})
}

// TestHubGone: a database that was replaced is said once, then the stream goes on.
func TestHubGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		h := running(t, f)
		r, err := h.Follow(t.Context(), judge.EventFilter{}, "")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		f.add(false, some("s", 0, 1)...)
		ordinals(t, r, 1)
		f.set(func() { f.epoch, f.events = 1, nil })
		if batch, err := r.Next(t.Context()); !errors.Is(err, judge.ErrGone) {
			t.Fatalf("%v, %v; want judge.ErrGone", batch, err)
		}
		go f.add(false, some("s", 7, 1)...)
		if got := ordinals(t, r, 1); !slices.Equal(got, []int{7}) {
			t.Errorf("events %v, want [7]", got)
		}
		if _, err := h.Follow(t.Context(), judge.EventFilter{}, "nonsense"); err != nil {
			t.Errorf("a position is looked at by Next only: %v", err)
		}
	})
}

// TestHubOutage: while the database is away nothing is told, and nothing lost.
func TestHubOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &feed{}
		h := running(t, f)
		r, err := h.Follow(t.Context(), judge.EventFilter{}, "")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		f.add(false, some("s", 0, 1)...)
		ordinals(t, r, 1)
		f.set(func() { f.broken = errors.New("no database") })
		f.add(false, some("s", 1, 1)...)
		time.Sleep(time.Minute)
		f.set(func() {
			if f.reads > 60 {
				t.Errorf("%d looks in a minute without a database", f.reads)
			}
			f.broken = nil
		})
		if got := ordinals(t, r, 1); !slices.Equal(got, []int{1}) {
			t.Errorf("events %v, want [1]", got)
		}
	})
}

func TestHubWait(t *testing.T) {
	end := judge.Event{Type: judge.JudgementJudged, SubmissionID: "s", JudgementID: "j-s"}
	t.Run("before", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := running(t, &feed{states: map[string]judge.State{"s": judge.Judged}})
			if err := h.Wait(t.Context(), "s"); err != nil {
				t.Error(err)
			}
		})
	})
	t.Run("after", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := &feed{states: map[string]judge.State{"s": judge.Running}}
			h := running(t, f)
			done := make(chan error)
			go func() { done <- h.Wait(t.Context(), "s") }()
			f.add(false, append(some("s", 1, 3), some("other", 1, 1)...)...)
			synctest.Wait()
			select {
			case err := <-done:
				t.Fatalf("it returned (%v) before the end", err)
			default:
			}
			f.set(func() { f.states["s"] = judge.Judged })
			f.add(false, end)
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	})
	t.Run("given up", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := running(t, &feed{states: map[string]judge.State{"s": judge.Queued}})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := h.Wait(ctx, "s"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v, want context.DeadlineExceeded", err)
			}
		})
	})
	t.Run("closed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := running(t, &feed{states: map[string]judge.State{"s": judge.Queued}})
			done := make(chan error)
			go func() { done <- h.Wait(t.Context(), "s") }()
			synctest.Wait()
			h.Close()
			if err := <-done; err == nil {
				t.Error("it returned nil from a hub that was closed")
			}
		})
	})
}
