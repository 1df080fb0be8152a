package risk

import (
	"net/netip"
	"testing"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

// without makes an object disappear from the device.
func (b *box) without(path, name string) *box {
	delete(b.objects, Want{Path: path, Key: operation.TextKey(name)})
	return b
}

func from(source string) func(b *box) {
	return func(b *box) { b.facts.Source = netip.MustParseAddr(source) }
}

// after is a change on a device that was changed before.
func after(prepare func(b *box), c Change) func(b *box) []Change {
	return func(b *box) []Change {
		prepare(b)
		return []Change{c}
	}
}

func unread(b *box) { b.blind = true }

var lanProfile = change("system/accprofile", "guests", object{"name": "guests"}, "sysgrp", "none")

func trust(rows ...any) Change { return change("system/api-user", "forti", apiUser, "trusthost", rows) }

var edgeTrials = []trial{
	{"R-LOCKOUT-01", "a profile is changed and the API user cannot be read", plan.Critical, after(unread, lanProfile)},
	{"R-LOCKOUT-01", "a profile is changed and the API user is not there", plan.Critical, after(func(b *box) { b.without("system/api-user", "forti") }, lanProfile)},
	{"R-LOCKOUT-01", "the group of peers of the API user is changed", plan.Critical, after(func(b *box) {
		b.set("system/api-user", "forti", object{"name": "forti", "peer-group": "ops"})
	}, change("user/peergrp", "ops", object{"name": "ops"}, "member", refs("x")))},
	{"R-LOCKOUT-01", "another group of peers is changed", "", one(change("user/peergrp", "x", object{"name": "x"}, "member", refs("x")))},
	{"R-LOCKOUT-01", "the API user in use is changed by its key alone", plan.Critical, one(change("system/api-user", "forti", object{}, "comments", "x"))},
	{"R-LOCKOUT-01", "another API user takes the name", plan.Critical, one(change("system/api-user", "other", object{"name": "other"}, "name", "forti"))},
	{"R-LOCKOUT-01", "a group of schedules that is not the API user's", "", one(change("firewall.schedule/group", "x", object{"name": "x"}, "member", refs("a")))},

	{"R-LOCKOUT-02", "an API user changes and ours is not known", plan.Critical, after(func(b *box) { b.facts.Management.APIUser = "" },
		change("system/api-user", "other", apiUser, "comments", "x"))},
	{"R-LOCKOUT-02", "our address is not known and every host is trusted", "", after(func(b *box) { b.facts.Management.Local = "" }, trust())},
	{"R-LOCKOUT-02", "an IPv6 network holds our address", "", after(from("2001:db8::5"), trust(object{"type": "ipv6-trusthost", "ipv6-trusthost": "2001:db8::/64"}))},
	{"R-LOCKOUT-02", "an IPv6 host is our address", "", after(from("2001:db8::5"), trust(object{"type": "ipv6-trusthost", "ipv6-trusthost": "2001:db8::5/128"}))},
	{"R-LOCKOUT-02", "another IPv6 host", plan.Critical, after(from("2001:db8::5"), trust(object{"type": "ipv6-trusthost", "ipv6-trusthost": "2001:db8::6/128"}))},
	{"R-LOCKOUT-02", "the other family's default does not count", plan.Critical, one(trust(
		object{"type": "ipv6-trusthost", "ipv6-trusthost": "2001:db8::/64", "ipv4-trusthost": "0.0.0.0 0.0.0.0"}))},
	{"R-LOCKOUT-02", "a row without a type is an IPv4 host", "", one(trust(object{"ipv4-trusthost": "192.0.2.0/24"}))},
	{"R-LOCKOUT-02", "a row without a type and an IPv6 network", plan.Critical, after(from("2001:db8::5"), trust(object{"ipv6-trusthost": "2001:db8::/64"}))},
	{"R-LOCKOUT-02", "a mask with gaps is not relied on", plan.Critical, one(trust(object{"type": "ipv4-trusthost", "ipv4-trusthost": "192.0.2.0 255.0.255.0"}))},
	{"R-LOCKOUT-02", "a host that cannot be read", plan.Critical, one(trust(object{"type": "ipv4-trusthost", "ipv4-trusthost": "here"}))},

	{"R-LOCKOUT-03", "a VLAN is created and our interface is not known", "", after(func(b *box) { b.facts.Management.Interface = "" },
		create("system/interface", "v", object{"name": "v", "interface": "port2"}))},
	{"R-LOCKOUT-03", "an aggregate is created and our interface is not known", plan.Critical, after(func(b *box) { b.facts.Management.Interface = "" },
		create("system/interface", "v", object{"name": "v", "member": refs("port2")}))},
	{"R-LOCKOUT-03", "another interface is changed and what ours is made of cannot be read", plan.Critical, after(unread,
		change("system/interface", "port2", port2, "status", "down"))},
	{"R-LOCKOUT-03", "our software switch loses a port", plan.Critical, after(func(b *box) {
		b.facts.Management.Interface = "soft"
		b.set("system/interface", "soft", object{"name": "soft", "type": "switch"})
		b.set("system/switch-interface", "soft", object{"name": "soft", "member": refs("port2")})
	}, change("system/interface", "port2", port2, "status", "down"))},
	{"R-LOCKOUT-03", "another interface is changed and the ports of our switch cannot be read", plan.Critical, func(b *box) []Change {
		b.hidden, b.facts.Management.Interface = "system/switch-interface", "soft"
		b.set("system/interface", "soft", object{"name": "soft", "type": "switch"})
		return []Change{change("system/interface", "port2", port2, "status", "down")}
	}},
	{"R-LOCKOUT-03", "an unrelated switch loses a port", "", one(change("system/switch-interface", "soft", object{"member": refs("port3")}, "member", refs("port4")))},
	{"R-LOCKOUT-03", "our interface leaves an aggregate that it should not be in", plan.Critical,
		one(change("system/interface", "agg", object{"member": refs("port1", "port3")}, "member", refs("port3")))},

	{"R-LOCKOUT-05", "an interface's description changes", "", one(change("system/interface", "port2", port2, "description", "x"))},
	{"R-LOCKOUT-05", "another global setting changes", "", one(change("system/global", nil, object{}, "hostname", "x"))},
	{"R-LOCKOUT-05", "an interface is created", "", one(create("system/interface", "v", object{"dedicated-to": "none"}))},

	{"R-RT-01", "a route to an internet service", plan.Critical, one(create("router/static", int64(1), object{"internet-service": int64(5)}))},
	{"R-RT-01", "a route to an own internet service", plan.Critical, one(create("router/static", int64(1), object{"internet-service-custom": "x"}))},
	{"R-RT-01", "a route whose destination cannot be read", plan.Critical, one(create("router/static", int64(1), route("somewhere")))},
	{"R-RT-01", "a policy route to networks of which one cannot be read", plan.Critical,
		one(create("router/policy", int64(1), object{"dst": []any{object{"subnet": "10.9.0.0/16"}, object{"subnet": "x"}}}))},
	{"R-RT-01", "a policy route to a named network elsewhere", "", one(create("router/policy", int64(1), object{"dstaddr": refs("lan")}))},
	{"R-RT-01", "an IPv6 route elsewhere", "", one(create("router/static6", int64(1), route("2001:db8::/32")))},
	{"R-RT-01", "an IPv6 route that covers our address", plan.Critical, after(from("2001:db8::5"), create("router/static6", int64(1), route("2001:db8::/32")))},
	{"R-RT-02", "OSPF changes and our interface is not known", plan.Critical, after(func(b *box) { b.facts.Management.Interface = "" },
		change("router/ospf", nil, object{}, "router-id", "1.1.1.1"))},
	{"R-RT-02", "OSPF changes and our interface cannot be read", plan.Critical, after(unread, change("router/ospf", nil, object{}, "router-id", "1.1.1.1"))},
	{"R-RT-02", "OSPF changes and our interface has an IPv6 network", plan.High, after(func(b *box) {
		from("2001:db8::5")(b)
		b.set("system/interface", "port1", object{"name": "port1", "type": "physical", "ipv6": object{"ip6-address": "2001:db8::1/64"}})
	}, change("router/ospf6", nil, object{}, "router-id", "1.1.1.1"))},
	{"R-RT-02", "a default route is the other rule's", "", one(create("router/static", int64(1), route("0.0.0.0/0")))},
	{"R-RT-02", "a route gets a comment", "", one(change("router/static", int64(1), route("10.9.0.0/16"), "comment", "x"))},

	{"R-VPN-01", "another tunnel changes while ours carries us", plan.High, after(tunnelled, change("vpn.ipsec/phase1-interface", "dc", object{"name": "dc"}, "proposal", "x"))},
	{"R-VPN-01", "something for all tunnels changes while ours carries us", plan.Critical, after(tunnelled, change("vpn.ipsec/fec", "f", object{"name": "f"}, "x", "y"))},
	{"R-VPN-01", "SSL VPN changes while a tunnel carries us", plan.High, after(tunnelled, change("vpn.ssl/settings", nil, object{}, "port", int64(1)))},
	{"R-VPN-01", "SSL VPN changes while we come through it", plan.Critical, after(func(b *box) {
		b.facts.Management.Interface = "ssl.root"
		b.set("system/interface", "ssl.root", object{"name": "ssl.root", "type": "tunnel"})
	}, change("vpn.ssl/settings", nil, object{}, "port", int64(1)))},
	{"R-VPN-01", "our tunnel gets a comment", plan.High, after(tunnelled, change("vpn.ipsec/phase1-interface", "hq", object{"name": "hq"}, "comments", "x"))},

	{"R-POL-01", "a moved policy that is only known from before", plan.Critical, func(*box) []Change {
		c := move(1, policy(1, "all", "all", "ALL"), []int64{2, 1}, []int64{1, 2})
		c.After = nil
		return []Change{c}
	}},
	{"R-POL-01", "an action whose default is deny", "", func(*box) []Change {
		c := create(policyTable, int64(1), with(policy(1, "all", "all", "ALL"), "action", nil))
		c.Schema = &schema.Resource{Attributes: []schema.Attribute{{Name: "action", Default: "deny"}}}
		return []Change{c}
	}},
	{"R-POL-01", "a deleted policy", "", one(remove(policyTable, int64(1), policy(1, "all", "all", "ALL")))},
	{"R-POL-02", "an interface that cannot be read", plan.High, after(func(b *box) { b.policies = nil },
		create(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "srcintf", refs("nobody"))))},
	{"R-POL-02", "interfaces that cannot be read", plan.High, after(func(b *box) { b.hidden = "system/interface" },
		create(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-02", "a zone that cannot be read", plan.High, after(func(b *box) { b.hidden = "system/zone" },
		create(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "srcintf", refs("inside"))))},
	{"R-POL-03", "an update of another table whose order is not known", plan.High, func(*box) []Change {
		c := change("firewall/proxy-policy", int64(1), policy(1, "lan", "lan", "HTTPS"), "srcaddr", refs("all"))
		return []Change{c}
	}},
	{"R-POL-03", "a deny logs more", "", one(change(policyTable, int64(2), deny(2), "logtraffic", "utm"))},
	{"R-POL-03", "a disabled deny is deleted", "", one(remove(policyTable, int64(2), with(deny(2), "status", "disable")))},
	{"R-POL-03", "a deny moves and the order is not known", plan.High, func(*box) []Change {
		c := move(2, deny(2), nil, nil)
		c.Order = nil
		return []Change{c}
	}},
	{"R-POL-03", "an unknown attribute of a policy above a deny", plan.High, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "lan", "HTTPS"), deny(2)}
		c := change(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"), "new", "x")
		c.Schema = &schema.Resource{}
		return []Change{c}
	}},
	{"R-POL-03", "above a disabled deny", "", func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "lan", "lan", "HTTPS"), with(deny(2), "status", "disable")}
		return []Change{create(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"))}
	}},
	{"R-POL-03", "above policies of another table that cannot be read", plan.High, func(b *box) []Change {
		b.blind = true
		c := move(1, policy(1, "lan", "lan", "HTTPS"), []int64{2, 1}, []int64{1, 2})
		c.Resource = "firewall/proxy-policy"
		return []Change{c}
	}},

	{"R-POL-04", "responses are no longer inspected", plan.High, one(change(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"), "dsri", "enable"))},
	{"R-POL-04", "botnets are only watched", plan.High, one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "scan-botnet-connections", "block"), "scan-botnet-connections", "monitor"))},
	{"R-POL-04", "botnets are blocked", "", one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "scan-botnet-connections", "monitor"), "scan-botnet-connections", "block"))},
	{"R-POL-04", "a sensor of an interface policy is off", plan.High, one(change("firewall/interface-policy", int64(1), object{"ips-sensor-status": "enable"}, "ips-sensor-status", "disable"))},
	{"R-POL-04", "an interface policy is off", plan.High, one(change("firewall/interface-policy", int64(1), object{"status": "enable"}, "status", "disable"))},
	{"R-POL-04", "a shaper's profile is removed", "", one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "egress-shaping-profile", "x"), "egress-shaping-profile", ""))},
	{"R-POL-04", "a profile takes the place of another", "", one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "av-profile", "a"), "av-profile", "b"))},
	{"R-POL-04", "an SSL profile that cannot be read takes the place of another", plan.High, one(change(policyTable, int64(1),
		with(policy(1, "lan", "lan", "HTTPS"), "ssl-ssh-profile", "x"), "ssl-ssh-profile", "y"))},
	{"R-POL-04", "a threshold rises", plan.High, one(anomaly("block", int64(100), "block", int64(200)))},
	{"R-POL-04", "a threshold falls", "", one(anomaly("block", int64(200), "block", int64(100)))},
	{"R-POL-04", "what passed is blocked", "", one(anomaly("pass", int64(200), "block", int64(200)))},
	{"R-POL-04", "an anomaly disappears", plan.High, one(change("firewall/DoS-policy", int64(1),
		object{"anomaly": []any{object{"name": "x", "status": "enable"}}}, "anomaly", []any{}))},
	{"R-POL-04", "an anomaly that was off disappears", "", one(change("firewall/DoS-policy", int64(1),
		object{"anomaly": []any{object{"name": "x", "status": "disable"}}}, "anomaly", []any{}))},

	{"R-POL-03", "a disabled policy above a deny", "", aboveADeny(create(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "status", "disable")))},
	{"R-POL-03", "a deny above a deny", "", aboveADeny(create(policyTable, int64(1), deny(1)))},
	{"R-POL-03", "an accept above a deny is deleted", "", aboveADeny(remove(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS")))},
	{"R-POL-03", "a deny stays where it is", "", one(move(2, deny(2), []int64{1, 2}, []int64{1, 2}))},
	{"R-POL-04", "a denial-of-service policy is created", "", one(create("firewall/DoS-policy", int64(1), object{"policyid": int64(1)}))},
	{"R-POL-04", "a denial-of-service policy stays on", "", one(change("firewall/DoS-policy", int64(1), object{"status": "enable"}, "status", "enable"))},
	{"R-POL-04", "a denial-of-service policy that was off stays off", "", one(change("firewall/DoS-policy", int64(1), object{"status": "disable"}, "status", "disable"))},
	{"R-POL-04", "a policy is deleted", "", one(remove(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "av-profile", "x")))},
	{"R-POL-04", "inspection stays on", "", one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "utm-status", "enable"), "utm-status", "enable"))},
	{"R-POL-04", "inspection that was off stays off", "", one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "utm-status", "disable"), "utm-status", "disable"))},
	{"R-POL-04", "responses that were not inspected still are not", "", one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "dsri", "enable"), "dsri", "enable"))},
	{"R-POL-04", "botnets stay blocked", "", one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "scan-botnet-connections", "block"), "scan-botnet-connections", "block"))},

	{"R-LOG-01", "the start of sessions is no longer logged", plan.High, one(change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), "logtraffic-start", "enable"), "logtraffic-start", "disable"))},
	{"R-LOG-01", "a policy moves", "", one(move(1, with(policy(1, "lan", "lan", "HTTPS"), "logtraffic", "disable"), []int64{2, 1}, []int64{1, 2}))},
	{"R-LOG-01", "a target that was off stays off", plan.High, one(change("log.syslogd/setting", nil, object{"status": "disable"}, "status", "disable"))},
	{"R-LOG-01", "the last target of a VDOM is switched off", plan.Critical, one(change("log.syslogd/override-setting", nil, syslog, "status", "disable"))},
	{"R-LOG-01", "a target is switched off and the others cannot be read", plan.Critical, after(unread, change("log.syslogd/setting", nil, syslog, "status", "disable"))},
	{"R-LOG-01", "logging to memory is switched off", plan.High, one(change("log.memory/setting", nil, syslog, "status", "disable"))},

	{"R-REF-01", "a used object is deleted", plan.Medium, one(used(remove("firewall/address", "lan", lan), 1))},
	{"R-REF-01", "five users", plan.Medium, one(used(remove("firewall/address", "lan", lan), 5))},
	{"R-REF-01", "fifty users", plan.High, one(used(remove("firewall/address", "lan", lan), 50))},
	{"R-REF-01", "a route, which nothing can refer to", "", func(*box) []Change {
		c := remove("router/static", int64(1), route("10.9.0.0/16"))
		c.Users = nil
		return []Change{c}
	}},
	{"R-REF-01", "a setting, which has no key", "", func(*box) []Change {
		c := change("system/dns", nil, object{}, "primary", "192.0.2.53")
		c.Users = nil
		return []Change{c}
	}},
	{"R-REF-01", "a created object", "", func(*box) []Change {
		c := create("firewall/address", "lan", lan)
		c.Users = nil
		return []Change{c}
	}},

	{"R-REF-02", "an address that grows to little and the policies are not known", plan.Critical, after(unread,
		used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/16"), 1))},
	{"R-REF-02", "a service that grows and the policies are not known", plan.Critical, after(unread,
		used(change("firewall.service/custom", "w", object{"tcp-portrange": "80"}, "tcp-portrange", "1-65535"), 1))},
	{"R-REF-02", "an unused address that a policy of the plan uses", plan.Critical, func(b *box) []Change {
		b.address("lan", "0.0.0.0/0")
		p := policy(7, "lan", "all", "ALL")
		b.policies = []map[string]any{p}
		return []Change{change("firewall/address", "lan", lan, "subnet", "0.0.0.0/0"), create(policyTable, int64(7), p)}
	}},
	{"R-REF-02", "an address grows and a group that may hold it cannot be read", plan.Medium, func(b *box) []Change {
		b.hidden, b.policies = "firewall/addrgrp", []map[string]any{policy(1, "h", "lan2", "HTTPS")}
		b.set("firewall/address", "h", object{"name": "h", "subnet": "10.3.0.0/24"})
		b.set("firewall/address", "lan2", object{"name": "lan2", "subnet": "10.3.0.0/24"})
		return []Change{used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/16"), 1)}
	}},
	{"R-REF-02", "an address grows that no policy uses", "", func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "h", "all", "HTTPS")}
		return []Change{used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/16"), 1)}
	}},
	{"R-REF-02", "an own internet service changes", plan.Medium, func(b *box) []Change {
		b.policies = []map[string]any{with(policy(1, "lan", "lan", "HTTPS"), "internet-service", "enable", "internet-service-custom", refs("mine"))}
		b.set("firewall/internet-service-custom", "mine", object{"entry": []any{object{"dst": refs("lan")}}})
		return []Change{used(change("firewall/internet-service-custom", "mine", object{}, "entry", []any{}), 1)}
	}},
	{"R-REF-02", "a virtual address maps to more", plan.Medium, func(b *box) []Change {
		b.policies = []map[string]any{with(policy(1, "lan", "v", "HTTPS"), "dstaddr", refs("g"))}
		b.set("firewall/vip", "v", object{"mappedip": []any{object{"range": "10.0.0.1-10.0.0.9"}}})
		b.set("firewall/vipgrp", "g", object{"member": refs("v")})
		return []Change{used(change("firewall/vip", "v", object{"mappedip": []any{object{"range": "10.0.0.1"}}}, "mappedip", []any{object{"range": "10.0.0.1-10.0.0.9"}}), 1)}
	}},
	{"R-REF-02", "a name gets another name", plan.Medium, func(b *box) []Change {
		b.policies = []map[string]any{policy(1, "h", "lan", "HTTPS")}
		h := object{"name": "h", "type": "fqdn", "fqdn": "a.example.com"}
		b.set("firewall/address", "h", with(h, "fqdn", "b.example.com"))
		return []Change{used(change("firewall/address", "h", h, "fqdn", "b.example.com"), 1)}
	}},
}

