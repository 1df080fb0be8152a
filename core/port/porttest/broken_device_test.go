package porttest_test

import (
	"context"
	"io"
	"net/url"
	"testing"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/porttest"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/core/wire"
)

func brokenDevices() []broken {
	device := func(wrap func(port.Device) port.Device) func(t *testing.T) {
		return func(t *testing.T) { porttest.RunDevice(t, deviceOn(wrap)) }
	}
	return []broken{
		{"send tries again", "send/every Send is one request, refused or not", device(func(d port.Device) port.Device { return stubborn{d} })},
		{"send calls a reset unsent", "trouble/write, reset after the effect", device(func(d port.Device) port.Device { return optimist{d} })},
		{"send believes a page", "trouble/write, login page", device(func(d port.Device) port.Device { return believer{d} })},
		{"send decodes the path", "delete/one row goes", device(func(d port.Device) port.Device { return decoding{d} })},
		{"send forgets the secret", "send/secrets take the place of their references", device(func(d port.Device) port.Device { return forgetful{d} })},
		{"send tells the secret", "send/secrets take the place of their references", device(func(d port.Device) port.Device { return talkative{d} })},
		{"send repeats the device", "send/the device's words are escaped and capped", device(func(d port.Device) port.Device { return raw{d} })},
		{"send ignores its context", "send/what was cancelled before the first byte is not sent", device(func(d port.Device) port.Device { return relentless{d} })},
		{"update echoes the row", "update/the named attributes change and no others", device(func(d port.Device) port.Device { return echoing{d} })},
		{"list does not stop", "list/yield is not called again after it said no", device(func(d port.Device) port.Device { return endless{d} })},
		{"list drops the filter", "list/filters narrow", device(func(d port.Device) port.Device { return unfiltered{d} })},
		{"list counts from one", "list/start and count cut a page out", device(func(d port.Device) port.Device { return fromOne{d} })},
		{"probe remembers", "trouble/read, refused connection", device(func(d port.Device) port.Device { return &remembering{Device: d} })},
		{"object finds something similar", "object/what is not there is not found", device(func(d port.Device) port.Device { return similar{d} })},
		{"backup ignores the limit", "backup/a backup larger than the limit fails, and no more is written", device(func(d port.Device) port.Device { return greedy{d} })},
	}
}

// wrapping opens a wrapped device.
type wrapping struct {
	port.Devices
	wrap func(port.Device) port.Device
}

func (w wrapping) Open(ctx context.Context, p profile.Profile) (port.Device, error) {
	d, err := w.Devices.Open(ctx, p)
	if err != nil {
		return nil, err
	}
	return w.wrap(d), nil
}

func deviceOn(wrap func(port.Device) port.Device) porttest.DeviceHarness {
	return porttest.DeviceHarness{New: func(t *testing.T) porttest.DeviceFixture {
		d, err := fake.NewDevice(fake.DeviceOptions{Rows: fake.Office(), Hostname: "fgt"})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Put(fake.At("system/global"), map[string]any{"hostname": "fgt"}); err != nil {
			t.Fatal(err)
		}
		return porttest.DeviceFixture{
			Devices: wrapping{d, wrap}, Profile: profile.Profile{Name: "demo", VDOM: "root"}, ForeignVDOM: "none",
			Identity: port.Identity{Serial: "FGT60FTK20000001", Hostname: "fgt", Model: "FGT60F", Version: "v7.4.8", Build: 2795},
			Stored:   d.Row, Arrived: func() int { return len(d.Writes()) },
			Arrange: func(_ *testing.T, trouble porttest.Trouble) (func(), bool) {
				f, ok := map[porttest.Trouble]fake.Fault{
					porttest.ResetAfter: fake.ResetAfter(), porttest.LoginPage: fake.HTML(200, false), porttest.RefusedConnection: fake.Refused(),
				}[trouble]
				d.Fail(fake.Rule{Fault: f})
				return d.Heal, ok
			},
		}
	}}
}

type stubborn struct{ port.Device }

func (s stubborn) Send(ctx context.Context, r wire.Request, secrets map[string]string) exchange.Exchange {
	e := s.Device.Send(ctx, r, secrets)
	if e.APIStatus != "success" {
		e = s.Device.Send(ctx, r, secrets)
	}
	return e
}

