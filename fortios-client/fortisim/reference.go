package fortisim

import (
	"strings"
)

// site is a place that holds a value of some attribute: what refers to it.
type site struct {
	vdom      string
	shape     *shape
	key       string // of the row that holds it
	attribute string // of that row
}

// target is what a catalog reference such as "system.interface.name" names.
type target struct {
	shape *shape
	child *field // where the rows are in a child table of a singleton
	attr  string
}

// targetOf finds the table of a reference. Dots separate both the parts of a
// path and the child table, so the longest path that exists counts.
func (d *Device) targetOf(ref string) (target, bool) {
	if t, seen := d.targets[ref]; seen {
		return t, t.shape != nil
	}
	t := d.findTarget(strings.Split(ref, "."))
	d.targets[ref] = t
	return t, t.shape != nil
}

func (d *Device) findTarget(parts []string) target {
	last := len(parts) - 1
	for n := last; n >= 2; n-- {
		s, err := d.shapeOf(strings.Join(parts[:n-1], ".") + "/" + parts[n-1])
		if err != nil {
			continue
		}
		t := target{shape: s, attr: parts[last]}
		if n < last {
			t.child = s.byName[parts[n]]
		}
		if n == last || t.child != nil && n == last-1 {
			return t
		}
	}
	return target{}
}

// checkReference refuses a value that names nothing. Where one of the tables is
// a vendor's database the simulator cannot know, and takes it.
func (d *Device) checkReference(f *field, value any, vdom string) *Refusal {
	key := keyText(value)
	if key == "" || key == "0" || d.special(f, key) {
		return nil
	}
	checkable := false
	for _, ref := range f.Refs {
		t, known := d.targetOf(ref)
		if !known || t.shape.database() {
			continue
		}
		checkable = true
		if d.exists(t, vdom, key) {
			return nil
		}
	}
	if checkable {
		return badReference(f.Name, key)
	}
	return nil
}

// special names that stand for no row: any interface.
func (d *Device) special(f *field, key string) bool {
	if key != "any" {
		return false
	}
	for _, ref := range f.Refs {
		if ref == "system.interface.name" {
			return true
		}
	}
	return false
}

func (d *Device) exists(t target, vdom, key string) bool {
	if t.child == nil && t.attr == t.shape.key {
		return d.findVisible(t.shape, vdom, key) != nil
	}
	for e := range each(d.visible(t.shape, vdom)) {
		if t.child == nil && keyText(e.values[t.attr]) == key {
			return true
		}
		if t.child == nil {
			continue
		}
		for _, row := range e.rows(t.child.Name) {
			if keyText(row.values[t.attr]) == key {
				return true
			}
		}
	}
	return false
}

// users are the places that name a row of s. Only tables with rows are looked
// at, and of them only the attributes that the catalog lets refer to s.
func (d *Device) users(s *shape, vdom, key string) []site {
	ref := refTo(s)
	var out []site
	for _, k := range d.tableKeys() {
		if !s.shared() && k.vdom != vdom {
			continue // rows of a VDOM are used in that VDOM only
		}
		user, err := d.shapeOf(k.path)
		if err != nil || !user.mentions(ref) {
			continue
		}
		for e := range d.tables[k].all() {
			for _, attribute := range usedIn(user, e, ref, key) {
				out = append(out, site{k.vdom, user, keyText(e.values[user.key]), attribute})
			}
		}
	}
	return out
}

// mentions says whether an attribute of s, at any depth, may refer to ref.
func (s *shape) mentions(ref string) bool {
	if known, ok := s.refs[ref]; ok {
		return known
	}
	found := false
	for _, f := range s.fields {
		for _, r := range f.Refs {
			found = found || r == ref
		}
		found = found || f.child != nil && f.child.mentions(ref)
	}
	s.refs[ref] = found
	return found
}

// usedIn are the attributes of an entry that name the key.
func usedIn(s *shape, e *entry, ref, key string) []string {
	var out []string
	for _, f := range s.fields {
		v, set := e.values[f.Name]
		if !set {
			continue
		}
		if names(f, v, ref, key) {
			out = append(out, f.Name)
		}
	}
	return out
}

func names(f *field, v any, ref, key string) bool {
	switch below := v.(type) {
	case *entry:
		return f.child.mentions(ref) && len(usedIn(f.child, below, ref, key)) > 0
	case []*entry:
		if !f.child.mentions(ref) {
			return false
		}
		for _, row := range below {
			if len(usedIn(f.child, row, ref, key)) > 0 {
				return true
			}
		}
		return false
	}
	for _, r := range f.Refs {
		if r == ref && keyText(v) == key {
			return true
		}
	}
	return false
}
