package porttest

import (
	"testing"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/wire"
)

func (h DeviceHarness) monitor(t *testing.T) {
	h.run(t, "an endpoint gives its results", func(b *bench) {
		got, err := b.device.Monitor(b.t.Context(), port.MonitorQuery{At: b.at("monitor/system/status")})
		must(b.t, err)
		canonical(b.t, got)
		status, _ := got.(map[string]any)
		if status["hostname"] != b.Identity.Hostname {
			b.t.Errorf("%v", got)
		}
	})
	h.run(t, "an endpoint that does not exist is not found", func(b *bench) {
		_, err := b.device.Monitor(b.t.Context(), port.MonitorQuery{At: b.at("monitor/no/such-endpoint")})
		wantCode(b.t, err, fault.NotFound)
	})
	h.run(t, "the device tells who uses an object", func(b *bench) {
		b.addresses("pt-a/b", "pt-c")
		b.create("firewall/addrgrp", map[string]any{"name": "pt-g", "member": named("pt-a/b")})
		if got := b.usage("pt-a/b"); len(got) != 1 || got[0] != "firewall/addrgrp pt-g" {
			b.t.Errorf("pt-a/b is used by %q", got)
		}
		if got := b.usage("pt-c"); len(got) != 0 {
			b.t.Errorf("pt-c is used by %q", got)
		}
	})
	h.run(t, "the device describes a table", func(b *bench) {
		node, err := b.device.Schema(b.t.Context(), b.at("firewall/address"))
		must(b.t, err)
		canonical(b.t, node)
		children, _ := node["children"].(map[string]any)
		if node["mkey"] != "name" || children["subnet"] == nil {
			b.t.Errorf("key %v, %d children", node["mkey"], len(children))
		}
		_, err = b.device.Schema(b.t.Context(), b.at("firewall/no-such-table"))
		wantCode(b.t, err, fault.NotFound)
	})
}

// usage lists the users of an address as "path key".
func (b *bench) usage(name string) []string {
	b.t.Helper()
	got, err := b.device.Monitor(b.t.Context(), port.MonitorQuery{At: b.at("monitor/system/object/usage"), Params: []wire.Pair{
		{Name: "q_path", Value: "firewall"}, {Name: "q_name", Value: "address"}, {Name: "mkey", Value: name},
	}})
	must(b.t, err)
	results, _ := got.(map[string]any)
	list, ok := results["currently_using"].([]any)
	if !ok {
		b.t.Fatalf("no list of users in %v", got)
	}
	var users []string
	for _, item := range list {
		u, _ := item.(map[string]any)
		path, _ := u["path"].(string)
		table, _ := u["name"].(string)
		key, _ := u["mkey"].(string)
		users = append(users, path+"/"+table+" "+key)
	}
	return users
}
