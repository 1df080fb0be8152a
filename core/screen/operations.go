package screen

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/schema"
)

// operations lists all of them, in the order in which they run.
func (r *renderer) operations() {
	r.gap()
	r.say("OPERATIONS: ", number(len(r.Plan.Operations)), ", in this order")
	r.groups()
	for i := range r.Plan.Operations {
		r.gap()
		r.operation(&r.Plan.Operations[i])
	}
}

// groups counts operations by kind and resource.
func (r *renderer) groups() {
	type group struct {
		op       plan.Op
		resource string
	}
	var order []group
	counts := map[group]int{}
	for i := range r.Plan.Operations {
		g := group{r.Plan.Operations[i].Op, r.Plan.Operations[i].Resource}
		if counts[g] == 0 {
			order = append(order, g)
		}
		counts[g]++
	}
	for _, g := range order {
		r.data(margin("#"), safe(number(counts[g]))+" x "+safe(verb(g.op))+" "+r.name(g.resource))
	}
}

func verb(op plan.Op) own {
	switch op {
	case plan.OpCreate:
		return "CREATE"
	case plan.OpUpdate:
		return "UPDATE"
	case plan.OpDelete:
		return "DELETE"
	case plan.OpMove:
		return "MOVE"
	case plan.OpAction:
		return "ACTION"
	}
	return "UNKNOWN OPERATION"
}

func (r *renderer) operation(op *plan.Operation) {
	n := op.Index
	head := safe(verb(op.Op)) + " " + r.object(op)
	if op.Op == plan.OpCreate && op.Key.IsZero() {
		head += " (the device chooses the key)"
	}
	if op.VDOM == "" {
		head += ", global"
	} else {
		head += ", vdom " + r.name(op.VDOM)
	}
	r.data(gutter(n, " "), head+", "+safe(strings.ToLower(string(tierName(op.Tier)))))
	for _, f := range r.Plan.Risk.Reasons {
		if f.Operation == op.Index {
			r.finding(gutter(n, "!"), f, false)
		}
	}
	r.diff(op)
	r.wire(op)
}

// wire is what will be sent.
func (r *renderer) wire(op *plan.Operation) {
	g := gutter(op.Index, ">")
	path := op.Wire.Path
	if q := op.Wire.RawQuery(); q != "" {
		path += "?" + q
	}
	r.data(g, r.name(op.Wire.Method)+" "+r.name(path))
	if !r.Wide || op.Wire.Body == nil {
		return
	}
	body, err := canon.Encode(r.masked(op.Wire.Body, r.attributes(op)))
	if err != nil {
		r.data(g, "body: cannot be shown")
		return
	}
	r.data(g, "body: "+r.value(string(body), true))
}

// attributes are the descriptions of an operation's attributes.
func (r *renderer) attributes(op *plan.Operation) []schema.Attribute {
	res := r.resource(op.Resource)
	if res == nil {
		return nil
	}
	out := slices.Clone(res.Attributes)
	for _, call := range res.Calls {
		for _, p := range call.Params {
			out = append(out, schema.Attribute{Name: p.Name, Type: p.Type, Secret: p.Secret})
		}
	}
	return out
}

// masked is a value without what the description says is secret and the plan
// does not already carry as a reference.
func (r *renderer) masked(v any, attributes []schema.Attribute) any {
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range x {
			a := find(attributes, k)
			switch {
			case a != nil && a.Secret && !isSecret(e):
				out[k] = redact.Mask
			case a != nil:
				out[k] = r.masked(e, a.Attributes)
			default:
				out[k] = r.masked(e, nil)
			}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = r.masked(e, attributes)
		}
		return out
	}
	return v
}

func find(attributes []schema.Attribute, name string) *schema.Attribute {
	for i := range attributes {
		if attributes[i].Name == name {
			return &attributes[i]
		}
	}
	return nil
}

// move shows the order around a moved row, before and after.
func (r *renderer) move(op *plan.Operation) {
	n := op.Index
	if op.Order == nil {
		r.data(gutter(n, "?"), "the order is not known")
		return
	}
	r.data(gutter(n, " "), "to stand "+safe(op.Order.Position.Where())+" "+r.orderKey(op.Order.Position.Anchor))
	r.data(gutter(n, "-"), "order: "+r.around(op.Order.Before, op.Key))
	r.data(gutter(n, "+"), "order: "+r.around(op.Order.After, op.Key))
}

// neighbours is how many rows are shown on each side of a moved one.
const neighbours = 3

func (r *renderer) around(order []operation.Key, key operation.Key) safe {
	at := slices.Index(order, key)
	if at < 0 {
		return "not in the table"
	}
	from, to := max(at-neighbours, 0), min(at+neighbours+1, len(order))
	var parts []string
	if from > 0 {
		parts = append(parts, "...")
	}
	for i := from; i < to; i++ {
		text := string(r.orderKey(order[i]))
		if i == at {
			text = "[" + text + "]"
		}
		parts = append(parts, text)
	}
	if to < len(order) {
		parts = append(parts, "...")
	}
	return safe(strings.Join(parts, " ")) + "  (" + safe(number(at+1)) + " of " + safe(number(len(order))) + ")"
}

func (r *renderer) orderKey(k operation.Key) safe {
	if k.IsInteger() {
		return safe(k.String())
	}
	return r.quoted(k.String())
}
