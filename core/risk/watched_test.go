package risk

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/plan"
)

// watched is where a rule fires, and a change that shows it. The resources are
// written out from the project's table of rules and the catalog, not from the rules.
type watched struct {
	rule      string
	resources string
	do        func(resource string) func(b *box) []Change
}

// row makes trials out of a change of a resource's row.
func rowOf(c func(resource string) Change) func(string) func(*box) []Change {
	return func(resource string) func(*box) []Change { return one(c(resource)) }
}

// anyChange is an update that nothing but its resource makes remarkable.
func anyChange(resource string) Change {
	return change(resource, "x", object{"name": "x"}, "something", "y")
}

func named(name string) func(string) Change {
	return func(resource string) Change { return change(resource, name, object{"name": name}, "something", "y") }
}

func created(name any, o object) func(string) Change {
	return func(resource string) Change { return create(resource, name, o) }
}

func touching(attribute string) func(string) Change {
	return func(resource string) Change { return change(resource, nil, object{}, attribute, "x") }
}

const (
	traffic = "firewall/policy firewall/policy46 firewall/policy6 firewall/policy64 firewall/security-policy firewall/proxy-policy " +
		"firewall/multicast-policy firewall/multicast-policy6 firewall.consolidated/policy"
	logging1 = "log.disk/filter log.disk/setting log.fortianalyzer-cloud/filter log.fortianalyzer-cloud/override-filter " +
		"log.fortianalyzer-cloud/override-setting log.fortianalyzer-cloud/setting log.fortianalyzer/filter log.fortianalyzer/override-filter " +
		"log.fortianalyzer/override-setting log.fortianalyzer/setting log.fortianalyzer2/filter log.fortianalyzer3/setting log.fortiguard/filter " +
		"log.fortiguard/override-setting log.memory/filter log.memory/global-setting log.memory/setting log.null-device/setting log.syslogd/filter " +
		"log.syslogd/override-setting log.syslogd/setting log.syslogd2/setting log.syslogd3/setting log.syslogd4/override-filter " +
		"log.tacacs+accounting/setting log.webtrends/setting log/eventfilter log/setting"
	routing = "router/access-list router/access-list6 router/aspath-list router/auth-path router/bfd router/bfd6 router/bgp router/community-list " +
		"router/extcommunity-list router/isis router/key-chain router/multicast router/multicast-flow router/multicast6 router/ospf router/ospf6 " +
		"router/policy router/policy6 router/prefix-list router/prefix-list6 router/rip router/ripng router/route-map router/setting router/static " +
		"router/static6 system/link-monitor system/sdwan system/virtual-wan-link"
	tunnel1 = "system/fabric-vpn system/gre-tunnel system/ipip-tunnel system/ipv6-tunnel system/sdn-vpn system/sit-tunnel vpn.ike/gateway " +
		"vpn.ipsec/concentrator vpn.ipsec/fec vpn.ipsec/forticlient vpn.ipsec/manualkey vpn.ipsec/manualkey-interface vpn.ipsec/phase1 " +
		"vpn.ipsec/phase1-interface vpn.ipsec/phase2 vpn.ipsec/phase2-interface vpn.ssl.web/host-check-software vpn.ssl.web/portal vpn.ssl.web/realm " +
		"vpn.ssl.web/user-bookmark vpn.ssl.web/user-group-bookmark vpn.ssl/client vpn.ssl/settings vpn/kmip-server vpn/l2tp vpn/ocvpn vpn/pptp vpn/qkd"
	identity = "authentication/rule authentication/scheme authentication/setting certificate/ca certificate/crl certificate/hsm-local certificate/local " +
		"certificate/remote cifs/domain-controller credential-store/domain-controller firewall.ssh/host-key firewall.ssh/local-ca firewall.ssh/local-key " +
		"firewall.ssh/setting system/acme system/fsso-polling system/ftm-push system/password-policy system/password-policy-guest-admin system/saml " +
		"system/sso-admin system/sso-forticloud-admin system/sso-fortigate-cloud-admin system/vdom-radius-server user/adgrp user/certificate " +
		"user/domain-controller user/exchange user/external-identity-provider user/fortitoken user/fsso user/fsso-polling user/group user/krb-keytab " +
		"user/ldap user/local user/nac-policy user/password-policy user/peer user/peergrp user/pop3 user/radius user/saml user/scim " +
		"user/security-exempt-list user/setting user/tacacs+ vpn.certificate/ca vpn.certificate/crl vpn.certificate/hsm-local vpn.certificate/local " +
		"vpn.certificate/ocsp-server vpn.certificate/remote vpn.certificate/setting"
	code = "automation/setting switch-controller/custom-command system/alias system/auto-install system/auto-script system/automation-action " +
		"system/automation-condition system/automation-destination system/automation-stitch system/automation-trigger"
	carrying = "system/evpn system/geneve system/gre-tunnel system/interface system/ipip-tunnel system/ipsec-aggregate system/ipv6-tunnel " +
		"system/lte-modem system/mobile-tunnel system/modem system/npu-vlink system/physical-switch system/pppoe-interface system/sit-tunnel system/stp " +
		"system/switch-interface system/vdom-link system/virtual-switch system/virtual-wire-pair system/vne-interface system/vne-tunnel system/vxlan system/zone"
	carriers1 = "system/geneve system/gre-tunnel system/interface system/ipip-tunnel system/ipsec-aggregate system/ipv6-tunnel system/mobile-tunnel " +
		"system/physical-switch system/pppoe-interface system/sit-tunnel system/switch-interface system/vdom-link system/virtual-switch " +
		"system/virtual-wire-pair system/vne-interface system/vxlan wireless-controller/vap"
	meanings = "firewall/address firewall/address6 firewall/addrgrp firewall/addrgrp6 firewall/multicast-address firewall/multicast-address6 " +
		"firewall/proxy-address firewall/proxy-addrgrp firewall/internet-service-custom firewall/internet-service-custom-group firewall/vip " +
		"firewall/vip6 firewall/vipgrp firewall/vipgrp6 firewall.wildcard-fqdn/custom firewall.wildcard-fqdn/group firewall.service/custom firewall.service/group"
	otherPolicies = " firewall/acl firewall/acl6 firewall/DoS-policy firewall/DoS-policy6 firewall/interface-policy firewall/interface-policy6 " +
		"firewall/shaping-policy firewall/sniffer firewall/on-demand-sniffer firewall/ttl-policy"
)

