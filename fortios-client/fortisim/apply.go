package fortisim

import (
	"reflect"
	"regexp"
	"sync"
)

var uuidForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
})

// writing is what a change needs to know of its surroundings.
type writing struct {
	vdom string
	// device is set where the device itself writes: it may set read-only attributes.
	device bool
	// lenient leaves out references that do not exist; broken is the last one.
	lenient bool
	broken  *Refusal
	// unchecked takes references as they are.
	unchecked bool
}

// apply sets the named attributes of e, in the order of the body, up to the
// first bad one (U). Only attributes that are sent change (R).
func (d *Device) apply(s *shape, e *entry, body object, w *writing) *Refusal {
	for _, m := range body {
		if m.name == "q_origin_key" || m.name == s.key {
			continue
		}
		if no := d.applyOne(s, e, m, w); no != nil {
			return no
		}
	}
	if f := s.byName[s.key]; f != nil && !w.unchecked && len(f.Refs) > 0 && e.values[s.key] != nil {
		return d.checkReference(f, e.values[s.key], w.vdom)
	}
	return nil
}

func (d *Device) applyOne(s *shape, e *entry, m member, w *writing) *Refusal {
	f, known := s.byName[m.name]
	switch {
	case !known && d.behaviour().IgnoreUnknown:
		return nil
	case !known:
		return unknownAttribute(m.name)
	}
	v, no := d.coerce(f, m.value, e.values[f.Name], w)
	if no != nil {
		return no
	}
	if text, isText := v.(string); isText && s.name == "" && badName(s.path, f.Name, text) {
		return badValue(-651, f.Name, text)
	}
	// Whether a read-only attribute may be echoed unchanged: ?
	echo := !d.behaviour().ReadOnlyEchoRefused && reflect.DeepEqual(v, e.value(f))
	if f.ReadOnly && !w.device && !echo {
		if d.behaviour().IgnoreReadOnly {
			return nil
		}
		return canNotEdit(f.Name)
	}
	if len(f.Refs) > 0 && f.child == nil && v != f.def && !w.unchecked {
		no = d.checkReference(f, v, w.vdom)
	}
	if no == nil {
		e.set(f, v)
	}
	return w.forgive(no)
}

// forgive swallows a missing reference where the writing is lenient.
func (w *writing) forgive(no *Refusal) *Refusal {
	if no == nil || !w.lenient || !no.reference {
		return no
	}
	w.broken = no
	return nil
}
