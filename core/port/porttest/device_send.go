package porttest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/wire"
)

func (h DeviceHarness) send(t *testing.T) {
	h.run(t, "every Send is one request, refused or not", func(b *bench) {
		h.Without.need(b.t, Counting, b.Arrived != nil)
		for i, send := range []func(){
			func() { b.addresses("pt-a") },
			func() { b.send(wire.Create("firewall/address", b.Profile.VDOM, map[string]any{"name": "pt-a"})) },
			func() { b.send(wire.Delete("firewall/address", b.Profile.VDOM, text("pt-none"))) },
			func() { b.send(wire.Delete("firewall/address", b.Profile.VDOM, text("pt-a"))) },
		} {
			before := b.Arrived()
			send()
			if n := b.Arrived() - before; n != 1 {
				b.t.Errorf("the request %d arrived %d times", i, n)
			}
		}
	})
	h.run(t, "reads are no writes", func(b *bench) {
		h.Without.need(b.t, Counting, b.Arrived != nil)
		before := b.Arrived()
		b.read("system/global", operation.Key{})
		if _, err := b.device.Probe(b.t.Context()); err != nil {
			b.t.Error(err)
		}
		if n := b.Arrived() - before; n != 0 {
			b.t.Errorf("%d writes arrived", n)
		}
	})
	h.run(t, "what was cancelled before the first byte is not sent", func(b *bench) {
		h.Without.need(b.t, Counting, b.Arrived != nil)
		ctx, cancel := context.WithCancel(b.t.Context())
		cancel()
		before := b.Arrived()
		e := b.device.Send(ctx, b.request(wire.Create("firewall/address", b.Profile.VDOM, map[string]any{"name": "pt-a"})), nil)
		if e.Sent || e.Failure == exchange.FailNone || b.Arrived() != before {
			b.t.Errorf("%+v, %d arrived", e, b.Arrived()-before)
		}
		b.gone("firewall/address", text("pt-a"))
	})
	h.run(t, "secrets take the place of their references", h.secrets)
	h.run(t, "the device's words are escaped and capped", func(b *bench) {
		for _, name := range []string{"pt-\x1b[2J\u202e\r\nx", strings.Repeat("pt-long ", 5000)} {
			r, err := wire.Create("firewall/addrgrp", b.Profile.VDOM, map[string]any{"name": "pt-g", "member": named(name)})
			e := b.send(r, err)
			b.refusal(e, 500, 0)
			if redact.Escape(e.Text) != e.Text || len(e.Text) > 4096 {
				b.t.Errorf("%d bytes: %.60q", len(e.Text), e.Text)
			}
		}
	})
	h.run(t, "a secret that the device repeats is masked", func(b *bench) {
		r := b.request(wire.Create("firewall/addrgrp", b.Profile.VDOM, map[string]any{
			"name": "pt-g", "member": []any{map[string]any{"name": map[string]any{"$secret": "s0"}}},
		}))
		e := b.device.Send(b.t.Context(), r, map[string]string{"s0": "pt-hush-hush"})
		b.refusal(e, 500, 0)
		if strings.Contains(fmt.Sprintf("%+v", e), "pt-hush-hush") {
			b.t.Error("the facts of the exchange hold the secret")
		}
	})
	h.run(t, "a request whose secret is missing is not sent", func(b *bench) {
		e := b.device.Send(b.t.Context(), b.request(b.tunnel()), map[string]string{"other": "x"})
		if e.Sent || e.Failure == exchange.FailNone {
			b.t.Errorf("%+v", e)
		}
		b.gone("vpn.ipsec/phase1-interface", text("pt-vpn"))
	})
}

// tunnel is a request with the secret s0.
func (b *bench) tunnel() (wire.Request, error) {
	return wire.Create("vpn.ipsec/phase1-interface", b.Profile.VDOM, map[string]any{
		"name": "pt-vpn", "interface": "port1", "remote-gw": "203.0.113.9", "psksecret": map[string]any{"$secret": "s0"},
	})
}

func (h DeviceHarness) secrets(b *bench) {
	const value = "pt \"s3cret\\/é"
	r := b.request(b.tunnel())
	e := b.device.Send(b.t.Context(), r, map[string]string{"s0": value, "s1": "another"})
	b.success(e, "pt-vpn")
	if strings.Contains(fmt.Sprintf("%+v", e), value) {
		b.t.Error("the facts of the exchange hold the secret")
	}
	if ref, _ := r.Body["psksecret"].(map[string]any); ref["$secret"] != "s0" {
		b.t.Error("the caller's request was changed")
	}
	if read, _ := b.read("vpn.ipsec/phase1-interface", text("pt-vpn"))["psksecret"].(string); read == "" || strings.Contains(read, value) {
		b.t.Error("the secret does not read back masked")
	}
	h.Without.need(b.t, Storage, b.Stored != nil)
	if row, ok := b.Stored(b.at("vpn.ipsec/phase1-interface"), text("pt-vpn")); !ok || row["psksecret"] != value {
		b.t.Error("the device does not keep the secret that was sent")
	}
}
