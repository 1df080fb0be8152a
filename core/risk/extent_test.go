package risk

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"pgregory.net/rapid"
)

// TestSpansAreSets compares the sets of ranges with sets of single numbers.
func TestSpansAreSets(t *testing.T) {
	const top = 40
	gen := rapid.Custom(func(t *rapid.T) spans {
		var s spans
		for range rapid.IntRange(0, 5).Draw(t, "ranges") {
			lo := rapid.Uint64Range(0, top).Draw(t, "lo")
			s = append(s, span{lo, rapid.Uint64Range(lo, top).Draw(t, "hi")})
		}
		return s
	})
	has := func(s spans, n uint64) bool {
		return slices.ContainsFunc(s, func(x span) bool { return x.lo <= n && n <= x.hi })
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := gen.Draw(t, "a"), gen.Draw(t, "b")
		var size uint64
		covers := true
		for n := range uint64(top + 1) {
			if has(a, n) {
				size++
			}
			covers = covers && (!has(b, n) || has(a, n))
			if has(a, n) == has(a.without(top), n) {
				t.Fatalf("%d is in a set and its complement, or in neither", n)
			}
			if has(a, n) != a.contains(n) || has(a, n) != has(a.merged(), n) {
				t.Fatalf("%d: merging or looking up changes the set", n)
			}
		}
		if got := a.within(0, top); got != size {
			t.Fatalf("within = %d, want %d", got, size)
		}
		if got := a.covers(b); got != covers {
			t.Fatalf("covers = %v, want %v", got, covers)
		}
	})
}

func TestTheWholeRangeHasNoOverflow(t *testing.T) {
	all := everyAddress("x")
	if got := all.v6.without(maxV6); len(got) != 0 {
		t.Errorf("the complement of everything is %v", got)
	}
	if !all.v6.covers(spans{{0, maxV6}, {maxV6, maxV6}}) || !all.wideAddresses() || all.negated().wideAddresses() {
		t.Error("everything is not everything")
	}
}

func TestNetworksAreRead(t *testing.T) {
	tests := []struct {
		in       string
		ok       bool
		holds    string
		lacks    string
		isRanged string
	}{
		{in: "10.0.0.0 255.0.0.0", ok: true, holds: "10.255.255.255", lacks: "11.0.0.0"},
		{in: "10.1.2.3/8", ok: true, holds: "10.0.0.0", lacks: "9.255.255.255"},
		{in: "10.0.0.0/255.255.255.0", ok: true, holds: "10.0.0.255", lacks: "10.0.1.0"},
		{in: "192.0.2.77/32", ok: true, holds: "192.0.2.77", lacks: "192.0.2.76"},
		{in: "192.0.2.77", ok: true, holds: "192.0.2.77", lacks: "192.0.2.78"},
		{in: "0.0.0.0 0.0.0.0", ok: true, holds: "255.255.255.255"},
		{in: "2001:db8::/32", ok: true, holds: "2001:db8:ffff::1", lacks: "2001:db9::1"},
		{in: "::/0", ok: true, holds: "ffff::"},
		{in: "10.0.0.0 255.0.255.0", ok: true, holds: "10.5.0.0"},
		{in: "10.0.0.0 255.0.0"}, {in: "010.0.0.0/8"}, {in: "all"}, {in: ""}, {in: "10.0.0.0/33"}, {in: "10.0.0.0 ::"},
	}
	for _, test := range tests {
		var e extent
		if ok := e.addNetwork(test.in); ok != test.ok {
			t.Errorf("%q: read %v, want %v", test.in, ok, test.ok)
			continue
		}
		if test.holds != "" && !e.holds(netip.MustParseAddr(test.holds)) {
			t.Errorf("%q lacks %s", test.in, test.holds)
		}
		if test.lacks != "" && e.holds(netip.MustParseAddr(test.lacks)) {
			t.Errorf("%q holds %s", test.in, test.lacks)
		}
	}
}

func eights() []any {
	var out []any
	for i := range 256 {
		out = append(out, fmt.Sprintf("n%d", i))
	}
	return out
}

