package risk

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

// trial is one statement about one rule: what happens, and the tier at which the
// rule fires, "" where it must not.
type trial struct {
	rule string
	what string
	want plan.Tier
	do   func(b *box) []Change
}

func one(c Change) func(*box) []Change { return func(*box) []Change { return []Change{c} } }

func many(n int, make func(i int) Change) []Change {
	var out []Change
	for i := range n {
		out = append(out, make(i))
	}
	return out
}

func someAddress(i int) object {
	return object{"name": "a" + string(rune('a'+i%26)) + string(rune('a'+i/26)), "type": "ipmask", "subnet": "10.1.1.1 255.255.255.255"}
}

func creates(n int) []Change {
	return many(n, func(i int) Change { o := someAddress(i); return create("firewall/address", o["name"], o) })
}

func deletes(n, rows int) []Change {
	return many(n, func(i int) Change {
		o := someAddress(i)
		c := remove("firewall/address", o["name"], o)
		c.Rows = count(rows)
		return c
	})
}

var (
	port1   = object{"name": "port1", "type": "physical", "role": "lan", "allowaccess": "ping https", "ip": "192.0.2.1 255.255.255.0"}
	port2   = object{"name": "port2", "type": "physical", "role": "lan", "ip": "10.0.0.1 255.255.255.0"}
	apiUser = object{"name": "forti", "accprofile": "api", "schedule": "office"}
	lan     = object{"name": "lan", "type": "ipmask", "subnet": "10.0.0.0 255.255.255.0"}
	syslog  = object{"status": "enable", "server": "192.0.2.9"}
)

func hosts(networks ...string) []any {
	out := []any{}
	for i, n := range networks {
		out = append(out, object{"id": int64(i + 1), "type": "ipv4-trusthost", "ipv4-trusthost": n})
	}
	return out
}

func used(c Change, n int) Change {
	c.Users = count(n)
	return c
}

