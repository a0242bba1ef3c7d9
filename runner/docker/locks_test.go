package docker_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/runner/docker"
)

// TestLockChild is not a test but a process that holds a judge's locks until its
// input ends: this binary anew, with arguments after its flags.
func TestLockChild(t *testing.T) {
	if flag.NArg() != 3 || flag.Arg(0) != "hold-locks" {
		return
	}
	l, err := docker.TakeLocks(t.Context(), flag.Arg(1), flag.Arg(2))
	if err != nil {
		fmt.Println("failed", err)
		os.Exit(1)
	}
	fmt.Println("holds", l.UID())
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// holder starts a process that holds a worker's locks. kill ends it as a power
// cut would.
func holder(t *testing.T, dir, worker string) (uid int, kill func()) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestLockChild$", "hold-locks", dir, worker)
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = in.Close()
	})
	t.Cleanup(kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		_, err = fmt.Sscanf(line, "holds %d", &uid)
	}
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return uid, kill
}

func TestLockFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	first, err := docker.LockFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := docker.LockFile(path); !errors.Is(err, docker.ErrLocked) {
		t.Fatalf("locked twice: %v", err)
	}
	// Who removes the file while it holds it leaves nothing that counts.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	second, err := docker.LockFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := docker.LockFile(path); !errors.Is(err, docker.ErrLocked) {
		t.Errorf("locked beside the one that has the name: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := docker.LockFile(filepath.Join(path, "below")); err == nil || errors.Is(err, docker.ErrLocked) {
		t.Errorf("lock what cannot be made: %v", err)
	}
}

// TestLockFileOnce: many lock and remove one name, and never two have it.
func TestLockFileOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	var wg sync.WaitGroup
	var inside sync.Mutex
	for range 8 {
		wg.Go(func() {
			for done := 0; done < 200; {
				f, err := docker.LockFile(path)
				if errors.Is(err, docker.ErrLocked) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if !inside.TryLock() {
					t.Error("two hold the lock")
					return
				}
				inside.Unlock()
				if done++; done%2 == 0 {
					_ = os.Remove(path) // from here on another may have it
				}
				_ = f.Close()
			}
		})
	}
	wg.Wait()
}

// TestTakeLocks: two judges start at once and share neither a uid nor a name; a
// dead one's are free.
func TestTakeLocks(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	worker := docker.NewWorker()
	uid, kill := holder(t, dir, worker)
	other, err := docker.TakeLocks(t.Context(), dir, docker.NewWorker())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Release()
	if uid < docker.FirstUID || (uid-docker.FirstUID)%docker.BlockSize != 0 || other.UID() < uid+docker.BlockSize {
		t.Errorf("blocks of uids from %d and from %d on", uid, other.UID())
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := docker.TakeLocks(ctx, dir, worker); err == nil {
		t.Error("two processes are one worker")
	}
	kill()
	again, err := docker.TakeLocks(t.Context(), dir, worker)
	if err != nil {
		t.Fatal(err)
	}
	if again.UID() != uid {
		t.Errorf("block of uids from %d on, want the free one from %d on", again.UID(), uid)
	}
	again.Forget()
	again.Release()
	if _, err := os.Stat(filepath.Join(dir, worker+".lock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a forgotten worker's lock file is left (%v)", err)
	}
	for _, bad := range []string{"", "0123456789AB", "0123456789ab0", "../../../etc/a", "0123456789a\n"} {
		if _, err := docker.TakeLocks(t.Context(), dir, bad); err == nil {
			t.Errorf("worker %q has locks", bad)
		}
	}
}

// TestTakeLocksWaits: a sweeper that is still busy with what the worker left is
// no reason not to start.
func TestTakeLocksWaits(t *testing.T) {
	t.Parallel()
	dir, worker := t.TempDir(), docker.NewWorker()
	path := filepath.Join(dir, worker+".lock")
	sweeper, err := docker.LockFile(path)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(100*time.Millisecond, func() {
		_ = os.Remove(path)
		_ = sweeper.Close()
	})
	l, err := docker.TakeLocks(t.Context(), dir, worker)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	if _, err := docker.LockFile(path); !errors.Is(err, docker.ErrLocked) {
		t.Errorf("the worker lives, and its lock is free: %v", err)
	}
}

func TestParseIDs(t *testing.T) {
	t.Parallel()
	passwd := "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n+::::::\n\n#x\nbad:x:-:1:::\n"
	if diff := cmp.Diff([][2]int{{0, 1}, {65534, 1}}, docker.ParseIDs(passwd, 2)); diff != "" {
		t.Errorf("passwd (-want +got):\n%s", diff)
	}
	subuid := "me:100000:65536\nyou:1879048192:1\nbad:5\nworse:x:y\nworst:7:z\n"
	if diff := cmp.Diff([][2]int{{100000, 65536}, {1879048192, 1}, {5, 1}}, docker.ParseIDs(subuid, 1)); diff != "" {
		t.Errorf("subuid (-want +got):\n%s", diff)
	}
}

func TestOverlap(t *testing.T) {
	t.Parallel()
	known := [][2]int{{0, 1}, {1000, 10}}
	for _, c := range []struct {
		first, count int
		want         bool
	}{{1, 999, false}, {0, 1, true}, {999, 1, false}, {999, 2, true}, {1009, 1, true}, {1010, 5, false}, {500, 5000, true}, {1003, 2, true}} {
		if got := docker.Overlap(known, c.first, c.count); got != c.want {
			t.Errorf("%d from %d on: %v, want %v", c.count, c.first, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	var n docker.Numbers
	seen := map[int]bool{}
	for range docker.BlockSize {
		i, ok := n.Take()
		if !ok || seen[i] || i < 0 || i >= docker.BlockSize {
			t.Fatalf("number %d after %d others", i, len(seen))
		}
		seen[i] = true
	}
	if i, ok := n.Take(); ok {
		t.Errorf("a number too many: %d", i)
	}
	n.Free(7)
	if i, ok := n.Take(); !ok || i != 7 {
		t.Errorf("took %d, want the freed 7", i)
	}
}

func TestInstallFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache", "agent")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := docker.InstallFile(dir, "abc", []byte("program")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 1 {
		t.Fatalf("installed %v (%v)", list, err)
	}
	info, err := list[0].Info()
	if err != nil || info.Mode() != 0o500 || info.Size() != 7 {
		t.Errorf("installed with mode %v, %d bytes (%v)", info.Mode(), info.Size(), err)
	}
}
