// Package schema describes FortiOS resources as values: attributes, types,
// limits and the releases that have them. It holds no catalog data; adapters
// fill it, the domain reads it.
package schema

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind tells tables, singletons and monitor endpoints apart.
type Kind string

// The kinds of resource.
const (
	Table     Kind = "table"
	Singleton Kind = "singleton"
	Monitor   Kind = "monitor"
)

// Version is a FortiOS release. The zero value means "no particular release".
type Version struct {
	Major, Minor, Patch int
}

// ParseVersion reads "7.4.8" or the device's "v7.4.8"; ok is false for anything else.
func ParseVersion(text string) (v Version, ok bool) {
	parts := strings.Split(strings.TrimPrefix(text, "v"), ".")
	if len(parts) != 3 {
		return Version{}, false
	}
	var n [3]int
	for i, part := range parts {
		x, err := strconv.Atoi(part)
		if err != nil || x < 0 || x > 999 || strconv.Itoa(x) != part {
			return Version{}, false
		}
		n[i] = x
	}
	v = Version{n[0], n[1], n[2]}
	return v, !v.IsZero()
}

// IsZero reports whether v names no release.
func (v Version) IsZero() bool { return v == Version{} }

// String is "7.4.8", or "" for the zero version.
func (v Version) String() string {
	if v.IsZero() {
		return ""
	}
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
}

// Compare orders releases like cmp.Compare.
func (v Version) Compare(w Version) int {
	a := [3]int{v.Major, v.Minor, v.Patch}
	for i, b := range [3]int{w.Major, w.Minor, w.Patch} {
		if a[i] != b {
			if a[i] < b {
				return -1
			}
			return 1
		}
	}
	return 0
}

// Resource is a table, a singleton or a monitor endpoint as one release has it,
// or, where it was looked up without a release, as all releases together have it.
type Resource struct {
	Path string
	Kind Kind
	// Key and KeyType are the key attribute of a table; KeyType is "integer" or "string".
	Key     string
	KeyType string
	Group   string
	// Scope is the device's own word: vdom, global, both, global-vdom, or "" where unknown.
	Scope string
	// Ordered tables have rows whose order matters and can be moved.
	Ordered  bool
	ReadOnly bool
	// Releases says in words which releases have the resource; empty: all known ones.
	Releases   string
	Methods    []string
	Attributes []Attribute
	// Calls is filled for monitor endpoints only.
	Calls []Call
}

// Attribute is one attribute of a resource or of a child table.
type Attribute struct {
	Name string
	// Type is the device's own name (string, integer, option, ipv4-classnet, …);
	// "table" is a list of keyed objects, "complex" one object.
	Type string
	// Multi: the value is a list, written as words with spaces between.
	Multi bool
	// Size is the greatest length of a text in bytes; 0: unknown.
	Size int
	// Min and Max bound an integer; nil: unknown.
	Min, Max *int64
	// Default is a string or an int64; nil: none known.
	Default any
	Options []Option
	// Refs are tables that a value may name, as "firewall/address", with the
	// attribute named: {Path: "firewall/address", Attribute: "name"}.
	Refs     []Ref
	Required bool
	Secret   bool
	ReadOnly bool
	Releases string
	// Uncertain: it is not known whether the release that was asked for has it.
	Uncertain bool
	// Key and KeyType are those of a child table's rows.
	Key        string
	KeyType    string
	Attributes []Attribute
}

// Option is one permitted value.
type Option struct {
	Value    string
	Releases string
	// Uncertain: it is not known whether the release that was asked for has it.
	Uncertain bool
}

// Ref is a table whose key a value may name.
type Ref struct {
	Path, Attribute string
}

// Call is one request of a monitor endpoint.
type Call struct {
	Method  string
	Action  string
	Class   string
	Reveals bool
	Params  []Param
}

// Param is one parameter of a call.
type Param struct {
	Name     string
	Type     string
	Required bool
	// In is "query" or "body".
	In      string
	Options []string
	Secret  bool
}

// Attribute finds an attribute by name.
func (r *Resource) Attribute(name string) (*Attribute, bool) {
	return find(r.Attributes, name)
}

// Find follows a path of names such as "member/name".
func (r *Resource) Find(path string) (*Attribute, bool) {
	attributes := r.Attributes
	var a *Attribute
	for name := range strings.SplitSeq(path, "/") {
		var ok bool
		if a, ok = find(attributes, name); !ok {
			return nil, false
		}
		attributes = a.Attributes
	}
	return a, a != nil
}

// Attribute finds a child attribute by name.
func (a *Attribute) Attribute(name string) (*Attribute, bool) {
	return find(a.Attributes, name)
}

// IsTable reports whether the value is a list of keyed objects.
func (a *Attribute) IsTable() bool { return a.Type == "table" }

func find(attributes []Attribute, name string) (*Attribute, bool) {
	for i := range attributes {
		if attributes[i].Name == name {
			return &attributes[i], true
		}
	}
	return nil, false
}

// IntegerKey reports whether rows are keyed by integers.
func (r *Resource) IntegerKey() bool { return r.KeyType == "integer" }
