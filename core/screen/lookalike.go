package screen

import (
	"slices"

	"github.com/forti-mcp/forti/core/redact"
)

// lookalikes are lines about names in the plan that can be mistaken for others
// of the same table.
func (r *renderer) lookalikes() []func() {
	tables := map[string][]string{}
	var order []string
	add := func(table, name string) {
		if name == "" {
			return
		}
		if tables[table] == nil {
			order = append(order, table)
		}
		if !slices.Contains(tables[table], name) {
			tables[table] = append(tables[table], name)
		}
	}
	for i := range r.Plan.Operations {
		op := &r.Plan.Operations[i]
		if !op.Key.IsInteger() {
			add(op.Resource, op.Key.String())
		}
		for attribute, v := range op.Wire.Body {
			list, _ := rowsOf(v)
			for _, row := range list {
				add(op.Resource+" "+attribute, keyOf(row))
			}
			old, _ := rowsOf(op.Before[attribute])
			for _, row := range old {
				add(op.Resource+" "+attribute, keyOf(row))
			}
		}
	}
	slices.Sort(order)
	var lines []func()
	for _, table := range order {
		for _, name := range tables[table] {
			for _, twin := range redact.LooksLike(name, tables[table]) {
				if name < twin {
					lines = append(lines, func() {
						r.data(margin("*"), r.name(table)+": "+r.quoted(name)+" looks like "+r.quoted(twin))
					})
				}
			}
		}
	}
	return lines
}
