package fake_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/wire"
)

// D, U: this is what makes a delete without a key dangerous on a real device.
func TestADeleteWithoutAKeyEmptiesTheTableOfUnusedRows(t *testing.T) {
	for _, path := range []string{"cmdb/firewall/address", "cmdb/firewall/address/", "cmdb/firewall/address/.", "cmdb/firewall/address/%2E", "cmdb/firewall/x/../address"} {
		t.Run(path, func(t *testing.T) {
			b := newBench(t)
			b.create("firewall/address", map[string]any{"name": "unused"})
			if e := b.raw("DELETE", path); e.APIStatus != "success" {
				t.Fatalf("%+v", e)
			}
			if got := b.names("firewall/address"); !slices.Equal(got, []string{"all", "lan"}) {
				t.Errorf("left: %q; the policy uses all and lan", got)
			}
		})
	}
}

func TestAKeyOfTwoDotsLeavesTheTable(t *testing.T) {
	b := newBench(t)
	if e := b.raw("DELETE", "cmdb/firewall/address/.."); e.Status != 404 {
		t.Errorf("%+v", e)
	}
	if got := b.names("firewall/address"); len(got) != 2 {
		t.Errorf("left: %q", got)
	}
}

func TestWrongVerbsAndPathsAreRefused(t *testing.T) {
	b := newBench(t)
	for _, tt := range []struct {
		method, path string
		status       int
	}{
		{"PUT", "cmdb/firewall/address", 405},
		{"POST", "cmdb/firewall/address/x", 405},
		{"POST", "cmdb/system/global", 405},
		{"DELETE", "cmdb/system/global", 405},
		{"PATCH", "cmdb/firewall/address/all", 405},
		{"POST", "monitor/system/status", 405},
		{"DELETE", "monitor/firewall/policy", 405},
		{"POST", "monitor/no/such", 404},
		{"PUT", "cmdb/firewall/address/a/b", 404},
		{"PUT", "cmdb/system/global/x", 404},
		{"PUT", "cmdb/firewall", 404},
		{"PUT", "log/disk", 404},
		{"PUT", "cmdb/firewall/address/%zz", 400},
	} {
		if e := b.raw(tt.method, tt.path); e.Status != tt.status || e.APIStatus != "error" || !e.Sent {
			t.Errorf("%s %s: %+v, want %d", tt.method, tt.path, e, tt.status)
		}
	}
	for _, e := range b.Requests() {
		if e.Effect {
			t.Errorf("%s %s had an effect", e.Request.Method, e.Request.Path)
		}
	}
}

func TestANewRowHasDefaultsAnIdentityAndItsOriginKey(t *testing.T) {
	b := newBench(t)
	b.create("firewall/addrgrp", map[string]any{"name": "g", "member": names("lan", "all", "lan")})
	row, err := b.Object(t.Context(), fake.At("firewall/addrgrp"), fake.Key("g"))
	if err != nil {
		t.Fatal(err)
	}
	if id, _ := row["uuid"].(string); len(id) != 36 {
		t.Errorf("uuid %q", id)
	}
	delete(row, "uuid")
	want := map[string]any{
		"name": "g", "q_origin_key": "g", "type": "default", "exclude": "disable", "exclude-member": []any{}, "color": int64(0),
		"allow-routing": "disable", "comment": "",
		"member": []any{map[string]any{"name": "lan", "q_origin_key": "lan"}, map[string]any{"name": "all", "q_origin_key": "all"}},
	}
	if diff := cmp.Diff(want, row); diff != "" {
		t.Error(diff)
	}
}

func TestSecretsReadBackMasked(t *testing.T) {
	b := newBench(t)
	r, err := wire.Create("vpn.ipsec/phase1-interface", "root", map[string]any{"name": "v", "psksecret": map[string]any{"$secret": "s0"}})
	if err != nil {
		t.Fatal(err)
	}
	b.Send(t.Context(), r, map[string]string{"s0": "hush"})
	b.create("vpn.ipsec/phase1-interface", map[string]any{"name": "w"})
	at := fake.At("vpn.ipsec/phase1-interface")
	for name, want := range map[string]string{"v": fake.Masked, "w": ""} {
		row, err := b.Object(t.Context(), at, fake.Key(name))
		if err != nil || row["psksecret"] != want {
			t.Errorf("%s reads %q, %v; want %q", name, row["psksecret"], err, want)
		}
	}
	if row, ok := b.Row(at, fake.Key("v")); !ok || row["psksecret"] != "hush" {
		t.Error("the device does not keep the secret")
	}
	for _, e := range b.Requests() {
		if body, err := e.Request.Payload(); err != nil || strings.Contains(string(body), "hush") {
			t.Error("the log of requests holds a secret")
		}
	}
	var backup strings.Builder
	if err := b.Backup(t.Context(), (port.Identity{Version: "v7.4.8"}).Release(), &backup, 1<<20); err != nil || strings.Contains(backup.String(), "hush") {
		t.Errorf("the backup holds a secret in clear, or fails: %v", err)
	}
}

