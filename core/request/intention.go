package request

import (
	"fmt"
	"slices"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
)

// placement says which fields an op takes besides op and resource: true where it
// must be given, false where it may be.
var placement = map[string]map[string]bool{
	"create": {"object": true, "position": false},
	"update": {"key": false, "set": false, "clear": false, "add": false, "remove": false, "position": false},
	"delete": {"key": true},
	"action": {"params": false},
}

// Intentions turns the flat operations into the closed set of four, or reports
// every field that stands in the wrong place. It returns no list with an error.
func (p Plan) Intentions() ([]operation.Operation, error) {
	list, problems := p.Sound(nil)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return list, nil
}

// Sound is the operations whose form is right, for finding what else is wrong with a
// request: nil in the place of one that has a problem already or gets one here. more are
// the problems found here.
func (p Plan) Sound(problems fault.Problems) (list []operation.Operation, more fault.Problems) {
	list = make([]operation.Operation, len(p.Operations))
	for i, o := range p.Operations {
		at := fault.Pointer("operations", i)
		if slices.ContainsFunc(problems, func(x fault.Problem) bool { return fault.Within(x.Pointer, at) }) {
			continue
		}
		before := len(more)
		o.misplaced(&more, at)
		if in := o.intention(&more, at); len(more) == before {
			list[i] = in
		}
	}
	return list, more
}

func (o Operation) given() map[string]bool {
	return map[string]bool{
		"key": !o.Key.IsZero(), "object": o.Object != nil, "set": len(o.Set) > 0, "clear": len(o.Clear) > 0,
		"add": len(o.Add) > 0, "remove": len(o.Remove) > 0, "position": o.Position != nil, "params": o.Params != nil,
	}
}

func (o Operation) misplaced(ps *fault.Problems, at string) {
	given, takes := o.given(), placement[o.Op]
	for _, name := range []string{"key", "object", "set", "clear", "add", "remove", "position", "params"} {
		must, may := takes[name]
		switch {
		case given[name] && !may:
			ps.Add(at+"/"+name, fmt.Sprintf("does not belong to %q", o.Op))
		case !given[name] && must:
			ps.Add(at+"/"+name, fmt.Sprintf("is required for %q", o.Op))
		}
	}
	if o.Op == "update" && !given["set"] && !given["clear"] && !given["add"] && !given["remove"] && !given["position"] {
		ps.Add(at, "an update needs at least one of set, clear, add, remove, position")
	}
	o.namedTwice(ps, at)
}

// namedTwice reports attributes that two fields of an update name.
func (o Operation) namedTwice(ps *fault.Problems, at string) {
	first := map[string]string{}
	note := func(field, name string, place any) {
		if other, twice := first[name]; twice && other != field {
			ps.Add(at+fault.Pointer(field, place), fmt.Sprintf("is also named by %s; name an attribute once", other))
			return
		}
		first[name] = field
	}
	for _, name := range sortedKeys(o.Set) {
		note("set", name, name)
	}
	for i, name := range o.Clear {
		note("clear", name, i)
	}
	for _, name := range sortedKeys(o.Add) {
		note("add", name, name)
	}
	for _, name := range sortedKeys(o.Remove) {
		note("remove", name, name)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (o Operation) intention(ps *fault.Problems, at string) operation.Operation {
	origin := operation.Origin{Resource: o.Resource, Pointer: at}
	position := o.Position.position(ps, at+"/position")
	switch o.Op {
	case "create":
		return operation.Create{Origin: origin, Object: o.Object, Position: position}
	case "update":
		return operation.Update{Origin: origin, Key: o.Key, Set: o.Set, Clear: o.Clear, Add: o.Add, Remove: o.Remove, Position: position}
	case "delete":
		return operation.Delete{Origin: origin, Key: o.Key}
	case "action":
		return operation.Action{Origin: origin, Params: o.Params}
	}
	ps.Add(at+"/op", fmt.Sprintf("%q is not an op", o.Op))
	return nil
}

func (p *Position) position(ps *fault.Problems, at string) *operation.Position {
	switch {
	case p == nil:
		return nil
	case p.Before.IsZero() == p.After.IsZero():
		ps.Add(at, "needs exactly one of before and after")
		return nil
	case !p.Before.IsZero():
		return &operation.Position{Before: true, Anchor: p.Before}
	}
	return &operation.Position{Anchor: p.After}
}
