package screen

import (
	"slices"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/redact"
)

// lookalikes are lines about names in the plan that can be mistaken for others
// of the same table or list.
func (r *renderer) lookalikes() []func() {
	seen := lookup{}
	for i := range r.Plan.Operations {
		seen.operation(&r.Plan.Operations[i])
	}
	var lines []func()
	for _, t := range seen.twins {
		lines = append(lines, func() {
			r.data(margin("*"), r.name(t.table)+": "+r.quoted(t.a)+" looks like "+r.quoted(t.b))
		})
	}
	return lines
}

// lookup collects the names of a plan, and those that look like an earlier one.
type lookup struct {
	names map[[2]string][]string
	twins []twin
}

type twin struct{ table, a, b string }

func (l *lookup) operation(op *plan.Operation) {
	if !op.Key.IsInteger() {
		l.add(op.Resource, op.Key.String())
	}
	for _, attribute := range canon.Keys(op.Wire.Body) {
		for _, list := range []any{op.Before[attribute], op.Wire.Body[attribute]} {
			rows, _ := rowsOf(list)
			for _, row := range rows {
				l.add(op.Resource+" "+attribute, keyOf(row))
			}
		}
	}
}

func (l *lookup) add(table, name string) {
	if name == "" {
		return
	}
	if l.names == nil {
		l.names = map[[2]string][]string{}
	}
	at := [2]string{table, redact.Skeleton(name)}
	if slices.Contains(l.names[at], name) {
		return
	}
	for _, other := range l.names[at] {
		l.twins = append(l.twins, twin{table, name, other})
	}
	l.names[at] = append(l.names[at], name)
}