func TestAKeyCanBeRenamedAndItsUsersFollow(t *testing.T) {
	b := newBench(t)
	b.create("firewall/addrgrp", map[string]any{"name": "g", "member": names("lan")})
	r, err := wire.Update("firewall/address", "root", fake.Key("lan"), map[string]any{"name": "office"})
	if e := b.send(r, err); e.APIStatus != "success" || e.MKey != "office" {
		t.Fatalf("%+v", e)
	}
	group, _ := b.Row(fake.At("firewall/addrgrp"), fake.Key("g"))
	policy, _ := b.Row(fake.At("firewall/policy"), fake.ID(1))
	if diff := cmp.Diff([]any{names("office"), names("office")}, []any{group["member"], policy["srcaddr"]}); diff != "" {
		t.Error(diff)
	}
	r, err = wire.Update("firewall/address", "root", fake.Key("office"), map[string]any{"name": "all"})
	if e := b.send(r, err); e.ErrorNumber != -5 {
		t.Errorf("a name that is taken: %+v", e)
	}
}

func TestVirtualDomainsKeepTheirRowsApart(t *testing.T) {
	b := newBench(t)
	r, err := wire.Create("firewall/address", "edge", map[string]any{"name": "lan", "comment": "edge"})
	if e := b.send(r, err); e.APIStatus != "success" || e.VDOM != "edge" {
		t.Fatalf("%+v", e)
	}
	for vdom, want := range map[string]string{"root": "", "": "", "edge": "edge"} {
		row, err := b.Object(t.Context(), port.Location{Resource: "firewall/address", VDOM: vdom}, fake.Key("lan"))
		if err != nil || row["comment"] != want {
			t.Errorf("in %q: %v, %v", vdom, row["comment"], err)
		}
	}
	r, err = wire.Create("firewall/address", "none", map[string]any{"name": "x"})
	if e := b.send(r, err); e.Status != 403 || e.Serial != "" || e.VDOM != "" {
		t.Errorf("a domain that does not exist: %+v", e)
	}
}

func TestWhatExistsOnceAnswersInTheManagementDomain(t *testing.T) {
	b := newBench(t)
	r, err := wire.UpdateSingleton("system/global", "edge", map[string]any{"alias": "x"})
	if e := b.send(r, err); e.APIStatus != "success" || e.VDOM != "root" {
		t.Errorf("%+v", e)
	}
	row, err := b.Object(t.Context(), port.Location{Resource: "system/global", VDOM: "root"}, operation.Key{})
	if err != nil || row["alias"] != "x" {
		t.Errorf("%v, %v", row["alias"], err)
	}
}

func TestTheAnswerTellsWhetherAnythingChanged(t *testing.T) {
	b := newBench(t)
	for _, tt := range []struct {
		comment string
		want    bool
	}{{"new", true}, {"new", false}, {"newer", true}} {
		r, err := wire.Update("firewall/address", "root", fake.Key("lan"), map[string]any{"comment": tt.comment})
		if e := b.send(r, err); e.RevisionChanged == nil || *e.RevisionChanged != tt.want {
			t.Errorf("%s: %v, want %v", tt.comment, e.RevisionChanged, tt.want)
		}
	}
	r, err := wire.UpdateSingleton("system/global", "", map[string]any{"admintimeout": 5})
	if e := b.send(r, err); e.RevisionChanged == nil || *e.RevisionChanged {
		t.Errorf("the default was written and something changed: %+v", e)
	}
}

