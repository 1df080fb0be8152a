package engine_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
)

// data is an answer's data as a caller decodes it.
func data[T any](t *testing.T, found engine.Found) T {
	t.Helper()
	var v T
	text, err := json.Marshal(found.Data)
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

type object = map[string]any

func (r *rig) mustDiscover(arguments string) engine.Found {
	r.Helper()
	found, err := r.discover(arguments)
	if err != nil {
		r.Fatalf("discover %s: %v", arguments, err)
	}
	return found
}

func TestAnArgumentThatALookUpDoesNotTakeIsNotIgnored(t *testing.T) {
	tests := []struct {
		arguments string
		problems  []string
	}{
		{`{}`, []string{"/what: is required"}},
		{`{"what":"everything"}`, []string{`/what: must be one of "devices", "capabilities", "resources", "resource"`}},
		{`{"what":"devices","profil":"demo"}`, []string{"/profil: unknown argument; allowed: what, profile"}},
		{`{"what":"devices","query":"x","kind":"table","start":1,"count":2}`, []string{"/query: belongs to what=resources", "/kind: belongs", "/start: belongs", "/count: belongs"}},
		{`{"what":"capabilities","resource":"firewall/address","fields":["type"],"live":true}`, []string{"/resource: belongs to what=resource", "/fields: belongs", "/live: belongs"}},
		{`{"what":"resources","resource":"firewall/address"}`, []string{"/resource: belongs to what=resource"}},
		{`{"what":"resources","kind":"list"}`, []string{"/kind: must be one of"}},
		{`{"what":"resources","count":0.5}`, []string{"/count: must be an integer"}},
		{`{"what":"resource"}`, []string{"/resource: is required for what=resource"}},
		{`{"what":"resource","resource":"firewall/address","query":"x"}`, []string{"/query: belongs to what=resources"}},
		{`{"what":"resource","resource":"firewall/address","fields":["subnett","tipe"]}`, []string{`/fields/0: did you mean "subnet"?`, `/fields/1: did you mean "type"?`}},
	}
	for _, test := range tests {
		r := newRig(t)
		_, err := r.discover(test.arguments)
		r.wantProblems(err, fault.Usage, test.problems...)
	}
}

// "devices lists the configured profiles with host, port and mode (never a secret), from
// the local configuration."
func TestDevicesListsTheProfilesWithoutAsking(t *testing.T) {
	r := newRig(t)
	r.world.Profiles.Set(profile.Profile{Name: "edge", Host: "192.0.2.9", Port: 8443, VDOM: "dmz", Mode: profile.ReadOnly})
	got, err := json.Marshal(r.mustDiscover(`{"what":"devices"}`).Data)
	want := `[{"name":"demo","host":"192.0.2.1","port":443,"vdom":"root","mode":"guarded","default":true},` +
		`{"name":"edge","host":"192.0.2.9","port":8443,"vdom":"dmz","mode":"read_only"}]`
	if err != nil || string(got) != want {
		t.Errorf("got %s\nwant %s (%v)", got, want, err)
	}
	if len(r.world.Device.Requests()) > 0 {
		t.Error("a device was asked")
	}
	_, err = r.discover(`{"what":"devices","profile":"nobody"}`)
	_ = r.wantCode(err, fault.NotFound)
}

func TestOnlyTheVisibleProfilesCanBeSeenOrUsed(t *testing.T) {
	r := newRig(t)
	r.world.Profiles.Set(profile.Profile{Name: "edge", Host: "192.0.2.9", VDOM: "root", Mode: profile.Autonomous})
	e, err := engine.New(engine.Ports(r.world.Ports()), &engine.Options{Visible: []string{"demo"}})
	if err != nil {
		t.Fatal(err)
	}
	r.engine = e
	if got := data[[]object](t, r.mustDiscover(`{"what":"devices"}`)); len(got) != 1 || got[0]["name"] != "demo" {
		t.Errorf("%s", show(got))
	}
	for _, ask := range []func() error{
		func() error { _, err := r.read(`{"profile":"edge","resource":"firewall/address"}`); return err },
		func() error { _, err := r.planWith(`{"profile":"edge","operations":` + comment + `}`); return err },
		func() error { _, err := r.discover(`{"what":"capabilities","profile":"edge"}`); return err },
	} {
		if f := r.wantCode(ask(), fault.NotFound); strings.Contains(fmt.Sprint(f.Details["profiles"]), "edge") {
			t.Errorf("the hidden profile is named: %v", f.Details)
		}
	}
}

// "capabilities connects to the device: hostname, model, serial, FortiOS version compared
// with the SDK's schema version, the profile's mode and the number of known resources."
func TestCapabilitiesSayWhoAnswersAndWhatIsKnown(t *testing.T) {
	r := newRig(t, twoVDOMs)
	c := data[object](t, r.mustDiscover(`{"what":"capabilities"}`))
	for name, want := range map[string]any{
		"profile": "demo", "mode": "guarded", "hostname": "fgt-demo", "model": "FGT60F", "serial": "FGT60FTK20000001", "version": "v7.4.8",
		"build": 2795.0, "catalog_version": "7.6.6", "compared": "device_older", "vdom": "root",
	} {
		if c[name] != want {
			t.Errorf("%s is %v, want %v", name, c[name], want)
		}
	}
	if show(c["vdoms"]) != show([]string{"root", "edge"}) || show(c["known_resources"]) != show(map[string]int{"table": 9, "singleton": 1, "monitor": 3}) {
		t.Errorf("%s", show(c))
	}
}

// twoVDOMs: the device has two, and the token may list them.
func twoVDOMs(o *fake.WorldOptions) {
	knows(schema.Resource{
		Path: "system/vdom", Kind: schema.Table, Key: "name", KeyType: "string", Scope: "global", Attributes: []schema.Attribute{{Name: "name", Type: "string"}},
	})(o)
	o.Device.VDOMs = []string{"root", "edge"}
	var list []fake.Row
	for _, name := range o.Device.VDOMs {
		list = append(list, fake.Row{At: fake.At("system/vdom"), Object: map[string]any{"name": name}})
	}
	o.Device.Rows = append(list, o.Device.Rows...)
}

func TestTheReleaseOfTheDeviceIsComparedWithTheCatalogs(t *testing.T) {
	for version, want := range map[string]string{"v7.4.8": "device_older", "v7.6.6": "same", "v8.0.0": "device_newer", "special": "unknown"} {
		r := newRig(t, func(o *fake.WorldOptions) { o.Device.Version = version })
		c := data[object](t, r.mustDiscover(`{"what":"capabilities"}`))
		if c["compared"] != want || c["meaning"] == "" {
			t.Errorf("%s: %v", version, c["compared"])
		}
	}
}

func TestCapabilitiesNeedTheDevice(t *testing.T) {
	r := newRig(t)
	r.world.Device.Fail(fake.Rule{Fault: fake.HTML(401, false)})
	_, err := r.discover(`{"what":"capabilities"}`)
	_ = r.wantCode(err, fault.Auth)
}

// "resources searches the compiled-in catalog", in pages that can be followed to the end.
func TestResourcesArePagedToTheEnd(t *testing.T) {
	r := newRig(t)
	var paths []string
	for start, pages := 0, 0; ; pages++ {
		found := r.mustDiscover(fmt.Sprintf(`{"what":"resources","start":%d,"count":5}`, start))
		for _, hit := range data[[]object](t, found) {
			paths = append(paths, hit["path"].(string))
		}
		m := found.Meta
		if *m.Total != 12 || *m.Start != start || *m.Returned == 0 {
			t.Fatalf("%s", show(m))
		}
		if m.NextStart == nil {
			if m.Truncated != "" || pages != 2 {
				t.Fatalf("after %d pages: %s", pages+1, show(m))
			}
			break
		}
		if m.Truncated != "count" || *m.NextStart != len(paths) {
			t.Fatalf("%s", show(m))
		}
		start = *m.NextStart
	}
	if len(paths) != 12 || len(r.world.Device.Requests()) > 0 {
		t.Fatalf("%d paths, %d requests", len(paths), len(r.world.Device.Requests()))
	}
	beyond := r.mustDiscover(`{"what":"resources","start":99}`)
	if len(data[[]object](t, beyond)) != 0 || beyond.Meta.NextStart != nil {
		t.Errorf("beyond the end: %s", show(beyond))
	}
}

func TestResourcesAreSearchedByWordsAndKind(t *testing.T) {
	r := newRig(t)
	hits := data[[]object](t, r.mustDiscover(`{"what":"resources","query":"addr","kind":"table"}`))
	if len(hits) < 2 || !strings.HasPrefix(hits[0]["path"].(string), "firewall/addr") || hits[0]["key"] != "name" {
		t.Errorf("%s", show(hits))
	}
	for _, hit := range data[[]object](t, r.mustDiscover(`{"what":"resources","kind":"monitor"}`)) {
		if hit["kind"] != "monitor" {
			t.Errorf("%s", show(hit))
		}
	}
	if found := r.mustDiscover(`{"what":"resources","query":"nothing like it"}`); show(found.Data) != "[]" {
		t.Errorf("%s", show(found.Data))
	}
}

// "resource describes one resource: its key, attributes, write operations and risk tier.
// fields gives full detail for selected attributes."
func TestResourceDescribesOne(t *testing.T) {
	r := newRig(t)
	d := data[object](t, r.mustDiscover(`{"what":"resource","resource":"firewall/policy"}`))
	if d["key"] != "policyid" || d["key_type"] != "integer" || d["ordered"] != true || d["risk"] != "medium" ||
		show(d["operations"]) != show([]string{"read", "create", "update", "delete", "position"}) {
		t.Errorf("%s", show(d))
	}
	attributes := d["attributes"].(object)
	for name, want := range map[string]string{
		"action": "option deny|accept|ipsec, default deny", "policyid": "integer 0..4294967294, default 0", "name": "string(35)",
		"srcaddr": "table of {name}",
	} {
		if attributes[name] != want {
			t.Errorf("%s: %v, want %s", name, attributes[name], want)
		}
	}
	full := data[object](t, r.mustDiscover(`{"what":"resource","resource":"firewall/policy","fields":["action","srcaddr/name"]}`))["attributes"].(object)
	action, name := full["action"].(object), full["srcaddr/name"].(object)
	if len(full) != 2 || action["default"] != "deny" || show(action["options"]) != show([]map[string]string{{"value": "deny"}, {"value": "accept"}, {"value": "ipsec"}}) ||
		name["required"] != true || show(name["refers_to"]) != show([]string{"firewall/address", "firewall/addrgrp"}) {
		t.Errorf("%s", show(full))
	}
	if len(r.world.Device.Requests()) > 0 {
		t.Error("the device was asked")
	}
}

func TestResourceDescribesSingletonsAndCalls(t *testing.T) {
	r := newRig(t, refusable)
	d := data[object](t, r.mustDiscover(`{"what":"resource","resource":"system/global"}`))
	if show(d["operations"]) != show([]string{"read", "update"}) || d["key"] != nil {
		t.Errorf("%s", show(d))
	}
	d = data[object](t, r.mustDiscover(`{"what":"resource","resource":"monitor/firewall/policy"}`))
	if show(d["operations"]) != show([]string{"read", "action"}) || !strings.Contains(show(d["calls"]), "monitor/firewall/policy/clear_counters") {
		t.Errorf("%s", show(d))
	}
	for path, why := range map[string]string{"monitor/system/os": "reboot or shutdown", "monitor/system/file": "hands out secrets or files"} {
		if d := data[object](t, r.mustDiscover(`{"what":"resource","resource":"`+path+`"}`)); !strings.Contains(show(d["calls"]), why) {
			t.Errorf("%s", show(d))
		}
	}
	secret := data[object](t, r.mustDiscover(`{"what":"resource","resource":"vpn.ipsec/phase1-interface","fields":["psksecret"]}`))
	if !strings.Contains(show(secret), `"secret": true`) {
		t.Errorf("%s", show(secret))
	}
}

func TestAnUnknownResourceNamesTheNearest(t *testing.T) {
	r := newRig(t)
	_, err := r.discover(`{"what":"resource","resource":"firewall/adress"}`)
	if f := r.wantCode(err, fault.NotFound); f.Details["nearest"] == nil {
		t.Errorf("%s", show(f.Details))
	}
}

// "live: true adds the device's own help text, options and ranges", as data of the device.
func TestLiveAddsWhatTheDeviceSays(t *testing.T) {
	r := newRig(t)
	found := r.mustDiscover(`{"what":"resource","resource":"firewall/policy","fields":["action","srcaddr/name"],"live":true}`)
	full := data[object](t, found)["attributes"].(object)
	if !strings.Contains(show(full["action"]), `"category": "unitary"`) || full["srcaddr/name"].(object)["device"] == nil {
		t.Errorf("%s", show(full))
	}
	r.wantNote(found.Meta.Notes, "untrusted")
	if got := r.calls(fake.CallSchema); len(got) != 1 || found.Meta.Device.Serial != "FGT60FTK20000001" {
		t.Errorf("%v %s", got, show(found.Meta))
	}
	r = newRig(t, owner(func(p *profile.Profile) { p.Deny = []string{"firewall/policy"} }))
	_, err := r.discover(`{"what":"resource","resource":"firewall/policy","live":true}`)
	_ = r.wantCode(err, fault.PolicyDenied)
}

// Where the device knows attributes that the catalog lacks, they are named.
func TestWhatTheDeviceKnowsBesidesIsNamed(t *testing.T) {
	r := newRig(t)
	r.start(func(p *engine.Ports) { p.Devices = described{r.world.Device} })
	found := r.mustDiscover(`{"what":"resource","resource":"firewall/policy","live":true}`)
	r.wantNote(found.Meta.Notes, "the device has attributes that the catalog lacks: brand-new, newer")
}

func TestWhatTheCatalogKnowsOfOtherReleasesIsTold(t *testing.T) {
	c, err := fake.NewCatalog()
	if err != nil {
		t.Fatal(err)
	}
	c.Only("firewall/addrgrp", schema.Version{}, schema.Version{Major: 7, Minor: 2})
	r := newRig(t, func(o *fake.WorldOptions) {
		o.Device.Catalog, o.Device.Version = c, "v7.2.0"
	})
	d := data[object](t, r.mustDiscover(`{"what":"resource","resource":"firewall/addrgrp"}`))
	if d["releases"] != "up to 7.2.0" {
		t.Errorf("%s", show(d))
	}
}
