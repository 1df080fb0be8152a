package engine_test

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
)

func otherSerial(id *port.Identity) { id.Serial = "FGT60FTK00000099" }

func otherBuild(id *port.Identity) { id.Build++ }

// altered is devices whose backups pass through somebody's hands.
type altered struct {
	port.Devices
	change func(text string) string
}

func (d altered) Open(ctx context.Context, p profile.Profile) (port.Device, error) {
	device, err := d.Devices.Open(ctx, p)
	return alteredDevice{device, d.change}, err
}

type alteredDevice struct {
	port.Device
	change func(text string) string
}

func (d alteredDevice) Backup(ctx context.Context, v schema.Version, w io.Writer, limit int64) error {
	var b bytes.Buffer
	if err := d.Device.Backup(ctx, v, &b, limit); err != nil {
		return err
	}
	_, err := io.WriteString(w, d.change(b.String()))
	return err
}

func cut(n int) func(text string) string { return func(text string) string { return text[:n] } }

func swap(from, to string) func(text string) string {
	return func(text string) string { return strings.Replace(text, from, to, 1) }
}

// fullStore holds n plans.
type fullStore struct {
	port.Plans
	n int
}

func (s fullStore) List(context.Context) ([]plan.ID, error) {
	return slices.Repeat([]plan.ID{plan.NewID(fake.Start, [plan.RandomBytes]byte{})}, s.n), nil
}

// untyped is devices whose monitor endpoints all give one answer.
type untyped struct {
	*fake.Device
	answer any
}

func (d untyped) Open(context.Context, profile.Profile) (port.Device, error) { return d, nil }

func (d untyped) Monitor(context.Context, port.MonitorQuery) (any, error) { return d.answer, nil }

// described is devices that know more attributes than the catalog.
type described struct{ *fake.Device }

func (d described) Open(context.Context, profile.Profile) (port.Device, error) { return d, nil }

func (d described) Schema(ctx context.Context, at port.Location) (map[string]any, error) {
	v, err := d.Device.Schema(ctx, at)
	if children, ok := v["children"].(map[string]any); ok {
		children["newer"], children["brand-new"] = map[string]any{}, map[string]any{}
	}
	return v, err
}
