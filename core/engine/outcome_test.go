package engine_test

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
)

// TestWhatBecomesOfAWriteThatGoesWrong strikes the second of three creates.
func TestWhatBecomesOfAWriteThatGoesWrong(t *testing.T) {
	const three = `[
	 {"op":"create","resource":"firewall/address","object":{"name":"one","subnet":"192.0.2.51/32"}},
	 {"op":"create","resource":"firewall/address","object":{"name":"two","subnet":"192.0.2.52/32"}},
	 {"op":"create","resource":"firewall/address","object":{"name":"three","subnet":"192.0.2.53/32"}}
	]`
	tests := []struct {
		name     string
		fault    fake.Fault
		code     fault.Code
		status   exchange.Status
		changed  exchange.Changed
		observed exchange.Observed
	}{
		{"the device is down", fake.Refused(), fault.PartialFailure, exchange.Failed, exchange.ChangedNo, exchange.NotChecked},
		{"the certificate is another", fake.BadCertificate(), fault.PartialFailure, exchange.Failed, exchange.ChangedNo, exchange.NotChecked},
		{"reset, without effect", fake.ResetBefore(), fault.OutcomeUnknown, exchange.OutcomeUnknown, exchange.ChangedUnknown, exchange.Preimage},
		{"reset, with effect", fake.ResetAfter(), fault.OutcomeUnknown, exchange.OutcomeUnknown, exchange.ChangedUnknown, exchange.Desired},
		{"no answer in time", fake.HeaderTimeout(true), fault.OutcomeUnknown, exchange.OutcomeUnknown, exchange.ChangedUnknown, exchange.Desired},
		{"a cut body", fake.Truncated(true), fault.OutcomeUnknown, exchange.OutcomeUnknown, exchange.ChangedUnknown, exchange.Desired},
		{"a login page", fake.HTML(200, false), fault.OutcomeUnknown, exchange.OutcomeUnknown, exchange.ChangedUnknown, exchange.Preimage},
		{"a redirect", fake.Redirected(false), fault.PartialFailure, exchange.Failed, exchange.ChangedNo, exchange.Preimage},
		{"500 without effect", fake.CLIError(-651, false), fault.PartialFailure, exchange.Failed, exchange.ChangedNo, exchange.Preimage},
		{"500 with effect", fake.CLIError(-651, true), fault.OutcomeUnknown, exchange.OutcomeUnknown, exchange.ChangedUnknown, exchange.Desired},
		{"another device answers", fake.OtherSerial("FGT60FTK00000099"), fault.OutcomeUnknown, exchange.OutcomeUnknown, exchange.ChangedUnknown, exchange.NotChecked},
		{"success without effect", fake.Ignored(), fault.PartialFailure, exchange.Failed, exchange.ChangedYes, exchange.Preimage},
		{"another value is stored", fake.Altered("subnet", "192.0.2.0 255.255.255.0"), fault.PartialFailure, exchange.Failed, exchange.ChangedYes, exchange.Other},
		{"401", fake.HTML(401, false), fault.PartialFailure, exchange.Failed, exchange.ChangedNo, exchange.NotChecked},
		{"429", fake.HTML(429, false), fault.PartialFailure, exchange.Failed, exchange.ChangedNo, exchange.NotChecked},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			v := r.mustPlan(three)
			r.approve(v.PlanID)
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Method: "POST", Skip: 1, Times: 1}, Fault: tt.fault})
			_, err := r.apply(v.PlanID)
			f := r.wantCode(err, tt.code)
			shown, err := r.engine.Show(t.Context(), r.caller, v.PlanID)
			if err != nil {
				t.Fatal(err)
			}
			ops := shown.Execution.Operations
			got := [3]string{string(ops[1].Status), string(ops[1].Changed), string(ops[1].Observed)}
			if want := [3]string{string(tt.status), string(tt.changed), string(tt.observed)}; got != want {
				t.Fatalf("got %v, want %v: %s", got, want, f.Message)
			}
			if ops[0].Status != exchange.Verified || ops[2].Status != exchange.NotAttempted {
				t.Fatalf("before and after: %s, %s", ops[0].Status, ops[2].Status)
			}
			if n := posts(r); n > 2 {
				t.Fatalf("%d requests were sent", n)
			}
			if _, there := f.Details["operations"]; !there {
				t.Fatalf("the record is missing in the details: %s", show(f.Details))
			}
		})
	}
}

func posts(r *rig) int {
	n := 0
	for _, w := range r.world.Device.Writes() {
		if w.Method == "POST" {
			n++
		}
	}
	return n
}

func TestAPreimageThatDriftsWithinTheRunStopsIt(t *testing.T) {
	r := newRig(t)
	v := r.mustPlan(`[
	 {"op":"create","resource":"firewall/address","object":{"name":"one","subnet":"192.0.2.51/32"}},
	 {"op":"update","resource":"firewall/address","key":"lan","set":{"comment":"x"}}
	]`)
	r.approve(v.PlanID)
	meddle := fake.Fault{After: func() {
		_ = r.world.Device.Change(fake.At("firewall/address"), fake.Key("lan"), map[string]any{"comment": "mine"})
	}}
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Times: 1}, Fault: meddle})
	_, err := r.apply(v.PlanID)
	_ = r.wantCode(err, fault.PartialFailure)
	if r.writes() != 1 {
		t.Fatalf("%d writes", r.writes())
	}
	// Why it stopped is in the journal, and told to those who look later.
	op := r.shown(v.PlanID).Execution.Operations[1]
	if op.Status != exchange.NotAttempted || op.Code != fault.StalePlan || !strings.Contains(op.Message, "somebody else changed it") {
		t.Errorf("%s", show(op))
	}
}

// An order that changes within the run stops it before the move.
func TestAnOrderThatDriftsWithinTheRunStopsIt(t *testing.T) {
	r := newRig(t, row("firewall/policy", map[string]any{"policyid": 2, "name": "second", "schedule": "always"}))
	id := r.approved("[" + address("one") + `,{"op":"update","resource":"firewall/policy","key":2,"position":{"before":1}}]`)
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Times: 1}, Fault: fake.Fault{After: func() {
		_ = r.world.Device.Put(fake.At("firewall/policy"), map[string]any{"policyid": 3, "name": "mine", "schedule": "always"})
	}}})
	_, err := r.apply(id)
	f := r.wantCode(err, fault.PartialFailure)
	ops, _ := f.Details["operations"].([]any)
	if op := ops[1].(object); op["status"] != "not_attempted" || op["code"] != "stale_plan" || r.writes() != 1 {
		t.Fatalf("%v %s", f, show(op))
	}
}
