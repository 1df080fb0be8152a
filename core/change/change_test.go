package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/schema"
)

// every kind of attribute that values are checked for.
var every = &schema.Resource{Path: "test/table", Kind: schema.Table, Key: "name", KeyType: "string", Attributes: []schema.Attribute{
	{Name: "name", Type: "string", Size: 8}, {Name: "comment", Type: "var-string"}, {Name: "uuid", Type: "uuid"},
	{
		Name: "coming", Type: "option", Uncertain: true, Releases: "since 7.6.3",
		Options: []schema.Option{{Value: "a"}, {Value: "b", Uncertain: true, Releases: "since 8.0"}},
	},
	{Name: "n", Type: "integer", Min: new(int64(1)), Max: new(int64(10))}, {Name: "least", Type: "integer", Min: new(int64(1))},
	{Name: "most", Type: "integer", Max: new(int64(10))}, {Name: "any", Type: "integer"}, {Name: "word", Type: "integer", Default: "unspecified"},
	{Name: "mode", Type: "option", Options: options("a", "b")}, {Name: "on", Type: "option", Options: options("enable", "disable"), Default: "disable"}, {Name: "free", Type: "option"}, {Name: "twin", Type: "option", Options: options("x", "X")},
	{Name: "days", Type: "option", Multi: true, Options: options("mon", "tue", "wed")}, {Name: "list", Type: "user", Multi: true},
	{Name: "net", Type: "ipv4-classnet-any"}, {Name: "host", Type: "ipv4-classnet-host"}, {Name: "ip", Type: "ipv4-address"}, {Name: "mask", Type: "ipv4-netmask"}, {Name: "wildcard", Type: "ipv4-classnet-any"},
	{Name: "ip6", Type: "ipv6-prefix"},
	{Name: "addr6", Type: "ipv6-address"}, {Name: "net6", Type: "ipv6-network"}, {Name: "wild6", Type: "ipv6-wildcard"}, {Name: "group", Type: "ipv4-address-multicast"},
	{Name: "fqdn", Type: "string"}, {Name: "server-fqdn", Type: "string"}, {Name: "url", Type: "var-string"}, {Name: "redirect-url", Type: "string"}, {Name: "mac", Type: "mac-address"}, {Name: "id", Type: "uuid"}, {Name: "when", Type: "datetime"}, {Name: "state", Type: "string", ReadOnly: true}, {Name: "psk", Type: "password", Secret: true, Size: 4}, {Name: "need", Type: "string", Required: true},
	{Name: "member", Type: "table", Key: "name", KeyType: "string", Attributes: []schema.Attribute{{Name: "name", Type: "string"}, {Name: "note", Type: "string"}}},
	{Name: "rows", Type: "table", Key: "id", KeyType: "integer", Attributes: []schema.Attribute{{Name: "id", Type: "integer"}, {Name: "text", Type: "string", Size: 3}, {Name: "pw", Type: "password", Secret: true}}},
	{Name: "inner", Type: "complex", Attributes: []schema.Attribute{{Name: "ip", Type: "ipv4-address"}, {Name: "n", Type: "integer", Max: new(int64(5))}}},
}}

func options(list ...string) []schema.Option {
	out := make([]schema.Option, len(list))
	for i, v := range list {
		out[i] = schema.Option{Value: v}
	}
	return out
}

type (
	object = map[string]any
	list   = []any
)

func checker() *Checker {
	return &Checker{KeyOf: func(op int) (operation.Key, bool) {
		switch op {
		case 0:
			return operation.IntegerKey(7), true
		case 1:
			return operation.TextKey("made"), true
		}
		return operation.Key{}, false
	}}
}

