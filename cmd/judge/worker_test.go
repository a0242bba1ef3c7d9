package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWorkerID: workers on one folder have an id each, and who comes back gets the
// one that is free.
func TestWorkerID(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "workers")
	take := func() *workerID {
		t.Helper()
		id, err := takeWorkerID(dir)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first, second := take(), take()
	if first.id == second.id {
		t.Fatalf("both are %s", first.id)
	}
	if s := first.short(); len(s) != 12 || first.id[24:] != s {
		t.Errorf("short %q of %s", s, first.id)
	}
	if err := first.close(); err != nil {
		t.Fatal(err)
	}
	again := take()
	if again.id != first.id {
		t.Errorf("%s, was %s", again.id, first.id)
	}
	for _, id := range []*workerID{again, second} {
		if err := id.close(); err != nil {
			t.Error(err)
		}
	}
	for _, damaged := range []string{"", "3c382a02-effa", "3c382a02-effa-418b-816e-04e2e1dc8fcd and more, longer than any id ever is, as of another program\n"} {
		if err := os.WriteFile(filepath.Join(dir, "1"), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		one := take()
		if err := one.close(); err != nil {
			t.Error(err)
		}
		two := take()
		if one.id != two.id || one.id == first.id {
			t.Errorf("of %q: %s, then %s", damaged, one.id, two.id)
		}
		if err := two.close(); err != nil {
			t.Error(err)
		}
	}
}

func TestWithConnections(t *testing.T) {
	for in, want := range map[string]string{
		"postgres://u:p@h/d":                        "postgres://u:p@h/d?pool_max_conns=12",
		"postgres:///d?host=/run/x&sslmode=disable": "postgres:///d?host=%2Frun%2Fx&pool_max_conns=12&sslmode=disable",
		"postgres://h/d?pool_max_conns=3":           "postgres://h/d?pool_max_conns=3",
		"host=h dbname=d":                           "host=h dbname=d pool_max_conns=12",
	} {
		if got := withConnections(in, 2); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestWorkerFlags(t *testing.T) {
	for name, args := range map[string][]string{
		"slots":       {"--slots", "100000"},
		"negative":    {"--slots=-1"},
		"no slots":    {"--slots", "0"},
		"test data":   {"--testdata", "0"},
		"isolation":   {"--isolation", "none"},
		"no database": nil,
	} {
		t.Run(name, func(t *testing.T) {
			got := judgeIn(t, "", "", append([]string{"worker", "--data", t.TempDir()}, args...)...)
			if got.code != exitInput || got.err == "" {
				t.Errorf("exit code %d: %s", got.code, got.err)
			}
		})
	}
}
