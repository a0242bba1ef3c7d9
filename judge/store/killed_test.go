//go:build postgres

package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

// TestDatabaseKilled has workers and submitters go on, trying again, while the
// server is killed twice: what was acknowledged is there and judged once.
func TestDatabaseKilled(t *testing.T) {
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 4)
	var dir string
	if err := w.Pool().QueryRow(t.Context(), "SHOW data_directory").Scan(&dir); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	// again tries until it works, or until fn fails for another reason.
	again := func(fn func() error) error {
		for {
			err := fn()
			if err == nil || !store.Unavailable(err) {
				return err
			}
			select {
			case <-ctx.Done():
				return err
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	var mu sync.Mutex
	acknowledged, finished := map[string]bool{}, map[string]int{}
	const each = 60
	submitter := func() error {
		for range each {
			var got string
			err := again(func() error {
				return w.Tx(ctx, func(tx *store.Tx) error {
					_, j, err := tx.CreateSubmission(ctx, w.Submission("ada", judge.PriorityContest))
					got = j.ID
					return err
				})
			})
			if err != nil {
				return err
			}
			mu.Lock()
			acknowledged[got] = true
			if len(acknowledged) == each/2 || len(acknowledged) == 3*each/2 {
				kill(t, dir)
			}
			mu.Unlock()
		}
		return nil
	}
	judging := func() error {
		for {
			if err := again(func() error { _, err := w.Heartbeat(ctx, id); return err }); err != nil {
				return err
			}
			var task judge.Task
			var ok bool
			err := again(func() (err error) { task, ok, err = w.Take(ctx, id); return err })
			if errors.Is(err, judge.ErrStale) {
				continue // the machine took long between the two
			}
			if err != nil {
				return err
			}
			mu.Lock()
			all := len(acknowledged) == 2*each
			mu.Unlock()
			if !ok && all {
				return nil
			}
			if !ok {
				continue
			}
			err = again(func() error {
				return w.Tx(ctx, func(tx *store.Tx) error { return tx.Finish(ctx, task.Lease, &judge.Judgement{Verdict: judge.AC}) })
			})
			if err != nil && !errors.Is(err, judge.ErrStale) { // stale: the first try's answer was lost
				return err
			}
			mu.Lock()
			finished[task.JudgementID]++
			mu.Unlock()
		}
	}
	for _, err := range together(4, func(i int) error {
		if i < 2 {
			return submitter()
		}
		return judging()
	}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	// Taken, but the answer was lost: a new life of the worker has it queued again.
	in(t, w.Store, func(tx *store.Tx) error {
		_, err := tx.Register(ctx, judge.Worker{ID: id, Name: "host", Slots: 1})
		return err
	})
	if err := judging(); err != nil {
		t.Fatal(err)
	}
	for j := range acknowledged {
		if got, err := w.Judgement(ctx, j); err != nil || got.State != judge.Judged || finished[j] != 1 {
			t.Errorf("%s: %s, finished %d times, %v", j, got.State, finished[j], err)
		}
	}
}

func kill(t *testing.T, dir string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "postmaster.pid"))
	if err != nil {
		t.Error(err)
		return
	}
	line, _, _ := strings.Cut(string(b), "\n")
	pid, err := strconv.Atoi(line)
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGKILL)
	}
	if err != nil {
		t.Error(err)
	}
}
