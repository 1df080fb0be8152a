package fake

import (
	"reflect"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/core/wire"
)

// write carries out a request that changes something.
func (d *Device) write(t target, r wire.Request) answer {
	if t.resource.Kind == schema.Singleton {
		d.singleton(t) // so that its coming to life is no change
	}
	before := d.rows.copied()
	mkey, no := d.writeTo(t, r)
	a := answer{status: statusOK, mkey: mkey}
	if no != nil {
		d.rows = before
		a = no.answer()
		a.mkey = t.key
	}
	changed := !reflect.DeepEqual(before, d.rows)
	a.vdom, a.changed = t.vdom, &changed
	return a
}

func (d *Device) writeTo(t target, r wire.Request) (mkey string, no *refusal) {
	single := t.resource.Kind == schema.Singleton
	switch {
	case t.resource.Kind == schema.Monitor:
		return "", d.act(t, r)
	case t.resource.ReadOnly:
		return "", wrongVerb()
	case r.Method == "POST" && t.key == "" && !single:
		return d.create(t, r.Body)
	case r.Method == "PUT" && single:
		return "", d.updateSingleton(t, r.Body)
	case r.Method == "PUT" && t.key != "" && queryValue(r, "action") == "move":
		return t.key, d.move(t, queryValue(r, "before"), queryValue(r, "after"))
	case r.Method == "PUT" && t.key != "":
		return d.update(t, r.Body)
	case r.Method == "DELETE" && t.key != "":
		return t.key, d.delete(t)
	case r.Method == "DELETE" && !single:
		d.purge(t)
		return "", nil
	}
	return "", wrongVerb()
}

func (d *Device) create(t target, body map[string]any) (mkey string, no *refusal) {
	r, rows := t.resource, d.rows[t.at]
	key := body[r.Key]
	if s := plainText(key); r.IntegerKey() && (s == "" || s == "0") {
		key = nextID(rows, r.Key)
	}
	if plainText(key) == "" {
		return "", mustBeSet(r.Key)
	}
	if a, known := r.Attribute(r.Key); known {
		if key, no = d.coerce(a, key, nil, t.vdom); no != nil {
			return "", no
		}
	}
	if d.rows.index(t.at, r.Key, plainText(key)) >= 0 {
		return "", duplicate()
	}
	fresh := d.defaults(r.Attributes)
	fresh[r.Key] = key
	out, no := d.change(r.Attributes, r.Key, fresh, body, t.vdom)
	if no != nil {
		return "", no
	}
	d.rows[t.at] = append(rows, out)
	return plainText(key), nil
}

func (d *Device) update(t target, body map[string]any) (mkey string, no *refusal) {
	r := t.resource
	i := d.rows.index(t.at, r.Key, t.key)
	if i < 0 {
		return "", missing()
	}
	out, no := d.change(r.Attributes, r.Key, d.rows[t.at][i], body, t.vdom)
	if no != nil {
		return "", no
	}
	d.rows[t.at][i] = out
	if to := plainText(body[r.Key]); to != "" && to != t.key {
		return to, d.rename(t, i, body[r.Key])
	}
	return t.key, nil
}

// rename gives a row another key; what names it follows.
func (d *Device) rename(t target, i int, key any) *refusal {
	to := plainText(key)
	if d.rows.index(t.at, t.resource.Key, to) >= 0 {
		return duplicate()
	}
	if a, known := t.resource.Attribute(t.resource.Key); known {
		var no *refusal
		if key, no = d.coerce(a, key, nil, t.vdom); no != nil {
			return no
		}
	}
	out := clonedObject(d.rows[t.at][i])
	out[t.resource.Key] = key
	d.rows[t.at][i] = out
	for _, u := range d.users(t.at, t.key) {
		d.rows[u.at][u.row] = renamed(u.resource.Attributes, d.rows[u.at][u.row], t.at.resource, t.key, to)
	}
	return nil
}

func (d *Device) updateSingleton(t target, body map[string]any) *refusal {
	out, no := d.change(t.resource.Attributes, "", d.singleton(t), body, t.vdom)
	if no == nil {
		d.rows[t.at] = []row{out}
	}
	return no
}

// singleton is the one object of a resource without a key; it always exists.
func (d *Device) singleton(t target) row {
	if len(d.rows[t.at]) == 0 {
		d.rows[t.at] = []row{d.defaults(t.resource.Attributes)}
	}
	return d.rows[t.at][0]
}

func (d *Device) delete(t target) *refusal {
	i := d.rows.index(t.at, t.resource.Key, t.key)
	if i < 0 {
		return missing()
	}
	if users := d.users(t.at, t.key); len(users) > 0 {
		return inUse(len(users))
	}
	d.rows[t.at] = without(d.rows[t.at], i)
	return nil
}

// purge is what a delete without a key does: every row that nothing names goes.
func (d *Device) purge(t target) {
	var kept []row
	for _, r := range d.rows[t.at] {
		if len(d.users(t.at, keyText(r, t.resource.Key))) > 0 {
			kept = append(kept, r)
		}
	}
	d.rows[t.at] = kept
}

func (d *Device) move(t target, before, after string) *refusal {
	key, anchor := t.resource.Key, before+after
	if !t.resource.Ordered || (before == "") == (after == "") {
		return refused(-10000, "Invalid action\n")
	}
	i, j := d.rows.index(t.at, key, t.key), d.rows.index(t.at, key, anchor)
	switch {
	case i < 0:
		return missing()
	case j < 0:
		return refused(-3, "entry %s is not found\n", anchor)
	case i == j:
		return nil
	}
	moved := d.rows[t.at][i]
	rest := without(d.rows[t.at], i)
	at := indexOf(rest, key, anchor)
	if after != "" {
		at++
	}
	d.rows[t.at] = append(append(append([]row{}, rest[:at]...), moved), rest[at:]...)
	return nil
}

func indexOf(rows []row, key, value string) int {
	return store{place{}: rows}.index(place{}, key, value)
}

func without(rows []row, i int) []row {
	return append(append([]row{}, rows[:i]...), rows[i+1:]...)
}

// act calls a monitor endpoint with POST.
func (d *Device) act(t target, r wire.Request) *refusal {
	if r.Method != "POST" {
		return wrongVerb()
	}
	for _, c := range t.resource.Calls {
		if c.Method != "POST" || !isCall(t.resource, c, t.at.resource) {
			continue
		}
		if do := d.actions[t.at.resource]; do != nil {
			if err := do(clonedObject(r.Body)); err != nil {
				return refused(-1, "%s\n", err)
			}
		}
		return nil
	}
	return wrongVerb()
}

// isCall reports whether a path is that of a call: the endpoint's own, with the
// action behind it where the call has one. A catalog may describe such a path by
// itself.
func isCall(r *schema.Resource, c schema.Call, path string) bool {
	own := r.Path
	if c.Action != "" && !strings.HasSuffix(own, "/"+c.Action) {
		own += "/" + c.Action
	}
	return own == path
}

// row finds a row by key; the zero key means a singleton.
func (d *Device) row(t target, key operation.Key) (row, bool) {
	if t.resource.Kind == schema.Singleton {
		return d.singleton(t), true
	}
	i := d.rows.index(t.at, t.resource.Key, key.String())
	if i < 0 {
		return nil, false
	}
	return d.rows[t.at][i], true
}
