package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/schema"
)

var address = []schema.Attribute{
	{Name: "name", Type: "string"},
	{Name: "type", Type: "option", Default: "ipmask"},
	{Name: "subnet", Type: "ipv4-classnet-any", Default: "0.0.0.0 0.0.0.0"},
	{Name: "start-ip", Type: "ipv4-address-any", Default: "0.0.0.0"},
	{Name: "comment", Type: "var-string"},
	{Name: "color", Type: "integer", Default: int64(0)},
	{Name: "uuid", Type: "uuid"},
	{Name: "token", Type: "password", Secret: true},
	*members, *hosts, *nested,
}

func TestOnlyWhatWasAskedForIsCompared(t *testing.T) {
	tests := []struct {
		name      string
		want, got object
		result    Result
	}{
		{
			"what the device derives does not matter",
			object{"name": "lan", "subnet": "10.0.0.0/24"},
			object{"name": "lan", "subnet": "10.0.0.0 255.255.255.0", "start-ip": "10.0.0.0", "q_origin_key": "lan"},
			Result{Compared: 2},
		},
		{
			"a member dropped and a comment cut are named",
			object{"comment": "a long comment", "color": int64(3), "member": named("a", "b")},
			object{"comment": "a long", "color": int64(3), "member": named("a")},
			Result{Mismatch: []string{"comment", "member"}, Compared: 3},
		},
		{
			"a secret beside other attributes is listed",
			object{"comment": "x", "token": "s"},
			object{"comment": "x", "token": "ENC XXXX"},
			Result{Unverified: []string{"token"}, Compared: 1},
		},
		{
			"a secret alone leaves nothing compared",
			object{"token": "s"},
			object{"token": "ENC XXXX"},
			Result{Unverified: []string{"token"}},
		},
		{
			"secrets inside rows and objects are listed by their path, once",
			object{
				"hosts": list(object{"id": int64(1), "key": "s"}, object{"id": int64(2), "key": "t"}),
				"ipv6":  object{"dhcp6-secret": "s"},
			},
			object{
				"hosts": list(object{"id": int64(1), "key": "ENC XXXX"}, object{"id": int64(2), "key": "ENC XXXX"}),
				"ipv6":  object{"dhcp6-secret": "ENC XXXX"},
			},
			Result{Unverified: []string{"hosts/key", "ipv6/dhcp6-secret"}, Compared: 1},
		},
		{
			"a default that is left out is not confirmed",
			object{"color": int64(0), "comment": "x"},
			object{"comment": "x"},
			Result{Unverified: []string{"color"}, Compared: 1},
		},
		{
			"an attribute that the schema lacks compares exactly",
			object{"new-thing": "1"},
			object{"new-thing": int64(1)},
			Result{Mismatch: []string{"new-thing"}, Compared: 1},
		},
		{
			"an object that is gone matches nothing that is set",
			object{"comment": "x", "color": int64(3)},
			nil,
			Result{Mismatch: []string{"color", "comment"}, Compared: 2},
		},
		{"nothing asked for, nothing found", object{"q_origin_key": "x"}, object{}, Result{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.result, Attributes(address, test.want, test.got)); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChangesAreDifferencesOfConfiguration(t *testing.T) {
	before := object{
		"name": "lan", "subnet": "10.0.0.0 255.255.255.0", "comment": "x", "token": "ENC AAAA", "uuid": "1",
		"member": named("a", "b"), "hosts": list(object{"id": int64(1), "ip": "10.0.0.1 255.255.255.255"}),
	}
	tests := []struct {
		name   string
		change object
		want   []string
	}{
		{"the same object", object{}, nil},
		{"another spelling", object{"subnet": "10.0.0.0/24", "member": named("b", "a")}, nil},
		{"a secret shown with new salt, another uuid", object{"token": "ENC BBBB", "uuid": "2"}, nil},
		{"a default that appears", object{"color": int64(0), "start-ip": "0.0.0.0"}, nil},
		{"a value that appears", object{"color": int64(3)}, []string{"color"}},
		{"a value that goes", object{"comment": nil}, []string{"comment"}},
		{"a row that gains a value", object{"hosts": list(object{"id": int64(1), "ip": "10.0.0.1/32", "ha-direct": "enable"})}, []string{"hosts"}},
		{"several, in order", object{"subnet": "10.0.0.0/25", "member": named("a"), "comment": "y"}, []string{"comment", "member", "subnet"}},
		{"metadata", object{"q_origin_key": "lan", "devindex": int64(4)}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			after := object{}
			for _, o := range []object{before, test.change} {
				for name, v := range o {
					after[name] = v
				}
			}
			if diff := cmp.Diff(test.want, Changes(address, before, after)); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.want, Changes(address, after, before)); diff != "" {
				t.Errorf("changes the other way (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAWriteThatChangesNothingIsKnown(t *testing.T) {
	current := object{
		"subnet": "10.0.0.0 255.255.255.0", "comment": "x", "token": "ENC XXXX", "uuid": "1",
		"member": named("a", "b"), "hosts": list(object{"id": int64(1), "ha-direct": "enable"}),
		"ipv6": object{"ip6-address": "::/0"},
	}
	tests := []struct {
		name      string
		want      object
		unchanged bool
	}{
		{"current values", object{"comment": "x", "subnet": "10.0.0.0/24", "member": named("b", "a")}, true},
		{"members named twice", object{"member": named("a", "a", "b")}, true},
		{"a default that is not shown is not known", object{"color": int64(0)}, false},
		{"a secret in a row that is otherwise the same", object{"hosts": list(object{"id": int64(1), "ha-direct": "enable", "key": "s"})}, false},
		{"another value", object{"comment": "y"}, false},
		{"a secret is always a change", object{"token": "s"}, false},
		{"another uuid is a change, though it cannot be verified", object{"uuid": "2"}, false},
		{"a row that no longer names a value resets it", object{"hosts": list(object{"id": int64(1)})}, false},
		{"a whole row", object{"hosts": list(object{"id": int64(1), "ha-direct": "enable"})}, true},
		{"a member of an object", object{"ipv6": object{"ip6-address": "::/0"}}, true},
		{"nothing", object{}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Unchanged(address, test.want, current); got != test.unchanged {
				t.Errorf("Unchanged = %t", got)
			}
		})
	}
}
