package fake

import (
	"github.com/forti-mcp/forti/core/schema"
)

// refers reports whether a value that names a row names one that exists. Where
// the device knows none of the tables that may hold it, nothing can be said and
// it counts as existing; "any" is a name that interfaces have by themselves.
func (d *Device) refers(a *schema.Attribute, value, vdom string) bool {
	if value == "" || value == plainText(a.Default) || len(a.Refs) == 0 {
		return true
	}
	known := false
	for _, ref := range a.Refs {
		r, no := d.resource(ref.Path)
		if no != nil {
			continue
		}
		known = true
		if value == "any" && ref.Path == "system/interface" {
			return true
		}
		if d.rows.index(place{ref.Path, home(r, vdom)}, ref.Attribute, value) >= 0 {
			return true
		}
	}
	return !known
}

// use is one place that names a row.
type use struct {
	at        place
	resource  *schema.Resource
	row       int
	attribute string
}

// users finds everything that names a row, in a stable order. Rows of a table
// within a virtual domain can be named in that domain only.
func (d *Device) users(target place, value string) []use {
	var found []use
	for _, at := range d.rows.places() {
		r, no := d.resource(at.resource)
		if no != nil || target.vdom != "" && at.vdom != "" && at.vdom != target.vdom {
			continue
		}
		for i, row := range d.rows[at] {
			for _, name := range naming(r.Attributes, row, target.resource, value) {
				found = append(found, use{at: at, resource: r, row: i, attribute: name})
			}
		}
	}
	return found
}

// naming lists the attributes of a row that name a row of another table.
func naming(attributes []schema.Attribute, object map[string]any, path, value string) []string {
	var names []string
	for i := range attributes {
		a := &attributes[i]
		switch v := object[a.Name].(type) {
		case []any:
			for _, item := range v {
				child, _ := item.(map[string]any)
				if len(naming(a.Attributes, child, path, value)) > 0 {
					names = append(names, a.Name)
					break
				}
			}
		case map[string]any:
			if len(naming(a.Attributes, v, path, value)) > 0 {
				names = append(names, a.Name)
			}
		default:
			if v != nil && plainText(v) == value && pointsTo(a, path) {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

func pointsTo(a *schema.Attribute, path string) bool {
	for _, ref := range a.Refs {
		if ref.Path == path {
			return true
		}
	}
	return false
}

// renamed gives an object in which every name of a row is replaced.
func renamed(attributes []schema.Attribute, object map[string]any, path, from, to string) map[string]any {
	out := clonedObject(object)
	for i := range attributes {
		a := &attributes[i]
		switch v := out[a.Name].(type) {
		case []any:
			for j, item := range v {
				if child, ok := item.(map[string]any); ok {
					v[j] = renamed(a.Attributes, child, path, from, to)
				}
			}
		case map[string]any:
			out[a.Name] = renamed(a.Attributes, v, path, from, to)
		default:
			if v != nil && plainText(v) == from && pointsTo(a, path) {
				out[a.Name] = to
			}
		}
	}
	return out
}
