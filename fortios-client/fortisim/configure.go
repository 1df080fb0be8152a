package fortisim

import (
	"net/http"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// configure answers a request to the configuration.
func (d *Device) configure(q *query) *reply {
	p, no := d.placeOf(q.config.path, q.vdom)
	if no != nil {
		return d.refusal(q, place{}, no)
	}
	p.global = q.global
	if d.missesSlash(q) {
		return d.refusal(q, p, missing())
	}
	if p.shape.kind == catalog.Singleton && q.config.key+q.config.child != "" && !q.shifted {
		q.config, q.shifted = q.config.singleton(), true
	}
	switch {
	case q.method == http.MethodGet && q.config.child != "":
		return d.child(q, p)
	case q.method == http.MethodGet:
		return d.read(q, p)
	case d.passwordMissing(q):
		return d.refusal(q, p, passwordRequired())
	case q.header.Get(transactionHeader) != "":
		return d.enroll(q, p)
	}
	return d.write(q)
}

// write carries out a request that changes something.
func (d *Device) write(q *query) *reply {
	p, no := d.placeOf(q.config.path, q.vdom)
	if no != nil {
		return d.refusal(q, place{}, no)
	}
	p.global = q.global
	if q.config.child != "" {
		return d.child(q, p)
	}
	switch q.method {
	case http.MethodPost, http.MethodPut, http.MethodDelete:
		if p.shape.takes(q.method) {
			return d.change(q, p)
		}
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
		return d.act(q, p, action)
	}
	if q.method == http.MethodDelete {
		if key == "" {
			d.purge(p)
			return nil, nil
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
		return d.mkeyOf(made), no
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

func invalidRequest() *Refusal {
	return &Refusal{Status: http.StatusInternalServerError, Number: -10002, CLI: "invalid request\n"}
}
