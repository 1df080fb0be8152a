package porttest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/wire"
)

// success fails where the facts are not those of a whole, successful answer.
func (b *bench) success(e exchange.Exchange, mkey string) {
	b.t.Helper()
	want := exchange.Exchange{
		Sent: true, HeaderComplete: true, Status: 200, Body: exchange.BodyObject, BodyComplete: true,
		APIStatus: "success", Serial: b.Identity.Serial, VDOM: b.Profile.VDOM, MKey: mkey,
	}
	e.RevisionChanged, e.Text = nil, ""
	if mkey == "" {
		e.MKey = ""
	}
	if diff := cmp.Diff(want, e); diff != "" {
		b.t.Error(diff)
	}
}

// refusal fails where the facts are not those of the device's "no".
func (b *bench) refusal(e exchange.Exchange, status, number int) {
	b.t.Helper()
	want := exchange.Exchange{
		Sent: true, HeaderComplete: true, Status: status, Body: exchange.BodyObject, BodyComplete: true, APIStatus: "error",
		Serial: b.Identity.Serial, VDOM: b.Profile.VDOM, ErrorNumber: number,
	}
	e.RevisionChanged, e.Text, e.MKey = nil, "", ""
	if number == 0 {
		e.ErrorNumber = 0
	}
	if diff := cmp.Diff(want, e); diff != "" {
		b.t.Error(diff)
	}
}

func (h DeviceHarness) create(t *testing.T) {
	h.run(t, "a row is created and the facts say so", func(b *bench) {
		e := b.create("firewall/address", map[string]any{"name": "pt-a/b", "comment": "new"})
		b.success(e, "pt-a/b")
		if row := b.read("firewall/address", text("pt-a/b")); row["comment"] != "new" {
			b.t.Errorf("%v", row)
		}
	})
	h.run(t, "the device chooses an integer key and names it", func(b *bench) {
		e := b.create("router/static", map[string]any{"dst": "203.0.113.0 255.255.255.0", "gateway": "192.0.2.77", "device": "port1"})
		key := operation.TextKey(e.MKey).As(true)
		if !key.IsInteger() {
			b.t.Fatalf("mkey %q", e.MKey)
		}
		if row := b.read("router/static", key); row["gateway"] != "192.0.2.77" || row["seq-num"] != key.Value() {
			b.t.Errorf("%v", row)
		}
	})
	h.run(t, "a key that exists is refused and nothing changes", func(b *bench) {
		b.create("firewall/address", map[string]any{"name": "pt-a", "comment": "first"})
		r, err := wire.Create("firewall/address", b.Profile.VDOM, map[string]any{"name": "pt-a", "comment": "second"})
		b.refusal(b.send(r, err), 500, -5)
		if row := b.read("firewall/address", text("pt-a")); row["comment"] != "first" {
			b.t.Errorf("%v", row["comment"])
		}
	})
	h.run(t, "a reference to nothing is refused and nothing is created", func(b *bench) {
		r, err := wire.Create("firewall/addrgrp", b.Profile.VDOM, map[string]any{"name": "pt-g", "member": named("pt-none")})
		b.refusal(b.send(r, err), 500, 0)
		b.gone("firewall/addrgrp", text("pt-g"))
	})
}