var lockoutTrials = []trial{
	{"R-LOCKOUT-01", "the API user in use is changed", plan.Critical, one(change("system/api-user", "forti", apiUser, "comments", "x"))},
	{"R-LOCKOUT-01", "another API user is changed", "", one(change("system/api-user", "other", object{"name": "other"}, "comments", "x"))},
	{"R-LOCKOUT-01", "the profile of the API user is changed", plan.Critical, one(change("system/accprofile", "api", object{"name": "api"}, "sysgrp", "none"))},
	{"R-LOCKOUT-01", "another profile is changed", "", one(change("system/accprofile", "guests", object{"name": "guests"}, "sysgrp", "none"))},
	{"R-LOCKOUT-01", "the schedule of the API user is changed", plan.Critical, one(change("firewall.schedule/recurring", "office", object{"name": "office"}, "day", "monday"))},
	{"R-LOCKOUT-01", "another schedule is changed", "", one(change("firewall.schedule/recurring", "nights", object{"name": "nights"}, "day", "monday"))},
	{"R-LOCKOUT-01", "a schedule in the group of the API user is changed", plan.Critical, func(b *box) []Change {
		b.set("firewall.schedule/group", "office", object{"name": "office", "member": refs("mornings")})
		return []Change{change("firewall.schedule/recurring", "mornings", object{"name": "mornings"}, "day", "monday")}
	}},
	{"R-LOCKOUT-01", "the table of administrators is touched", plan.Critical, one(create("system/admin", "x", object{"name": "x"}))},
	{"R-LOCKOUT-01", "a profile is changed and the API user is not known", plan.Critical, func(b *box) []Change {
		b.facts.Management.APIUser = ""
		return []Change{change("system/accprofile", "guests", object{"name": "guests"}, "sysgrp", "none")}
	}},

	{"R-LOCKOUT-02", "our address leaves the trusted hosts", plan.Critical,
		one(change("system/api-user", "forti", apiUser, "trusthost", hosts("10.0.0.0 255.0.0.0")))},
	{"R-LOCKOUT-02", "the API user in use is deleted", plan.Critical, one(remove("system/api-user", "forti", apiUser))},
	{"R-LOCKOUT-02", "our address stays among the trusted hosts", "",
		one(change("system/api-user", "forti", apiUser, "trusthost", hosts("10.0.0.0 255.0.0.0", "192.0.2.77/32")))},
	{"R-LOCKOUT-02", "there are no trusted hosts any more", "", one(change("system/api-user", "forti", apiUser, "trusthost", []any{}))},
	{"R-LOCKOUT-02", "another API user gets trusted hosts", "",
		one(change("system/api-user", "other", object{"name": "other"}, "trusthost", hosts("10.0.0.0 255.0.0.0")))},
	{"R-LOCKOUT-02", "our address is not known", plan.Critical, func(b *box) []Change {
		b.facts.Management.Local = ""
		return []Change{change("system/api-user", "forti", apiUser, "trusthost", hosts("192.0.2.0 255.255.255.0"))}
	}},
	{"R-LOCKOUT-02", "the address that the device sees is not trusted", plan.Critical, func(b *box) []Change {
		b.facts.Source = netip.MustParseAddr("198.51.100.1")
		return []Change{change("system/api-user", "forti", apiUser, "trusthost", hosts("192.0.2.0 255.255.255.0"))}
	}},

	{"R-LOCKOUT-03", "our interface loses an access", plan.Critical, one(change("system/interface", "port1", port1, "allowaccess", "ping"))},
	{"R-LOCKOUT-03", "our interface gets another address", plan.Critical, one(change("system/interface", "port1", port1, "ip", "192.0.2.2 255.255.255.0"))},
	{"R-LOCKOUT-03", "our interface is deleted", plan.Critical, one(remove("system/interface", "port1", port1))},
	{"R-LOCKOUT-03", "our interface gets another alias", "", one(change("system/interface", "port1", port1, "alias", "desk"))},
	{"R-LOCKOUT-03", "another interface is changed", "", one(change("system/interface", "port2", port2, "status", "down"))},
	{"R-LOCKOUT-03", "the port below our VLAN is changed", plan.Critical, func(b *box) []Change {
		b.facts.Management.Interface = "vlan9"
		b.set("system/interface", "vlan9", object{"name": "vlan9", "type": "vlan", "interface": "port2"})
		return []Change{change("system/interface", "port2", port2, "status", "down")}
	}},
	{"R-LOCKOUT-03", "the switch that is our interface loses a port", plan.Critical, func(b *box) []Change {
		b.facts.Management.Interface = "internal"
		b.set("system/interface", "internal", object{"name": "internal", "type": "hard-switch"})
		b.set("system/virtual-switch", "internal", object{"name": "internal", "port": refs("lan1")})
		return []Change{change("system/virtual-switch", "internal", object{"name": "internal", "port": refs("lan1")}, "port", refs("lan2"))}
	}},
	{"R-LOCKOUT-03", "a new aggregate takes our interface", plan.Critical,
		one(create("system/interface", "agg", object{"name": "agg", "type": "aggregate", "member": []any{object{"interface-name": "port1"}}}))},
	{"R-LOCKOUT-03", "a new VLAN stands on our interface", "",
		one(create("system/interface", "vlan9", object{"name": "vlan9", "type": "vlan", "interface": "port1"}))},
	{"R-LOCKOUT-03", "any interface is changed and ours is not known", plan.Critical, func(b *box) []Change {
		b.facts.Management.Interface = ""
		return []Change{change("system/interface", "port2", port2, "status", "down")}
	}},

	{"R-LOCKOUT-04", "the admin port changes", plan.Critical, one(change("system/global", nil, object{"admin-sport": int64(443)}, "admin-sport", int64(8443)))},
	{"R-LOCKOUT-04", "tokens in addresses are allowed", plan.Critical, one(change("system/global", nil, object{}, "rest-api-key-url-query", "enable"))},
	{"R-LOCKOUT-04", "the hostname changes", "", one(change("system/global", nil, object{}, "hostname", "x"))},

	{"R-LOCKOUT-05", "a local-in policy is created", plan.Critical, one(create("firewall/local-in-policy", int64(1), deny(1)))},
	{"R-LOCKOUT-05", "the management VDOM changes", plan.Critical, one(change("system/global", nil, object{}, "management-vdom", "x"))},
	{"R-LOCKOUT-05", "the management interface of a cluster changes", plan.Critical, one(change("system/ha", nil, object{}, "ha-mgmt-status", "enable"))},
	{"R-LOCKOUT-05", "an interface is dedicated to management", plan.Critical, one(change("system/interface", "port2", port2, "dedicated-to", "management"))},
	{"R-LOCKOUT-05", "the cluster's priority changes", "", one(change("system/ha", nil, object{}, "priority", int64(1)))},
	{"R-LOCKOUT-05", "an address is created", "", one(create("firewall/address", "a", lan))},
}

