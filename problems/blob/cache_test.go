package blob_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"judge/problems/blob"
)

func cache(tb testing.TB, s *blob.Store, opts blob.CacheOptions) *blob.Cache {
	tb.Helper()
	if opts.Dir == "" {
		opts.Dir = filepath.Join(tb.TempDir(), "cache")
	}
	c, err := blob.OpenCache(s, opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Error(err)
		}
	})
	return c
}

func openBlob(tb testing.TB, c *blob.Cache, ref blob.Ref) *os.File {
	tb.Helper()
	f, err := c.Open(tb.Context(), ref)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func closed(tb testing.TB, f *os.File) {
	tb.Helper()
	if err := f.Close(); err != nil {
		tb.Error(err)
	}
}

func TestCacheOpen(t *testing.T) {
	s := fileStore(t).open(t)
	dir := filepath.Join(t.TempDir(), "a", "cache")
	c := cache(t, s, blob.CacheOptions{Dir: dir, Budget: 1 << 30})
	for _, data := range [][]byte{nil, text(10), text(1 << 20), noise(300 << 10)} {
		ref := put(t, s, data)
		f, g := openBlob(t, c, ref), openBlob(t, c, ref)
		if fi, err := f.Stat(); err != nil || fi.Mode() != 0o444 {
			t.Errorf("mode %v, %v", fi.Mode(), err)
		}
		if flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, f.Fd(), syscall.F_GETFL, 0); errno != 0 || flags&(syscall.O_ACCMODE|syscall.O_NONBLOCK) != syscall.O_RDONLY {
			t.Errorf("flags %#x, %v", flags, errno)
		}
		if contents(t, f, nil) != string(data) || contents(t, g, nil) != string(data) {
			t.Errorf("%d bytes: two files opened do not both start at the start", len(data))
		}
	}
	if fi, err := os.Stat(dir); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", fi.Mode(), err)
	}
	absent := blob.Ref{SHA256: sumOf([]byte("nobody stored this")), Size: 1}
	if _, err := c.Open(t.Context(), absent); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("absent: %v", err)
	}
	ref := put(t, s, text(10))
	if _, err := c.Open(t.Context(), blob.Ref{SHA256: ref.SHA256, Size: 9}); !errors.Is(err, blob.ErrDamaged) {
		t.Errorf("a reference with another size: %v", err)
	}
	if _, err := c.Open(t.Context(), blob.Ref{SHA256: "../ledger", Size: 8}); err == nil {
		t.Error("a path passes for a SHA-256")
	}
	if _, err := blob.OpenCache(s, blob.CacheOptions{Dir: t.TempDir()}); err == nil {
		t.Error("a cache without a budget was opened")
	}
	// The cache needs the store no more for what it has.
	if err := s.Delete(t.Context(), ref.SHA256); err != nil {
		t.Fatal(err)
	}
	closed(t, openBlob(t, c, ref))
}

// One fetch serves all who wait for it, and goes on when one of them gives up.
// The stored blob is a pipe here: a second fetch would take the bytes away from
// the first or wait for ever.
func TestOneFetch(t *testing.T) {
	p := fileStore(t)
	s := p.open(t)
	data := text(200 << 10)
	ref := put(t, s, data)
	packed, err := os.ReadFile(p.path(ref.SHA256))
	if err == nil {
		err = errors.Join(os.Remove(p.path(ref.SHA256)), syscall.Mkfifo(p.path(ref.SHA256), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	c := cache(t, s, blob.CacheOptions{Budget: 1 << 30})
	given, giveUp := context.WithCancel(t.Context())
	first := make(chan error)
	go func() { first <- second(c.Open(given, ref)) }()
	pipe, err := os.OpenFile(p.path(ref.SHA256), os.O_WRONLY, 0) // returns when the fetch has begun
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if f, err := c.Open(t.Context(), ref); err != nil {
				t.Error(err)
			} else if contents(t, f, nil) != string(data) {
				t.Error("other content")
			}
		})
	}
	time.Sleep(50 * time.Millisecond) // for most of them to join; those who are late find the file
	giveUp()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up got %v", err)
	}
	if _, err := pipe.Write(packed); err != nil {
		t.Error(err)
	}
	closed(t, pipe)
	wg.Wait()
}

