package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/core/schema"
)

// rig is an engine over the fakes.
type rig struct {
	*testing.T
	world  *fake.World
	engine *engine.Engine
	caller engine.Caller
}

// setting changes the world before it begins.
type setting = func(o *fake.WorldOptions)

func newRig(t *testing.T, change ...setting) *rig {
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

func mode(m profile.Mode) setting { return owner(func(p *profile.Profile) { p.Mode = m }) }

// owner changes what the operator decided.
func owner(change func(p *profile.Profile)) setting {
	return func(o *fake.WorldOptions) { change(&o.Profile) }
}

// row adds a row to the device.
func row(resource string, object map[string]any) setting {
	return func(o *fake.WorldOptions) {
		o.Device.Rows = append(o.Device.Rows, fake.Row{At: fake.At(resource), Object: object})
	}
}

// knows adds resources to the catalog, and to the device.
func knows(list ...schema.Resource) setting {
	return func(o *fake.WorldOptions) {
		if o.Device.Resources == nil {
			o.Device.Resources = fake.Builtin()
		}
		o.Device.Resources = append(o.Device.Resources, list...)
	}
}

func (r *rig) start(change ...func(p *engine.Ports)) {
	r.Helper()
	ports := engine.Ports(r.world.Ports())
	for _, c := range change {
		c(&ports)
	}
	e, err := engine.New(ports, &engine.Options{Version: "test"})
	if err != nil {
		r.Fatal(err)
	}
	r.engine = e
}

// plan plans the operations, given as JSON.
func (r *rig) plan(operations string) (*engine.PlanView, error) {
	r.Helper()
	return r.planWith(`{"operations":` + operations + `}`)
}

// planWith plans with all arguments, given as JSON.
func (r *rig) planWith(arguments string) (*engine.PlanView, error) {
	r.Helper()
	var in request.Plan
	if err := r.engine.Decode([]byte(arguments), &in); err != nil {
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

func (r *rig) mustApply(id plan.ID) *engine.Execution {
	r.Helper()
	x, err := r.apply(id)
	if err != nil {
		r.Fatalf("apply: %v\n%s", err, show(fault.From(err).Details))
	}
	return x
}

// approve reviews and approves a plan as a human would.
func (r *rig) approve(id plan.ID) {
	r.Helper()
	if err := r.approveAs(id, "alice"); err != nil {
		r.Fatalf("approve: %v", err)
	}
}

func (r *rig) approveAs(id plan.ID, user string) error {
	r.Helper()
	review, err := r.engine.Review(context.Background(), r.caller, id, 80, false)
	if err != nil {
		return err
	}
	ev := engine.Evidence{Method: approval.Typed, Challenge: "K7Q2M9", Approver: approval.Approver{User: user, Host: "ws1"}}
	_, err = r.engine.Approve(context.Background(), r.caller, id, review.Digest, ev)
	return err
}

// approved plans and approves.
func (r *rig) approved(operations string) plan.ID {
	r.Helper()
	id := r.mustPlan(operations).PlanID
	r.approve(id)
	return id
}

// done plans, approves and applies.
func (r *rig) done(operations string) *engine.Execution {
	r.Helper()
	return r.mustApply(r.approved(operations))
}

func (r *rig) discover(arguments string) (engine.Found, error) {
	r.Helper()
	var in request.Discover
	if err := r.engine.Decode([]byte(arguments), &in); err != nil {
		return engine.Found{}, err
	}
	return r.engine.Discover(context.Background(), r.caller, in)
}

func (r *rig) read(arguments string) (engine.Found, error) {
	r.Helper()
	var in request.Read
	if err := r.engine.Decode([]byte(arguments), &in); err != nil {
		return engine.Found{}, err
	}
	return r.engine.Read(context.Background(), r.caller, in)
}

func (r *rig) mustRead(arguments string) engine.Found {
	r.Helper()
	found, err := r.read(arguments)
	if err != nil {
		r.Fatalf("read %s: %v", arguments, err)
	}
	return found
}

// wantCode fails unless err has the code, and returns it.
func (r *rig) wantCode(err error, code fault.Code) *fault.Error {
	r.Helper()
	if got := fault.CodeOf(err); got != code {
		r.Fatalf("got %q (%v), want %q", got, err, code)
	}
	return fault.From(err)
}

// stops applies and wants to be refused before anything was sent; reason may be "".
func (r *rig) stops(id plan.ID, code fault.Code, reason string) *fault.Error {
	r.Helper()
	sent := r.writes()
	_, err := r.apply(id)
	f := r.wantCode(err, code)
	if got, _ := f.Details["reason"].(string); got != reason {
		r.Fatalf("reason %q, want %q: %v", got, reason, f)
	}
	if r.writes() != sent {
		r.Fatalf("%d writes were sent", r.writes()-sent)
	}
	return f
}

// usable wants the plan to be as it was before a refused apply: approved, and free
// to be applied.
func (r *rig) usable(id plan.ID) {
	r.Helper()
	if got := r.state(id); got != apply.Approved {
		r.Fatalf("the approval must stay unused, the plan is %s", got)
	}
}

func (r *rig) shown(id plan.ID) *engine.PlanView {
	r.Helper()
	v, err := r.engine.Show(context.Background(), r.caller, id)
	if err != nil {
		r.Fatalf("show: %v", err)
	}
	return v
}

func (r *rig) state(id plan.ID) apply.State {
	r.Helper()
	return r.shown(id).State
}

func (r *rig) writes() int { return len(r.world.Device.Writes()) }

// object is a row as the device keeps it; nil where there is none.
func (r *rig) object(resource, key string) map[string]any {
	object, ok := r.world.Device.Row(fake.At(resource), fake.Key(key))
	if !ok {
		return nil
	}
	return object
}

// meddle is somebody else's change of an address.
func (r *rig) meddle(key string, attributes map[string]any) {
	r.Helper()
	if err := r.world.Device.Change(fake.At("firewall/address"), fake.Key(key), attributes); err != nil {
		r.Fatal(err)
	}
}

// sound wants an audit log that verifies and lacks nothing.
func (r *rig) sound() {
	r.Helper()
	report, err := r.engine.VerifyAudit(context.Background())
	if err != nil || report.Broken() || len(report.Incomplete) > 0 {
		r.Fatalf("audit: %v %s", err, show(report))
	}
}

// events are the audit log's records about a plan, oldest first.
func (r *rig) events(id plan.ID) []audit.Record {
	r.Helper()
	var list []audit.Record
	for line, err := range r.world.State.Audit().Lines(context.Background()) {
		if err != nil {
			r.Fatal(err)
		}
		rec, err := audit.ParseLine([]byte(strings.TrimSuffix(string(line), "\n")))
		if err != nil {
			r.Fatal(err)
		}
		if rec.PlanID == id {
			list = append(list, rec)
		}
	}
	return list
}

// wantProblems wants the code and exactly these problems, each "pointer: part of
// the text".
func (r *rig) wantProblems(err error, code fault.Code, want ...string) {
	r.Helper()
	f := r.wantCode(err, code)
	got, _ := f.Details["problems"].([]fault.Problem)
	fits := len(got) == len(want)
	for i := 0; fits && i < len(want); i++ {
		pointer, text, _ := strings.Cut(want[i], ": ")
		fits = got[i].Pointer == pointer && strings.Contains(got[i].Problem, text)
	}
	if !fits {
		r.Fatalf("problems:\n%s\nwant:\n%s", show(got), strings.Join(want, "\n"))
	}
}

func (r *rig) wantNote(notes []string, part string) {
	r.Helper()
	if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, part) }) {
		r.Fatalf("no note says %q: %s", part, show(notes))
	}
}