func route(dst string) object {
	return object{"seq-num": int64(1), "dst": dst, "gateway": "10.0.0.254", "device": "port2"}
}

var boxTrials = []trial{
	{"R-RT-01", "a default route is created", plan.Critical, one(create("router/static", int64(1), route("0.0.0.0 0.0.0.0")))},
	{"R-RT-01", "a default route is deleted", plan.Critical, one(remove("router/static", int64(1), with(route(""), "dst", nil)))},
	{"R-RT-01", "an IPv6 default route is created", plan.Critical, one(create("router/static6", int64(1), route("::/0")))},
	{"R-RT-01", "a route covers our address", plan.Critical, one(create("router/static", int64(1), route("192.0.0.0 255.255.0.0")))},
	{"R-RT-01", "a policy route has no destination", plan.Critical, one(create("router/policy", int64(1), object{"seq-num": int64(1)}))},
	{"R-RT-01", "a policy route covers our address", plan.Critical,
		one(create("router/policy", int64(1), object{"dst": []any{object{"subnet": "192.0.2.0/255.255.255.0"}}}))},
	{"R-RT-01", "a policy route leads elsewhere", "",
		one(create("router/policy", int64(1), object{"dst": []any{object{"subnet": "10.9.0.0/255.255.0.0"}}}))},
	{"R-RT-01", "a policy route leads to everything but elsewhere", plan.Critical,
		one(create("router/policy", int64(1), object{"dst": []any{object{"subnet": "10.9.0.0/255.255.0.0"}}, "dst-negate": "enable"}))},
	{"R-RT-01", "a route leads elsewhere", "", one(create("router/static", int64(1), route("10.9.0.0 255.255.0.0")))},
	{"R-RT-01", "a route leads to a named address elsewhere", "", one(create("router/static", int64(1), object{"dstaddr": "lan"}))},
	{"R-RT-01", "a route leads to a named address that is everything", plan.Critical, one(create("router/static", int64(1), object{"dstaddr": "printer"}))},
	{"R-RT-01", "a default route gets a comment", "", one(change("router/static", int64(1), route("0.0.0.0/0"), "comment", "x"))},
	{"R-RT-01", "a route leads elsewhere and our address is not known", plan.Critical, func(b *box) []Change {
		b.facts.Management.Local = ""
		return []Change{create("router/static", int64(1), route("10.9.0.0 255.255.0.0"))}
	}},

	{"R-RT-02", "a route leads elsewhere", plan.High, one(create("router/static", int64(1), route("10.9.0.0 255.255.0.0")))},
	{"R-RT-02", "BGP changes while we are directly connected", plan.High, one(change("router/bgp", nil, object{}, "as", "65001"))},
	{"R-RT-02", "BGP changes while we come through a router", plan.Critical, func(b *box) []Change {
		b.facts.Management.Local = "203.0.113.5"
		return []Change{change("router/bgp", nil, object{}, "as", "65001")}
	}},
	{"R-RT-02", "an address changes", "", one(change("firewall/address", "lan", lan, "color", int64(3)))},

	{"R-IF-01", "a zone is created", plan.High, one(create("system/zone", "dmz", object{"name": "dmz"}))},
	{"R-IF-01", "DNS changes", "", one(change("system/dns", nil, object{}, "primary", "192.0.2.53"))},

	{"R-HA-01", "a VDOM is created", plan.Critical, one(create("system/vdom", "x", object{"name": "x"}))},
	{"R-HA-01", "central management changes", plan.Critical, one(change("system/central-management", nil, object{}, "fmg", "x"))},
	{"R-HA-01", "the operation mode changes", plan.Critical, one(change("system/settings", nil, object{}, "opmode", "transparent"))},
	{"R-HA-01", "another setting changes", "", one(change("system/settings", nil, object{}, "gui-ips", "disable"))},

	{"R-VPN-01", "a tunnel is created", plan.High, one(create("vpn.ipsec/phase1-interface", "hq", object{"name": "hq"}))},
	{"R-VPN-01", "our tunnel changes", plan.Critical, func(b *box) []Change {
		b.facts.Management.Interface = "hq"
		b.set("system/interface", "hq", object{"name": "hq", "type": "tunnel", "interface": "wan1"})
		return []Change{change("vpn.ipsec/phase1-interface", "hq", object{"name": "hq"}, "proposal", "aes256")}
	}},
	{"R-VPN-01", "the second phase of our tunnel changes", plan.Critical, func(b *box) []Change {
		b.facts.Management.Interface = "hq"
		b.set("system/interface", "hq", object{"name": "hq", "type": "tunnel"})
		return []Change{change("vpn.ipsec/phase2-interface", "p2", object{"name": "p2", "phase1name": "hq"}, "pfs", "disable")}
	}},
	{"R-VPN-01", "a tunnel changes and our interface is not known", plan.Critical, func(b *box) []Change {
		b.facts.Management.Interface = ""
		return []Change{change("vpn.ipsec/phase1-interface", "hq", object{"name": "hq"}, "proposal", "aes256")}
	}},
	{"R-VPN-01", "an interface changes", "", one(change("system/interface", "port2", port2, "status", "down"))},

	{"R-NAT-01", "a virtual address is created", plan.High, one(create("firewall/vip", "web", object{"name": "web"}))},
	{"R-NAT-01", "an address pool is created", "", one(create("firewall/ippool", "p", object{"name": "p"}))},

	{"R-LOG-01", "a policy logs less", plan.High, one(change(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"), "logtraffic", "utm"))},
	{"R-LOG-01", "a policy logs more", "", one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "logtraffic", "utm"), "logtraffic", "all"))},
	{"R-LOG-01", "a policy is created that logs nothing", plan.High, one(create(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "logtraffic", "disable")))},
	{"R-LOG-01", "a log target gets another address", plan.High, one(change("log.syslogd/setting", nil, syslog, "server", "192.0.2.10"))},
	{"R-LOG-01", "the last log target is switched off", plan.Critical, one(change("log.syslogd/setting", nil, syslog, "status", "disable"))},
	{"R-LOG-01", "a log target is switched off while another is on", plan.High, func(b *box) []Change {
		b.singleton("log.fortianalyzer/setting", object{"status": "enable"})
		return []Change{change("log.syslogd/setting", nil, syslog, "status", "disable")}
	}},
	{"R-LOG-01", "both log targets are switched off", plan.Critical, func(b *box) []Change {
		b.singleton("log.fortianalyzer/setting", object{"status": "disable"})
		return []Change{change("log.syslogd/setting", nil, syslog, "status", "disable"), change("log.fortianalyzer/setting", nil, syslog, "status", "disable")}
	}},

	{"R-AUTH-01", "a local user is created", plan.High, one(create("user/local", "u", object{"name": "u"}))},
	{"R-AUTH-01", "a certificate is deleted", plan.High, one(remove("vpn.certificate/ca", "c", object{"name": "c"}))},
	{"R-AUTH-01", "a device is named", "", one(create("user/device", "d", object{"alias": "d"}))},

	{"R-AUTO-01", "a stitch is created", plan.Critical, one(create("system/automation-stitch", "s", object{"name": "s"}))},
	{"R-AUTO-01", "a script is created", plan.Critical, one(create("system/auto-script", "s", object{"name": "s"}))},
	{"R-AUTO-01", "a firewall schedule is created", "", one(create("firewall.schedule/onetime", "s", object{"name": "s"}))},

	{"R-ACT-01", "counters are reset", plan.Medium, one(action("monitor/firewall/policy/reset", "counter"))},
	{"R-ACT-01", "sessions are closed", plan.Critical, one(action("monitor/firewall/session/close", "session"))},
	{"R-ACT-01", "the device is rebooted", plan.Critical, one(action("monitor/system/os/reboot", "device"))},
	{"R-ACT-01", "an unknown action is called", plan.Critical, one(action("monitor/new/thing/start", "operate"))},
	{"R-ACT-01", "an action of a disruptive class is called", plan.Critical, one(action("monitor/firewall/policy/reset", "device"))},
	{"R-ACT-01", "an address is created", "", one(create("firewall/address", "a", lan))},
}

