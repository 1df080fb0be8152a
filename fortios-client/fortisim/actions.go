package fortisim

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// inspect answers a GET with an action (D: the names; beyond schema the shape of
// the results is not recorded, I). False if the device has no such action.
func (d *Device) inspect(q *query, p place, action string) (*reply, bool) {
	switch action {
	case "schema":
		return d.schema(q, p), true
	case "default":
		return d.actionReply(q, p, action, d.render(p.shape, nil, aspect{})), true
	case "json-schema":
		if !atLeast(d.options.Version, 7, 0, 0) {
			return nil, false
		}
		return d.actionReply(q, p, action, jsonSchemaOf(p.shape)), true
	case "revision":
		return d.actionReply(q, p, action, nil), true
	case "stats":
		return d.actionReply(q, p, action, d.statsOf(p)), true
	case "meta":
		e := d.findVisible(p.shape, q.view(), q.config.key)
		if p.shape.key == "" || q.config.key == "" || e == nil {
			return d.refusal(q, p, missing()), true
		}
		a := aspect{users: d.userCounts(p.shape, q.vdom)}
		return d.actionReply(q, p, action, d.metaOf(p.shape, e, a)), true
	case "datasource":
		return d.actionReply(q, p, action, d.candidates(p.shape.byName[q.values.Get("attr")], q.vdom)), true
	}
	return nil, false
}

func (d *Device) actionReply(q *query, p place, action string, results any) *reply {
	r := d.opening(q)
	r.body.put("action", action)
	r.add("revision", d.revision(p))
	if results != nil {
		r.add("results", results)
	}
	return d.closing(r, q, nil)
}

// put replaces a member, or adds it.
func (o *object) put(name string, value any) {
	for i := range *o {
		if (*o)[i].name == name {
			(*o)[i].value = value
			return
		}
	}
	*o = append(*o, member{name, value})
}

func (d *Device) statsOf(p place) object {
	return object{
		{"current", p.table.size()},
		{"max_table_size_vdom", p.shape.limits.VDOM},
		{"max_table_size_global", p.shape.limits.Global},
	}
}

// candidates are the objects that an attribute may name.
func (d *Device) candidates(f *field, vdom string) []object {
	out := []object{}
	if f == nil {
		return out
	}
	refs := f.Refs
	if f.child != nil && f.child.byName[f.child.key] != nil {
		refs = f.child.byName[f.child.key].Refs
	}
	for _, ref := range refs {
		t, known := d.targetOf(ref)
		if !known || t.child != nil || t.shape.key == "" {
			continue
		}
		source := ref[:strings.LastIndexByte(ref, '.')]
		for e := range each(d.visible(t.shape, vdom)) {
			key := e.values[t.shape.key]
			out = append(out, object{{t.shape.key, key}, {"q_origin_key", key}, {"datasource", source}})
		}
	}
	return out
}

// jsonSchemaOf is a small JSON Schema of a resource.
func jsonSchemaOf(s *shape) object {
	properties := object{}
	var required []string
	for _, f := range s.fields {
		if f.display() {
			continue
		}
		properties = append(properties, member{f.Name, jsonSchemaNode(f)})
		if f.Required {
			required = append(required, f.Name)
		}
	}
	o := object{{"type", "object"}, {"properties", properties}}
	if s.kind == catalog.Table {
		o = object{{"type", "array"}, {"items", o}}
	}
	if len(required) > 0 {
		o = append(o, member{"required", required})
	}
	return o
}

func jsonSchemaNode(f *field) object {
	switch {
	case f.child != nil:
		return jsonSchemaOf(f.child)
	case f.kindOf == intValue:
		o := object{{"type", "integer"}}
		if f.Min != nil && f.Max != nil {
			o = append(o, member{"minimum", *f.Min}, member{"maximum", *f.Max})
		}
		return o
	case f.kindOf == optionValue && !f.Multi:
		return object{{"type", "string"}, {"enum", slices.Clone(f.options)}}
	case f.Size > 0:
		return object{{"type", "string"}, {"maxLength", f.Size}}
	}
	return object{{"type", "string"}}
}

// parameters are the query parameters that the vendor's description has for
// reads of the configuration (D).
var parameters = []string{
	"access_token", "acs", "action", "attr", "count", "datasource", "exclude-default-values", "filter", "format", "global", "key",
	"mkey", "pattern", "plain-text-password", "scope", "search", "skip", "skip_to", "sort", "start", "transaction-id",
	"unfiltered_count", "vdom", "with_contents_hash", "with_meta",
}

// strange says that a read has a parameter that is not documented.
func (q *query) strange() bool {
	for name := range q.values {
		if !slices.Contains(parameters, name) {
			return true
		}
	}
	return false
}
