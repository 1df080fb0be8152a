package catalog

import (
	"strings"
	"sync"
)

// trade are the words of the trade for what FortiOS calls otherwise: a phrase, and
// the entries that it means, the likeliest first. A query that has all words of a
// phrase, in whatever order, finds them before what has the words in its names.
const trade = `
acl = firewall/acl firewall/policy
access list = firewall/acl router/access-list
access point = wireless-controller/wtp monitor/wifi/managed_ap
active directory = user/ldap user/fsso user/adgrp
addr = firewall/address
address group = firewall/addrgrp
host group = firewall/addrgrp
network group = firewall/addrgrp
address object = firewall/address
host = firewall/address
ipv6 address = firewall/address6
mac address = firewall/address
fqdn = firewall/address firewall.wildcard-fqdn/custom
geoip = firewall/address system/geoip-override monitor/geoip/geoip-query
country = firewall/address
admin profile = system/accprofile
administrator = system/admin
admin role = system/accprofile
admin session = monitor/system/current-admins
logged = monitor/system/current-admins monitor/user/firewall
api token = system/api-user
api key = system/api-user
service account = system/api-user
application control = application/list
app control = application/list
arp table = monitor/network/arp system/arp-table
backup = monitor/system/config/backup
bandwidth = firewall.shaper/traffic-shaper firewall/shaping-policy firewall.shaper/per-ip-shaper
rate limit = firewall.shaper/traffic-shaper firewall/shaping-policy
shaping = firewall/shaping-policy firewall.shaper/traffic-shaper firewall/shaping-profile
qos = firewall/shaping-policy firewall.shaper/traffic-shaper firewall/shaping-profile
bgp peer = router/bgp monitor/router/bgp/neighbors
bgp neighbor = router/bgp monitor/router/bgp/neighbors
bond = system/interface
lacp = system/interface
lag = system/interface
loopback = system/interface
nic = system/interface
port channel = system/interface
subinterface = system/interface
vlan = system/interface
ca certificate = vpn.certificate/ca certificate/ca
central nat = firewall/central-snat-map
snat = firewall/central-snat-map firewall/ippool
source nat = firewall/central-snat-map firewall/ippool
nat pool = firewall/ippool
masquerade = firewall/ippool firewall/central-snat-map
dnat = firewall/vip
destination nat = firewall/vip
port forward = firewall/vip
port forwarding = firewall/vip
static nat = firewall/vip
virtual ip = firewall/vip
load balancer = firewall/vip firewall/ldb-monitor
cluster = system/ha monitor/system/ha-peer
failover = system/ha
high availability = system/ha
cpu = monitor/system/resource/usage monitor/system/performance/status
memory = monitor/system/resource/usage monitor/system/performance/status log.memory/setting
load average = monitor/system/performance/status
uptime = monitor/system/status
serial number = monitor/system/status
firmware version = monitor/system/firmware monitor/system/status
license = monitor/license/status
reboot = monitor/system/os
restart = monitor/system/os
shutdown = monitor/system/os
shut down = monitor/system/os
default gateway = router/static
default route = router/static
next hop = router/static
routing table = monitor/router/ipv4 monitor/router/ipv6
policy route = router/policy
policy routing = router/policy
pbr = router/policy
ospf neighbor = router/ospf monitor/router/ospf/neighbors
dhcp lease = monitor/system/dhcp
dhcp relay = system/interface
dns = system/dns
dns filter = dnsfilter/profile
web filter = webfilter/profile
url filter = webfilter/urlfilter webfilter/profile
content filter = webfilter/profile
antivirus = antivirus/profile
virus = antivirus/profile
intrusion prevention = ips/sensor
ids = ips/sensor
ips signature = ips/sensor ips/rule
deep inspection = firewall/ssl-ssh-profile
ssl inspection = firewall/ssl-ssh-profile
tls inspection = firewall/ssl-ssh-profile
decryption = firewall/ssl-ssh-profile
block list = system/external-resource
blocklist = system/external-resource
threat feed = system/external-resource
external feed = system/external-resource
firewall rule = firewall/policy
rule = firewall/policy
security policy = firewall/policy firewall/security-policy
hit count = monitor/firewall/policy
policy counter = monitor/firewall/policy
hostname = system/global
timezone = system/global
time zone = system/global
admin timeout = system/global
admin port = system/global
ike = vpn.ipsec/phase1-interface vpn.ipsec/phase1 monitor/vpn/ike
ipsec = vpn.ipsec/phase1-interface vpn.ipsec/phase2-interface monitor/vpn/ipsec
phase 1 = vpn.ipsec/phase1-interface vpn.ipsec/phase1
phase 2 = vpn.ipsec/phase2-interface vpn.ipsec/phase2
vpn phase1 = vpn.ipsec/phase1-interface vpn.ipsec/phase1
vpn phase2 = vpn.ipsec/phase2-interface vpn.ipsec/phase2
pre shared key = vpn.ipsec/phase1-interface vpn.ipsec/phase1
preshared key = vpn.ipsec/phase1-interface vpn.ipsec/phase1
psk = vpn.ipsec/phase1-interface vpn.ipsec/phase1
psksecret = vpn.ipsec/phase1-interface vpn.ipsec/phase1
site to site = vpn.ipsec/phase1-interface vpn.ipsec/phase2-interface
tunnel = vpn.ipsec/phase1-interface monitor/vpn/ipsec
tunnel up = monitor/vpn/ipsec
tunnel status = monitor/vpn/ipsec
remote access = vpn.ssl/settings vpn.ipsec/phase1-interface
ssl vpn = vpn.ssl/settings vpn.ssl.web/portal monitor/vpn/ssl
vpn user = monitor/vpn/ssl user/local
log to fortianalyzer = log.fortianalyzer/setting
fortianalyzer = log.fortianalyzer/setting monitor/log/fortianalyzer
syslog = log.syslogd/setting
siem = log.syslogd/setting log.fortianalyzer/setting
logging = log/setting log.syslogd/setting log.fortianalyzer/setting
mfa = user/fortitoken user/local
two factor = user/fortitoken user/local
2fa = user/fortitoken user/local
otp = user/fortitoken
session = monitor/firewall/session monitor/firewall/sessions
connection table = monitor/firewall/session monitor/firewall/sessions
snmp = system.snmp/community system.snmp/user system.snmp/sysinfo
ssid = wireless-controller/vap
wlan = wireless-controller/vap
switch = switch-controller/managed-switch
tcp port = firewall.service/custom
udp port = firewall.service/custom
port number = firewall.service/custom
virtual domain = system/vdom
vrf = system/interface router/static
hardening = system/global system/password-policy
password policy = system/password-policy
trusted host = system/admin system/api-user
management access = system/interface
allowaccess = system/interface
local in = firewall/local-in-policy
anti spoofing = system/interface
sso = user/saml user/fsso
`

