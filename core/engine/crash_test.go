package engine_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
)

// everyKind touches one object with each kind of operation.
const everyKind = `[
 {"op":"create","resource":"firewall/address","object":{"name":"new","subnet":"192.0.2.50/32"}},
 {"op":"update","resource":"firewall/address","key":"lan","set":{"comment":"changed"}},
 {"op":"delete","resource":"firewall/addrgrp","key":"servers"},
 {"op":"action","resource":"monitor/firewall/policy/clear_counters","params":{"policy":1}}
]`

// TestWhateverStepTheProcessDiesAtNothingIsSentTwice kills the process before,
// within and after every durable step of an apply, starts again and applies again.
func TestWhateverStepTheProcessDiesAtNothingIsSentTwice(t *testing.T) {
	probe := counterRig(t)
	v := probe.mustPlan(everyKind)
	probe.approve(v.PlanID)
	from := len(probe.world.State.Steps())
	if _, err := probe.apply(v.PlanID); err != nil {
		t.Fatalf("apply: %v\n%s", err, show(fault.From(err).Details))
	}
	steps := len(probe.world.State.Steps()) - from
	if steps < 19 {
		t.Fatalf("only %d durable steps", steps)
	}
	for n := 1; n <= steps; n++ {
		for name, how := range map[string]fake.How{"before": fake.DieBefore, "torn": fake.DieTorn, "after": fake.DieAfter} {
			t.Run(fmt.Sprintf("step %d %s", n, name), func(t *testing.T) { crashAt(t, fake.Break{Nth: n, How: how}) })
		}
	}
}

func counterRig(t *testing.T) *rig {
	r := newRig(t)
	r.world.Device.OnAction("monitor/firewall/policy/clear_counters", func(map[string]any) error { return nil })
	return r
}

func crashAt(t *testing.T, b fake.Break) {
	r := counterRig(t)
	v := r.mustPlan(everyKind)
	r.approve(v.PlanID)
	r.world.State.Break(b)
	_, _ = r.apply(v.PlanID) // it ends with the process
	sent := r.writes()
	r.world.Restart()
	r.start()
	r.world.Clock.Advance(2 * time.Minute)

	shown, err := r.engine.Show(context.Background(), r.caller, v.PlanID)
	if err != nil {
		t.Fatalf("show: %v", err)
	}
	_, again := r.apply(v.PlanID)
	if shown.Execution == nil {
		if sent != 0 {
			t.Fatalf("%d writes were sent and the plan is %s", sent, shown.State)
		}
		if again != nil {
			t.Fatalf("a plan that was not claimed could not be applied: %v", again)
		}
		return
	}
	f := r.wantCode(again, fault.ApprovalRequired)
	if f.Details["reason"] != "used" {
		t.Fatalf("the approval of a claimed plan must be used: %s", show(f.Details))
	}
	if r.writes() != sent {
		t.Fatalf("%d writes before the restart, %d after", sent, r.writes())
	}
	checkTold(t, shown.State, shown.Execution.Operations, sent)
	report, err := r.engine.VerifyAudit(context.Background())
	if err != nil || report.Broken() {
		t.Fatalf("audit: %v %s", err, show(report))
	}
}

// checkTold compares what is told of the operations with what the device saw.
func checkTold(t *testing.T, state apply.State, ops []engineResult, sent int) {
	t.Helper()
	attempted := 0
	for i, op := range ops {
		switch op.Status {
		case exchange.NotAttempted:
			if i < sent {
				t.Fatalf("operation %d was sent and is called not attempted", i)
			}
		case exchange.Verified, exchange.AppliedUnverified:
			if i >= sent {
				t.Fatalf("operation %d was never sent and is called %s", i, op.Status)
			}
			attempted++
		case exchange.OutcomeUnknown, exchange.Failed:
			attempted++
		}
	}
	if attempted < sent {
		t.Fatalf("%d writes were sent, %d operations are told of (%s)", sent, attempted, state)
	}
}
