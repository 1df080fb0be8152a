package fortisim

import (
	"net/http"
	"slices"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// child answers a request to a child table of a row, or to a row of it.
func (d *Device) child(q *query, p place) *reply {
	f := p.shape.byName[q.config.child]
	if f == nil || f.kindOf != childTable {
		// An unencoded slash in a name ends here too (U).
		return d.refusal(q, p, notUnderstood())
	}
	e := d.findVisible(p.shape, q.view(), q.config.key)
	if e == nil && p.shape.kind == catalog.Singleton {
		e = newEntry()
	}
	if e == nil {
		return d.refusal(q, p, missing())
	}
	if q.method == http.MethodGet {
		return d.readChild(q, p, f, e)
	}
	before := d.revision(p)
	key, no := d.changeChild(q, p, f, e)
	if no != nil {
		return d.refusal(q, p, no)
	}
	return d.changed(q, p, before, key)
}

// changeChild adds, changes or deletes child rows (C). A row that has only its
// key cannot be changed (C).
func (d *Device) changeChild(q *query, p place, f *field, e *entry) (any, *Refusal) {
	if !p.shape.takes(http.MethodPut) {
		return nil, wrongVerb()
	}
	rows := slices.Clone(e.rows(f.Name))
	at := slices.IndexFunc(rows, func(r *entry) bool { return keyText(r.values[f.child.key]) == q.config.childKey })
	named := q.config.childKey != ""
	if action := q.values.Get("action"); action != "" {
		return d.moveChild(q, p, f, e, rows, at)
	}
	switch {
	case q.method == http.MethodDelete && !named:
		rows = nil // the whole child table, as a purge (D)
	case named && at < 0:
		return nil, missing()
	case q.method == http.MethodDelete:
		rows = slices.Delete(rows, at, at+1)
	case q.method == http.MethodPut && named && !f.child.onlyKey():
		return q.config.childKey, d.putChild(q, p, f, e, rows, at)
	case q.method == http.MethodPost && !named:
		return d.postChild(q, p, f, e, rows)
	default:
		return nil, wrongVerb()
	}
	return q.config.childKey, d.commitRows(p, q.config.key, f, e, rows)
}

// moveChild moves a child row before or after another (D), where the order of
// the child table means something.
func (d *Device) moveChild(q *query, p place, f *field, e *entry, rows []*entry, at int) (any, *Refusal) {
	before, after := q.values.Get("before"), q.values.Get("after")
	if q.values.Get("action") != "move" || q.method != http.MethodPut || !f.child.movable || (before == "") == (after == "") {
		return nil, invalidRequest()
	}
	if at < 0 {
		return nil, missing()
	}
	row := rows[at]
	rows = slices.Delete(rows, at, at+1)
	to := slices.IndexFunc(rows, func(r *entry) bool { return keyText(r.values[f.child.key]) == before+after })
	if to < 0 {
		return nil, refused(-3, "entry not found in table\n") // (?)
	}
	if after != "" {
		to++
	}
	return q.config.childKey, d.commitRows(p, q.config.key, f, e, slices.Insert(rows, to, row))
}

func (d *Device) putChild(q *query, p place, f *field, e *entry, rows []*entry, at int) *Refusal {
	body, err := decodeObject(q.body)
	if err != nil {
		return notUnderstood()
	}
	row := rows[at].clone()
	if no := d.apply(f.child, row, body, p.writing()); no != nil {
		return no
	}
	rows[at] = row
	return d.commitRows(p, q.config.key, f, e, rows)
}

func (d *Device) postChild(q *query, p place, f *field, e *entry, rows []*entry) (any, *Refusal) {
	body, err := decodeObject(q.body)
	if err != nil {
		return nil, notUnderstood()
	}
	more, no := d.addRow(f.child, rows, body, p.writing())
	if no != nil {
		return nil, no
	}
	if len(more) == len(rows) {
		return nil, duplicate()
	}
	return d.mkeyOf(more[len(more)-1].values[f.child.key]), d.commitRows(p, q.config.key, f, e, more)
}

func (d *Device) commitRows(p place, key string, f *field, old *entry, rows []*entry) *Refusal {
	e := old.clone()
	e.set(f, rows)
	if p.table.find(key) == nil {
		p.table.add(key, old)
	}
	return d.commit(p, key, old, e)
}
