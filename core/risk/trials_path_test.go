package risk

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/forti-mcp/forti/core/plan"
)

// loopback makes our interface one that is only reached through policies.
func loopback(b *box) {
	b.set("system/interface", "port1", object{"name": "port1", "type": "loopback", "ip": "192.0.2.1 255.255.255.255"})
}

// letsIn is a policy through which our connection comes.
func letsIn(id int64) object {
	return with(policy(id, "clients", "self", "HTTPS"), "dstintf", refs("port1"))
}

func reached(b *box) {
	loopback(b)
	b.address("clients", "192.0.2.64 255.255.255.192")
	b.address("self", "192.0.2.1 255.255.255.255")
}

func shown(b *box) { b.singleton("system/global", object{"admin-server-cert": "gui"}) }

func vip(pairs ...any) Change {
	o := with(object{"name": "v", "extintf": "wan1", "extip": "192.0.2.1", "mappedip": []any{object{"range": "10.0.0.9"}}, "portforward": "disable"}, pairs...)
	return create("firewall/vip", "v", o)
}

var pathTrials = []trial{
	{"R-LOCKOUT-04", "the certificate that the device shows is replaced", plan.Critical,
		after(shown, change("vpn.certificate/local", "gui", object{"name": "gui"}, "certificate", "x"))},
	{"R-LOCKOUT-04", "the certificate that the device shows gets a comment", "",
		after(shown, change("vpn.certificate/local", "gui", object{"name": "gui"}, "comments", "x"))},
	{"R-LOCKOUT-04", "another certificate is deleted", "", after(shown, remove("vpn.certificate/local", "old", object{"name": "old"}))},
	{"R-LOCKOUT-04", "a certificate is created", "", after(shown, create("vpn.certificate/local", "new", object{"name": "new"}))},
	{"R-LOCKOUT-04", "a certificate is deleted, and which one the device shows could not be read", plan.Critical,
		after(unread, remove("vpn.certificate/local", "old", object{"name": "old"}))},
	{"R-LOCKOUT-04", "a certificate is deleted that the plan has just taken out of use", plan.Critical, func(b *box) []Change {
		b.singleton("system/global", object{"admin-server-cert": "new"})
		return []Change{change("system/global", nil, object{"admin-server-cert": "gui"}, "admin-server-cert", "new"),
			remove("vpn.certificate/local", "gui", object{"name": "gui"})}
	}},

	{"R-LOCKOUT-05", "the policy that lets us in is deleted", plan.Critical, after(reached, remove(policyTable, int64(7), letsIn(7)))},
	{"R-LOCKOUT-05", "the policy that lets us in is switched off", plan.Critical, after(reached, change(policyTable, int64(7), letsIn(7), "status", "disable"))},
	{"R-LOCKOUT-05", "the policy that lets us in moves down", plan.Critical, after(reached, move(7, letsIn(7), []int64{7, 8}, []int64{8, 7}))},
	{"R-LOCKOUT-05", "the policy that lets us in moves up", "", after(reached, move(7, letsIn(7), []int64{8, 7}, []int64{7, 8}))},
	{"R-LOCKOUT-05", "the policy that lets us in gets a comment", "", after(reached, change(policyTable, int64(7), letsIn(7), "comments", "x"))},
	{"R-LOCKOUT-05", "the policy that lets us in logs more", "", after(reached, change(policyTable, int64(7), letsIn(7), "logtraffic", "all"))},
	{"R-LOCKOUT-05", "a policy that was off is deleted", "", after(reached, remove(policyTable, int64(7), with(letsIn(7), "status", "disable")))},
	{"R-LOCKOUT-05", "a policy for other clients is deleted", "", after(reached, remove(policyTable, int64(7), with(letsIn(7), "srcaddr", refs("lan"))))},
	{"R-LOCKOUT-05", "a policy to another address is deleted", "", after(reached, remove(policyTable, int64(7), with(letsIn(7), "dstaddr", refs("lan"))))},
	{"R-LOCKOUT-05", "a policy to another interface is deleted", "", after(reached, remove(policyTable, int64(7), with(letsIn(7), "dstintf", refs("port2"))))},
	{"R-LOCKOUT-05", "the policy that lets us in through a zone is deleted", plan.Critical, func(b *box) []Change {
		reached(b)
		b.set("system/zone", "box", object{"name": "box", "interface": []any{object{"interface-name": "port1"}}})
		return []Change{remove(policyTable, int64(7), with(letsIn(7), "dstintf", refs("box")))}
	}},
	{"R-LOCKOUT-05", "a policy to a zone that could not be read is deleted", plan.Critical, func(b *box) []Change {
		reached(b)
		b.hidden = "system/zone"
		return []Change{remove(policyTable, int64(7), with(letsIn(7), "dstintf", refs("box")))}
	}},
	{"R-LOCKOUT-05", "a policy denies us", plan.Critical, after(reached, create(policyTable, int64(7), with(letsIn(7), "action", "deny")))},
	{"R-LOCKOUT-05", "a deny of everything moves up", plan.Critical,
		after(reached, move(7, with(deny(7), "dstintf", refs("any")), []int64{8, 7}, []int64{7, 8}))},
	{"R-LOCKOUT-05", "a deny of everything moves down", "",
		after(reached, move(7, with(deny(7), "dstintf", refs("any")), []int64{7, 8}, []int64{8, 7}))},
	{"R-LOCKOUT-05", "a deny of others is created", "", after(reached, create(policyTable, int64(7), with(letsIn(7), "action", "deny", "srcaddr", refs("lan"))))},
	{"R-LOCKOUT-05", "a policy that could not be read is moved where our interface needs one", plan.Critical, func(b *box) []Change {
		loopback(b)
		return []Change{move(2, nil, []int64{1, 2}, []int64{2, 1})}
	}},
	{"R-LOCKOUT-05", "a policy that could not be read is moved where our interface needs none", "", func(*box) []Change {
		return []Change{move(2, nil, []int64{1, 2}, []int64{2, 1})}
	}},
	{"R-POL-01", "a policy that could not be read comes to stand elsewhere", plan.Critical, func(*box) []Change {
		return []Change{move(2, nil, []int64{1, 2}, []int64{2, 1})}
	}},
	{"R-POL-02", "a policy that could not be read comes to stand elsewhere", "", func(*box) []Change {
		return []Change{move(2, nil, []int64{1, 2}, []int64{2, 1})}
	}},
	{"R-POL-03", "a policy that could not be read is moved", plan.High, func(*box) []Change {
		return []Change{move(2, nil, []int64{1, 2}, []int64{2, 1})}
	}},
	{"R-LOCKOUT-05", "a policy to our interface, which is no loopback, is deleted", "", func(b *box) []Change {
		b.address("clients", "192.0.2.64 255.255.255.192")
		b.address("self", "192.0.2.1 255.255.255.255")
		return []Change{remove(policyTable, int64(7), letsIn(7))}
	}},
	{"R-LOCKOUT-05", "a policy of IPv6 that lets us in is deleted", plan.Critical, func(b *box) []Change {
		loopback(b)
		b.facts.Management.Local, b.facts.Management.Remote = "[2001:db8::5]:50000", "[2001:db8:0:1::1]:443"
		b.set("firewall/address6", "clients", object{"name": "clients", "ip6": "2001:db8::/64"})
		b.set("firewall/address6", "self", object{"name": "self", "ip6": "2001:db8:0:1::/64"})
		return []Change{remove(policyTable, int64(7), with(letsIn(7), "srcaddr", []any{}, "dstaddr", []any{}, "srcaddr6", refs("clients"), "dstaddr6", refs("self")))}
	}},

	{"R-NAT-01", "a virtual address is the one that we connect to", plan.Critical, one(vip())},
	{"R-NAT-01", "a range of virtual addresses holds the one that we connect to", plan.Critical, one(vip("extip", "192.0.2.0-192.0.2.9"))},
	{"R-NAT-01", "a virtual address beside the one that we connect to", plan.High, one(vip("extip", "192.0.2.2"))},
	{"R-NAT-01", "a virtual address that cannot be read", plan.High, one(vip("extip", "here"))},
	{"R-NAT-01", "our port is forwarded", plan.Critical, func(b *box) []Change {
		b.facts.Management.Remote = "192.0.2.1:8443"
		return []Change{vip("portforward", "enable", "extport", "8000-9000")}
	}},
	{"R-NAT-01", "another port is forwarded", plan.High, func(b *box) []Change {
		b.facts.Management.Remote = "192.0.2.1:8443"
		return []Change{vip("portforward", "enable", "extport", "25")}
	}},
	{"R-NAT-01", "a port is forwarded, and ours is not known", plan.Critical, one(vip("portforward", "enable", "extport", "25"))},
	{"R-NAT-01", "ports that cannot be read are forwarded", plan.Critical, func(b *box) []Change {
		b.facts.Management.Remote = "192.0.2.1:8443"
		return []Change{vip("portforward", "enable", "extport", "x")}
	}},
	{"R-NAT-01", "whatever the address of our interface is", plan.Critical, one(vip("extip", "0.0.0.0", "extintf", "port1"))},
	{"R-NAT-01", "whatever the address of any interface is", plan.Critical, one(vip("extip", "0.0.0.0", "extintf", "any"))},
	{"R-NAT-01", "whatever the address of another interface is", plan.High, one(vip("extip", "0.0.0.0"))},
	{"R-NAT-01", "a virtual address that is switched off", plan.High, one(vip("status", "disable"))},
	{"R-NAT-01", "a virtual address is deleted", plan.High, one(remove("firewall/vip", "v", object{"name": "v", "extip": "192.0.2.1"}))},
	{"R-NAT-01", "a virtual address gets a comment", plan.High, one(change("firewall/vip", "v", object{"name": "v", "extip": "192.0.2.1"}, "comment", "x"))},
	{"R-NAT-01", "the address that we connect to is not known", plan.High, func(b *box) []Change {
		b.facts.Management.Remote = ""
		return []Change{vip()}
	}},
	{"R-NAT-01", "a virtual address of IPv6 is the one that we connect to", plan.Critical, func(b *box) []Change {
		b.facts.Source, b.facts.Management.Remote = netip.MustParseAddr("2001:db8::5"), "[2001:db8:0:1::1]:443"
		o := object{"name": "v", "extip": "2001:db8:0:1::1", "mappedip": "2001:db8:0:2::9"}
		return []Change{create("firewall/vip6", "v", o)}
	}},

	{"R-RT-02", "OSPF changes while we are in a second network of our interface", plan.High, func(b *box) []Change {
		b.set("system/interface", "port1", object{"name": "port1", "ip": "198.51.100.1 255.255.255.0",
			"secondaryip": []any{object{"id": int64(1), "ip": "192.0.2.1 255.255.255.0"}}})
		return []Change{change("router/ospf", nil, object{}, "router-id", "1.1.1.1")}
	}},
	{"R-RT-02", "OSPF changes while our interface has no address of our family", plan.Critical, func(b *box) []Change {
		b.set("system/interface", "port1", object{"name": "port1", "ip": "0.0.0.0 0.0.0.0", "ipv6": object{"ip6-address": "::/0"}})
		return []Change{change("router/ospf", nil, object{}, "router-id", "1.1.1.1")}
	}},
	{"R-LOCKOUT-03", "the wireless network that we come through is deleted", plan.Critical, func(b *box) []Change {
		b.facts.Management.Interface = "staff"
		b.set("system/interface", "staff", object{"name": "staff", "type": "vap-switch"})
		return []Change{remove("wireless-controller/vap", "staff", object{"name": "staff"})}
	}},
	{"R-LOCKOUT-03", "another wireless network is deleted", "", one(remove("wireless-controller/vap", "guests", object{"name": "guests"}))},
}

func TestAnInterfaceHasAddressesOfBothFamilies(t *testing.T) {
	got := InterfaceAddresses(object{
		"ip": "192.0.2.1 255.255.255.0", "management-ip": "0.0.0.0 0.0.0.0", "secondaryip": []any{object{"id": int64(1), "ip": "198.51.100.1 255.255.255.0"}},
		"ipv6": object{"ip6-address": "2001:db8::1/64", "ip6-extra-addr": []any{object{"prefix": "2001:db8:1::1/64"}}},
	})
	want := []string{"192.0.2.1 255.255.255.0", "2001:db8::1/64", "198.51.100.1 255.255.255.0", "2001:db8:1::1/64"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := InterfaceAddresses(object{"ip": "0.0.0.0 0.0.0.0", "ipv6": object{"ip6-address": "::/0"}}); len(got) != 0 {
		t.Errorf("an interface without an address has %q", got)
	}
}
