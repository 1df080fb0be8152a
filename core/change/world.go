// Package change works out what operations would do: the values they write, the
// objects and orders that result, and how those differ from what is there.
package change

import (
	"maps"
	"slices"

	"github.com/forti-mcp/forti/core/operation"
)

// Ref names one object: a row of a table, or a singleton where Key is zero.
type Ref struct {
	Resource, VDOM string
	Key            operation.Key
}

// Table is the table that the object belongs to.
func (r Ref) Table() Table { return Table{Resource: r.Resource, VDOM: r.VDOM} }

// Table names one table.
type Table struct{ Resource, VDOM string }

// World is the device as it would be after the operations looked at so far: what
// was read from it, overlaid with what the plan does. The zero World is not
// usable; see [NewWorld].
type World struct {
	objects map[Ref]state
	orders  map[Table][]operation.Key
}

type state struct {
	object map[string]any // nil: absent
	// touched is the index plus one of the last operation that wrote it.
	touched int
}

// NewWorld makes an empty world.
func NewWorld() *World {
	return &World{objects: map[Ref]state{}, orders: map[Table][]operation.Key{}}
}

// Load notes what the device has; nil says that the object is absent.
func (w *World) Load(r Ref, object map[string]any) { w.objects[r] = state{object: object} }

// Object gives an object as it would be now. known is false where it was neither
// loaded nor written.
func (w *World) Object(r Ref) (object map[string]any, known bool) {
	s, known := w.objects[r]
	return s.object, known
}

// Touched is the index of the last operation that wrote the object, or -1.
func (w *World) Touched(r Ref) int { return w.objects[r].touched - 1 }

// Write notes that an operation leaves the object so; nil deletes it.
func (w *World) Write(r Ref, object map[string]any, op int) {
	w.objects[r] = state{object: object, touched: op + 1}
	keys, ordered := w.orders[r.Table()]
	if !ordered || r.Key.IsZero() {
		return
	}
	at := slices.Index(keys, r.Key)
	switch {
	case object == nil && at >= 0:
		w.orders[r.Table()] = slices.Delete(slices.Clone(keys), at, at+1)
	case object != nil && at < 0:
		w.orders[r.Table()] = append(slices.Clone(keys), r.Key)
	}
}

// Rows are the known objects of a table that exist, by key.
func (w *World) Rows(t Table) map[operation.Key]map[string]any {
	rows := map[operation.Key]map[string]any{}
	for r, s := range w.objects {
		if r.Table() == t && s.object != nil {
			rows[r.Key] = s.object
		}
	}
	return rows
}

// LoadOrder notes the keys of a table in the device's order.
func (w *World) LoadOrder(t Table, keys []operation.Key) { w.orders[t] = slices.Clone(keys) }

// Order gives a table's keys as they would be now.
func (w *World) Order(t Table) (keys []operation.Key, known bool) {
	keys, known = w.orders[t]
	return slices.Clone(keys), known
}

// Move notes a new order.
func (w *World) Move(t Table, keys []operation.Key) { w.orders[t] = slices.Clone(keys) }

// FreeKey is an integer above every key of the table.
func (w *World) FreeKey(t Table) operation.Key {
	next := int64(1)
	for _, k := range w.orders[t] {
		if n, ok := k.Value().(int64); ok && n >= next {
			next = n + 1
		}
	}
	return operation.IntegerKey(next)
}

// With is the object with attributes written over it; neither is changed.
func With(object, touched map[string]any) map[string]any {
	after := maps.Clone(object)
	if after == nil {
		after = map[string]any{}
	}
	maps.Copy(after, touched)
	return after
}

// Reorder gives the keys with one moved before or after another. ok is false
// where either is missing or both are one.
func Reorder(keys []operation.Key, key operation.Key, to operation.Position) (after []operation.Key, ok bool) {
	at := slices.Index(keys, key)
	if at < 0 || key == to.Anchor {
		return nil, false
	}
	rest := slices.Delete(slices.Clone(keys), at, at+1)
	anchor := slices.Index(rest, to.Anchor)
	if anchor < 0 {
		return nil, false
	}
	if !to.Before {
		anchor++
	}
	return slices.Insert(rest, anchor, key), true
}
