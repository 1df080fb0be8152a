package risk

import (
	"maps"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

// exposing is the part that R-POL-01 and R-POL-02 share: the policy as it will be.
func exposing(w *world, c *Change, rule string) []finding {
	if c.onlyRemarks() || c.Op == plan.OpDelete {
		return nil
	}
	p := c.After
	if p == nil {
		p = c.Before
	}
	if p == nil { // a row that is moved and could not be read
		if rule != "R-POL-01" {
			return nil
		}
		return fired(plan.Critical, "%s may let everything in where it comes to stand: it was not read", what(c))
	}
	id, f, yes := w.exposure(c, c.Resource, c.VDOM, p)
	if !yes || id != rule {
		return nil
	}
	return fired(f.tier, "%s %s", what(c), f.text)
}

func openPolicy(w *world, c *Change) []finding { return exposing(w, c, "R-POL-01") }
func widePolicy(w *world, c *Change) []finding { return exposing(w, c, "R-POL-02") }

// matching are the attributes that decide which traffic a policy matches.
var matching = []string{
	"src*", "dst*", "service*", "internet-service*", "schedule*", "users", "groups", "fsso-groups", "action", "status",
	"network-service*", "ztna*", "interface", "reputation*", "vlan-filter", "sgt*", "rtp-addr", "devices", "url-category", "app*",
	"policy-expiry*", "geoip-*", "match-vip*", "proxy",
}

// aboveDeny is R-POL-03.
func aboveDeny(w *world, c *Change) []finding {
	if f := denyLost(c); f != nil {
		return f
	}
	p := c.After
	if c.Op == plan.OpMove && p == nil {
		return fired(plan.High, "%s may stand above a policy that denies, or deny itself; it was not read", what(c))
	}
	if c.Op == plan.OpDelete || p == nil || !accepts(c, p) || !enabled(p) || !c.matchesAnew() {
		return nil
	}
	stands := w.aboveDenies(c.Resource, c.VDOM)
	if below, ok := stands.surely[c.Key]; ok {
		return fired(plan.High, "%s stands above policy %s, which denies: what that blocks can pass here first", what(c), quote(below.String()))
	}
	if stands.maybe[c.Key] {
		return fired(plan.High, "%s stands above policies that could not be read and may deny", what(c))
	}
	if c.Resource == policyTable && !w.policies(c.VDOM).known || c.Resource != policyTable && c.Op == plan.OpUpdate {
		return fired(plan.High, "%s may stand above a policy that denies; the order was not read", what(c))
	}
	return nil
}

// matchesAnew reports whether a change can alter which traffic a policy matches
// first: unknown attributes can.
func (c *Change) matchesAnew() bool {
	return c.Op != plan.OpUpdate || len(c.touches(matching...)) > 0 || len(c.unknownAttributes()) > 0
}

// denyLost reports a deny that goes, stops matching what it did, or moves down.
func denyLost(c *Change) []finding {
	wall := matches("firewall/{acl,acl6}", c.Resource)
	if c.Before == nil || !enabled(c.Before) || !wall && !isDeny(c.Before) {
		return nil
	}
	switch {
	case c.Op == plan.OpDelete:
		return fired(plan.High, "%s, which denies, is deleted: what it blocked can pass", what(c))
	case c.Op == plan.OpMove && movesDown(c):
		return fired(plan.High, "%s, which denies, moves below other policies: what it blocked can pass there first", what(c))
	case c.Op == plan.OpUpdate && c.matchesAnew():
		return fired(plan.High, "%s, which denies, is changed%s: what it blocked may pass", what(c), c.written(c.Touched))
	}
	return nil
}

func movesDown(c *Change) bool {
	if c.Order == nil {
		return true
	}
	return slices.Index(c.Order.After, c.Key) > slices.Index(c.Order.Before, c.Key)
}

// denies tells which policies of a table stand above one that denies, or may,
// in any order that the table has during the plan.
type denies struct {
	surely map[operation.Key]operation.Key
	maybe  map[operation.Key]bool
}

func (w *world) aboveDenies(path, vdom string) denies {
	at := place{path: path, vdom: vdom}
	if d, ok := w.above[at]; ok {
		return d
	}
	d := denies{surely: map[operation.Key]operation.Key{}, maybe: map[operation.Key]bool{}}
	blocks, known := map[operation.Key]bool{}, map[operation.Key]bool{}
	for _, order := range w.orders(path, vdom) {
		var deny operation.Key
		unread := false
		for _, key := range slices.Backward(order) {
			if !deny.IsZero() {
				d.surely[key] = deny
			}
			d.maybe[key] = d.maybe[key] || unread
			if _, done := known[key]; !done {
				blocks[key], known[key] = w.blocks(path, vdom, key)
			}
			if blocks[key] {
				deny = key
			}
			unread = unread || !known[key]
		}
	}
	w.above[at] = d
	return d
}

// orders are the orders in which a table's rows stand during the plan.
func (w *world) orders(path, vdom string) [][]operation.Key {
	if path == policyTable && w.policies(vdom).known {
		return w.policyOrders(vdom)
	}
	var out [][]operation.Key
	for _, c := range w.touched[path] {
		if c.Order != nil && c.VDOM == vdom {
			out = appendNew(out, c.Order.Before)
			out = appendNew(out, c.Order.After)
		}
	}
	return out
}

// policyOrders is orders for policies, which are read. One whose place was lost
// stands first in one order and last in another: it may be above or below any.
func (w *world) policyOrders(vdom string) [][]operation.Key {
	var out [][]operation.Key
	for _, table := range w.tables(vdom) {
		var kept, lost []operation.Key
		for _, s := range table {
			if s.lost {
				lost = append(lost, s.key)
				continue
			}
			kept = append(kept, s.key)
		}
		out = appendNew(out, slices.Concat(lost, kept))
		out = appendNew(out, slices.Concat(kept, lost))
	}
	return out
}

// appendNew appends an order unless it is the one before.
func appendNew(orders [][]operation.Key, next []operation.Key) [][]operation.Key {
	if n := len(orders); n > 0 && slices.Equal(orders[n-1], next) {
		return orders
	}
	return append(orders, next)
}

func rowKey(row map[string]any) operation.Key {
	if n, ok := integer(row["policyid"]); ok {
		return operation.IntegerKey(n)
	}
	return operation.Key{}
}

// blocks reports whether a policy denies in one of its states.
func (w *world) blocks(path, vdom string, key operation.Key) (yes, known bool) {
	var s states
	if p := w.policies(vdom); path == policyTable && p.known {
		s = w.changed(path, vdom, key)
		s.known = true
		if row := p.byKey[key]; row != nil {
			s.objects = append(s.objects, row)
		}
	} else {
		s = w.object(path, vdom, key)
	}
	return slices.ContainsFunc(s.objects, func(p map[string]any) bool { return isDeny(p) && enabled(p) }), s.known
}

// inspecting are the attributes that name what inspects a policy's traffic.
var inspecting = []string{"*-profile", "*-sensor", "application-list", "profile-group", "ips-voip-filter"}

// notInspecting look like inspection and are none.
var notInspecting = []string{"egress-shaping-profile", "telemetry-profile", "webproxy-profile", "wanopt-profile"}

// inspection is R-POL-04.
func inspection(w *world, c *Change) []finding {
	if c.Before == nil || c.After == nil || c.Op == plan.OpMove {
		if c.Before != nil && c.Op == plan.OpDelete && matches("firewall/{DoS-policy*,interface-policy*,sniffer}", c.Resource) {
			return fired(plan.High, "%s is deleted: the traffic is no longer inspected there", what(c))
		}
		return nil
	}
	var gone []string
	all := maps.Clone(c.Before)
	maps.Copy(all, c.After)
	for _, a := range slices.Sorted(maps.Keys(all)) {
		if w.weaker(c, a) {
			gone = append(gone, a)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return fired(plan.High, "%s inspects less%s", what(c), c.written(gone))
}

// weaker reports whether one attribute inspects less than before.
func (w *world) weaker(c *Change, a string) bool {
	before, after := c.Before[a], c.After[a]
	switch {
	case a == "ssl-ssh-profile":
		return text(before) != text(after) && slices.Min(w.decryption(c.VDOM, text(after))) < slices.Max(w.decryption(c.VDOM, text(before)))
	case watches(inspecting, a) && !slices.Contains(notInspecting, a):
		return text(before) != "" && text(after) == ""
	case a == "utm-status", strings.HasSuffix(a, "-status") && watches(inspecting, strings.TrimSuffix(a, "-status")):
		return !off(before) && text(after) != "enable"
	case a == "status" && matches("firewall/{DoS-policy*,interface-policy*,sniffer}", c.Resource):
		return text(before) != "disable" && text(after) != "enable"
	case a == "dsri":
		return off(before) && !off(after)
	case a == "scan-botnet-connections":
		return slices.Index(botnet, text(after)) < slices.Index(botnet, text(before))
	case a == "anomaly":
		return weakerAnomalies(before, after)
	}
	return false
}

var botnet = []string{"disable", "monitor", "block"}

// weakerAnomalies reports whether a denial-of-service sensor is off, passes what
// it blocked, or has a higher threshold.
func weakerAnomalies(before, after any) bool {
	now := map[string]map[string]any{}
	for _, row := range rows(after) {
		now[text(row["name"])] = row
	}
	for _, old := range rows(before) {
		row := now[text(old["name"])]
		if off(old["status"]) {
			continue
		}
		was, _ := integer(old["threshold"])
		is, _ := integer(row["threshold"])
		if text(row["status"]) != "enable" || text(old["action"]) == "block" && text(row["action"]) != "block" || is > was {
			return true
		}
	}
	return false
}

// decryption ranks what an SSL profile looks into in all its states: 0 nothing,
// 1 certificates, 2 content. A profile that cannot be read may be either end.
func (w *world) decryption(vdom, name string) []int {
	if name == "" {
		return []int{0}
	}
	var out []int
	if name == noInspection {
		out = append(out, 0) // and what it holds, if somebody changed it
	}
	s := w.object("firewall/ssl-ssh-profile", vdom, operation.TextKey(name))
	if !s.known || len(s.objects) == 0 {
		return append(out, 0, 2)
	}
	for _, o := range s.objects {
		out = append(out, max(sslRank(o["ssl"], "inspect-all"), sslRank(o["https"], "status")))
	}
	return out
}

// noInspection is the device's own profile that looks into nothing.
const noInspection = "no-inspection"

func sslRank(section any, attribute string) int {
	o, _ := section.(map[string]any)
	switch text(o[attribute]) {
	case "deep-inspection":
		return 2
	case "certificate-inspection":
		return 1
	}
	return 0
}
