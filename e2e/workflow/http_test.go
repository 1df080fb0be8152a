// Package workflow runs the whole workflow with the real device adapter over
// HTTPS against the simulated FortiGate.
package workflow

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/forti-mcp/forti/adapters/fortiosdevice"
	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
	"github.com/forti-mcp/forti/fortios-client/fortisim/fortisimtest"
)

// office is an engine with the real device adapter and the real catalog; the
// state is in memory.
type office struct {
	*testing.T
	sim    *fortisim.Device
	engine *engine.Engine
	caller engine.Caller
}

func newOffice(t *testing.T, m profile.Mode, o *fortisim.Options) *office {
	t.Helper()
	sim, server := fortisimtest.Start(t, o)
	world, err := fake.NewWorld(fake.WorldOptions{Profile: profile.Profile{
		Name: "branch", Host: server.Host, Port: server.Port, Mode: m, Trust: "spki-sha256:" + server.PinSHA256,
	}})
	if err != nil {
		t.Fatal(err)
	}
	token := func(context.Context) (redact.Secret, error) { return redact.NewSecret(server.Token), nil }
	ports := engine.Ports(world.Ports())
	ports.Catalog = fortiosdevice.NewCatalog(catalog.Open())
	ports.Devices = fortiosdevice.NewDevices(func(context.Context, profile.Profile) (fortiosdevice.Access, error) {
		return fortiosdevice.Access{Token: token}, nil
	}, nil)
	e, err := engine.New(ports, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &office{T: t, sim: sim, engine: e, caller: engine.Caller{Program: "workflow"}}
}

func (o *office) plan(operations string) *engine.PlanView {
	o.Helper()
	var in request.Plan
	err := o.engine.Decode([]byte(`{"operations":`+operations+`}`), &in)
	if err == nil {
		var v *engine.PlanView
		if v, err = o.engine.Plan(o.Context(), o.caller, in); err == nil {
			return v
		}
	}
	o.Fatalf("plan: %v\n%s", err, show(fault.From(err).Details))
	return nil
}

func (o *office) approve(id plan.ID) {
	o.Helper()
	review, err := o.engine.Review(o.Context(), o.caller, id, 80, false)
	if err != nil {
		o.Fatal(err)
	}
	o.Log("\n" + review.Screen)
	if _, err := o.engine.Approve(o.Context(), o.caller, id, review.Digest, engine.Evidence{Method: approval.Typed, Approver: approval.Approver{User: "alice"}}); err != nil {
		o.Fatal(err)
	}
}

func (o *office) apply(id plan.ID) *engine.Execution {
	o.Helper()
	x, err := o.engine.Apply(o.Context(), o.caller, request.Apply{PlanID: id.String()}, nil)
	if err != nil {
		o.Fatalf("apply: %v\n%s", err, show(fault.From(err).Details))
	}
	return x
}

func show(v any) string {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(data)
}

const mainJob = `[
 {"op":"create","resource":"firewall/address","object":{"name":"printer-3","subnet":"192.168.10.203/32"}},
 {"op":"create","resource":"firewall.service/custom","object":{"name":"IPP","tcp-portrange":"631"}},
 {"op":"update","resource":"firewall/addrgrp","key":"grp-servers","add":{"member":[{"name":"printer-3"}]}},
 {"op":"create","resource":"firewall/policy","object":{"name":"print","srcintf":[{"name":"lan"}],"dstintf":[{"name":"dmz"}],
   "srcaddr":[{"name":"net-lan"}],"dstaddr":[{"name":"printer-3"}],"action":"accept","schedule":"always","service":[{"name":"IPP"}]},
  "position":{"before":99}}
]`

func TestTheMainJobOverHTTPS(t *testing.T) {
	o := newOffice(t, profile.Guarded, nil)
	before := o.sim.Snapshot()
	v := o.plan(mainJob)
	t.Log(show(v))
	o.approve(v.PlanID)
	x := o.apply(v.PlanID)
	if x.Verified != 5 {
		t.Fatalf("result: %s", show(x))
	}
	if o.sim.Snapshot() == before {
		t.Fatal("nothing changed")
	}
	o.approve(*x.Rollback.PlanID)
	o.apply(*x.Rollback.PlanID)
	if o.sim.Snapshot() != before {
		t.Error("the configuration is not as it was")
	}
}

// FortiGates have been seen with a certificate whose serial number is negative.
func TestACertificateWithANegativeSerialNumberIsTrustedByItsPin(t *testing.T) {
	t.Parallel()
	b := fortisim.DefaultBehaviour(catalog.Version{})
	b.NegativeSerial = true
	lab := harness.New(t, &harness.Options{Device: &fortisim.Options{Behaviour: &b}})
	lab.Forti("read", "firewall/address", "srv-web").Must(0)
	session := lab.Serve()
	if r := session.Call("forti_read", `{"resource":"firewall/address","key":"srv-web"}`); r.IsError {
		t.Errorf("%+v", r)
	}
	session.Close()
}