// central are the entries at the middle of most configurations, the most central
// first. Where hits are equally good these come first.
const central = `firewall/policy firewall/address system/interface system/global firewall/addrgrp firewall.service/custom router/static firewall/vip
vpn.ipsec/phase1-interface vpn.ipsec/phase2-interface system/admin user/local user/group firewall.service/group firewall/ippool system/zone system/sdwan
system/dns system/ha system/vdom router/bgp router/ospf system.dhcp/server log.syslogd/setting monitor/system/status monitor/system/interface
monitor/router/ipv4 monitor/firewall/policy monitor/vpn/ipsec firewall/central-snat-map firewall/local-in-policy user/ldap user/radius vpn.ssl/settings
system/accprofile system/api-user firewall/ssl-ssh-profile ips/sensor webfilter/profile antivirus/profile application/list system/ntp`

// idle are words that say nothing of what is looked for.
const idle = "a all an and are config configuration configure for from get how i in is list me my object of on or set setting show that the to up what where which who with"

// idiom is a phrase of the trade.
type idiom struct {
	words []string
	paths []string
}

var idioms = sync.OnceValue(func() []idiom {
	var all []idiom
	for line := range strings.Lines(trade) {
		phrase, paths, found := strings.Cut(line, " = ")
		if found {
			all = append(all, idiom{words: queryWords(phrase), paths: strings.Fields(paths)})
		}
	}
	return all
})

// centrality is a number for each central path, higher where it is more so.
var centrality = sync.OnceValue(func() map[string]int {
	out := map[string]int{}
	paths := strings.Fields(central)
	for i, path := range paths {
		out[path] = len(paths) - i
	}
	return out
})

// telling leaves out the idle words of a query, unless there are no others or they
// are part of a phrase.
func telling(words []string) []string {
	var out []string
	for _, word := range words {
		if !isIdle(word) {
			out = append(out, word)
		}
	}
	if len(out) == 0 {
		return words
	}
	return out
}

func isIdle(word string) bool { return strings.Contains(" "+idle+" ", " "+word+" ") }
