package fortifx_test

import (
	"testing"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
)

// TestTheInterfaceThatCarriesTheConnectionIsFoundByAnyOfItsAddresses: the simulator
// listens on 127.0.0.1, which is the second address of an interface here.
func TestTheInterfaceThatCarriesTheConnectionIsFoundByAnyOfItsAddresses(t *testing.T) {
	l := newLab(t, profile.Guarded)
	if err := l.sim.Put("root", "system/interface", "oob", map[string]any{
		"type": "physical", "ip": "10.9.9.1/24", "vdom": "root", "secondary-IP": "enable",
		"secondaryip": []any{map[string]any{"id": 1, "ip": "127.0.0.1/8"}},
	}); err != nil {
		t.Fatal(err)
	}
	eng := l.build()
	var r request.Plan
	if err := eng.Decode([]byte(`{"operations":[{"op":"update","resource":"system/interface","key":"oob","set":{"status":"down"}}]}`), &r); err != nil {
		t.Fatal(err)
	}
	v, err := eng.Plan(t.Context(), engine.Caller{}, r)
	if err != nil {
		t.Fatal(err)
	}
	if got := rulesOf(v.Risk.Reasons); got != "R-IF-01,R-LOCKOUT-03" || v.Risk.Tier != plan.Critical {
		t.Errorf("%s for %s: %+v", v.Risk.Tier, got, v.Risk.Reasons)
	}
	for _, reason := range v.Risk.Reasons {
		if reason.Rule == "R-LOCKOUT-03" && reason.Text != `"oob" carries this connection (from 127.0.0.1) and is changed (status from "up" to "down"): a mistake cuts it` {
			t.Errorf("it says %q", reason.Text)
		}
	}
}
