package fortisim

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// shape is what the device knows of a table, a singleton, a child table or a
// nested object: the catalog's facts of one release, ready for use.
type shape struct {
	path    string // of the resource; for a child, of the resource it is in
	name    string // of the child; empty for a resource
	kind    catalog.Kind
	key     string
	keyType string
	scope   string
	group   string
	methods []string
	limits  catalog.Limits
	movable bool
	locked  bool // read-only as a whole
	fields  []*field
	byName  map[string]*field
	refs    map[string]bool // what it may refer to, as far as asked
}

// field is an attribute.
type field struct {
	*catalog.Attribute
	def     any    // the default, of the type that the store holds
	child   *shape // of a child table or nested object
	kindOf  valueKind
	options []string
}

// valueKind sorts the catalog's types by how values are kept.
type valueKind int

const (
	textValue valueKind = iota
	intValue
	optionValue
	addressValue
	secretValue
	childTable
	nestedObject
)

// shapeOf is the shape of a resource in the device's release.
func (d *Device) shapeOf(path string) (*shape, error) {
	if s, ok := d.shapes[path]; ok {
		return s, nil
	}
	r, err := d.facts.ResourceAt(path, d.options.Version)
	if err != nil {
		return nil, err
	}
	s := newShape(r.Path, "", r.Attributes)
	s.kind, s.key, s.keyType, s.scope, s.group = r.Kind, r.Key, r.KeyType, r.Scope, r.Group
	s.methods, s.limits, s.movable, s.locked = r.Methods, r.Limits, r.Movable, r.ReadOnly
	d.shapes[path] = s
	return s, nil
}

func newShape(path, name string, attributes []catalog.Attribute) *shape {
	s := &shape{path: path, name: name, byName: make(map[string]*field, len(attributes)), refs: map[string]bool{}}
	for i := range attributes {
		f := newField(path, &attributes[i])
		s.fields = append(s.fields, f)
		if !f.display() {
			s.byName[f.Name] = f
		}
	}
	return s
}

func newField(path string, a *catalog.Attribute) *field {
	f := &field{Attribute: a, kindOf: kindOf(a)}
	for _, o := range a.Options {
		f.options = append(f.options, o.Value)
	}
	if f.kindOf == childTable || f.kindOf == nestedObject {
		f.child = newShape(path, a.Name, a.Attributes)
		f.child.key, f.child.keyType = a.Key, a.KeyType
		f.child.limits, f.child.movable = a.Limits, a.Movable
		f.child.kind = catalog.Singleton
		if f.kindOf == childTable {
			f.child.kind = catalog.Table
		}
	}
	f.def = defaultOf(f)
	return f
}

func kindOf(a *catalog.Attribute) valueKind {
	switch {
	case a.Type == "table":
		return childTable
	case a.Type == "complex":
		return nestedObject
	case a.Secret || strings.Contains(a.Type, "password"):
		return secretValue
	case a.Type == "integer" && !a.Multi:
		return intValue
	case a.Type == "option" && len(a.Options) > 0:
		return optionValue
	case addressForms[a.Type] != nil && !a.Multi:
		return addressValue
	}
	return textValue
}

// defaultOf is the catalog's default, else the empty value of the type.
func defaultOf(f *field) any {
	var given any
	if len(f.Default) > 0 && json.Unmarshal(f.Default, &given) == nil {
		switch v := given.(type) {
		case float64:
			if f.kindOf == intValue {
				return int64(v)
			}
			return string(f.Default)
		case string:
			return v
		}
	}
	switch f.kindOf {
	case intValue:
		if f.Min == nil {
			return int64(0) // the facts know neither range nor default (I)
		}
	case childTable:
		return []*entry(nil)
	case nestedObject:
		return (*entry)(nil)
	case textValue, optionValue, secretValue, addressValue:
	}
	// The facts leave empty defaults out: an unset integer or address reads ""
	// where they have none (R: icmptype, router-id).
	return ""
}

// takes says whether the device serves a method at this path.
func (s *shape) takes(method string) bool {
	if method == "GET" {
		return true
	}
	if s.locked || s.kind == catalog.Singleton && method != "PUT" {
		return false
	}
	return len(s.methods) == 0 || slices.Contains(s.methods, method)
}

// display says that the attribute is only a listing of the CLI: it is in the
// schema (R) and in no answer (R) or configuration.
func (f *field) display() bool { return f.Type == "key" }

// database says that the rows come from the vendor, not from a client: the
// simulator does not hold them all.
func (s *shape) database() bool { return s.kind == catalog.Table && !s.takes("POST") }

// shared says that the table exists once for the whole device.
func (s *shape) shared() bool { return s.scope == "global" || s.scope == "both" }

// onlyKey says that a child table has nothing but keys: a list of members.
func (s *shape) onlyKey() bool { return len(s.fields) == 1 && s.fields[0].Name == s.key }

// words are the two parts of a path: "firewall.service", "custom".
func (s *shape) words() (path, name string) {
	path, name, _ = strings.Cut(s.path, "/")
	return path, name
}