type optimist struct{ port.Device }

func (o optimist) Send(ctx context.Context, r wire.Request, secrets map[string]string) exchange.Exchange {
	e := o.Device.Send(ctx, r, secrets)
	if e.Failure == exchange.FailRead {
		e = exchange.Exchange{Failure: exchange.FailDial}
	}
	return e
}

type believer struct{ port.Device }

func (b believer) Send(ctx context.Context, r wire.Request, secrets map[string]string) exchange.Exchange {
	e := b.Device.Send(ctx, r, secrets)
	if e.Status == 200 {
		e.Body, e.APIStatus = exchange.BodyObject, "success"
	}
	return e
}

// decoding sends a path that was decoded once too often.
type decoding struct{ port.Device }

func (d decoding) Send(ctx context.Context, r wire.Request, secrets map[string]string) exchange.Exchange {
	if path, err := url.PathUnescape(r.Path); err == nil {
		r.Path = path
	}
	return d.Device.Send(ctx, r, secrets)
}

type forgetful struct{ port.Device }

func (f forgetful) Send(ctx context.Context, r wire.Request, secrets map[string]string) exchange.Exchange {
	for name := range secrets {
		secrets[name] = ""
	}
	return f.Device.Send(ctx, r, secrets)
}

type talkative struct{ port.Device }

func (f talkative) Send(ctx context.Context, r wire.Request, secrets map[string]string) exchange.Exchange {
	e := f.Device.Send(ctx, r, secrets)
	e.Text = "sent with " + secrets["s0"]
	return e
}

// raw passes on what a device could have said.
type raw struct{ port.Device }

func (r raw) Send(ctx context.Context, request wire.Request, secrets map[string]string) exchange.Exchange {
	e := r.Device.Send(ctx, request, secrets)
	if e.Text != "" {
		e.Text = "node_check_object fail! \x1b[2J\n"
	}
	return e
}

type relentless struct{ port.Device }

func (r relentless) Send(ctx context.Context, request wire.Request, secrets map[string]string) exchange.Exchange {
	return r.Device.Send(context.WithoutCancel(ctx), request, secrets)
}

// echoing puts an attribute that nobody named into every update.
type echoing struct{ port.Device }

func (e echoing) Send(ctx context.Context, r wire.Request, secrets map[string]string) exchange.Exchange {
	if r.Method == "PUT" && r.Body["comment"] != nil {
		r.Body = map[string]any{"comment": r.Body["comment"], "color": int64(0)}
	}
	return e.Device.Send(ctx, r, secrets)
}

type endless struct{ port.Device }

func (e endless) List(ctx context.Context, q port.ListQuery, yield func(map[string]any) bool) (port.ListInfo, error) {
	return e.Device.List(ctx, q, func(row map[string]any) bool { yield(row); return true })
}

type unfiltered struct{ port.Device }

func (u unfiltered) List(ctx context.Context, q port.ListQuery, yield func(map[string]any) bool) (port.ListInfo, error) {
	if len(q.Filter) > 1 {
		q.Filter = q.Filter[:1]
	}
	return u.Device.List(ctx, q, yield)
}

type fromOne struct{ port.Device }

func (f fromOne) List(ctx context.Context, q port.ListQuery, yield func(map[string]any) bool) (port.ListInfo, error) {
	q.Start = max(q.Start-1, 0)
	return f.Device.List(ctx, q, yield)
}

// remembering answers a probe from memory.
type remembering struct {
	port.Device
	last port.Identity
}

func (r *remembering) Probe(ctx context.Context) (port.Identity, error) {
	id, err := r.Device.Probe(ctx)
	if err != nil {
		return r.last, nil
	}
	r.last = id
	return id, nil
}

// similar gives another row where there is none.
type similar struct{ port.Device }

func (s similar) Object(ctx context.Context, at port.Location, key operation.Key) (map[string]any, error) {
	row, err := s.Device.Object(ctx, at, key)
	if err != nil && key == operation.TextKey("pt-none") {
		return s.Device.Object(ctx, at, operation.TextKey("all"))
	}
	return row, err
}

type greedy struct{ port.Device }

func (g greedy) Backup(ctx context.Context, v schema.Version, w io.Writer, _ int64) error {
	return g.Device.Backup(ctx, v, w, 1<<40)
}