func TestSomebodyElseLeavesNoTraceInTheLog(t *testing.T) {
	b := newBench(t)
	at := fake.At("firewall/address")
	for _, err := range []error{
		b.Put(at, map[string]any{"name": "x", "subnet": "10.0.0.0/8"}),
		b.Put(at, map[string]any{"name": "x", "comment": "replaced"}),
		b.Change(at, fake.Key("x"), map[string]any{"color": 3}),
		b.Remove(at, fake.Key("lan")),
		b.Put(fake.At("firewall/policy"), map[string]any{"policyid": 9}),
		b.Move(fake.At("firewall/policy"), fake.ID(9), operation.Position{Before: true, Anchor: fake.ID(1)}),
		b.Change(fake.At("system/global"), operation.Key{}, map[string]any{"alias": "y"}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	row, ok := b.Row(at, fake.Key("x"))
	if !ok || row["subnet"] != "0.0.0.0 0.0.0.0" || row["comment"] != "replaced" || row["color"] != int64(3) {
		t.Errorf("%v", row)
	}
	if _, ok := b.Row(at, fake.Key("lan")); ok {
		t.Error("lan is still there")
	}
	if got := b.Keys(fake.At("firewall/policy")); !slices.Equal(got, []operation.Key{fake.ID(9), fake.ID(1)}) {
		t.Errorf("%v", got)
	}
	if len(b.Requests()) != 0 || len(b.Writes()) != 0 {
		t.Errorf("%d requests are logged", len(b.Requests()))
	}
}

func TestSomebodyElseCannotDoTheImpossible(t *testing.T) {
	b := newBench(t)
	at := fake.At("firewall/address")
	for name, err := range map[string]error{
		"a wrong value":      b.Put(at, map[string]any{"name": "x", "type": "nothing"}),
		"no such table":      b.Put(fake.At("no/table"), map[string]any{"name": "x"}),
		"no such domain":     b.Put(port.Location{Resource: "firewall/address", VDOM: "none"}, map[string]any{"name": "x"}),
		"a value of Go":      b.Put(at, map[string]any{"name": "x", "color": 1.5}),
		"a row that is gone": b.Change(at, fake.Key("none"), map[string]any{"color": 1}),
		"a delete of it":     b.Remove(at, fake.Key("none")),
		"a move of it":       b.Move(fake.At("firewall/policy"), fake.ID(77), operation.Position{Anchor: fake.ID(1)}),
	} {
		if err == nil {
			t.Errorf("%s went through", name)
		}
	}
	if _, err := fake.NewDevice(fake.DeviceOptions{Rows: []fake.Row{{At: at, Object: map[string]any{"name": ""}}}}); err == nil {
		t.Error("a device began with a row without a name")
	}
}

func TestAnotherDeviceCanAnswer(t *testing.T) {
	b := newBench(t)
	b.SetIdentity(func(id *port.Identity) { id.Serial, id.Build, id.Version = "FGT60FTK20000002", 2800, "v7.4.9" })
	id, err := b.Identity(t.Context())
	if err != nil || id.Serial != "FGT60FTK20000002" || id.Build != 2800 || id.Release().String() != "7.4.9" {
		t.Errorf("%+v, %v", id, err)
	}
	if e := b.create("firewall/address", map[string]any{"name": "x"}); e.Serial != "FGT60FTK20000002" {
		t.Errorf("%+v", e)
	}
	b.SetIdentity(func(id *port.Identity) { id.Serial = "no serial" })
	if _, err := b.Identity(t.Context()); fault.CodeOf(err) != fault.NotFortiOS {
		t.Errorf("a serial of another form: %v", err)
	}
}

func TestOldReleasesDoNotCount(t *testing.T) {
	b := newBench(t, func(o *fake.DeviceOptions) { o.Version = "v6.4.9" })
	info, err := b.List(t.Context(), port.ListQuery{At: fake.At("firewall/address")}, func(map[string]any) bool { return true })
	if err != nil || info.Total != -1 || info.Matched != -1 {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestMonitorAnswersAndActionsCanBeSet(t *testing.T) {
	b := newBench(t)
	at := fake.At("monitor/firewall/policy")
	b.Answer(at.Resource, func(q port.MonitorQuery) (any, error) {
		return []map[string]any{{"policyid": 1, "hit_count": 12, "asked": len(q.Params)}}, nil
	})
	got, err := b.Monitor(t.Context(), port.MonitorQuery{At: at, Params: []wire.Pair{{Name: "policyid", Value: "1"}}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(any([]any{map[string]any{"policyid": int64(1), "hit_count": int64(12), "asked": int64(1)}}), got); diff != "" {
		t.Error(diff)
	}
	b.Answer(at.Resource, nil)
	if _, err := b.Monitor(t.Context(), port.MonitorQuery{At: at}); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("an answer that was taken back: %v", err)
	}
	var cleared any
	b.OnAction("monitor/firewall/policy/clear_counters", func(params map[string]any) error {
		cleared = params["policy"]
		if cleared == int64(2) {
			return errors.New("no such policy")
		}
		return nil
	})
	for _, tt := range []struct {
		policy int64
		status string
	}{{1, "success"}, {2, "error"}} {
		r, err := wire.Action("monitor/firewall/policy/clear_counters", "root", map[string]any{"policy": tt.policy})
		if e := b.send(r, err); e.APIStatus != tt.status || cleared != tt.policy {
			t.Errorf("policy %d: %+v, called with %v", tt.policy, e, cleared)
		}
	}
}

func TestNothingArrivesFromADeadProgram(t *testing.T) {
	dead := false
	b := newBench(t, func(o *fake.DeviceOptions) { o.Halted = func() bool { return dead } })
	dead = true
	r, err := wire.Create("firewall/address", "root", map[string]any{"name": "x"})
	if e := b.send(r, err); e.Sent || len(b.Requests()) != 0 {
		t.Errorf("%+v, %d requests", e, len(b.Requests()))
	}
	if _, ok := b.Row(fake.At("firewall/address"), fake.Key("x")); ok {
		t.Error("the row was created")
	}
}