func TestWidthIsComputedFromObjects(t *testing.T) {
	b := newBox()
	for i := range 256 {
		b.address(fmt.Sprintf("n%d", i), fmt.Sprintf("%d.0.0.0/8", i))
	}
	set := func(name string, pairs ...any) { b.set("firewall/address", name, with(object{"name": name}, pairs...)) }
	set("no-type", "subnet", "0.0.0.0/0")
	set("range", "type", "iprange", "start-ip", "0.0.0.1", "end-ip", "255.255.255.254")
	set("small-range", "type", "iprange", "start-ip", "10.0.0.1", "end-ip", "10.0.0.9")
	set("odd-range", "type", "iprange", "start-ip", "10.0.0.9", "end-ip", "10.0.0.1")
	set("wild", "type", "wildcard", "wildcard", "10.0.0.0 0.0.0.255")
	set("star", "type", "fqdn", "fqdn", "*")
	set("com", "type", "wildcard-fqdn", "wildcard-fqdn", "*.com")
	set("example", "type", "wildcard-fqdn", "wildcard-fqdn", "*.example.com")
	set("host", "type", "fqdn", "fqdn", "www.example.com")
	set("country", "type", "geography", "country", "SE")
	set("tag", "type", "dynamic", "sdn", "aws")
	set("strange", "type", "7")
	set("mac", "type", "mac", "macaddr", []any{object{"macaddr": "00:00:00:00:00:01"}})
	set("rfc1918", "subnet", "10.0.0.0/8")
	set("sixteenth", "subnet", "16.0.0.0/4")
	set("less", "subnet", "16.0.0.0/5")
	set("multicast", "subnet", "224.0.0.0/3")
	set("broken", "subnet", "all of it")
	b.set("firewall/addrgrp", "loop", object{"member": refs("loop2", "lan")})
	b.set("firewall/addrgrp", "loop2", object{"member": refs("loop")})
	b.set("firewall/addrgrp", "deep", object{"member": refs("deeper")})
	b.set("firewall/addrgrp", "deeper", object{"member": refs("lan", "printer")})
	b.set("firewall/addrgrp", "halves", object{"member": refs("low", "high")})
	set("low", "subnet", "0.0.0.0/1")
	set("high", "subnet", "128.0.0.0/1")
	b.set("system/external-resource", "feed", object{"type": "address"})

	wide := map[string]any{
		"text": "all", "list of text": []any{"all"}, "rows": refs("all"), "one row": object{"name": "all"}, "quoted text": `"lan" "all"`,
		"only the device's copy": []any{object{"q_origin_key": "all"}}, "upper case": refs("ALL"), "any": refs("any"),
		"among others": refs("lan", "printer"), "no type": refs("no-type"), "a range": refs("range"), "256 parts": eights(),
		"a pattern that matches every last byte": refs("wild"), "every name": refs("star"), "a top-level domain": refs("com"),
		"a country": refs("country"), "a tag": refs("tag"), "an unknown type": refs("strange"), "a broken network": refs("broken"),
		"a range that is none": refs("odd-range"), "not there": refs("nobody"), "a group in a group": refs("deep"), "two halves": refs("halves"),
		"a sixteenth": refs("sixteenth"), "a feed": refs("feed"),
		"a row without a name": []any{object{"x": "y"}}, "nothing": nil, "an empty list": []any{},
	}
	for name, v := range wide {
		if !b.isWide(object{"srcaddr": v}) {
			t.Errorf("%s: %v is not wide", name, v)
		}
	}
	narrow := map[string]any{
		"a small network": refs("lan"), "text": "lan", "a small range": refs("small-range"), "a domain": refs("example"), "a host": refs("host"),
		"a hardware address": refs("mac"), "groups that hold each other": refs("loop"), "ten to the eighth": refs("rfc1918"),
		"half a sixteenth": refs("less"), "multicast": refs("multicast"),
		"two that only the device named": []any{object{"q_origin_key": "lan"}},
	}
	for name, v := range narrow {
		if b.isWide(object{"srcaddr": v}) {
			t.Errorf("%s: %v is wide", name, v)
		}
	}
}

