// Package compare says whether what a device shows is what was asked for. The
// device writes many values in its own way: networks with a mask, options in its
// own order, numbers as text; attributes are therefore compared by their type.
//
// Values are canonical (package canon); numbers that are not may stand as
// [canon.Number] or, as in stored images, as {"$num": "digits"}.
package compare

import (
	"github.com/forti-mcp/forti/core/schema"
)

// Equal compares two values of one attribute: the wanted one and the one that
// was read back. comparable is false where reading back can neither confirm nor
// refute: secrets, values that the device chooses (uuid, dates in its own
// spelling, counters), and values that are left out because they are the default.
// equal then says no more than that the two do not contradict each other.
//
// nil stands for an attribute that is absent. A nil attribute is one of unknown
// type: it compares exactly, except that members named q_* are not looked at.
// Of nested objects and rows only the wanted members are compared, and comparable
// says that at least one part could be: a row that is there with a secret in it
// is equal. Whether a write may be left out is for [Unchanged] to say.
func Equal(a *schema.Attribute, want, got any) (equal, comparable bool) {
	f := examine(a, want, got)
	return f.equal(), f.compared
}

// finding is what a comparison of one attribute, or of a part of it, found.
type finding struct {
	// compared: at least one part could be compared; differs: one of those is
	// different; doubt: a part that could not be compared is not the same.
	compared, differs, doubt bool
	// unverified are the parts that could not be compared: "" for the whole,
	// names joined by "/" for members.
	unverified []string
}

func (f finding) equal() bool {
	if f.compared {
		return !f.differs
	}
	return !f.doubt
}

// add takes the finding on a member into account.
func (f *finding) add(name string, part finding) {
	f.compared = f.compared || part.compared
	f.differs = f.differs || part.differs
	f.doubt = f.doubt || part.doubt
	for _, path := range part.unverified {
		if path != "" {
			path = "/" + path
		}
		f.unverified = append(f.unverified, name+path)
	}
}

func compared(same bool) finding { return finding{compared: true, differs: !same} }

func incomparable(same bool) finding { return finding{doubt: !same, unverified: []string{""}} }

func examine(a *schema.Attribute, want, got any) finding {
	switch {
	case a == nil:
		return compared(exact(want, got))
	case a.Secret:
		return incomparable(isEmpty(want) && isEmpty(got))
	case want == nil || got == nil:
		return examineAbsent(a, want, got)
	case changesByItself(a):
		if same(a, want, got) {
			return compared(true)
		}
		return incomparable(false)
	}
	return examinePresent(a, want, got)
}

// examineAbsent: an absent attribute may be at its default, not apply, or be
// hidden from this token. So absence contradicts a value that is set, and proves
// nothing about a default.
func examineAbsent(a *schema.Attribute, want, got any) finding {
	if want == nil && got == nil {
		return compared(true)
	}
	present := want
	if present == nil {
		present = got
	}
	switch {
	case changesByItself(a):
		return incomparable(false)
	case isUnset(a, present):
		return incomparable(true)
	}
	return compared(false)
}

func examinePresent(a *schema.Attribute, want, got any) finding {
	w, wantRows := asRows(a, want)
	g, gotRows := asRows(a, got)
	if wantRows && gotRows {
		return examineRows(a, w, g)
	}
	wantObject, isObject := want.(map[string]any)
	gotObject, alsoObject := got.(map[string]any)
	if isObject && alsoObject && len(a.Attributes) > 0 {
		return examineMembers(a.Attributes, "", wantObject, gotObject)
	}
	if a.Type == "option" && !a.Multi && isIndex(a, want) != isIndex(a, got) {
		// Older releases answer the number of an option instead of its name.
		return incomparable(false)
	}
	return compared(same(a, want, got))
}

// examineMembers compares the wanted members but the one named skip (a row's key).
func examineMembers(attrs []schema.Attribute, skip string, want, got map[string]any) finding {
	var f finding
	for _, name := range names(want) {
		if name != skip && !isMetadata(name) {
			f.add(name, examine(find(attrs, name), want[name], got[name]))
		}
	}
	if len(f.unverified) == 0 && !f.compared {
		f.compared = true // nothing was asked for
	}
	return f
}

func find(attrs []schema.Attribute, name string) *schema.Attribute {
	for i := range attrs {
		if attrs[i].Name == name {
			return &attrs[i]
		}
	}
	return nil
}
