// Package system asks the operating system: for the time, for random bytes, and
// for who is running this program where.
package system

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/forti-mcp/forti/core/port"
)

// Clock is the system's clock. The zero value is ready.
type Clock struct{}

// Random is the system's source of random bytes. The zero value is ready.
type Random struct{}

var (
	_ port.Clock  = Clock{}
	_ port.Random = Random{}
)

// Now is the wall clock in UTC, without the monotonic reading: what is compared
// with stored times must show it when somebody sets the clock.
func (Clock) Now() time.Time { return time.Now().UTC().Round(0) }

// Boot is the time since the machine started, suspend included, with an id that
// changes at each start. Where the system tells only one of them, it is "" and 0.
func (Clock) Boot() (id string, since time.Duration) {
	since, ok := sinceBoot()
	if id = bootID(); id == "" || !ok {
		return "", 0
	}
	return id, since
}

// Sleep waits, or returns the context's error early.
func (Clock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Bytes gives n random bytes fit for keys.
func (Random) Bytes(n int) ([]byte, error) {
	if n < 0 {
		return nil, fmt.Errorf("system: %d random bytes were asked for", n)
	}
	b := make([]byte, n)
	if _, err := rand.Read(b); err != nil {
		return nil, fmt.Errorf("system: %w", err)
	}
	return b, nil
}
