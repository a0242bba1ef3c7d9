package main

import "sync"

// keptVersions is how many versions of problems a process keeps in memory, each
// with its validators and included files. A contest has fewer.
const keptVersions = 64

// recent keeps what belongs to the keys that were asked for last: most of them, or
// keptVersions where that is 0. It may be used by many goroutines; its zero value is
// empty.
type recent[T any] struct {
	most int

	mu     sync.Mutex
	byKey  map[string]*kept[T]
	access uint64
}

type kept[T any] struct {
	value T
	used  uint64
}

func (c *recent[T]) get(key string) (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.byKey[key]
	if !ok {
		var none T
		return none, false
	}
	c.access++
	k.used = c.access
	return k.value, true
}

func (c *recent[T]) put(key string, value T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[string]*kept[T]{}
	}
	c.access++
	c.byKey[key] = &kept[T]{value, c.access}
	most := c.most
	if most == 0 {
		most = keptVersions
	}
	if len(c.byKey) <= most {
		return
	}
	oldest := key
	for other, k := range c.byKey {
		if k.used < c.byKey[oldest].used {
			oldest = other
		}
	}
	delete(c.byKey, oldest)
}
