package engine_test

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
)

// A plan whose outcome is unknown is shown with what the device has now: as planned, as
// before, or something else. The outcome stays unknown, and nothing is sent.
func TestAnUnknownOutcomeIsShownWithWhatTheDeviceHasNow(t *testing.T) {
	meddle := func(o object) func(r *rig) {
		return func(r *rig) {
			if err := r.world.Device.Change(fake.At("firewall/address"), fake.Key("lan"), o); err != nil {
				r.Fatal(err)
			}
		}
	}
	remove := func(name string) func(r *rig) {
		return func(r *rig) {
			if err := r.world.Device.Remove(fake.At("firewall/address"), fake.Key(name)); err != nil {
				r.Fatal(err)
			}
		}
	}
	const comment = `{"op":"update","resource":"firewall/address","key":"lan","set":{"comment":"x"}}`
	const free = `{"op":"delete","resource":"firewall/address","key":"spare"}`
	move := `{"op":"update","resource":"firewall/policy","key":2,"position":{"before":1}}`
	tests := []struct {
		name, op string
		fault    fake.Fault
		meddle   func(r *rig)
		want     exchange.Observed
		next     string
	}{
		{"create, took effect", address("one"), fake.ResetAfter(), nil, exchange.Desired, "plan is empty"},
		{"create, without effect", address("one"), fake.ResetBefore(), nil, exchange.Preimage, "make a new plan"},
		{"create, then removed", address("one"), fake.ResetAfter(), remove("one"), exchange.Preimage, "make a new plan"},
		{"update, took effect", comment, fake.ResetAfter(), nil, exchange.Desired, "plan is empty"},
		{"update, without effect", comment, fake.ResetBefore(), nil, exchange.Preimage, "make a new plan"},
		{"update, and somebody else", comment, fake.ResetBefore(), meddle(object{"comment": "mine"}), exchange.Other, "forti read"},
		{"update of what is gone now", comment, fake.ResetBefore(), remove("lan"), exchange.Other, "forti read"},
		{"delete, took effect", free, fake.ResetAfter(), nil, exchange.Desired, "plan is empty"},
		{"delete, without effect", free, fake.ResetBefore(), nil, exchange.Preimage, "make a new plan"},
		{"move, took effect", move, fake.ResetAfter(), nil, exchange.Desired, "plan is empty"},
		{"move, without effect", move, fake.ResetBefore(), nil, exchange.Preimage, "make a new plan"},
		{"an action", `{"op":"action","resource":"monitor/firewall/policy/clear_counters","params":{"policy":1}}`, fake.ResetAfter(), nil, exchange.NotChecked, "forti read"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, row("firewall/address", object{"name": "spare"}), row("firewall/policy", object{"policyid": 2, "name": "second", "schedule": "always"}))
			id := r.approved("[" + tt.op + "]")
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Times: 1}, Fault: tt.fault})
			_, err := r.apply(id)
			_ = r.wantCode(err, fault.OutcomeUnknown)
			if tt.meddle != nil {
				tt.meddle(r)
			}
			sent := r.writes()
			v, err := r.engine.Show(t.Context(), r.caller, id)
			if err != nil {
				t.Fatal(err)
			}
			if v.Present == nil || len(v.Present.Operations) != 1 || v.Present.Operations[0].Observed != tt.want || !strings.Contains(v.Present.Next, tt.next) {
				t.Errorf("want %s, next %q: %s", tt.want, tt.next, show(v.Present))
			}
			if v.State != "outcome_unknown" || v.Execution.Operations[0].Status != exchange.OutcomeUnknown || r.writes() != sent {
				t.Errorf("state %s, %d writes: %s", v.State, r.writes(), show(v.Execution))
			}
		})
	}
}

// Who applies such a plan again is told how to go on.
func TestARefusedApplyOfAPlanInDoubtNamesTheWayOn(t *testing.T) {
	everyMode(t, func(r *rig, ready func(string) plan.ID) {
		id := ready(comment)
		r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Times: 1}, Fault: fake.ResetAfter()})
		_, err := r.apply(id)
		_ = r.wantCode(err, fault.OutcomeUnknown)
		sent := r.writes()
		_, err = r.apply(id)
		if f := fault.From(err); !strings.Contains(f.Message, "its outcome is unknown") || !strings.HasSuffix(f.Message, "forti plan show "+id.String()) {
			r.Errorf("%s", f.Message)
		}
		if r.writes() != sent {
			r.Error("a write was sent")
		}
	})
}

// A device that cannot be asked, or another one, is told; the record is shown all the same.
func TestAnUnknownOutcomeIsShownWithoutTheDeviceToo(t *testing.T) {
	for name, f := range map[string]fake.Fault{"does not answer": fake.Refused(), "is another": fake.OtherSerial("FGT60FTK00000099")} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			id := r.approved("[" + address("one") + "]")
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Times: 1}, Fault: fake.ResetAfter()})
			_, err := r.apply(id)
			_ = r.wantCode(err, fault.OutcomeUnknown)
			r.world.Device.Fail(fake.Rule{Fault: f})
			v, err := r.engine.Show(t.Context(), r.caller, id)
			if err != nil {
				t.Fatal(err)
			}
			if v.Present == nil || v.Present.Problem == "" || len(v.Present.Operations) != 0 || !strings.Contains(v.Present.Next, "forti plan show "+id.String()) {
				t.Errorf("%s", show(v.Present))
			}
		})
	}
}

// What is known is not asked again.
func TestAKnownOutcomeAsksNothing(t *testing.T) {
	r := newRig(t)
	id := r.done("[" + address("one") + "]").PlanID
	r.world.Device.Forget()
	v, err := r.engine.Show(t.Context(), r.caller, id)
	if err != nil || v.Present != nil || len(r.world.Device.Requests()) != 0 {
		t.Errorf("%v: %s", err, show(v))
	}
}