// One attribute, what is given for it, and what becomes of it: the value as it is sent, or
// what is wrong with it.
func TestEachKindOfValue(t *testing.T) {
	secret := object{"$secret": object{"name": "psk"}}
	tests := []struct {
		attribute   string
		given, sent any
		problem     string // "place: part of the text", where it is refused
		note        string
	}{
		{attribute: "name", given: "a", sent: "a"},
		{attribute: "name", given: int64(7), sent: "7", note: "the number 7 was taken as text"},
		{attribute: "name", given: "123456789", problem: "/name: is 9 bytes long, at most 8"},
		{attribute: "name", given: "ääääx", problem: "/name: is 9 bytes long"},
		{attribute: "name", given: true, problem: "/name: must be a string"},
		{attribute: "name", given: list{"a"}, problem: "/name: must be a string"},
		{attribute: "name", given: object{"a": "b"}, problem: "/name: must be a string"},
		{attribute: "name", given: nil, problem: "/name: to return an attribute to its default use clear"},
		{attribute: "comment", given: strings.Repeat("x", 5000), sent: strings.Repeat("x", 5000)},
		{attribute: "comment", given: "", sent: ""},
		{attribute: "coming", given: "a", sent: "a", note: "does not know whether this release has coming (since 7.6.3)"},
		{attribute: "coming", given: "b", sent: "b", note: `does not know whether this release has the option "b" (since 8.0)`},
		{attribute: "state", given: "x", problem: "/state: is read-only"},
		{attribute: "nmae", given: "x", problem: `/nmae: did you mean "name"?`},
		{attribute: "entirely-different", given: "x", problem: "/entirely-different: forti_discover with what=resource lists them"},

		{attribute: "n", given: int64(1), sent: int64(1)},
		{attribute: "n", given: int64(10), sent: int64(10)},
		{attribute: "n", given: "10", sent: int64(10), note: `"10" was taken as the number 10`},
		{attribute: "n", given: int64(0), problem: "/n: must be from 1 to 10"},
		{attribute: "n", given: int64(11), problem: "/n: must be from 1 to 10"},
		{attribute: "n", given: "11", problem: "/n: must be from 1 to 10"},
		{attribute: "n", given: "1e1", problem: "/n: must be an integer"},
		{attribute: "n", given: "", problem: "/n: must be an integer"},
		{attribute: "n", given: true, problem: "/n: must be an integer"},
		{attribute: "least", given: int64(0), problem: "/least: must be at least 1"},
		{attribute: "most", given: int64(11), problem: "/most: must be at most 10"},
		{attribute: "any", given: int64(-99), sent: int64(-99)},
		{attribute: "word", given: "unspecified", sent: "unspecified"},
		{attribute: "word", given: "other", problem: "/word: must be an integer"},

		{attribute: "mode", given: "b", sent: "b"},
		{attribute: "mode", given: "B", sent: "b", note: `"B" was taken as "b"`},
		{attribute: "mode", given: "C", problem: `/mode: "C" is not one of "a", "b"`},
		{attribute: "mode", given: "yes", problem: `/mode: "yes" is not one of "a", "b"`},
		{attribute: "twin", given: "x", sent: "x"},
		{attribute: "twin", given: "X", sent: "X"},
		{attribute: "on", given: "Yes", sent: "enable", note: `"Yes" was taken as "enable"`},
		{attribute: "on", given: "off", sent: "disable"},
		{attribute: "on", given: "1", problem: `/on: "1" is not one of`},
		{attribute: "days", given: "Mon WED", sent: "mon wed", note: `"WED" was taken as "wed"`},
		{attribute: "mode", given: int64(1), problem: `/mode: must be one of "a", "b"`},
		{attribute: "mode", given: true, problem: `/mode: must be one of "a", "b"`},
		{attribute: "on", given: true, sent: "enable", note: `true was taken as "enable"`},
		{attribute: "on", given: false, sent: "disable"},
		{attribute: "free", given: "whatever", sent: "whatever"},
		{attribute: "days", given: "mon wed", sent: "mon wed"},
		{attribute: "days", given: "  mon   wed ", sent: "mon wed"},
		{attribute: "days", given: list{"mon", "wed"}, sent: "mon wed", note: "words with spaces between"},
		{attribute: "days", given: "mon sun", problem: `/days: "sun" is not one of "mon", "tue", "wed"`},
		{attribute: "days", given: list{"mon tue"}, problem: "/days/0: must be one word"},
		{attribute: "days", given: list{int64(1)}, problem: "/days/0: must be one word"},
		{attribute: "days", given: int64(1), problem: "/days: must be a text of words"},
		{attribute: "list", given: list{"x", "y"}, sent: "x y"},

		{attribute: "net", given: "10.0.0.0/24", sent: "10.0.0.0 255.255.255.0", note: `"10.0.0.0/24" was written as "10.0.0.0 255.255.255.0"`},
		{attribute: "net", given: "10.0.0.0/0", sent: "10.0.0.0 0.0.0.0"},
		{attribute: "net", given: "10.0.0.1/32", sent: "10.0.0.1 255.255.255.255"},
		{attribute: "net", given: "10.0.0.0 255.255.255.0", sent: "10.0.0.0 255.255.255.0"},
		{attribute: "net", given: "10.0.0.1", sent: "10.0.0.1 255.255.255.255", note: "was taken as one host"},
		{attribute: "net", given: "", sent: ""},
		{attribute: "net", given: "10.0.0.0/33", problem: "/net: is not an IPv4 network"},
		{attribute: "net", given: "10.0.0.0 255.0.255.0", problem: "/net: is not an IPv4 network"},
		{attribute: "net", given: "10.0.0 255.255.255.0", problem: "/net: is not an IPv4 network"},
		{attribute: "net", given: "10.0.0.0 24", problem: "/net: is not an IPv4 network"},
		{attribute: "net", given: "a b c", problem: "/net: is not an IPv4 network"},
		{attribute: "net", given: "2001:db8::/32", problem: "/net: is not an IPv4 network"},
		{attribute: "net", given: "010.0.0.0/8", problem: "/net: is not an IPv4 network"},
		{attribute: "host", given: "10.0.0.7/24", sent: "10.0.0.7 255.255.255.0"},
		{attribute: "wildcard", given: "10.0.0.1 255.0.255.0", sent: "10.0.0.1 255.0.255.0"},
		{attribute: "wildcard", given: "10.0.0.1 255.0.255", problem: "/wildcard: is not"},
		{attribute: "ip", given: "192.0.2.1", sent: "192.0.2.1"},
		{attribute: "ip", given: "192.0.2.1/24", problem: "/ip: is not an IPv4 address such as 192.0.2.1"},
		{attribute: "ip", given: "::1", problem: "/ip: is not an IPv4 address"},
		{attribute: "mask", given: "255.255.0.0", sent: "255.255.0.0"},
		{attribute: "mask", given: "255.0.255.0", problem: "/mask: is not an IPv4 mask"},
		{attribute: "ip6", given: "2001:db8::/32", sent: "2001:db8::/32"},
		{attribute: "ip6", given: "10.0.0.0/8", problem: "/ip6: is not an IPv6 prefix"},
		{attribute: "ip6", given: "2001:db8::/129", problem: "/ip6: is not an IPv6 prefix"},
		{attribute: "addr6", given: "2001:db8::1", sent: "2001:db8::1"},
		{attribute: "addr6", given: "", sent: ""},
		{attribute: "addr6", given: "2001:db8:::1", problem: "/addr6: is not an IPv6 address"},
		{attribute: "net6", given: "2001:db8::/48", sent: "2001:db8::/48"},
		{attribute: "net6", given: "x", problem: "/net6: is not an IPv6 network"},
		{attribute: "wild6", given: "2001:db8:: ffff::", sent: "2001:db8:: ffff::"},
		{attribute: "wild6", given: "2001:db8::", problem: "/wild6: is not an IPv6 address and a mask"},
		{attribute: "group", given: "224.0.1.140", sent: "224.0.1.140"},
		{attribute: "group", given: "224.0.1", problem: "/group: is not an IPv4 address"},
		{attribute: "mac", given: "00:00:5e:00:53:01", sent: "00:00:5e:00:53:01"},
		{attribute: "mac", given: "00:00:5e:00:53", problem: "/mac: is not a MAC address"},
		{attribute: "fqdn", given: "www.example.com", sent: "www.example.com"},
		{attribute: "fqdn", given: "*.ex_ample.com.", sent: "*.ex_ample.com."},
		{attribute: "fqdn", given: "bücher.example", sent: "bücher.example"},
		{attribute: "fqdn", given: "", sent: ""},
		{attribute: "fqdn", given: "https://www.example.com/", problem: "/fqdn: is not a domain name"},
		{attribute: "fqdn", given: "www.example.com:443", problem: "/fqdn: is not a domain name"},
		{attribute: "fqdn", given: "www..example.com", problem: "/fqdn: is not a domain name"},
		{attribute: "fqdn", given: "www example com", problem: "/fqdn: is not a domain name"},
		{attribute: "fqdn", given: strings.Repeat("a", 64) + ".com", problem: "/fqdn: is not a domain name"},
		{attribute: "fqdn", given: strings.Repeat("a.", 128), problem: "/fqdn: is not a domain name"},
		{attribute: "server-fqdn", given: "2001:db8::1", sent: "2001:db8::1"},
		{attribute: "server-fqdn", given: "a/b", problem: "/server-fqdn: is not a domain name"},
		{attribute: "url", given: "https://example.com/a?b=%20#c", sent: "https://example.com/a?b=%20#c"},
		{attribute: "url", given: "*.example.com", sent: "*.example.com"},
		{attribute: "url", given: "https://example.com/a b", problem: "/url: is not a URL: a blank in one is written as %20"},
		{attribute: "redirect-url", given: "a\nb", problem: "/redirect-url: is not a URL"},
		{attribute: "id", given: "01234567-89ab-cdef-0123-456789ABCDEF", sent: "01234567-89ab-cdef-0123-456789ABCDEF"},
		{attribute: "id", given: "0123456789abcdef0123456789abcdef", problem: "/id: is not a UUID"},
		{attribute: "id", given: "01234567-89ab-cdef-0123-456789abcdeg", problem: "/id: is not a UUID"},
		{attribute: "when", given: "2026-10-15 10:45:12", sent: "2026-10-15 10:45:12"},
		{attribute: "when", given: "2026-10-15T10:45:12", sent: "2026-10-15 10:45:12", note: "was written as"},
		{attribute: "when", given: "0000-00-00 00:00:00", sent: "0000-00-00 00:00:00"},
		{attribute: "when", given: "2026-02-30 10:45:12", problem: "/when: is not a time"},
		{attribute: "when", given: "2026-10-15T10:45:12Z", problem: "/when: is not a time"},

		{attribute: "psk", given: "abcd", sent: "abcd"},
		{attribute: "psk", given: "abcde", problem: "/psk: is 5 bytes long, at most 4"},
		{attribute: "psk", given: int64(1234), problem: "/psk: must be a string"},
		{attribute: "psk", given: "****", problem: "/psk: looks like a masked secret"},
		{attribute: "psk", given: "ENC x", problem: "/psk: looks like a masked secret"},
		{attribute: "psk", given: secret, sent: secret},
		{attribute: "psk", given: object{"$secret": object{"name": "psk", "x": "y"}}, problem: "/psk: a named secret is"},
		{attribute: "psk", given: object{"$secret": object{"name": int64(1)}}, problem: "/psk: a named secret is"},
		{attribute: "psk", given: object{"$secret": object{"name": "psk"}, "x": "y"}, problem: "/psk: must be a string"},
		{attribute: "comment", given: secret, problem: "/comment: $secret is accepted on secret attributes only"},
		{attribute: "member", given: secret, problem: "/member: $secret is accepted on secret attributes only"},

		{attribute: "any", given: object{"$key_of": int64(0)}, sent: int64(7)},
		{attribute: "name", given: object{"$key_of": int64(0)}, sent: "7"},
		{attribute: "name", given: object{"$key_of": int64(1)}, sent: "made"},
		{attribute: "n", given: object{"$key_of": int64(1)}, problem: "/n: must be an integer"},
		{attribute: "any", given: object{"$key_of": int64(2)}, problem: "/any: $key_of must name an earlier create"},
		{attribute: "any", given: object{"$key_of": "0"}, problem: "/any: $key_of must name an earlier create"},

		{attribute: "member", given: list{object{"name": "x"}}, sent: list{object{"name": "x"}}},
		{attribute: "member", given: list{"x", "y"}, sent: list{object{"name": "x"}, object{"name": "y"}}, note: "plain names were taken as rows"},
		{attribute: "member", given: list{}, sent: list{}},
		{attribute: "member", given: list{object{"$key_of": int64(1)}}, sent: list{object{"name": "made"}}},
		{attribute: "member", given: list{object{"name": "x"}, object{"name": "x"}, "y"}, sent: list{object{"name": "x"}, object{"name": "y"}}, note: `/member/1: "x" stands twice`},
		{attribute: "member", given: "x y", problem: `/member: "x y" could be one name or several: write [{"name": …}] for each`},
		{attribute: "member", given: "x", sent: list{object{"name": "x"}}, note: "plain names were taken as rows"},
		{attribute: "member", given: "", problem: `/member: must be a list such as [{"name": …}]`},
		{attribute: "member", given: " x", problem: `/member: must be a list such as [{"name": …}]`},
		{attribute: "member", given: int64(1), problem: `/member: must be a list`},
		{attribute: "member", given: object{"name": "x"}, sent: list{object{"name": "x"}}, note: "one row was taken as a list of one"},
		{attribute: "member", given: object{"note": "x"}, problem: `/member: must be a list`},
		{attribute: "member", given: list{object{"note": "x"}}, problem: `/member/0: the key "name" is missing`},
		{attribute: "member", given: list{nil}, problem: "/member/0/name: must not be null"},
		{attribute: "rows", given: list{object{"text": "a"}, object{"text": "a"}}, sent: list{object{"text": "a"}, object{"text": "a"}}},
		{attribute: "rows", given: list{object{"id": int64(2), "text": "abcd"}}, problem: "/rows/0/text: is 4 bytes long"},
		{attribute: "rows", given: list{int64(2)}, sent: list{object{"id": int64(2)}}},
		{attribute: "inner", given: object{"ip": "192.0.2.1"}, sent: object{"ip": "192.0.2.1"}},
		{attribute: "inner", given: object{"n": int64(6)}, problem: "/inner/n: must be at most 5"},
		{attribute: "inner", given: object{"m": int64(6)}, problem: `/inner/m: did you mean "n"?`},
		{attribute: "inner", given: "x", problem: "/inner: must be an object"},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s %v", test.attribute, test.given), func(t *testing.T) {
			c := checker()
			got := c.Object(every, object{test.attribute: test.given}, "")
			if test.problem != "" {
				place, text, _ := strings.Cut(test.problem, ": ")
				if len(c.Problems) != 1 || c.Problems[0].Pointer != place || !strings.Contains(c.Problems[0].Problem, text) {
					t.Fatalf("problems %v, want %s", c.Problems, test.problem)
				}
				if len(got) > 0 {
					t.Fatalf("it is in the result: %v", got)
				}
				return
			}
			if diff := cmp.Diff(object{test.attribute: test.sent}, got); diff != "" || len(c.Problems) > 0 {
				t.Fatalf("(-want +got) %v\n%s", c.Problems, diff)
			}
			if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, test.note) {
				t.Fatalf("notes %q, want %q", notes, test.note)
			}
		})
	}
}

