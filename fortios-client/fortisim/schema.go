package fortisim

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// schema answers action=schema in the device's own form (R: 7.2.8 dumps).
// Members whose values the catalog does not hold (help texts, q_type) are left
// out or, for q_type, 0.
func (d *Device) schema(q *query, p place) *reply {
	r := d.opening(q)
	r.add("revision", d.revision(p))
	r.add("results", schemaOf(p.shape))
	return d.closing(r, q, nil)
}

func schemaOf(s *shape) object {
	path, name := s.words()
	o := object{{"name", name}, {"path", path}, {"category", category(s.kind)}}
	if s.key != "" {
		o = append(o, member{"mkey", s.key}, member{"mkey_type", s.keyType})
	}
	o = append(o,
		member{"object_range", cmp.Or(s.scope, "vdom")},
		member{"access_group", cmp.Or(s.group, "any")},
		member{"q_type", 0})
	if s.key != "" {
		o = append(o, limitsOf(s.limits)...)
	}
	return append(o, member{"children", childrenOf(s)})
}

// category is "complex" for singletons and nested objects (R).
func category(kind catalog.Kind) string {
	if kind == catalog.Table {
		return "table"
	}
	return "complex"
}

func limitsOf(l catalog.Limits) object {
	return object{
		{"max_table_size_vdom", l.VDOM},
		{"max_table_size_global", l.Global},
		{"max_table_size_item", l.Item},
	}
}

func childrenOf(s *shape) object {
	out := make(object, 0, len(s.fields))
	for _, f := range s.fields {
		if f.display() {
			out = append(out, member{f.Name, object{{"name", f.Name}, {"category", "info-read-only"}, {"type", f.Type}}})
			continue
		}
		if f.child != nil {
			out = append(out, member{f.Name, branchNode(f)})
			continue
		}
		out = append(out, member{f.Name, leafNode(f)})
	}
	return out
}

func branchNode(f *field) object {
	o := object{{"name", f.Name}, {"category", category(f.child.kind)}}
	if f.child.key != "" {
		o = append(o, member{"mkey", f.child.key}, member{"mkey_type", f.child.keyType})
		o = append(o, limitsOf(f.child.limits)...)
	}
	if f.child.onlyKey() {
		o = append(o, member{"member_table", true})
	}
	if f.Required {
		o = append(o, member{"required", true})
	}
	return append(o, member{"children", childrenOf(f.child)})
}

func leafNode(f *field) object {
	o := object{{"name", f.Name}, {"category", "unitary"}, {"type", f.Type}}
	if f.Size > 0 {
		o = append(o, member{"size", f.Size})
	}
	if f.Min != nil && f.Max != nil {
		o = append(o, member{"min-value", *f.Min}, member{"max-value", *f.Max})
	}
	// Texts of free length and passwords show no default (R).
	switch {
	case f.Type == "var-string" || strings.Contains(f.Type, "password"):
	case f.Type == "integer" && len(f.Default) > 0:
		o = append(o, member{"default", json.RawMessage(f.Default)})
	default:
		o = append(o, member{"default", f.def})
	}
	if len(f.options) > 0 {
		options := make([]object, 0, len(f.options))
		for _, name := range f.options {
			options = append(options, object{{"name", name}})
		}
		o = append(o, member{"options", options})
	}
	o = append(o, member{"multiple_values", f.Multi})
	if f.Required {
		o = append(o, member{"required", true})
	}
	if f.ReadOnly {
		o = append(o, member{"readonly", true})
	}
	if len(f.Refs) > 0 {
		o = append(o, member{"datasource", slices.Clone(f.Refs)})
	}
	return o
}