// The least recently opened goes first, and never what is open, even if another
// process (here: another Cache, whose descriptions are its own) has it open.
func TestEviction(t *testing.T) {
	s := fileStore(t).open(t)
	dir := t.TempDir()
	const size = 8 << 10
	c := cache(t, s, blob.CacheOptions{Dir: dir, Budget: 5 * size})
	other := cache(t, s, blob.CacheOptions{Dir: dir, Budget: 5 * size})
	var refs []blob.Ref
	for i := range 12 {
		refs = append(refs, put(t, s, noise(size-i)))
	}
	here := func() (all []int) {
		for i, r := range refs {
			if _, err := os.Lstat(filepath.Join(dir, r.SHA256)); err == nil {
				all = append(all, i)
			}
		}
		return all
	}
	want := func(step string, idx ...int) {
		t.Helper()
		if got := here(); !slices.Equal(got, idx) {
			t.Errorf("%s: %d are cached, want %d", step, got, idx)
		}
	}
	for i := range 4 {
		closed(t, openBlob(t, c, refs[i]))
	}
	closed(t, openBlob(t, c, refs[0]))
	held := openBlob(t, other, refs[1])
	want("four fit", 0, 1, 2, 3)
	closed(t, openBlob(t, c, refs[4]))
	want("so do five", 0, 1, 2, 3, 4)
	// Room for one more and a tenth of the budget is made: two files.
	closed(t, openBlob(t, c, refs[5]))
	want("3 was opened before 0, 1 is open", 0, 1, 4, 5)
	for i := 6; i < 12; i++ {
		closed(t, openBlob(t, c, refs[i]))
	}
	if got := here(); !slices.Contains(got, 1) || len(got) > 5 {
		t.Errorf("%d are cached, want at most 5 and among them 1, which is open", got)
	}
	if contents(t, held, nil) != string(noise(size-1)) {
		t.Error("what was open has changed")
	}
	// All in use: judging does not wait, the next count mends it.
	var open []*os.File
	for i := range 7 {
		open = append(open, openBlob(t, c, refs[i]))
	}
	if u, err := c.Trim(); err != nil || u.Files < 7 {
		t.Errorf("in use: %+v, %v", u, err)
	}
	for _, f := range open {
		closed(t, f)
	}
	if u, err := c.Trim(); err != nil || u.Bytes > 5*size {
		t.Errorf("after use: %+v, %v; the budget is %d", u, err, 5*size)
	}
}

// total adds up what a cache holds while nobody changes it.
func total(tb testing.TB, dir string) (bytes int64, arriving int) {
	tb.Helper()
	lock, err := os.Open(filepath.Join(dir, "ledger"))
	if err == nil {
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		tb.Fatal(err)
	}
	defer closed(tb, lock)
	for _, name := range names(tb, dir) {
		fi, err := os.Lstat(filepath.Join(dir, name))
		if err != nil {
			tb.Fatal(err)
		}
		if name != "ledger" {
			bytes += (fi.Size() + 4095) / 4096 * 4096
		}
		if strings.HasPrefix(name, "arriving-") {
			arriving++
		}
	}
	return bytes, arriving
}

// Two caches on one folder, many goroutines, far more data than budget: every
// file is right and the budget is never exceeded, for there is always something
// that nobody has open.
func TestBudgetUnderConcurrency(t *testing.T) {
	s := fileStore(t).open(t)
	dir := t.TempDir()
	const budget, workers, rounds = 512 << 10, 8, 60
	var refs []blob.Ref
	for i := range 60 {
		refs = append(refs, put(t, s, text(1000+i*500)))
	}
	caches := []*blob.Cache{
		cache(t, s, blob.CacheOptions{Dir: dir, Budget: budget}),
		cache(t, s, blob.CacheOptions{Dir: dir, Budget: budget}),
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range rounds {
				ref := refs[(i*(w+3)*7+w)%len(refs)]
				f, err := caches[w%2].Open(t.Context(), ref)
				if err != nil {
					t.Error(err)
					return
				}
				if got := contents(t, f, nil); sumOf([]byte(got)) != ref.SHA256 {
					t.Errorf("%d bytes of %s are not its own", len(got), ref.SHA256)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	looks := 0
	for running := true; running; looks++ {
		select {
		case <-done:
			running = false
		case <-time.After(time.Millisecond):
		}
		if n, _ := total(t, dir); n > budget {
			t.Errorf("%d bytes are cached, the budget is %d", n, budget)
		}
	}
	n, arriving := total(t, dir)
	u, err := caches[0].Trim()
	if err != nil || u.Bytes != n || arriving != 0 || n < budget/2 {
		t.Errorf("counted %+v (%v), there are %d bytes, %d on their way, after %d looks", u, err, n, arriving, looks)
	}
}

func TestLeftovers(t *testing.T) {
	s := fileStore(t).open(t)
	dir := t.TempDir()
	ref := put(t, s, text(100))
	c := cache(t, s, blob.CacheOptions{Dir: dir, Budget: 1 << 20})
	closed(t, openBlob(t, c, ref))
	// A process that was killed leaves files whose lock is free and a ledger that
	// may say anything; one that lives holds its lock.
	dead, alive := filepath.Join(dir, "arriving-1"), filepath.Join(dir, "arriving-2")
	if err := errors.Join(os.WriteFile(dead, text(9), 0o600), os.WriteFile(alive, text(9), 0o600),
		os.WriteFile(filepath.Join(dir, "ledger"), []byte("\x7fnonsense"), 0o600)); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(alive)
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, f)
	cache(t, s, blob.CacheOptions{Dir: dir, Budget: 1 << 20})
	want := []string{ref.SHA256, "arriving-2", "ledger"}
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("there are %q, want %q", got, want)
	}
}

// spoil flips a byte of a cached file; quietly: so that nothing but its bytes
// has changed, as when a disk forgets.
func spoil(tb testing.TB, path string, quietly bool) {
	tb.Helper()
	fi, err := os.Stat(path)
	if err != nil {
		tb.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	data[len(data)/2] ^= 1
	err = errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, data, 0o600), os.Chmod(path, 0o444))
	if quietly {
		err = errors.Join(err, os.Chtimes(path, time.Time{}, fi.ModTime()))
	}
	if err != nil {
		tb.Fatal(err)
	}
}

