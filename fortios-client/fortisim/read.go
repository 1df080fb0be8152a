package fortisim

import (
	"net/http"
	"strings"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// read answers a GET of a table, a row or a singleton.
func (d *Device) read(q *query, p place) *reply {
	switch action := q.values.Get("action"); action {
	case "", "select":
	case "schema":
		return d.schema(q, p)
	default:
		return d.refusal(q, p, invalidRequest())
	}
	if p.shape.kind == catalog.Singleton {
		r := d.opening(q)
		r.add("revision", d.revision(p))
		r.add("results", d.render(p.shape, p.table.find(""), q.formats(p.shape)))
		return d.closing(r, q, nil)
	}
	if q.config.key != "" {
		return d.readOne(q, p)
	}
	return d.readList(q, p, d.visible(p.shape, q.view()))
}

// readOne is still a list, of one row; mkey echoes the key (R).
func (d *Device) readOne(q *query, p place) *reply {
	e := d.findVisible(p.shape, q.view(), q.config.key)
	if e == nil {
		return d.refusal(q, p, missing())
	}
	r := d.opening(q)
	if d.behaviour().OneHasCounts {
		d.counts(r, window{size: len(p.table.list), matched: 1, last: p.table.position(q.config.key)})
	}
	r.add("revision", d.revision(p))
	r.add("results", []object{d.render(p.shape, e, q.formats(p.shape))})
	return d.closing(r, q, q.config.key)
}

func (d *Device) readList(q *query, p place, rows []*entry) *reply {
	return d.list(q, p, p.shape, rows, nil)
}

func (d *Device) readChild(q *query, p place, f *field, e *entry) *reply {
	rows := e.rows(f.Name)
	if q.config.childKey == "" {
		return d.list(q, p, f.child, rows, q.config.key)
	}
	for _, row := range rows {
		if keyText(row.values[f.child.key]) == q.config.childKey {
			return d.list(q, p, f.child, []*entry{row}, q.config.key)
		}
	}
	return d.refusal(q, p, missing())
}

// list filters, then pages, then picks attributes: that is the device's order (D).
func (d *Device) list(q *query, p place, s *shape, rows []*entry, key any) *reply {
	filters, no := parseFilters(q.values["filter"])
	if no != nil {
		return d.refusal(q, p, no)
	}
	w, no := d.pick(q, s, rows, filters)
	if no != nil {
		return d.refusal(q, p, no)
	}
	formats := q.formats(s)
	results := make([]object, 0, len(w.rows))
	for _, e := range w.rows {
		results = append(results, d.render(s, e, formats))
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
		r.add("limit_reached", false)
	}
	r.add("matched_count", w.matched)
	r.add("next_idx", next)
}

// formats are the attributes that the client wants; nil is all of them. An
// unknown name gives all (D).
func (q *query) formats(s *shape) map[string]bool {
	text := q.values.Get("format")
	if text == "" || q.method != http.MethodGet {
		return nil
	}
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(text, "|") {
		if s.byName[name] == nil && name != s.key && name != "q_origin_key" {
			return nil
		}
		wanted[name] = true
	}
	return wanted
}

// render is an entry as an answer shows it: the key, its echo q_origin_key,
// then the attributes.
func (d *Device) render(s *shape, e *entry, wanted map[string]bool) object {
	o := make(object, 0, len(s.fields)+2)
	if s.key != "" && e != nil {
		key := e.values[s.key]
		if wanted == nil || wanted[s.key] {
			o = append(o, member{s.key, key})
		}
		o = append(o, member{"q_origin_key", key})
	}
	for _, f := range s.fields {
		if f.Name == s.key || f.display() || wanted != nil && !wanted[f.Name] || !s.applies(f, e, d.behaviour()) {
			continue
		}
		if d.behaviour().DefaultsAbsent && (e == nil || e.values[f.Name] == nil) {
			continue
		}
		o = append(o, member{f.Name, d.wire(f, e.value(f))})
	}
	return o
}

// wire is a value as an answer shows it.
func (d *Device) wire(f *field, v any) any {
	switch v := v.(type) {
	case []*entry:
		rows := make([]object, 0, len(v))
		for _, row := range v {
			rows = append(rows, d.render(f.child, row, nil))
		}
		return rows
	case *entry:
		return d.render(f.child, v, nil)
	case string:
		if f.kindOf == secretValue && v != "" {
			return maskedSecret
		}
	}
	return v
}
