package port

import (
	"context"
	"io"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/core/wire"
)

// Incapable is a device that can do nothing: every read is not_found, a write is
// not sent. Embed it in a device that has only some of the abilities; the engine
// takes not_found for "cannot be told" wherever it only looks around.
type Incapable struct{}

var _ Device = Incapable{}

func unable() error {
	return fault.New(fault.NotFound, "this device does not offer that")
}

// Identity is not_found.
func (Incapable) Identity(context.Context) (Identity, error) { return Identity{}, unable() }

// Object is not_found.
func (Incapable) Object(context.Context, Location, operation.Key) (map[string]any, error) {
	return nil, unable()
}

// List is not_found.
func (Incapable) List(context.Context, ListQuery, func(row map[string]any) bool) (ListInfo, error) {
	return ListInfo{}, unable()
}

// Monitor is not_found.
func (Incapable) Monitor(context.Context, MonitorQuery) (any, error) { return nil, unable() }

// Schema is not_found.
func (Incapable) Schema(context.Context, Location) (map[string]any, error) { return nil, unable() }

// Send sends nothing.
func (Incapable) Send(context.Context, wire.Request, map[string]string) exchange.Exchange {
	return exchange.Exchange{Failure: exchange.FailDial}
}

// Probe is not_found: management connectivity cannot be confirmed.
func (Incapable) Probe(context.Context) (Identity, error) { return Identity{}, unable() }

// Backup is not_found: a critical plan is refused.
func (Incapable) Backup(context.Context, schema.Version, io.Writer, int64) error { return unable() }

// Close does nothing.
func (Incapable) Close() error { return nil }
