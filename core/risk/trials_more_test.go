package risk

import (
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

// enabling switches policy 2, a deny of everything, on.
func enabling() Change {
	return change(policyTable, int64(2), with(block(2, "all"), "status", "disable"), "status", "enable")
}

func described(c Change, attributes ...schema.Attribute) Change {
	c.Schema = &schema.Resource{Key: "name", Attributes: attributes}
	return c
}

func low() object { return allDay(policy(1, "lan", "lan", "HTTPS")) }

// standingAfter is a plan after which the policies stand so.
func standingAfter(rows []map[string]any, list ...Change) func(b *box) []Change {
	return func(b *box) []Change {
		b.policies = rows
		return list
	}
}

var moreTrials = []trial{
	{"R-POL-06", "a deny moves below a policy that the plan deletes later", "", standingAfter([]map[string]any{block(2, "all")},
		move(2, block(2, "all"), []int64{2, 1}, []int64{1, 2}), remove(policyTable, int64(1), low()))},
	{"R-POL-06", "a deny is switched on below a policy that the plan deletes later", "", standingAfter([]map[string]any{block(2, "all")},
		enabling(), ordered(remove(policyTable, int64(1), low()), []int64{1, 2}, []int64{2}))},
	{"R-POL-06", "a deny is switched on above a policy that the plan deletes later", plan.High, standingAfter([]map[string]any{block(2, "all")},
		enabling(), ordered(remove(policyTable, int64(1), low()), []int64{2, 1}, []int64{2}))},
	{"R-POL-06", "the same, and its place is not among those told", plan.High, standingAfter([]map[string]any{block(2, "all")},
		enabling(), ordered(remove(policyTable, int64(1), low()), []int64{2}, []int64{2}))},
	{"R-POL-06", "a deny is switched on below one, and what is told of the order names another that is gone", "", standingAfter([]map[string]any{block(2, "all")},
		enabling(), ordered(remove(policyTable, int64(1), low()), []int64{1, 77, 2}, []int64{77, 2}))},
	{"R-POL-06", "two policies, of which one is between others that the plan deletes later", "", standingAfter([]map[string]any{block(2, "all")},
		enabling(), ordered(remove(policyTable, int64(1), low()), []int64{1, 3, 2}, []int64{3, 2}), ordered(remove(policyTable, int64(3), with(low(), "policyid", int64(3))), []int64{3, 2}, []int64{2}))},
	{"R-POL-06", "the lower one is off", "", onTop(block(2, "all"), with(low(), "status", "disable"))},
	{"R-POL-06", "the upper one is off and moves", "", onTop(with(block(2, "all"), "status", "disable"), low())},
	{"R-POL-06", "the upper one only gets a comment", "", standingAfter([]map[string]any{block(2, "all"), low()},
		change(policyTable, int64(2), block(2, "all"), "comments", "x"))},
	{"R-POL-06", "the upper one gets a comment, the lower is switched on", plan.Medium, standingAfter([]map[string]any{block(2, "all"), low()},
		change(policyTable, int64(2), block(2, "all"), "comments", "x"), change(policyTable, int64(1), with(low(), "status", "disable"), "status", "enable"))},
	{"R-POL-06", "a schedule that does not exist", "", onTop(with(block(2, "all"), "schedule", "ghost"), with(low(), "schedule", "nights"))},
	{"R-POL-06", "a schedule that ends before midnight", "", func(b *box) []Change {
		b.set("firewall.schedule/recurring", "always", object{"name": "always", "day": week, "start": "00:00", "end": "17:00"})
		return onTop(block(2, "all"), with(low(), "schedule", "nights"))(b)
	}},
	{"R-POL-06", "neither has a schedule", "", onTop(with(block(2, "all"), "schedule", nil), with(low(), "schedule", nil))},
	{"R-POL-06", "the lower one lists no service", "", func(b *box) []Change {
		b.set("firewall.service/group", "web", object{"name": "web", "member": refs("HTTPS")})
		return onTop(with(block(2, "all"), "service", refs("web")), with(low(), "service", []any{}))(b)
	}},
	{"R-POL-06", "the lower one lists no interface", "", onTop(with(block(2, "all"), "srcintf", refs("port2")), with(low(), "srcintf", []any{}))},
	{"R-POL-06", "the lower one lists no addresses", "", onTop(block(2, "all"), with(low(), "srcaddr", []any{}, "dstaddr", []any{}))},
	{"R-POL-06", "a policy is created below one whose list is not looked at", "", func(b *box) []Change {
		b.address("all", "10.7.0.0/24")
		top := with(block(2, "all"), "srcaddr", refs("all", "printer"), "dstaddr", refs("lan"))
		return standing([]map[string]any{top, low()}, create(policyTable, int64(1), low()))(b)
	}},
	{"R-POL-06", "a policy is created below one whose schedule is not looked at", "", func(b *box) []Change {
		b.set("firewall.schedule/recurring", "ever", with(wholeWeek, "name", "ever"))
		return standing([]map[string]any{with(block(2, "all"), "schedule", "ever"), with(low(), "schedule", "nights")},
			create(policyTable, int64(1), with(low(), "schedule", "nights")))(b)
	}},
	{"R-POL-06", "two that it takes all of", plan.High, standingAfter([]map[string]any{block(2, "all"), low(), with(low(), "policyid", int64(3))},
		move(2, block(2, "all"), []int64{1, 3, 2}, []int64{2, 1, 3}), change(policyTable, int64(1), low(), "schedule", "always"))},

	{"R-POL-02", "from a zone that names itself", "", func(b *box) []Change {
		b.set("system/zone", "odd", object{"interface": []any{object{"interface-name": "odd"}}})
		return []Change{create(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "srcintf", refs("odd")))}
	}},
	{"R-POL-01", "a group of IPv6 that holds everything", plan.Critical, func(b *box) []Change {
		b.set("firewall/address6", "six", object{"name": "six", "ip6": "::/0"})
		b.set("firewall/addrgrp6", "sixes", object{"name": "sixes", "member": refs("six")})
		p := with(policy(1, "lan", "lan", "ALL"), "srcaddr", []any{}, "dstaddr", []any{}, "srcaddr6", refs("sixes"), "dstaddr6", refs("sixes"))
		return []Change{create(policyTable, int64(1), p)}
	}},
	{"R-POL-01", "a small group of IPv6", "", func(b *box) []Change {
		b.set("firewall/address6", "six", object{"name": "six", "type": "ipprefix", "ip6": "2001:db8::/64"})
		b.set("firewall/addrgrp6", "sixes", object{"name": "sixes", "member": refs("six")})
		p := with(policy(1, "lan", "lan", "ALL"), "srcaddr", []any{}, "dstaddr", []any{}, "srcaddr6", refs("sixes"), "dstaddr6", refs("sixes"))
		return []Change{create(policyTable, int64(1), p)}
	}},

	{"R-LOG-01", "a policy that logs all is deleted", "", one(remove(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS")))},
	{"R-LOG-01", "a deny is created that logs nothing", "", one(create(policyTable, int64(1), with(deny(1), "logtraffic", "disable")))},
	{"R-LOG-01", "a policy that logs nothing is changed otherwise", "", one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "logtraffic", "disable"), "nat", "enable"))},
	{"R-LOG-01", "the start of sessions was not logged before", "", one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "logtraffic-start", "disable"), "nat", "enable"))},
	{"R-LOG-01", "the start of sessions stays logged", "", one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "logtraffic-start", "enable"), "nat", "enable"))},
	{"R-LOG-01", "a log target that was on without saying so is switched off", plan.Critical, one(change("log.syslogd/setting", nil, object{"status": "enable"}, "status", nil))},
	{"R-LOG-01", "another log target does not exist", plan.Critical, func(b *box) []Change {
		b.singleton("log.disk/setting", nil)
		return []Change{change("log.syslogd/setting", nil, syslog, "status", "disable")}
	}},
	{"R-LOG-01", "what a target filters changes", plan.High, one(change("log.syslogd/filter", nil, object{"status": "enable"}, "status", "disable"))},

	{"R-VPN-01", "something for all tunnels changes while none carries us", plan.High, one(change("vpn.ipsec/fec", "f", object{"name": "f"}, "x", "y"))},
	{"R-VPN-01", "a tunnel is created and our interface is not known", plan.High, after(func(b *box) { b.facts.Management.Interface = "" },
		create("vpn.ipsec/phase1-interface", "hq", object{"name": "hq"}))},
	{"R-ACT-01", "an action of which nothing more is known", plan.Medium, func(*box) []Change {
		c := action("monitor/firewall/policy/reset", "")
		c.Call = nil
		return []Change{c}
	}},

	{"R-LOCKOUT-01", "another group of peers is changed while a group of schedules could not be read", "", func(b *box) []Change {
		b.hidden = "firewall.schedule/group"
		b.set("system/api-user", "forti", object{"name": "forti", "peer-group": "ops"})
		return []Change{change("user/peergrp", "x", object{"name": "x"}, "member", refs("y"))}
	}},
	{"R-LOCKOUT-01", "a schedule is changed while the group of schedules could not be read", plan.Critical, func(b *box) []Change {
		b.hidden = "firewall.schedule/group"
		return []Change{change("firewall.schedule/recurring", "nights", object{"name": "nights"}, "day", "monday")}
	}},
	{"R-LOCKOUT-01", "a profile is changed while the API user has none", "", func(b *box) []Change {
		b.set("system/api-user", "forti", object{"name": "forti"})
		return []Change{lanProfile}
	}},
	{"R-LOCKOUT-01", "a profile of which the key is not known", plan.Critical, func(*box) []Change {
		c := change("system/accprofile", "x", object{}, "sysgrp", "none")
		c.Key = operation.Key{}
		return []Change{c}
	}},
	{"R-LOCKOUT-03", "our interface goes down and our address is not known", plan.Critical, after(func(b *box) { b.facts.Management.Local = "" },
		change("system/interface", "port1", port1, "status", "down"))},
	{"R-LOCKOUT-03", "an aggregate that holds itself and ours is changed", plan.Critical, func(b *box) []Change {
		b.facts.Management.Interface = "agg"
		b.set("system/interface", "agg", object{"name": "agg", "type": "aggregate", "member": []any{object{"interface-name": "agg"}, object{"interface-name": "port2"}}})
		return []Change{change("system/interface", "port2", port2, "status", "down")}
	}},

	{"R-REF-01", "who uses it is told", plan.Medium, func(*box) []Change {
		c := used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25"), 2)
		c.UserNames = []string{"firewall/policy 1", "firewall/addrgrp site"}
		return []Change{c}
	}},
	{"R-REF-01", "seven users, of whom five are named", plan.High, func(*box) []Change {
		c := used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25"), 7)
		c.UserNames = []string{"a", "b", "c", "d", "e", "f", "g"}
		return []Change{c}
	}},
	{"R-REF-02", "an unused address grows and the policies are not known", "", after(unread, used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/16"), 0))},
	{"R-REF-02", "two policies accept more", plan.High, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "lan", "HTTPS"), policy(2, "lan", "all", "ALL"), policy(3, "all", "lan", "HTTPS")}
		b.address("lan", "10.0.0.0/16")
		return []Change{used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/16"), 3)}
	}},
	{"R-REF-02", "an unused address that a policy of the plan uses in another VDOM", "", func(b *box) []Change {
		c := create(policyTable, int64(7), policy(7, "lan", "all", "ALL"))
		c.VDOM = "edge"
		return []Change{change("firewall/address", "lan", lan, "subnet", "0.0.0.0/0"), c}
	}},
	{"R-REF-02", "an unused address that something else of the plan names", "", func(*box) []Change {
		return []Change{change("firewall/address", "lan", lan, "subnet", "0.0.0.0/0"), create("firewall/local-in-policy", int64(1), policy(7, "lan", "all", "ALL"))}
	}},
	{"R-REF-02", "an address that the plan creates", "", func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "all", "ALL")}
		return []Change{create("firewall/address", "lan", lan)}
	}},
	{"R-REF-02", "an address that the plan deletes", "", func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "all", "ALL")}
		return []Change{used(remove("firewall/address", "lan", lan), 1)}
	}},
	{"R-REF-02", "an address of a policy gets a comment while it cannot be told how large it is", "", func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "se", "all", "ALL")}
		return []Change{used(change("firewall/address", "se", object{"name": "se", "type": "geography"}, "comment", "x"), 1)}
	}},
	{"R-REF-02", "a country becomes another, and nobody knows how large", plan.High, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "se", "lan", "HTTPS")}
		se := object{"name": "se", "type": "geography", "country": "SE"}
		b.policies[0]["service"] = refs("ALL")
		b.set("firewall/address", "se", with(se, "country", "NO"))
		return []Change{used(change("firewall/address", "se", se, "country", "NO"), 1)}
	}},
	{"R-REF-02", "a name of a group of names gets another", plan.Medium, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "h", "HTTPS")}
		b.policies[0]["dstaddr"] = refs("web6")
		b.set("firewall/vip", "v", object{"mappedip": []any{object{"range": "10.0.0.1"}}})
		b.set("firewall/vipgrp", "web6", object{"member": refs("v")})
		v := object{"mappedip": []any{object{"range": "10.0.0.1"}}}
		return []Change{used(change("firewall/vip", "v", v, "mappedip", []any{object{"range": "10.0.0.2"}}), 1)}
	}},
	{"R-IRREV-01", "sessions are closed, which nobody undoes", plan.High, func(*box) []Change {
		c := action("monitor/firewall/session/close", "session")
		c.Irreversible = "an action cannot be undone"
		return []Change{c}
	}},
	{"R-SEC-01", "two secrets are written", plan.High, func(*box) []Change {
		c := described(create("user/local", "u", object{"name": "u", "passwd": "x"}), schema.Attribute{Name: "passwd", Secret: true})
		c.Secrets = 2
		return []Change{c}
	}},
	{"R-SEC-01", "an attribute that is no secret is written", "", one(described(change("user/local", "u", object{"name": "u"}, "email-to", "x"), schema.Attribute{Name: "email-to"}))},

	{"R-DEL-01", "five of five rows", plan.Medium, func(*box) []Change { return deletes(5, 5) }},
	{"R-DEL-01", "six of a table of which two sizes are told: the smaller counts", plan.Critical, func(*box) []Change {
		list := deletes(6, 100)
		list[3].Rows = count(20)
		return list
	}},
	{"R-DEL-01", "six of a table of which one delete does not know the size", plan.High, func(*box) []Change {
		list := deletes(6, 100)
		list[5].Rows = nil
		return list
	}},
	{"R-SAVE-01", "the plan has to do with the place and leaves it as it is", "", one(change("system/global", nil, object{"cfg-save": "automatic"}, "hostname", "x"))},
	{"R-SAVE-01", "the place says nothing of it", "", one(change("system/global", nil, object{}, "hostname", "x"))},
	{"R-SAVE-01", "changes are saved by hand, and the plan changes that", plan.High, func(b *box) []Change {
		b.facts.Management.Save = "manual"
		return []Change{change("system/global", nil, object{"cfg-save": "manual"}, "cfg-save", "automatic")}
	}},
	{"R-MIX-01", "six VDOMs", plan.High, func(*box) []Change {
		list := creates(6)
		for i := range list {
			list[i].VDOM = string(rune('a' + i))
		}
		return list
	}},

	{"R-POL-03", "a policy of IPv6 is created, which comes to stand last", "", one(create("firewall/policy6", int64(1), policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-03", "a policy of another VDOM moves above a deny of this one's number", "", func(b *box) []Change {
		c := move(1, policy(1, "lan", "lan", "HTTPS"), []int64{2, 3, 1}, []int64{2, 1, 3})
		other := move(7, deny(7), []int64{1, 2, 7}, []int64{1, 7, 2})
		c.Resource, other.Resource, other.VDOM = "firewall/proxy-policy", "firewall/proxy-policy", "edge"
		b.objects[Want{Path: c.Resource, Key: keyFor(int64(2))}] = deny(2)
		b.objects[Want{Path: c.Resource, Key: keyFor(int64(3))}] = policy(3, "lan", "lan", "HTTPS")
		return []Change{c, other}
	}},

	{"R-RT-02", "OSPF changes while our interface does not exist", plan.Critical, after(func(b *box) { b.without("system/interface", "port1") },
		change("router/ospf", nil, object{}, "router-id", "1.1.1.1"))},
	{"R-RT-02", "OSPF changes and our address is not known", plan.Critical, after(func(b *box) { b.facts.Management.Local = "" },
		change("router/ospf", nil, object{}, "router-id", "1.1.1.1"))},
	{"R-RT-02", "a route elsewhere while we come through a router", plan.High, after(func(b *box) { b.facts.Management.Local = "203.0.113.5" },
		create("router/static", int64(1), route("10.9.0.0 255.255.0.0")))},
	{"R-RT-01", "a static route of IPv6 without a destination", plan.Critical, one(create("router/static6", int64(1), object{"device": "port2"}))},
	{"R-RT-01", "a route to a named network and a network", plan.Critical, one(create("router/policy", int64(1), object{"dstaddr": refs("lan"), "dst": []any{object{"subnet": "192.0.2.0/24"}}}))},

	{"R-POL-06", "a policy stood between two that stay", plan.High, standingAfter([]map[string]any{block(2, "lan"), with(low(), "policyid", int64(3), "srcaddr", refs("printer"))},
		change(policyTable, int64(2), with(block(2, "lan"), "status", "disable"), "status", "enable"), ordered(remove(policyTable, int64(1), low()), []int64{2, 1, 3}, []int64{2, 3}))},
	{"R-POL-06", "a policy of IPv6 alone below one of IPv6 alone", plan.High, func(b *box) []Change {
		only := []any{"srcaddr", []any{}, "dstaddr", []any{}, "srcaddr6", refs("six"), "dstaddr6", refs("six")}
		return onTop(with(block(2, "all"), only...), with(low(), only...))(b)
	}},
	{"R-POL-06", "a policy is created below one that is never on at other times", plan.Medium, standing(
		[]map[string]any{with(block(2, "all"), "schedule", "nights"), with(low(), "schedule", "nights")}, create(policyTable, int64(1), with(low(), "schedule", "nights")))},
	{"R-POL-06", "a policy for nights is created below one that is always on", plan.Medium, standing(
		[]map[string]any{block(2, "all"), with(low(), "schedule", "nights")}, create(policyTable, int64(1), with(low(), "schedule", "nights")))},
	{"R-POL-06", "a policy is switched on and deleted, and nothing else stands there", "", standingAfter(nil, enabling(), remove(policyTable, int64(2), block(2, "all")))},
	{"R-POL-06", "a deny is switched on and deleted, and where it stood is not known", plan.High, standingAfter([]map[string]any{low()}, enabling(), remove(policyTable, int64(2), block(2, "all")))},
	{"R-POL-06", "a deny whose place is not known, and then the other is switched on", plan.High, standingAfter([]map[string]any{low()},
		enabling(), change(policyTable, int64(1), with(low(), "status", "disable"), "status", "enable"), remove(policyTable, int64(2), block(2, "all")))},
	{"R-POL-06", "the upper one is switched off before the lower is switched on", "", standingAfter([]map[string]any{with(block(2, "all"), "status", "disable"), low()},
		change(policyTable, int64(2), block(2, "all"), "schedule", "always"), change(policyTable, int64(2), block(2, "all"), "status", "disable"),
		change(policyTable, int64(1), with(low(), "status", "disable"), "srcaddr", refs("lan")), change(policyTable, int64(1), with(low(), "status", "disable"), "status", "enable"))},
	{"R-POL-06", "the lower one is switched on and off again", "", standingAfter([]map[string]any{block(2, "all"), with(low(), "status", "disable")},
		change(policyTable, int64(1), with(low(), "status", "disable"), "status", "enable"), change(policyTable, int64(1), low(), "status", "disable"))},
	{"R-POL-06", "a deny below is switched on, and then the one above it changes", "", standingAfter([]map[string]any{low(), block(2, "all")},
		enabling(), change(policyTable, int64(1), low(), "schedule", "always"))},
	{"R-POL-03", "a policy below every deny is changed", "", standingAfter([]map[string]any{deny(2), policy(1, "lan", "lan", "HTTPS")},
		change(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"), "service", refs("HTTPS")))},
	{"R-POL-03", "a policy of IPv6 is created while the policies could not be read", "", after(unread, create("firewall/policy6", int64(1), policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-03", "a policy above an accept that the plan deletes later", "", standingAfter([]map[string]any{policy(1, "lan", "lan", "HTTPS")},
		change(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"), "service", refs("HTTPS")), ordered(remove(policyTable, int64(3), policy(3, "lan", "lan", "HTTPS")), []int64{1, 3}, []int64{1}))},
	{"R-POL-03", "a policy is changed and deleted, and where it stood is not known", plan.High, standingAfter([]map[string]any{deny(2)},
		change(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"), "service", refs("HTTPS")), remove(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-04", "a denial-of-service policy moves", "", func(*box) []Change {
		c := move(1, object{"policyid": int64(1)}, []int64{1, 2}, []int64{2, 1})
		c.Resource = "firewall/DoS-policy"
		return []Change{c}
	}},
	{"R-POL-01", "an accept where deny is the default", plan.Critical, one(described(create(policyTable, int64(1), policy(1, "all", "all", "ALL")), schema.Attribute{Name: "action", Default: "deny"}))},
	{"R-POL-01", "a policy for a small address that the plan creates", "", func(b *box) []Change {
		small := object{"name": "new", "type": "ipmask", "subnet": "10.5.0.0/24"}
		b.set("firewall/address", "new", small)
		return []Change{create("firewall/address", "new", small), create(policyTable, int64(1), policy(1, "new", "all", "ALL"))}
	}},
	{"R-REF-02", "an address that the plan creates and a policy of it uses", "", func(b *box) []Change {
		small := object{"name": "new", "type": "ipmask", "subnet": "10.5.0.0/24"}
		b.set("firewall/address", "new", small)
		return []Change{create("firewall/address", "new", small), create(policyTable, int64(1), policy(1, "new", "lan", "HTTPS"))}
	}},
	{"R-REF-02", "an address grows of a policy that says no action", plan.Medium, func(b *box) []Change {
		b.policies = []map[string]any{with(policy(1, "lan", "lan", "HTTPS"), "action", nil)}
		b.address("lan", "10.0.0.0/16")
		return []Change{used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/16"), 1)}
	}},
	{"R-REF-02", "the same address in another notation, which a policy negates", "", func(b *box) []Change {
		b.policies = []map[string]any{with(policy(1, "lan", "all", "ALL"), "srcaddr-negate", "enable")}
		return []Change{used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/24"), 1)}
	}},
	{"R-REF-02", "a country becomes a network", plan.Medium, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "se", "lan", "HTTPS")}
		after := object{"name": "se", "type": "ipmask", "subnet": "10.5.0.0/24"}
		b.set("firewall/address", "se", after)
		return []Change{used(change("firewall/address", "se", object{"name": "se", "type": "geography", "country": "SE"}, "type", "ipmask", "subnet", "10.5.0.0/24", "country", nil), 1)}
	}},
	{"R-REF-02", "a network becomes a country", plan.Medium, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "h", "HTTPS")}
		b.set("firewall/address", "h", object{"name": "h", "subnet": "10.6.0.0/24"})
		return []Change{used(change("firewall/address", "lan", lan, "type", "geography", "country", "SE"), 1)}
	}},
	{"R-LOG-01", "a policy is created that logs all", "", one(create(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS")))},
	{"R-LOG-01", "a target is switched off of which nothing was known", plan.Critical, func(*box) []Change {
		c := change("log.syslogd/setting", nil, object{}, "status", "disable")
		c.Before = nil
		return []Change{c}
	}},
	{"R-LOCKOUT-01", "a profile of which the key is not known while the API user has none", "", func(b *box) []Change {
		b.set("system/api-user", "forti", object{"name": "forti"})
		c := change("system/accprofile", "x", object{}, "sysgrp", "none")
		c.Key = operation.Key{}
		return []Change{c}
	}},
	{"R-LOCKOUT-04", "a certificate is created with the name of the one in use", "", after(shown, create("vpn.certificate/local", "gui", object{"name": "gui"}))},
	{"R-NAT-01", "whatever the IPv6 address of our interface is", plan.Critical, one(vip("extip", "::", "extintf", "port1"))},
	{"R-RT-01", "a static route of IPv6 to a named network elsewhere", "", func(b *box) []Change {
		b.set("firewall/address6", "six", object{"name": "six", "ip6": "2001:db8:7::/48"})
		return []Change{create("router/static6", int64(1), object{"dstaddr": "six"})}
	}},
	{baseRule, "an unknown attribute of an address pool", plan.Medium, one(described(change("firewall/ippool", "p", object{"name": "p"}, "new", "x"), schema.Attribute{Name: "name"}))},
	{baseRule, "a user of SNMP is renamed", plan.High, one(described(change("system.snmp/user", "u", object{"name": "u"}, "name", "v"), schema.Attribute{Name: "name"}))},
	{baseRule, "an upgrade is renamed", plan.Critical, one(described(change("system/device-upgrade", "u", object{"name": "u"}, "name", "v"), schema.Attribute{Name: "name"}))},
	{baseRule, "an address whose object does not hold its name", "", one(described(change("firewall/address", "lan", object{"subnet": "10.0.0.0/24"}, "subnet", "10.0.0.0/25"), schema.Attribute{Name: "subnet"}))},
	{"R-LOCKOUT-01", "the schedule of the API user is changed while a group of its name could not be read", plan.Critical, func(b *box) []Change {
		b.hidden = "firewall.schedule/group"
		return []Change{change("firewall.schedule/recurring", "office", object{"name": "office"}, "day", "monday")}
	}},
	{"R-REF-02", "an address that the plan creates and a policy of it negates", "", func(b *box) []Change {
		small := object{"name": "new", "type": "ipmask", "subnet": "10.5.0.0/24"}
		b.set("firewall/address", "new", small)
		return []Change{create("firewall/address", "new", small), create(policyTable, int64(1), with(policy(1, "new", "lan", "HTTPS"), "srcaddr-negate", "enable"))}
	}},
	{"R-POL-06", "a deny is switched on, gets a comment, and then the lower one is switched on", plan.High, standingAfter([]map[string]any{block(2, "all"), low()},
		change(policyTable, int64(2), with(block(2, "all"), "status", "disable"), "status", "enable"), change(policyTable, int64(2), block(2, "all"), "comments", "x"),
		change(policyTable, int64(1), with(low(), "status", "disable"), "status", "enable"))},
	{"R-POL-06", "a policy that is off is created while the order was not read", "", after(unread, create(policyTable, int64(2), with(block(2, "all"), "status", "disable")))},
	{"R-POL-06", "a policy is deleted while the order was not read", "", after(unread, remove(policyTable, int64(2), block(2, "all")))},
	{"R-POL-03", "a policy moves above a deny that the plan changes while the policies could not be read", plan.High, func(b *box) []Change {
		b.unordered = true
		return []Change{move(1, policy(1, "lan", "lan", "HTTPS"), []int64{2, 1}, []int64{1, 2}), change(policyTable, int64(2), deny(2), "comments", "x")}
	}},
	{"R-POL-03", "a policy moves while the policies could not be read", plan.High, after(unread, move(1, policy(1, "lan", "lan", "HTTPS"), []int64{2, 1}, []int64{1, 2}))},
	{"R-LOCKOUT-05", "a policy of IPv4 alone is deleted while we come by IPv6", "", func(b *box) []Change {
		loopback(b)
		b.hidden = "firewall/address"
		b.facts.Management.Local, b.facts.Management.Remote = "[2001:db8::5]:50000", "[2001:db8:0:1::1]:443"
		return []Change{remove(policyTable, int64(7), with(letsIn(7), "srcaddr", refs("all"), "dstaddr", refs("all")))}
	}},
	{baseRule, "the name servers change", plan.High, one(change("system/dns", nil, object{}, "primary", "192.0.2.53"))},
	{baseRule, "an address pool is created", plan.Medium, one(create("firewall/ippool", "p", object{"name": "p"}))},
	{baseRule, "a row of an unknown table", plan.High, one(create("system/new-thing", "x", object{"name": "x"}))},
	{baseRule, "an unknown attribute of an address", plan.Medium, one(described(change("firewall/address", "lan", lan, "new", "x"), schema.Attribute{Name: "subnet"}))},
	{baseRule, "a known attribute of an address", "", one(described(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25"), schema.Attribute{Name: "subnet"}))},
	{baseRule, "an unknown attribute of a name server", plan.High, one(described(change("system/dns", nil, object{}, "new", "x"), schema.Attribute{Name: "primary"}))},
	{baseRule, "a parameter of an action", "", func(*box) []Change {
		c := described(action("monitor/firewall/policy/reset", "counter"), schema.Attribute{Name: "x"})
		c.Touched = []string{"policy"}
		return []Change{c}
	}},
	{baseRule, "an address is renamed", plan.High, one(described(change("firewall/address", "lan", lan, "name", "lan2"), schema.Attribute{Name: "name"}))},
	{baseRule, "an address keeps its name", "", one(described(change("firewall/address", "lan", lan, "name", "lan"), schema.Attribute{Name: "name"}))},
	{baseRule, "an address is created with its name", "", one(described(create("firewall/address", "lan", object{"name": "lan2"}), schema.Attribute{Name: "name"}))},
	{baseRule, "an interface, of which a rule says as much", "", one(change("system/interface", "port2", port2, "status", "down"))},
	{baseRule, "an interface that is renamed", "", one(described(change("system/interface", "port2", port2, "name", "port3"), schema.Attribute{Name: "name"}))},
	{baseRule, "a harmless address", "", one(create("firewall/address", "a", lan))},
}
