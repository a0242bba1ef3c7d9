//go:build postgres

package store_test

import (
	"context"
	"errors"
	"testing"

	"judge/judge/store/storetest"
)

func TestLock(t *testing.T) {
	ctx := t.Context()
	url := storetest.URL(t, true)
	a, b := storetest.Open(t, url), storetest.Open(t, url)
	done, cancel := context.WithCancel(ctx)
	first, err := a.Lock(done, "blobs", true)
	if err != nil {
		t.Fatal(err)
	}
	second, err := b.Lock(ctx, "blobs", true)
	if err != nil {
		t.Fatal(err)
	}
	try := func(name string, want bool) {
		t.Helper()
		release, ok, err := b.TryLock(ctx, name)
		if ok != want || err != nil {
			t.Errorf("try %s: %v, %v; want %v", name, ok, err, want)
		}
		if ok {
			release()
		}
	}
	try("blobs", false)
	try("other", true)
	cancel() // of what has its lock already: it is released all the same
	first()
	first()
	try("blobs", false)

	got := make(chan error)
	var alone func()
	go func() {
		var err error
		alone, err = a.Lock(ctx, "blobs", false)
		got <- err
	}()
	// Whoever comes while it waits goes after it.
	waiting := "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
	for n := 0; n == 0; {
		if err := b.Pool().QueryRow(ctx, waiting).Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	second()
	if err := <-got; err != nil {
		t.Fatal(err)
	}
	try("blobs", false)
	given, stop := context.WithCancel(ctx)
	go func() {
		_, err := b.Lock(given, "blobs", true)
		got <- err
	}()
	for n := 0; n == 0; {
		if err := b.Pool().QueryRow(ctx, waiting).Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	alone()
	try("blobs", true)
}

// TestLockLost: the lock of a connection that is gone is free.
func TestLockLost(t *testing.T) {
	ctx := t.Context()
	s := storetest.New(t)
	release, err := s.Lock(ctx, "jobs", false)
	if err != nil {
		t.Fatal(err)
	}
	exec(t, s, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
	again, err := s.Lock(ctx, "jobs", false)
	if err != nil {
		t.Fatal(err)
	}
	release()
	if _, ok, err := s.TryLock(ctx, "jobs"); ok || err != nil {
		t.Errorf("%v, %v: a lost lock was given back for another", ok, err)
	}
	again()
}
