package risk

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

// world is what the rules look at: the changes, the facts, and what was asked.
type world struct {
	changes []Change
	facts   Facts
	// source is our address as the device sees it; invalid where unknown.
	source  netip.Addr
	cache   map[Want]states
	wanted  map[Want]bool
	policy  map[string]policyRows
	touched map[string][]*Change
	// at finds the changes of one row, in every scope.
	at    map[place][]*Change
	above map[place]denies
	shade map[string]map[*Change]*shade
	// courses are the tables of policies during the plan, by VDOM.
	courses map[string]course
	users   map[indexed]users
	budget  int
	notes   []string
}

// place is a row, or a table in a VDOM.
type place struct {
	path, vdom string
	key        operation.Key
}

// states is an object in every state that the plan takes it through, and as the
// caller knows it. Rules look at the worst of them: then a later change in the
// same plan cannot make an earlier one look better.
type states struct {
	objects []map[string]any
	// known is false where the object could not be read.
	known bool
}

// resolveLimit bounds how many objects one assessment resolves.
const resolveLimit = 50_000

func newWorld(changes []Change, f Facts) *world {
	w := &world{
		changes: changes, facts: f, source: f.Source, budget: resolveLimit,
		cache: map[Want]states{}, wanted: map[Want]bool{}, policy: map[string]policyRows{},
		touched: map[string][]*Change{}, at: map[place][]*Change{}, above: map[place]denies{},
		shade: map[string]map[*Change]*shade{}, courses: map[string]course{},
		users: map[indexed]users{},
	}
	if !w.source.IsValid() {
		w.source = address(f.Management.Local)
	}
	w.source = w.source.Unmap().WithZone("")
	for i := range changes {
		c := &changes[i]
		w.touched[c.Resource] = append(w.touched[c.Resource], c)
		row := place{path: c.Resource, key: c.Key}
		w.at[row] = append(w.at[row], c)
	}
	return w
}

// address reads an address with or without a port; invalid where it is none.
func address(s string) netip.Addr {
	if at, err := netip.ParseAddrPort(s); err == nil {
		return at.Addr()
	}
	a, _ := netip.ParseAddr(s)
	return a
}

// object gives the states of one object.
func (w *world) object(path, vdom string, key operation.Key) states {
	ask := Want{Path: path, VDOM: vdom, Key: key}
	if s, ok := w.cache[ask]; ok {
		return s
	}
	s := w.changed(path, vdom, key)
	if w.facts.Lookup != nil {
		object, known := w.facts.Lookup(path, vdom, key)
		s.known = s.known || known
		if known && object != nil {
			s.objects = append(s.objects, object)
		}
	}
	if !s.known {
		w.wanted[ask] = true
	}
	w.cache[ask] = s
	return s
}

// changed gives the states that the plan's own changes show.
func (w *world) changed(path, vdom string, key operation.Key) states {
	var s states
	for _, c := range w.at[place{path: path, key: key}] {
		if !sameScope(c.VDOM, vdom) {
			continue
		}
		s.known = true
		for _, o := range []map[string]any{c.Before, c.After} {
			if o != nil {
				s.objects = append(s.objects, o)
			}
		}
	}
	return s
}

func sameScope(a, b string) bool { return a == b || a == "" || b == "" }

// singleton gives the states of a singleton.
func (w *world) singleton(path, vdom string) states { return w.object(path, vdom, operation.Key{}) }

type policyRows struct {
	rows  []map[string]any
	byKey map[operation.Key]map[string]any
	known bool
}

// policies gives the rows of firewall/policy in order after the plan.
func (w *world) policies(vdom string) policyRows {
	if p, ok := w.policy[vdom]; ok {
		return p
	}
	var p policyRows
	if w.facts.Policies != nil {
		p.rows, p.known = w.facts.Policies(vdom)
	}
	p.byKey = make(map[operation.Key]map[string]any, len(p.rows))
	for _, row := range p.rows {
		p.byKey[rowKey(row)] = row
	}
	if !p.known {
		w.wanted[Want{Path: policyTable, VDOM: vdom, Table: true}] = true
	}
	w.policy[vdom] = p
	return p
}

// note says once what could not be told.
func (w *world) note(text string) {
	if !slices.Contains(w.notes, text) {
		w.notes = append(w.notes, text)
	}
}

func (w *world) missing() []Want {
	var out []Want
	for ask := range w.wanted {
		out = append(out, ask)
	}
	slices.SortFunc(out, func(a, b Want) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.VDOM, b.VDOM), strings.Compare(a.Key.String(), b.Key.String()))
	})
	return out
}

// management is the path of our own connection.
func (w *world) management() plan.Management { return w.facts.Management }
