package fake_test

import (
	"context"
	"fmt"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/core/wire"
)

// tracing is a device of one's own: here one that tells what it is sent.
type tracing struct{ port.Device }

func (t tracing) Send(ctx context.Context, r wire.Request, secrets map[string]string) exchange.Exchange {
	fmt.Println(r.Method, r.Path)
	return t.Device.Send(ctx, r, secrets)
}

// devices opens them.
type devices struct{ port.Devices }

func (d devices) Open(ctx context.Context, p profile.Profile) (port.Device, error) {
	device, err := d.Devices.Open(ctx, p)
	return tracing{device}, err
}

// A program with a device of its own plans a change and applies it; all other
// ports are fakes.
func Example() {
	world, err := fake.NewWorld(fake.WorldOptions{Profile: profile.Profile{Mode: profile.Autonomous}})
	if err != nil {
		fmt.Println(err)
		return
	}
	ports := engine.Ports(world.Ports())
	ports.Devices = devices{world.Device}
	e, err := engine.New(ports, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, caller := context.Background(), engine.Caller{Program: "example"}
	planned, err := e.Plan(ctx, caller, request.Plan{Operations: []request.Operation{{
		Op: "create", Resource: "firewall/address", Object: map[string]any{"name": "printer", "subnet": "192.0.2.50/32"},
	}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	done, err := e.Apply(ctx, caller, request.Apply{PlanID: planned.PlanID.String()}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(done.Status, done.Verified)
	// Output:
	// POST /api/v2/cmdb/firewall/address
	// applied 1
}
