package compare

import (
	"testing"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/schema"
)

func attr(kind string) *schema.Attribute { return &schema.Attribute{Name: "x", Type: kind} }

func multi(kind string) *schema.Attribute {
	return &schema.Attribute{Name: "x", Type: kind, Multi: true}
}

func integer(def any) *schema.Attribute {
	return &schema.Attribute{Name: "x", Type: "integer", Default: def}
}

func option(values ...string) *schema.Attribute {
	a := attr("option")
	for _, v := range values {
		a.Options = append(a.Options, schema.Option{Value: v})
	}
	return a
}

// members is a list of references, as the members of a group.
var members = &schema.Attribute{
	Name: "member", Type: "table", Key: "name", KeyType: "string",
	Attributes: []schema.Attribute{{Name: "name", Type: "string"}},
}

// hosts is a child table whose rows the device can number.
var hosts = &schema.Attribute{
	Name: "hosts", Type: "table", Key: "id", KeyType: "integer",
	Attributes: []schema.Attribute{
		{Name: "id", Type: "integer"},
		{Name: "ip", Type: "ipv4-classnet-host", Default: "0.0.0.0 0.0.0.0"},
		{Name: "ha-direct", Type: "option", Default: "disable"},
		{Name: "key", Type: "password", Secret: true},
	},
}

var nested = &schema.Attribute{
	Name: "ipv6", Type: "complex",
	Attributes: []schema.Attribute{
		{Name: "ip6-address", Type: "ipv6-prefix", Default: "::/0"},
		{Name: "ip6-allowaccess", Type: "option", Multi: true},
		{Name: "dhcp6-secret", Type: "password", Secret: true},
	},
}

func list(items ...any) []any { return items }

func named(names ...string) []any {
	rows := []any{}
	for _, name := range names {
		rows = append(rows, map[string]any{"name": name, "q_origin_key": name})
	}
	return rows
}

type object = map[string]any

