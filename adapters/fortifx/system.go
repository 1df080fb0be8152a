package fortifx

import (
	"go.uber.org/fx"

	"github.com/forti-mcp/forti/adapters/system"
	"github.com/forti-mcp/forti/core/port"
)

// System provides the system's clock and random bytes.
func System() fx.Option {
	return fx.Module("system", fx.Provide(
		func() port.Clock { return system.Clock{} },
		func() port.Random { return system.Random{} },
	))
}
