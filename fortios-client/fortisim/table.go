package fortisim

import "slices"

// table holds the rows of a table in their order, or the one entry of a
// singleton under the key "".
type table struct {
	list    []*entry
	byKey   map[string]*entry
	changes int
}

func newTable() *table { return &table{byKey: map[string]*entry{}} }

func (t *table) find(key string) *entry { return t.byKey[key] }

func (t *table) add(key string, e *entry) {
	t.list = append(t.list, e)
	t.byKey[key] = e
}

func (t *table) replace(key string, e *entry) {
	t.list[t.position(key)] = e
	t.byKey[key] = e
}

func (t *table) remove(key string) {
	at := t.position(key)
	t.list = slices.Delete(t.list, at, at+1)
	delete(t.byKey, key)
}

// move puts a row before or after another one; both exist.
func (t *table) move(key string, before bool, other string) {
	if key == other {
		return
	}
	e, at := t.byKey[key], t.position(key)
	t.list = slices.Delete(t.list, at, at+1)
	to := t.position(other)
	if !before {
		to++
	}
	t.list = slices.Insert(t.list, to, e)
}

func (t *table) position(key string) int { return slices.Index(t.list, t.byKey[key]) }

// nextID is the integer key that the device gives: one more than the largest.
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

// visible are the rows that a VDOM sees: those of a table that the VDOMs share
// belong to the VDOM that their attribute vdom names (D).
func (d *Device) visible(s *shape, vdom string) []*entry {
	t := d.tableOf(s, vdom)
	if s.scope != "both" || len(d.options.VDOMs) == 1 || vdom == "" {
		return t.list
	}
	var out []*entry
	for _, e := range t.list {
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
