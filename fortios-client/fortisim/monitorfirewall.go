package fortisim

import (
	"encoding/json"
	"net/netip"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

func firewallEndpoints() map[string]endpoint {
	old := catalog.Version{Major: 6, Minor: 4}
	return map[string]endpoint{
		"GET firewall/policy":                 {serve: policyCounters},
		"POST firewall/policy/reset":          {serve: resetCounters},
		"POST firewall/policy/clear_counters": {serve: resetCounters},
		"GET firewall/policy6":                {serve: none, before: old}, // gone since (R)
		"GET firewall/ippool":                 {serve: ippools},
		"GET firewall/load-balance":           {serve: none},
		"GET firewall/session":                {serve: sessions, before: catalog.Version{Major: 7, Minor: 2}},
		"GET firewall/sessions":               {serve: sessions, since: catalog.Version{Major: 7, Minor: 2}},
	}
}

// policyCounters: policy 0 is the implicit deny; a policy that was never hit has
// no more than its sessions and sums (R). In the simulator the enabled policies
// that accept are hit.
func policyCounters(d *Device, q *query) (any, *Refusal) {
	out := []object{{{"policyid", 0}, {"active_sessions", 0}, {"bytes", 0}, {"packets", 0}}}
	only := q.values.Get("policyid")
	if only != "" && only != "0" {
		out = []object{}
	}
	if q.values.Get("ip_version") == "ipv6" {
		return out, nil
	}
	for _, e := range d.rowsIn("firewall/policy", q) {
		if only == "" || only == keyText(e.values["policyid"]) {
			out = append(out, d.policyRow(e))
		}
	}
	return out, nil
}

func (d *Device) policyRow(e *entry) object {
	o := object{{"policyid", e.values["policyid"]}, {"uuid", e.text("uuid")}, {"uuid_type", "firewall.policy"}}
	hit := d.shown("firewall/policy", e, "action") == "accept" && d.shown("firewall/policy", e, "status") == "enable" && !d.countersReset
	if !hit {
		return append(o, member{"active_sessions", 0}, member{"bytes", 0}, member{"packets", 0})
	}
	n := counter(e.text("uuid"), 900_000)
	last := d.options.Now().Unix()
	return append(o, object{
		{"active_sessions", n % 9}, {"bytes", n * 700}, {"packets", n}, {"software_bytes", n * 200}, {"software_packets", n / 4},
		{"asic_bytes", n * 500}, {"asic_packets", n - n/4}, {"nturbo_bytes", 0}, {"nturbo_packets", 0}, {"last_used", last},
		{"first_used", d.began.Unix()}, {"hit_count", n / 100}, {"session_last_used", last}, {"session_first_used", d.began.Unix()}, {"session_count", n % 9},
	}...)
}

func resetCounters(d *Device, _ *query) (any, *Refusal) {
	d.countersReset = true
	return object{}, nil
}

// ippools by name (R).
func ippools(d *Device, q *query) (any, *Refusal) {
	out := object{}
	for _, e := range d.rowsIn("firewall/ippool", q) {
		addresses := span(d.shown("firewall/ippool", e, "startip"), d.shown("firewall/ippool", e, "endip"))
		blocks, size := atoi(d.shown("firewall/ippool", e, "num-blocks-per-user")), atoi(d.shown("firewall/ippool", e, "block-size"))
		total := addresses * 60416 / max(size, 1)
		out = append(out, member{e.text("name"), object{
			{"name", e.text("name")}, {"blocks", blocks}, {"block_size", size}, {"fixed_port", false}, {"pba_per_ip", total / max(addresses, 1)},
			{"used", 0}, {"total", total}, {"available", json.Number("100.0")}, {"clients", 0}, {"natip_in_use", 0}, {"natip_total", addresses},
		}})
	}
	return out, nil
}

// span is the number of addresses from one to another, at most 65536.
func span(from, to string) int {
	a, errA := netip.ParseAddr(from)
	b, errB := netip.ParseAddr(to)
	n := 0
	for ; errA == nil && errB == nil && a.Compare(b) <= 0 && n < 65536; a = a.Next() {
		n++
	}
	return n
}

func sessions(*Device, *query) (any, *Refusal) {
	return object{{"summary", object{{"session_count_ipv4", 0}, {"session_count_ipv6", 0}}}, {"details", []object{}}}, nil
}
