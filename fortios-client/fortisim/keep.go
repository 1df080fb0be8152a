package fortisim

import (
	"maps"
	"slices"
)

// keep is a copy of the tables to go back to; entries are shared, since they
// never change.
func (d *Device) keep() map[tableKey]*table {
	out := make(map[tableKey]*table, len(d.tables))
	for k, t := range d.tables {
		out[k] = &table{list: slices.Clone(t.list), byKey: maps.Clone(t.byKey), changes: t.changes}
	}
	return out
}
