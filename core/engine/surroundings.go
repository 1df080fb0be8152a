package engine

import (
	"context"

	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/risk"
)

// judgeRounds bounds how often the rules may ask for more context.
const judgeRounds = 8

// surroundings is what the rules may look at besides the operations.
type surroundings struct {
	session *session
	// after is what the plan makes of the device, seen what was read of the rest.
	after, seen *change.World
	tables      map[risk.Want][]map[string]any
	tried       map[risk.Want]bool
}

func newSurroundings(s *session, after *change.World) *surroundings {
	return &surroundings{
		session: s, after: after, seen: change.NewWorld(),
		tables: map[risk.Want][]map[string]any{}, tried: map[risk.Want]bool{},
	}
}

// assess judges changes, reading what the rules ask for.
func (k *surroundings) assess(ctx context.Context, changes []risk.Change, m plan.Management) (risk.Verdict, error) {
	facts := risk.Facts{
		Management: m, Lookup: k.lookup, Policies: k.policies, Autonomous: k.session.profile.Mode == profile.Autonomous,
	}
	facts.Source, _ = addressOf(m.Local)
	var v risk.Verdict
	for range judgeRounds {
		v = risk.Assess(changes, facts)
		more, err := k.read(ctx, v.Missing)
		if err != nil {
			return v, err
		}
		if !more {
			break
		}
	}
	return v, nil
}

func (k *surroundings) ref(path, vdom string, key operation.Key) change.Ref {
	ref := change.Ref{Resource: path, VDOM: vdom, Key: key}
	r, err := k.session.engine.ports.Catalog.Resource(path, k.session.release)
	if err != nil {
		return ref
	}
	if ref.VDOM = k.session.vdomFor(r); ref.VDOM != "" && vdom != "" {
		ref.VDOM = vdom
	}
	ref.Key = key
	if !key.IsZero() {
		ref.Key = key.As(r.IntegerKey())
	}
	return ref
}

func (k *surroundings) lookup(path, vdom string, key operation.Key) (map[string]any, bool) {
	ref := k.ref(path, vdom, key)
	if object, known := k.after.Object(ref); known {
		return object, true
	}
	return k.seen.Object(ref)
}

const policyTable = "firewall/policy"

// policies are the policies in their order after the plan.
func (k *surroundings) policies(vdom string) ([]map[string]any, bool) {
	ref := k.ref(policyTable, vdom, noKey)
	rows, known := k.tables[risk.Want{Path: policyTable, VDOM: ref.VDOM, Table: true}]
	if !known {
		return nil, false
	}
	r, err := k.session.engine.ports.Catalog.Resource(policyTable, k.session.release)
	if err != nil {
		return nil, false
	}
	byKey, keys := map[operation.Key]map[string]any{}, []operation.Key{}
	for _, row := range rows {
		if key, ok := keyOf(r, row); ok {
			byKey[key] = row
			keys = append(keys, key)
		}
	}
	if order, planned := k.after.Order(ref.Table()); planned {
		keys = order
	}
	after := make([]map[string]any, 0, len(keys))
	for _, key := range keys {
		ref.Key = key
		row, planned := k.after.Object(ref)
		if !planned {
			row = byKey[key]
		}
		if row != nil {
			after = append(after, row)
		}
	}
	return after, true
}

// read fetches what the rules wanted to see. more is false where nothing new was
// to be had.
func (k *surroundings) read(ctx context.Context, wants []risk.Want) (more bool, err error) {
	var refs []change.Ref
	for _, want := range wants {
		if k.tried[want] {
			continue
		}
		k.tried[want] = true
		if want.Table {
			ok, err := k.readTable(ctx, want)
			if err != nil {
				return false, err
			}
			more = more || ok
			continue
		}
		refs = append(refs, k.ref(want.Path, want.VDOM, want.Key))
	}
	if len(refs) == 0 {
		return more, nil
	}
	if err := tolerate(k.session.loadObjects(ctx, k.seen, refs)); err != nil {
		return false, err
	}
	return true, nil
}

func (k *surroundings) readTable(ctx context.Context, want risk.Want) (bool, error) {
	ref := k.ref(want.Path, want.VDOM, noKey)
	r, err := k.session.engine.ports.Catalog.Resource(want.Path, k.session.release)
	if err != nil {
		return false, tolerate(err)
	}
	rows := []map[string]any{}
	_, err = k.session.device.List(ctx, port.ListQuery{At: port.Location{Resource: want.Path, VDOM: ref.VDOM}}, func(row map[string]any) bool {
		rows = append(rows, row)
		return true
	})
	if err != nil {
		return false, tolerate(err)
	}
	for _, row := range rows { // so that none is asked for again by its key
		if key, ok := keyOf(r, row); ok {
			ref.Key = key
			k.seen.Load(ref, row)
		}
	}
	k.tables[risk.Want{Path: want.Path, VDOM: ref.VDOM, Table: true}] = rows
	return true, nil
}

// judgeRollback gives a rollback plan its tier. Where the device can still be
// asked, the rules see it; where it cannot, they take the worse case. moved are the rows
// that moves moved: a plan does not hold them, and the rules judge them by what they are.
func (e *Engine) judgeRollback(ctx context.Context, s *session, p *plan.Plan, resources resourceLookup, moved map[change.Ref]map[string]any) {
	world, changes := change.NewWorld(), make([]risk.Change, 0, len(p.Operations))
	for _, op := range p.Operations {
		if table := refOf(op).Table(); op.Order != nil {
			if _, known := world.Order(table); !known {
				world.LoadOrder(table, op.Order.Before)
			}
		}
		before, after := op.Before, map[string]any(nil)
		switch op.Op {
		case plan.OpCreate, plan.OpUpdate:
			after = change.With(op.Before, op.Expect)
		case plan.OpMove:
			row, written := world.Object(refOf(op))
			if !written {
				row = moved[refOf(op)]
			}
			before, after = row, row
			world.Move(refOf(op).Table(), op.Order.After)
		case plan.OpDelete, plan.OpAction:
		}
		if op.Op != plan.OpMove {
			world.Write(refOf(op), after, op.Index)
		}
		c := changeOf(op, resources(op.Resource), before, after)
		c.Users = op.Users
		changes = append(changes, c)
	}
	v := risk.Assess(changes, risk.Facts{Management: p.Management})
	if s != nil {
		if seen, err := newSurroundings(s, world).assess(ctx, changes, p.Management); err == nil {
			v = seen
		}
	}
	adopt(p.Operations, v)
	p.Risk = plan.Risk{Tier: v.Tier, Reasons: v.Reasons}
}
