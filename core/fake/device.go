package fake

import (
	"fmt"
	"sync"

	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/schema"
)

// DeviceOptions say what a fake device is at the start. The zero value is an
// empty FortiGate 60F on 7.4.8 with the virtual domain root.
type DeviceOptions struct {
	Serial   string
	Version  string // as "v7.4.8"
	Build    int
	Hostname string
	Model    string
	// VDOMs are the virtual domains; the first is the management domain.
	VDOMs []string
	// Catalog describes the device's tables; where it is nil, Resources do, and
	// where they are empty, [Builtin] does.
	Catalog   port.Catalog
	Resources []schema.Resource
	// Rows are the first rows of each table, in the management domain. Tables
	// that others name come first in the alphabet or are put with [Device.Put].
	Rows []Row
	// Halted reports that the program under test has died: nothing that it still
	// sends arrives. [NewWorld] sets it.
	Halted func() bool
}

// Row is one object of a table or a singleton.
type Row struct {
	At     port.Location
	Object map[string]any
}

// Device is a FortiGate in memory. It implements [port.Devices] and, seen through
// the management domain, [port.Device].
type Device struct {
	mu         sync.Mutex
	identity   port.Identity
	management string
	vdoms      map[string]bool
	catalog    port.Catalog
	rows       store
	monitors   map[string]func(port.MonitorQuery) (any, error)
	actions    map[string]func(map[string]any) error
	rules      []*liveRule
	log        []Entry
	uuids      int
	halted     func() bool
}

var (
	_ port.Devices = (*Device)(nil)
	_ port.Device  = (*Device)(nil)
	_ port.Device  = (*connection)(nil)
)

// NewDevice makes a device. It fails where a first row does not fit its table.
func NewDevice(o DeviceOptions) (*Device, error) {
	d := &Device{
		identity: port.Identity{
			Serial: or(o.Serial, "FGT60FTK20000001"), Version: or(o.Version, "v7.4.8"), Hostname: or(o.Hostname, "fgt-demo"),
			Model: or(o.Model, "FGT60F"), Build: o.Build, Local: "192.0.2.10:50000", Remote: "192.0.2.1:443",
		},
		rows: store{}, vdoms: map[string]bool{}, catalog: o.Catalog, halted: o.Halted,
		monitors: map[string]func(port.MonitorQuery) (any, error){},
		actions:  map[string]func(map[string]any) error{},
	}
	if d.identity.Build == 0 {
		d.identity.Build = 2795
	}
	if len(o.VDOMs) == 0 {
		o.VDOMs = []string{"root"}
	}
	d.management = o.VDOMs[0]
	for _, v := range o.VDOMs {
		d.vdoms[v] = true
	}
	if d.catalog == nil {
		c, err := NewCatalog(o.Resources...)
		if err != nil {
			return nil, err
		}
		d.catalog = c
	}
	for _, r := range o.Rows {
		if err := d.Put(r.At, r.Object); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// Catalog is what the device knows of its tables.
func (d *Device) Catalog() port.Catalog { return d.catalog }

// SetIdentity changes who answers, as after a fail-over or an upgrade.
func (d *Device) SetIdentity(change func(*port.Identity)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(&d.identity)
}

// Answer sets what a monitor endpoint answers to GET; nil takes it back. The
// function must not call the device.
func (d *Device) Answer(resource string, answer func(q port.MonitorQuery) (any, error)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.monitors[resource] = answer
}

// OnAction sets what a monitor POST does; its error is the device's refusal. It
// must not call the device.
func (d *Device) OnAction(resource string, do func(params map[string]any) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.actions[resource] = do
}

func (d *Device) uuid() string {
	d.uuids++
	return fmt.Sprintf("00000000-0000-4000-8000-%012x", d.uuids)
}