var policyTrials = []trial{
	{"R-POL-01", "all to all with all", plan.Critical, one(create(policyTable, int64(1), policy(1, "all", "all", "ALL")))},
	{"R-POL-01", "an innocent name that means everything", plan.Critical, one(create(policyTable, int64(1), policy(1, "printer", "all", "harmless")))},
	{"R-POL-01", "the same, moved", plan.Critical, one(move(1, policy(1, "all", "all", "ALL"), []int64{2, 1}, []int64{1, 2}))},
	{"R-POL-01", "all to all with one service", "", one(create(policyTable, int64(1), policy(1, "all", "all", "HTTPS")))},
	{"R-POL-01", "a deny of everything", "", one(create(policyTable, int64(1), deny(1)))},
	{"R-POL-01", "a disabled policy", "", one(create(policyTable, int64(1), with(policy(1, "all", "all", "ALL"), "status", "disable")))},
	{"R-POL-01", "a comment on a wide policy", "", one(change(policyTable, int64(1), policy(1, "all", "all", "ALL"), "comments", "x"))},
	{"R-POL-01", "a wide policy that is switched on", plan.Critical,
		one(change(policyTable, int64(1), with(policy(1, "all", "all", "ALL"), "status", "disable"), "status", "enable"))},
	{"R-POL-01", "an unread name", plan.Critical, func(b *box) []Change {
		b.blind = true
		return []Change{create(policyTable, int64(1), policy(1, "x", "y", "z"))}
	}},
	{"R-POL-01", "a name that the plan itself makes wide", plan.Critical, func(b *box) []Change {
		wide := object{"name": "new", "type": "ipmask", "subnet": "0.0.0.0/0"}
		b.set("firewall/address", "new", wide)
		return []Change{create("firewall/address", "new", wide), create(policyTable, int64(1), policy(1, "new", "all", "ALL"))}
	}},
	{"R-POL-01", "not a small network", plan.Critical, one(create(policyTable, int64(1), with(policy(1, "lan", "all", "ALL"), "srcaddr-negate", "enable")))},
	{"R-POL-01", "not everything", "", one(create(policyTable, int64(1), with(policy(1, "all", "all", "ALL"), "srcaddr-negate", "enable")))},

	{"R-POL-02", "two of three wide", plan.High, one(create(policyTable, int64(1), policy(1, "lan", "all", "ALL")))},
	{"R-POL-02", "from the internet side", plan.High, one(create(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "srcintf", refs("wan1"))))},
	{"R-POL-02", "from any interface", plan.High, one(create(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "srcintf", refs("any"))))},
	{"R-POL-02", "from a zone with an interface on the internet side", plan.High, func(b *box) []Change {
		b.set("system/zone", "outside", object{"interface": []any{object{"interface-name": "wan1"}}})
		return []Change{create(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "srcintf", refs("outside")))}
	}},
	{"R-POL-02", "from a zone inside", "", func(b *box) []Change {
		b.set("system/zone", "inside", object{"interface": []any{object{"interface-name": "port2"}}})
		return []Change{create(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "srcintf", refs("inside")))}
	}},
	{"R-POL-02", "one of three wide, from inside", "", one(create(policyTable, int64(1), policy(1, "lan", "all", "HTTPS")))},

	{"R-POL-03", "a policy stands above a deny", plan.High, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "lan", "HTTPS"), deny(2)}
		return []Change{create(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"))}
	}},
	{"R-POL-03", "a policy stands below every deny", "", func(b *box) []Change {
		b.policies = []map[string]any{deny(2), policy(1, "lan", "lan", "HTTPS")}
		return []Change{create(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"))}
	}},
	{"R-POL-03", "a policy above a deny logs more", "", func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "lan", "HTTPS"), deny(2)}
		return []Change{change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "logtraffic", "utm"), "logtraffic", "all")}
	}},
	{"R-POL-03", "a policy is moved above a deny", plan.High, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "lan", "HTTPS"), deny(2)}
		return []Change{move(1, policy(1, "lan", "lan", "HTTPS"), []int64{2, 1}, []int64{1, 2})}
	}},
	{"R-POL-03", "a policy is moved above a deny and back again", plan.High, func(b *box) []Change {
		p := policy(1, "lan", "lan", "HTTPS")
		b.policies = []map[string]any{deny(2), p}
		return []Change{move(1, p, []int64{2, 1}, []int64{1, 2}), move(1, p, []int64{1, 2}, []int64{2, 1})}
	}},
	{"R-POL-03", "a policy of another table is moved above a deny", plan.High, func(b *box) []Change {
		c := move(1, policy(1, "lan", "lan", "HTTPS"), []int64{2, 1}, []int64{1, 2})
		c.Resource = "firewall/proxy-policy"
		b.objects[Want{Path: c.Resource, Key: keyFor(int64(2))}] = deny(2)
		return []Change{c}
	}},
	{"R-POL-03", "a policy of another table is moved above an accept", "", func(b *box) []Change {
		c := move(1, policy(1, "lan", "lan", "HTTPS"), []int64{2, 1}, []int64{1, 2})
		c.Resource = "firewall/proxy-policy"
		b.objects[Want{Path: c.Resource, Key: keyFor(int64(2))}] = policy(2, "lan", "lan", "HTTPS")
		return []Change{c}
	}},
	{"R-POL-03", "a deny is deleted", plan.High, one(remove(policyTable, int64(2), deny(2)))},
	{"R-POL-03", "an accept is deleted", "", one(remove(policyTable, int64(2), policy(2, "lan", "lan", "HTTPS")))},
	{"R-POL-03", "a deny is disabled", plan.High, one(change(policyTable, int64(2), deny(2), "status", "disable"))},
	{"R-POL-03", "a deny is narrowed", plan.High, one(change(policyTable, int64(2), deny(2), "srcaddr", refs("lan")))},
	{"R-POL-03", "a deny becomes an accept", plan.High, one(change(policyTable, int64(2), deny(2), "action", "accept"))},
	{"R-POL-03", "a deny moves down", plan.High, one(move(2, deny(2), []int64{2, 1}, []int64{1, 2}))},
	{"R-POL-03", "a deny moves up", "", one(move(2, deny(2), []int64{1, 2}, []int64{2, 1}))},
	{"R-POL-03", "a wall of the access list is removed", plan.High, one(remove("firewall/acl", int64(1), object{"policyid": int64(1)}))},
	{"R-POL-03", "the order is not known", plan.High, func(b *box) []Change {
		b.blind = true
		return []Change{create(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"))}
	}},

	{"R-POL-04", "a profile is removed", plan.High, one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "av-profile", "default"), "av-profile", ""))},
	{"R-POL-04", "inspection is switched off", plan.High, one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "utm-status", "enable"), "utm-status", "disable"))},
	{"R-POL-04", "certificates are no longer inspected", plan.High, one(change(policyTable, int64(1),
		with(policy(1, "lan", "lan", "HTTPS"), "ssl-ssh-profile", "certificate-inspection"), "ssl-ssh-profile", "no-inspection"))},
	{"R-POL-04", "a profile that inspects less takes the place of another", plan.High, func(b *box) []Change {
		b.set("firewall/ssl-ssh-profile", "strict", object{"ssl": object{"inspect-all": "deep-inspection"}})
		b.set("firewall/ssl-ssh-profile", "stricter", object{"https": object{"status": "certificate-inspection"}})
		return []Change{change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "ssl-ssh-profile", "strict"), "ssl-ssh-profile", "stricter")}
	}},
	{"R-POL-04", "a profile that inspects as much takes the place of another", "", func(b *box) []Change {
		b.set("firewall/ssl-ssh-profile", "a", object{"ssl": object{"inspect-all": "deep-inspection"}})
		b.set("firewall/ssl-ssh-profile", "b", object{"https": object{"status": "deep-inspection"}})
		return []Change{change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "ssl-ssh-profile", "a"), "ssl-ssh-profile", "b")}
	}},
	{"R-POL-04", "a profile is added", "", one(change(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"), "av-profile", "default"))},
	{"R-POL-04", "a denial-of-service policy lets pass what it blocked", plan.High, one(change("firewall/DoS-policy", int64(1),
		object{"anomaly": []any{object{"name": "tcp_syn_flood", "status": "enable", "action": "block", "threshold": int64(2000)}}},
		"anomaly", []any{object{"name": "tcp_syn_flood", "status": "enable", "action": "pass", "threshold": int64(2000)}}))},
	{"R-POL-04", "a denial-of-service policy is deleted", plan.High, one(remove("firewall/DoS-policy", int64(1), object{"policyid": int64(1)}))},

	{"R-POL-05", "a policy gets a comment", plan.Medium, one(change(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"), "comments", "x"))},
	{"R-POL-05", "a shaping policy is created", plan.Medium, one(create("firewall/shaping-policy", int64(1), object{"id": int64(1)}))},
	{"R-POL-05", "an address is created", "", one(create("firewall/address", "a", lan))},
}

var objectTrials = []trial{
	{"R-SEC-01", "a secret is written", plan.High, func(*box) []Change {
		c := create("user/local", "u", object{"name": "u"})
		c.Secrets = 1
		return []Change{c}
	}},
	{"R-SEC-01", "an attribute that is a secret is written", plan.High, func(*box) []Change {
		c := change("user/local", "u", object{"name": "u"}, "passwd", "x")
		c.Schema = &schema.Resource{Attributes: []schema.Attribute{{Name: "passwd", Secret: true}}}
		return []Change{c}
	}},
	{"R-SEC-01", "no secret is written", "", one(create("user/local", "u", object{"name": "u"}))},

	{"R-REF-01", "a used object is changed", plan.Medium, one(used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25"), 1))},
	{"R-REF-01", "an object in wide use is changed", plan.High, one(used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25"), 6))},
	{"R-REF-01", "an object used everywhere is changed", plan.Critical, one(used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25"), 51))},
	{"R-REF-01", "an unused object is changed", "", one(used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25"), 0))},
	{"R-REF-01", "a used object gets a comment", "", one(used(change("firewall/address", "lan", lan, "comment", "x"), 51))},
	{"R-REF-01", "the users are not known", plan.High, func(*box) []Change {
		c := change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25")
		c.Users = nil
		return []Change{c}
	}},

	{"R-REF-02", "an address of a policy becomes everything", plan.Critical, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "all", "ALL")}
		b.address("lan", "0.0.0.0/0")
		return []Change{used(change("firewall/address", "lan", lan, "subnet", "0.0.0.0/0"), 1)}
	}},
	{"R-REF-02", "an address of a narrow policy grows", plan.Medium, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "lan", "HTTPS")}
		b.address("lan", "10.0.0.0/16")
		return []Change{used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/16"), 1)}
	}},
	{"R-REF-02", "a group of a policy gets everything as a member", plan.Critical, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "g", "all", "ALL")}
		b.set("firewall/addrgrp", "g", object{"name": "g", "member": refs("lan", "printer")})
		return []Change{used(change("firewall/addrgrp", "g", object{"name": "g", "member": refs("lan")}, "member", refs("lan", "printer")), 1)}
	}},
	{"R-REF-02", "an address in a group of a policy grows", plan.Medium, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "g", "lan", "HTTPS")}
		b.set("firewall/addrgrp", "g", object{"name": "g", "member": refs("lan")})
		b.address("lan", "10.0.0.0/16")
		return []Change{used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/16"), 1)}
	}},
	{"R-REF-02", "a service of a policy becomes everything", plan.High, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "all", "web")}
		web := object{"name": "web", "tcp-portrange": "80"}
		b.set("firewall.service/custom", "web", with(web, "tcp-portrange", "1-65535"))
		return []Change{used(change("firewall.service/custom", "web", web, "tcp-portrange", "1-65535"), 1)}
	}},
	{"R-REF-02", "an address that a policy negates shrinks", plan.Critical, func(b *box) []Change {
		b.policies = []map[string]any{with(policy(1, "lan", "all", "ALL"), "srcaddr-negate", "enable")}
		b.address("lan", "10.0.0.0/25")
		return []Change{used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25"), 1)}
	}},
	{"R-REF-02", "an address of a policy shrinks", "", func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "all", "ALL")}
		b.address("lan", "10.0.0.0/25")
		return []Change{used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25"), 1)}
	}},
	{"R-REF-02", "an address that only a deny uses grows", "", func(b *box) []Change {
		b.policies = []map[string]any{with(deny(1), "srcaddr", refs("lan"))}
		return []Change{used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/16"), 1)}
	}},
	{"R-REF-02", "an address grows and the policies are not known", plan.Critical, func(b *box) []Change {
		b.blind = true
		return []Change{used(change("firewall/address", "lan", lan, "subnet", "0.0.0.0/0"), 1)}
	}},
	{"R-REF-02", "the same address in another notation", "", func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "all", "ALL")}
		return []Change{used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/24"), 1)}
	}},

	{"R-IRREV-01", "an operation has no inverse", plan.High, func(*box) []Change {
		c := create("firewall/address", "a", lan)
		c.Irreversible = "the device chooses the key"
		return []Change{c}
	}},
	{"R-IRREV-01", "an operation has an inverse", "", one(create("firewall/address", "a", lan))},
	{"R-IRREV-01", "counters are reset, which nobody undoes", "", func(*box) []Change {
		c := action("monitor/firewall/policy/reset", "counter")
		c.Irreversible = "an action"
		return []Change{c}
	}},
}