func (h DeviceHarness) update(t *testing.T) {
	h.run(t, "the named attributes change and no others", func(b *bench) {
		b.create("firewall/address", map[string]any{"name": "pt-a", "comment": "old", "color": 5})
		before := b.read("firewall/address", text("pt-a"))
		r, err := wire.Update("firewall/address", b.Profile.VDOM, text("pt-a"), map[string]any{"comment": "new"})
		b.success(b.accepted(r, err), "pt-a")
		before["comment"] = "new"
		if diff := cmp.Diff(before, b.read("firewall/address", text("pt-a"))); diff != "" {
			b.t.Error(diff)
		}
	})
	h.run(t, "a list is replaced whole", func(b *bench) {
		b.addresses("pt-a", "pt-b", "pt-c")
		b.create("firewall/addrgrp", map[string]any{"name": "pt-g", "member": named("pt-a", "pt-b")})
		r, err := wire.Update("firewall/addrgrp", b.Profile.VDOM, text("pt-g"), map[string]any{"member": named("pt-c")})
		b.accepted(r, err)
		if got := namesOf(b.read("firewall/addrgrp", text("pt-g"))["member"]); !slices.Equal(got, []string{"pt-c"}) {
			b.t.Errorf("the members are %q", got)
		}
	})
	h.run(t, "a singleton changes", func(b *bench) {
		r, err := wire.UpdateSingleton("system/global", "", map[string]any{"alias": "pt-alias"})
		b.accepted(r, err)
		if row := b.read("system/global", operation.Key{}); row["alias"] != "pt-alias" {
			b.t.Errorf("%v", row["alias"])
		}
	})
	h.run(t, "a row that is not there is refused and not created", func(b *bench) {
		r, err := wire.Update("firewall/address", b.Profile.VDOM, text("pt-none"), map[string]any{"comment": "x"})
		b.refusal(b.send(r, err), 404, 0)
		b.gone("firewall/address", text("pt-none"))
	})
	h.run(t, "a wrong value is refused and nothing changes", func(b *bench) {
		b.create("firewall/address", map[string]any{"name": "pt-a", "comment": "old"})
		r, err := wire.Update("firewall/address", b.Profile.VDOM, text("pt-a"), map[string]any{"comment": "new", "type": "no-such-type"})
		b.refusal(b.send(r, err), 500, 0)
		if row := b.read("firewall/address", text("pt-a")); row["comment"] != "old" {
			b.t.Errorf("%v", row["comment"])
		}
	})
	h.run(t, "an odd name addresses its own row only", func(b *bench) {
		b.addresses(oddNames()...)
		for _, name := range oddNames() {
			r, err := wire.Update("firewall/address", b.Profile.VDOM, text(name), map[string]any{"comment": name})
			b.accepted(r, err)
		}
		for _, name := range oddNames() {
			if row := b.read("firewall/address", text(name)); row["comment"] != name {
				b.t.Errorf("%q has the comment %q", name, row["comment"])
			}
		}
	})
}

func (h DeviceHarness) delete(t *testing.T) {
	h.run(t, "one row goes", func(b *bench) {
		names := oddNames()
		b.addresses(names...)
		for i, name := range names {
			r, err := wire.Delete("firewall/address", b.Profile.VDOM, text(name))
			b.success(b.accepted(r, err), name)
			left, _ := b.rows(port.ListQuery{At: b.at("firewall/address"), Filter: ours()})
			if diff := cmp.Diff(len(names)-i-1, len(left)); diff != "" || slices.Contains(left, name) {
				b.t.Fatalf("after %q went, %q are left", name, left)
			}
		}
	})
	h.run(t, "a row that is not there is refused", func(b *bench) {
		r, err := wire.Delete("firewall/address", b.Profile.VDOM, text("pt-none"))
		b.refusal(b.send(r, err), 404, 0)
	})
	h.run(t, "a row that is in use is refused and stays", func(b *bench) {
		b.addresses("pt-a")
		b.create("firewall/addrgrp", map[string]any{"name": "pt-g", "member": named("pt-a")})
		r, err := wire.Delete("firewall/address", b.Profile.VDOM, text("pt-a"))
		b.refusal(b.send(r, err), 500, -23)
		b.read("firewall/address", text("pt-a"))
	})
}

func (h DeviceHarness) move(t *testing.T) {
	order := func(b *bench) []string {
		names, _ := b.rows(port.ListQuery{At: b.at("firewall/policy"), Filter: ours()})
		return names
	}
	h.run(t, "a row goes before or after another", func(b *bench) {
		b.policies(901, 902, 903, 904)
		for _, tt := range []struct {
			row    int64
			before bool
			anchor int64
			want   []string
		}{
			{904, true, 901, []string{"pt-904", "pt-901", "pt-902", "pt-903"}},
			{904, false, 902, []string{"pt-901", "pt-902", "pt-904", "pt-903"}},
			{901, false, 903, []string{"pt-902", "pt-904", "pt-903", "pt-901"}},
			{904, true, 903, []string{"pt-902", "pt-904", "pt-903", "pt-901"}},
		} {
			to := operation.Position{Before: tt.before, Anchor: operation.IntegerKey(tt.anchor)}
			r, err := wire.Move("firewall/policy", b.Profile.VDOM, operation.IntegerKey(tt.row), to)
			b.success(b.accepted(r, err), "")
			if diff := cmp.Diff(tt.want, order(b)); diff != "" {
				b.t.Fatalf("%d %s %d: %s", tt.row, to.Where(), tt.anchor, diff)
			}
		}
	})
	h.run(t, "a place that does not exist is refused and nothing moves", func(b *bench) {
		b.policies(901, 902)
		r, err := wire.Move("firewall/policy", b.Profile.VDOM, operation.IntegerKey(902), operation.Position{Before: true, Anchor: operation.IntegerKey(999)})
		if e := b.send(r, err); e.APIStatus != "error" || e.Status < 400 {
			b.t.Errorf("%+v", e)
		}
		if diff := cmp.Diff([]string{"pt-901", "pt-902"}, order(b)); diff != "" {
			b.t.Error(diff)
		}
	})
}
