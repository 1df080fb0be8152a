package fortisim

import (
	"cmp"
	"strings"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// objectUsage says who uses an object and who could (U: members as clients of
// 7.0.14 saw them). A table or key that does not exist is not an error: the
// list is just empty (U), and reference_count is always 0 (U).
func objectUsage(d *Device, q *query) (any, *Refusal) {
	s, err := d.shapeOf(q.values.Get("q_path") + "/" + q.values.Get("q_name"))
	if err != nil || s.key == "" {
		return object{{"can_use", []object{}}, {"currently_using", []object{}}, {"q_types", []any{}}}, nil
	}
	using := []object{}
	key := q.values.Get("mkey")
	if d.findVisible(s, q.view(), key) != nil {
		for _, u := range d.users(s, q.vdom, key) {
			using = append(using, d.usingRow(u))
		}
	}
	return object{
		{"can_use", d.canUse(s)},
		{"currently_using", using},
		{"q_types", []any{}},
	}, nil
}

func (d *Device) usingRow(u site) object {
	path, name := u.shape.words()
	vdom := u.vdom
	if u.shape.shared() {
		vdom = d.options.VDOMs[0]
	}
	return object{
		{"path", path},
		{"name", name},
		{"reference_count", 0},
		{"static", false},
		{"table_type", category(u.shape.kind)},
		{"mkey", u.key},
		{"vdom", vdom},
		{"range", cmp.Or(u.shape.scope, "vdom")},
		{"attribute", u.attribute},
	}
}

// canUse are the tables whose facts let them refer to s.
func (d *Device) canUse(s *shape) []object {
	if d.referrers == nil {
		d.referrers = d.findReferrers()
	}
	out := d.referrers[strings.ReplaceAll(s.path, "/", ".")+"."+s.key]
	if out == nil {
		return []object{}
	}
	return out
}

// findReferrers looks through all facts of the catalog; that takes a while, so
// it is done once a release, when somebody asks.
func (d *Device) findReferrers() map[string][]object {
	out := map[string][]object{}
	for e := range d.facts.Entries("") {
		if e.Kind == catalog.Monitor {
			continue
		}
		r, err := d.facts.Resource(e.Path)
		if err != nil || !r.Covers(d.options.Version) {
			continue
		}
		path, name, _ := strings.Cut(e.Path, "/")
		refs := map[string]bool{}
		d.collectRefs(r.Attributes, refs)
		for ref := range refs {
			out[ref] = append(out[ref], object{{"path", path}, {"name", name}, {"range", cmp.Or(r.Scope, "vdom")}})
		}
	}
	return out
}

func (d *Device) collectRefs(attributes []catalog.Attribute, into map[string]bool) {
	for i := range attributes {
		if !attributes[i].Covers(d.options.Version) {
			continue
		}
		for _, ref := range attributes[i].Refs {
			into[ref] = true
		}
		d.collectRefs(attributes[i].Attributes, into)
	}
}
