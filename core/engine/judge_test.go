package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/plan"
)

// TestCreatesBesideDeletesDoNotMakeTheShareOfATableSmaller: R-DEL-01 counts the rows
// that a table has before the plan.
func TestCreatesBesideDeletesDoNotMakeTheShareOfATableSmaller(t *testing.T) {
	var rows []setting
	var deletes, creates []string
	for i := range 20 {
		rows = append(rows, row("firewall/address", map[string]any{"name": fmt.Sprintf("n%d", i), "subnet": "10.9.0.0/24"}))
	}
	for i := range 6 {
		deletes = append(deletes, fmt.Sprintf(`{"op":"delete","resource":"firewall/address","key":"n%d"}`, i))
	}
	for i := range 14 {
		creates = append(creates, fmt.Sprintf(`{"op":"create","resource":"firewall/address","object":{"name":"c%d","subnet":"10.8.0.0/24"}}`, i))
	}
	r := newRig(t, rows...)
	if v := r.mustPlan("[" + strings.Join(deletes, ",") + "]"); v.Risk.Tier != plan.Critical {
		t.Fatalf("six deletes are %s: %+v", v.Risk.Tier, v.Risk.Reasons)
	}
	if v := r.mustPlan("[" + strings.Join(append(deletes, creates...), ",") + "]"); v.Risk.Tier != plan.Critical {
		t.Errorf("with 14 creates they are %s: %+v", v.Risk.Tier, v.Risk.Reasons)
	}
}