var allWatched = []watched{
	{"R-LOCKOUT-01", "system/api-user", rowOf(named("forti"))},
	{"R-LOCKOUT-01", "system/admin", rowOf(anyChange)},
	{"R-LOCKOUT-01", "system/accprofile", rowOf(named("api"))},
	{"R-LOCKOUT-01", "firewall.schedule/onetime firewall.schedule/recurring firewall.schedule/group", rowOf(named("office"))},
	{"R-LOCKOUT-01", "user/peergrp", func(resource string) func(b *box) []Change {
		return after(func(b *box) { b.set("system/api-user", "forti", object{"name": "forti", "peer-group": "ops"}) }, named("ops")(resource))
	}},
	{"R-LOCKOUT-02", "system/api-user", rowOf(func(resource string) Change { return remove(resource, "forti", object{"name": "forti"}) })},
	{"R-LOCKOUT-03", carriers1, rowOf(named("port1"))},
	{"R-LOCKOUT-04", "system/global", rowOf(touching("admin-sport"))},
	{"R-LOCKOUT-04", "certificate/local vpn.certificate/local", func(resource string) func(b *box) []Change {
		return after(func(b *box) { b.singleton("system/global", object{"admin-server-cert": "x"}) }, anyChange(resource))
	}},
	{"R-LOCKOUT-05", "firewall/policy", func(resource string) func(b *box) []Change {
		return after(loopback, remove(resource, int64(1), with(policy(1, "all", "all", "ALL"), "dstintf", refs("port1"))))
	}},
	{"R-LOCKOUT-05", "firewall/local-in-policy firewall/local-in-policy6", rowOf(created(int64(1), object{"policyid": int64(1)}))},
	{"R-LOCKOUT-05", "system/dedicated-mgmt", rowOf(touching("status"))},
	{"R-LOCKOUT-05", "system/global", rowOf(touching("management-vdom"))},
	{"R-LOCKOUT-05", "system/ha", rowOf(touching("ha-mgmt-status"))},
	{"R-LOCKOUT-05", "system/interface", rowOf(touching("dedicated-to"))},
	{"R-RT-01", "router/policy router/policy6 router/static router/static6", rowOf(created(int64(1), object{}))},
	{"R-RT-02", routing, rowOf(func(resource string) Change { return create(resource, int64(1), object{"dst": elsewhere(resource)}) })},
	{"R-IF-01", carrying, rowOf(anyChange)},
	{"R-HA-01", "system/central-management system/cluster-sync system/fm system/fortimanager system/ha system/ha-monitor system/management-tunnel " +
		"system/standalone-cluster system/vdom system/vdom-exception", rowOf(anyChange)},
	{"R-HA-01", "system/global", rowOf(touching("vdom-mode"))},
	{"R-HA-01", "system/settings", rowOf(touching("opmode"))},
	{"R-VPN-01", tunnel1, rowOf(anyChange)},
	{"R-NAT-01", "firewall/central-snat-map firewall/ip-translation firewall/vip firewall/vip46 firewall/vip6 firewall/vip64 firewall/vipgrp " +
		"firewall/vipgrp46 firewall/vipgrp6 firewall/vipgrp64", rowOf(anyChange)},
	{"R-LOG-01", logging1, rowOf(touching("severity"))},
	{"R-LOG-01", traffic, rowOf(func(resource string) Change {
		return change(resource, int64(1), policy(1, "lan", "lan", "HTTPS"), "logtraffic", "disable")
	})},
	{"R-AUTH-01", identity, rowOf(anyChange)},
	{"R-AUTO-01", code, rowOf(anyChange)},
	{"R-ACT-01", "monitor/a monitor/a/b monitor/a/b/c monitor/a/b/c/d", rowOf(func(resource string) Change { return action(resource, "operate") })},
	{"R-POL-01", traffic, rowOf(created(int64(1), object{"action": "accept"}))},
	{"R-POL-02", traffic, rowOf(created(int64(1), object{"action": "accept", "srcintf": refs("wan1"), "service": refs("HTTPS"), "internet-service": "enable"}))},
	{"R-POL-03", traffic + " firewall/acl firewall/acl6", rowOf(func(resource string) Change { return remove(resource, int64(1), deny(1)) })},
	{"R-POL-04", traffic + " firewall/DoS-policy firewall/DoS-policy6 firewall/interface-policy firewall/interface-policy6 firewall/sniffer",
		rowOf(func(resource string) Change {
			return change(resource, int64(1), object{"ips-sensor": "strict"}, "ips-sensor", "")
		})},
	{"R-POL-05", traffic + otherPolicies, rowOf(func(resource string) Change {
		return change(resource, int64(1), policy(1, "lan", "lan", "HTTPS"), "comments", "y")
	})},
	{"R-POL-06", "firewall/policy", func(resource string) func(b *box) []Change {
		return standing([]map[string]any{block(2, "all"), allDay(policy(1, "lan", "lan", "HTTPS"))}, create(resource, int64(2), block(2, "all")))
	}},
	{"R-POL-06", "firewall/policy", func(resource string) func(b *box) []Change {
		return after(unread, create(resource, int64(2), block(2, "all")))
	}},
	{"R-REF-02", meanings, func(resource string) func(b *box) []Change {
		return after(unread, used(change(resource, "x", object{}, "type", "2", "member", refs("y"), "tcp-portrange", "1-9", "protocol", "IP"), 1))
	}},
}