func TestDestinationsComeFromTheTablesOfTheirPolicy(t *testing.T) {
	b := newBox()
	vip := func(targets ...string) object {
		rows := []any{}
		for _, x := range targets {
			rows = append(rows, object{"range": x})
		}
		return object{"extip": "0.0.0.0", "mappedip": rows}
	}
	for _, kind := range []string{"", "46", "64"} {
		b.set("firewall/vip"+kind, "web", vip("10.0.0.1-10.0.0.9"))
		b.set("firewall/vip"+kind, "world", vip("10.0.0.1", "0.0.0.0-255.255.255.255"))
		b.set("firewall/vipgrp"+kind, "sites", object{"member": refs("web")})
		b.set("firewall/vipgrp"+kind, "worlds", object{"member": refs("web", "world")})
	}
	b.set("firewall/vip6", "web", vip("2001:db8::1-2001:db8::9"))
	b.set("firewall/multicast-address", "tv", object{"type": "multicastrange", "start-ip": "239.0.0.1", "end-ip": "239.0.0.9"})
	b.set("firewall/multicast-address", "odd", object{"type": "other"})
	b.set("firewall/address6", "six", object{"ip6": "2001:db8::/32"})
	b.set("firewall/proxy-address", "shop", object{"type": "url"})
	tests := []struct {
		path, attribute, name string
		wide                  bool
	}{
		{policyTable, "dstaddr", "web", false}, {policyTable, "dstaddr", "sites", false},
		{policyTable, "dstaddr", "world", true}, {policyTable, "dstaddr", "worlds", true},
		{policyTable, "dstaddr6", "web", false}, {policyTable, "dstaddr6", "six", false}, {policyTable, "dstaddr6", "lan", true},
		{"firewall/policy46", "dstaddr", "web", false}, {"firewall/policy64", "dstaddr", "world", true},
		{"firewall/policy6", "dstaddr", "six", false}, {"firewall/policy6", "dstaddr", "lan", true},
		{"firewall/multicast-policy", "dstaddr", "tv", false}, {"firewall/multicast-policy", "dstaddr", "odd", true},
		{"firewall/proxy-policy", "dstaddr", "shop", true}, {"firewall/proxy-policy", "dstaddr", "lan", false},
		{"firewall.consolidated/policy", "dstaddr4", "lan", false}, {"firewall/security-policy", "dstaddr", "lan", false},
		{"firewall/proxy-policy", "access-proxy", "anything", false},
	}
	for _, test := range tests {
		w := newWorld(nil, Facts{Lookup: b.lookup})
		if got := w.side(test.path, "root", object{test.attribute: refs(test.name)}, "dst").wideAddresses(); got != test.wide {
			t.Errorf("%s %s %s: wide %v, want %v", test.path, test.attribute, test.name, got, test.wide)
		}
	}
}

func TestSourcesComeFromTheTablesOfTheirPolicy(t *testing.T) {
	b := newBox()
	b.set("firewall/address6", "six", object{"ip6": "2001:db8::/32"})
	b.set("firewall/proxy-address", "browser", object{"type": "ua"})
	tests := []struct {
		path, name, why string
	}{
		{"firewall/policy64", "six", `"six"`},
		{"firewall/policy64", "lan", `"lan", which does not exist`},
		{"firewall/policy46", "lan", `"lan"`},
		{"firewall/proxy-policy", "browser", "a web address that matches by pattern"},
		{policyTable, "browser", `"browser", which does not exist`},
	}
	for _, test := range tests {
		w := newWorld(nil, Facts{Lookup: b.lookup})
		if got := w.side(test.path, "root", object{"srcaddr": refs(test.name)}, "src").why; got != test.why {
			t.Errorf("%s, source %s: %s; want %s", test.path, test.name, got, test.why)
		}
	}
}

// isWide computes the source of a policy.
func (b *box) isWide(p object) bool {
	w := newWorld(nil, Facts{Lookup: b.lookup})
	return w.side(policyTable, "root", p, "src").wideAddresses()
}

