package risk

import (
	"slices"

	"github.com/forti-mcp/forti/core/plan"
)

// shadowed is R-POL-06: where a policy comes to stand, it takes all the traffic of
// policies below it, or one above takes all of its own. It goes by names alone, which
// no request has to be made for: what it finds is so, and it does not find everything.
func shadowed(w *world, c *Change) []finding {
	if c.Op == plan.OpDelete || c.After == nil || !enabled(c.After) || !c.matchesAnew() {
		return nil // and the policies need not be read
	}
	after := w.policies(c.VDOM)
	mine := after.byKey[c.Key]
	if mine == nil || !enabled(mine) {
		return nil
	}
	at := slices.IndexFunc(after.rows, func(row map[string]any) bool { return rowKey(row) == c.Key })
	if at < 0 {
		return nil
	}
	var below []string
	for _, row := range after.rows[at+1:] {
		if enabled(row) && takesAll(mine, row) {
			below = append(below, rowKey(row).String())
		}
	}
	if len(below) > 0 {
		return fired(plan.High, "%s stands above %s and takes all that they list: they match nothing any more", what(c), list(below))
	}
	for _, row := range after.rows[:at] {
		if enabled(row) && takesAll(row, mine) {
			return fired(plan.Medium, "%s stands below %s, which takes all that it lists: it matches nothing", what(c), quote(rowKey(row).String()))
		}
	}
	return nil
}

// ends are the lists of a policy that say which traffic is its own.
var ends = []string{"srcintf", "dstintf", "srcaddr", "dstaddr", "service"}

// narrowing are attributes that let a policy match less than its lists say.
var narrowing = []string{
	"srcaddr-negate", "dstaddr-negate", "service-negate", "internet-service", "internet-service-src", "internet-service6", "internet-service6-src",
	"users", "groups", "fsso-groups", "srcaddr6", "dstaddr6", "src-vendor-mac", "ztna-status", "ztna-ems-tag", "ztna-geo-tag", "reputation-minimum",
	"sgt-check", "vlan-filter", "tos-mask", "network-service-dynamic", "network-service-src-dynamic",
}

// narrowsNothing says whether an attribute narrows nothing.
func narrowsNothing(v any) bool {
	if list, isList := v.([]any); isList {
		return len(list) == 0
	}
	n, isNumber := integer(v)
	return off(v) || isNumber && n == 0 || text(v) == "0x00"
}

// takesAll says whether everything that q matches is matched by p.
func takesAll(p, q map[string]any) bool {
	if text(p["schedule"]) != "always" {
		return false
	}
	for _, name := range narrowing {
		if !narrowsNothing(p[name]) || !narrowsNothing(q[name]) {
			return false
		}
	}
	for _, end := range ends {
		if !holdsAll(names(p[end]), names(q[end])) {
			return false
		}
	}
	return true
}

func holdsAll(list, of []string) bool {
	if len(list) == 0 || len(of) == 0 {
		return false
	}
	if slices.ContainsFunc(list, isAll) {
		return true
	}
	for _, name := range of {
		if !slices.Contains(list, name) {
			return false
		}
	}
	return true
}
