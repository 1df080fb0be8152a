package fake

import (
	"fmt"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/schema"
)

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
