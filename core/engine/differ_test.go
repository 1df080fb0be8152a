package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
)

// telling is a device that changes its own description of a resource.
type telling struct {
	*fake.Device
	change func(children object)
}

func (d telling) Open(context.Context, profile.Profile) (port.Device, error) { return d, nil }

func (d telling) Schema(ctx context.Context, at port.Location) (object, error) {
	v, err := d.Device.Schema(ctx, at)
	if children, ok := v["children"].(object); ok {
		d.change(children)
	}
	return v, err
}

// differing is what is told of a device whose description was changed.
func differing(t *testing.T, arguments string, change func(children object)) (differs object, notes []string, size int) {
	t.Helper()
	r := newRig(t)
	r.start(func(p *engine.Ports) { p.Devices = telling{r.world.Device, change} })
	found := r.mustDiscover(`{"what":"resource","live":true,` + arguments + `}`)
	d := data[object](t, found)
	differs, _ = d["differs"].(object)
	return differs, found.Meta.Notes, len(show(d))
}

// "live: true" marks where the device and the catalog differ.
func TestLiveMarksWhereTheDeviceAndTheCatalogDiffer(t *testing.T) {
	change := func(children object) {
		children["color"].(object)["min-value"], children["color"].(object)["max-value"] = int64(0), int64(64)
		children["fqdn"].(object)["size"] = int64(511)
		children["comment"].(object)["type"] = "string"
		children["type"].(object)["options"] = []any{object{"name": "ipmask"}, object{"name": "iprange"}, object{"name": "fqdn"}, object{"name": "geography"},
			object{"name": "wildcard"}, object{"name": "dynamic"}, object{"name": "mac"}, object{"name": "route-tag"}, object{"name": "brand-new"}}
		children["newer"] = object{"category": "unitary"}
		delete(children, "uuid")
	}
	all := object{
		"color":   []any{"range: catalog 0 to 32, device 0 to 64"},
		"fqdn":    []any{"size: catalog 255, device 511"},
		"comment": []any{"type: catalog var-string, device string"},
		"type":    []any{"options that only the device has: brand-new", "options that the device does not have: interface-subnet"},
		"newer":   []any{"only the device has it"},
		"uuid":    []any{"the device does not have it"},
	}
	got, _, _ := differing(t, `"resource":"firewall/address"`, change)
	if diff := cmp.Diff(all, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, _, _ = differing(t, `"resource":"firewall/address","fields":["color","name"]`, change)
	if diff := cmp.Diff(object{"color": all["color"]}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, _, _ = differing(t, `"resource":"firewall/addrgrp","fields":["member"]`, func(children object) {
		children["member"].(object)["children"].(object)["name"].(object)["size"] = int64(127)
		children["color"].(object)["size"] = int64(9)
	})
	if diff := cmp.Diff(object{"member/name": []any{"size: catalog 79, device 127"}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestADeviceThatAgreesWithTheCatalogDiffersInNothing(t *testing.T) {
	for _, resource := range []string{"firewall/address", "firewall/policy", "firewall/addrgrp", "system/global"} {
		if got, notes, _ := differing(t, `"resource":"`+resource+`"`, func(object) {}); got != nil {
			t.Errorf("%s: %v %v", resource, got, notes)
		}
	}
}

// A device may say anything: its words are escaped and cut, and the answer stays within
// its bytes.
func TestTheDifferencesThatADeviceTellsAreUntrustedAndBounded(t *testing.T) {
	got, notes, size := differing(t, `"resource":"firewall/address"`, func(children object) {
		children["color"].(object)["type"] = "\x1b[31m" + strings.Repeat("x", 9000)
		children["type"].(object)["options"] = []any{7, object{"name": 7}, object{"name": "\u202eevil"}}
		children["fqdn"] = "no object"
		for i := range 5000 {
			children[fmt.Sprintf("a%04d-\u202e%s", i, strings.Repeat("y", 200))] = object{}
		}
	})
	text := show(got)
	if strings.Contains(text, "\u202e") || strings.Contains(text, `\u001b`) || strings.Contains(text, strings.Repeat("x", 100)) || size > 40000 {
		t.Errorf("%d bytes: %.2000s", size, text)
	}
	if diff := cmp.Diff([]any{"the device does not have it"}, got["fqdn"]); got["fqdn"] != nil && diff != "" {
		t.Error(diff)
	}
	if len(got) == 0 || !strings.Contains(strings.Join(notes, "\n"), "more differences do not fit; name attributes in fields") {
		t.Errorf("%d differences, notes %q", len(got), notes)
	}
}

func TestADeviceThatDescribesNothingIsNotCompared(t *testing.T) {
	got, notes, _ := differing(t, `"resource":"firewall/address"`, func(children object) { clear(children) })
	if got != nil || !strings.Contains(strings.Join(notes, "\n"), "described no attributes") {
		t.Errorf("%v %q", got, notes)
	}
}
