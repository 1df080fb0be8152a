package fake

import (
	"context"
	"io"
	"strings"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/core/wire"
)

// connection is the device seen through one profile.
type connection struct {
	*Device
	vdom string
}

// Open connects a profile. It sends nothing.
func (d *Device) Open(_ context.Context, p profile.Profile) (port.Device, error) {
	return &connection{Device: d, vdom: p.VDOM}, nil
}

// Close does nothing: there is no connection to end.
func (d *Device) Close() error { return nil }

// Identity asks as the management domain; see [port.DeviceReader].
func (d *Device) Identity(ctx context.Context) (port.Identity, error) {
	return d.who(ctx, CallIdentity, "")
}

// Identity asks as the profile's virtual domain.
func (c *connection) Identity(ctx context.Context) (port.Identity, error) {
	return c.who(ctx, CallIdentity, c.vdom)
}

// Probe asks as the management domain; see [port.Prober].
func (d *Device) Probe(ctx context.Context) (port.Identity, error) {
	return d.who(ctx, CallProbe, "")
}

// Probe asks as the profile's virtual domain.
func (c *connection) Probe(ctx context.Context) (port.Identity, error) {
	return c.who(ctx, CallProbe, c.vdom)
}

func (d *Device) who(ctx context.Context, call Call, vdom string) (port.Identity, error) {
	r := get("monitor/system/status", vdom)
	var id port.Identity
	e, _ := d.do(ctx, call, r, func() answer {
		a := d.ask(r, func(t target) answer { return answer{results: d.statusResults()} })
		id = d.identity
		return a
	})
	if err := readError(e, r); err != nil {
		return port.Identity{}, err
	}
	if !serialForm(e.Serial) {
		return port.Identity{}, fault.New(fault.NotFortiOS, "what answered names no FortiGate serial number; check the profile's host and port")
	}
	id.Serial, id.VDOM = e.Serial, e.VDOM
	return id, nil
}

// Object reads one row; see [port.DeviceReader].
func (d *Device) Object(ctx context.Context, at port.Location, key operation.Key) (map[string]any, error) {
	r := getRow(at, key)
	if err := checkKey(key); err != nil {
		return nil, err
	}
	e, a := d.do(ctx, CallObject, r, func() answer {
		return d.ask(r, func(t target) answer {
			stored, ok := d.row(t, key)
			if !ok || t.resource.Kind == schema.Monitor {
				no := missing().answer()
				no.mkey = key.String()
				return no
			}
			return answer{results: present(t.resource, stored, nil), mkey: key.String()}
		})
	})
	if err := readError(e, r); err != nil {
		return nil, err
	}
	object, _ := a.results.(map[string]any)
	return object, nil
}

func checkKey(key operation.Key) error {
	if key.IsZero() {
		return nil
	}
	if err := key.Check(); err != nil {
		return fault.Wrap(err, fault.NotFound, "no row can have this key: %s", err)
	}
	return nil
}

// Monitor reads a monitor endpoint; see [port.DeviceReader].
func (d *Device) Monitor(ctx context.Context, q port.MonitorQuery) (any, error) {
	r := get(q.At.Resource, q.At.VDOM)
	r.Query = append(r.Query, q.Params...)
	e, a := d.do(ctx, CallMonitor, r, func() answer {
		return d.ask(r, func(t target) answer { return d.monitor(t, q) })
	})
	if err := readError(e, r); err != nil {
		return nil, err
	}
	return a.results, nil
}

// Schema gives the device's own description; see [port.DeviceReader].
func (d *Device) Schema(ctx context.Context, at port.Location) (map[string]any, error) {
	r := get(at.Resource, at.VDOM)
	r.Query = append(r.Query, wire.Pair{Name: "action", Value: "schema"})
	e, a := d.do(ctx, CallSchema, r, func() answer {
		return d.ask(r, func(t target) answer { return answer{results: node(t.resource)} })
	})
	if err := readError(e, r); err != nil {
		return nil, err
	}
	object, _ := a.results.(map[string]any)
	return object, nil
}

// Send sends one write; see [port.DeviceWriter].
func (d *Device) Send(ctx context.Context, request wire.Request, secrets map[string]string) exchange.Exchange {
	body, ok := filled(request.Body, secrets)
	if !ok {
		return exchange.Exchange{Failure: exchange.FailDial, Text: "a secret of the request is missing; nothing was sent"}
	}
	sent := request
	sent.Body, _ = body.(map[string]any)
	e, _ := d.do(ctx, CallSend, request, func() answer {
		t, no := d.route(sent)
		if no != nil {
			return d.refuse(t, no)
		}
		a := d.write(t, sent)
		a.cli = hidden(a.cli, secrets)
		return a
	})
	return e
}

// hidden masks the secrets in a text of the device: it repeats the values that
// it does not like.
func hidden(s string, secrets map[string]string) string {
	for _, value := range secrets {
		if value != "" {
			s = strings.ReplaceAll(s, value, redact.Mask)
		}
	}
	return s
}

// filled puts the secrets in the place of their references; ok is false where
// one is missing.
func filled(v any, secrets map[string]string) (out any, ok bool) {
	switch x := v.(type) {
	case map[string]any:
		if ref, is := x["$secret"]; is {
			name, _ := ref.(string)
			value, given := secrets[name]
			return value, given
		}
		object := make(map[string]any, len(x))
		for name, item := range x {
			if object[name], ok = filled(item, secrets); !ok {
				return nil, false
			}
		}
		if x == nil {
			object = nil
		}
		return object, true
	case []any:
		list := make([]any, len(x))
		for i := range x {
			if list[i], ok = filled(x[i], secrets); !ok {
				return nil, false
			}
		}
		return list, true
	case int:
		return int64(x), true
	}
	return v, true
}

// Backup streams the configuration; see [port.BackupSource].
func (d *Device) Backup(ctx context.Context, version schema.Version, w io.Writer, limit int64) error {
	r := wire.Request{Method: "GET", Path: wire.Prefix + "monitor/system/config/backup", Query: []wire.Pair{{Name: "scope", Value: "global"}}}
	if version.Compare(schema.Version{Major: 7}) >= 0 {
		r.Method = "POST"
	}
	e, a := d.do(ctx, CallBackup, r, func() answer { return answer{status: 200, vdom: d.management, results: d.configuration()} })
	if err := readError(e, r); err != nil && fault.CodeOf(err) != fault.NotFortiOS {
		return err
	} else if err != nil {
		return fault.Wrap(err, fault.DeviceError, "the device's answer is not a configuration; no backup was made")
	}
	configuration, _ := a.results.(string)
	if int64(len(configuration)) > limit {
		_, _ = io.WriteString(w, configuration[:max(limit, 0)])
		return fault.New(fault.DeviceError, "the configuration is larger than %d bytes; no backup was made", limit)
	}
	_, err := io.WriteString(w, configuration)
	return err
}
