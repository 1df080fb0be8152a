package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/profile"
)

// TestTheRequestsOfAnApplyAreExactlyThese: each operation costs its kind's requests
// (look, write, read back; a delete and a move look at the keys before and after; a
// critical one is probed), and an apply at most ten besides.
func TestTheRequestsOfAnApplyAreExactlyThese(t *testing.T) {
	tests := []struct {
		kind string
		cost int
		op   func(i int) string
	}{
		{"create", 3, func(i int) string { return address(fmt.Sprintf("new%d", i)) }},
		{"update", 3, func(i int) string {
			return fmt.Sprintf(`{"op":"update","resource":"firewall/address","key":"old%d","set":{"comment":"x"}}`, i)
		}},
		{"delete", 5, func(i int) string {
			return fmt.Sprintf(`{"op":"delete","resource":"firewall/address","key":"old%d"}`, i)
		}},
		{"move", 5, func(i int) string {
			return fmt.Sprintf(`{"op":"update","resource":"firewall/policy","key":%d,"position":{"before":%d}}`, 10+i, 9+i)
		}},
		{"action", 1, func(int) string {
			return `{"op":"action","resource":"monitor/firewall/policy/clear_counters","params":{"policy":1}}`
		}},
		{"critical update", 4, func(i int) string {
			return fmt.Sprintf(`{"op":"update","resource":"system/interface","key":"port1","set":{"mtu":%d}}`, 1400+i)
		}},
	}
	for _, test := range tests {
		t.Run(test.kind, func(t *testing.T) {
			besides := map[int]bool{}
			for _, n := range []int{1, 2, 5} {
				r := newRig(t, mode(profile.Autonomous), many, owner(func(p *profile.Profile) { p.NoBackup = true }))
				ops := make([]string, n)
				for i := range ops {
					ops[i] = test.op(i + 1)
				}
				v := r.mustPlan("[" + strings.Join(ops, ",") + "]")
				r.world.Device.Forget()
				x := r.mustApply(v.PlanID)
				if x.Verified+x.AppliedUnverified != n {
					t.Fatalf("%s", show(x))
				}
				rest := len(r.world.Device.Requests()) - n*test.cost
				besides[rest] = true
				if rest < 2 || rest > 10 || len(besides) > 1 {
					t.Errorf("%d operations, %d requests besides: %s", n, rest, show(r.every()))
				}
			}
		})
	}
}

func TestTheRequestsOfTheMainJobsApply(t *testing.T) {
	r := newRig(t)
	id := r.approved(mainJob)
	r.world.Device.Forget()
	r.mustApply(id)
	if rest := len(r.every()) - 4*3 - 5; rest > 10 { // four writes and a move
		t.Fatalf("%d requests besides the operations': %s", rest, show(r.every()))
	}
}

// Planning 500 creates over five tables: a read per table and hundred objects, one per
// referenced table and hundred names, and at most twelve for the context.
func TestTheRequestsOfALargePlan(t *testing.T) {
	r := newRig(t)
	var ops []string
	for i := range 100 {
		ops = append(ops, address(fmt.Sprintf("a%d", i)),
			fmt.Sprintf(`{"op":"create","resource":"firewall/addrgrp","object":{"name":"g%d","member":["a%d","lan"]}}`, i, i),
			fmt.Sprintf(`{"op":"create","resource":"firewall.service/custom","object":{"name":"s%d","tcp-portrange":"%d"}}`, i, 1000+i),
			fmt.Sprintf(`{"op":"create","resource":"firewall.schedule/recurring","object":{"name":"r%d","day":"monday"}}`, i),
			fmt.Sprintf(`{"op":"create","resource":"router/static","object":{"seq-num":%d,"dst":"10.0.%d.0/24","gateway":"192.0.2.9","device":"port1"}}`, 10+i, i))
	}
	if all := r.shown(r.mustPlan("[" + strings.Join(ops, ",") + "]").PlanID); len(all.Operations) != 500 {
		t.Fatalf("%d operations", len(all.Operations))
	}
	if n := len(r.every()); n > 5+2+12 {
		t.Fatalf("%d requests: %s", n, show(r.every()))
	}
}

// every request that the device saw.
func (r *rig) every() []string {
	return r.calls(fake.CallIdentity, fake.CallObject, fake.CallList, fake.CallMonitor, fake.CallSchema, fake.CallSend, fake.CallProbe, fake.CallBackup)
}

// many adds rows to work on.
func many(o *fake.WorldOptions) {
	for i := 1; i <= 6; i++ {
		row("firewall/address", map[string]any{"name": fmt.Sprintf("old%d", i)})(o)
		row("firewall/policy", map[string]any{"policyid": 9 + i, "name": fmt.Sprintf("p%d", i), "schedule": "always"})(o)
	}
}
