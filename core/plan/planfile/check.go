package planfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/wire"
)

func (f file) plan() (*plan.Plan, error) {
	switch {
	case f.ID.IsZero():
		return nil, errors.New("it has no id")
	case f.Kind != plan.Change && f.Kind != plan.Rollback:
		return nil, fmt.Errorf("kind %q is not known", f.Kind)
	case (f.Kind == plan.Rollback) == f.Parent.IsZero():
		return nil, errors.New("a rollback has a parent, and nothing else has one")
	case f.Device.Serial == "" || f.Device.Profile == "":
		return nil, errors.New("it names no device")
	case len(f.Operations) == 0:
		return nil, errors.New("it has no operations")
	case !slices.Contains(plan.Tiers(), f.Risk.Tier):
		return nil, fmt.Errorf("tier %q is not known", f.Risk.Tier)
	}
	p := &plan.Plan{
		ID: f.ID, Kind: f.Kind, CreatedAt: f.CreatedAt, Engine: f.Engine, Catalog: f.Catalog, Rules: f.Rules,
		Parent: f.Parent, Device: f.Device, Management: f.Management, Risk: f.Risk, Irreversible: f.Irreversible,
	}
	for i, o := range f.Operations {
		op, err := o.operation(i)
		if err != nil {
			return nil, fmt.Errorf("operation %d: %w", i, err)
		}
		if op.Tier.Rank() > p.Risk.Tier.Rank() {
			return nil, fmt.Errorf("operation %d: its tier is above the plan's", i)
		}
		p.Operations = append(p.Operations, op)
	}
	return p, nil
}

func (o fileOperation) operation(i int) (plan.Operation, error) {
	op := plan.Operation{
		Index: o.Index, Op: o.Op, Source: o.Source, Resource: o.Resource, VDOM: o.VDOM, Key: o.Key, Wire: o.Wire,
		Pre: normalPre(o.Pre), Before: normal(o.Before), Expect: normal(o.Expect), Lost: o.Lost, Users: o.Users, Tier: o.Tier, Rules: o.Rules, Secrets: o.Secrets,
	}
	op.Wire.Body = normal(o.Wire.Body)
	if o.Order != nil {
		if o.Order.Where != "before" && o.Order.Where != "after" {
			return op, errors.New("a row stands before or after another")
		}
		op.Order = &plan.Order{
			Position: operation.Position{Before: o.Order.Where == "before", Anchor: o.Order.Anchor},
			Before:   o.Order.Before, After: o.Order.After,
		}
	}
	switch {
	case o.Index != i:
		return op, errors.New("it stands in another place")
	case !slices.Contains(plan.Tiers(), o.Tier):
		return op, fmt.Errorf("tier %q is not known", o.Tier)
	case len(o.Pre) == 0:
		return op, errors.New("it has no precondition")
	case o.Op == plan.OpMove && o.Order == nil:
		return op, errors.New("a move has no order")
	}
	if err := checkPre(o.Pre, i); err != nil {
		return op, err
	}
	if err := checkSecrets(op); err != nil {
		return op, err
	}
	return op, checkWire(op)
}

// checkSecrets demands that the references in the body are the listed secrets, each in
// its place: nothing else of a body is ever replaced before it is sent.
func checkSecrets(op plan.Operation) error {
	found := map[string]string{}
	references(op.Wire.Body, "", found)
	if len(found) != len(op.Secrets) {
		return errors.New("the references to secrets are not those that are listed")
	}
	for _, s := range op.Secrets {
		if ref, there := found[s.Pointer]; !there || ref != s.Ref || s.Ref == "" || (s.Name == "") == (s.Commitment == "") {
			return errors.New("a secret is not the one that is listed for its place")
		}
	}
	return nil
}

// references finds the members that stand for secrets, by their place.
func references(v any, at string, found map[string]string) {
	switch x := v.(type) {
	case []any:
		for i, item := range x {
			references(item, at+fault.Pointer(i), found)
		}
	case map[string]any:
		if ref, is := x[plan.SecretKey]; is {
			text, _ := ref.(string)
			if len(x) > 1 {
				text = "" // fits no reference
			}
			found[at] = text
			return
		}
		for name, item := range x {
			references(item, at+fault.Pointer(name), found)
		}
	}
}

func normalPre(list []plan.Precondition) []plan.Precondition {
	for i := range list {
		list[i].Match = normal(list[i].Match)
	}
	return list
}

func checkPre(list []plan.Precondition, i int) error {
	for _, p := range list {
		set := 0
		for _, is := range []bool{p.Absent, !p.Object.IsZero(), len(p.Match) > 0, p.After > 0, p.None} {
			if is {
				set++
			}
		}
		if set != 1 || (p.Then != plan.Send && p.Then != plan.Skip) || p.After < 0 || p.After > i {
			return errors.New("a precondition is not sound")
		}
	}
	return nil
}

// checkWire builds the request again from what the operation says and demands
// the same one, so that a path can never disagree with what is shown, nor what is sent
// with what is verified.
func checkWire(op plan.Operation) error {
	if op.Op == plan.OpCreate || op.Op == plan.OpUpdate {
		if !reflect.DeepEqual(op.Expect, op.Wire.Body) {
			return errors.New("what is sent is not what is expected")
		}
	}
	again, err := Build(op)
	if err != nil {
		return err
	}
	got := op.Wire
	if again.Method != got.Method || again.Path != got.Path || !slices.Equal(again.Query, got.Query) || (again.Body == nil) != (got.Body == nil) {
		return errors.New("the request is not the one that the operation describes")
	}
	return nil
}

// Build makes the request of an operation from its kind, resource, scope, key,
// order and the body in op.Wire.Body.
func Build(op plan.Operation) (wire.Request, error) {
	switch op.Op {
	case plan.OpCreate:
		return wire.Create(op.Resource, op.VDOM, op.Wire.Body)
	case plan.OpUpdate:
		if op.Key.IsZero() {
			return wire.UpdateSingleton(op.Resource, op.VDOM, op.Wire.Body)
		}
		return wire.Update(op.Resource, op.VDOM, op.Key, op.Wire.Body)
	case plan.OpDelete:
		return wire.Delete(op.Resource, op.VDOM, op.Key)
	case plan.OpMove:
		return wire.Move(op.Resource, op.VDOM, op.Key, op.Order.Position)
	case plan.OpAction:
		return wire.Action(op.Resource, op.VDOM, op.Wire.Body)
	}
	return wire.Request{}, fmt.Errorf("op %q is not known", op.Op)
}

// normal makes the values of a decoded object canonical, in place (int64, not
// json.Number).
func normal(object map[string]any) map[string]any {
	for name, v := range object {
		if n, isNumber := v.(json.Number); isNumber {
			object[name] = whole(n)
			continue
		}
		normalBelow(v)
	}
	return object
}

func normalBelow(v any) {
	switch x := v.(type) {
	case map[string]any:
		_ = normal(x)
	case []any:
		for i, item := range x {
			if n, isNumber := item.(json.Number); isNumber {
				x[i] = whole(n)
				continue
			}
			normalBelow(item)
		}
	}
}

// whole is the integer that a number is, since it came from canonical bytes.
func whole(n json.Number) any {
	if i, err := n.Int64(); err == nil {
		return i
	}
	return n
}
