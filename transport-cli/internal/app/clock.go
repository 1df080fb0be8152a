package app

import (
	"context"
	"time"

	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
)

type wallClock struct{}

func systemClock() terminal.Clock { return wallClock{} }

// Sleep waits, or returns the context's error early.
func (wallClock) Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