func TestValuesAreComparedByType(t *testing.T) {
	type verdict int
	const (
		equal verdict = iota
		different
		unknown
	)
	tests := []struct {
		name      string
		a         *schema.Attribute
		want, got any
		verdict   verdict
	}{
		{"integer as text", attr("integer"), int64(65001), "65001", equal},
		{"integer as number", attr("integer"), "65001", int64(65001), equal},
		{"integer with leading zero", attr("integer"), "04", int64(4), equal},
		{"integer of another value", attr("integer"), int64(10), "100", different},
		{"integer unset is its default", integer(int64(5)), "", int64(5), equal},
		{"integer unset is not another value", integer(int64(5)), "", int64(0), different},
		{"integer with a word for default", integer("unspecified"), "", "unspecified", equal},
		{"integer beyond 2^53", attr("integer"), canon.Number("18446744073709551615"), "18446744073709551615", equal},
		{"integer beyond 2^53, off by one", attr("integer"), canon.Number("18446744073709551615"), "18446744073709551614", different},
		{"number from a stored image", attr("integer"), object{"$num": "2.50"}, canon.Number("2.5"), equal},
		{"integers of a list, as text and numbers", multi("integer"), list(int64(80), int64(443)), "80 443 ", equal},
		{"integers of a list, another order", multi("integer"), "443 80", "80 443", different},

		{"option", option("enable", "disable"), "enable", "enable", equal},
		{"option in another case", option("enable", "disable"), "Enable", "enable", different},
		{"option answered as an index", option("enable", "disable"), "enable", int64(1), unknown},
		{"option of digits", option("04", "80"), "04", int64(4), equal},
		{"option that is not a text", option("enable", "disable"), true, "enable", different},
		{"option set in another order", multi("option"), "ping https ssh", "https  ping ssh ", equal},
		{"option set as a list", multi("option"), list("ssh", "ping"), "ping ssh", equal},
		{"option set with one less", multi("option"), "ping https", "ping", different},
		{"option set, empty", multi("option"), "", " ", equal},

		{"network as CIDR", attr("ipv4-classnet"), "10.0.0.0/24", "10.0.0.0 255.255.255.0", equal},
		{"network whose host bits were cleared", attr("ipv4-classnet"), "10.0.0.7/24", "10.0.0.0 255.255.255.0", equal},
		{"any network whose host bits were cleared", attr("ipv4-classnet-any"), "10.0.0.7 255.255.255.0", "10.0.0.0 255.255.255.0", equal},
		{"interface address keeps its host bits", attr("ipv4-classnet-host"), "10.0.0.7/24", "10.0.0.7 255.255.255.0", equal},
		{"interface address is not its network", attr("ipv4-classnet-host"), "10.0.0.7/24", "10.0.0.0 255.255.255.0", different},
		{"bare host", attr("ipv4-classnet-any"), "10.0.0.7", "10.0.0.7 255.255.255.255", equal},
		{"bare host is not a network", attr("ipv4-classnet-any"), "10.0.0.0", "10.0.0.0 255.255.255.0", different},
		{"the bare zero address is not everything", attr("ipv4-classnet-any"), "0.0.0.0", "0.0.0.0 0.0.0.0", different},
		{"unset network", attr("ipv4-classnet"), "", "0.0.0.0 0.0.0.0", equal},
		{"another mask", attr("ipv4-classnet"), "10.0.0.0/24", "10.0.0.0 255.255.0.0", different},
		{"wildcard mask", attr("ipv4-classnet-any"), "10.0.9.0 255.0.255.0", "10.0.9.0 255.0.255.0", equal},
		{"another wildcard mask", attr("ipv4-classnet-any"), "10.0.9.0 255.0.255.0", "10.0.9.0 255.0.0.255", different},
		{"text that is no network", attr("ipv4-classnet"), "lan", "lan", equal},
		{"address", attr("ipv4-address"), "10.0.0.1", "10.0.0.1", equal},
		{"address unset", attr("ipv4-address-any"), "", "0.0.0.0", equal},
		{"another address", attr("ipv4-address"), "10.0.0.1", "10.0.0.10", different},
		{"addresses of a list", multi("ipv4-address"), list("10.0.0.1", "10.0.0.2"), `"10.0.0.1" "10.0.0.2" `, equal},
		{"netmask in bits", attr("ipv4-netmask"), "/24", "255.255.255.0", equal},
		{"netmask unset", attr("ipv4-netmask"), "", "0.0.0.0", equal},
		{"IPv6 address written long", attr("ipv6-address"), "2001:DB8:0:0:0:0:0:1", "2001:db8::1", equal},
		{"IPv6 prefix keeps its host bits", attr("ipv6-prefix"), "2001:db8::7/64", "2001:db8::/64", different},
		{"IPv6 network clears them", attr("ipv6-network"), "2001:db8::7/64", "2001:db8::/64", equal},
		{"IPv6 network unset", attr("ipv6-network"), "", "::/0", equal},
		{"IPv6 wildcard", attr("ipv6-wildcard"), "2001:DB8:: ffff::", "2001:db8:: ffff::", equal},
		{"MAC in capitals with dashes", attr("mac-address"), "00-11-22-AA-BB-CC", "00:11:22:aa:bb:cc", equal},
		{"another MAC", attr("mac-address"), "00:11:22:aa:bb:cc", "00:11:22:aa:bb:cd", different},

		{"text byte by byte", attr("string"), "Straße", "Straße", equal},
		{"text cut short", attr("var-string"), "a long comment", "a long com", different},
		{"text with a blank cut off", attr("string"), "lan ", "lan", different},
		{"text in another case", attr("string"), "LAN", "lan", different},
		{"text escaped by the device", attr("var-string"), "a & b", "a &amp; b", different},
		{"text answered as a number", attr("string"), "65001", int64(65001), equal},
		{"domain name in another case", &schema.Attribute{Name: "fqdn", Type: "string"}, "WWW.Example.org", "www.example.org", equal},
		{"words in quotes with a blank behind", multi("user"), "port9 0 port10 0", `"port9" 0 "port10" 0 `, equal},
		{"words in another order", multi("user"), "port9 0", "0 port9", different},
		{"a quoted word with a blank is one word", multi("user"), `"a b"`, "a b", different},
		{"certificate with quotes and other newlines", attr("user"), "-----BEGIN X-----\nAA\nBB\n", "\"-----BEGIN X-----\r\nAA\r\nBB\"", equal},
		{"certificate with other newlines", attr("user"), "AA\nBB\n", "AA\r\nBB", equal},

		{"secret", &schema.Attribute{Name: "psk", Type: "password", Secret: true}, "s", "ENC XXXX", unknown},
		{"uuid chosen by the device", attr("uuid"), "00000000-0000-51ea-0000-000000000001", "00000000-0000-51ea-0000-000000000002", unknown},
		{"uuid as asked", attr("uuid"), "00000000-0000-51ea-0000-000000000001", "00000000-0000-51ea-0000-000000000001", equal},
		{"date in another spelling", attr("datetime"), "2026-10-15 10:00:00", "10:00 2026/10/15", unknown},
		{"UTC twin", &schema.Attribute{Name: "start-utc", Type: "user"}, "1", "2", unknown},
		{"counter", &schema.Attribute{Name: "devindex", Type: "integer"}, int64(1), int64(2), unknown},
		{"read-only", &schema.Attribute{Name: "x", Type: "integer", ReadOnly: true}, int64(1), int64(2), unknown},

		{"unknown attribute", nil, "10", int64(10), different},
		{"unknown attribute, equal", nil, list(object{"a": int64(1)}), list(object{"a": int64(1), "q_origin_key": "a"}), equal},
		{"unknown attribute with a member more", nil, object{"a": "1"}, object{"a": "1", "b": "2"}, different},
		{"unknown type", attr("ether-type"), "10", int64(10), different},

		{"absent default", option("enable", "disable"), "", nil, unknown},
		{"absent integer default", integer(int64(5)), int64(5), nil, unknown},
		{"absent although set", integer(int64(5)), int64(6), nil, different},
		{"absent unset address", attr("ipv4-classnet"), "0.0.0.0/0", nil, unknown},
		{"absent empty list", members, list(), nil, unknown},
		{"absent list although set", members, named("a"), nil, different},
		{"absent on both sides", attr("string"), nil, nil, equal},

		{"members in another order", members, list(object{"name": "b"}, object{"name": "a"}), named("a", "b"), equal},
		{"members named twice", members, named("a", "a", "b"), named("a", "b"), equal},
		{"members as bare names", members, list("a", "b"), named("b", "a"), equal},
		{"a member less", members, named("a", "b"), named("a"), different},
		{"a member more", members, named("a"), named("a", "b"), different},
		{"no members", members, list(), list(), equal},
		{"members that are a text", members, "a", named("a"), different},
		{"rows by key whatever their order", hosts,
			list(object{"id": int64(2), "ip": "10.0.0.2/32"}, object{"id": int64(10), "ip": "10.0.0.10"}),
			list(object{"id": "10", "ip": "10.0.0.10 255.255.255.255"}, object{"id": int64(2), "ip": "10.0.0.2 255.255.255.255"}), equal},
		{"rows whose ids the device chose", hosts,
			list(object{"ip": "10.0.0.1/32"}, object{"id": int64(0), "ip": "10.0.0.2/32"}),
			list(object{"id": int64(7), "ip": "10.0.0.1 255.255.255.255"}, object{"id": int64(8), "ip": "10.0.0.2 255.255.255.255"}), equal},
		{"rows whose ids the device chose, one dropped", hosts,
			list(object{"ip": "10.0.0.1/32"}, object{"ip": "10.0.0.2/32"}),
			list(object{"id": int64(1), "ip": "10.0.0.1 255.255.255.255"}), different},
		{"rows with and without an id", hosts,
			list(object{"ip": "10.0.0.1/32"}, object{"id": int64(1), "ip": "10.0.0.2/32"}),
			list(object{"id": int64(1), "ip": "10.0.0.2 255.255.255.255"}, object{"id": int64(2), "ip": "10.0.0.1 255.255.255.255"}), equal},
		{"row with what the device derived", hosts,
			list(object{"id": int64(1)}), list(object{"id": int64(1), "ha-direct": "enable"}), equal},
		{"row that differs", hosts,
			list(object{"id": int64(1), "ha-direct": "enable"}), list(object{"id": int64(1), "ha-direct": "disable"}), different},
		{"row with a secret", hosts,
			list(object{"id": int64(1), "key": "s"}), list(object{"id": int64(1), "key": "ENC XXXX"}), equal},

		{"nested object, wanted members only", nested,
			object{"ip6-allowaccess": "ssh ping"}, object{"ip6-allowaccess": "ping ssh", "ip6-address": "2001:db8::1/64"}, equal},
		{"nested object that differs", nested, object{"ip6-address": "2001:db8::1/64"}, object{"ip6-address": "::/0"}, different},
		{"nested object of a secret only", nested, object{"dhcp6-secret": "s"}, object{"dhcp6-secret": "ENC XXXX"}, unknown},
		{"nested object answered as a text", nested, object{"ip6-address": "::/0"}, "", different},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			same, comparable := Equal(test.a, test.want, test.got)
			got := unknown
			if comparable && same {
				got = equal
			} else if comparable {
				got = different
			}
			if got != test.verdict {
				t.Errorf("Equal(%v, %v) = %t, comparable %t", test.want, test.got, same, comparable)
			}
		})
	}
}
