package fortisim

import (
	"encoding/json"
	"fmt"
	"strconv"
)

func networkEndpoints() map[string]endpoint {
	return map[string]endpoint{
		"GET system/interface":            {serve: interfaces},
		"GET system/link-monitor":         {serve: linkMonitors},
		"GET virtual-wan/health-check":    {serve: healthChecks},
		"GET system/sdn-connector/status": {serve: sdnConnectors},
		"GET vpn/ipsec":                   {serve: tunnels},
		"GET vpn/ssl":                     {serve: none},
		"GET vpn/ssl/stats":               {serve: sslStats},
		"GET user/fsso":                   {serve: fsso},
		"GET router/ipv4":                 {serve: routingTable},
		"GET network/dns/latency":         {serve: dnsLatency},
		"GET system/ntp/status":           {serve: ntpStatus},
	}
}

// none is an endpoint with nothing to list.
func none(*Device, *query) (any, *Refusal) { return []object{}, nil }

// rowsIn are the rows of a table as a VDOM sees them; none where the release
// does not have it.
func (d *Device) rowsIn(path string, q *query) []*entry {
	p, no := d.placeOf(path, q.vdom)
	if no != nil {
		return nil
	}
	var out []*entry
	for e := range each(d.visible(p.shape, q.view())) {
		out = append(out, e)
	}
	return out
}

// shown is an attribute of a row as text, its default where it is not set.
func (d *Device) shown(path string, e *entry, attribute string) string {
	s, err := d.shapeOf(path)
	if err != nil || s.byName[attribute] == nil {
		return ""
	}
	return keyText(e.value(s.byName[attribute]))
}

// interfaces are counted by name. VLANs and aggregates are there only if asked
// for (D). speed is whole or with a fraction (R both).
func interfaces(d *Device, q *query) (any, *Refusal) {
	out := object{}
	for _, e := range d.rowsIn("system/interface", q) {
		name, kind := e.text("name"), d.shown("system/interface", e, "type")
		only := q.values.Get("interface_name")
		if only != "" && only != name || kind == "vlan" && !set(q, "include_vlan") || kind == "aggregate" && !set(q, "include_aggregate") {
			continue
		}
		out = append(out, member{name, d.interfaceRow(name, kind, e)})
	}
	now := d.options.Now()
	return versed{fmt.Sprintf("%d.%06d", now.Unix(), now.Nanosecond()/1000), out}, nil
}

func (d *Device) interfaceRow(name, kind string, e *entry) object {
	up := d.shown("system/interface", e, "status") != "down"
	ip, bits := "0.0.0.0", 0
	if p, ok := prefixOf(d.shown("system/interface", e, "ip")); ok {
		ip, bits = p.Addr().String(), p.Bits()
	}
	o := object{
		{"id", name}, {"name", name}, {"alias", e.text("alias")}, {"mac", d.shown("system/interface", e, "macaddr")}, {"ip", ip}, {"mask", bits}, {"link", up},
	}
	speed, duplex, traffic := "0", 0, 0
	if up {
		speed, duplex, traffic = "1000", 1, 1
		if counter(name, 2) == 1 {
			speed = "1000.0"
		}
	}
	o = append(o, member{"speed", json.Number(speed)}, member{"duplex", duplex})
	for _, way := range []string{"tx", "rx"} {
		o = append(o, member{way + "_packets", traffic * counter(name+way, 90_000)})
	}
	for _, way := range []string{"tx", "rx"} {
		o = append(o, member{way + "_bytes", traffic * 700 * counter(name+way, 90_000)})
	}
	o = append(o, member{"tx_errors", 0}, member{"rx_errors", 0})
	if kind == "vlan" {
		id, _ := strconv.Atoi(d.shown("system/interface", e, "vlanid"))
		o = append(o, member{"vlanid", id}, member{"interface", e.text("interface")})
	}
	return o
}

// probe is a link whose state is measured; one whose interface is down has a
// state and no measurements (R).
func (d *Device) probe(q *query, port string) object {
	for _, e := range d.rowsIn("system/interface", q) {
		if e.text("name") == port && d.shown("system/interface", e, "status") != "down" {
			return object{
				{"status", "up"}, {"latency", json.Number("6.25")}, {"jitter", json.Number("0.5")}, {"packet_loss", 0},
				{"packet_sent", 2788}, {"packet_received", 2788}, {"session", 12}, {"tx_bandwidth", 6865}, {"rx_bandwidth", 3355},
				{"state_changed", d.began.Unix()},
			}
		}
	}
	return object{{"status", "error"}}
}

func linkMonitors(d *Device, q *query) (any, *Refusal) {
	out := object{}
	for _, e := range d.rowsIn("system/link-monitor", q) {
		port := e.text("srcintf")
		out = append(out, member{e.text("name"), object{{port, d.probe(q, port)}}})
	}
	return out, nil
}

