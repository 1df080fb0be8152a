package fortisim

import (
	"net/http"
	"slices"
	"strconv"
)

// act carries out the actions of writes: move and clone (D). What the device
// does not know is an "invalid request" (D; the number is of the tables).
func (d *Device) act(q *query, p place, action string) (any, *Refusal) {
	key := q.config.key
	switch {
	case action == "move" && q.method == http.MethodPut && p.shape.movable && key != "":
		before, after := q.values.Get("before"), q.values.Get("after")
		if (before == "") == (after == "") {
			return nil, invalidRequest()
		}
		return key, d.shift(p, key, before != "", before+after)
	case action == "clone" && q.method == http.MethodPost && key != "" && q.values.Get("nkey") != "":
		return d.cloneRow(p, key, q.values.Get("nkey"))
	}
	return nil, invalidRequest()
}

// cloneRow copies a row under another key, with a uuid of its own and without
// what must be unique (I).
func (d *Device) cloneRow(p place, key, to string) (any, *Refusal) {
	old := p.table.find(key)
	if old == nil {
		return nil, missing()
	}
	newKey, no := d.rowKey(p.shape, func() int64 { return p.table.nextID(p.shape.key) }, object{{p.shape.key, to}})
	if no != nil {
		return nil, no
	}
	if p.table.find(keyText(newKey)) != nil {
		return nil, duplicate()
	}
	if no := d.full(p); no != nil {
		return nil, no
	}
	e := old.clone()
	e.values[p.shape.key] = newKey
	delete(e.values, uniques[p.shape.path])
	if f := p.shape.byName["uuid"]; f != nil && f.Type == "uuid" {
		e.values["uuid"] = d.uuid()
	}
	if no := d.whole(p.shape, p.table, e); no != nil {
		return nil, no
	}
	p.table.add(keyText(newKey), e)
	p.table.changes++
	d.afterCreate(p, e)
	return d.mkeyOf(newKey), nil
}

// full refuses a row more than the table takes (-4; ?: not recorded). The
// limits are the catalog's, of a large appliance, unless Options.Limits has
// others.
func (d *Device) full(p place) *Refusal {
	limit := max(p.shape.limits.VDOM, p.shape.limits.Global)
	if own, given := d.options.Limits[p.shape.path]; given {
		limit = own
	}
	if limit > 0 && p.table.size() >= limit {
		return tooMany()
	}
	return nil
}

func tooMany() *Refusal { return refused(-4, "Maximum number of entries has been reached.\n") }

// rename gives a row another key, and tells everything that names it.
func (d *Device) rename(p place, key string, raw any, e *entry) *Refusal {
	f := p.shape.byName[p.shape.key]
	v, no := d.coerce(f, raw, nil, p.writing())
	if no != nil {
		return no
	}
	to := keyText(v)
	if p.table.find(to) != nil {
		return duplicate()
	}
	e.values[p.shape.key] = v
	if no := d.whole(p.shape, p.table, e); no != nil {
		return no
	}
	p.table.rename(key, to, e)
	p.table.changes++
	d.renameUsers(p, key, v)
	return nil
}

func (d *Device) renameUsers(p place, key string, to any) {
	ref := refTo(p.shape)
	for _, k := range d.tableKeys() {
		s, err := d.shapeOf(k.path)
		if err != nil || !p.shape.shared() && k.vdom != p.vdom || !s.mentions(ref) {
			continue
		}
		t := d.tables[k]
		for e := range t.all() {
			if len(usedIn(s, e, ref, key)) > 0 {
				t.replace(keyText(e.values[s.key]), renamed(s, e, ref, key, to))
				t.changes++
			}
		}
	}
}

// renamed is a copy of an entry that names to instead of key.
func renamed(s *shape, e *entry, ref, key string, to any) *entry {
	out := e.clone()
	for _, f := range s.fields {
		switch v := e.values[f.Name].(type) {
		case nil:
		case *entry:
			out.values[f.Name] = renamed(f.child, v, ref, key, to)
		case []*entry:
			rows := slices.Clone(v)
			for i, row := range rows {
				rows[i] = renamed(f.child, row, ref, key, to)
			}
			out.values[f.Name] = rows
		default:
			if slices.Contains(f.Refs, ref) && keyText(v) == key {
				out.values[f.Name] = to
			}
		}
	}
	return out
}

// mkeyOf is a key as a write answers it: an integer key as a number or as text
// (U).
func (d *Device) mkeyOf(key any) any {
	n, ok := key.(int64)
	switch {
	case !ok:
		return key
	case d.behaviour().IntegerKeyAsText:
		return strconv.FormatInt(n, 10)
	}
	return int(n)
}
