package fake_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/wire"
)

func TestValuesReadBackAsTheDeviceSpellsThem(t *testing.T) {
	tests := []struct {
		name, resource, attribute string
		written, want             any
	}{
		{"a network by length", "firewall/address", "subnet", "10.1.2.3/24", "10.1.2.0 255.255.255.0"},
		{"a network by mask", "firewall/address", "subnet", "10.1.2.3 255.255.0.0", "10.1.0.0 255.255.0.0"},
		{"one host", "firewall/address", "subnet", "10.1.2.3", "10.1.2.3 255.255.255.255"},
		{"the unset network", "firewall/address", "subnet", "", "0.0.0.0 0.0.0.0"},
		{"an address", "firewall/address", "start-ip", "10.1.2.3", "10.1.2.3"},
		{"an address with its network", "system/interface", "ip", "10.1.2.3/24", "10.1.2.3 255.255.255.0"},
		{"a number as text", "firewall/address", "color", "7", int64(7)},
		{"a number", "firewall/address", "color", 7, int64(7)},
		{"a set of options", "system/interface", "allowaccess", "ssh  ping https", "ping https ssh"},
		{"the empty set", "system/interface", "allowaccess", "", ""},
		{"text with blanks", "firewall/address", "comment", "  a  b ", "  a  b "},
		{"a name twice", "firewall/addrgrp", "member", names("lan", "all", "lan"), names("lan", "all")},
		{"no names", "firewall/addrgrp", "member", []any{}, []any{}},
		{"an interface of any name", "firewall/policy", "srcintf", names("any"), names("any")},
		{"a default out of its range", "system/interface", "vlanid", 0, int64(0)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			key := "new"
			object := map[string]any{"name": key, tt.attribute: tt.written}
			if tt.resource == "firewall/policy" {
				object["policyid"], key = 7, "7"
			}
			b.create(tt.resource, object)
			row, ok := b.Row(fake.At(tt.resource), fake.Key(key))
			if !ok {
				t.Fatal("no row")
			}
			if diff := cmp.Diff(tt.want, row[tt.attribute]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestValuesThatTheDeviceRefuses(t *testing.T) {
	tests := []struct {
		name, attribute string
		written         any
		number          int
	}{
		{"an unknown attribute", "no-such", "x", -61},
		{"an unknown option", "type", "ipmaks", -651},
		{"an option in another case", "type", "IPMASK", -651},
		{"a text that is too long", "comment", strings.Repeat("x", 256), -1},
		{"a number above its range", "color", 33, -651},
		{"a number below its range", "color", -1, -651},
		{"no number", "color", "red", -651},
		{"no network", "subnet", "10.0.0.0/33", -651},
		{"a mask with a hole", "subnet", "10.0.0.0 255.0.255.0", -651},
		{"an IPv6 address where IPv4 belongs", "start-ip", "::1", -651},
		{"a list where a text belongs", "comment", []any{"x"}, -651},
		{"an object where a text belongs", "comment", map[string]any{}, -651},
		{"nothing", "comment", nil, -651},
		{"a name that does not exist", "associated-interface", "port9", -651},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			r, err := wire.Update("firewall/address", "root", fake.Key("lan"), map[string]any{"allow-routing": "enable", tt.attribute: tt.written})
			if e := b.send(r, err); e.Status != 500 || e.ErrorNumber != tt.number || e.Text == "" {
				t.Errorf("%+v, want %d", e, tt.number)
			}
			if row, _ := b.Row(fake.At("firewall/address"), fake.Key("lan")); row["allow-routing"] != "disable" {
				t.Error("half of the update was done")
			}
		})
	}
}

func TestRowsThatTheDeviceRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		resource string
		object   map[string]any
		number   int
	}{
		"a row without a name":           {"firewall/address", map[string]any{"comment": "x"}, -56},
		"a name that is too long":        {"firewall/address", map[string]any{"name": strings.Repeat("x", 80)}, -1},
		"a name that exists":             {"firewall/address", map[string]any{"name": "lan"}, -5},
		"a text where a list belongs":    {"firewall/addrgrp", map[string]any{"name": "g", "member": "lan"}, -651},
		"bare names":                     {"firewall/addrgrp", map[string]any{"name": "g", "member": []any{"lan"}}, -651},
		"a member without a name":        {"firewall/addrgrp", map[string]any{"name": "g", "member": []any{map[string]any{}}}, -56},
		"a member that does not exist":   {"firewall/addrgrp", map[string]any{"name": "g", "member": names("lan", "none")}, -651},
		"an attribute a member lacks":    {"firewall/addrgrp", map[string]any{"name": "g", "member": []any{map[string]any{"name": "lan", "x": 1}}}, -61},
		"an integer key that is no such": {"router/static", map[string]any{"seq-num": "x"}, -651},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			if e := b.send(wire.Create(tt.resource, "root", tt.object)); e.Status != 500 || e.ErrorNumber != tt.number {
				t.Errorf("%+v, want %d", e, tt.number)
			}
		})
	}
}

func TestTheDeviceChoosesTheNextIntegerKey(t *testing.T) {
	b := newBench(t)
	for i, key := range []any{nil, 0, "0", 40, nil} {
		object := map[string]any{"gateway": "192.0.2.9"}
		if key != nil {
			object["seq-num"] = key
		}
		want := []string{"2", "3", "4", "40", "41"}[i]
		if e := b.create("router/static", object); e.MKey != want {
			t.Errorf("%v got the key %s, want %s", key, e.MKey, want)
		}
	}
}
