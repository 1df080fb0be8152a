package engine

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
)

// attributed is a device whose failures say of which profile and address they are, where that
// is what the reader has to look at: the way to the device, and what it lets the token do.
type attributed struct {
	port.Device
	profile profile.Profile
}

func (d attributed) told(err error) error {
	if err == nil {
		return nil
	}
	f := *fault.From(err)
	if !concernsTheWay(f.Code) {
		return err
	}
	f.Message = whose(d.profile.Name, d.profile.Host, d.profile.Port) + f.Message
	return f.With("profile", d.profile.Name).With("host", hostAndPort(d.profile.Host, d.profile.Port))
}

// concernsTheWay reports whether a failure is about the way to a device, or about what it
// lets the token do.
func concernsTheWay(code fault.Code) bool {
	return slices.Contains([]fault.Code{fault.Auth, fault.PermissionDenied, fault.DeviceUnreachable, fault.TLS, fault.NotFortiOS}, code)
}

// whose begins a message about a profile's device.
func whose(profile, host string, port int) string {
	return "profile " + profile + " (" + hostAndPort(host, port) + "): "
}

// hostAndPort is an address; one of IPv6 stands in brackets.
func hostAndPort(host string, port int) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + strconv.Itoa(port)
}

// Identity tells who answers.
func (d attributed) Identity(ctx context.Context) (port.Identity, error) {
	id, err := d.Device.Identity(ctx)
	return id, d.told(err)
}

// Probe tells who answers, over a connection of its own.
func (d attributed) Probe(ctx context.Context) (port.Identity, error) {
	id, err := d.Device.Probe(ctx)
	return id, d.told(err)
}

// Object reads one row or a singleton.
func (d attributed) Object(ctx context.Context, at port.Location, key operation.Key) (map[string]any, error) {
	object, err := d.Device.Object(ctx, at, key)
	return object, d.told(err)
}

// List reads rows.
func (d attributed) List(ctx context.Context, q port.ListQuery, yield func(row map[string]any) bool) (port.ListInfo, error) {
	info, err := d.Device.List(ctx, q, yield)
	return info, d.told(err)
}

// Rows reads rows as JSON text, as the device wrote them where they can be had like that.
func (d attributed) Rows(ctx context.Context, q port.ListQuery, yield func(row []byte) bool) (port.ListInfo, error) {
	if device, ok := d.Device.(port.RowReader); ok {
		info, err := device.Rows(ctx, q, yield)
		return info, d.told(err)
	}
	return inText(func(yield func(row map[string]any) bool) (port.ListInfo, error) { return d.List(ctx, q, yield) }, yield)
}

// inText is a listing with each row as JSON text.
func inText(list func(yield func(row map[string]any) bool) (port.ListInfo, error), yield func(row []byte) bool) (port.ListInfo, error) {
	var bad error
	info, err := list(func(row map[string]any) bool {
		var text []byte
		if text, bad = envelope.JSON(row); bad != nil {
			return false
		}
		return yield(text)
	})
	return info, cmp.Or(err, bad)
}

// Row reads one row or a singleton as JSON text.
func (d attributed) Row(ctx context.Context, at port.Location, key operation.Key) ([]byte, error) {
	if device, ok := d.Device.(port.RowReader); ok {
		text, err := device.Row(ctx, at, key)
		return text, d.told(err)
	}
	object, err := d.Object(ctx, at, key)
	if err != nil {
		return nil, err
	}
	return envelope.JSON(object)
}

// Monitor reads a monitor endpoint.
func (d attributed) Monitor(ctx context.Context, q port.MonitorQuery) (any, error) {
	data, err := d.Device.Monitor(ctx, q)
	return data, d.told(err)
}

// Schema reads the device's own description of a resource.
func (d attributed) Schema(ctx context.Context, at port.Location) (map[string]any, error) {
	description, err := d.Device.Schema(ctx, at)
	return description, d.told(err)
}

// Backup saves the configuration.
func (d attributed) Backup(ctx context.Context, version schema.Version, w io.Writer, limit int64) error {
	return d.told(d.Device.Backup(ctx, version, w, limit))
}
