package risk

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
)

// match is which traffic a policy lists as its own.
type match struct {
	// narrowed: it matches less than its lists say.
	narrowed  bool
	schedule  string
	ports     [2]*end
	service   *end
	addresses [2][2]*end // in IPv4 and IPv6, source and destination
	byFamily  [2]bool
}

// end is one list of a policy.
type end struct {
	names []string
	// open: the list is not what the policy matches there.
	open bool
	// tables are where the names come from; nil for interfaces.
	tables []string
	// resolved is what the list stands for, worked out when it is needed.
	resolved *meaning
}

// meaning is what a list stands for: all names that it reaches through groups, and
// whether it is everything; unread: or may be, since something could not be read.
type meaning struct {
	reach         map[string]bool
	whole, unread bool
}

// narrowing are attributes that let a policy match less than its lists say.
var narrowing = []string{
	"srcaddr-negate", "srcaddr6-negate", "dstaddr-negate", "dstaddr6-negate", "service-negate", "internet-service", "internet-service-src", "internet-service6",
	"internet-service6-src", "users", "groups", "fsso-groups", "devices", "src-vendor-mac", "ztna-status", "ztna-ems-tag", "ztna-ems-tag-secondary", "ztna-geo-tag",
	"reputation-minimum", "reputation-minimum6", "sgt-check", "vlan-filter", "tos-mask", "network-service-dynamic", "network-service-src-dynamic", "url-category",
	"application", "app-category", "app-group", "policy-expiry",
}

// narrowsNothing says whether an attribute narrows nothing.
func narrowsNothing(v any) bool {
	if list, isList := v.([]any); isList {
		return len(list) == 0
	}
	n, isNumber := integer(v)
	return off(v) || isNumber && n == 0 || text(v) == "0x00"
}

func matchOf(row map[string]any) *match {
	m := &match{schedule: text(row["schedule"])}
	m.narrowed = slices.ContainsFunc(narrowing, func(a string) bool { return !narrowsNothing(row[a]) })
	m.ports = [2]*end{{names: names(row["srcintf"])}, {names: names(row["dstintf"])}}
	internet := !off(row["internet-service"]) || !off(row["internet-service6"])
	m.service = &end{names: names(row["service"]), open: internet || !off(row["service-negate"]), tables: serviceTables}
	for family, six := range []string{"", "6"} {
		for side, name := range []string{"src", "dst"} {
			attribute := name + "addr" + six
			internet := !off(row["internet-service"+six+map[string]string{"src": "-src"}[name]])
			e := &end{names: names(row[attribute]), open: internet || !off(row[attribute+"-negate"]), tables: tablesOf(policyTable, attribute)}
			m.addresses[family][side] = e
			m.byFamily[family] = m.byFamily[family] || e.open || len(e.names) > 0
		}
	}
	return m
}

// opposed are the lists of the upper policy beside those of the lower that it must
// hold, in the first n places; none where the lower has no addresses to compare.
func opposed(p, q *match) (lists [7][2]*end, n int) {
	if !q.byFamily[0] && !q.byFamily[1] {
		return lists, 0
	}
	lists[0], n = [2]*end{p.service, q.service}, 1
	for side := range p.ports {
		lists[n], n = [2]*end{p.ports[side], q.ports[side]}, n+1
	}
	for family, given := range q.byFamily {
		for side := range q.addresses[family] {
			if given {
				lists[n], n = [2]*end{p.addresses[family][side], q.addresses[family][side]}, n+1
			}
		}
	}
	return lists, n
}

// takesAll says whether everything that the lower policy matches is matched by the
// upper one; unread: or may be.
func (w *world) takesAll(vdom string, upper, lower *seat) (takes, unread bool) {
	p, q := upper.matches(), lower.matches()
	if p.narrowed || p.schedule == "" || p.schedule != q.schedule && p.schedule != everyTime && !upper.own {
		return false, false
	}
	lists, n := opposed(p, q)
	for _, pair := range lists[:n] { // what needs no look-up first
		if !pair[0].lists(pair[1]) && !pair[0].resolvable(upper.own) {
			return false, false
		}
	}
	for _, pair := range lists[:n] {
		holds, unsure := w.holds(vdom, pair[0], pair[1], upper.own)
		if !holds {
			return false, false
		}
		unread = unread || unsure
	}
	return n > 0 && (p.schedule == q.schedule || w.alwaysOn(vdom, p.schedule)), unread
}

func (s *seat) matches() *match {
	if s.match == nil {
		s.match = matchOf(s.row)
	}
	return s.match
}

// lists says whether every name of another list stands in this one.
func (e *end) lists(other *end) bool {
	if other.open || len(other.names) == 0 {
		return false
	}
	return !slices.ContainsFunc(other.names, func(name string) bool { return !slices.Contains(e.names, name) })
}

// resolvable says whether it is worth looking up what a list stands for: that of a
// policy that the plan changes, and names that are mostly everything.
func (e *end) resolvable(own bool) bool {
	return own && len(e.names) > 0 || slices.ContainsFunc(e.names, isAll)
}

func (w *world) holds(vdom string, e, other *end, own bool) (yes, unread bool) {
	if e.lists(other) {
		return true, false
	}
	if e.tables == nil {
		return slices.Contains(e.names, anyInterface), false
	}
	if e.resolved == nil {
		e.resolved = w.meaningOf(vdom, e, own)
	}
	if m := e.resolved; m.whole || m.unread {
		return true, !m.whole
	}
	outside := func(name string) bool { return !e.resolved.reach[name] }
	return !other.open && len(other.names) > 0 && !slices.ContainsFunc(other.names, outside), false
}

// anyInterface stands for every interface; no interface can have that name.
const anyInterface = "any"

func (w *world) meaningOf(vdom string, e *end, own bool) *meaning {
	list := e.names
	if !own {
		list = slices.DeleteFunc(slices.Clone(list), func(name string) bool { return !isAll(name) })
	}
	m := &meaning{reach: map[string]bool{}}
	for _, name := range list {
		w.reach(groupOf(e.tables[0]), vdom, name, m.reach)
	}
	all := w.walk(vdom).all(e.tables, list)
	m.unread = all.unread
	m.whole = all.v4.covers(spans{{0, maxV4}})
	switch {
	case isService(e.tables[0]):
		m.whole = all.protocol.covers(spans{{0, maxProtocol}})
	case strings.HasSuffix(e.tables[0], "6"):
		m.whole = all.v6.covers(spans{{0, maxV6}})
	}
	return m
}

// everyTime is the name of the device's schedule for every minute of the week. It
// can be changed.
const everyTime = "always"

// alwaysOn says whether a schedule is in force all the time in one of its states.
func (w *world) alwaysOn(vdom, name string) bool {
	s := w.object("firewall.schedule/recurring", vdom, operation.TextKey(name))
	if len(s.objects) == 0 {
		return name == everyTime
	}
	return slices.ContainsFunc(s.objects, func(o map[string]any) bool {
		return len(words(o["day"])) >= daysOfWeek && orDefault(o["start"], midnight) == midnight && orDefault(o["end"], midnight) == midnight
	})
}

const (
	daysOfWeek = 7
	midnight   = "00:00"
)
