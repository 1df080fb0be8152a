package risk

import (
	"github.com/forti-mcp/forti/core/plan"
)

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
	{"R-POL-04", "a profile that is called no-inspection and was made to inspect goes", plan.High, func(b *box) []Change {
		b.set("firewall/ssl-ssh-profile", "no-inspection", object{"https": object{"status": "deep-inspection"}})
		b.set("firewall/ssl-ssh-profile", "some", object{"https": object{"status": "certificate-inspection"}})
		return []Change{change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "ssl-ssh-profile", "no-inspection"), "ssl-ssh-profile", "some")}
	}},
	{"R-POL-04", "no inspection becomes some", "", func(b *box) []Change {
		b.set("firewall/ssl-ssh-profile", "no-inspection", object{"https": object{"status": "disable"}})
		b.set("firewall/ssl-ssh-profile", "some", object{"https": object{"status": "certificate-inspection"}})
		return []Change{change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "ssl-ssh-profile", "no-inspection"), "ssl-ssh-profile", "some")}
	}},
	{"R-POL-04", "a profile is added", "", one(change(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"), "av-profile", "default"))},
	{"R-POL-04", "a denial-of-service policy lets pass what it blocked", plan.High, one(change("firewall/DoS-policy", int64(1),
		object{"anomaly": []any{object{"name": "tcp_syn_flood", "status": "enable", "action": "block", "threshold": int64(2000)}}},
		"anomaly", []any{object{"name": "tcp_syn_flood", "status": "enable", "action": "pass", "threshold": int64(2000)}}))},
	{"R-POL-04", "a denial-of-service policy is deleted", plan.High, one(remove("firewall/DoS-policy", int64(1), object{"policyid": int64(1)}))},

	{"R-POL-06", "a deny of everything moves to the top", plan.High, standing(
		[]map[string]any{allDay(deny(2)), allDay(policy(1, "lan", "lan", "HTTPS"))}, move(2, deny(2), []int64{1, 2}, []int64{2, 1}))},
	{"R-POL-06", "a policy is created above a narrower one", plan.High, standing(
		[]map[string]any{allDay(policy(3, "lan", "all", "ALL")), allDay(policy(1, "lan", "lan", "HTTPS"))}, create(policyTable, int64(3), policy(3, "lan", "all", "ALL")))},
	{"R-POL-06", "a policy is created below a deny of everything", plan.Medium, standing(
		[]map[string]any{allDay(deny(2)), allDay(policy(1, "lan", "lan", "HTTPS"))}, create(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-06", "the same, with every attribute at its default", plan.High, standing(
		[]map[string]any{defaults(deny(2)), defaults(policy(1, "lan", "lan", "HTTPS"))}, move(2, deny(2), []int64{1, 2}, []int64{2, 1}))},
	{"R-POL-06", "what stands above is switched off", "", standing(
		[]map[string]any{with(allDay(deny(2)), "status", "disable"), allDay(policy(1, "lan", "lan", "HTTPS"))}, create(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-06", "what stands above is for some users", "", standing(
		[]map[string]any{with(allDay(deny(2)), "groups", refs("guests")), allDay(policy(1, "lan", "lan", "HTTPS"))}, create(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-06", "what stands above is so at times", "", standing(
		[]map[string]any{with(deny(2), "schedule", "nights"), allDay(policy(1, "lan", "lan", "HTTPS"))}, create(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-06", "what stands above is for another service", "", standing(
		[]map[string]any{allDay(policy(2, "all", "all", "SSH")), allDay(policy(1, "lan", "lan", "HTTPS"))}, create(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-06", "a shadowed policy gets a comment", "", standing(
		[]map[string]any{allDay(deny(2)), allDay(policy(1, "lan", "lan", "HTTPS"))}, change(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"), "comments", "x"))},
	{"R-POL-05", "a policy gets a comment", plan.Medium, one(change(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"), "comments", "x"))},
	{"R-POL-05", "an open policy, which is another rule's", "", one(create(policyTable, int64(1), policy(1, "all", "all", "ALL")))},
	{"R-POL-05", "a shaping policy is created", plan.Medium, one(create("firewall/shaping-policy", int64(1), object{"id": int64(1)}))},
	{"R-POL-05", "an address is created", "", one(create("firewall/address", "a", lan))},
}

// standing is a change in a table that stands so after it.
func standing(rows []map[string]any, c Change) func(b *box) []Change {
	return after(func(b *box) { b.policies = rows }, c)
}

func allDay(p object) object { return with(p, "schedule", "always") }

// defaults are the attributes of a policy that a device shows although nobody set them.
func defaults(p object) object {
	p = allDay(p)
	quiet := object{
		"srcaddr-negate": "disable", "internet-service": "disable", "users": []any{}, "groups": []any{}, "reputation-minimum": int64(0), "tos-mask": "0x00",
		"vlan-filter": "", "ztna-status": "disable", "srcaddr6": []any{},
	}
	for name, v := range quiet {
		p = with(p, name, v)
	}
	return p
}
