package rollback

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

func (b *builder) undoCreate(i int, op plan.Operation) {
	key := op.Key
	if made := b.outcomes[i].Key; !made.IsZero() && made != key {
		b.cannot(op, "the device says that it made the row %s instead; look at it and remove it by hand", made)
		return
	}
	inverse := plan.Operation{
		Op: plan.OpDelete, Resource: op.Resource, VDOM: op.VDOM, Key: key,
		Pre: b.preconditions(i), Before: op.Expect,
		Lost: secretsOf(op),
		// What came to use the row within the plan is undone before it.
		Users: new(0),
	}
	if keys, known := b.orders[refOf(op).Table()]; known {
		after := slices.DeleteFunc(slices.Clone(keys), func(k operation.Key) bool { return k == key })
		inverse.Order = &plan.Order{Before: keys, After: after}
		b.orders[refOf(op).Table()] = after
	}
	b.add(i, inverse)
}

// secretsOf names the top-level attributes in which an operation writes secrets.
func secretsOf(op plan.Operation) []string {
	var names []string
	for _, ref := range op.Secrets {
		name, _, _ := strings.Cut(strings.TrimPrefix(ref.Pointer, "/"), "/")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (b *builder) undoUpdate(i int, op plan.Operation) {
	r := b.resources(op.Resource)
	body, left := map[string]any{}, change.With(op.Before, op.Expect)
	for _, name := range canon.Keys(op.Expect) {
		if slices.Contains(op.Lost, name) {
			continue // named already
		}
		old, known := former(r, op.Before, name, false)
		if !known {
			b.cannot(op, "%s: its former value is not known", name)
			continue
		}
		body[name] = old
	}
	// What else the device changed by itself, such as the subnet of an address whose type
	// became iprange, goes back with it.
	for _, name := range b.outcomes[i].SideEffects {
		old, known := former(r, op.Before, name, true)
		if !known {
			b.cannot(op, "%s: the device changed it as well, and its former value is not known", name)
			continue
		}
		body[name] = old
		delete(left, name) // only that it changed is known
	}
	if !sighted(b.outcomes[i]) {
		b.cannot(op, "what the device changed beside %s was not seen, and stays; look at the object", strings.Join(canon.Keys(op.Expect), ", "))
	}
	if len(body) == 0 {
		return
	}
	inverse := plan.Operation{
		Op: plan.OpUpdate, Resource: op.Resource, VDOM: op.VDOM, Key: op.Key,
		Pre: b.preconditions(i), Before: left, Expect: body,
		Users: op.Users,
	}
	inverse.Wire.Body = body
	b.add(i, inverse)
}

// sighted reports whether the object was seen after the write, so that what else changed
// with it is known. Where it is in doubt whether the write took effect, a sight of the
// state before may have come before a late write.
func sighted(o apply.Outcome) bool {
	return o.Observed == exchange.Desired || o.Observed == exchange.Other ||
		o.Observed == exchange.Preimage && o.Status != exchange.OutcomeUnknown
}

// former is the value that an attribute had before: what was read, or the default
// where the device left the attribute out. Secrets have none: what was read of them is
// not what was there. A list with secrets in its rows has one where the operation named
// it and did not say that they are lost, so that none was set; of one that the device
// changed by itself (unnamed) that is not known.
func former(r *schema.Resource, before map[string]any, name string, unnamed bool) (any, bool) {
	var a *schema.Attribute
	if r != nil {
		a, _ = r.Attribute(name)
	}
	if a == nil || a.Secret || unnamed && a.HoldsSecret() {
		return nil, false
	}
	if old, had := before[name]; had {
		old = change.WritableValue(a, old)
		return old, plain(old)
	}
	v, why := change.Default(a)
	return v, why == ""
}

// plain reports whether a value can be sent as it stands.
func plain(v any) bool {
	switch x := v.(type) {
	case map[string]any:
		if _, number := x["$num"]; number {
			return false
		}
		for _, inner := range x {
			if !plain(inner) {
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(x, func(inner any) bool { return !plain(inner) })
	}
	return true
}

func (b *builder) undoDelete(i int, op plan.Operation) {
	if o := b.outcomes[i]; o.Gone && o.Status == exchange.Failed {
		b.cannot(op, "%s", o.Message) // other rows went with it
	}
	r := b.resources(op.Resource)
	if r == nil {
		b.cannot(op, "the catalog does not know the resource any more")
		return
	}
	body := change.Writable(r, op.Before)
	if !plain(body) {
		b.cannot(op, "it held a number that cannot be written exactly")
		return
	}
	inverse := plan.Operation{
		Op: plan.OpCreate, Resource: op.Resource, VDOM: op.VDOM, Key: op.Key,
		Pre: b.preconditions(i), Expect: body,
	}
	inverse.Wire.Body = body
	b.add(i, inverse)
	if op.Order != nil {
		b.restoreOrder(i, op, append(slices.Clone(b.orders[refOf(op).Table()]), op.Key), op.Order.Before)
	}
}

func (b *builder) undoMove(i int, op plan.Operation) {
	if b.created[refOf(op)] {
		return // the row itself goes away
	}
	b.restoreOrder(i, op, b.orders[refOf(op).Table()], op.Order.Before)
}

// restoreOrder moves a row back behind its former predecessor, or, where that is
// gone, before its former successor.
func (b *builder) restoreOrder(i int, op plan.Operation, now, former []operation.Key) {
	to, ok := formerPlace(former, now, op.Key)
	if !ok {
		b.cannot(op, "both former neighbours are gone, so its place cannot be restored")
		return
	}
	after, ok := change.Reorder(now, op.Key, to)
	if !ok {
		b.cannot(op, "its place cannot be restored")
		return
	}
	b.orders[refOf(op).Table()] = after
	if slices.Equal(after, now) {
		return
	}
	pre := []plan.Precondition{{Then: plan.Send, None: true}}
	if !certain(b.outcomes[i]) {
		pre = append(pre, plan.Precondition{Then: plan.Skip, None: true})
	}
	b.add(i, plan.Operation{
		Op: plan.OpMove, Resource: op.Resource, VDOM: op.VDOM, Key: op.Key, Pre: pre,
		Order: &plan.Order{Position: to, Before: now, After: after},
	})
}

func formerPlace(former, now []operation.Key, key operation.Key) (operation.Position, bool) {
	at := slices.Index(former, key)
	if at < 0 {
		return operation.Position{}, false
	}
	if at > 0 && slices.Contains(now, former[at-1]) {
		return operation.Position{Anchor: former[at-1]}, true
	}
	if at+1 < len(former) && slices.Contains(now, former[at+1]) {
		return operation.Position{Before: true, Anchor: former[at+1]}, true
	}
	return operation.Position{}, false
}
