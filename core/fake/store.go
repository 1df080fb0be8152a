package fake

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/schema"
)

// row is one object as the device keeps it, secrets in clear. It is never
// changed once stored: a change stores another row in its place.
type row map[string]any

// place is where rows live: global tables have no virtual domain.
type place struct{ resource, vdom string }

// store is the configuration: rows in order. A singleton is a table of one.
type store map[place][]row

// copied shares the rows, which never change.
func (s store) copied() store {
	out := make(store, len(s))
	for at, rows := range s {
		out[at] = slices.Clone(rows)
	}
	return out
}

func keyText(r row, key string) string {
	s, _ := text(r[key])
	return s
}

// index finds a row by its key as text; -1 where there is none.
func (s store) index(at place, key, value string) int {
	return slices.IndexFunc(s[at], func(r row) bool { return keyText(r, key) == value })
}

func (s store) keys(at place, r *schema.Resource) []operation.Key {
	keys := make([]operation.Key, 0, len(s[at]))
	for _, row := range s[at] {
		if k, err := operation.KeyOf(row[r.Key]); err == nil {
			keys = append(keys, k)
		}
	}
	return keys
}

// nextID is the integer that the device would choose: one more than the greatest.
func nextID(rows []row, key string) int64 {
	var greatest int64
	for _, r := range rows {
		if n, ok := r[key].(int64); ok {
			greatest = max(greatest, n)
		}
	}
	return greatest + 1
}

// sorted places in a stable order, for walks over everything.
func (s store) places() []place {
	list := make([]place, 0, len(s))
	for at := range s {
		list = append(list, at)
	}
	slices.SortFunc(list, func(a, b place) int {
		if a.resource != b.resource {
			return strings.Compare(a.resource, b.resource)
		}
		return strings.Compare(a.vdom, b.vdom)
	})
	return list
}