func healthChecks(d *Device, q *query) (any, *Refusal) {
	out := object{}
	for _, sdwan := range d.rowsIn("system/sdwan", q) {
		for _, check := range sdwan.rows("health-check") {
			ports := object{}
			for _, member := range sdwan.rows("members") {
				port := member.text("interface")
				row := d.probe(q, port)
				row.put("sla_targets_met", []any{1})
				ports.put(port, row)
			}
			out.put(check.text("name"), ports)
		}
	}
	return out, nil
}

func sdnConnectors(d *Device, q *query) (any, *Refusal) {
	out := []object{}
	for _, e := range d.rowsIn("system/sdn-connector", q) {
		state := map[bool]string{true: "Up", false: "Down"}[d.shown("system/sdn-connector", e, "status") != "disable"]
		out = append(out, object{
			{"name", e.text("name")}, {"type", d.shown("system/sdn-connector", e, "type")}, {"status", state}, {"updating", false}, {"last_update", d.began.Unix()},
		})
	}
	return out, nil
}

// tunnels are the IPsec interfaces with their selectors (C).
func tunnels(d *Device, q *query) (any, *Refusal) {
	out := []object{}
	for _, e := range d.rowsIn("vpn.ipsec/phase1-interface", q) {
		name := e.text("name")
		selectors := []object{}
		for i, s := range d.rowsIn("vpn.ipsec/phase2-interface", q) {
			if s.text("phase1name") == name {
				selectors = append(selectors, object{
					{"p2name", s.text("name")}, {"p2serial", i + 1}, {"status", "up"}, {"expire", 3600},
					{"incoming_bytes", counter(name+"in", 900_000)}, {"outgoing_bytes", counter(name+"out", 900_000)},
				})
			}
		}
		kind := map[bool]string{true: "dialup", false: "automatic"}[d.shown("vpn.ipsec/phase1-interface", e, "type") == "dynamic"]
		out = append(out, object{
			{"name", name}, {"comments", e.text("comments")}, {"type", kind}, {"rgwy", e.text("remote-gw")}, {"wizard-type", "custom"},
			{"connection_count", len(selectors)}, {"creation_time", d.began.Unix()}, {"username", ""},
			{"incoming_bytes", counter(name+"in", 900_000)}, {"outgoing_bytes", counter(name+"out", 900_000)}, {"proxyid", selectors},
		})
	}
	return out, nil
}

func sslStats(*Device, *query) (any, *Refusal) {
	peak, now := 7, 0
	figures := func(n int) object { return object{{"users", n}, {"tunnels", n}, {"connections", n}} }
	return object{{"conserve_mode", false}, {"max", figures(peak)}, {"current", figures(now)}}, nil
}

func fsso(d *Device, q *query) (any, *Refusal) {
	out := []object{}
	for i, e := range d.rowsIn("user/fsso", q) {
		out = append(out, object{{"id", i + 1}, {"name", e.text("name")}, {"type", "fsso"}, {"status", "disconnected"}})
	}
	return out, nil
}

// routingTable are the static routes and the connected networks (D).
func routingTable(d *Device, q *query) (any, *Refusal) {
	out := []object{}
	route := func(kind, mask, gateway, port string, distance int) {
		out = append(out, object{
			{"ip_version", 4}, {"type", kind}, {"ip_mask", mask}, {"distance", distance}, {"metric", 0}, {"priority", 0}, {"vrf", 0},
			{"gateway", gateway}, {"interface", port},
		})
	}
	for _, e := range d.rowsIn("router/static", q) {
		if p, ok := prefixOf(d.shown("router/static", e, "dst")); ok && d.shown("router/static", e, "status") != "disable" {
			route("static", p.String(), d.shown("router/static", e, "gateway"), e.text("device"), atoi(d.shown("router/static", e, "distance")))
		}
	}
	for _, e := range d.rowsIn("system/interface", q) {
		if p, ok := prefixOf(d.shown("system/interface", e, "ip")); ok && p.Bits() > 0 && d.shown("system/interface", e, "status") != "down" {
			route("connect", p.Masked().String(), "0.0.0.0", e.text("name"), 0)
		}
	}
	return out, nil
}

func dnsLatency(d *Device, _ *query) (any, *Refusal) {
	out := []object{}
	for _, name := range []string{"primary", "secondary"} {
		if ip := d.word("system/dns", name); ip != "" && ip != "0.0.0.0" {
			out = append(out, object{{"service", "dns"}, {"latency", 12}, {"last_update", d.began.Unix()}, {"ip", ip}})
		}
	}
	return out, nil
}

func ntpStatus(d *Device, q *query) (any, *Refusal) {
	out := []object{}
	for _, ntp := range d.rowsIn("system/ntp", q) {
		for _, e := range ntp.rows("ntpserver") {
			out = append(out, object{
				{"ip", e.text("server")}, {"server", e.text("server")}, {"reachable", true}, {"expires", 60}, {"selected", len(out) == 0}, {"version", 4},
				{"stratum", 2}, {"reftime", d.began.Unix()}, {"offset", json.Number("0.25")}, {"delay", json.Number("5.5")},
				{"dispersion", json.Number("1.5")}, {"peer_dispersion", 2},
			})
		}
	}
	return out, nil
}
