package fortisim

import "strings"

// afterCreate is what a new object brings along: an IPsec interface appears
// among the interfaces (D), a VDOM has its built-in objects.
func (d *Device) afterCreate(p place, e *entry) {
	if p.shape.path == "system/vdom" {
		d.openVDOM(e.text("name"))
	}
	if p.shape.path != "vpn.ipsec/phase1-interface" {
		return
	}
	interfaces, no := d.placeOf("system/interface", p.vdom)
	name := e.text("name")
	if no != nil || interfaces.table.find(name) != nil {
		return
	}
	tunnel := newEntry()
	for k, v := range map[string]any{"name": name, "vdom": p.vdom, "type": "tunnel", "interface": e.text("interface")} {
		if f := interfaces.shape.byName[k]; f != nil {
			tunnel.set(f, v)
		}
	}
	interfaces.table.add(name, tunnel)
	interfaces.table.changes++
}

// afterDelete is what goes with an object, and what stays in use for a while.
func (d *Device) afterDelete(p place, e *entry) {
	if p.shape.path == "system/vdom" {
		d.closeVDOM(e.text("name"))
	}
	if p.shape.path == "vpn.ipsec/phase1-interface" {
		interfaces, no := d.placeOf("system/interface", p.vdom)
		if no == nil && interfaces.table.find(e.text("name")) != nil {
			interfaces.table.remove(e.text("name"))
			interfaces.table.changes++
		}
	}
	if wait := d.behaviour().DeleteSettles; wait > 0 {
		d.eachReference(p.shape, e, func(ref, key string) {
			if t, ok := d.targetOf(ref); ok && t.child == nil {
				d.settles[t.shape.path+" "+key] = settling{d.options.Now().Add(wait)}
			}
		})
	}
}

// eachReference visits every value of e that may name another object.
func (d *Device) eachReference(s *shape, e *entry, visit func(ref, key string)) {
	for _, f := range s.fields {
		switch v := e.values[f.Name].(type) {
		case nil:
		case *entry:
			d.eachReference(f.child, v, visit)
		case []*entry:
			for _, row := range v {
				d.eachReference(f.child, row, visit)
			}
		default:
			for _, ref := range f.Refs {
				visit(ref, keyText(v))
			}
		}
	}
}

// inUseElsewhere are the users of what comes along with an object: those of
// the interface of a tunnel count for the tunnel (D).
func (d *Device) inUseElsewhere(p place, key string) []site {
	if p.shape.path != "vpn.ipsec/phase1-interface" {
		return nil
	}
	interfaces, err := d.shapeOf("system/interface")
	if err != nil {
		return nil
	}
	var out []site
	for _, u := range d.users(interfaces, p.vdom, key) {
		if !strings.HasPrefix(u.shape.path, "vpn.ipsec/phase1") {
			out = append(out, u)
		}
	}
	return out
}
