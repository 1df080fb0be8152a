package risk

import (
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

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
	{"R-REF-01", "an unused object gets a comment", "", one(used(change("firewall/address", "lan", lan, "comment", "x"), 0))},
	{"R-REF-01", "an object gets a comment and its users are not known", plan.Medium, func(*box) []Change {
		c := change("firewall/address", "lan", lan, "comment", "x")
		c.Users = nil
		return []Change{c}
	}},
	{"R-REF-01", "an object used everywhere gets a comment", plan.Medium, one(used(change("firewall/address", "lan", lan, "comment", "x"), 51))},
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

	{"R-REF-02", "an address grows that a policy of another table uses", plan.Critical, func(b *box) []Change {
		b.objects[Want{Path: "firewall/security-policy", Key: keyFor(int64(4))}] = policy(4, "lan", "all", "ALL")
		b.address("lan", "0.0.0.0/0")
		return []Change{usedBySecurity(change("firewall/address", "lan", lan, "subnet", "0.0.0.0/0"))}
	}},
	{"R-REF-02", "an address grows that a deny of another table uses", "", func(b *box) []Change {
		b.objects[Want{Path: "firewall/security-policy", Key: keyFor(int64(4))}] = with(deny(4), "srcaddr", refs("lan"))
		return []Change{usedBySecurity(change("firewall/address", "lan", lan, "subnet", "0.0.0.0/0"))}
	}},
	{"R-REF-02", "an address shrinks that a policy of another table negates", plan.Critical, func(b *box) []Change {
		b.objects[Want{Path: "firewall/security-policy", Key: keyFor(int64(4))}] = with(policy(4, "lan", "all", "ALL"), "srcaddr-negate", "enable")
		return []Change{usedBySecurity(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25"))}
	}},
	{"R-REF-02", "an address shrinks that a policy of another table uses", "", func(b *box) []Change {
		b.objects[Want{Path: "firewall/security-policy", Key: keyFor(int64(4))}] = policy(4, "lan", "all", "ALL")
		return []Change{usedBySecurity(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/25"))}
	}},
	{"R-REF-02", "an address grows that a policy of another table uses, which could not be read", plan.Critical, func(b *box) []Change {
		b.hidden = "firewall/security-policy"
		return []Change{usedBySecurity(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/16"))}
	}},
	{"R-REF-02", "a service grows in a group of services of a policy", plan.High, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "all", "suite")}
		b.set("firewall.service/group", "suite", object{"name": "suite", "member": refs("inner")})
		b.set("firewall.service/group", "inner", object{"name": "inner", "member": refs("web")})
		web := object{"name": "web", "tcp-portrange": "80"}
		b.set("firewall.service/custom", "web", with(web, "tcp-portrange", "1-65535"))
		return []Change{used(change("firewall.service/custom", "web", web, "tcp-portrange", "1-65535"), 1)}
	}},
	{"R-REF-02", "an address of IPv6 grows", plan.High, func(b *box) []Change {
		p := with(policy(1, "lan", "lan", "ALL"), "srcaddr", []any{}, "dstaddr", []any{}, "srcaddr6", refs("six"), "dstaddr6", refs("ward"))
		b.policies = []map[string]any{p}
		six := object{"name": "six", "ip6": "2001:db8::/64"}
		b.set("firewall/address6", "six", with(six, "ip6", "2000::/4"))
		b.set("firewall/address6", "ward", object{"name": "ward", "ip6": "2001:db8:9::/64"})
		return []Change{used(change("firewall/address6", "six", six, "ip6", "2000::/4"), 1)}
	}},
	{"R-REF-02", "a range grows", plan.Medium, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "r", "lan", "HTTPS")}
		r := object{"name": "r", "type": "iprange", "start-ip": "10.1.0.1", "end-ip": "10.1.0.9"}
		b.set("firewall/address", "r", with(r, "end-ip", "10.1.0.200"))
		return []Change{used(change("firewall/address", "r", r, "end-ip", "10.1.0.200"), 1)}
	}},
	{"R-REF-02", "a group loses what it excludes", plan.Medium, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "g", "lan", "HTTPS")}
		g := object{"name": "g", "member": refs("lan"), "exclude": "enable", "exclude-member": refs("lan")}
		b.set("firewall/addrgrp", "g", with(g, "exclude", "disable"))
		return []Change{used(change("firewall/addrgrp", "g", g, "exclude", "disable"), 1)}
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

func usedBySecurity(c Change) Change {
	c.UserNames = []string{"firewall/security-policy 4"}
	return used(c, 1)
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
