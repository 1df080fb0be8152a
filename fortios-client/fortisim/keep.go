package fortisim

import "slices"

// kept is a state to go back to.
type kept struct {
	tables map[tableKey]*table // copies; entries are shared, since they never change
	vdoms  []string
}

// keep copies the tables.
func (d *Device) keep() kept {
	k := kept{tables: make(map[tableKey]*table, len(d.tables)), vdoms: slices.Clone(d.options.VDOMs)}
	for key, t := range d.tables {
		k.tables[key] = t.copied()
	}
	return k
}

// restore goes back. A kept state can be restored once.
func (d *Device) restore(k kept) { d.tables, d.options.VDOMs = k.tables, k.vdoms }
