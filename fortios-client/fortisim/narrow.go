package fortisim

import (
	"slices"
	"strings"
)

// narrow filters, sorts, pages and picks members of a monitor's list: filters
// and sorting are there from 6.4.2 (D). Names are dotted (D). The first monitors
// paged before they filtered (D); which ones is not known, so that is a switch.
func (d *Device) narrow(q *query, list []object) ([]object, *Refusal) {
	var filters []filter
	if d.sorts() {
		var no *Refusal
		if filters, no = parseFilters(q.values["filter"]); no != nil {
			return nil, no
		}
	}
	page := func() *Refusal {
		from, to, no := d.page(q, len(list))
		if no == nil {
			list = list[from:to]
		}
		return no
	}
	if d.behaviour().MonitorPagesFirst {
		if no := page(); no != nil {
			return nil, no
		}
	}
	if len(filters) > 0 {
		list = slices.DeleteFunc(slices.Clone(list), func(o object) bool { return !d.objectPasses(o, filters) })
	}
	d.sortObjects(q, list)
	if !d.behaviour().MonitorPagesFirst {
		if no := page(); no != nil {
			return nil, no
		}
	}
	return picked(list, q.values.Get("format")), nil
}

func (d *Device) objectPasses(o object, filters []filter) bool {
	for _, f := range filters {
		if !slices.ContainsFunc(f, func(t term) bool {
			return d.termHolds(textsAt(o, t.key), t)
		}) {
			return false
		}
	}
	return true
}

// textsAt are the values under a dotted name.
func textsAt(v any, key []string) []string {
	switch v := v.(type) {
	case object:
		if len(key) == 0 {
			return nil
		}
		inside, _ := v.get(key[0])
		return textsAt(inside, key[1:])
	case []object:
		var all []string
		for _, o := range v {
			all = append(all, textsAt(o, key)...)
		}
		return all
	case []string:
		return v
	}
	if text, ok := scalarText(wireValue(v)); ok && len(key) == 0 {
		return []string{text}
	}
	return nil
}

func (d *Device) sortObjects(q *query, list []object) {
	orders := parseOrders(q.values["sort"])
	if len(orders) == 0 || !d.sorts() {
		return
	}
	first := func(o object, key []string) string {
		if values := textsAt(o, key); len(values) > 0 {
			return values[0]
		}
		return ""
	}
	slices.SortStableFunc(list, func(a, b object) int {
		for _, o := range orders {
			c := compareValues(first(a, o.key), first(b, o.key))
			if o.down {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return 0
	})
}

// picked are the objects with the members of a format; all of them without one,
// or where no object has a name of it (D).
func picked(list []object, format string) []object {
	if format == "" || len(list) == 0 {
		return list
	}
	names := strings.Split(format, "|")
	for _, name := range names {
		if _, has := list[0].get(name); !has {
			return list
		}
	}
	out := make([]object, 0, len(list))
	for _, o := range list {
		out = append(out, slices.DeleteFunc(slices.Clone(o), func(m member) bool { return !slices.Contains(names, m.name) }))
	}
	return out
}
