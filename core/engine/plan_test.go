package engine_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
)

// "data has the plan id, digest, kind, created_at, device, risk, summary, operations,
// mode, notes, apply and, in guarded mode, approve."
func TestTheResultOfAPlanHasWhatToolsPromises(t *testing.T) {
	r := newRig(t)
	v := r.mustPlan(comment)
	var data map[string]any
	if err := json.Unmarshal([]byte(show(v)), &data); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"plan_id", "digest", "kind", "created_at", "device", "risk", "summary", "operations", "mode", "notes", "apply", "approve"} {
		if data[name] == nil {
			t.Errorf("%s is missing", name)
		}
	}
	device, _ := data["device"].(map[string]any)
	for _, name := range []string{"profile", "host", "port", "vdom", "serial", "version"} {
		if device[name] == nil {
			t.Errorf("device has no %s", name)
		}
	}
	id := v.PlanID.String()
	if v.Apply != "forti apply "+id || v.Approve != "forti plan approve "+id || v.Kind != plan.Change || v.Mode != profile.Guarded {
		t.Errorf("%s", show(v))
	}
	op := v.Operations[0]
	want := `[{"attribute":"comment","from":"","to":"x"}]`
	if got, _ := json.Marshal(op.Diff); string(got) != want {
		t.Errorf("diff %s, want %s", got, want)
	}
	if op.Wire.Method != "PUT" || op.Wire.Path != "/api/v2/cmdb/firewall/address/lan" || op.Wire.Query["vdom"] != "root" || show(op.Wire.Body) != show(map[string]any{"comment": "x"}) {
		t.Errorf("wire %s", show(op.Wire))
	}
}

// "It never changes the device."
func TestAPlanSendsNoWrite(t *testing.T) {
	r := newRig(t)
	r.mustPlan(everyKind)
	for _, e := range r.world.Device.Requests() {
		if e.Call == fake.CallSend || e.Call == fake.CallBackup || e.Request.Method != "GET" {
			t.Errorf("%s %s", e.Request.Method, e.Request.Path)
		}
	}
}

func TestEveryPlanIsOnRecord(t *testing.T) {
	r := newRig(t)
	v, err := r.planWith(`{"operations":` + comment + `,"reason":"please \u001b[2J"}`)
	if err != nil {
		t.Fatal(err)
	}
	all := r.events(v.PlanID)
	if len(all) != 1 || all[0].Event != audit.PlanCreated || all[0].Digest != v.Digest || all[0].Mode != profile.Guarded || all[0].Reason != `please \x1b[2J` {
		t.Fatalf("%s", show(all))
	}
	if v.Reason != `please \x1b[2J` {
		t.Errorf("reason %q", v.Reason)
	}
}

// The body of an update has the named attributes and nothing that was read.
func TestAnUpdateSendsTheNamedAttributesOnly(t *testing.T) {
	r := newRig(t)
	r.done(`[{"op":"update","resource":"firewall/address","key":"lan","set":{"comment":"x","color":3}}]`)
	if got := show(r.world.Device.Writes()[0].Body); got != show(map[string]any{"comment": "x", "color": 3}) {
		t.Fatalf("body %s", got)
	}
}

func TestTheInterfaceThatCarriesTheManagementIsKnown(t *testing.T) {
	r := newRig(t)
	own := r.mustPlan(critical)
	if own.Risk.Tier != plan.Critical || !strings.Contains(show(own.Risk), "carries this connection (from 192.0.2.10)") {
		t.Errorf("the carrying interface: %s", show(own.Risk))
	}
	other := r.mustPlan(`[{"op":"update","resource":"system/interface","key":"port2","set":{"alias":"x"}}]`)
	if other.Risk.Tier == plan.Critical || strings.Contains(show(other.Risk), "R-LOCKOUT-03") {
		t.Errorf("another interface: %s", show(other.Risk))
	}
}

