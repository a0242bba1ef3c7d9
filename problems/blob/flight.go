package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// flight is one fetch or verification that any number of callers wait for. It
// goes on while one of them does.
type flight struct {
	done   chan struct{}
	cancel context.CancelFunc
	refs   int      // callers who wait or are about to open the file; under Cache.mu
	file   *os.File // holds the file in use until the last of them has opened it
	err    error
}

// await opens a blob once it is in the cache and verified.
func (c *Cache) await(ctx context.Context, ref Ref) (*os.File, error) {
	c.mu.Lock()
	fl := c.flights[ref]
	if fl == nil {
		away, cancel := context.WithCancel(context.WithoutCancel(ctx))
		fl = &flight{done: make(chan struct{}), cancel: cancel}
		c.flights[ref] = fl
		go c.fly(away, ref, fl)
	}
	fl.refs++
	c.mu.Unlock()

	var f *os.File
	var err error
	select {
	case <-ctx.Done():
		err = ctx.Err()
	case <-fl.done:
		if err = fl.err; err == nil {
			f, err = c.hit(ref)
		}
	}
	return f, errors.Join(err, c.leave(ref, fl))
}

// leave is called by each caller once. The last to leave a flight that is under
// way ends it, and nobody joins it any more.
func (c *Cache) leave(ref Ref, fl *flight) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if fl.refs--; fl.refs > 0 {
		return nil
	}
	fl.cancel()
	if c.flights[ref] == fl {
		delete(c.flights, ref)
	}
	return fl.land()
}

// land closes the file when nobody waits; under Cache.mu.
func (fl *flight) land() error {
	if fl.refs > 0 || fl.file == nil {
		return nil
	}
	f := fl.file
	fl.file = nil
	return f.Close()
}

func (c *Cache) fly(ctx context.Context, ref Ref, fl *flight) {
	f, err := c.verify(ctx, ref)
	if f == nil && err == nil {
		f, err = c.fetch(ctx, ref)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	fl.file, fl.err = f, err
	if c.flights[ref] == fl {
		delete(c.flights, ref)
	}
	if err := fl.land(); err != nil && fl.err == nil {
		fl.err = err
	}
	close(fl.done)
}

// fetch brings a blob into the cache and keeps it open.
func (c *Cache) fetch(ctx context.Context, ref Ref) (*os.File, error) {
	src, err := c.store.Get(ctx, ref) // before room is made for what is not there
	if err != nil {
		return nil, err
	}
	defer src.Close() //nolint:errcheck // read to its end, or the error is known
	f, err := c.reserve(ref.Size)
	if err != nil {
		return nil, fmt.Errorf("make room in the cache: %w", err)
	}
	if _, err = io.Copy(f, reading(ctx, src)); err == nil {
		err = f.Chmod(0o444) // whatever the umask
	}
	if err == nil {
		err = c.settle(f, ref)
	}
	if err != nil {
		return nil, errors.Join(err, c.giveBack(f, ref.Size))
	}
	return f, nil
}