func TestCacheDamage(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		p := fileStore(t)
		s := p.open(t)
		var told []error
		opts := blob.CacheOptions{Dir: t.TempDir(), Budget: 1 << 20, Damaged: func(err error) { told = append(told, err) }}
		data := text(100 << 10)
		ref := put(t, s, data)
		c := cache(t, s, opts)
		closed(t, openBlob(t, c, ref))

		path := filepath.Join(opts.Dir, ref.SHA256)
		spoil(t, path, restarted)
		if restarted {
			c = cache(t, s, opts)
		}
		f := openBlob(t, c, ref)
		if contents(t, f, nil) != string(data) {
			t.Errorf("restarted %v: damaged data were handed out", restarted)
		}
		if len(told) != 1 || !errors.Is(told[0], blob.ErrDamaged) || !strings.Contains(told[0].Error(), ref.SHA256) {
			t.Errorf("restarted %v: told of %v, want ErrDamaged with the key", restarted, told)
		}

		// Now the store is damaged as well.
		spoil(t, path, false)
		packed, err := os.ReadFile(p.path(ref.SHA256))
		if err == nil {
			packed[len(packed)/2] ^= 1
			err = os.WriteFile(p.path(ref.SHA256), packed, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Open(t.Context(), ref); !errors.Is(err, blob.ErrDamaged) || !strings.Contains(err.Error(), ref.SHA256) {
			t.Errorf("restarted %v: %v, want ErrDamaged with the key", restarted, err)
		}
		if n, arriving := total(t, opts.Dir); n != 0 || arriving != 0 {
			t.Errorf("restarted %v: %d bytes are left, %d files on their way", restarted, n, arriving)
		}
	}
}

// A fetch that fails takes nothing of the budget.
func TestFailedFetches(t *testing.T) {
	p := fileStore(t)
	s := p.open(t)
	dir := t.TempDir()
	c := cache(t, s, blob.CacheOptions{Dir: dir, Budget: 40 << 10})
	good, bad := put(t, s, noise(8<<10)), put(t, s, noise(16<<10))
	closed(t, openBlob(t, c, good))
	if err := os.Truncate(p.path(bad.SHA256), bad.Stored-1); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if _, err := c.Open(t.Context(), bad); !errors.Is(err, blob.ErrDamaged) {
			t.Errorf("a truncated blob: %v", err)
		}
	}
	if got, want := names(t, dir), []string{"ledger", good.SHA256}; len(got) != 2 || !slices.Contains(got, want[1]) {
		t.Errorf("there are %q, want %q", got, want)
	}
	next := put(t, s, noise(30<<10)) // fits beside the good one
	closed(t, openBlob(t, c, next))
	if got := names(t, dir); !slices.Contains(got, good.SHA256) {
		t.Errorf("there are %q: room was made though there was enough", got)
	}
}

// A program that was given a file can lock it, unlock it, and open it anew by
// /proc; none of this gets in anybody's way.
func TestHostileReader(t *testing.T) {
	s := fileStore(t).open(t)
	dir := t.TempDir()
	c := cache(t, s, blob.CacheOptions{Dir: dir, Budget: 8 << 10})
	a, b := put(t, s, noise(8<<10)), put(t, s, noise(8<<10-1))
	f := openBlob(t, c, a)
	defer closed(t, f)
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if contents(t, openBlob(t, c, a), nil) != string(noise(8<<10)) {
		t.Error("a locked file gives something else")
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	closed(t, openBlob(t, c, b)) // evicts a
	if _, err := os.Lstat(filepath.Join(dir, a.SHA256)); err == nil {
		t.Error("unlocked, it was not evicted")
	}
	data, err := io.ReadAll(f)
	if err != nil || sumOf(data) != a.SHA256 {
		t.Errorf("evicted while open: %d bytes, %v", len(data), err)
	}
}
