package fortisim

import "slices"

// admitVDOM refuses to put an object into another VDOM from one that does not
// manage the device (U), and a VDOM where the device has just one (U).
func (d *Device) admitVDOM(p place, body object) *Refusal {
	if p.device {
		return nil
	}
	if p.shape.path == "system/vdom" && d.setting("system/global", "vdom-mode") != "multi-vdom" {
		return &Refusal{Status: 424, Number: -7, CLI: "multi-VDOM mode is not enabled\n"}
	}
	raw, given := body.get("vdom")
	owner, isText := raw.(string)
	if !given || !isText || p.shape.scope != "both" || d.behaviour().InterfaceInAnyVDOM {
		return nil
	}
	if owner != p.vdom && p.vdom != d.options.VDOMs[0] && !p.global {
		return refused(-3, "node_check_object fail! for vdom "+owner+"\n\nvalue parse error before '"+owner+"'\n")
	}
	return nil
}

// openVDOM fills a new VDOM with what FortiOS brings along.
func (d *Device) openVDOM(name string) {
	if d.hasVDOM(name) {
		return
	}
	d.options.VDOMs = append(slices.Clone(d.options.VDOMs), name)
	for _, row := range builtIn() {
		if _, err := d.shapeOf(row.path); err == nil {
			_ = d.upsert(name, row.path, row.key, row.values) // the same rows were taken at the start
		}
	}
}

// closeVDOM forgets a VDOM and everything in it.
func (d *Device) closeVDOM(name string) {
	d.options.VDOMs = slices.DeleteFunc(slices.Clone(d.options.VDOMs), func(v string) bool { return v == name })
	for k := range d.tables {
		if k.vdom == name {
			delete(d.tables, k)
		}
	}
}
