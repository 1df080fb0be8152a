package planfile

import (
	"time"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

var (
	created = time.Date(2026, 10, 15, 10, 45, 12, 123456789, time.UTC)
	id      = plan.NewID(created, [plan.RandomBytes]byte{0xa1, 0xb2, 0xc3})
	parent  = plan.NewID(created.Add(-time.Hour), [plan.RandomBytes]byte{9})
	some    = canon.Sum([]byte("x"))
)

// sample is a plan with every kind of operation, precondition and value.
func sample() *plan.Plan {
	p := &plan.Plan{
		ID: id, Kind: plan.Rollback, CreatedAt: created, Engine: "0.1.0", Catalog: some, Rules: "1", Parent: parent,
		Device: plan.Target{
			Profile: "home", Host: "192.0.2.1", Port: 443, VDOM: "root", Serial: "FGT60FTK20000001", Version: "v7.4.8", Build: 2795, Model: "FGT60F", Trust: "spki-sha256:00",
		},
		Management: plan.Management{Local: "192.0.2.10:50000", Remote: "192.0.2.1:443", Interface: "port1", APIUser: "forti", Save: "automatic"},
		Risk: plan.Risk{Tier: plan.High, Reasons: []plan.Reason{
			{Rule: "R-SEC-01", Tier: plan.High, Operation: 1, Text: "a secret is written"}, {Rule: "R-SIZE-01", Tier: plan.Medium, Operation: -1, Text: "<&> \u2028"},
		}},
		Operations: []plan.Operation{
			{
				Op: plan.OpCreate, Source: "/operations/0", Resource: "firewall/address", VDOM: "root", Key: operation.TextKey("a/b ü"), Tier: plan.Low, Rules: []string{"R-1"},
				Pre: []plan.Precondition{{Then: plan.Send, Absent: true}}, Expect: map[string]any{"name": "a/b ü", "color": int64(7), "empty": []any{}},
			},
			{
				Op: plan.OpUpdate, Source: "/operations/1", Resource: "vpn.ipsec/phase1-interface", VDOM: "root", Key: operation.TextKey("hq"), Tier: plan.High,
				Pre:    []plan.Precondition{{Then: plan.Send, Object: some}, {Then: plan.Skip, Match: map[string]any{"comments": "x"}}},
				Before: map[string]any{"comments": "old", "rate": map[string]any{"$num": "1.5"}},
				Expect: map[string]any{"comments": "x", "psksecret": map[string]any{"$secret": "s0"}, "users": []any{map[string]any{"id": int64(1), "key": map[string]any{"$secret": "s1"}}}},
				Lost:   []string{"psksecret"},
				Users:  new(3),
				Secrets: []plan.SecretRef{
					{Ref: "s0", Pointer: "/psksecret", Length: 12, Commitment: "00ff"}, {Ref: "s1", Pointer: "/users/0/key", Name: "listed"},
				},
			},
			{
				Op: plan.OpDelete, Source: "/operations/2", Resource: "firewall/policy", VDOM: "root", Key: operation.IntegerKey(2), Tier: plan.Medium,
				Pre: []plan.Precondition{{Then: plan.Send, Object: some}}, Before: map[string]any{"policyid": int64(2)},
				Order: &plan.Order{Before: keys(1, 2, 3), After: keys(1, 3)},
			},
			{
				Op: plan.OpMove, Source: "/operations/3", Resource: "firewall/policy", VDOM: "root", Key: operation.IntegerKey(3), Tier: plan.Medium,
				Pre:   []plan.Precondition{{Then: plan.Send, None: true}, {Then: plan.Skip, None: true}},
				Order: &plan.Order{Position: operation.Position{Before: true, Anchor: operation.IntegerKey(1)}, Before: keys(1, 3), After: keys(3, 1)},
			},
			{
				Op: plan.OpUpdate, Source: "/operations/4", Resource: "system/global", Tier: plan.High, Pre: []plan.Precondition{{Then: plan.Send, After: 2}},
				Expect: map[string]any{"hostname": "x"},
			},
			{
				Op: plan.OpAction, Source: "/operations/5", Resource: "monitor/firewall/policy/clear_counters", VDOM: "root", Tier: plan.Medium,
				Pre: []plan.Precondition{{Then: plan.Send, None: true}}, Expect: map[string]any{"policy": int64(1)},
			},
		},
		Irreversible: []string{"action monitor/x: an action cannot be undone"},
	}
	for i := range p.Operations {
		op := &p.Operations[i]
		op.Index = i
		if op.Op == plan.OpCreate || op.Op == plan.OpUpdate || op.Op == plan.OpAction {
			op.Wire.Body = op.Expect
		}
		w, err := Build(*op)
		if err != nil {
			panic(err)
		}
		op.Wire = w
	}
	return p
}

func keys(list ...int64) []operation.Key {
	out := make([]operation.Key, len(list))
	for i, n := range list {
		out[i] = operation.IntegerKey(n)
	}
	return out
}