var planTrials = []trial{
	{"R-DEL-01", "one delete", plan.Medium, func(*box) []Change { return deletes(1, 1000) }},
	{"R-DEL-01", "five deletes", plan.Medium, func(*box) []Change { return deletes(5, 1000) }},
	{"R-DEL-01", "six deletes", plan.High, func(*box) []Change { return deletes(6, 1000) }},
	{"R-DEL-01", "twenty deletes", plan.High, func(*box) []Change { return deletes(20, 1000) }},
	{"R-DEL-01", "twenty-one deletes", plan.Critical, func(*box) []Change { return deletes(21, 1000) }},
	{"R-DEL-01", "six of thirty rows: a fifth exactly", plan.High, func(*box) []Change { return deletes(6, 30) }},
	{"R-DEL-01", "six of twenty-nine rows: more than a fifth", plan.Critical, func(*box) []Change { return deletes(6, 29) }},
	{"R-DEL-01", "two of three rows", plan.Medium, func(*box) []Change { return deletes(2, 3) }},
	{"R-DEL-01", "six deletes of an unknown number", plan.Critical, func(*box) []Change {
		list := deletes(6, 0)
		for i := range list {
			list[i].Rows = nil
		}
		return list
	}},
	{"R-DEL-01", "creates only", "", func(*box) []Change { return creates(10) }},

	{"R-SIZE-01", "20 operations", "", func(*box) []Change { return creates(20) }},
	{"R-SIZE-01", "21 operations", plan.High, func(*box) []Change { return creates(21) }},
	{"R-SIZE-01", "100 operations", plan.High, func(*box) []Change { return creates(100) }},
	{"R-SIZE-01", "101 operations", plan.Critical, func(*box) []Change { return creates(101) }},

	{"R-SAVE-01", "changes are saved at once", "", func(*box) []Change { return creates(1) }},
	{"R-SAVE-01", "changes are saved by hand", plan.High, func(b *box) []Change {
		b.facts.Management.Save = "manual"
		return creates(1)
	}},
	{"R-SAVE-01", "it is not known, and the plan has nothing to do with it", "", func(b *box) []Change {
		b.facts.Management.Save = ""
		return creates(1)
	}},
	{"R-SAVE-01", "it is not known, and the plan touches the place", plan.High, func(b *box) []Change {
		b.facts.Management.Save = ""
		return []Change{change("system/global", nil, object{}, "hostname", "x")}
	}},
	{"R-SAVE-01", "the plan itself switches it off", plan.High, one(change("system/global", nil, object{"cfg-save": "automatic"}, "cfg-save", "revert"))},

	{"R-MIX-01", "one VDOM", "", func(*box) []Change { return creates(2) }},
	{"R-MIX-01", "two VDOMs", plan.High, func(*box) []Change {
		list := creates(2)
		list[1].VDOM = "edge"
		return list
	}},
	{"R-MIX-01", "a VDOM and the global scope", plan.High, func(*box) []Change {
		list := creates(2)
		list[1].VDOM = ""
		return list
	}},
}

