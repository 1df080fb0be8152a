// A service that brings its own device and takes everything else from the core.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/core/wire"
)

// firewall is a device of our own: it knows addresses by name and nothing else.
type firewall struct {
	port.Incapable
	rows map[string]map[string]any
}

const serial = "FGTOWN0000000001"

func (f firewall) Open(context.Context, profile.Profile) (port.Device, error) { return f, nil }

func (f firewall) Identity(context.Context) (port.Identity, error) {
	return port.Identity{Serial: serial, Version: "v7.4.8", Build: 2795}, nil
}

func (f firewall) Object(ctx context.Context, at port.Location, key operation.Key) (map[string]any, error) {
	if row := f.rows[key.String()]; row != nil {
		return row, nil
	}
	return f.Incapable.Object(ctx, at, key)
}

func (f firewall) Send(_ context.Context, w wire.Request, _ map[string]string) exchange.Exchange {
	f.rows[fmt.Sprint(w.Body["name"])] = w.Body
	return exchange.Exchange{Sent: true, HeaderComplete: true, Status: 200, Body: exchange.BodyObject,
		BodyComplete: true, APIStatus: "success", Serial: serial, VDOM: "root"}
}

func main() {
	world := must(fake.NewWorld(fake.WorldOptions{Profile: profile.Profile{Mode: profile.Autonomous}}))
	ports := engine.Ports(world.Ports())
	ports.Devices = firewall{rows: map[string]map[string]any{}}
	e, ctx, me := must(engine.New(ports, nil)), context.Background(), engine.Caller{Program: "ours"}
	change := []request.Operation{{Op: "create", Resource: "firewall/address", Object: map[string]any{"name": "printer", "subnet": "192.0.2.50/32"}}}
	p := must(e.Plan(ctx, me, request.Plan{Operations: change}))
	done := must(e.Apply(ctx, me, request.Apply{PlanID: p.PlanID.String()}, nil))
	fmt.Println(p.Summary[0], "->", done.Status, done.Operations[0].Status)
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
