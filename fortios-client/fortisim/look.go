package fortisim

import (
	"maps"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// Get is the object at path and key as an answer would show it, defaults
// included; key is "" for a singleton. Lists are []any, numbers int64. A secret
// that is set reads "ENC XXXX"; see Secret. False if there is none.
func (d *Device) Get(vdom, path, key string) (map[string]any, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, no := d.placeOf(path, vdom)
	if no != nil {
		return nil, false
	}
	e := d.findVisible(p.shape, vdom, key)
	if e == nil && p.shape.kind != catalog.Singleton {
		return nil, false
	}
	return plain(d.render(p.shape, e, aspect{})), true
}

// Rows are all objects of a table in their order, each as Get gives it. They
// are empty for a table that the release does not have.
func (d *Device) Rows(vdom, path string) []map[string]any {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, no := d.placeOf(path, vdom)
	if no != nil {
		return nil
	}
	var out []map[string]any
	for e := range each(d.visible(p.shape, vdom)) {
		out = append(out, plain(d.render(p.shape, e, aspect{})))
	}
	return out
}

// Secret is a secret attribute in clear; tests use it to see that a change did
// not touch it. False if it is not set.
func (d *Device) Secret(vdom, path, key, attribute string) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, no := d.placeOf(path, vdom)
	if no != nil {
		return "", false
	}
	e := d.findVisible(p.shape, vdom, key)
	if e == nil {
		return "", false
	}
	text := e.text(attribute)
	return text, text != ""
}

// Put creates an object or changes the named attributes of one that exists, as
// another administrator would: with the same checks, but it may set read-only
// attributes. Key is "" for a singleton and for a device-numbered new object.
// The error is a *Refusal.
func (d *Device) Put(vdom, path, key string, values map[string]any) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.upsert(vdom, path, key, values)
}

func (d *Device) upsert(vdom, path, key string, values map[string]any) error {
	p, no := d.placeOf(path, vdom)
	if no != nil {
		return located(no, path)
	}
	p.device = true
	body := bodyOf(values)
	if p.shape.kind == catalog.Singleton || p.table.find(key) != nil {
		return located(d.update(p, key, body), path)
	}
	if key != "" {
		body = append(body, member{p.shape.key, key})
	}
	_, no = d.create(p, body)
	return located(no, path)
}

// Delete deletes an object as another administrator would. The error is a
// *Refusal: of an object that is missing, or in use.
func (d *Device) Delete(vdom, path, key string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, no := d.placeOf(path, vdom)
	if no == nil {
		no = d.remove(p, key)
	}
	return located(no, path)
}

// Move puts an object before or after another one, as another administrator
// would.
func (d *Device) Move(vdom, path, key string, before bool, other string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, no := d.placeOf(path, vdom)
	if no == nil {
		no = d.shift(p, key, before, other)
	}
	return located(no, path)
}

// Snapshot is the whole configuration as text. Two snapshots are equal exactly
// if the configurations are: uuids, the ids of child rows and the order of rows
// where order means nothing are left out, and secrets are replaced by marks
// that differ where the secrets do.
func (d *Device) Snapshot() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var b strings.Builder
	w := &configWriter{device: d, out: &b, secret: secretMark, canonical: true}
	d.writeAll(w, true)
	return b.String()
}

// located turns a refusal into an error that says where.
func located(no *Refusal, path string) error {
	if no == nil {
		return nil
	}
	no.Where = path
	return no
}

// bodyOf is a body in the order of names, so that it does not depend on Go's
// random order of maps.
func bodyOf(values map[string]any) object {
	o := object{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		o = append(o, member{name, wireValue(values[name])})
	}
	return o
}
