package engine_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
)

// rig is an engine over the fakes.
type rig struct {
	*testing.T
	world  *fake.World
	engine *engine.Engine
	caller engine.Caller
}

func newRig(t *testing.T, change ...func(o *fake.WorldOptions)) *rig {
	t.Helper()
	var o fake.WorldOptions
	o.Device.Rows = append(fake.Office(), fake.Row{
		At:     fake.At("firewall/addrgrp"),
		Object: map[string]any{"name": "servers", "member": []any{map[string]any{"name": "lan"}}},
	})
	for _, c := range change {
		c(&o)
	}
	world, err := fake.NewWorld(o)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{T: t, world: world, caller: engine.Caller{Program: "test", User: "alice", Host: "ws1"}}
	r.start()
	return r
}

func mode(m profile.Mode) func(o *fake.WorldOptions) {
	return func(o *fake.WorldOptions) { o.Profile.Mode = m }
}

func (r *rig) start() {
	r.Helper()
	e, err := engine.New(engine.Ports(r.world.Ports()), &engine.Options{Version: "test"})
	if err != nil {
		r.Fatal(err)
	}
	r.engine = e
}

// plan plans the operations, given as JSON.
func (r *rig) plan(operations string) (*engine.PlanView, error) {
	r.Helper()
	var in request.Plan
	if err := r.engine.Decode([]byte(`{"operations":`+operations+`}`), &in); err != nil {
		return nil, err
	}
	return r.engine.Plan(context.Background(), r.caller, in)
}

func (r *rig) mustPlan(operations string) *engine.PlanView {
	r.Helper()
	v, err := r.plan(operations)
	if err != nil {
		r.Fatalf("plan: %v", err)
	}
	return v
}

func (r *rig) apply(id plan.ID) (*engine.Execution, error) {
	r.Helper()
	return r.engine.Apply(context.Background(), r.caller, request.Apply{PlanID: id.String()}, r.world.Progress)
}

// approve reviews and approves a plan as a human would.
func (r *rig) approve(id plan.ID) {
	r.Helper()
	review, err := r.engine.Review(context.Background(), r.caller, id, 80, false)
	if err != nil {
		r.Fatalf("review: %v", err)
	}
	ev := engine.Evidence{Method: approval.Typed, Challenge: "K7Q2M9", Approver: approval.Approver{User: "alice", Host: "ws1"}}
	if _, err := r.engine.Approve(context.Background(), r.caller, id, review.Digest, ev); err != nil {
		r.Fatalf("approve: %v", err)
	}
}

// wantCode fails unless err has the code, and returns it.
func (r *rig) wantCode(err error, code fault.Code) *fault.Error {
	r.Helper()
	if got := fault.CodeOf(err); got != code {
		r.Fatalf("got %q (%v), want %q", got, err, code)
	}
	return fault.From(err)
}

func (r *rig) writes() int { return len(r.world.Device.Writes()) }

func show(v any) string {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(data)
}

const mainJob = `[
 {"op":"create","resource":"firewall/address","object":{"name":"printer","subnet":"192.0.2.50/32"}},
 {"op":"create","resource":"firewall.service/custom","object":{"name":"IPP","tcp-portrange":"631"}},
 {"op":"update","resource":"firewall/addrgrp","key":"servers","add":{"member":[{"name":"printer"}]}},
 {"op":"create","resource":"firewall/policy","object":{"name":"print","srcintf":[{"name":"port1"}],"dstintf":[{"name":"port2"}],
   "srcaddr":[{"name":"lan"}],"dstaddr":[{"name":"printer"}],"action":"accept","schedule":"always","service":[{"name":"IPP"}]},
  "position":{"before":1}}
]`

type engineResult = engine.OperationResult