// A row is no place for what stands for a value.
func TestARowIsNoSecret(t *testing.T) {
	c := checker()
	c.Object(every, object{"member": list{object{"$secret": object{"name": "psk"}}}}, "")
	if len(c.Problems) != 2 || c.Problems[0].Pointer != "/member/0/$secret" || c.Problems[1].Pointer != "/member/0" {
		t.Errorf("%v", c.Problems)
	}
}

func TestAllProblemsAreCollectedInOrder(t *testing.T) {
	c := checker()
	c.Object(every, object{"n": int64(0), "mode": "x", "psk": "****", "member": list{object{}, object{"x": "y"}}}, "/operations/0/set")
	var places []string
	for _, p := range c.Problems {
		places = append(places, strings.TrimPrefix(p.Pointer, "/operations/0/set"))
	}
	if got, want := strings.Join(places, " "), "/member/0 /member/1/x /member/1 /mode /n /psk"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Entries are added to what is there and removed from it, each once.
func TestListsAreEdited(t *testing.T) {
	names := func(list ...string) []any {
		out := []any{}
		for _, n := range list {
			out = append(out, object{"name": n})
		}
		return out
	}
	tests := []struct {
		name, attribute string
		current         any
		add, remove     []any
		want            any
		problem, note   string
	}{
		{"added at the end", "member", names("a"), names("b"), nil, names("a", "b"), "", ""},
		{"plain names", "member", names("a"), list{"b"}, list{"a"}, names("b"), "", ""},
		{"what is there already", "member", names("a"), names("a"), nil, names("a"), "", `"a" is in the list already`},
		{"what is not there", "member", names("a"), nil, names("z"), names("a"), "", `"z" is not in the list`},
		{"everything", "member", names("a", "b"), nil, names("b", "a"), list{}, "", ""},
		{"added and removed", "member", names("a"), names("b"), names("b"), names("a"), "", ""},
		{"to nothing", "member", nil, names("b"), nil, names("b"), "", ""},
		{"a row changed", "member", list{object{"name": "a", "note": "old", "q_origin_key": "a", "uuid": "u"}}, list{object{"name": "a", "note": "new"}}, nil, list{object{"name": "a", "note": "new"}}, "", ""},
		{"words", "days", "mon tue", list{"wed", "mon"}, list{"tue"}, "mon wed", "", ""},
		{"a word of none", "days", "mon", list{"sun"}, nil, nil, `"sun" is not one of`, ""},
		{"a text", "comment", "x", list{"y"}, nil, nil, "is not a list; use set", ""},
		{"rows with secrets", "rows", list{}, list{object{"text": "a"}}, nil, nil, "holds secrets", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := checker()
			a, _ := every.Attribute(test.attribute)
			got := c.Edit(every, a, test.current, test.add, test.remove, [2]string{"/add", "/remove"})
			if test.problem != "" {
				if len(c.Problems) == 0 || !strings.Contains(c.Problems[0].Problem, test.problem) {
					t.Fatalf("%v", c.Problems)
				}
				return
			}
			if diff := cmp.Diff(test.want, got); diff != "" || len(c.Problems) > 0 || !strings.Contains(strings.Join(c.Notes, "\n"), test.note) {
				t.Fatalf("(-want +got)%s\n%v %v", diff, c.Problems, c.Notes)
			}
		})
	}
}

