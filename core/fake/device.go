package fake

import (
	"fmt"
	"sync"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/core/wire"
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

// Put is somebody else's change: it creates the row, or replaces all its
// attributes. Nothing of it is logged and no fault strikes it.
func (d *Device) Put(at port.Location, object map[string]any) error {
	body, err := plainObject(object)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t, err := d.locate(at)
	if err != nil {
		return err
	}
	if t.resource.Kind == schema.Singleton {
		d.rows[t.at] = nil
		return orNil(d.updateSingleton(t, body))
	}
	t.key = plainText(body[t.resource.Key])
	i := d.rows.index(t.at, t.resource.Key, t.key)
	if i < 0 {
		_, no := d.create(t, body)
		return orNil(no)
	}
	fresh := d.defaults(t.resource.Attributes)
	for _, same := range []string{t.resource.Key, "uuid"} {
		if v, had := d.rows[t.at][i][same]; had {
			fresh[same] = v
		}
	}
	out, no := d.change(t.resource.Attributes, t.resource.Key, fresh, body, t.vdom)
	if no != nil {
		return no
	}
	d.rows[t.at][i] = out
	return nil
}

// Change is somebody else's change of some attributes of a row.
func (d *Device) Change(at port.Location, key operation.Key, attributes map[string]any) error {
	body, err := plainObject(attributes)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t, err := d.locate(at)
	if err != nil {
		return err
	}
	if t.resource.Kind == schema.Singleton {
		return orNil(d.updateSingleton(t, body))
	}
	t.key = key.String()
	_, no := d.update(t, body)
	return orNil(no)
}

// Remove is somebody else's delete; a row that is in use goes all the same.
func (d *Device) Remove(at port.Location, key operation.Key) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, err := d.locate(at)
	if err != nil {
		return err
	}
	i := d.rows.index(t.at, t.resource.Key, key.String())
	if i < 0 {
		return missing()
	}
	d.rows[t.at] = without(d.rows[t.at], i)
	return nil
}

// Move is somebody else's move.
func (d *Device) Move(at port.Location, key operation.Key, to operation.Position) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, err := d.locate(at)
	if err != nil {
		return err
	}
	t.key = key.String()
	if to.Before {
		return orNil(d.move(t, to.Anchor.String(), ""))
	}
	return orNil(d.move(t, "", to.Anchor.String()))
}

// Row is a row as the device keeps it, secrets in clear; the zero key means a
// singleton. The copy is the caller's.
func (d *Device) Row(at port.Location, key operation.Key) (object map[string]any, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, err := d.locate(at)
	if err != nil {
		return nil, false
	}
	r, ok := d.row(t, key)
	return clonedObject(r), ok
}

// Keys are the keys of a table in the device's order.
func (d *Device) Keys(at port.Location) []operation.Key {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, err := d.locate(at)
	if err != nil {
		return nil
	}
	return d.rows.keys(t.at, t.resource)
}

func (d *Device) locate(at port.Location) (target, error) {
	vdom := or(at.VDOM, d.management)
	t, no := d.routeTable(at.Resource, nil, vdom)
	if no != nil || !d.vdoms[vdom] {
		return target{}, fmt.Errorf("fake: the device has no %s in %q", at.Resource, vdom)
	}
	return t, nil
}

// orNil keeps a nil *refusal from becoming an error that is not nil.
func orNil(no *refusal) error {
	if no == nil {
		return nil
	}
	return no
}

func (d *Device) uuid() string {
	d.uuids++
	return fmt.Sprintf("00000000-0000-4000-8000-%012x", d.uuids)
}

// Call names the method of the port through which a request came.
type Call string

// The calls.
const (
	CallIdentity Call = "identity"
	CallObject   Call = "object"
	CallList     Call = "list"
	CallMonitor  Call = "monitor"
	CallSchema   Call = "schema"
	CallSend     Call = "send"
	CallProbe    Call = "probe"
	CallBackup   Call = "backup"
)

// Requests is everything that was asked of the device, oldest first.
func (d *Device) Requests() []Entry {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Entry(nil), d.log...)
}

// Writes are the requests of [port.DeviceWriter] that arrived, with or without
// effect, oldest first.
func (d *Device) Writes() []wire.Request {
	var list []wire.Request
	for _, e := range d.Requests() {
		if e.Call == CallSend && e.Arrived {
			list = append(list, e.Request)
		}
	}
	return list
}

// Forget empties the log of requests.
func (d *Device) Forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = nil
}
