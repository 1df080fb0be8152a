package fortisim

import (
	"reflect"
	"strconv"
)

// entry is a row, a singleton or a nested object. It holds only what differs
// from the defaults, as values of the types string, int64, []*entry (a child
// table) and *entry (a nested object). Secrets are held in clear: answers never
// show them. An entry in the store is never changed, only replaced.
type entry struct {
	values map[string]any
}

func newEntry() *entry { return &entry{values: map[string]any{}} }

// clone copies one level; what lies below is never changed in place.
func (e *entry) clone() *entry {
	out := &entry{values: make(map[string]any, len(e.values)+4)}
	for name, v := range e.values {
		out.values[name] = v
	}
	return out
}

// value is the value of a field, its default where it is not set.
func (e *entry) value(f *field) any {
	if e != nil {
		if v, ok := e.values[f.Name]; ok {
			return v
		}
	}
	return f.def
}

// text is the value of a text attribute that is set.
func (e *entry) text(name string) string {
	s, _ := e.values[name].(string)
	return s
}

func (e *entry) rows(name string) []*entry {
	list, _ := e.values[name].([]*entry)
	return list
}

// set stores v, or drops the attribute where v is the default.
func (e *entry) set(f *field, v any) {
	switch list := v.(type) {
	case []*entry:
		if len(list) == 0 {
			delete(e.values, f.Name)
			return
		}
	case *entry:
		if list == nil || len(list.values) == 0 {
			delete(e.values, f.Name)
			return
		}
	default:
		if v == f.def {
			delete(e.values, f.Name)
			return
		}
	}
	e.values[f.Name] = v
}

func (e *entry) equal(other *entry) bool { return reflect.DeepEqual(e.values, other.values) }

// keyText is a key as it stands in a path.
func keyText(key any) string {
	switch k := key.(type) {
	case string:
		return k
	case int64:
		return strconv.FormatInt(k, 10)
	}
	return ""
}
