package risk

import (
	"slices"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

// shadowed is R-POL-06: where a policy comes to stand, it takes all the traffic of
// policies below it, or one above takes all of its own, in one of the orders that
// the plan takes the table through. Groups and what "all" stands for are looked up
// for the policies that the plan changes; of the others only the names are known, so
// it does not find everything. A virtual address can still be matched below a policy
// for all destinations.
func shadowed(w *world, c *Change) []finding {
	if c.Op == plan.OpDelete || c.After == nil || !enabled(c.After) || !c.matchesAnew() {
		return nil // and the policies need not be read
	}
	if !w.policies(c.VDOM).known {
		return fired(plan.High, "%s may take the traffic of policies below it, or get none itself; the order was not read", what(c))
	}
	if s, ok := w.shadows(c.VDOM)[c]; ok {
		return fired(plan.High, "%s stands above %s and %s", what(c), list(s.below), map[bool]string{
			false: "takes all that they list: they match nothing any more",
			true:  "may take all that they list: what it names could not be read",
		}[s.unread])
	}
	if upper := w.shadowOver(c); !upper.IsZero() {
		return fired(plan.Medium, "%s stands below %s, which takes all that it lists: it matches nothing", what(c), quote(upper.String()))
	}
	return nil
}

// shade is what a change does to the policies that stand below its own.
type shade struct {
	// below are the policies whose traffic its policy takes.
	below []string
	// unread: or may take, since not all that it names could be read.
	unread bool
}

// shadows finds the pairs of policies of which, after some change, the upper takes
// all of the lower. A change only makes pairs with the policy that it is about; a
// pair counts for the last change of the upper policy.
func (w *world) shadows(vdom string) map[*Change]*shade {
	if found, ok := w.shade[vdom]; ok {
		return found
	}
	found := map[*Change]*shade{}
	w.shade[vdom] = found
	last := map[operation.Key]*Change{}
	for _, s := range w.course(vdom).steps {
		if !s.change.matchesAnew() || s.change.Op == plan.OpDelete {
			continue
		}
		last[s.change.Key] = s.change
		at := seatOf(s.table, s.change.Key)
		if at < 0 || !enabled(s.table[at].row) {
			continue
		}
		mine := s.table[at]
		for i, other := range s.table {
			nowhere := mine.lost || other.lost
			if i > at || nowhere {
				w.shadow(vdom, found, mine, other, s.change)
			}
			if i < at || nowhere {
				w.shadow(vdom, found, other, mine, last[other.key])
			}
		}
	}
	return found
}

func seatOf(table []*seat, key operation.Key) int {
	return slices.IndexFunc(table, func(s *seat) bool { return s.key == key })
}

// shadow notes a pair, if it is one, for the change that put the upper policy there.
func (w *world) shadow(vdom string, found map[*Change]*shade, upper, lower *seat, c *Change) {
	if c == nil || upper == lower || !enabled(upper.row) || !enabled(lower.row) {
		return
	}
	takes, unread := w.takesAll(vdom, upper, lower)
	if !takes {
		return
	}
	if found[c] == nil {
		found[c] = &shade{}
	}
	if name := lower.key.String(); !slices.Contains(found[c].below, name) {
		found[c].below = append(found[c].below, name)
	}
	found[c].unread = found[c].unread || unread
}

// shadowOver is a policy that takes all the traffic of a changed one in the end. On
// the way there it may stand anywhere: a policy is created last and moves from there.
func (w *world) shadowOver(c *Change) operation.Key {
	steps := w.course(c.VDOM).steps
	if len(steps) == 0 {
		return operation.Key{}
	}
	table := steps[len(steps)-1].table
	at := seatOf(table, c.Key)
	if at < 0 || !enabled(table[at].row) {
		return operation.Key{}
	}
	for _, upper := range table[:at] {
		if !enabled(upper.row) {
			continue
		}
		if takes, _ := w.takesAll(c.VDOM, upper, table[at]); takes {
			return upper.key
		}
	}
	return operation.Key{}
}
