package fortiosdevice

import (
	"context"
	"errors"
	"net/http"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/fortios-client/fortios"
)

// Device is one FortiGate over HTTPS. Its requests go out one after the other, on
// a connection on which an answer arrived within the last two seconds or else on
// a fresh one; after any doubtful answer the next request is on a fresh one.
type Device struct {
	client *fortios.Client
	// vdom is the profile's: it goes along where a resource has none, because a
	// token that is limited to some VDOMs is refused without.
	vdom string
	// proxied: the connection's addresses are the proxy's and say nothing.
	proxied  bool
	readOnly bool
	// serial is that of the unit that said first who it is, "" until then.
	serial string
}

// sameUnit refuses an answer of another unit than the one that said who it is:
// between two requests a cluster may fail over, and what one unit has says nothing
// of the other.
func (d *Device) sameUnit(serial, what string) error {
	if d.serial == "" || serial == "" || serial == d.serial {
		return nil
	}
	return fault.New(fault.StalePlan, "%s was answered by the device %s and what came before by %s: a cluster failed over, or another unit has taken the address; begin again", what, serial, d.serial).
		With("reason", "serial").With("planned", d.serial).With("found", serial)
}

var (
	_ port.Device    = (*Device)(nil)
	_ port.RowReader = (*Device)(nil)
)

// Close ends the connection that is kept for reuse.
func (d *Device) Close() error {
	d.client.Close()
	return nil
}

// Identity asks the device who it is, in the profile's VDOM.
func (d *Device) Identity(ctx context.Context) (port.Identity, error) {
	id, err := d.ask(ctx, false)
	if err == nil {
		d.serial = id.Serial
	}
	return id, err
}

// Probe is Identity over a connection made for this one question.
func (d *Device) Probe(ctx context.Context) (port.Identity, error) { return d.ask(ctx, true) }

const (
	statusPath = "/api/v2/monitor/system/status"
	statusName = "the device's identity"
)

func (d *Device) ask(ctx context.Context, fresh bool) (port.Identity, error) {
	request := fortios.Request{Method: http.MethodGet, Path: statusPath, Query: d.scope(), Fresh: fresh}
	answer := d.client.Do(ctx, request)
	if err := answer.Fault(); err != nil {
		return port.Identity{}, failure(err, statusName)
	}
	envelopes, err := fortios.DecodeEnvelope(answer.Body)
	if err != nil {
		return port.Identity{}, failure(err, statusName)
	}
	if len(envelopes) != 1 {
		return port.Identity{}, strange(statusName, "several VDOMs answered where one was asked")
	}
	id, err := d.identity(&envelopes[0])
	if !d.proxied {
		id.Local, id.Remote = answer.Local, answer.Remote
	}
	return id, err
}

func (d *Device) scope() [][2]string {
	if d.vdom == "" {
		return nil
	}
	return [][2]string{{"vdom", d.vdom}}
}

// identity reads the envelope, whose serial number the client has checked for its
// form. Releases before 6.4 tell no host name and no model.
func (d *Device) identity(e *fortios.Envelope) (port.Identity, error) {
	if e.Serial == "" {
		return port.Identity{}, fault.New(fault.NotFortiOS,
			"what answered names no FortiGate serial number; check the profile's host and port")
	}
	if d.vdom != "" && e.VDOM != "" && e.VDOM != d.vdom {
		return port.Identity{}, strange(statusName, "the answer comes from VDOM "+shorten(e.VDOM)+" and not from "+d.vdom)
	}
	id := port.Identity{Serial: e.Serial, Version: e.Version, Build: e.Build, VDOM: e.VDOM}
	if len(e.Results) == 0 {
		return id, nil
	}
	results, err := value(e.Results, statusName)
	if err != nil {
		return port.Identity{}, err
	}
	told, _ := results.(map[string]any)
	id.Hostname, _ = told["hostname"].(string)
	id.Model, _ = told["model"].(string)
	return id, nil
}

// value decodes what a device sent as a canonical value.
func value(raw []byte, what string) (any, error) {
	v, err := canon.DecodeLoose(raw)
	if err != nil {
		return nil, fault.Wrap(err, fault.DeviceError,
			"%s: the device's answer cannot be read without guessing (a name that stands twice, or text that is not UTF-8); look at it on the device", what)
	}
	return v, nil
}

func object(raw []byte, what string) (map[string]any, error) {
	v, err := value(raw, what)
	if err != nil {
		return nil, err
	}
	row, ok := v.(map[string]any)
	if !ok {
		return nil, strange(what, "the device answered with something that is not an object")
	}
	return row, nil
}

func clientError(err error) *fortios.Error {
	var e *fortios.Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// named is a resource, or one of its objects, as it stands in a message.
func named(resource, key string) string {
	if key == "" {
		return shorten(resource)
	}
	return shorten(resource) + " " + redact.Line(redact.EscapeName(key), nameColumns)
}
