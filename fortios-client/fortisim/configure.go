package fortisim

import (
	"net/http"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// configure answers a request to the configuration.
func (d *Device) configure(q *query) *reply {
	s, err := d.shapeOf(q.config.path)
	if err != nil {
		return d.refusal(q, place{}, missing())
	}
	if s.kind == catalog.Singleton {
		q.config = q.config.singleton()
	}
	p := place{vdom: q.vdom, shape: s, table: d.tableOf(s, q.vdom)}
	if q.config.child != "" {
		return d.child(q, p)
	}
	switch q.method {
	case http.MethodGet:
		return d.read(q, p)
	case http.MethodPost, http.MethodPut, http.MethodDelete:
		if !s.takes(q.method) {
			return d.refusal(q, p, wrongVerb())
		}
		return d.change(q, p)
	}
	return d.refusal(q, p, wrongVerb())
}

// change carries out a write.
func (d *Device) change(q *query, p place) *reply {
	before := d.revision(p)
	key, no := d.carryOut(q, p)
	if no != nil {
		return d.refusal(q, p, no)
	}
	return d.changed(q, p, before, key)
}

// carryOut gives the key that the answer echoes.
func (d *Device) carryOut(q *query, p place) (any, *Refusal) {
	key := q.config.key
	if action := q.values.Get("action"); action != "" {
		return key, d.act(q, p, action)
	}
	if q.method == http.MethodDelete {
		if key == "" {
			return nil, d.purge(p)
		}
		if d.findVisible(p.shape, q.view(), key) == nil {
			return nil, missing()
		}
		return key, d.remove(p, key)
	}
	body, err := decodeObject(q.body)
	if err != nil {
		return nil, notUnderstood()
	}
	if q.method == http.MethodPost {
		if key != "" {
			return nil, wrongVerb()
		}
		made, no := d.create(p, body)
		return mkeyOf(made), no
	}
	return d.put(q, p, body)
}

// put changes a row or a singleton. A table without a key is 405 (R).
func (d *Device) put(q *query, p place, body object) (any, *Refusal) {
	key := q.config.key
	if p.shape.kind == catalog.Singleton {
		return nil, d.update(p, "", body)
	}
	if key == "" {
		return nil, wrongVerb()
	}
	if d.findVisible(p.shape, q.view(), key) == nil {
		return nil, missing()
	}
	return key, d.update(p, key, body)
}

// act carries out action=move (D). What the device does not know is an
// "invalid request" (D; the number is of the tables).
func (d *Device) act(q *query, p place, action string) *Refusal {
	before, after := q.values.Get("before"), q.values.Get("after")
	one := (before == "") != (after == "")
	if action != "move" || q.method != http.MethodPut || !p.shape.movable || q.config.key == "" || !one {
		return invalidRequest()
	}
	return d.shift(p, q.config.key, before != "", before+after)
}

func invalidRequest() *Refusal {
	return &Refusal{Status: http.StatusInternalServerError, Number: -10002, CLI: "invalid request\n"}
}
