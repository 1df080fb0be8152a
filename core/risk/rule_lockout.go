package risk

import (
	"net/netip"
	"slices"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

// ownAccount is R-LOCKOUT-01: the account in use, and what it depends on.
func ownAccount(w *world, c *Change) []finding {
	user := w.management().APIUser
	switch {
	case c.Resource == "system/admin":
		return fired(plan.Critical, "%s %s: the table of administrators decides who can manage the device", what(c), verb(c))
	case user == "":
		return fired(plan.Critical, "%s %s, and which API user this connection uses is not known", what(c), verb(c))
	case c.Resource == "system/api-user":
		if c.concerns(user) {
			return fired(plan.Critical, "API user %s, which this connection uses, %s%s: a mistake locks this program out", quote(user), verb(c), c.details())
		}
		return nil
	}
	s := w.object("system/api-user", c.VDOM, operation.TextKey(user))
	if !s.known || len(s.objects) == 0 {
		return fired(plan.Critical, "%s %s, and whether API user %s depends on it could not be read", what(c), verb(c), quote(user))
	}
	attribute := accountAttribute(c.Resource)
	for _, o := range s.objects {
		name := text(o[attribute])
		if name == "" {
			continue
		}
		member, known := w.inScheduleGroup(c, name)
		if !known && !c.concerns(name) {
			return fired(plan.Critical, "%s %s, and whether it is in the schedule of API user %s, which this connection uses, could not be read",
				what(c), verb(c), quote(user))
		}
		if member || c.concerns(name) {
			return fired(plan.Critical, "%s %s: it is the %s of API user %s, which this connection uses; a mistake locks this program out",
				what(c), verb(c), attribute, quote(user))
		}
	}
	return nil
}

// accountAttribute is the attribute by which an API user names a resource's rows.
func accountAttribute(resource string) string {
	switch resource {
	case "system/accprofile":
		return "accprofile"
	case "user/peergrp":
		return "peer-group"
	}
	return "schedule"
}

// inScheduleGroup reports whether a changed schedule is a member of the group that an
// API user is bound to.
func (w *world) inScheduleGroup(c *Change, group string) (member, known bool) {
	if !matches("firewall.schedule/*", c.Resource) {
		return false, true
	}
	s := w.object("firewall.schedule/group", c.VDOM, operation.TextKey(group))
	return slices.ContainsFunc(s.objects, func(o map[string]any) bool {
		return slices.Contains(names(o["member"]), c.Key.String())
	}), s.known
}

// concerns reports whether a change is about the row of a name; one whose key
// is not known is.
func (c *Change) concerns(name string) bool {
	return c.Key.IsZero() || c.Key.String() == name ||
		slices.ContainsFunc(c.states(), func(o map[string]any) bool { return text(o["name"]) == name })
}

// trustedHosts is R-LOCKOUT-02: afterwards our address may not come in.
func trustedHosts(w *world, c *Change) []finding {
	user := w.management().APIUser
	switch {
	case user == "":
		return fired(plan.Critical, "%s %s, and which API user this connection uses is not known", what(c), verb(c))
	case !c.concerns(user):
		return nil
	case c.After == nil:
		return fired(plan.Critical, "API user %s, which this connection uses, is deleted: this program is locked out", quote(user))
	case !w.source.IsValid() && len(rows(c.After["trusthost"])) > 0:
		return fired(plan.Critical, "API user %s has trusted hosts, and whether the address of this connection is among them is not known", quote(user))
	case !trusts(c.After, w.source):
		return fired(plan.Critical, "%s, the address of this connection, will not be among the trusted hosts of API user %s: this program is locked out",
			w.source, quote(user))
	}
	return nil
}

// trusts reports whether an API user surely accepts an address: no trusted hosts
// mean that every address is.
func trusts(user map[string]any, a netip.Addr) bool {
	hosts := rows(user["trusthost"])
	for _, row := range hosts {
		for _, attribute := range []string{"ipv4-trusthost", "ipv6-trusthost"} {
			p, exact, ok := network(text(row[attribute]))
			if ok && exact && applies(row, attribute) && p.Contains(a) {
				return true
			}
		}
	}
	return len(hosts) == 0
}

// applies reports whether a trusted host's row uses an attribute: the other
// family's holds a default that means nothing.
func applies(row map[string]any, attribute string) bool {
	kind := text(row["type"])
	return kind == attribute || kind == "" && attribute == "ipv4-trusthost"
}

// carrierTables are where the way of our connection into the device is made of.
var carrierTables = []string{
	"system/{interface,switch-interface,virtual-switch,physical-switch,ipsec-aggregate,virtual-wire-pair,vdom-link,vxlan,geneve," +
		"gre-tunnel,ipip-tunnel,sit-tunnel,ipv6-tunnel,pppoe-interface,mobile-tunnel,vne-interface}",
	"wireless-controller/vap",
}

// quiet are attributes of an interface that cannot cut a connection.
var quiet = []string{
	"alias", "description", "color", "tagging", "snmp-index", "monitor-bandwidth", "lldp-*", "device-identification*",
	"estimated-*-bandwidth", "measured-*-bandwidth", "uuid", "netflow-*", "sflow-sampler", "sample-*", "bandwidth-measure-time",
}

// ownInterface is R-LOCKOUT-03: what carries our connection.
func ownInterface(w *world, c *Change) []finding {
	if c.Op == plan.OpUpdate && len(c.loud()) == 0 {
		return nil
	}
	carriers, known := w.carriers(c.VDOM)
	for _, name := range carriers {
		if !c.Key.IsZero() && c.Key.String() == name {
			return fired(plan.Critical, "%s carries this connection%s and %s: a mistake cuts it", quote(name), w.from(), verb(c)+c.details())
		}
		if c.takes(name) {
			return fired(plan.Critical, "%s %s and has %s, which carries this connection, as a member", what(c), verb(c), quote(name))
		}
	}
	if !known && (c.Op != plan.OpCreate || c.hasMembers()) {
		return fired(plan.Critical, "%s %s, and which interfaces carry this connection is not fully known", what(c), verb(c))
	}
	return nil
}

// loud lists the attributes written that can cut a connection.
func (c *Change) loud() []string {
	return slices.DeleteFunc(slices.Clone(c.Touched), func(a string) bool { return watches(quiet, a) })
}

// takes reports whether the changed object has an interface as a member. A VLAN
// or tunnel that stands on it leaves it alone.
func (c *Change) takes(name string) bool {
	return slices.ContainsFunc(c.states(), func(o map[string]any) bool {
		return slices.Contains(memberNames(o), name)
	})
}

func (c *Change) hasMembers() bool {
	return slices.ContainsFunc(c.states(), func(o map[string]any) bool { return len(memberNames(o)) > 0 })
}

// details says what an update writes, and what an interface loses.
func (c *Change) details() string {
	if c.Op != plan.OpUpdate {
		return ""
	}
	return c.written(c.loud())
}

func (w *world) from() string {
	if !w.source.IsValid() {
		return ""
	}
	return " (from " + w.source.String() + ")"
}

// carriers lists the interface that our connection enters and those below it:
// the port of a VLAN or tunnel, the members of an aggregate or switch. known is
// false where the list may lack some.
func (w *world) carriers(vdom string) (found []string, known bool) {
	first := w.management().Interface
	if first == "" {
		return nil, false
	}
	found, known = []string{first}, true
	for i := 0; i < len(found) && i < carrierLimit; i++ {
		parts, all := w.partsOf(vdom, found[i])
		known = known && all
		for _, name := range parts {
			if name != "" && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	return found, known && len(found) <= carrierLimit
}

// carrierLimit bounds the interfaces below the one that carries our connection.
const carrierLimit = 64

// partsOf lists the interfaces that one is made of.
func (w *world) partsOf(vdom, name string) (parts []string, known bool) {
	s := w.object("system/interface", vdom, operation.TextKey(name))
	known = s.known
	tables := map[string]bool{}
	for _, o := range s.objects {
		parts = append(parts, memberNames(o)...)
		if t := text(o["interface"]); t != "" {
			parts = append(parts, t)
		}
		switch text(o["type"]) {
		case "switch", "vap-switch":
			tables["system/switch-interface"] = true
		case "hard-switch", "hard-switch-vlan":
			tables["system/virtual-switch"] = true
		}
	}
	for table := range tables {
		below := w.object(table, vdom, operation.TextKey(name))
		known = known && below.known
		for _, o := range below.objects {
			parts = append(parts, memberNames(o)...)
		}
	}
	slices.Sort(parts)
	return parts, known
}

// memberNames lists the interfaces that an aggregate, switch or pair is made of.
func memberNames(o map[string]any) []string {
	var out []string
	for _, a := range []string{"member", "port"} {
		out = append(out, names(o[a])...)
	}
	return out
}

// adminAccess is R-LOCKOUT-04.
func adminAccess(w *world, c *Change) []finding {
	if c.Resource != "system/global" {
		return ownCertificate(w, c)
	}
	hit := c.touches("admin*", "rest-api-key-url-query", "ssl-min-proto-version", "ssl-static-key-ciphers", "strong-crypto",
		"management-ip", "management-port*", "multi-factor-authentication", "clt-cert-req", "dh-params", "private-data-encryption")
	if len(hit) == 0 {
		return nil
	}
	return fired(plan.Critical, "system/global is changed%s: it decides how the device is managed, also by this program", c.written(hit))
}

// ownInput is R-LOCKOUT-05: what the device itself accepts, and where it is managed.
func ownInput(w *world, c *Change) []finding {
	switch c.Resource {
	case policyTable:
		return ownPolicy(w, c)
	case "system/global":
		if hit := c.touches("management-vdom"); len(hit) > 0 {
			return fired(plan.Critical, "system/global is changed%s: the device is managed from another VDOM", c.written(hit))
		}
	case "system/ha":
		if hit := c.touches("ha-mgmt-*", "ha-direct", "standalone-mgmt-vdom"); len(hit) > 0 {
			return fired(plan.Critical, "system/ha is changed%s: it decides through which interface the cluster is managed", c.written(hit))
		}
	case "system/interface":
		if c.Op == plan.OpUpdate && len(c.touches("dedicated-to", "management-ip")) > 0 {
			return fired(plan.Critical, "%s is changed: what it does for the management of the device becomes another", what(c))
		}
	default:
		return fired(plan.Critical, "%s %s: it decides what the device itself accepts", what(c), verb(c))
	}
	return nil
}
