package grader

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"judge/judge"
)

// Cache keeps what compiling came to, in a folder that several processes may
// share. An entry is a folder named by its key, with the executable and a note
// beside it that has the executable's SHA-256; it is made under another name
// and renamed, so it is there as a whole or not at all. What is damaged counts
// as missing. Its methods may be called by many goroutines.
type Cache struct {
	dir string

	mu      sync.Mutex
	flights map[string]chan struct{} // closed when the compiling of a key has ended
}

const (
	noteName = "note.json"
	tarName  = "executable.tar"
	newName  = "new-" // begins the names of entries on their way
)

// note is what an entry says of itself.
type note struct {
	OK       bool   `json:"ok"`
	Output   string `json:"output"`
	CPUTime  int64  `json:"cpu_time_ns"`
	WallTime int64  `json:"wall_time_ns"`
	Memory   int64  `json:"memory_bytes"`
	SHA256   string `json:"sha256"` // of the executable; of nothing where compiling failed
}

// NewCache returns the cache in dir, which is made if it is missing and kept
// from everybody else: executables are secret as the submissions are.
func NewCache(dir string) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make cache: %w", err)
	}
	if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a folder needs its x
		return nil, fmt.Errorf("make cache: %w", err)
	}
	return &Cache{dir: dir, flights: map[string]chan struct{}{}}, nil
}

// get returns what is kept under key, or else what compile comes to, which
// writes the executable to the file that it is given. When several ask for one
// key, one compiles and the others wait; if what that came to is not to be
// kept, the others compile for themselves, all at once. The file is the
// caller's to close, and nil where compiling failed.
func (c *Cache) get(ctx context.Context, key string, compile func(*os.File) (outcome, error)) (outcome, *os.File, error) {
	if o, f, ok := c.load(key); ok {
		return o, f, nil
	}
	c.mu.Lock()
	flight, waits := c.flights[key]
	if !waits {
		flight = make(chan struct{})
		c.flights[key] = flight
	}
	c.mu.Unlock()
	if !waits {
		defer func() {
			c.mu.Lock()
			delete(c.flights, key)
			c.mu.Unlock()
			close(flight)
		}()
	} else {
		select {
		case <-flight:
		case <-ctx.Done():
			return outcome{}, nil, ctx.Err()
		}
	}
	// Who waited finds it here; so does who began just after another had ended.
	if o, f, ok := c.load(key); ok {
		return o, f, nil
	}
	return c.make(key, compile)
}

// load finds an entry that is whole.
func (c *Cache) load(key string) (outcome, *os.File, bool) {
	dir := filepath.Join(c.dir, key)
	b, err := os.ReadFile(filepath.Join(dir, noteName))
	if err != nil {
		if _, err := os.Stat(dir); err == nil {
			c.remove(key) // half of an entry would be in the way of a new one
		}
		return outcome{}, nil, false
	}
	var n note
	f, err := os.Open(filepath.Join(dir, tarName))
	if err == nil {
		if err = json.Unmarshal(b, &n); err == nil {
			err = verify(f, n.SHA256)
		}
	}
	if err != nil {
		if f != nil {
			drop(f)
		}
		c.remove(key)
		return outcome{}, nil, false
	}
	now := time.Now()
	_ = os.Chtimes(dir, now, now) // for Evict; when it fails the entry only looks older
	o := outcome{Keep: true, Compilation: judge.Compilation{
		OK: n.OK, Output: n.Output, CPUTime: time.Duration(n.CPUTime), WallTime: time.Duration(n.WallTime), Memory: n.Memory,
	}}
	if !o.OK {
		drop(f)
		f = nil
	}
	return o, f, true
}

// verify also brings the file into the page cache, on our account.
func verify(f *os.File, want string) error {
	got, err := sum(f)
	if err == nil && got != want {
		err = errors.New("executable differs from its hash")
	}
	return err
}

func sum(f *os.File) (string, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// make compiles, and keeps what is to be kept.
func (c *Cache) make(key string, compile func(*os.File) (outcome, error)) (o outcome, f *os.File, err error) {
	dir, err := os.MkdirTemp(c.dir, newName+"*")
	if err != nil {
		return outcome{}, nil, fmt.Errorf("make cache entry: %w", err)
	}
	defer func() {
		if err != nil || !o.Keep {
			_ = os.RemoveAll(dir) // Evict removes what is left
		}
		if f != nil && (err != nil || !o.OK) {
			drop(f)
			f = nil
		}
	}()
	f, err = os.OpenFile(filepath.Join(dir, tarName), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return outcome{}, nil, fmt.Errorf("make cache entry: %w", err)
	}
	if o, err = compile(f); err != nil || !o.Keep {
		return o, f, err
	}
	if !o.OK { // nothing that a failed attempt may have written
		if err = restart(f); err != nil {
			return o, f, fmt.Errorf("make cache entry: %w", err)
		}
	}
	if err = writeNote(dir, f, &o); err != nil {
		return o, f, fmt.Errorf("make cache entry: %w", err)
	}
	err = os.Rename(dir, filepath.Join(c.dir, key))
	if errors.Is(err, fs.ErrExist) { // another process was first; this file is as good as its
		err = os.RemoveAll(dir)
	}
	if err != nil {
		return o, f, fmt.Errorf("make cache entry: %w", err)
	}
	return o, f, nil
}

func writeNote(dir string, f *os.File, o *outcome) error {
	hash, err := sum(f)
	if err != nil {
		return err
	}
	b, err := json.Marshal(note{
		OK: o.OK, Output: o.Output, CPUTime: int64(o.CPUTime), WallTime: int64(o.WallTime), Memory: o.Memory, SHA256: hash,
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, noteName), b, 0o600)
}
