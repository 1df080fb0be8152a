package catalog

import "strings"

// String is the path.
func (r *Resource) String() string { return r.Path }

// Attribute is the attribute of that name; false if there is none.
func (r *Resource) Attribute(name string) (*Attribute, bool) { return named(r.Attributes, name) }

// Find is Attribute for nested names: "member/name" is the attribute name of
// the child table member.
func (r *Resource) Find(name string) (*Attribute, bool) {
	first, rest, nested := strings.Cut(name, "/")
	a, ok := r.Attribute(first)
	for ok && nested {
		first, rest, nested = strings.Cut(rest, "/")
		a, ok = a.Child(first)
	}
	return a, ok
}

// String is the name.
func (a *Attribute) String() string { return a.Name }

// Child is the attribute of that name of a child table or nested object.
func (a *Attribute) Child(name string) (*Attribute, bool) { return named(a.Attributes, name) }

// Option is the permitted value v; false if it is not permitted, or if the
// attribute has no list of permitted values.
func (a *Attribute) Option(v string) (Option, bool) {
	for _, o := range a.Options {
		if o.Value == v {
			return o, true
		}
	}
	return Option{}, false
}

// String is the method, with the action where the call has one.
func (c Call) String() string {
	if c.Action == "" {
		return c.Method
	}
	return c.Method + " " + c.Action
}

// Call is the call with that method and action; both are part of its identity.
func (e *Endpoint) Call(method, action string) (*Call, bool) {
	for i := range e.Calls {
		if c := &e.Calls[i]; c.Method == method && c.Action == action {
			return c, true
		}
	}
	return nil, false
}

// named scans: the longest list has a few hundred attributes.
func named(list []Attribute, name string) (*Attribute, bool) {
	for i := range list {
		if list[i].Name == name {
			return &list[i], true
		}
	}
	return nil, false
}

// Window is the hull of the entry's window. Of an endpoint it is that of its
// calls, where all agree. The exact window of a resource is in its record.
func (e Entry) Window() Window { return Window{Since: e.Since, Until: e.Until} }