func tunnelled(b *box) {
	b.facts.Management.Interface = "hq"
	b.set("system/interface", "hq", object{"name": "hq", "type": "tunnel", "interface": "wan1"})
}

// aboveADeny is a change to policy 1 where policy 2 below it denies.
func aboveADeny(c Change) func(b *box) []Change {
	return after(func(b *box) { b.policies = []map[string]any{policy(1, "lan", "lan", "HTTPS"), deny(2)} }, c)
}

func anomaly(oldAction string, oldThreshold any, newAction string, newThreshold any) Change {
	row := func(action string, threshold any) []any {
		return []any{object{"name": "x", "status": "enable", "action": action, "threshold": threshold}}
	}
	return change("firewall/DoS-policy", int64(1), object{"anomaly": row(oldAction, oldThreshold)}, "anomaly", row(newAction, newThreshold))
}

func TestLockoutIsToldApart(t *testing.T) {
	b := newBox()
	if v := b.assess(change("system/api-user", "forti", apiUser, "comments", "x")); v.Lockout || v.Tier != plan.Critical {
		t.Errorf("a comment on our API user: lockout %v, tier %s", v.Lockout, v.Tier)
	}
	b.facts.Autonomous = true
	v := b.assess(trust(object{"type": "ipv4-trusthost", "ipv4-trusthost": "10.0.0.0/8"}))
	if !v.Lockout || len(v.Notes) != 1 {
		t.Errorf("our address leaves the trusted hosts: lockout %v, notes %q", v.Lockout, v.Notes)
	}
}

