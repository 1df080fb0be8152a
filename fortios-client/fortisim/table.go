package fortisim

import (
	"iter"
	"maps"
	"slices"
)

// table holds the rows of a table in their order, or the one entry of a
// singleton under the key "". Generated rows come before those of the list.
type table struct {
	made    *generated // nil for an ordinary table
	list    []*entry
	byKey   map[string]*entry
	changes int
}

func newTable() *table { return &table{byKey: map[string]*entry{}} }

// copied is a copy to go back to; entries are shared, since they never change.
func (t *table) copied() *table {
	return &table{made: t.made.copied(), list: slices.Clone(t.list), byKey: maps.Clone(t.byKey), changes: t.changes}
}

func (t *table) size() int { return t.made.size() + len(t.list) }

// at is the row at a place, counted from 0.
func (t *table) at(i int) *entry {
	if n := t.made.size(); i >= n {
		return t.list[i-n]
	}
	return t.made.at(i)
}

// all are the rows in their order.
func (t *table) all() iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for i := range t.size() {
			if !yield(t.at(i)) {
				return
			}
		}
	}
}

func (t *table) find(key string) *entry {
	if e := t.byKey[key]; e != nil {
		return e
	}
	return t.made.find(key)
}

func (t *table) add(key string, e *entry) {
	t.list = append(t.list, e)
	t.byKey[key] = e
}

func (t *table) replace(key string, e *entry) {
	if t.byKey[key] == nil {
		t.made.replace(key, e)
		return
	}
	t.list[slices.Index(t.list, t.byKey[key])] = e
	t.byKey[key] = e
}

// rename puts a row under another key, in its place.
func (t *table) rename(key, to string, e *entry) {
	t.settle()
	t.list[slices.Index(t.list, t.byKey[key])] = e
	delete(t.byKey, key)
	t.byKey[to] = e
}

func (t *table) remove(key string) {
	e := t.byKey[key]
	if e == nil {
		t.made.remove(key)
		return
	}
	at := slices.Index(t.list, e)
	t.list = slices.Delete(t.list, at, at+1)
	delete(t.byKey, key)
}

// move puts a row before or after another one; both exist.
func (t *table) move(key string, before bool, other string) {
	if key == other {
		return
	}
	t.settle()
	e := t.byKey[key]
	at := slices.Index(t.list, e)
	t.list = slices.Delete(t.list, at, at+1)
	to := t.position(other)
	if !before {
		to++
	}
	t.list = slices.Insert(t.list, to, e)
}

func (t *table) position(key string) int {
	if e := t.byKey[key]; e != nil {
		return t.made.size() + slices.Index(t.list, e)
	}
	return t.made.position(key)
}

// settle makes an ordinary table of a generated one: its order can be changed
// then.
func (t *table) settle() {
	if t.made == nil {
		return
	}
	rows := slices.Collect(t.all())
	for _, e := range rows {
		t.byKey[keyText(e.values[t.made.key])] = e
	}
	t.made, t.list = nil, rows
}

// nextID is the integer key that the device gives: one more than the largest.
func (t *table) nextID(key string) int64 { return max(nextID(t.list, key), t.made.largest()+1) }

func nextID(rows []*entry, key string) int64 {
	var largest int64
	for _, e := range rows {
		if id, ok := e.values[key].(int64); ok {
			largest = max(largest, id)
		}
	}
	return largest + 1
}

type tableKey struct{ vdom, path string }

// tableOf is the table that holds the rows of a resource as seen from a VDOM.
func (d *Device) tableOf(s *shape, vdom string) *table {
	if s.shared() {
		vdom = ""
	}
	k := tableKey{vdom, s.path}
	t := d.tables[k]
	if t == nil {
		t = newTable()
		d.tables[k] = t
	}
	return t
}

// rowSource is what a listing pages through: a table, or a list of rows.
type rowSource interface {
	size() int
	at(i int) *entry
}

type rowList []*entry

func (l rowList) size() int       { return len(l) }
func (l rowList) at(i int) *entry { return l[i] }

// each visits the rows of a source in order.
func each(rows rowSource) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for i := range rows.size() {
			if !yield(rows.at(i)) {
				return
			}
		}
	}
}

// visible are the rows that a VDOM sees: those of a table that the VDOMs share
// belong to the VDOM that their attribute vdom names (D).
func (d *Device) visible(s *shape, vdom string) rowSource {
	t := d.tableOf(s, vdom)
	if s.scope != "both" || len(d.options.VDOMs) == 1 || vdom == "" {
		return t
	}
	var out rowList
	for e := range t.all() {
		if belongs(e, vdom) {
			out = append(out, e)
		}
	}
	return out
}

func belongs(e *entry, vdom string) bool {
	switch owner := e.values["vdom"].(type) {
	case string:
		return owner == vdom
	case []*entry:
		return slices.ContainsFunc(owner, func(o *entry) bool { return o.text("name") == vdom })
	}
	return true
}

// findVisible is the row of that key if the VDOM sees it.
func (d *Device) findVisible(s *shape, vdom, key string) *entry {
	e := d.tableOf(s, vdom).find(key)
	if e != nil && s.scope == "both" && len(d.options.VDOMs) > 1 && vdom != "" && !belongs(e, vdom) {
		return nil
	}
	return e
}
