package blob

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
)

// The ledger's first eight bytes are how much of the budget is taken, by files
// and by those on their way: each of these has its full length from the start
// and is locked by who writes it. So what counts can be counted again at any
// time, and what a killed process left is known by its lock being free.

const arriving = "arriving-" // begins the names of files on their way

// Usage is what a cache holds.
type Usage struct {
	Files int
	Bytes int64 // on disk, in blocks of 4 KiB
}

// cost is what a file takes of the budget.
func cost(size int64) int64 { return max((size+4095)&^4095, 4096) }

// Trim counts the cache's files, removes what killed processes left and evicts
// down to the budget. Opening the cache does it, and so does a cache that is
// full; a job may do it from time to time.
func (c *Cache) Trim() (Usage, error) {
	var u Usage
	err := c.locked(func() (err error) {
		u, err = c.makeRoom(0)
		return err
	})
	if err != nil {
		return Usage{}, fmt.Errorf("trim blob cache: %w", err)
	}
	return u, nil
}

// locked runs f while no other process and no other goroutine changes the
// ledger.
func (c *Cache) locked(f func() error) error {
	c.room.Lock()
	defer c.room.Unlock()
	if err := flock(c.ledger, syscall.LOCK_EX); err != nil {
		return err
	}
	return errors.Join(f(), flock(c.ledger, syscall.LOCK_UN))
}

func (c *Cache) taken() (n int64, known bool, err error) {
	var b [8]byte
	_, err = c.ledger.ReadAt(b[:], 0)
	if errors.Is(err, io.EOF) {
		return 0, false, nil
	}
	return int64(binary.BigEndian.Uint64(b[:])), true, err
}

func (c *Cache) setTaken(n int64) error {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(max(n, 0)))
	_, err := c.ledger.WriteAt(b[:], 0)
	return err
}

func (c *Cache) addTaken(n int64) error {
	was, known, err := c.taken()
	if err != nil || !known {
		return err
	}
	return c.setTaken(was + n)
}

// reserve makes a file for a blob on its way, with room for it.
func (c *Cache) reserve(size int64) (f *os.File, err error) {
	err = c.locked(func() error {
		n, known, err := c.taken()
		if err != nil {
			return err
		}
		if !known || n+cost(size) > c.Budget {
			u, err := c.makeRoom(cost(size))
			if err != nil {
				return err
			}
			n = u.Bytes
		}
		if f, err = os.CreateTemp(c.Dir, arriving); err != nil {
			return err
		}
		if err = errors.Join(flock(f, syscall.LOCK_EX|syscall.LOCK_NB), f.Truncate(size)); err == nil {
			err = c.setTaken(n + cost(size))
		}
		if err != nil {
			return errors.Join(err, os.Remove(f.Name()), f.Close())
		}
		return nil
	})
	return f, err
}

// settle gives a fetched blob its name, over one that another process fetched
// meanwhile. A file of that name that we did not compare goes unbelieved.
func (c *Cache) settle(f *os.File, ref Ref) error {
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	return c.locked(func() error {
		old, err := os.Lstat(c.path(ref.SHA256))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		// Shared from now on, else nobody could say that he has it open. Before the
		// rename: after it a program may hold a lock of its own for ever.
		if err := flock(f, syscall.LOCK_SH); err != nil {
			return err
		}
		if err := os.Rename(f.Name(), c.path(ref.SHA256)); err != nil {
			return err
		}
		c.know(ref.SHA256, fi)
		if old != nil {
			return c.addTaken(-cost(old.Size()))
		}
		return nil
	})
}

// giveBack ends a fetch that failed. Whatever of it is left is the next count's.
func (c *Cache) giveBack(f *os.File, size int64) error {
	return c.locked(func() error {
		err := os.Remove(f.Name())
		if err == nil {
			err = c.addTaken(-cost(size))
		}
		return errors.Join(err, f.Close())
	})
}

// drop removes a damaged file if it is still the one that was looked at.
func (c *Cache) drop(sum string, was os.FileInfo) error {
	return c.locked(func() error {
		fi, err := os.Lstat(c.path(sum))
		if err != nil || !os.SameFile(fi, was) {
			return nil //nolint:nilerr // somebody else was faster
		}
		if err := os.Remove(c.path(sum)); err != nil {
			return err
		}
		return c.addTaken(-cost(fi.Size()))
	})
}

// kept is a file that may be evicted.
type kept struct {
	name string
	cost int64
	used int64 // when it was opened last, in nanoseconds
}

// makeRoom counts, and where need does not fit the budget it evicts a tenth of
// the budget more than it must, so that not every fetch has to count.
func (c *Cache) makeRoom(need int64) (Usage, error) {
	files, u, err := c.count()
	if err != nil {
		return Usage{}, err
	}
	if u.Bytes+need > c.Budget {
		slices.SortFunc(files, func(a, b kept) int { return cmp.Compare(a.used, b.used) })
		for _, k := range files {
			if u.Bytes+need <= c.Budget-c.Budget/10 {
				break
			}
			gone, err := c.evict(k.name)
			if err != nil {
				return Usage{}, err
			}
			if gone {
				u.Bytes -= k.cost
				u.Files--
			}
		}
	}
	return u, c.setTaken(u.Bytes)
}

// count lists the files and adds up what is taken.
func (c *Cache) count() ([]kept, Usage, error) {
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return nil, Usage{}, err
	}
	var files []kept
	var u Usage
	here := map[string]bool{}
	for _, e := range entries {
		fi, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, Usage{}, err
		}
		switch st, ok := fi.Sys().(*syscall.Stat_t); {
		case strings.HasPrefix(e.Name(), arriving):
			if gone, err := c.evict(e.Name()); err != nil {
				return nil, Usage{}, err
			} else if !gone {
				u.Bytes += cost(fi.Size())
			}
		case ok && hexSum.MatchString(e.Name()):
			files = append(files, kept{e.Name(), cost(fi.Size()), st.Atim.Nano()})
			here[e.Name()] = true
			u.Bytes += cost(fi.Size())
			u.Files++
		}
	}
	c.forget(here)
	return files, u, nil
}

// forget drops what is known of files that are no longer there.
func (c *Cache) forget(here map[string]bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for sum := range c.known {
		if !here[sum] {
			delete(c.known, sum)
		}
	}
}

// evict removes a file that nobody has open; false: somebody has.
func (c *Cache) evict(name string) (bool, error) {
	f, err := os.Open(c.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	} else if err != nil {
		return false, err
	}
	defer f.Close() //nolint:errcheck // opened for its lock only
	if err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	return true, os.Remove(c.path(name))
}

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			if err != nil {
				return fmt.Errorf("lock %s: %w", f.Name(), err)
			}
			return nil
		}
	}
}