func TestReasonsComeInOrder(t *testing.T) {
	v := newBox().assess(append(creates(21), create("system/dns", nil, object{}), create("system/admin", "x", object{}))...)
	last := -1
	for _, r := range v.Reasons {
		switch {
		case r.Operation == -1:
			last = len(v.Operations)
		case r.Operation < last:
			t.Errorf("reason of operation %d after one of %d", r.Operation, last)
		default:
			last = r.Operation
		}
	}
	if last != len(v.Operations) {
		t.Error("no reason of the whole plan")
	}
	if got := v.Operations[21]; got.Tier != plan.High || len(got.Rules) != 1 || got.Rules[0] != baseRule {
		t.Errorf("a resource that is high by itself: %+v", got)
	}
	if got := v.Operations[0]; got.Tier != plan.Low || len(got.Rules) != 0 {
		t.Errorf("a harmless operation in a large plan: %+v", got)
	}
}

func TestTheEvidenceStandsInTheReason(t *testing.T) {
	v := newBox().assess(change("system/interface", "port1", port1, "allowaccess", "ping"))
	const want = `"port1" carries this connection (from 192.0.2.77) and is changed (allowaccess loses "https"): a mistake cuts it`
	for _, r := range v.Reasons {
		if r.Rule == "R-LOCKOUT-03" && r.Text == want {
			return
		}
	}
	t.Errorf("no reason says %q: %+v", want, v.Reasons)
}