func TestEditingDoesNotChangeWhatWasRead(t *testing.T) {
	current := list{object{"name": "a", "note": "old"}, object{"name": "b"}}
	a, _ := every.Attribute("member")
	checker().Edit(every, a, current, list{object{"name": "a", "note": "new"}}, list{"b"}, [2]string{})
	if diff := cmp.Diff(list{object{"name": "a", "note": "old"}, object{"name": "b"}}, current); diff != "" {
		t.Error(diff)
	}
}

func TestWhatClearsAnAttribute(t *testing.T) {
	for name, want := range map[string]any{"comment": "", "name": "", "on": "disable", "word": "unspecified", "psk": "", "member": list{}, "rows": list{}} {
		a, _ := every.Attribute(name)
		if v, why := Default(a); why != "" || cmp.Diff(want, v) != "" {
			t.Errorf("%s: %v %s", name, v, why)
		}
	}
	for name, why := range map[string]string{"need": "required", "n": "no known default", "mode": "no known default", "ip": "no known default", "inner": "no known default"} {
		a, _ := every.Attribute(name)
		if v, got := Default(a); v != nil || !strings.Contains(got, why) {
			t.Errorf("%s: %v %q", name, v, got)
		}
	}
}

func TestTheRowsThatASetRemovesAreNamed(t *testing.T) {
	member, _ := every.Attribute("member")
	rows, _ := every.Attribute("rows")
	current := list{object{"name": "a"}, object{"name": "b"}, object{"name": "c"}}
	for _, wanted := range []any{list{object{"name": "b"}}, list{"b"}} {
		if got := strings.Join(Removed(member, current, wanted), " "); got != "a c" {
			t.Errorf("%v: %s", wanted, got)
		}
	}
	if got := Removed(rows, list{object{"id": int64(1)}, object{"id": int64(2)}}, list{object{"id": "2"}}); strings.Join(got, " ") != "1" {
		t.Errorf("%v", got)
	}
	if got := Removed(member, nil, list{"b"}); got != nil {
		t.Errorf("%v", got)
	}
}

