package fortisim

import (
	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// read answers a GET of a table, a row or a singleton.
func (d *Device) read(q *query, p place) *reply {
	if d.behaviour().UnknownParameterRefused && q.strange() {
		return d.refusal(q, p, invalidRequest())
	}
	if action := q.values.Get("action"); action != "" && action != "select" {
		if r, known := d.inspect(q, p, action); known {
			return r
		}
		return d.refusal(q, p, invalidRequest())
	}
	if p.shape.kind == catalog.Singleton {
		r := d.opening(q)
		if p.shape.path != "system/ha" { // it shows none (R)
			r.add("revision", d.revision(p))
		}
		r.add("results", d.render(p.shape, p.table.find(""), d.aspectOf(q, p.shape)))
		return d.closing(r, q, nil)
	}
	if q.config.key != "" {
		return d.readOne(q, p)
	}
	rows := d.visible(p.shape, q.view())
	if d.behaviour().AdminListEmpty && p.shape.path == "system/admin" && !q.admin.session {
		rows = rowList(nil)
	}
	return d.readList(q, p, rows)
}

// readOne is still a list, of one row; mkey echoes the key (R).
func (d *Device) readOne(q *query, p place) *reply {
	e := d.findVisible(p.shape, q.view(), q.config.key)
	if e == nil {
		return d.refusal(q, p, missing())
	}
	r := d.opening(q)
	if d.behaviour().OneHasCounts {
		d.counts(r, window{size: p.table.size(), matched: 1, last: p.table.position(q.config.key)})
	}
	r.add("revision", d.revision(p))
	r.add("results", []object{d.render(p.shape, e, d.aspectOf(q, p.shape))})
	return d.closing(r, q, q.config.key)
}

func (d *Device) readList(q *query, p place, rows rowSource) *reply {
	return d.list(q, p, p.shape, rows, nil)
}

func (d *Device) readChild(q *query, p place, f *field, e *entry) *reply {
	rows := e.rows(f.Name)
	if q.config.childKey == "" {
		return d.list(q, p, f.child, rowList(rows), q.config.key)
	}
	for _, row := range rows {
		if keyText(row.values[f.child.key]) == q.config.childKey {
			return d.list(q, p, f.child, rowList{row}, q.config.key)
		}
	}
	return d.refusal(q, p, missing())
}

// list filters, sorts, pages, then picks attributes: that is the device's order (D).
func (d *Device) list(q *query, p place, s *shape, rows rowSource, key any) *reply {
	by, no := parseSieve(q.values)
	if no != nil {
		return d.refusal(q, p, no)
	}
	w, no := d.pick(q, s, rows, by)
	if no != nil {
		return d.refusal(q, p, no)
	}
	a := d.aspectOf(q, s)
	results := make([]object, 0, len(w.rows))
	for _, e := range w.rows {
		results = append(results, d.render(s, e, a))
	}
	r := d.opening(q)
	d.counts(r, w)
	r.add("revision", d.revision(p))
	r.add("results", results)
	return d.closing(r, q, key)
}

// counts exist from 7.0, limit_reached from 7.4 (R).
func (d *Device) counts(r *reply, w window) {
	v := d.options.Version
	if !atLeast(v, 7, 0, 0) {
		return
	}
	next := w.last
	if d.behaviour().NextIndexIsSize {
		next = w.size
	}
	r.add("size", w.size)
	if atLeast(v, 7, 4, 0) {
		r.add("limit_reached", w.limited)
	}
	r.add("matched_count", w.matched)
	r.add("next_idx", next)
}

// render is an entry as an answer shows it: the key, its echo q_origin_key,
// then the attributes.
func (d *Device) render(s *shape, e *entry, a aspect) object {
	o := make(object, 0, len(s.fields)+2)
	if s.key != "" && e != nil {
		o = d.renderKey(o, s, e, a)
	}
	b := *d.behaviour()
	b.InapplicableEmpty = b.InapplicableEmpty && !a.skip
	for _, f := range s.fields {
		if f.Name == s.key || f.display() || a.wanted != nil && !a.wanted[f.Name] || !s.applies(f, e, &b) {
			continue
		}
		if a.noDefaults && (e == nil || e.values[f.Name] == nil) || a.tablesOnly && f.kindOf != childTable {
			continue
		}
		o = append(o, member{f.Name, d.wire(f, e.value(f), a)})
	}
	if a.hash {
		o = append(o, member{"q_contents_hash", contentsHash(o)})
	}
	if a.meta && e != nil {
		o = append(o, d.metaOf(s, e, a)...)
	}
	return o
}

func (d *Device) renderKey(o object, s *shape, e *entry, a aspect) object {
	key := e.values[s.key]
	if a.wanted == nil || a.wanted[s.key] {
		o = append(o, member{s.key, key})
	}
	o = append(o, member{"q_origin_key", key})
	if f := s.byName[s.key]; a.datasource && f != nil && len(f.Refs) > 0 {
		o = append(o, member{"datasource", d.sourceOf(f, key, a.vdom)})
	}
	return o
}

// wire is a value as an answer shows it.
func (d *Device) wire(f *field, v any, a aspect) any {
	switch v := v.(type) {
	case []*entry:
		rows := make([]object, 0, len(v))
		for _, row := range v {
			rows = append(rows, d.render(f.child, row, a.below()))
		}
		return rows
	case *entry:
		return d.render(f.child, v, a.below())
	case string:
		if f.Multi && f.kindOf == textValue && v != "" {
			return multiText(f, v)
		}
		if f.kindOf == secretValue && v != "" && !a.clear {
			return maskedSecret
		}
		if a.datasource && len(f.Refs) > 0 && v != "" {
			return object{{"q_origin_key", v}, {"name", v}, {"datasource", d.sourceOf(f, v, a.vdom)}}
		}
	}
	return v
}
