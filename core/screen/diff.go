package screen

import (
	"bytes"
	"slices"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

// diff shows what changes, taken from the pre-image and the request alone.
func (r *renderer) diff(op *plan.Operation) {
	n := op.Index
	attributes := r.attributes(op)
	switch op.Op {
	case plan.OpMove:
		r.move(op)
		return
	case plan.OpDelete:
		r.whole(op, gutter(n, "-"), op.Before, attributes)
		return
	case plan.OpCreate, plan.OpAction:
		r.whole(op, gutter(n, "+"), op.Wire.Body, attributes)
	case plan.OpUpdate:
		for _, name := range canon.Keys(op.Wire.Body) {
			r.attribute(op, name, find(attributes, name))
		}
	}
	r.expected(op, attributes)
}

// whole lists every attribute of an object.
func (r *renderer) whole(op *plan.Operation, g own, object map[string]any, attributes []schema.Attribute) {
	if len(object) == 0 {
		r.data(g, "nothing")
	}
	for _, name := range canon.Keys(object) {
		a := find(attributes, name)
		list, isList := rowsOf(object[name])
		if !isList || len(list) == 0 {
			r.data(g, r.name(name)+": "+r.show(op, object[name], a))
			continue
		}
		r.data(g, r.name(name)+": "+safe(plural(len(list), "row")))
		for _, row := range list {
			r.data(g, "  "+r.row(op, row, a))
		}
	}
}

// attribute shows one attribute of an update.
func (r *renderer) attribute(op *plan.Operation, name string, a *schema.Attribute) {
	n := op.Index
	before, had := op.Before[name]
	after := op.Wire.Body[name]
	oldRows, oldList := rowsOf(before)
	newRows, newList := rowsOf(after)
	switch {
	case had && same(before, after):
		r.data(gutter(n, "="), r.name(name)+": "+r.show(op, after, a)+" (sent, unchanged)")
	case (oldList || !had) && newList:
		r.table(op, name, a, oldRows, newRows)
	default:
		old := safe("not set, or not readable")
		if had {
			old = r.show(op, before, a)
		}
		r.data(gutter(n, "-"), r.name(name)+": "+old)
		r.data(gutter(n, "+"), r.name(name)+": "+r.show(op, after, a))
	}
}

// table shows a list of rows that is replaced by another: what goes, what comes,
// what changes. A list of the same rows in another order is shown whole.
func (r *renderer) table(op *plan.Operation, name string, a *schema.Attribute, before, after []any) {
	n := op.Index
	gone, come := missing(before, after), missing(after, before)
	r.data(gutter(n, " "), r.name(name)+": the list is replaced; "+safe(plural(len(before), "row"))+" before, "+
		safe(plural(len(after), "row"))+" after, "+safe(number(len(gone)))+" go or change, "+safe(number(len(come)))+" come or change")
	if len(gone) == 0 && len(come) == 0 {
		gone, come = before, after
	}
	for _, row := range gone {
		r.data(gutter(n, "-"), r.name(name)+": "+r.row(op, row, a))
	}
	for _, row := range come {
		r.data(gutter(n, "+"), r.name(name)+": "+r.row(op, row, a))
	}
}

// expected shows what a read-back must show besides what is sent.
func (r *renderer) expected(op *plan.Operation, attributes []schema.Attribute) {
	for _, name := range canon.Keys(op.Expect) {
		sent, ok := op.Wire.Body[name]
		if ok && same(sent, op.Expect[name]) || r.samePlain(op, sent, op.Expect[name]) {
			continue
		}
		r.data(gutter(op.Index, "="), r.name(name)+": expected to read back as "+r.show(op, op.Expect[name], find(attributes, name)))
	}
}

// samePlain reports whether two values look the same on the screen.
func (r *renderer) samePlain(op *plan.Operation, a, b any) bool {
	quiet := &renderer{Sheet: r.Sheet}
	return quiet.show(op, a, nil) == quiet.show(op, b, nil)
}

// removal is the rows that an update takes out of one list.
type removal struct {
	name string
	rows []any
}

// removed lists the rows that an update removes altogether, by list.
func (r *renderer) removed(op *plan.Operation) []removal {
	if op.Op != plan.OpUpdate {
		return nil
	}
	var out []removal
	for _, name := range canon.Keys(op.Wire.Body) {
		before, _ := rowsOf(op.Before[name])
		after, isList := rowsOf(op.Wire.Body[name])
		if !isList {
			continue
		}
		gone := slices.DeleteFunc(missing(before, after), func(row any) bool {
			return slices.ContainsFunc(after, func(other any) bool { return keyOf(row) != "" && keyOf(row) == keyOf(other) })
		})
		if len(gone) > 0 {
			out = append(out, removal{name, gone})
		}
	}
	return out
}

func (r *renderer) rowNames(d removal) safe {
	var text safe
	for i, row := range d.rows {
		if i > 0 {
			text += ", "
		}
		if key := keyOf(row); key != "" {
			text += r.quoted(key)
			continue
		}
		text += r.show(nil, row, nil)
	}
	return text
}

// missing lists the rows of a that b does not have exactly so.
func missing(a, b []any) []any {
	have := map[string]int{}
	for _, row := range b {
		have[encoded(row)]++
	}
	var out []any
	for _, row := range a {
		if e := encoded(row); have[e] > 0 {
			have[e]--
			continue
		}
		out = append(out, row)
	}
	return out
}

// encoded is a row's canonical form without the device's own copy of its key.
func encoded(row any) string {
	if o, ok := row.(map[string]any); ok && len(o) > 1 {
		clean := map[string]any{}
		for k, v := range o {
			if k != "q_origin_key" {
				clean[k] = v
			}
		}
		row = clean
	}
	data, err := canon.Encode(row)
	if err != nil {
		return ""
	}
	return string(data)
}

func same(a, b any) bool {
	x, errX := canon.Encode(a)
	y, errY := canon.Encode(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// rowsOf is a list; ok is false for anything else.
func rowsOf(v any) (list []any, ok bool) {
	list, ok = v.([]any)
	return list, ok
}

// keyOf is the key of a child row, "" where none is plain to see.
func keyOf(row any) string {
	switch x := row.(type) {
	case string:
		return x
	case map[string]any:
		for _, name := range []string{"name", "interface-name", "id", "policyid", "seq-num", "q_origin_key"} {
			if key := scalar(x[name]); key != "" {
				return key
			}
		}
		if len(x) == 1 {
			for _, v := range x {
				return scalar(v)
			}
		}
	}
	return ""
}
