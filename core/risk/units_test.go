package risk

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

func TestWhatOneMeaningHasMoreThanAnother(t *testing.T) {
	some, more := spans{{10, 20}}, spans{{10, 21}}
	for name, x := range map[string]struct {
		a, b extent
		want bool
	}{
		"nothing": {extent{}, extent{}, false}, "what is unknown": {extent{unknown: true}, extent{}, true}, "than what may be less": {extent{}, extent{loose: true}, true},
		"IPv4": {extent{v4: more}, extent{v4: some}, true}, "IPv6": {extent{v6: more}, extent{v6: some}, true}, "TCP": {extent{tcp: more}, extent{tcp: some}, true},
		"UDP": {extent{udp: more}, extent{udp: some}, true}, "SCTP": {extent{sctp: more}, extent{sctp: some}, true},
		"protocols": {extent{protocol: more}, extent{protocol: some}, true}, "names": {extent{names: []string{"a", "b"}}, extent{names: []string{"a"}}, true},
		"the same names": {extent{names: []string{"a"}}, extent{names: []string{"a", "b"}}, false},
		"less of all":    {extent{v4: some, v6: some, tcp: some, udp: some, sctp: some, protocol: some}, extent{v4: more, v6: more, tcp: more, udp: more, sctp: more, protocol: more}, false},
	} {
		if got := x.a.exceeds(x.b); got != x.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestTheOppositeOfWhatIsOnlyKnownFromAboveIsUnknown(t *testing.T) {
	for name, e := range map[string]extent{"loose": {loose: true}, "unknown": {unknown: true}, "names": {names: []string{"a"}}} {
		if !e.negated().unknown {
			t.Errorf("%s: %+v", name, e.negated())
		}
	}
	if got := (extent{v4: spans{{0, maxV4}}, v6: spans{{0, maxV6}}}).negated(); got.unknown || len(got.v4)+len(got.v6) != 0 {
		t.Errorf("everything: %+v", got)
	}
}

func TestWhatHoldsAnAddress(t *testing.T) {
	four, six := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("2001:db8::1")
	if (extent{}).holds(four) || (extent{}).holds(six) || !(extent{unknown: true}).holds(four) || !(extent{}).holds(netip.Addr{}) {
		t.Error("nothing, what is unknown, or an address that is not known")
	}
}

func TestRangesThatAreNone(t *testing.T) {
	for _, x := range [][2]string{{"", "10.0.0.1"}, {"10.0.0.1", ""}, {"10.0.0.2", "10.0.0.1"}, {"10.0.0.1", "2001:db8::1"}, {"2001:db8::1", "10.0.0.1"}, {"", "2001:db8::1"}, {"2001:db8::1", ""}, {"2001:db8::2", "2001:db8::1"}} {
		var e extent
		if e.addRange(address(x[0]), address(x[1])) {
			t.Errorf("%q is a range: %+v", x, e)
		}
	}
	for _, s := range []string{"x ffff::", "2001:db8:: x", "x 255.0.0.0", "10.0.0.0 x", "2001:db8:: 255.0.0.0"} {
		var e extent
		if e.addNetwork(s) {
			t.Errorf("%q is a network: %+v", s, e)
		}
	}
}

func TestFromWhereOnServicesAreWide(t *testing.T) {
	for name, x := range map[string]struct {
		e    extent
		want bool
	}{
		"half the TCP ports": {extent{tcp: spans{{0, widePorts - 1}}}, true}, "less": {extent{tcp: spans{{0, widePorts - 2}}}, false},
		"half the UDP ports": {extent{udp: spans{{0, widePorts - 1}}}, true}, "less of UDP": {extent{udp: spans{{0, widePorts - 2}}}, false},
		"half the protocols": {extent{protocol: spans{{128, 255}}}, true}, "less of them": {extent{protocol: spans{{129, 255}}}, false},
		"TCP by number": {extent{protocol: spans{{6, 6}}}, true}, "UDP by number": {extent{protocol: spans{{17, 17}}}, true}, "SCTP": {extent{sctp: spans{{0, maxPort}}}, false},
		"unknown": {extent{unknown: true}, true},
	} {
		if got := x.e.wideServices(); got != x.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// print shows the parts of a meaning.
func (e extent) print() string {
	return strings.TrimSpace(fmt.Sprintf("%s%s%s%s%s%s%s%s%s", part("v4", e.v4), part("v6", e.v6), part("tcp", e.tcp), part("udp", e.udp), part("sctp", e.sctp), part("protocol", e.protocol),
		joinedNames(e.names), map[bool]string{true: "loose "}[e.loose], map[bool]string{true: "unknown"}[e.unknown]))
}

func part(name string, s spans) string {
	if len(s) == 0 {
		return ""
	}
	return fmt.Sprintf("%s%v ", name, s)
}

func joinedNames(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, ",") + " "
}

func TestWhatEachKindOfServiceMeans(t *testing.T) {
	port := func(kind string) object {
		return object{"protocol": kind, "tcp-portrange": "80", "udp-portrange": "53"}
	}
	for _, x := range []struct {
		o    object
		want string
	}{
		{port("TCP/UDP/SCTP"), "tcp[{80 80}] udp[{53 53}]"}, {port(""), "tcp[{80 80}] udp[{53 53}]"},
		{object{"udplite-portrange": "7", "sctp-portrange": "8-9"}, "udp[{7 7}] sctp[{8 9}]"},
		{object{"tcp-portrange": "x"}, "loose unknown"}, {object{"udp-portrange": "x"}, "loose unknown"}, {object{"udplite-portrange": "x"}, "loose unknown"},
		{object{"sctp-portrange": "9-8"}, "loose unknown"}, {object{"tcp-portrange": "1-x"}, "loose unknown"}, {object{"tcp-portrange": "x-1"}, "loose unknown"}, {object{"tcp-portrange": "0-x"}, "loose unknown"},
		{object{"tcp-portrange": "80", "iprange": "10.0.0.1-10.0.0.9"}, "tcp[{80 80}] loose"}, {object{"tcp-portrange": "80", "iprange": "0.0.0.0"}, "tcp[{80 80}]"},
		{object{"tcp-portrange": "80", "fqdn": "a.example.com"}, "tcp[{80 80}] loose"},
		{object{"protocol": "ICMP", "icmptype": int64(8)}, "icmp 8"}, {object{"protocol": "ICMP6", "icmptype": int64(8), "icmpcode": int64(0)}, "icmp6 8 0"},
		{object{"protocol": "IP", "protocol-number": int64(255)}, "protocol[{255 255}]"}, {object{"protocol": "IP", "protocol-number": int64(256)}, "loose unknown"},
		{object{"protocol": "IP", "protocol-number": int64(-1)}, "loose unknown"}, {object{"protocol": "IP", "protocol-number": "x"}, "loose unknown"},
		{object{"protocol": "IP"}, "tcp[{0 65535}] udp[{0 65535}] sctp[{0 65535}] protocol[{0 255}]"},
		{object{"protocol": "ALL"}, "tcp[{0 65535}] udp[{0 65535}] sctp[{0 65535}] protocol[{0 255}]"},
		{port("HTTP"), "tcp[{80 80}] udp[{53 53}] proxy HTTP"}, {port("FTP"), "tcp[{80 80}] udp[{53 53}] proxy FTP"}, {port("CONNECT"), "tcp[{80 80}] udp[{53 53}] proxy CONNECT"},
		{port("SOCKS-TCP"), "tcp[{80 80}] udp[{53 53}] proxy SOCKS-TCP"}, {port("SOCKS-UDP"), "tcp[{80 80}] udp[{53 53}] proxy SOCKS-UDP"},
		{object{"protocol": "HTTP", "tcp-portrange": "x"}, "loose unknown"}, {object{"protocol": "HTTP", "udp-portrange": "x"}, "loose unknown"},
		{port("strange"), "loose unknown"},
	} {
		if got := serviceOf(x.o).print(); got != x.want {
			t.Errorf("%v: %s, want %s", x.o, got, x.want)
		}
	}
}

func TestWhatEachKindOfAddressMeans(t *testing.T) {
	const ten = "v4[{167772160 167772415}]"
	six := func(pairs ...any) extent { return addressOf(with(object{}, pairs...), true) }
	four := func(pairs ...any) extent { return addressOf(with(object{}, pairs...), false) }
	for name, x := range map[string]struct {
		e    extent
		want string
	}{
		"a network": {four("type", "ipmask", "subnet", "10.0.0.0/24"), ten}, "without a type": {four("subnet", "10.0.0.0/24"), ten},
		"of an interface": {four("type", "interface-subnet", "subnet", "10.0.0.0/24"), ten}, "by default everything": {four("type", "ipmask"), "v4[{0 4294967295}]"},
		"a range": {four("type", "iprange", "start-ip", "10.0.0.0", "end-ip", "10.0.0.255"), ten}, "a mask": {four("type", "wildcard", "wildcard", "10.0.0.0 255.255.255.0"), ten},
		"a mask with gaps": {four("type", "wildcard", "wildcard", "10.0.0.0 255.255.255.1"), "v4[{167772160 167772415}] loose"},
		"a name":           {four("type", "fqdn", "fqdn", "A.example.com"), "a.example.com"}, "a pattern": {four("type", "wildcard-fqdn", "wildcard-fqdn", "*.Example.com"), "*.example.com"},
		"IPv6": {six("ip6", "2001:db8::/64"), "v6[{2306139568115548160 2306139568115548160}]"}, "IPv6 of a type": {six("type", "ipprefix", "ip6", "2001:db8::/64"), "v6[{2306139568115548160 2306139568115548160}]"},
		"all of IPv6": {six("type", "ipprefix"), "v6[{0 18446744073709551615}]"}, "a mask of IPv6": {six("type", "ipmask", "subnet", "10.0.0.0/24"), "loose unknown"},
		"a prefix of IPv4": {four("type", "ipprefix", "ip6", "2001:db8::/64"), "loose unknown"}, "a tag": {four("type", "dynamic"), "loose unknown"},
	} {
		if got := x.e.print(); got != x.want {
			t.Errorf("%s: %s, want %s", name, got, x.want)
		}
	}
	const everything = "v4[{0 4294967295}] v6[{0 18446744073709551615}]"
	for name, x := range map[string]struct {
		o    object
		want string
	}{
		"a range of groups": {object{"type": "multicastrange", "start-ip": "239.0.0.0", "end-ip": "239.0.0.255"}, "v4[{4009754624 4009754879}]"},
		"a broadcast":       {object{"type": "broadcastmask", "subnet": "10.0.0.0/24"}, ten}, "groups of IPv6": {object{"ip6": "ff02::/64"}, "v6[{18375249429625044992 18375249429625044992}]"},
		"all groups": {object{"type": "multicastrange", "start-ip": "224.0.0.0", "end-ip": "239.255.255.255"}, everything}, "all groups of IPv6": {object{"ip6": "ff00::/8"}, everything},
		"a range that is none": {object{"type": "multicastrange", "start-ip": "x"}, "loose unknown"}, "something else": {object{"type": "x", "subnet": "10.0.0.0/24"}, "loose unknown"},
	} {
		if got := multicastOf(x.o).print(); got != x.want {
			t.Errorf("%s: %s, want %s", name, got, x.want)
		}
	}
	for name, x := range map[string]struct {
		e    extent
		want string
	}{
		"a target": {vipOf(object{"mappedip": []any{object{"range": "10.0.0.0/24"}}}), ten + " loose"}, "a target as text": {vipOf(object{"mappedip": "10.0.0.0-10.0.0.255"}), ten + " loose"},
		"a target that is none": {vipOf(object{"mappedip": []any{object{"range": "x"}}}), "loose unknown"}, "a named target": {vipOf(object{"mapped-addr": "srv"}), "srv loose"},
		"servers": {vipOf(object{"realservers": []any{object{"ip": "10.0.0.1"}, object{"address": "srv"}}}), "server 10.0.0.1,server srv loose"}, "nothing": {vipOf(object{}), "loose"},
		"a web address": {proxyOf(object{"type": "host-regex"}), "loose unknown"}, "a pattern of names": {proxyOf(object{"wildcard-fqdn": "*.Example.com"}), "*.example.com"},
	} {
		if got := x.e.print(); got != x.want {
			t.Errorf("%s: %s, want %s", name, got, x.want)
		}
	}
}

func TestListsInEveryShape(t *testing.T) {
	for _, x := range []struct {
		v    any
		want string
	}{
		{`"port 9" b`, "port 9|b"}, {`port 9`, "port 9"}, {"  ", ""}, {[]any{"a", object{"name": "b"}}, "a|b"}, {[]any{int64(7)}, "7"}, {[]any{[]any{}}, ""}, {object{"name": "a"}, "a"},
		{[]any{object{"x": "y"}}, ""}, {nil, ""}, {int64(7), ""}, {`"a""b"`, "a|b"}, {`"a" "b"`, "a|b"},
	} {
		if got := strings.Join(names(x.v), "|"); got != x.want {
			t.Errorf("%#v: %q, want %q", x.v, got, x.want)
		}
	}
	if got := len(names("  ")); got != 0 {
		t.Errorf("blanks are %d names", got)
	}
	if got := len(names([]any{[]any{}, nil, true})); got != 0 {
		t.Errorf("what is no name counts %d times", got)
	}
	if !off(nil) || !off("") || !off("disable") || off("enable") || off(int64(1)) {
		t.Error("what is off")
	}
}

func TestHowAChangeIsTold(t *testing.T) {
	c := change("user/local", "u", object{"passwd": "old-secret", "text": "x", "a": "x", "empty": "", "allowaccess": "ping https", "list": refs("a")},
		"passwd", "new-secret", "text", refs("a"), "a", "y", "b", "z", "empty", "w", "allowaccess", "ping ssh", "list", refs("b"), "comment", "obey")
	c = described(c, schema.Attribute{Name: "passwd", Secret: true}, schema.Attribute{Name: "a"})
	for attribute, want := range map[string]string{
		"passwd": "passwd", "text": "text", "a": `a from "x" to "y"`, "b": `b to "z"`, "empty": `empty from nothing to "w"`, "allowaccess": `allowaccess loses "https"`, "list": "list", "comment": "comment",
	} {
		if got := c.rewritten(attribute); got != want {
			t.Errorf("%s: %s, want %s", attribute, got, want)
		}
	}
	gains := change("system/interface", "p", object{"allowaccess": "ping"}, "allowaccess", "ping ssh")
	if got := gains.rewritten("allowaccess"); got != `allowaccess from "ping" to "ping ssh"` {
		t.Error(got)
	}
	if got := c.written([]string{"c", "d", "e", "f", "g", "h", "i", "j"}); got != " (c, d, e, f, g, h, 2 more)" {
		t.Error(got)
	}
	if c.written(nil) != "" || counted(1, "secret") != "1 secret" || counted(2, "secret") != "2 secrets" {
		t.Error("nothing, or one")
	}
	if got := list([]string{"a", "b", "c", "d", "e", "f", "g"}); got != `"a", "b", "c", "d", "e", 2 more` {
		t.Error(got)
	}
	if got := joined([]string{"a", "b", "c", "d", "e", "f", "g"}); got != "a, b, c, d, e and 2 more" {
		t.Error(got)
	}
	if got := joined([]string{"a", "b", "c", "d", "e"}); got != "a, b, c, d and e" {
		t.Error(got)
	}
	nested := described(change("x/y", "u", object{}, "rows", "v"), schema.Attribute{Name: "rows", Attributes: []schema.Attribute{{Name: "psk", Secret: true}}})
	if got := nested.rewritten("rows"); got != "rows" {
		t.Errorf("an attribute that holds secrets: %s", got)
	}
}

func TestWhatAChangeTouches(t *testing.T) {
	gone := remove("a/b", "c", object{"admin-port": int64(80), "x": "y"})
	both := change("a/b", "c", object{"admin-port": int64(80)}, "admin-port", int64(81))
	both.Op = plan.OpCreate
	if got := gone.touches("admin*"); !slices.Equal(got, []string{"admin-port"}) {
		t.Errorf("a delete: %q", got)
	}
	if got := both.touches("admin*"); !slices.Equal(got, []string{"admin-port"}) {
		t.Errorf("an attribute that is written, and was there: %q", got)
	}
}

func TestThePatternOfABaseTier(t *testing.T) {
	if got := Matches("system.replacemsg/http"); !slices.Equal(got, []string{"system.replacemsg/*"}) {
		t.Errorf("%q", got)
	}
	if got := Matches("no/such"); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

func TestNothingIsKnownOfTheDevice(t *testing.T) {
	v := Assess([]Change{create(policyTable, int64(1), policy(1, "lan", "lan", "HTTPS"))}, Facts{})
	if v.Tier != plan.Critical || len(v.Missing) == 0 {
		t.Errorf("%+v", v)
	}
}

func TestSetsOfRangesThatTouch(t *testing.T) {
	if !(spans{{0, 9}, {10, 20}}).covers(spans{{5, 15}}) || (spans{{0, 9}, {11, 20}}).covers(spans{{5, 15}}) {
		t.Error("neighbours")
	}
	if got := (spans{{50, 60}}).without(40); !slices.Equal(got, spans{{0, 40}}) {
		t.Errorf("what lies beyond: %v", got)
	}
}

func TestWhatIsOnlyRemarks(t *testing.T) {
	yes := change("a/b", "c", object{}, "comment", "x")
	nothing := change("a/b", "c", object{})
	created := create("a/b", "c", object{"comment": "x"})
	both := change("a/b", "c", object{}, "comment", "x", "subnet", "y")
	if !yes.onlyRemarks() || nothing.onlyRemarks() || created.onlyRemarks() || both.onlyRemarks() {
		t.Error("a remark, nothing, a create, or a remark and more")
	}
}

func TestTheInterfacesBelowOurs(t *testing.T) {
	b := newBox()
	chain := carrierLimit + 10
	for i := range chain {
		b.set("system/interface", fmt.Sprintf("i%d", i), object{"name": "x", "interface": fmt.Sprintf("i%d", i+1), "member": refs(fmt.Sprintf("i%d", i+1))})
	}
	at := func(i int) ([]string, bool) {
		b.facts.Management.Interface = fmt.Sprintf("i%d", i)
		return newWorld(nil, Facts{Management: b.facts.Management, Lookup: b.lookup}).carriers("root")
	}
	if found, known := at(chain - 3); !known || !slices.Equal(found, []string{"i71", "i72", "i73", "i74"}) {
		t.Errorf("%q, known %v", found, known)
	}
	if _, known := at(chain - carrierLimit + 1); !known {
		t.Error("as many as are looked at are not known")
	}
	if _, known := at(0); known {
		t.Error("more than are looked at are known")
	}
}

func TestOneTunnelIsNotAnother(t *testing.T) {
	for resource := range strings.FieldsSeq("vpn.ipsec/phase1 vpn.ipsec/phase1-interface vpn.ipsec/phase2 vpn.ipsec/phase2-interface vpn.ipsec/manualkey " +
		"vpn.ipsec/manualkey-interface system/gre-tunnel system/ipip-tunnel system/sit-tunnel system/ipv6-tunnel") {
		b := newBox()
		tunnelled(b)
		if v := b.assess(change(resource, "other", object{"name": "other"}, "x", "y")); tierOf(v, "R-VPN-01") != plan.High {
			t.Errorf("another row of %s: %+v", resource, v.Reasons)
		}
		b = newBox()
		tunnelled(b)
		if v := b.assess(change(resource, "hq", object{"name": "hq"}, "x", "y")); tierOf(v, "R-VPN-01") != plan.Critical {
			t.Errorf("our row of %s: %+v", resource, v.Reasons)
		}
	}
}

func TestTheVerdictNotesALockoutInAutonomousModeOnly(t *testing.T) {
	gone := remove("system/api-user", "forti", apiUser)
	for _, x := range []struct {
		c          Change
		autonomous bool
		notes      int
	}{{gone, true, 1}, {gone, false, 0}, {create("firewall/address", "a", lan), true, 0}} {
		b := newBox()
		b.facts.Autonomous = x.autonomous
		if v := b.assess(x.c); len(v.Notes) != x.notes || v.Lockout != (x.c.Op == plan.OpDelete) {
			t.Errorf("%s, autonomous %v: lockout %v, notes %q", x.c.Op, x.autonomous, v.Lockout, v.Notes)
		}
	}
}

func TestWhatIsNotKnownIsNotedOnce(t *testing.T) {
	b := newBox()
	b.facts.Management.Interface = ""
	p := policy(1, "lan", "lan", "HTTPS")
	v := b.assess(change(policyTable, int64(1), p, "nat", "x"), change(policyTable, int64(1), p, "service", refs("HTTPS")), change(policyTable, int64(1), p, "srcaddr", refs("lan")))
	if len(v.Notes) != 1 || !strings.Contains(v.Notes[0], "lets this connection in") {
		t.Errorf("%q", v.Notes)
	}
	if v := newBox().assess(change(policyTable, int64(1), p, "srcaddr", refs("lan"))); len(v.Notes) != 0 {
		t.Errorf("all is known, and yet: %q", v.Notes)
	}
}

// TestTheNamesOfOtherPoliciesAreNotAskedFor: a large table would take a request for
// each hundred of them.
func TestTheNamesOfOtherPoliciesAreNotAskedFor(t *testing.T) {
	f := newBox().facts
	f.Policies = func(string) ([]map[string]any, bool) {
		return []map[string]any{allDay(policy(8, "above", "above", "ABOVE")), block(2, "mine"), allDay(policy(9, "below", "below", "BELOW"))}, true
	}
	v := Assess([]Change{change(policyTable, int64(2), with(block(2, "mine"), "status", "disable"), "status", "enable")}, f)
	for _, want := range v.Missing {
		if name := want.Key.String(); strings.EqualFold(name, "above") || strings.EqualFold(name, "below") {
			t.Errorf("%+v is asked for", want)
		}
	}
	if !slices.Contains(v.Missing, Want{Path: "firewall/address", VDOM: "root", Key: operation.TextKey("mine")}) {
		t.Errorf("the policy's own names are not asked for: %+v", v.Missing)
	}
}

func TestWhereTheNamesOfAPolicyComeFrom(t *testing.T) {
	for _, x := range []struct {
		path, attribute, want string
		six                   bool
	}{
		{policyTable, "srcaddr", "firewall/address firewall/addrgrp system/external-resource", false},
		{policyTable, "srcaddr6", "firewall/address6 firewall/addrgrp6 system/external-resource", true},
		{policyTable, "dstaddr", "firewall/address firewall/addrgrp firewall/vip firewall/vipgrp system/external-resource", false},
		{policyTable, "dstaddr6", "firewall/address6 firewall/addrgrp6 firewall/vip6 firewall/vipgrp6 system/external-resource", true},
		{"firewall/policy6", "srcaddr", "firewall/address6 firewall/addrgrp6 system/external-resource", true},
		{"firewall/multicast-policy6", "srcaddr", "firewall/address6 firewall/addrgrp6 system/external-resource", true},
		{"firewall/multicast-policy6", "dstaddr", "firewall/multicast-address6", true}, {"firewall/multicast-policy", "dstaddr", "firewall/multicast-address", false},
		{"firewall/policy64", "srcaddr", "firewall/address6 firewall/addrgrp6 system/external-resource", true},
		{"firewall/policy64", "dstaddr", "firewall/address firewall/addrgrp firewall/vip64 firewall/vipgrp64 system/external-resource", false},
		{"firewall/policy46", "dstaddr", "firewall/address firewall/addrgrp firewall/vip46 firewall/vipgrp46 system/external-resource", false},
		{"firewall/proxy-policy", "srcaddr", "firewall/address firewall/addrgrp firewall/proxy-address firewall/proxy-addrgrp system/external-resource", false},
		{"firewall/proxy-policy", "srcaddr6", "firewall/address6 firewall/addrgrp6 system/external-resource", true},
	} {
		if got := strings.Join(tablesOf(x.path, x.attribute), " "); got != x.want {
			t.Errorf("%s %s: %s, want %s", x.path, x.attribute, got, x.want)
		}
		if isSix(x.path, x.attribute) != x.six {
			t.Errorf("%s %s is of IPv6: %v", x.path, x.attribute, !x.six)
		}
	}
	for resource, want := range map[string]string{
		"firewall/address": "firewall/addrgrp", "firewall/addrgrp": "firewall/addrgrp", "firewall/address6": "firewall/addrgrp6", "firewall/addrgrp6": "firewall/addrgrp6",
		"firewall.service/custom": "firewall.service/group", "firewall.wildcard-fqdn/custom": "firewall.wildcard-fqdn/group", "firewall/vip": "firewall/vipgrp",
		"firewall/vipgrp": "firewall/vipgrp", "firewall/vip6": "firewall/vipgrp6", "firewall/vipgrp6": "firewall/vipgrp6", "firewall/proxy-address": "firewall/proxy-addrgrp",
		"firewall/internet-service-custom": "firewall/internet-service-custom-group", "firewall/multicast-address": "firewall/addrgrp",
	} {
		if got := groupOf(resource); got != want {
			t.Errorf("%s is held by %s, want %s", resource, got, want)
		}
	}
}

func TestNegationLeavesOutTheOtherFamilyInOneTableOnly(t *testing.T) {
	b := newBox()
	none := object{"srcaddr": refs("printer"), "srcaddr-negate": "enable"}
	w := newWorld(nil, Facts{Lookup: b.lookup})
	if w.side(policyTable, "root", none, "src").wideAddresses() {
		t.Error("a policy for nothing is wide")
	}
	if !w.side("firewall/security-policy", "root", none, "src").wideAddresses() {
		t.Error("a policy of both families that leaves out IPv4 is not wide")
	}
	if !w.side(policyTable, "root", object{"srcaddr": refs("lan"), "access-proxy": refs("x"), "srcaddr6": []any{}}, "src").v4.covers(spans{{v4(netip.MustParseAddr("10.0.0.0")), v4(netip.MustParseAddr("10.0.0.255"))}}) {
		t.Error("a proxy is no source")
	}
	if got := w.side(policyTable, "root", object{"access-proxy": refs("x")}, "src"); !got.wideAddresses() {
		t.Errorf("a proxy limits the source: %+v", got)
	}
	if got := w.side(policyTable, "root", object{"internet-service": "enable", "internet-service-name": refs("x")}, "dst"); got.wideAddresses() {
		t.Errorf("an internet service as destination: %+v", got)
	}
	if got := w.policyServices("root", object{"internet-service6": "enable"}); got.wideServices() {
		t.Errorf("an internet service of IPv6: %+v", got)
	}
}

func TestUsersThatAreNoPolicies(t *testing.T) {
	b := newBox()
	b.objects[Want{Path: "firewall/security-policy", Key: keyFor(int64(4))}] = policy(4, "lan", "all", "ALL")
	for _, names := range [][]string{{"firewall/policy 4"}, {"firewall/addrgrp 4"}, {"firewall/security-policy x"}, {"firewall/security-policy"}} {
		c := used(change("firewall/address", "lan", lan, "subnet", "10.0.0.0/16"), 1)
		c.UserNames = names
		if v := b.assess(c); tierOf(v, "R-REF-02") != "" {
			t.Errorf("%q: %+v", names, v.Reasons)
		}
	}
	p := with(policy(4, "lan", "all", "ALL"), "dstaddr", refs("lan"), "srcaddr-negate", "enable", "srcaddr", refs("other"))
	if negates(p, "firewall/addrgrp", "lan") || !negates(p, "firewall/addrgrp", "other") {
		t.Error("which list is negated")
	}
}

func TestScopes(t *testing.T) {
	for _, x := range []struct {
		a, b string
		want bool
	}{{"root", "root", true}, {"root", "edge", false}, {"", "edge", true}, {"root", "", true}} {
		if got := sameScope(x.a, x.b); got != x.want {
			t.Errorf("%q and %q: %v", x.a, x.b, got)
		}
	}
	// A group that a plan changes in another VDOM is another group.
	b := newBox()
	b.set("firewall/addrgrp", "g", object{"name": "g", "member": refs("lan")})
	c := change("firewall/addrgrp", "g", object{"name": "g", "member": refs("printer")}, "member", refs("printer"))
	c.VDOM = "edge"
	v := b.assess(c, create(policyTable, int64(1), policy(1, "g", "g", "ALL")))
	if tierOf(v, "R-POL-01") != "" {
		t.Errorf("%+v", v.Reasons)
	}
}

// TestAChangeOfAnotherVDOMIsNotTakenBackHere: policies have the same numbers there.
func TestAChangeOfAnotherVDOMIsNotTakenBackHere(t *testing.T) {
	b := newBox()
	b.policies = []map[string]any{block(2, "all"), low()}
	other := create(policyTable, int64(1), low())
	other.VDOM = "edge"
	v := b.assess(enabling(), other)
	if got := tierOf(v, "R-POL-06"); got != plan.High {
		t.Errorf("fires at %q: %+v", got, v.Reasons)
	}
	gone := ordered(remove(policyTable, int64(3), with(low(), "policyid", int64(3))), []int64{2, 3}, []int64{2})
	gone.VDOM = "edge"
	for _, r := range b.assess(enabling(), gone).Reasons {
		if r.Rule == "R-POL-06" && strings.Contains(r.Text, `"3"`) {
			t.Errorf("a policy of another VDOM is taken: %s", r.Text)
		}
	}
}

func TestHowMuchASSLProfileLooksInto(t *testing.T) {
	b := newBox()
	b.set("firewall/ssl-ssh-profile", "deep", object{"ssl": object{"inspect-all": "deep-inspection"}})
	b.set("firewall/ssl-ssh-profile", "no-inspection", object{"https": object{"status": "certificate-inspection"}})
	w := newWorld(nil, Facts{Lookup: b.lookup})
	for name, want := range map[string][]int{"": {0}, "deep": {2}, "no-inspection": {0, 1}, "gone": {0, 2}} {
		if got := w.decryption("root", name); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
	w = newWorld(nil, Facts{})
	if got := w.decryption("root", "no-inspection"); !slices.Equal(got, []int{0, 0, 2}) {
		t.Errorf("what could not be read: %v", got)
	}
}

func TestWhatWeakensInspection(t *testing.T) {
	w := newWorld(nil, Facts{Lookup: newBox().lookup})
	for _, x := range []struct {
		resource, attribute string
		before, after       any
		want                bool
	}{
		{policyTable, "scan-botnet-connections", "monitor", "disable", true}, {policyTable, "scan-botnet-connections", "block", "disable", true},
		{policyTable, "scan-botnet-connections", "disable", "monitor", false}, {policyTable, "status", "enable", "disable", false},
		{"firewall/sniffer", "status", "enable", "disable", true}, {"firewall/sniffer", "status", "disable", "disable", false},
		{policyTable, "nat-status", "enable", "disable", false}, {policyTable, "ips-sensor-status", "enable", "disable", true},
		{policyTable, "dsri", "disable", "disable", false}, {policyTable, "dsri", "enable", "enable", false}, {policyTable, "dsri", nil, "enable", true},
		{policyTable, "av-profile", "", "", false}, {policyTable, "av-profile", "a", "", true}, {policyTable, "av-profile", "a", "b", false},
		{policyTable, "ssl-ssh-profile", "gone", "gone", false}, {policyTable, "ssl-ssh-profile", "gone", "", true}, {policyTable, "ssl-ssh-profile", "", "gone", false},
		{policyTable, "utm-status", "enable", "enable", false}, {policyTable, "utm-status", "disable", "disable", false},
		{policyTable, "comments", []any{object{"name": "x", "status": "enable"}}, nil, false},
	} {
		c := change(x.resource, int64(1), object{x.attribute: x.before}, x.attribute, x.after)
		if got := w.weaker(&c, x.attribute); got != x.want {
			t.Errorf("%s %s from %v to %v: %v", x.resource, x.attribute, x.before, x.after, got)
		}
	}
	row := func(action string) any {
		return []any{object{"name": "x", "status": "enable", "action": action, "threshold": int64(5)}}
	}
	if weakerAnomalies(row("pass"), row("pass")) || !weakerAnomalies(row("block"), row("pass")) || weakerAnomalies(row("block"), row("block")) {
		t.Error("what an anomaly does")
	}
}
