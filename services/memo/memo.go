// Package memo remembers answers for a short, bounded time, so that a caller who
// asks the same question hundreds of times a second is not each time answered by
// the database. It does not load, refresh or share anything by itself.
package memo

import (
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
)

// Cache keeps at most Max answers for at most TTL.
type Cache[K comparable, V any] struct {
	clock   clock.Clock
	ttl     time.Duration
	max     int
	mu      sync.Mutex
	entries map[K]entry[V] // at most max
}

type entry[V any] struct {
	value V
	until time.Time
}

// New makes a cache of at most limit entries that live for ttl.
func New[K comparable, V any](c clock.Clock, ttl time.Duration, limit int) *Cache[K, V] {
	return &Cache[K, V]{clock: c, ttl: ttl, max: limit, entries: make(map[K]entry[V])}
}

// Get answers what was kept for key, if it is still young enough.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	now := c.clock.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok || !now.Before(e.until) {
		var none V
		return none, false
	}
	return e.value, true
}

// Put keeps value for key. asOf is the instant before the value was read: its
// life counts from there, so that a change made while it was read is seen in
// time.
func (c *Cache[K, V]) Put(key K, value V, asOf time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.entries[key]; !known && len(c.entries) >= c.max {
		c.makeRoom(asOf)
	}
	c.entries[key] = entry[V]{value: value, until: asOf.Add(c.ttl)}
}

// makeRoom drops what is too old, and everything when nothing is: with a life of
// a second that costs one reading each, and it needs no second structure.
func (c *Cache[K, V]) makeRoom(now time.Time) {
	for key, e := range c.entries {
		if !now.Before(e.until) {
			delete(c.entries, key)
		}
	}
	if len(c.entries) >= c.max {
		clear(c.entries)
	}
}

// Drop forgets what was kept for key.
func (c *Cache[K, V]) Drop(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, key)
}

// DropIf forgets every answer for which gone says so.
func (c *Cache[K, V]) DropIf(gone func(K, V) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, e := range c.entries {
		if gone(key, e.value) {
			delete(c.entries, key)
		}
	}
}
