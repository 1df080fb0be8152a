package engine

import (
	"context"

	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// What is known to go wrong later is said when planning.

// managedCentrally reports whether another system owns the configuration; false where
// the token may not see it.
func (s *session) managedCentrally(ctx context.Context) bool {
	const path = "system/central-management"
	r, err := s.engine.ports.Catalog.Resource(path, s.release)
	if err != nil {
		return false
	}
	object, err := s.device.Object(ctx, port.Location{Resource: path, VDOM: s.vdomFor(r)}, noKey)
	if err != nil {
		return false
	}
	address, _ := object["fmg"].(string)
	return object["type"] == "fortimanager" && address != "" && address != `""`
}

// notePolicyNames tells of policies without a name, which most devices refuse, and of
// names that another policy has, where the policies were read.
func (w *planning) notePolicyNames(seen *surroundings) {
	for i, op := range w.ops {
		name, named := op.Expect["name"].(string)
		switch {
		case op.Resource != policyTable:
		case op.Op == plan.OpCreate && name == "":
			w.checker.Note(op.Source, "the policy has no name; a device refuses that unless its settings allow unnamed policies")
		case named && name != "" && (op.Op == plan.OpCreate || op.Op == plan.OpUpdate):
			w.notePolicyName(seen, i, name)
		}
	}
}

func (w *planning) notePolicyName(seen *surroundings, i int, name string) {
	op := w.ops[i]
	rows, _ := seen.policies(op.VDOM)
	for _, row := range rows {
		if key, ok := keyOf(w.images[i].resource, row); ok && key != op.Key && row["name"] == name {
			w.checker.Note(op.Source, "policy %s has the name %q already; names of policies are unique on most devices", key, name)
			return
		}
	}
}