func TestTheNearestName(t *testing.T) {
	names := []string{"name", "subnet", "comment", "cache-ttl"}
	for given, want := range map[string]string{"subnett": "subnet", "sbnet": "subnet", "coment": "comment", "cache_ttl": "cache-ttl", "n": "", "entirely": "", "": ""} {
		if got := Nearest(given, names); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
	for pair, want := range map[[2]string]int{{"", ""}: 0, {"a", ""}: 1, {"kitten", "sitting"}: 3, {"nmae", "name"}: 1, {"ab", "ba"}: 1, {"abcd", "badc"}: 2, {"flaw", "lawn"}: 2, {"abc", "abc"}: 0} {
		if got := edits(pair[0], pair[1]); got != want || edits(pair[1], pair[0]) != want {
			t.Errorf("%v: %d, want %d", pair, got, want)
		}
	}
}

// Whatever is moved: all keys stay, the moved one stands beside its anchor, and the
// others keep their order.
func TestAMoveChangesNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var keys []operation.Key
		for i := range rapid.IntRange(2, 8).Draw(t, "n") {
			keys = append(keys, operation.IntegerKey(int64(i)))
		}
		key := rapid.SampledFrom(keys).Draw(t, "key")
		to := operation.Position{Before: rapid.Bool().Draw(t, "before"), Anchor: rapid.SampledFrom(keys).Draw(t, "anchor")}
		was := slices.Clone(keys)
		after, ok := Reorder(keys, key, to)
		if !slices.Equal(keys, was) {
			t.Fatal("the keys that were given changed")
		}
		if key == to.Anchor {
			if ok {
				t.Fatal("a row stands beside itself")
			}
			return
		}
		i, j := slices.Index(after, key), slices.Index(after, to.Anchor)
		beside := j + 1
		if to.Before {
			beside = j - 1
		}
		rest := func(list []operation.Key) []operation.Key {
			return slices.DeleteFunc(slices.Clone(list), func(k operation.Key) bool { return k == key })
		}
		if !ok || len(after) != len(keys) || i != beside || !slices.Equal(rest(keys), rest(after)) {
			t.Fatalf("%v, %v %s %v: %v", keys, key, to.Where(), to.Anchor, after)
		}
	})
	if _, ok := Reorder([]operation.Key{operation.IntegerKey(1)}, operation.IntegerKey(2), operation.Position{Anchor: operation.IntegerKey(1)}); ok {
		t.Error("a row that is not there was moved")
	}
	if _, ok := Reorder([]operation.Key{operation.IntegerKey(1)}, operation.IntegerKey(1), operation.Position{Anchor: operation.IntegerKey(2)}); ok {
		t.Error("a row was moved beside one that is not there")
	}
}
