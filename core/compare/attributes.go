package compare

import (
	"github.com/forti-mcp/forti/core/schema"
)

// Result is what a comparison of wanted attributes found.
type Result struct {
	// Mismatch are wanted attributes that are different.
	Mismatch []string
	// Unverified are those that cannot be compared; members of nested objects and
	// rows as names joined by "/", such as "user/passwd".
	Unverified []string
	// Compared counts the attributes of which something could be compared. Where
	// it is 0 and something was wanted, nothing is known.
	Compared int
}

// Attributes compares the wanted attributes with an object that was read. What
// the object has besides is not looked at. The lists are in canonical order.
func Attributes(attrs []schema.Attribute, want, got map[string]any) Result {
	var r Result
	for _, name := range names(want) {
		if isMetadata(name) {
			continue
		}
		f := examine(find(attrs, name), want[name], got[name])
		if f.compared {
			r.Compared++
			if f.differs {
				r.Mismatch = append(r.Mismatch, name)
			}
		}
		var all finding
		all.add(name, f)
		r.Unverified = append(r.Unverified, all.unverified...)
	}
	return r
}

// Changes lists the attributes that differ between two whole objects, such as
// an object before and after a write, in canonical order. Secrets, and what the
// device changes by itself, are never among them. An attribute that one object
// lacks differs only where the other one has more than its default.
func Changes(attrs []schema.Attribute, before, after map[string]any) []string {
	both := map[string]any{}
	for _, object := range []map[string]any{before, after} {
		for name := range object {
			both[name] = nil
		}
	}
	var changed []string
	for _, name := range names(both) {
		a := find(attrs, name)
		// Both ways, since only the wanted members of nested values are compared.
		if !isMetadata(name) && !(a == nil && isDeviceState(name)) &&
			(examine(a, before[name], after[name]).differs || examine(a, after[name], before[name]).differs) {
			changed = append(changed, name)
		}
	}
	return changed
}

// Unchanged reports whether writing the wanted attributes to the current object
// is known to change nothing, so that the write may be left out. Whatever cannot
// be compared counts as a change: a secret, also inside a row whose other members
// are the same, and a default that the object does not show. Unlike [Changes] it
// looks at the wanted attributes only.
func Unchanged(attrs []schema.Attribute, want, current map[string]any) bool {
	for _, name := range names(want) {
		if isMetadata(name) {
			continue
		}
		a := find(attrs, name)
		f := examine(a, want[name], current[name])
		if f.differs || len(f.unverified) > 0 || shrinks(a, want[name], current[name]) {
			return false
		}
	}
	return true
}

// shrinks: wanted rows lack members that the current ones have set. A list is
// written whole, so what a row does not name returns to its default. Of an object
// only the named members are written.
func shrinks(a *schema.Attribute, want, current any) bool {
	if a == nil {
		return false
	}
	if _, isRows := asRows(a, want); isRows {
		return examine(a, current, want).differs
	}
	wantObject, isObject := want.(map[string]any)
	currentObject, alsoObject := current.(map[string]any)
	if !isObject || !alsoObject {
		return false
	}
	for name, v := range wantObject {
		if shrinks(find(a.Attributes, name), v, currentObject[name]) {
			return true
		}
	}
	return false
}