func TestNegationAndFamilies(t *testing.T) {
	b := newBox()
	b.set("firewall/address6", "six", object{"ip6": "2001:db8::/32"})
	b.set("firewall/address6", "six-all", object{"ip6": "::/0"})
	b.set("firewall/address6", "region", object{"ip6": "2400::/12"})
	b.set("firewall/internet-service-custom", "mine", object{"entry": []any{object{"dst": refs("printer")}}})
	b.set("firewall/internet-service-custom-group", "both", object{"member": refs("mine", "ours")})
	b.set("firewall/internet-service-custom-group", "one", object{"member": refs("ours")})
	b.set("firewall/internet-service-custom", "ours", object{"entry": []any{object{"dst": refs("lan")}}})
	tests := map[string]struct {
		p    object
		want bool
	}{
		"not a small network":                 {object{"srcaddr": refs("lan"), "srcaddr-negate": "enable"}, true},
		"not everything":                      {object{"srcaddr": refs("printer"), "srcaddr-negate": "enable"}, false},
		"an unclear flag on a small network":  {object{"srcaddr": refs("lan"), "srcaddr-negate": "1"}, true},
		"an unclear flag on everything":       {object{"srcaddr": refs("printer"), "srcaddr-negate": "1"}, true},
		"not what is unknown":                 {object{"srcaddr": refs("nobody"), "srcaddr-negate": "enable"}, true},
		"a small IPv6 network":                {object{"srcaddr6": refs("six")}, false},
		"all of IPv6":                         {object{"srcaddr6": refs("six-all")}, true},
		"a region's share of IPv6":            {object{"srcaddr6": refs("region")}, true},
		"not all of IPv6":                     {object{"srcaddr6": refs("six-all"), "srcaddr6-negate": "enable"}, false},
		"not a small IPv6 network":            {object{"srcaddr6": refs("six"), "srcaddr6-negate": "enable"}, true},
		"a service instead of an address":     {object{"internet-service-src": "enable", "internet-service-src-name": refs("x"), "srcaddr": refs("all")}, false},
		"small in one family, all in other":   {object{"srcaddr": refs("lan"), "srcaddr6": refs("six-all")}, true},
		"a service of the database":           {object{"internet-service-src": "enable", "internet-service-src-name": refs("Fortinet-DNS")}, false},
		"none of its services":                {object{"internet-service-src": "enable", "internet-service-src-name": refs("Fortinet-DNS"), "internet-service-src-negate": "enable"}, true},
		"an own service of everything":        {object{"internet-service-src": "enable", "internet-service-src-custom": refs("mine")}, true},
		"an own service of a network":         {object{"internet-service-src": "enable", "internet-service-src-custom": refs("ours")}, false},
		"an own service that is not there":    {object{"internet-service-src": "enable", "internet-service-src-custom": refs("gone")}, true},
		"a group of own services":             {object{"internet-service-src": "enable", "internet-service-src-custom-group": refs("both")}, true},
		"a group of one own service":          {object{"internet-service-src": "enable", "internet-service-src-custom-group": refs("one")}, false},
		"a switch that is neither on nor off": {object{"internet-service-src": "2", "internet-service-src-name": refs("x"), "srcaddr": refs("lan")}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := b.isWide(test.p); got != test.want {
				t.Errorf("wide %v, want %v", got, test.want)
			}
		})
	}
}

func TestWidthOfServices(t *testing.T) {
	b := newBox()
	set := func(name string, pairs ...any) {
		b.set("firewall.service/custom", name, with(object{"name": name}, pairs...))
	}
	set("tcp", "tcp-portrange", "1-65535:1-65535")
	set("lower", "tcp-portrange", "1-32767")
	set("upper", "udp-portrange", "32768-65535")
	set("both", "tcp-portrange", "1-20000 20001-40000")
	set("rpc", "tcp-portrange", "135 49152-65535")
	set("number", "protocol", "IP", "protocol-number", "6")
	set("gre", "protocol", "IP", "protocol-number", int64(47))
	set("ping", "protocol", "ICMP", "icmptype", int64(8))
	set("odd", "protocol", "9")
	set("bad", "tcp-portrange", "1-x")
	set("proxy-all", "protocol", "ALL")
	set("connect", "protocol", "CONNECT", "tcp-portrange", "443")
	b.set("firewall.service/group", "web", object{"member": refs("HTTPS", "ping")})
	b.set("firewall.service/group", "more", object{"member": refs("web", "more", "tcp")})
	tests := map[string]struct {
		p    object
		want bool
	}{
		"ALL":                              {object{"service": refs("ALL")}, true},
		"all, as text":                     {object{"service": "all"}, true},
		"every port, whatever the name":    {object{"service": refs("harmless")}, true},
		"every port of every source port":  {object{"service": refs("tcp")}, true},
		"half the ports":                   {object{"service": refs("lower")}, false},
		"half and the rest in the other":   {object{"service": refs("lower", "rpc")}, true},
		"ports in two ranges":              {object{"service": refs("both")}, true},
		"the upper half of UDP":            {object{"service": refs("upper")}, true},
		"remote procedure calls":           {object{"service": refs("rpc")}, false},
		"TCP by its number":                {object{"service": refs("number")}, true},
		"another protocol by its number":   {object{"service": refs("gre")}, false},
		"ping":                             {object{"service": refs("ping")}, false},
		"an unknown protocol":              {object{"service": refs("odd")}, true},
		"ports that cannot be read":        {object{"service": refs("bad")}, true},
		"every proxied protocol":           {object{"service": refs("proxy-all")}, true},
		"one proxied protocol":             {object{"service": refs("connect")}, false},
		"a group":                          {object{"service": refs("web")}, false},
		"a group that holds itself":        {object{"service": refs("more")}, true},
		"everything but one port":          {object{"service": refs("HTTPS"), "service-negate": "enable"}, true},
		"nothing":                          {object{"service": refs("ALL"), "service-negate": "enable"}, false},
		"not given":                        {object{}, true},
		"given by a service of a database": {object{"internet-service": "enable"}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(nil, Facts{Lookup: b.lookup})
			if got := w.policyServices("root", test.p).wideServices(); got != test.want {
				t.Errorf("wide %v, want %v", got, test.want)
			}
		})
	}
}