// encoded is an answer as a caller gets it.
func encoded(data any, meta *envelope.Meta, err error) string {
	text, failure := envelope.Of(data, meta, err).Encode()
	if failure != nil {
		return failure.Error()
	}
	return string(text)
}

func show(v any) string {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// address is a create of firewall/address, the plainest change there is.
func address(name string) string {
	return fmt.Sprintf(`{"op":"create","resource":"firewall/address","object":{"name":%q,"subnet":"192.0.2.50/32"}}`, name)
}

const mainJob = `[
 {"op":"create","resource":"firewall/address","object":{"name":"printer","subnet":"192.0.2.50/32"}},
 {"op":"create","resource":"firewall.service/custom","object":{"name":"IPP","tcp-portrange":"631"}},
 {"op":"update","resource":"firewall/addrgrp","key":"servers","add":{"member":[{"name":"printer"}]}},
 {"op":"create","resource":"firewall/policy","object":{"name":"print","srcintf":[{"name":"port1"}],"dstintf":[{"name":"port2"}],
   "srcaddr":[{"name":"lan"}],"dstaddr":[{"name":"printer"}],"action":"accept","schedule":"always","service":[{"name":"IPP"}]},
  "position":{"before":1}}
]`

// comment changes an address that is there.
const comment = `[{"op":"update","resource":"firewall/address","key":"lan","set":{"comment":"x"}}]`

// critical cuts an access of the interface that carries the management.
const critical = `[{"op":"update","resource":"system/interface","key":"port1","set":{"allowaccess":"ping https"}}]`

type engineResult = engine.OperationResult

// rows are the rows of a listing as values.
func rows(found engine.Found) []any { return value(found).([]any) }

// objectOf is one object as a value.
func objectOf(found engine.Found) map[string]any { return value(found).(map[string]any) }

func value(found engine.Found) any {
	text, err := envelope.JSON(found.Data)
	if err != nil {
		panic(err)
	}
	v, err := canon.DecodeLoose(text)
	if err != nil {
		panic(err)
	}
	return v
}
