package grader

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// staleAfter is how long an entry may be on its way before it is taken for one
// whose process has died: far longer than any compiling lasts.
const staleAfter = 24 * time.Hour

// Evicted is what Evict did.
type Evicted struct {
	Entries int   // removed
	Freed   int64 // bytes
	Kept    int64 // bytes that are left
}

// Evict removes the entries that were not used for longest until the rest has
// at most budget bytes, and what processes that have died left half made.
// Judgements that use an entry that goes keep their open file.
func (c *Cache) Evict(budget int64) (Evicted, error) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return Evicted{}, fmt.Errorf("list cache: %w", err)
	}
	type kept struct {
		name string
		size int64
		used time.Time
	}
	var all []kept
	var out Evicted
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone in the meantime
		}
		if err != nil {
			return out, fmt.Errorf("list cache: %w", err)
		}
		size := folderSize(filepath.Join(c.dir, e.Name()))
		if strings.HasPrefix(e.Name(), newName) {
			if time.Since(info.ModTime()) > staleAfter {
				_ = os.RemoveAll(filepath.Join(c.dir, e.Name())) // tried again next time
			}
			continue
		}
		all = append(all, kept{e.Name(), size, info.ModTime()})
		out.Kept += size
	}
	slices.SortFunc(all, func(a, b kept) int { return a.used.Compare(b.used) })
	for _, e := range all {
		if out.Kept <= budget {
			break
		}
		c.remove(e.name)
		out.Entries++
		out.Freed += e.size
		out.Kept -= e.size
	}
	return out, nil
}

// remove takes an entry away as a whole: first its name, so that nobody sees
// half of it.
func (c *Cache) remove(key string) {
	trash, err := os.MkdirTemp(c.dir, newName+"*")
	if err != nil {
		return // it stays, and is found damaged or too old again
	}
	_ = os.Rename(filepath.Join(c.dir, key), filepath.Join(trash, "old")) // somebody else was first
	_ = os.RemoveAll(trash)                                               // Evict removes what is left
}

func folderSize(dir string) int64 {
	var size int64
	entries, _ := os.ReadDir(dir) // what is gone has no size
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			size += info.Size()
		}
	}
	return size
}
