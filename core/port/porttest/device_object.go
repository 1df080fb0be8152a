package porttest

import (
	"testing"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
)

func (h DeviceHarness) object(t *testing.T) {
	h.run(t, "a row reads back with its attributes", func(b *bench) {
		b.create("firewall/address", map[string]any{"name": "pt-a", "subnet": "198.51.100.0 255.255.255.0", "comment": "Ünï \"quoted\" </x>"})
		row := b.read("firewall/address", text("pt-a"))
		if row["name"] != "pt-a" || row["subnet"] != "198.51.100.0 255.255.255.0" || row["comment"] != "Ünï \"quoted\" </x>" || row["type"] != "ipmask" {
			b.t.Errorf("%v", row)
		}
	})
	h.run(t, "values are canonical", func(b *bench) {
		b.policies(901)
		canonical(b.t, b.read("firewall/policy", operation.IntegerKey(901)))
		canonical(b.t, b.read("system/global", operation.Key{}))
	})
	h.run(t, "a row of an integer key is found by it", func(b *bench) {
		b.policies(901)
		if row := b.read("firewall/policy", operation.IntegerKey(901)); row["policyid"] != int64(901) || row["name"] != "pt-901" {
			b.t.Errorf("%v %v", row["policyid"], row["name"])
		}
	})
	h.run(t, "a singleton is read without a key", func(b *bench) {
		row := b.read("system/global", operation.Key{})
		if name, _ := row["hostname"].(string); name != b.Identity.Hostname {
			b.t.Errorf("hostname %q, want %q", name, b.Identity.Hostname)
		}
	})
	h.run(t, "what is not there is not found", func(b *bench) {
		b.gone("firewall/address", text("pt-none"))
		b.gone("firewall/policy", operation.IntegerKey(987))
		_, err := b.device.Object(b.t.Context(), b.at("firewall/no-such-table"), text("pt-a"))
		wantCode(b.t, err, fault.NotFound)
	})
	h.run(t, "an odd name addresses its own row only", func(b *bench) {
		b.addresses(oddNames()...)
		for _, name := range oddNames() {
			if row := b.read("firewall/address", text(name)); row["name"] != name {
				b.t.Errorf("%q gives the row %q", name, row["name"])
			}
		}
	})
	h.run(t, "a virtual domain that is not the token's is permission_denied", func(b *bench) {
		h.Without.need(b.t, TwoVDOMs, b.ForeignVDOM != "")
		_, err := b.device.Object(b.t.Context(), port.Location{Resource: "firewall/address", VDOM: b.ForeignVDOM}, text("all"))
		wantCode(b.t, err, fault.PermissionDenied)
	})
	h.run(t, "the row belongs to the caller", func(b *bench) {
		b.addresses("pt-a")
		b.create("firewall/addrgrp", map[string]any{"name": "pt-g", "member": named("pt-a")})
		row := b.read("firewall/addrgrp", text("pt-g"))
		list, _ := row["member"].([]any)
		clear(list)
		clear(row)
		if got := namesOf(b.read("firewall/addrgrp", text("pt-g"))["member"]); len(got) != 1 || got[0] != "pt-a" {
			b.t.Errorf("the members are now %v", got)
		}
	})
}
