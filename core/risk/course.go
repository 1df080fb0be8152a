package risk

import (
	"cmp"
	"slices"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

// seat is a policy where it stands in its table.
type seat struct {
	key operation.Key
	row map[string]any
	// lost: where it stands is not known, so it may be anywhere.
	lost bool
	// own: the plan changes it, so what it names was read.
	own   bool
	match *match
}

// step is a change of a policy and the table as it stands right after it.
type step struct {
	change *Change
	table  []*seat
}

// course is the table of policies in each state that the plan takes it through.
type course struct {
	// first is the table before the plan.
	first []*seat
	steps []step
}

// course plays the plan's changes of the policies. Only how they will be in the end
// is read; the rest is that, with the later changes taken back.
func (w *world) course(vdom string) course {
	if found, ok := w.courses[vdom]; ok {
		return found
	}
	final := w.policies(vdom)
	table := make([]*seat, 0, len(final.rows))
	for _, row := range final.rows {
		key := rowKey(row)
		table = append(table, &seat{key: key, row: row, own: len(w.at[place{path: policyTable, key: key}]) > 0})
	}
	var steps []step
	for _, c := range slices.Backward(w.touched[policyTable]) {
		if c.VDOM != vdom {
			continue
		}
		if c.Order != nil {
			table = settled(table, c.Order.After)
		}
		steps = append(steps, step{c, table})
		table = undone(table, c)
	}
	slices.Reverse(steps)
	w.courses[vdom] = course{table, steps}
	return w.courses[vdom]
}

// tables are the table of policies before the plan and after each change.
func (w *world) tables(vdom string) [][]*seat {
	c := w.course(vdom)
	out := [][]*seat{c.first}
	for _, s := range c.steps {
		out = append(out, s.table)
	}
	return out
}

// undone is a table as it stood before a change.
func undone(table []*seat, c *Change) []*seat {
	at := slices.IndexFunc(table, func(s *seat) bool { return s.key == c.Key })
	switch {
	case c.Op == plan.OpDelete:
		return stood(table, &seat{key: c.Key, row: c.Before, own: true}, c)
	case at < 0:
		return table
	}
	before := slices.Clone(table)
	switch c.Op {
	case plan.OpCreate:
		return slices.Delete(before, at, at+1)
	case plan.OpUpdate:
		before[at] = &seat{key: c.Key, row: c.Before, lost: table[at].lost, own: true}
	case plan.OpMove:
		return stood(slices.Delete(before, at, at+1), table[at], c)
	case plan.OpDelete, plan.OpAction: // a delete was taken back above, an action changes no policy
	}
	return before
}

// stood puts a policy where it stood before a change.
func stood(table []*seat, s *seat, c *Change) []*seat {
	at, known := formerPlace(table, c)
	copied := *s
	copied.lost = copied.lost || !known
	return slices.Insert(slices.Clone(table), at, &copied)
}

// settled gives the policies whose places were lost the places that an order tells.
func settled(table []*seat, order []operation.Key) []*seat {
	lost := func(s *seat) bool { return s.lost }
	if !slices.ContainsFunc(table, lost) {
		return table
	}
	at := make(map[operation.Key]int, len(table))
	for _, s := range table {
		at[s.key] = len(order)
	}
	for i, key := range order {
		at[key] = i
	}
	out := make([]*seat, 0, len(table))
	for _, s := range table {
		copied := *s
		copied.lost = s.lost && at[s.key] == len(order)
		out = append(out, &copied)
	}
	slices.SortStableFunc(out, func(a, b *seat) int { return cmp.Compare(at[a.key], at[b.key]) })
	return out
}

// formerPlace is the index in a table without it where a policy stood before a
// change: in front of the next that was below it and is still there.
func formerPlace(table []*seat, c *Change) (at int, known bool) {
	if c.Order == nil {
		return len(table), false
	}
	from := slices.Index(c.Order.Before, c.Key)
	if from < 0 {
		return len(table), false
	}
	for _, key := range c.Order.Before[from+1:] {
		if i := slices.IndexFunc(table, func(s *seat) bool { return s.key == key }); i >= 0 {
			return i, true
		}
	}
	return len(table), true
}
