package catalog

import "sync"

// cacheSize bounds the decoded resources that a Catalog keeps. A plan touches
// a few tables many times; the largest resource has about a thousand attributes.
const cacheSize = 64

type cacheKey struct {
	path     string
	version  Version
	possible bool
}

// cache keeps the resources that were decoded last; the oldest gives way.
type cache struct {
	mu    sync.Mutex
	byKey map[cacheKey]*Resource
	ring  [cacheSize]cacheKey
	next  int
}

func (c *cache) get(key cacheKey) (*Resource, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.byKey[key]
	return r, ok
}

func (c *cache) put(key cacheKey, r *Resource) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[key]; ok {
		return
	}
	if c.byKey == nil {
		c.byKey = make(map[cacheKey]*Resource, cacheSize)
	}
	delete(c.byKey, c.ring[c.next])
	c.ring[c.next] = key
	c.byKey[key] = r
	c.next = (c.next + 1) % cacheSize
}