// "Operations see each other."
func TestOperationsSeeTheEarlierOnes(t *testing.T) {
	r := newRig(t)
	v := r.mustPlan(`[
	 {"op":"create","resource":"firewall/address","object":{"name":"a","subnet":"192.0.2.9/32"}},
	 {"op":"update","resource":"firewall/address","key":"a","set":{"comment":"x"}},
	 {"op":"update","resource":"firewall/addrgrp","key":"servers","set":{"member":["a"]}},
	 {"op":"update","resource":"firewall/addrgrp","key":"servers","set":{"member":["lan"]}},
	 {"op":"delete","resource":"firewall/address","key":"a"},
	 {"op":"create","resource":"firewall/address","object":{"name":"a","subnet":"192.0.2.10/32"}}
	]`)
	if len(v.Operations) != 6 {
		t.Fatalf("%s", show(v.Summary))
	}
	if from := show(v.Operations[3].Diff[0].From); !strings.Contains(from, `"a"`) {
		t.Errorf("the diff of the fourth begins at %s", from)
	}
	r.approve(v.PlanID)
	if x := r.mustApply(v.PlanID); x.Verified != 6 {
		t.Fatalf("%s", show(x))
	}
	if got := r.object("firewall/address", "a")["subnet"]; got != "192.0.2.10 255.255.255.255" {
		t.Errorf("subnet %v", got)
	}
}

// {"$key_of": n} is the number that planning chose for an earlier create.
func TestAKeyThatIsChosenCanBeUsed(t *testing.T) {
	r := newRig(t, knows(schema.Resource{
		Path: "firewall/note", Kind: schema.Table, Key: "id", KeyType: "integer", Scope: "vdom", Methods: []string{"GET", "POST", "PUT", "DELETE"},
		Attributes: []schema.Attribute{{Name: "id", Type: "integer"}, {Name: "policy", Type: "integer", Refs: []schema.Ref{{Path: "firewall/policy", Attribute: "policyid"}}}},
	}))
	v := r.mustPlan(`[` + strings.NewReplacer("%s", "").Replace(policyOn) + `,
	 {"op":"create","resource":"firewall/note","object":{"policy":{"$key_of":0}}}]`)
	r.wantNote(v.Notes, "key 2 was chosen for the new row of firewall/policy")
	if v.Operations[0].Key != operation.IntegerKey(2) || show(v.Operations[1].Wire.Body) != show(map[string]any{"id": 1, "policy": 2}) {
		t.Fatalf("%s", show(v.Operations))
	}
	r.approve(v.PlanID)
	r.mustApply(v.PlanID)
}

func TestAnOperationThatChangesNothingIsDroppedWithANote(t *testing.T) {
	r := newRig(t, row("firewall/policy", map[string]any{"policyid": 5, "name": "second", "schedule": "always"}))
	v := r.mustPlan(`[{"op":"update","resource":"firewall/address","key":"lan","set":{"subnet":"192.0.2.0/24","comment":"x"}},
	 {"op":"update","resource":"firewall/policy","key":1,"position":{"before":5}},
	 {"op":"update","resource":"firewall/addrgrp","key":"servers","remove":{"member":["all"]}}]`)
	if len(v.Operations) != 1 || show(v.Operations[0].Wire.Body) != show(map[string]any{"comment": "x"}) {
		t.Fatalf("%s", show(v.Operations))
	}
	r.wantNote(v.Notes, "subnet of firewall/address lan has the wanted value already")
	r.wantNote(v.Notes, "firewall/policy 1 stands there already")
	r.wantNote(v.Notes, "member of firewall/addrgrp servers has the wanted value already")
}

// A position becomes an operation of its own, with the order before and after it.
func TestAPositionIsStoredAsAMove(t *testing.T) {
	r := newRig(t)
	v := r.mustPlan(mainJob)
	var ops []string
	for _, op := range v.Operations {
		ops = append(ops, string(op.Op)+" "+op.Source)
	}
	if want := "create /operations/0,create /operations/1,update /operations/2,create /operations/3,move /operations/3"; strings.Join(ops, ",") != want {
		t.Errorf("%s\nwant %s", strings.Join(ops, ","), want)
	}
	move := v.Operations[4]
	if got, _ := json.Marshal(move.Diff); string(got) != `[{"attribute":"position","from":"after 1","to":"before 1"}]` {
		t.Errorf("diff %s", got)
	}
	if show(move.Wire.Query) != show(map[string]string{"vdom": "root", "action": "move", "before": "1"}) || move.Wire.Body != nil {
		t.Errorf("wire %s", show(move.Wire))
	}
}