// elsewhere is a network of a route's family that does not hold our address.
func elsewhere(resource string) any {
	switch resource {
	case "router/policy":
		return []any{object{"subnet": "10.9.0.0/16"}}
	case "router/policy6":
		return []any{object{"addr6": "2001:db8:9::/48"}}
	case "router/static6":
		return "2001:db8:9::/48"
	}
	return "10.9.0.0/16"
}

// everywhere are all resources that this test and the base tiers name.
func everywhere() []string {
	var out []string
	for _, x := range allWatched {
		out = append(out, strings.Fields(x.resources)...)
	}
	for _, e := range base {
		for _, p := range e.patterns {
			if !isAction(p) {
				out = append(out, expanded(p)...)
			}
		}
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(path string) bool { return strings.Contains(path, "*") })
}

// expanded are the texts that a pattern's groups stand for.
func expanded(pattern string) []string {
	from, to := strings.IndexByte(pattern, '{'), strings.IndexByte(pattern, '}')
	if from < 0 {
		return []string{pattern}
	}
	var out []string
	for _, option := range strings.Split(pattern[from+1:to], ",") {
		for _, rest := range expanded(pattern[to+1:]) {
			out = append(out, pattern[:from]+option+rest)
		}
	}
	return out
}

// unwatched says where a rule that should fire does not, and where one fires that
// should not; rule "" stands for all.
func unwatched(rule string, all []string) (faults []string) {
	lists := map[string][]string{}
	for _, x := range allWatched {
		lists[x.rule] = append(lists[x.rule], strings.Fields(x.resources)...)
	}
	for _, x := range allWatched {
		if rule != "" && rule != x.rule {
			continue
		}
		own := strings.Fields(x.resources)
		for _, resource := range all {
			fires := x.fires(resource)
			switch {
			case slices.Contains(own, resource) && !fires:
				faults = append(faults, fmt.Sprintf("%s does not fire on %s", x.rule, resource))
			case fires && !slices.Contains(lists[x.rule], resource):
				faults = append(faults, fmt.Sprintf("%s fires on %s", x.rule, resource))
			}
		}
	}
	return faults
}

func (x watched) fires(resource string) bool {
	b := newBox()
	return tierOf(b.assess(x.do(resource)(b)...), x.rule) != plan.Tier("")
}

func TestEachRuleFiresOnTheResourcesOfTheTableAndOnNoOther(t *testing.T) {
	all := everywhere()
	for _, fault := range unwatched("", all) {
		t.Error(fault)
	}
	if len(all) < 450 {
		t.Errorf("only %d resources are known here", len(all))
	}
}

// TestEveryRuleOfSomeResourcesIsInTheTable: a rule that watches a list has a list here.
func TestEveryRuleOfSomeResourcesIsInTheTable(t *testing.T) {
	for _, r := range rules {
		listed := slices.ContainsFunc(allWatched, func(x watched) bool { return x.rule == r.id })
		if listed == (len(r.watch) == 0) {
			t.Errorf("%s watches %d patterns; listed here: %v", r.id, len(r.watch), listed)
		}
	}
}
