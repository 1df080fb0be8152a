package catalog

import (
	"slices"
	"strings"
	"testing"
)

// engineersQueries are what firewall engineers type, in their words and in FortiOS's,
// and what they look for: one of want is among the first three.
var engineersQueries = []struct {
	query string
	want  []string
}{
	{"addr", []string{"firewall/address"}},
	{"address object", []string{"firewall/address"}},
	{"address group", []string{"firewall/addrgrp"}},
	{"host group", []string{"firewall/addrgrp"}},
	{"ipv6 address", []string{"firewall/address6"}},
	{"fqdn", []string{"firewall/address"}},
	{"geoip", []string{"firewall/address"}},
	{"mac address", []string{"firewall/address"}},
	{"vpn phase1", []string{"vpn.ipsec/phase1-interface", "vpn.ipsec/phase1"}},
	{"phase 2", []string{"vpn.ipsec/phase2-interface", "vpn.ipsec/phase2"}},
	{"ipsec tunnel", []string{"vpn.ipsec/phase1-interface", "monitor/vpn/ipsec"}},
	{"site to site vpn", []string{"vpn.ipsec/phase1-interface"}},
	{"ike", []string{"vpn.ipsec/phase1-interface", "vpn.ipsec/phase1"}},
	{"psksecret", []string{"vpn.ipsec/phase1-interface", "vpn.ipsec/phase1"}},
	{"pre-shared key", []string{"vpn.ipsec/phase1-interface", "vpn.ipsec/phase1"}},
	{"tunnels that are up", []string{"monitor/vpn/ipsec"}},
	{"ssl vpn", []string{"vpn.ssl/settings", "monitor/vpn/ssl"}},
	{"ssl vpn portal", []string{"vpn.ssl.web/portal"}},
	{"snat", []string{"firewall/central-snat-map", "firewall/ippool"}},
	{"central nat", []string{"firewall/central-snat-map"}},
	{"source nat", []string{"firewall/central-snat-map", "firewall/ippool"}},
	{"ip pool", []string{"firewall/ippool"}},
	{"nat pool", []string{"firewall/ippool"}},
	{"dnat", []string{"firewall/vip"}},
	{"destination nat", []string{"firewall/vip"}},
	{"port forwarding", []string{"firewall/vip"}},
	{"virtual ip", []string{"firewall/vip"}},
	{"load balancer", []string{"firewall/vip", "firewall/ldb-monitor"}},
	{"firewall rule", []string{"firewall/policy"}},
	{"acl", []string{"firewall/acl", "firewall/policy"}},
	{"rules", []string{"firewall/policy"}},
	{"policies", []string{"firewall/policy"}},
	{"policy hit count", []string{"monitor/firewall/policy"}},
	{"local in policy", []string{"firewall/local-in-policy"}},
	{"dos policy", []string{"firewall/DoS-policy"}},
	{"traffic shaping", []string{"firewall/shaping-policy", "firewall.shaper/traffic-shaper"}},
	{"qos", []string{"firewall/shaping-policy", "firewall.shaper/traffic-shaper", "firewall/shaping-profile"}},
	{"bandwidth limit", []string{"firewall.shaper/traffic-shaper", "firewall/shaping-policy", "firewall.shaper/per-ip-shaper"}},
	{"custom service", []string{"firewall.service/custom"}},
	{"tcp port", []string{"firewall.service/custom"}},
	{"service group", []string{"firewall.service/group"}},
	{"schedule", []string{"firewall.schedule/recurring", "firewall.schedule/onetime", "firewall.schedule/group"}},
	{"who is logged in", []string{"monitor/system/current-admins", "monitor/user/firewall"}},
	{"admin sessions", []string{"monitor/system/current-admins"}},
	{"administrators", []string{"system/admin"}},
	{"admin profile", []string{"system/accprofile"}},
	{"api token", []string{"system/api-user"}},
	{"api key", []string{"system/api-user"}},
	{"local users", []string{"user/local"}},
	{"user group", []string{"user/group"}},
	{"radius server", []string{"user/radius"}},
	{"ldap", []string{"user/ldap"}},
	{"active directory", []string{"user/ldap", "user/fsso", "user/adgrp"}},
	{"saml", []string{"user/saml", "system/saml"}},
	{"two factor token", []string{"user/fortitoken"}},
	{"static routes", []string{"router/static"}},
	{"default gateway", []string{"router/static"}},
	{"routing table", []string{"monitor/router/ipv4"}},
	{"ospf neighbor", []string{"router/ospf", "monitor/router/ospf/neighbors"}},
	{"bgp", []string{"router/bgp"}},
	{"bgp peers", []string{"router/bgp", "monitor/router/bgp/neighbors"}},
	{"policy based routing", []string{"router/policy"}},
	{"pbr", []string{"router/policy"}},
	{"route map", []string{"router/route-map"}},
	{"prefix list", []string{"router/prefix-list"}},
	{"vlan", []string{"system/interface"}},
	{"interfaces", []string{"system/interface"}},
	{"lacp", []string{"system/interface"}},
	{"port channel", []string{"system/interface"}},
	{"loopback", []string{"system/interface"}},
	{"zone", []string{"system/zone"}},
	{"sd-wan", []string{"system/sdwan"}},
	{"dhcp server", []string{"system.dhcp/server"}},
	{"dhcp leases", []string{"monitor/system/dhcp"}},
	{"arp table", []string{"monitor/network/arp", "system/arp-table"}},
	{"dns server", []string{"system/dns", "system/dns-server", "system/dns-database"}},
	{"ntp", []string{"system/ntp"}},
	{"time zone", []string{"system/global"}},
	{"hostname", []string{"system/global"}},
	{"snmp community", []string{"system.snmp/community"}},
	{"snmpv3 user", []string{"system.snmp/user"}},
	{"syslog", []string{"log.syslogd/setting"}},
	{"log to fortianalyzer", []string{"log.fortianalyzer/setting"}},
	{"high availability", []string{"system/ha"}},
	{"cluster status", []string{"system/ha", "monitor/system/ha-peer", "monitor/system/ha-statistics", "monitor/system/ha-checksums"}},
	{"failover", []string{"system/ha"}},
	{"vdom", []string{"system/vdom"}},
	{"virtual domain", []string{"system/vdom"}},
	{"certificate", []string{"vpn.certificate/local", "certificate/local", "vpn.certificate/ca", "certificate/ca"}},
	{"ca certificate", []string{"vpn.certificate/ca", "certificate/ca"}},
	{"antivirus profile", []string{"antivirus/profile"}},
	{"web filter", []string{"webfilter/profile"}},
	{"url filter", []string{"webfilter/urlfilter"}},
	{"ips sensor", []string{"ips/sensor"}},
	{"intrusion prevention", []string{"ips/sensor"}},
	{"application control", []string{"application/list"}},
	{"dns filter", []string{"dnsfilter/profile"}},
	{"ssl inspection", []string{"firewall/ssl-ssh-profile"}},
	{"deep inspection", []string{"firewall/ssl-ssh-profile"}},
	{"cpu usage", []string{"monitor/system/resource/usage", "monitor/system/performance/status"}},
	{"memory", []string{"monitor/system/resource/usage", "monitor/system/performance/status"}},
	{"sessions", []string{"monitor/firewall/session", "monitor/firewall/sessions"}},
	{"license", []string{"monitor/license/status"}},
	{"firmware", []string{"monitor/system/firmware"}},
	{"uptime", []string{"monitor/system/status"}},
	{"serial number", []string{"monitor/system/status"}},
	{"backup", []string{"monitor/system/config/backup"}},
	{"reboot", []string{"monitor/system/os"}},
	{"threat feed", []string{"system/external-resource"}},
	{"external block list", []string{"system/external-resource"}},
	{"wifi ssid", []string{"wireless-controller/vap"}},
	{"access points", []string{"wireless-controller/wtp", "monitor/wifi/managed_ap"}},
	{"switch", []string{"switch-controller/managed-switch", "monitor/switch-controller/managed-switch"}},
}

func TestEngineersFindWhatTheyLookForInTheFirstThree(t *testing.T) {
	c := Open()
	for _, q := range engineersQueries {
		got := paths(c.Search(q.query, ""))
		got = got[:min(3, len(got))]
		if !slices.ContainsFunc(q.want, func(path string) bool { return slices.Contains(got, path) }) {
			t.Errorf("Search(%q) begins with %q, want one of %q", q.query, got, q.want)
		}
	}
}

func TestTheWordsOfTheTradeMeanWhatTheCatalogHas(t *testing.T) {
	known := map[string]bool{}
	for e := range Open().Entries("") {
		known[e.Path] = true
	}
	for _, i := range idioms() {
		for _, path := range i.paths {
			if !known[path] {
				t.Errorf("%q means %s, which the catalog does not have", strings.Join(i.words, " "), path)
			}
		}
	}
	for path := range centrality() {
		if !known[path] {
			t.Errorf("%s is central and the catalog does not have it", path)
		}
	}
}