func TestEquivalentShapesNeverGetALowerRisk(t *testing.T) {
	plain := newBox().assess(create(policyTable, int64(1), policy(1, "all", "all", "ALL"))).Tier
	shapes := map[string]object{
		"action as a number in text": with(policy(1, "all", "all", "ALL"), "action", "1"),
		"action as a number":         with(policy(1, "all", "all", "ALL"), "action", int64(1)),
		"action absent":              with(policy(1, "all", "all", "ALL"), "action", nil),
		"action in capitals":         with(policy(1, "all", "all", "ALL"), "action", "DENY"),
		"status absent":              with(policy(1, "all", "all", "ALL"), "status", nil),
		"status as a number":         with(policy(1, "all", "all", "ALL"), "status", int64(0)),
		"names as text":              with(policy(1, "all", "all", "ALL"), "srcaddr", "all", "dstaddr", "all", "service", "ALL"),
		"names as a list of text":    with(policy(1, "all", "all", "ALL"), "srcaddr", []any{"all"}),
		"names as one row":           with(policy(1, "all", "all", "ALL"), "srcaddr", object{"name": "all"}),
		"lists left out":             {"policyid": int64(1), "action": "accept"},
	}
	for name, p := range shapes {
		if got := newBox().assess(create(policyTable, int64(1), p)).Tier; got.Rank() < plain.Rank() {
			t.Errorf("%s: %s, the plain form is %s", name, got, plain)
		}
	}
}

func TestBigAndCircularGroupsEnd(t *testing.T) {
	b := newBox()
	for i := range 2000 {
		b.set("firewall/addrgrp", fmt.Sprintf("g%d", i), object{"member": refs(fmt.Sprintf("g%d", (i+1)%2000), fmt.Sprintf("g%d", (i+7)%2000), "lan")})
	}
	if b.isWide(object{"srcaddr": refs("g0")}) {
		t.Error("a circle of groups around a small network is wide")
	}
	w := newWorld(nil, Facts{Lookup: b.lookup})
	w.budget = 100
	if e := w.addresses("root", address4Tables, []string{"g0"}); !e.wideAddresses() || !strings.Contains(e.why, "more objects") {
		t.Errorf("beyond the limit: %q", e.why)
	}
}

func TestWhatWasNotReadIsAskedFor(t *testing.T) {
	b := newBox()
	b.blind = true
	v := b.assess(create(policyTable, int64(1), policy(1, "x", "y", "z")))
	want := []Want{
		{Path: "firewall.service/custom", VDOM: "root", Key: operation.TextKey("z")},
		{Path: "firewall/address", VDOM: "root", Key: operation.TextKey("x")},
		{Path: "firewall/address", VDOM: "root", Key: operation.TextKey("y")},
		{Path: "firewall/policy", VDOM: "root", Table: true},
	}
	for _, x := range want {
		if !slices.Contains(v.Missing, x) {
			t.Errorf("%+v is not asked for; only %+v", x, v.Missing)
		}
	}
	b.blind = false
	if v := b.assess(create(policyTable, int64(1), policy(1, "x", "y", "z"))); len(v.Missing) != 0 {
		t.Errorf("everything was answered, and yet %+v is missing", v.Missing)
	}
}

func TestReasonsAreSafeToPrint(t *testing.T) {
	b := newBox()
	name := "x\x1b[2J\u202e\n"
	v := b.assess(create(policyTable, int64(1), policy(1, name, "all", "ALL")), create("system/zone", name, object{"name": name}))
	for _, r := range v.Reasons {
		if strings.ContainsAny(r.Text, "\x1b\n\u202e") {
			t.Errorf("a reason carries control characters: %q", r.Text)
		}
	}
	if v.Tier != plan.Critical {
		t.Errorf("tier %s", v.Tier)
	}
}
