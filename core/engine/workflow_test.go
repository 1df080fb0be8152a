package engine_test

import (
	"context"
	"testing"

	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/profile"
)

func TestTheMainJobFromPlanToRollback(t *testing.T) {
	r := newRig(t)
	before := r.world.Device.Keys(fake.At("firewall/policy"))
	v := r.mustPlan(mainJob)
	if len(v.Operations) != 5 {
		t.Fatalf("five stored operations were expected: %s", show(v.Summary))
	}
	_, err := r.apply(v.PlanID)
	_ = r.wantCode(err, fault.ApprovalRequired)
	if r.writes() != 0 {
		t.Fatalf("an unapproved plan sent %d writes", r.writes())
	}
	r.approve(v.PlanID)
	x, err := r.apply(v.PlanID)
	if err != nil {
		t.Fatalf("apply: %v\n%s", err, show(fault.From(err).Details))
	}
	if x.Verified != 5 || x.Rollback == nil || x.Rollback.PlanID == nil || !x.Rollback.Complete {
		t.Fatalf("result: %s", show(x))
	}
	order := r.world.Device.Keys(fake.At("firewall/policy"))
	if len(order) != 2 || order[0] != operation.IntegerKey(2) {
		t.Fatalf("the new policy stands at the wrong place: %v", order)
	}
	undo := *x.Rollback.PlanID
	r.approve(undo)
	if _, err := r.apply(undo); err != nil {
		t.Fatalf("rollback: %v\n%s", err, show(fault.From(err).Details))
	}
	if after := r.world.Device.Keys(fake.At("firewall/policy")); len(after) != len(before) {
		t.Fatalf("the rollback left %v", after)
	}
	if _, there := r.world.Device.Row(fake.At("firewall/address"), fake.Key("printer")); there {
		t.Fatal("the rollback left the address")
	}
	report, err := r.engine.VerifyAudit(context.Background())
	if err != nil || report.Broken() || len(report.Incomplete) > 0 {
		t.Fatalf("audit: %v %s", err, show(report))
	}
}

func TestAnApprovalIsUsedOnce(t *testing.T) {
	r := newRig(t)
	v := r.mustPlan(`[{"op":"create","resource":"firewall/address","object":{"name":"a","subnet":"192.0.2.9/32"}}]`)
	r.approve(v.PlanID)
	if _, err := r.apply(v.PlanID); err != nil {
		t.Fatal(err)
	}
	_, err := r.apply(v.PlanID)
	if f := r.wantCode(err, fault.ApprovalRequired); f.Details["reason"] != "used" {
		t.Fatalf("details: %s", show(f.Details))
	}
	if r.writes() != 1 {
		t.Fatalf("%d writes", r.writes())
	}
}

func TestAutonomousModeExecutesOnce(t *testing.T) {
	r := newRig(t, mode(profile.Autonomous))
	v := r.mustPlan(`[{"op":"create","resource":"firewall/address","object":{"name":"a","subnet":"192.0.2.9/32"}}]`)
	if _, err := r.apply(v.PlanID); err != nil {
		t.Fatal(err)
	}
	_, err := r.apply(v.PlanID)
	if f := r.wantCode(err, fault.Conflict); f.Details["reason"] != "already_executed" {
		t.Fatalf("details: %s", show(f.Details))
	}
}

func TestReadOnlyModeRefusesEveryApply(t *testing.T) {
	r := newRig(t, mode(profile.ReadOnly))
	v := r.mustPlan(`[{"op":"create","resource":"firewall/address","object":{"name":"a","subnet":"192.0.2.9/32"}}]`)
	_, err := r.apply(v.PlanID)
	_ = r.wantCode(err, fault.PolicyDenied)
	if r.writes() != 0 {
		t.Fatal("something was sent")
	}
}

func TestAChangeSincePlanningIsStale(t *testing.T) {
	at := fake.At("firewall/address")
	const update = `[{"op":"update","resource":"firewall/address","key":"lan","set":{"comment":"x"}}]`
	for name, meddle := range map[string]func(r *rig){
		"changed": func(r *rig) { _ = r.world.Device.Change(at, fake.Key("lan"), map[string]any{"comment": "mine"}) },
		"serial":  func(r *rig) { r.world.Device.SetIdentity(otherSerial) },
		"build":   func(r *rig) { r.world.Device.SetIdentity(otherBuild) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			v := r.mustPlan(update)
			r.approve(v.PlanID)
			meddle(r)
			_, err := r.apply(v.PlanID)
			_ = r.wantCode(err, fault.StalePlan)
			if r.writes() != 0 {
				t.Fatal("something was sent")
			}
			shown, err := r.engine.Show(context.Background(), r.caller, v.PlanID)
			if err != nil || shown.State != "approved" {
				t.Fatalf("the approval must stay unused: %v %s", err, shown.State)
			}
		})
	}
}

func TestAnUpdateThatChangesNothingIsNotStored(t *testing.T) {
	r := newRig(t)
	v := r.mustPlan(`[{"op":"update","resource":"firewall/address","key":"lan","set":{"subnet":"192.0.2.0/24"}}]`)
	if v.Status != "no_change" || !v.PlanID.IsZero() {
		t.Fatalf("plan: %s", show(v))
	}
}
