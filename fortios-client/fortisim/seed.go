package fortisim

// seedRow is one object of a seed.
type seedRow struct {
	path, key string
	values    values
}

// NamedSeed is the seed of that name: "branch" or "factory". False if there is
// none.
func NamedSeed(name string) (Seed, bool) {
	switch name {
	case "branch":
		return Branch, true
	case "factory":
		return Factory, true
	}
	return nil, false
}

type values = map[string]any

// members is a list of rows that have just a name.
func members(list ...string) []any { return rowsOf("name", list...) }

func rowsOf(key string, list ...string) []any {
	out := make([]any, 0, len(list))
	for _, name := range list {
		out = append(out, values{key: name})
	}
	return out
}

// plant puts rows into a VDOM, in order. Tables that the release does not have
// are left out.
func plant(d *Device, vdom string, rows []seedRow) error {
	for _, row := range rows {
		if !d.Has(row.path) {
			continue
		}
		if err := d.Put(vdom, row.path, row.key, row.values); err != nil {
			return err
		}
	}
	return nil
}

// Has says whether the device's release has a configuration resource.
func (d *Device) Has(path string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, err := d.shapeOf(path)
	return err == nil
}

// VDOMs are the virtual domains; the first one manages the device.
func (d *Device) VDOMs() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.options.VDOMs...)
}