var trials = slices.Concat(lockoutTrials, boxTrials, policyTrials, objectTrials, planTrials)

func TestRules(t *testing.T) {
	for _, x := range trials {
		t.Run(x.rule+"/"+x.what, func(t *testing.T) {
			b := newBox()
			changes := x.do(b)
			v := b.assess(changes...)
			if got := tierOf(v, x.rule); got != x.want {
				t.Errorf("fires at %q, want %q; reasons: %+v", got, x.want, v.Reasons)
			}
			if v.Tier.Rank() < x.want.Rank() && x.want != "" {
				t.Errorf("the plan is %s although a rule says %s", v.Tier, x.want)
			}
			for _, r := range v.Reasons {
				if r.Text == "" || r.Operation < -1 || r.Operation >= len(changes) {
					t.Errorf("a reason without text or operation: %+v", r)
				}
			}
		})
	}
}

func TestEveryRuleHasACaseForAndAgainst(t *testing.T) {
	fires, silent := map[string]bool{}, map[string]bool{}
	for _, x := range trials {
		if x.want == "" {
			silent[x.rule] = true
		} else {
			fires[x.rule] = true
		}
	}
	seen := map[string]bool{}
	for _, r := range rules {
		if seen[r.id] {
			t.Errorf("rule %s stands twice in the table", r.id)
		}
		seen[r.id] = true
		if !fires[r.id] || !silent[r.id] {
			t.Errorf("rule %s: fires %v, silent %v; both must be shown", r.id, fires[r.id], silent[r.id])
		}
	}
	if len(rules) != 28 {
		t.Errorf("the rule set has %d rules, want 28", len(rules))
	}
}
