package fortisim

import "strconv"

// clusterEndpoints are about high availability: the simulated device is a
// cluster of one, or of two where system/ha has another mode than standalone.
func clusterEndpoints() map[string]endpoint {
	return map[string]endpoint{
		"GET system/ha-peer":       {serve: haPeers},
		"GET system/ha-checksums":  {serve: haChecksums},
		"GET system/ha-statistics": {serve: haStatistics},
	}
}

// unit is a member of the cluster.
type unit struct {
	serial, hostname string
	priority         int64
}

func (d *Device) units() []unit {
	priority, _ := d.setting("system/ha", "priority").(int64)
	list := []unit{{d.serial, d.hostname(), priority}}
	if mode := d.word("system/ha", "mode"); mode != "standalone" && mode != "" {
		list = append(list, unit{d.serial + "B", d.hostname() + "-b", max(priority-20, 0)})
	}
	return list
}

func haPeers(d *Device, _ *query) (any, *Refusal) {
	out := []object{}
	for _, u := range d.units() {
		out = append(out, object{{"hostname", u.hostname}, {"priority", u.priority}, {"serial_no", u.serial}, {"vcluster_id", 0}})
	}
	return out, nil
}

// haChecksums: 0 and 1 for who leads (R); from 7.0 also under the names of today
// (D).
func haChecksums(d *Device, _ *query) (any, *Refusal) {
	out := []object{}
	sums := object{{"global", d.hash("global", d.allChanges(""))}}
	for _, vdom := range d.options.VDOMs {
		sums = append(sums, member{vdom, d.hash(vdom, d.allChanges(vdom))})
	}
	sums = append(sums, member{"all", d.hash("all", d.allChanges("*"))})
	for i, u := range d.units() {
		leads := 1 - min(i, 1)
		o := object{{"is_manage_master", leads}, {"is_root_master", leads}}
		if atLeast(d.options.Version, 7, 0, 0) {
			o = append(o, member{"is_manage_primary", leads}, member{"is_root_primary", leads})
		}
		out = append(out, append(o, member{"checksum", sums}, member{"serial_no", u.serial}))
	}
	return versed{strconv.FormatInt(d.options.Now().Unix(), 10), out}, nil
}

// allChanges counts the changes in a VDOM, "" for what they share, "*" for all.
func (d *Device) allChanges(vdom string) int {
	n := 0
	for k, t := range d.tables {
		if vdom == "*" || k.vdom == vdom {
			n += t.changes
		}
	}
	return n
}

func haStatistics(d *Device, _ *query) (any, *Refusal) {
	out := []object{}
	for i, u := range d.units() {
		out = append(out, object{
			{"hostname", u.hostname}, {"serial_no", u.serial}, {"tnow", d.options.Now().Unix() - d.began.Unix()}, {"sessions", 120 - 100*min(i, 1)},
			{"tpacket", counter(u.serial, 900_000)}, {"vir_usage", 0}, {"net_usage", 12}, {"tbyte", counter(u.serial+"b", 900_000)},
			{"intr_usage", 0}, {"cpu_usage", 3}, {"mem_usage", 41},
		})
	}
	return out, nil
}