func TestAChangeToAGlobalResourceNamesNoVDOMAndSaysSo(t *testing.T) {
	r := newRig(t, owner(func(p *profile.Profile) { p.VDOM = "edge" }), func(o *fake.WorldOptions) { o.Device.VDOMs = []string{"root", "edge"} })
	v := r.mustPlan(`[{"op":"update","resource":"system/global","set":{"hostname":"x"}}]`)
	r.wantNote(v.Notes, `system/global is global: the change is not limited to VDOM "edge"`)
	if len(v.Operations[0].Wire.Query) != 0 {
		t.Errorf("query %v", v.Operations[0].Wire.Query)
	}
	r.approve(v.PlanID)
	r.mustApply(v.PlanID)
}

func TestAPlanMayNameAnotherVDOMThanTheProfile(t *testing.T) {
	edge := port.Location{Resource: "firewall/address", VDOM: "edge"}
	r := newRig(t, func(o *fake.WorldOptions) { o.Device.VDOMs = []string{"root", "edge"} })
	v, err := r.planWith(`{"vdom":"edge","operations":[` + address("a") + `]}`)
	if err != nil || v.Device.VDOM != "edge" {
		t.Fatalf("%v %s", err, show(v))
	}
	r.approve(v.PlanID)
	r.mustApply(v.PlanID)
	if _, there := r.world.Device.Row(edge, fake.Key("a")); !there || r.object("firewall/address", "a") != nil {
		t.Fatal("it was created in another VDOM")
	}
}

func TestAPlanAndAnApplySayThatChangesDoNotLast(t *testing.T) {
	r := newRig(t, row("system/global", map[string]any{"cfg-save": "revert"}))
	v := r.mustPlan(comment)
	r.wantNote(v.Notes, `cfg-save "revert"`)
	r.approve(v.PlanID)
	r.wantNote(r.mustApply(v.PlanID).Notes, `cfg-save "revert"`)
}

func TestWhatCannotBeKeptIsNotPlanned(t *testing.T) {
	r := newRig(t)
	r.world.State.Break(fake.Break{Step: fake.StepPlan, Nth: 1, How: fake.Refuse})
	_, err := r.plan(comment)
	_ = r.wantCode(err, fault.Config)
	r.world.Random.Break()
	_, err = r.plan(comment)
	_ = r.wantCode(err, fault.Config)
}

func TestStoredPlansAreListedNewestFirst(t *testing.T) {
	r := newRig(t)
	a := r.mustPlan("[" + address("a") + "]").PlanID
	r.world.Clock.Advance(1e9)
	b := r.approved("[" + address("b") + "]")
	r.world.Clock.Advance(1e9)
	c := r.done("[" + address("c") + "]").PlanID
	r.edit(func(p *port.StoredPlan) {
		if p.ID == a {
			p.File = p.File[1:]
		}
	})
	lines, err := r.engine.List(t.Context(), r.caller)
	if err != nil {
		t.Fatal(err)
	}
	applied := slices.IndexFunc(lines, func(l engine.PlanLine) bool { return l.PlanID == c }) // beside its rollback
	if len(lines) != 4 || lines[3].PlanID != a || lines[3].Problem == "" || lines[2].PlanID != b || lines[2].State != "approved" ||
		applied > 1 || lines[applied].State != "applied" {
		t.Fatalf("%s", show(lines))
	}
}

func TestAnEngineNeedsItsPorts(t *testing.T) {
	w, err := fake.NewWorld(fake.WorldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, drop := range map[string]func(p *engine.Ports){
		"Profiles": func(p *engine.Ports) { p.Profiles = nil }, "Devices": func(p *engine.Ports) { p.Devices = nil },
		"Catalog": func(p *engine.Ports) { p.Catalog = nil }, "Plans": func(p *engine.Ports) { p.Plans = nil },
		"Approvals": func(p *engine.Ports) { p.Approvals = nil }, "Journals": func(p *engine.Ports) { p.Journals = nil },
		"Audit": func(p *engine.Ports) { p.Audit = nil }, "Backups": func(p *engine.Ports) { p.Backups = nil },
		"Locks": func(p *engine.Ports) { p.Locks = nil }, "Clock": func(p *engine.Ports) { p.Clock = nil }, "Random": func(p *engine.Ports) { p.Random = nil },
	} {
		ports := engine.Ports(w.Ports())
		drop(&ports)
		if _, err := engine.New(ports, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}
