package porttest

import (
	"testing"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/wire"
)

// DeviceHarness is the harness of [RunDevice].
type DeviceHarness struct {
	New func(t *testing.T) DeviceFixture
	// Without may declare Storage, Counting, TwoVDOMs and, by their names as
	// abilities, the troubles that cannot be arranged.
	Without Without
}

// DeviceFixture is a FortiGate with at least the interface port1, the address
// all, the service ALL, the schedule always and no object whose name begins with
// "pt-", seen through a profile that may read and write everything in its virtual
// domain. It knows firewall/address, firewall/addrgrp, firewall/policy,
// router/static, system/global and vpn.ipsec/phase1-interface.
type DeviceFixture struct {
	Devices port.Devices
	Profile profile.Profile
	// Identity is what the device is; Local, Remote and VDOM are not compared.
	Identity port.Identity
	// Stored gives a row as the device keeps it; see [Storage].
	Stored func(at port.Location, key operation.Key) (row map[string]any, ok bool)
	// Arrived counts the write requests that reached the device; see [Counting].
	Arrived func() int
	// ForeignVDOM is a virtual domain that the token may not use; see [TwoVDOMs].
	ForeignVDOM string
	// Arrange makes every following request meet a trouble, until calm is called.
	// It reports false for a trouble that it cannot arrange.
	Arrange func(t *testing.T, trouble Trouble) (calm func(), ok bool)
}

// RunDevice checks [port.Devices] and [port.Device].
func RunDevice(t *testing.T, h DeviceHarness) {
	t.Run("identity", h.identity)
	t.Run("object", h.object)
	t.Run("list", h.list)
	t.Run("monitor", h.monitor)
	t.Run("create", h.create)
	t.Run("update", h.update)
	t.Run("delete", h.delete)
	t.Run("move", h.move)
	t.Run("send", h.send)
	t.Run("trouble", h.trouble)
	t.Run("backup", h.backup)
}

// bench is an opened device within a subtest.
type bench struct {
	t *testing.T
	DeviceFixture
	harness DeviceHarness
	device  port.Device
}

// run runs a subtest on a fresh device.
func (h DeviceHarness) run(t *testing.T, name string, test func(b *bench)) {
	t.Run(name, func(t *testing.T) {
		f := h.New(t)
		b := &bench{t: t, DeviceFixture: f, harness: h}
		b.device = b.open()
		test(b)
	})
}

func (b *bench) open() port.Device {
	b.t.Helper()
	d, err := b.Devices.Open(b.t.Context(), b.Profile)
	must(b.t, err)
	b.t.Cleanup(func() {
		if err := d.Close(); err != nil {
			b.t.Errorf("Close: %v", err)
		}
	})
	return d
}

func (b *bench) at(resource string) port.Location {
	if resource == "system/global" {
		return port.Location{Resource: resource}
	}
	return port.Location{Resource: resource, VDOM: b.Profile.VDOM}
}

// request fails where a request cannot be built.
func (b *bench) request(r wire.Request, err error) wire.Request {
	b.t.Helper()
	must(b.t, err)
	return r
}

// send sends a request without secrets.
func (b *bench) send(r wire.Request, err error) exchange.Exchange {
	b.t.Helper()
	return b.device.Send(b.t.Context(), b.request(r, err), nil)
}

// accepted sends a request that the subtest needs to succeed.
func (b *bench) accepted(r wire.Request, err error) exchange.Exchange {
	b.t.Helper()
	e := b.send(r, err)
	if e.Failure != exchange.FailNone || e.Status != 200 || e.APIStatus != "success" {
		b.t.Fatalf("%s %s: %+v", r.Method, r.Path, e)
	}
	return e
}

func (b *bench) create(resource string, object map[string]any) exchange.Exchange {
	b.t.Helper()
	r, err := wire.Create(resource, b.Profile.VDOM, object)
	return b.accepted(r, err)
}

// addresses creates addresses of these names.
func (b *bench) addresses(names ...string) {
	b.t.Helper()
	for _, n := range names {
		b.create("firewall/address", map[string]any{"name": n, "subnet": "192.0.2.0 255.255.255.0"})
	}
}

// policies creates disabled policies with these ids, in this order.
func (b *bench) policies(ids ...int64) {
	b.t.Helper()
	for _, id := range ids {
		b.create("firewall/policy", map[string]any{
			"policyid": id, "name": "pt-" + operation.IntegerKey(id).String(), "status": "disable",
			"srcintf": named("port1"), "dstintf": named("port1"), "srcaddr": named("all"), "dstaddr": named("all"),
			"action": "accept", "schedule": "always", "service": named("ALL"),
		})
	}
}

// named is a list of child rows that name other rows.
func named(names ...string) []any {
	list := make([]any, len(names))
	for i, n := range names {
		list[i] = map[string]any{"name": n}
	}
	return list
}

// namesOf are the names in a list of child rows.
func namesOf(v any) []string {
	var names []string
	list, _ := v.([]any)
	for _, item := range list {
		row, _ := item.(map[string]any)
		n, _ := row["name"].(string)
		names = append(names, n)
	}
	return names
}

// read reads a row that must be there.
func (b *bench) read(resource string, key operation.Key) map[string]any {
	b.t.Helper()
	row, err := b.device.Object(b.t.Context(), b.at(resource), key)
	must(b.t, err)
	return row
}

// gone fails where a row is there.
func (b *bench) gone(resource string, key operation.Key) {
	b.t.Helper()
	row, err := b.device.Object(b.t.Context(), b.at(resource), key)
	wantCode(b.t, err, "not_found")
	if row != nil {
		b.t.Errorf("%s %s is still there", resource, key)
	}
}

func text(key string) operation.Key { return operation.TextKey(key) }

// oddNames are keys that are easy to send wrongly. All are allowed by FortiOS.
func oddNames() []string {
	return []string{
		"pt-a/b", "pt-a", "pt-a%2Fb", "pt-a?vdom=root", "pt-a#b", "pt-a b", "pt-a&b=c", "pt-a+b", "pt-a;b", "pt-..", "pt-.hidden",
		"pt-é", "pt-日本", "pt-a:b@c", "pt-a\\b", "pt-~-_.", "pt-100%", "pt-%", "pt-$(x)", "pt-{x}", "pt-a,b", "pt-a|b",
	}
}
