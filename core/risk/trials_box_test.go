package risk

import (
	"net/netip"

	"github.com/forti-mcp/forti/core/plan"
)

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
