package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"judge/judge"
)

// CacheOptions are what a Cache works with.
type CacheOptions struct {
	Dir    string // made if it is not there; mode 0700
	Budget int64  // bytes on disk, above 0; each file counts in blocks of 4 KiB
	// Damaged, if not nil, is told of each file in the cache that is not what its
	// name says; the error wraps ErrDamaged. The file is fetched anew.
	Damaged func(error)
}

// Cache holds blobs uncompressed in a folder. Its methods may be called by many
// goroutines, and several processes may use one folder.
//
// Each file was compared with its name when this process fetched it or first met
// it, and is again when inode, size or time of writing have changed. What is
// open is locked (flock, shared, by the very description that was handed out),
// so that it counts as in use until the last process that inherited it closes
// it, and is never evicted before; the least recently opened goes first. Where
// all is in use and the budget does not suffice, it is exceeded rather than that
// judging waits.
type Cache struct {
	CacheOptions

	store   *Store
	ledger  *os.File   // its flock is held while room is made, taken and given back
	room    sync.Mutex // the same within this process
	mu      sync.Mutex // of the maps
	known   map[string]stamp
	flights map[Ref]*flight
}

// stamp tells whether a file is still the one that was verified.
type stamp struct {
	inode uint64
	size  int64
	mtime int64
}

func stampOf(fi os.FileInfo) stamp {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return stamp{}
	}
	return stamp{st.Ino, fi.Size(), fi.ModTime().UnixNano()}
}

// OpenCache opens the cache in a folder, removes what processes that were killed
// have left there, and evicts down to the budget.
func OpenCache(store *Store, opts CacheOptions) (*Cache, error) {
	if opts.Budget <= 0 {
		return nil, fmt.Errorf("open blob cache: a budget of %d bytes is none; give one above 0", opts.Budget)
	}
	err := os.MkdirAll(opts.Dir, 0o700)
	if err == nil {
		err = os.Chmod(opts.Dir, 0o700) // #nosec G302 -- a folder
	}
	if err != nil {
		return nil, fmt.Errorf("open blob cache: %w", err)
	}
	ledger, err := os.OpenFile(filepath.Join(opts.Dir, "ledger"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open blob cache: %w", err)
	}
	c := &Cache{CacheOptions: opts, store: store, ledger: ledger, known: map[string]stamp{}, flights: map[Ref]*flight{}}
	if _, err := c.Trim(); err != nil {
		return nil, errors.Join(err, ledger.Close())
	}
	return c, nil
}

// Close releases what the cache holds open. Files that Open gave stay open.
func (c *Cache) Close() error {
	if err := c.ledger.Close(); err != nil {
		return fmt.Errorf("close blob cache: %w", err)
	}
	return nil
}

// Open gives a blob as a file of mode 0444 that stands at its start: an open
// file description of its own, which the caller closes. It fetches the blob if
// need be; callers who want the same one wait for one fetch. Errors wrap
// ErrNotFound or ErrDamaged where the store has not what it should.
func (c *Cache) Open(ctx context.Context, ref Ref) (*os.File, error) {
	if _, err := keyOf(ref.SHA256); err != nil {
		return nil, fmt.Errorf("open blob: %w", err)
	}
	ref.Stored = 0 // so that equal references are equal
	const tries = 5
	for range tries { // somebody may remove it by hand between fetch and open
		f, err := c.hit(ref)
		if f == nil && err == nil {
			f, err = c.await(ctx, ref)
		}
		if err != nil {
			return nil, fmt.Errorf("open blob %s: %w", ref.SHA256, err)
		}
		if f != nil {
			return f, nil
		}
	}
	return nil, fmt.Errorf("open blob %s: it vanished from the cache %d times; is something else clearing %s?", ref.SHA256, tries, c.Dir)
}

// hit opens a file that is there and verified; nil: it is not.
func (c *Cache) hit(ref Ref) (*os.File, error) {
	f, err := os.Open(c.path(ref.SHA256))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	// In use from here on. It may fail: a program that was given the file before
	// can lock it too. Then it only might lose its name, which does not hurt.
	_ = flock(f, syscall.LOCK_SH|syscall.LOCK_NB)
	ok, err := c.verified(f, ref)
	if err != nil || !ok {
		return nil, errors.Join(err, f.Close())
	}
	// The time of access is the order of eviction; the kernel's own notion of now
	// (UTIME_NOW) is too coarse for that. If the name is gone the file is still good.
	now := []unix.Timespec{unix.NsecToTimespec(time.Now().UnixNano()), {Nsec: unix.UTIME_OMIT}}
	_ = unix.UtimesNanoAt(unix.AT_FDCWD, f.Name(), now, 0)
	return f, nil
}

func (c *Cache) verified(f *os.File, ref Ref) (bool, error) {
	fi, err := f.Stat()
	if err != nil {
		return false, err
	}
	c.mu.Lock()
	ok := c.known[ref.SHA256] == stampOf(fi)
	c.mu.Unlock()
	if ok && fi.Size() != ref.Size {
		return false, damaged(ref.SHA256, "holds %d bytes, its reference says %d", fi.Size(), ref.Size)
	}
	return ok, nil
}

// Data opens the test data of problems that were made from a manifest. It is
// good for one judgement: ctx ends its fetches.
func (c *Cache) Data(ctx context.Context) *Data { return &Data{ctx, c} }

// Data is what a grader opens test cases by.
type Data struct {
	ctx   context.Context //nolint:containedctx // a grader's opener has none
	cache *Cache
}

// Open is Cache.Open for a blob whose Ref is its SHA-256.
func (d *Data) Open(b judge.Blob) (*os.File, error) {
	return d.cache.Open(d.ctx, Ref{SHA256: b.Ref, Size: b.Size})
}

func (c *Cache) path(name string) string { return filepath.Join(c.Dir, name) }

// verify compares a file in the cache with its name and keeps it open; nil: it is
// not there, or it was damaged and is gone.
func (c *Cache) verify(ctx context.Context, ref Ref) (*os.File, error) {
	f, err := os.Open(c.path(ref.SHA256))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	_ = flock(f, syscall.LOCK_SH|syscall.LOCK_NB)
	h := sha256.New()
	fi, err := f.Stat()
	if err == nil {
		_, err = io.Copy(h, reading(ctx, f))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if sum := hexOf(h.Sum(nil)); sum != ref.SHA256 {
		if c.Damaged != nil {
			c.Damaged(damaged(ref.SHA256, "in the cache has the SHA-256 %s (%d bytes)", sum, fi.Size()))
		}
		return nil, errors.Join(f.Close(), c.drop(ref.SHA256, fi))
	}
	c.know(ref.SHA256, fi)
	return f, nil
}

func (c *Cache) know(sum string, fi os.FileInfo) {
	c.mu.Lock()
	c.known[sum] = stampOf(fi)
	c.mu.Unlock()
}
