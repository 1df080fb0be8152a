package risk

import "github.com/forti-mcp/forti/core/plan"

// block is an enabled deny of some addresses, all day, from and to everywhere.
func block(id int64, src string) object {
	return with(allDay(deny(id)), "srcaddr", refs(src), "srcintf", refs("any"), "dstintf", refs("any"))
}

// ordered is a delete that says where the row stood, as planning makes it.
func ordered(c Change, before, after []int64) Change {
	c.Order = &plan.Order{Before: ids(before), After: ids(after)}
	return c
}

// onTop is a policy moved above policy 1 as the plan's only change of the table.
func onTop(p, lower object) func(b *box) []Change {
	return func(b *box) []Change {
		b.policies = []map[string]any{p, lower}
		return []Change{move(2, p, []int64{1, 2}, []int64{2, 1})}
	}
}

var shadowTrials = []trial{
	{"R-POL-06", "a deny of everything moves above a policy that the plan deletes later", plan.High, func(b *box) []Change {
		top, low := block(2, "all"), allDay(policy(1, "lan", "lan", "HTTPS"))
		b.policies = []map[string]any{top}
		return []Change{move(2, top, []int64{1, 2}, []int64{2, 1}), ordered(remove(policyTable, int64(1), low), []int64{2, 1}, []int64{2})}
	}},
	{"R-POL-06", "the same, and where the deleted policy stood is not known", plan.High, func(b *box) []Change {
		top, low := block(2, "all"), allDay(policy(1, "lan", "lan", "HTTPS"))
		b.policies = []map[string]any{top}
		return []Change{change(policyTable, int64(2), with(top, "status", "disable"), "status", "enable"), remove(policyTable, int64(1), low)}
	}},
	{"R-POL-06", "a deny of everything moves to the top and down again", plan.High, func(b *box) []Change {
		top, low := block(2, "all"), allDay(policy(1, "lan", "lan", "HTTPS"))
		b.policies = []map[string]any{low, top}
		return []Change{move(2, top, []int64{1, 2}, []int64{2, 1}), move(2, top, []int64{2, 1}, []int64{1, 2})}
	}},
	{"R-POL-06", "the lower policy is switched on after the upper one was moved", plan.High, func(b *box) []Change {
		top, low := block(2, "all"), allDay(policy(1, "lan", "lan", "HTTPS"))
		b.policies = []map[string]any{top, low}
		return []Change{move(2, top, []int64{1, 2}, []int64{2, 1}), change(policyTable, int64(1), with(low, "status", "disable"), "status", "enable")}
	}},
	{"R-POL-06", "a policy is created above one and deleted again", plan.High, func(b *box) []Change {
		top, low := block(2, "all"), allDay(policy(1, "lan", "lan", "HTTPS"))
		b.policies = []map[string]any{low}
		return []Change{create(policyTable, int64(2), top), move(2, top, []int64{1, 2}, []int64{2, 1}), ordered(remove(policyTable, int64(2), top), []int64{2, 1}, []int64{1})}
	}},
	{"R-POL-06", "a policy is created below a deny of everything and moves above it", "", func(b *box) []Change {
		p := allDay(policy(1, "lan", "lan", "HTTPS"))
		b.policies = []map[string]any{p, block(2, "all")}
		return []Change{create(policyTable, int64(1), p), move(1, p, []int64{2, 1}, []int64{1, 2})}
	}},
	{"R-POL-06", "the order was not read", plan.High, after(unread, move(2, block(2, "all"), []int64{1, 2}, []int64{2, 1}))},
	{"R-POL-06", "a policy is moved where nothing stands below it", "", func(b *box) []Change {
		b.policies = []map[string]any{allDay(policy(1, "lan", "lan", "HTTPS")), block(2, "lan")}
		return []Change{move(2, block(2, "lan"), []int64{2, 1}, []int64{1, 2})}
	}},
	{"R-POL-06", "everything by another name", plan.High, onTop(block(2, "printer"), allDay(policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-06", "an address called all that is one network", "", func(b *box) []Change {
		b.address("all", "10.7.0.0/24")
		return onTop(block(2, "all"), allDay(policy(1, "lan", "lan", "HTTPS")))(b)
	}},
	{"R-POL-06", "an address called all that is one network, below it", "", func(b *box) []Change {
		b.address("all", "10.7.0.0/24")
		return standing([]map[string]any{block(2, "all"), allDay(policy(1, "lan", "lan", "HTTPS"))}, create(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS")))(b)
	}},
	{"R-POL-06", "a service called ALL that is one port", "", func(b *box) []Change {
		b.set("firewall.service/custom", "ALL", object{"name": "ALL", "tcp-portrange": "22"})
		return onTop(block(2, "all"), allDay(policy(1, "lan", "lan", "HTTPS")))(b)
	}},
	{"R-POL-06", "a schedule called always that is one day", "", func(b *box) []Change {
		b.set("firewall.schedule/recurring", "always", object{"name": "always", "day": "monday", "start": "00:00", "end": "00:00"})
		return onTop(block(2, "all"), with(policy(1, "lan", "lan", "HTTPS"), "schedule", "nights"))(b)
	}},
	{"R-POL-06", "a schedule called always that is some hours", "", func(b *box) []Change {
		b.set("firewall.schedule/recurring", "always", object{"name": "always", "day": week, "start": "08:00", "end": "00:00"})
		return onTop(block(2, "all"), with(policy(1, "lan", "lan", "HTTPS"), "schedule", "nights"))(b)
	}},
	{"R-POL-06", "a schedule of another name that is the whole week", plan.High, func(b *box) []Change {
		b.set("firewall.schedule/recurring", "ever", with(wholeWeek, "name", "ever"))
		return onTop(with(block(2, "all"), "schedule", "ever"), with(policy(1, "lan", "lan", "HTTPS"), "schedule", "nights"))(b)
	}},
	{"R-POL-06", "both at the same times", plan.High, onTop(with(block(2, "all"), "schedule", "nights"), with(policy(1, "lan", "lan", "HTTPS"), "schedule", "nights"))},
	{"R-POL-06", "the lower one has no schedule", plan.High, onTop(block(2, "all"), policy(1, "lan", "lan", "HTTPS"))},
	{"R-POL-06", "the same list", plan.High, onTop(block(2, "lan"), allDay(policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-06", "another list", "", onTop(block(2, "lan"), allDay(policy(1, "printer", "lan", "HTTPS")))},
	{"R-POL-06", "a group that holds the list, two groups deep", plan.High, func(b *box) []Change {
		b.set("firewall/addrgrp", "site", object{"name": "site", "member": refs("floors")})
		b.set("firewall/addrgrp", "floors", object{"name": "floors", "member": refs("lan")})
		return onTop(block(2, "site"), allDay(policy(1, "lan", "lan", "HTTPS")))(b)
	}},
	{"R-POL-06", "a group of services that holds the service", plan.High, func(b *box) []Change {
		b.set("firewall.service/group", "web", object{"name": "web", "member": refs("HTTPS")})
		return onTop(with(block(2, "all"), "service", refs("web")), allDay(policy(1, "lan", "lan", "HTTPS")))(b)
	}},
	{"R-POL-06", "a list that could not be read", plan.High, func(b *box) []Change {
		b.hidden = "firewall/address"
		return onTop(block(2, "somewhere"), allDay(policy(1, "lan", "lan", "HTTPS")))(b)
	}},
	{"R-POL-06", "from other interfaces", "", onTop(with(block(2, "all"), "srcintf", refs("wan1")), allDay(policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-06", "an interface called all", "", onTop(with(block(2, "all"), "srcintf", refs("all")), allDay(policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-06", "all but one network", "", onTop(with(block(2, "lan"), "srcaddr-negate", "enable"), allDay(policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-06", "a policy for users below it", plan.High, onTop(block(2, "all"), with(allDay(policy(1, "lan", "lan", "HTTPS")), "groups", refs("doctors")))},
	{"R-POL-06", "a policy for all but one network below it", plan.High, onTop(block(2, "all"), with(allDay(policy(1, "lan", "lan", "HTTPS")), "dstaddr-negate", "enable"))},
	{"R-POL-06", "a policy for all but the same network below it", "", onTop(with(block(2, "lan"), "dstaddr", refs("lan")), with(allDay(policy(1, "lan", "lan", "HTTPS")), "dstaddr-negate", "enable"))},
	{"R-POL-06", "a policy for an internet service below it", plan.High, onTop(block(2, "all"),
		with(allDay(policy(1, "lan", "lan", "HTTPS")), "internet-service", "enable", "dstaddr", []any{}, "service", []any{}))},
	{"R-POL-06", "a policy for an internet service below a policy for one network", "", onTop(with(block(2, "all"), "dstaddr", refs("lan")),
		with(allDay(policy(1, "lan", "lan", "HTTPS")), "internet-service", "enable", "dstaddr", []any{}, "service", []any{}))},
	{"R-POL-06", "a policy of IPv6 below one of IPv4", "", onTop(block(2, "all"),
		with(allDay(policy(1, "lan", "lan", "HTTPS")), "srcaddr", []any{}, "dstaddr", []any{}, "srcaddr6", refs("all"), "dstaddr6", refs("all")))},
	{"R-POL-06", "a policy of both families below one of both", plan.High, func(b *box) []Change {
		b.set("firewall/address6", "all", object{"name": "all", "ip6": "::/0"})
		return onTop(with(block(2, "all"), "srcaddr6", refs("all"), "dstaddr6", refs("all")),
			with(allDay(policy(1, "lan", "lan", "HTTPS")), "srcaddr6", refs("six"), "dstaddr6", refs("six")))(b)
	}},
	{"R-POL-06", "a policy of both families below one that is everything in IPv4 alone", "", func(b *box) []Change {
		b.set("firewall/address6", "all", object{"name": "all", "ip6": "2001:db8::/32"})
		return onTop(with(block(2, "all"), "srcaddr6", refs("all"), "dstaddr6", refs("all")),
			with(allDay(policy(1, "lan", "lan", "HTTPS")), "srcaddr6", refs("six"), "dstaddr6", refs("six")))(b)
	}},

	// The same trust in names, in other rules.
	{"R-POL-01", "all but an address called all that is one network", plan.Critical, func(b *box) []Change {
		b.address("all", "10.7.0.0/24")
		return []Change{create(policyTable, int64(1), with(policy(1, "all", "printer", "harmless"), "srcaddr-negate", "enable"))}
	}},
	{"R-POL-01", "all but an address called all that could not be read", plan.Critical, func(b *box) []Change {
		b.hidden = "firewall/address"
		return []Change{create(policyTable, int64(1), with(policy(1, "all", "all", "ALL"), "srcaddr-negate", "enable"))}
	}},
	{"R-POL-01", "a policy for an address called all that could not be read", plan.Critical, func(b *box) []Change {
		b.hidden = "firewall/address"
		return []Change{create(policyTable, int64(1), policy(1, "all", "all", "ALL"))}
	}},
	{"R-POL-01", "addresses called all that are one network", "", func(b *box) []Change {
		b.address("all", "10.7.0.0/24")
		return []Change{create(policyTable, int64(1), policy(1, "all", "all", "ALL"))}
	}},
	{"R-POL-01", "every multicast group", plan.Critical, func(b *box) []Change {
		b.set("firewall/multicast-address", "tv", object{"name": "tv", "type": "multicastrange", "start-ip": "224.0.0.0", "end-ip": "239.255.255.255"})
		return []Change{create("firewall/multicast-policy", int64(1), with(policy(1, "all", "tv", "ALL"), "service", nil))}
	}},
	{"R-POL-01", "some multicast groups", "", func(b *box) []Change {
		b.set("firewall/multicast-address", "tv", object{"name": "tv", "type": "multicastrange", "start-ip": "239.0.0.0", "end-ip": "239.0.255.255"})
		return []Change{create("firewall/multicast-policy", int64(1), with(policy(1, "all", "tv", "ALL"), "service", nil))}
	}},
	{"R-REF-02", "an address called all grows from a network to everything", plan.Critical, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "all", "printer", "ALL")}
		narrow := object{"name": "all", "type": "ipmask", "subnet": "10.7.0.0/24"}
		return []Change{used(change("firewall/address", "all", narrow, "subnet", "0.0.0.0/0"), 1)}
	}},
	{"R-REF-02", "a service called ALL grows", plan.High, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "all", "lan", "ALL")}
		narrow := object{"name": "ALL", "tcp-portrange": "22"}
		return []Change{used(change("firewall.service/custom", "ALL", narrow, "tcp-portrange", "1-65535"), 1)}
	}},
	{"R-POL-03", "a policy stands above a deny that the plan deletes later", plan.High, func(b *box) []Change {
		p := policy(1, "lan", "lan", "HTTPS")
		b.policies = []map[string]any{p}
		list := []Change{change(policyTable, int64(1), with(p, "schedule", "nights"), "schedule", "always")}
		return append(list, ordered(remove(policyTable, int64(2), deny(2)), []int64{1, 2}, []int64{1}))
	}},
}
