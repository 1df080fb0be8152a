package fortiosdevice

import (
	"sync"

	"github.com/forti-mcp/forti/core/schema"
)

// cacheSize bounds the conversions that are kept: a plan comes back to a few
// tables hundreds of times, and the largest has about a thousand attributes.
const cacheSize = 64

type cacheKey struct {
	path string
	at   schema.Version
}

// cache keeps the newest conversions; the oldest gives way.
type cache struct {
	mu    sync.Mutex
	byKey map[cacheKey]*schema.Resource
	ring  [cacheSize]cacheKey
	next  int
}

func (c *cache) get(key cacheKey) (*schema.Resource, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.byKey[key]
	return r, ok
}

func (c *cache) put(key cacheKey, r *schema.Resource) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[key]; ok {
		return
	}
	if c.byKey == nil {
		c.byKey = make(map[cacheKey]*schema.Resource, cacheSize)
	}
	delete(c.byKey, c.ring[c.next])
	c.ring[c.next] = key
	c.byKey[key] = r
	c.next = (c.next + 1) % cacheSize
}
