package fortisim

// keep is a copy of the tables to go back to; entries are shared, since they
// never change.
func (d *Device) keep() map[tableKey]*table {
	out := make(map[tableKey]*table, len(d.tables))
	for k, t := range d.tables {
		out[k] = t.copied()
	}
	return out
}
