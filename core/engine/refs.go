package engine

import (
	"context"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

// naming is one value that names another object.
type naming struct {
	pointer string
	value   operation.Key
	refs    []schema.Ref
	// op is the index of the operation that writes it.
	op int
}

// references checks that what the plan refers to exists on the device or is
// created by an earlier operation.
func (w *planning) references(ctx context.Context) error {
	var open []naming
	for i, op := range w.ops {
		if op.Op != plan.OpCreate && op.Op != plan.OpUpdate {
			continue
		}
		c := collector{op: i}
		c.object(w.images[i].resource.Attributes, op.Expect, "")
		for _, n := range c.found {
			n.pointer = w.written(op, n.pointer)
			open = append(open, n)
		}
	}
	// Each round asks every naming's next candidate table, so that one table is
	// asked once for many names.
	for round := 0; len(open) > 0; round++ {
		var refs []change.Ref
		for _, n := range open {
			if ref, ok := w.candidate(n, round); ok {
				refs = append(refs, ref)
			}
		}
		if err := tolerate(w.s.loadObjects(ctx, w.world, refs)); err != nil {
			return err
		}
		open = w.unresolved(open, round)
	}
	return nil
}

// written is where the request has what stands at a pointer into an operation's values. Of
// a list that entries were added to the request has no more than those.
func (w *planning) written(op plan.Operation, pointer string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if _, added := w.updates[op.Source].Add[fault.Unescape(name)]; added {
		return op.Source + "/add/" + name
	}
	return op.Source + "/" + bodyField(op.Op) + pointer
}

// unresolved keeps the namings that no table up to this round has, and reports
// those that have no table left.
func (w *planning) unresolved(open []naming, round int) []naming {
	var left []naming
	for _, n := range open {
		if ref, ok := w.candidate(n, round); ok && (w.existed(ref, n.op) || w.missed[ref]) {
			continue
		}
		if round+1 < len(n.refs) {
			left = append(left, n)
			continue
		}
		w.missing(n)
	}
	return left
}

func (w *planning) missing(n naming) {
	var paths []string
	for i, r := range n.refs {
		paths = append(paths, r.Path)
		if _, ok := w.candidate(n, i); !ok {
			w.checker.Note(n.pointer, "%q could not be looked up in %s", n.value, r.Path)
			return
		}
	}
	w.object(fault.NotFound, n.pointer, "there is no %q in %s; create it first, or name one that exists", n.value, strings.Join(paths, " or "))
}

// candidate is the object that a naming would mean in its i-th table; ok is false
// where the catalog does not list the table as one with keys.
func (w *planning) candidate(n naming, i int) (change.Ref, bool) {
	if i >= len(n.refs) {
		return change.Ref{}, false
	}
	r, err := w.s.engine.ports.Catalog.Resource(n.refs[i].Path, w.s.release)
	if err != nil || r.Kind != schema.Table || r.Key != n.refs[i].Attribute {
		return change.Ref{}, false
	}
	ref := w.s.ref(r)
	ref.Key = n.value.As(r.IntegerKey())
	return ref, true
}

// existed reports whether an object exists before operation op runs: on the
// device and not deleted by an earlier operation, or created by one.
func (w *planning) existed(ref change.Ref, op int) bool {
	exists := false
	if object, known := w.world.Object(ref); known {
		exists = object != nil
	}
	// The world is that after all operations: undo what comes at or after op.
	for i := len(w.ops) - 1; i >= op; i-- {
		if refOf(w.ops[i]) != ref {
			continue
		}
		switch w.ops[i].Op {
		case plan.OpCreate:
			exists = false
		case plan.OpDelete:
			exists = true
		case plan.OpUpdate, plan.OpMove, plan.OpAction:
		}
	}
	return exists
}

// collector finds the values that name other objects.
type collector struct {
	op    int
	found []naming
}

func (c *collector) object(attrs []schema.Attribute, object map[string]any, at string) {
	for _, name := range canon.Keys(object) {
		for i := range attrs {
			if attrs[i].Name == name {
				c.value(&attrs[i], object[name], at+fault.Pointer(name))
			}
		}
	}
}

func (c *collector) value(a *schema.Attribute, v any, at string) {
	switch t := v.(type) {
	case []any:
		for i, item := range t {
			if row, ok := item.(map[string]any); ok {
				c.object(a.Attributes, row, at+fault.Pointer(i))
			}
		}
	case map[string]any:
		c.object(a.Attributes, t, at)
	case string, int64:
		key, err := operation.KeyOf(t)
		if len(a.Refs) == 0 || err != nil || builtIn(a, key) {
			return
		}
		c.found = append(c.found, naming{pointer: at, value: key, refs: a.Refs, op: c.op})
	}
}

// builtIn names stand for no object of their own: "any" means every interface, and
// a default value is the device's own.
func builtIn(a *schema.Attribute, key operation.Key) bool {
	if key.Value() == a.Default || key.Value() == int64(0) {
		return true
	}
	for _, r := range a.Refs {
		if r.Path == "system/interface" && key.String() == "any" {
			return true
		}
	}
	return false
}
