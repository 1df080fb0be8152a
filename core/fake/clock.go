package fake

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/forti-mcp/forti/core/port"
)

// Clock is a clock that stands still until it is told to go on.
type Clock struct {
	mu     sync.Mutex
	now    time.Time
	boot   int
	since  time.Duration
	sleeps []time.Duration
}

var _ port.Clock = (*Clock)(nil)

// Start is where clocks start that were given no time.
var Start = time.Date(2026, 10, 15, 10, 45, 12, 0, time.UTC)

// NewClock makes a clock; the zero time means [Start]. The machine has been
// running for an hour.
func NewClock(now time.Time) *Clock {
	if now.IsZero() {
		now = Start
	}
	return &Clock{now: now, boot: 1, since: time.Hour}
}

// Now is the time it shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Boot is the time since the machine started.
func (c *Clock) Boot() (id string, since time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return fmt.Sprintf("boot-%d", c.boot), c.since
}

// Sleep lets the time pass at once.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.Advance(max(d, 0))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sleeps = append(c.sleeps, d)
	return nil
}

// Advance lets time pass on both clocks.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.since = c.now.Add(d), c.since+d
}

// Set changes the wall clock only, as a person or a time server does.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Reboot starts the machine again: a new id, and no time since.
func (c *Clock) Reboot() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.boot, c.since = c.boot+1, 0
}

// Sleeps lists the durations of all sleeps.
func (c *Clock) Sleeps() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.sleeps)
}
