// Package rollback works out the plan that undoes another: the inverse of every
// operation that took effect or may have, in reverse order, each under the
// condition that its object is still as the apply left it. What cannot be undone
// is named, never left out.
package rollback

import (
	"fmt"
	"slices"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/plan/planfile"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/schema"
)

// Undo is a worked-out rollback. Operations have no tier yet.
type Undo struct {
	Operations   []plan.Operation
	Irreversible []string
}

// Complete reports whether everything that took effect is undone.
func (u Undo) Complete() bool { return len(u.Irreversible) == 0 }

// Build works out the rollback of a plan from how its operations ended.
// resources gives the schema of a path, or nil.
func Build(p *plan.Plan, outcomes []apply.Outcome, resources func(path string) *schema.Resource) Undo {
	b := &builder{plan: p, outcomes: outcomes, resources: resources, last: map[change.Ref]int{}, created: map[change.Ref]bool{}}
	b.replay()
	for i := len(p.Operations) - 1; i >= 0; i-- {
		if affected(outcomes[i]) {
			b.undo(i)
		}
	}
	return Undo{Operations: b.out, Irreversible: b.irreversible}
}

// affected reports whether an operation changed something or may have.
func affected(o apply.Outcome) bool {
	if o.Skipped {
		return false
	}
	return o.Status == exchange.Verified || o.Status == exchange.AppliedUnverified ||
		o.Status == exchange.OutcomeUnknown || o.Changed == exchange.ChangedYes
}

// here reports whether the effect counts for what stands on the plan's device. Where
// another one answered, it is there if anywhere.
func here(o apply.Outcome) bool { return affected(o) && o.Class != exchange.WrongDevice }

type builder struct {
	plan      *plan.Plan
	outcomes  []apply.Outcome
	resources func(path string) *schema.Resource
	orders    map[change.Table][]operation.Key
	// last is the rollback's newest operation on an object, plus one.
	last         map[change.Ref]int
	created      map[change.Ref]bool
	out          []plan.Operation
	irreversible []string
}

// replay works out the orders of tables as the apply left them, and which objects
// it created.
func (b *builder) replay() {
	b.orders = map[change.Table][]operation.Key{}
	for i, op := range b.plan.Operations {
		if !here(b.outcomes[i]) {
			continue
		}
		r := refOf(op)
		keys, known := b.orders[r.Table()]
		switch {
		case len(b.outcomes[i].Order) > 0:
			b.orders[r.Table()] = b.outcomes[i].Order
		case op.Op == plan.OpMove:
			b.orders[r.Table()] = op.Order.After
		case op.Op == plan.OpDelete && op.Order != nil:
			b.orders[r.Table()] = op.Order.After
		case op.Op == plan.OpCreate:
			b.created[r] = true
			if known {
				b.orders[r.Table()] = append(slices.Clone(keys), op.Key)
			}
		}
	}
}

func refOf(op plan.Operation) change.Ref {
	return change.Ref{Resource: op.Resource, VDOM: op.VDOM, Key: op.Key}
}

func (b *builder) undo(i int) {
	op := b.plan.Operations[i]
	if b.outcomes[i].Class == exchange.WrongDevice {
		b.cannot(op, "another device or VDOM answered; it is not known where it took effect")
		return
	}
	for _, name := range op.Lost {
		b.cannot(op, "%s: a secret cannot be restored; set it again by hand", name)
	}
	switch op.Op {
	case plan.OpCreate:
		b.undoCreate(i, op)
	case plan.OpUpdate:
		b.undoUpdate(i, op)
	case plan.OpDelete:
		b.undoDelete(i, op)
	case plan.OpMove:
		b.undoMove(i, op)
	case plan.OpAction:
		b.cannot(op, "an action cannot be undone")
	}
}

func (b *builder) cannot(op plan.Operation, format string, args ...any) {
	name := op.Resource
	if !op.Key.IsZero() {
		name += " " + op.Key.String()
	}
	// Keys are other people's words.
	text := fmt.Sprintf("%s %s: ", op.Op, redact.Line(name, 200)) + redact.Line(fmt.Sprintf(format, args...), 400)
	b.irreversible = append(b.irreversible, text)
}

func (b *builder) add(source int, op plan.Operation) {
	op.Index = len(b.out)
	op.Source = b.plan.Operations[source].Source
	if op.Op != plan.OpMove && b.last[refOf(op)] > 0 {
		op.Pre = []plan.Precondition{{Then: plan.Send, After: b.last[refOf(op)]}}
	}
	w, err := planfile.Build(op)
	if err != nil {
		b.cannot(op, "its inverse cannot be built: %v", err)
		return
	}
	op.Wire = w
	b.out = append(b.out, op)
	b.last[refOf(op)] = op.Index + 1
}

// preconditions are the states in which an inverse may go on: the object as the
// apply left it, and, where it is in doubt whether the write took effect, the
// object as it was before, in which there is nothing to undo.
func (b *builder) preconditions(i int) []plan.Precondition {
	n := i
	if newest := b.newest(refOf(b.plan.Operations[i])); newest > i {
		n = newest
	}
	op, o := b.plan.Operations[n], b.outcomes[n]
	list := []plan.Precondition{}
	if state := left(op, o); !state.None {
		list = append(list, state)
	}
	if state, known := b.found(op); known && !certain(o) {
		// Of an older operation on the object there is something to undo even then.
		if state.Then = plan.Skip; n != i {
			state.Then = plan.Send
		}
		list = append(list, state)
	}
	if len(list) == 0 {
		list = append(list, plan.Precondition{Then: plan.Send, None: true})
	}
	return list
}

// certain reports whether an operation is known to have taken effect. An answer of
// success without a trace is not enough: the device may apply it late, or never.
func certain(o apply.Outcome) bool {
	return (o.Status == exchange.Verified || o.Status == exchange.AppliedUnverified) && o.Observed == exchange.Desired
}

// left is the state in which an operation that took effect leaves its object.
// What a read-back saw counts only where it is not the state before the write,
// which may have taken effect later.
func left(op plan.Operation, o apply.Outcome) plan.Precondition {
	seen := o.Observed == exchange.Desired || o.Observed == exchange.Other
	switch {
	case seen && !o.Post.IsZero():
		return plan.Precondition{Then: plan.Send, Object: o.Post}
	case (seen && o.Gone) || op.Op == plan.OpDelete:
		return plan.Precondition{Then: plan.Send, Absent: true}
	case len(op.Expect) > 0:
		return plan.Precondition{Then: plan.Send, Match: op.Expect}
	}
	return plan.Precondition{Then: plan.Send, None: true}
}

// found is the state in which an operation found its object.
func (b *builder) found(op plan.Operation) (plan.Precondition, bool) {
	for _, pre := range op.Pre {
		if pre.After > 0 {
			earlier := b.outcomes[pre.After-1]
			return plan.Precondition{Absent: earlier.Gone, Object: earlier.Post}, earlier.Gone || !earlier.Post.IsZero()
		}
		if !pre.None && pre.Then == plan.Send {
			return pre, true
		}
	}
	return plan.Precondition{}, false
}

// newest is the last affected operation that wrote the object.
func (b *builder) newest(r change.Ref) int {
	found := -1
	for i, op := range b.plan.Operations {
		if op.Op != plan.OpMove && op.Op != plan.OpAction && refOf(op) == r && here(b.outcomes[i]) {
			found = i
		}
	}
	return found
}
