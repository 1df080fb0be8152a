package porttest

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/port"
)

func (h DeviceHarness) identity(t *testing.T) {
	h.run(t, "Identity says who the device is", func(b *bench) {
		got, err := b.device.Identity(b.t.Context())
		must(b.t, err)
		b.sameDevice(got)
	})
	h.run(t, "Probe asks the same question", func(b *bench) {
		got, err := b.device.Probe(b.t.Context())
		must(b.t, err)
		b.sameDevice(got)
	})
	h.run(t, "the answer names the profile's virtual domain", func(b *bench) {
		got, err := b.device.Identity(b.t.Context())
		must(b.t, err)
		if got.VDOM != b.Profile.VDOM {
			b.t.Errorf("vdom %q, want %q", got.VDOM, b.Profile.VDOM)
		}
	})
	h.run(t, "a profile can be opened more than once", func(b *bench) {
		other := b.open()
		for _, d := range []port.Device{b.device, other, b.device} {
			got, err := d.Identity(b.t.Context())
			must(b.t, err)
			b.sameDevice(got)
		}
	})
	h.run(t, "a cancelled context asks nothing", func(b *bench) {
		ctx, cancel := context.WithCancel(b.t.Context())
		cancel()
		if _, err := b.device.Identity(ctx); err == nil {
			b.t.Error("Identity answered")
		}
		if _, err := b.device.Probe(ctx); err == nil {
			b.t.Error("Probe answered")
		}
	})
}

func (b *bench) sameDevice(got port.Identity) {
	b.t.Helper()
	want := b.Identity
	got.Local, got.Remote, got.VDOM = "", "", ""
	want.Local, want.Remote, want.VDOM = "", "", ""
	if diff := cmp.Diff(want, got); diff != "" {
		b.t.Error(diff)
	}
}
