package fortisim

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// firmware lists what could be installed (R: the members; the images are made
// up).
func firmware(d *Device, _ *query) (any, *Refusal) {
	image := func(v catalog.Version, build int, source string) object {
		return object{
			{"branch-point", build}, {"build", build}, {"id", fmt.Sprintf("%02d%03d%03dFIMG0000000000", v.Major, v.Minor, v.Patch)},
			{"major", v.Major}, {"maturity", "M"}, {"minor", v.Minor}, {"name", "FortiOS"}, {"notes", "https://example.com/release-notes"},
			{"patch", v.Patch}, {"release-type", "GA"}, {"source", source}, {"version", "v" + v.String()},
		}
	}
	v := d.options.Version
	current := append(image(v, d.options.Build, "installed"), member{"platform-id", d.options.Model})
	next := catalog.Version{Major: v.Major, Minor: v.Minor, Patch: v.Patch + 1}
	return object{{"current", current}, {"available", []object{image(next, publicBuild(next), "fortiguard")}}}, nil
}

// currentAdmins are the people who are logged in, and the caller (D).
func currentAdmins(d *Device, q *query) (any, *Refusal) {
	list := []object{}
	for i, name := range append([]string{q.admin.Name}, d.sessions.Admins(d.options.Now())...) {
		list = append(list, object{
			{"id", i + 1}, {"admin", name}, {"profile", cmp.Or(q.admin.Profile, "super_admin")}, {"method", "https"},
			{"from", "192.0.2.100"}, {"time", d.options.Now().Unix()}, {"is_current", i == 0},
		})
	}
	return list, nil
}

// portAvailability says which of "443,8000-8002" are free (D).
func portAvailability(d *Device, q *query) (any, *Refusal) {
	taken := map[int64]string{}
	for _, name := range []string{"admin-sport", "admin-port", "admin-ssh-port"} {
		if n, ok := d.setting("system/global", name).(int64); ok {
			taken[n] = name
		}
	}
	ranges := q.values.Get("port_ranges")
	if ranges == "" {
		return nil, missingParameter()
	}
	list := []object{}
	for text := range strings.SplitSeq(ranges, ",") {
		from, to, _ := strings.Cut(text, "-")
		first, last := atoi(from), atoi(cmp.Or(to, from))
		if first < 1 || last > 65535 || first > last {
			return nil, &Refusal{Status: 424, Number: -651}
		}
		free := true
		for n := range taken {
			free = free && (n < int64(first) || n > int64(last))
		}
		list = append(list, object{{"port_range", text}, {"available", free}})
	}
	return list, nil
}

// sample is a current value with its history (C).
func sample(value int) []object { return []object{{{"current", value}}} }

// resourceUsage: the processors' mean and each processor, memory, disk and
// sessions (C).
func resourceUsage(_ *Device, _ *query) (any, *Refusal) {
	return object{
		{"cpu", []object{{{"current", 3}}, {{"current", 4}}, {{"current", 2}}}},
		{"mem", sample(41)}, {"disk", sample(0)}, {"session", sample(120)}, {"session6", sample(4)},
		{"setuprate", sample(2)}, {"setuprate6", sample(0)}, {"disk_lograte", sample(0)}, {"faz_lograte", sample(0)}, {"forticloud_lograte", sample(0)},
	}, nil
}

// performance is about processors in percent and memory in bytes (C).
func performance(_ *Device, _ *query) (any, *Refusal) {
	core := func() object {
		return object{{"user", 2}, {"system", 1}, {"nice", 0}, {"idle", 97}, {"iowait", 0}}
	}
	const total, used, freeable = 2_102_124_544, 861_871_104, 210_212_454
	return object{
		{"cpu", append(object{{"cores", []object{core(), core()}}}, core()...)},
		{"mem", object{{"total", total}, {"used", used}, {"free", total - used - freeable}, {"freeable", freeable}}},
	}, nil
}

// resourceTables are what counts against the limits of a VDOM (C).
var resourceTables = []struct{ name, path string }{
	{"session", ""},
	{"ipsec-phase1", "vpn.ipsec/phase1"},
	{"ipsec-phase2", "vpn.ipsec/phase2"},
	{"ipsec-phase1-interface", "vpn.ipsec/phase1-interface"},
	{"ipsec-phase2-interface", "vpn.ipsec/phase2-interface"},
	{"dialup-tunnel", ""},
	{"firewall-policy", "firewall/policy"},
	{"firewall-address", "firewall/address"},
	{"firewall-addrgrp", "firewall/addrgrp"},
	{"custom-service", "firewall.service/custom"},
	{"service-group", "firewall.service/group"},
	{"onetime-schedule", "firewall.schedule/onetime"},
	{"recurring-schedule", "firewall.schedule/recurring"},
	{"user", "user/local"},
	{"user-group", "user/group"},
	{"sslvpn", ""},
	{"proxy", ""},
	{"log-disk-quota", ""},
}

func (d *Device) usedRows(path, vdom string) (used, limit int) {
	p, no := d.placeOf(path, vdom)
	if no != nil {
		return 0, 0
	}
	return d.visible(p.shape, vdom).size(), max(p.shape.limits.VDOM, p.shape.limits.Global)
}

func vdomResource(d *Device, q *query) (any, *Refusal) {
	o := object{{"cpu", 1}, {"memory", 12}, {"setup_rate", 0}, {"is_deletable", q.vdom != d.options.VDOMs[0]}}
	for i, t := range resourceTables {
		used, limit := d.usedRows(t.path, q.vdom)
		o = append(o, member{t.name, object{
			{"id", i}, {"custom_max", 0}, {"min_custom_value", max(used, 1)}, {"max_custom_value", limit},
			{"guaranteed", 0}, {"min_guaranteed_value", 0}, {"max_guaranteed_value", used},
			{"global_max", limit}, {"current_usage", used}, {"usage_percent", used * 100 / max(limit, 1)},
		}})
	}
	return o, nil
}

func globalResources(d *Device, _ *query) (any, *Refusal) {
	list := []object{}
	for i, t := range resourceTables {
		all, limit := 0, 0
		for _, vdom := range d.options.VDOMs {
			used, most := d.usedRows(t.path, vdom)
			all, limit = all+used, most
		}
		list = append(list, object{{"id", i}, {"name", t.name}, {"max", limit}, {"max_type", "default"}, {"current_usage", all}, {"usage_percent", all * 100 / max(limit, 1)}})
	}
	return list, nil
}

// certificates are the built-in ones and those of the configuration (R: the
// members; keys and names are made up).
func certificates(d *Device, q *query) (any, *Refusal) {
	from, to := d.began.AddDate(-1, 0, 0), d.began.AddDate(9, 0, 0)
	form := "2006-01-02 15:04:05  GMT"
	subject := func(name string) object {
		return object{{"C", "US"}, {"ST", "California"}, {"L", "Sunnyvale"}, {"O", "Example"}, {"OU", "Certificate Authority"}, {"CN", name}, {"emailAddress", "support@example.com"}}
	}
	certificate := func(name string, authority bool) object {
		owner := subject(cmp.Or(map[bool]string{true: d.options.Serial}[authority], name))
		kind := map[bool]string{true: "local-ca", false: "local-cer"}[authority]
		var raw []string
		for _, m := range owner {
			raw = append(raw, m.name+" = "+fmt.Sprint(m.value))
		}
		line := strings.Join(raw, ", ")
		return object{
			{"name", name}, {"source", "factory"}, {"comments", "made by the device"}, {"range", "global"}, {"exists", true},
			{"is_ssl_server_cert", true}, {"is_proxy_ssl_cert", authority}, {"is_general_allowable_cert", true}, {"is_default_local", false},
			{"is_built_in", true}, {"is_wifi_cert", false}, {"is_deep_inspection_cert", authority}, {"has_valid_cert_key", true},
			{"key_type", "RSA"}, {"key_size", 2048}, {"is_local_ca_cert_strict", authority}, {"is_local_ca_cert", authority}, {"type", kind},
			{"status", "valid"}, {"valid_from", from.Unix()}, {"valid_from_raw", from.UTC().Format(form)}, {"valid_to", to.Unix()}, {"valid_to_raw", to.UTC().Format(form)},
			{"signature_algorithm", "SHA256"}, {"subject", owner}, {"subject_raw", line}, {"issuer", subject(d.options.Serial)}, {"issuer_raw", line},
			{"fingerprint", "00:11:22:33:44:55:66:77:88"}, {"version", 3}, {"is_ca", authority}, {"serial_number", "28:D7:00:01"},
			{"ext", []object{{{"name", "X509v3 Basic Constraints"}, {"data", map[bool]string{true: "CA:TRUE", false: "CA:FALSE"}[authority]}, {"critical", false}}}},
			{"q_path", "vpn.certificate"}, {"q_name", "local"}, {"q_ref", 0}, {"q_static", true}, {"q_type", d.typeNumber("vpn.certificate/local")},
		}
	}
	list := []object{certificate("Fortinet_CA_SSL", true), certificate("Fortinet_Factory", false)}
	if p, no := d.placeOf("vpn.certificate/local", q.vdom); no == nil {
		for e := range each(d.visible(p.shape, q.view())) {
			list = append(list, certificate(keyText(e.values[p.shape.key]), false))
		}
	}
	return list, nil
}

// managerStatus has numbers for the states (R), centralStatus words (D).
func managerStatus(d *Device, _ *query) (any, *Refusal) {
	return object{
		{"mode", cmp.Or(d.word("system/central-management", "mode"), "normal")}, {"server", d.managerServer()},
		{"fortimanager_status_id", 0}, {"fortimanager_registration_status_id", 0},
	}, nil
}

func centralStatus(d *Device, _ *query) (any, *Refusal) {
	return object{
		{"mode", cmp.Or(d.word("system/central-management", "mode"), "normal")}, {"server", d.managerServer()}, {"status", "down"},
		{"registration_status", "unregistered"}, {"mgmt_ip", ""}, {"mgmt_port", 541}, {"sn", ""}, {"pending_fortimanager", ""},
	}, nil
}

func (d *Device) word(path, attribute string) string {
	text, _ := d.setting(path, attribute).(string)
	return text
}

func (d *Device) managerServer() string {
	return strings.Trim(d.word("system/central-management", "fmg"), `" `)
}

// generateKey gives a row of system/api-user a new token (D; the member's name
// by switch). It counts at once, with the profile and the VDOMs of the row.
func generateKey(d *Device, q *query) (any, *Refusal) {
	body, err := decodeObject(q.body)
	if err != nil {
		return nil, notUnderstood()
	}
	raw, _ := body.get("api-user")
	name, _ := scalarText(raw)
	row := d.row("system/api-user", name)
	if row == nil {
		return nil, missing()
	}
	one := Admin{Name: name, Token: randomToken(), Profile: row.text("accprofile"), VDOMs: namesOf(row.rows("vdom"), "name")}
	others := slices.DeleteFunc(slices.Clone(d.options.Admins), func(a Admin) bool { return a.Name == name })
	d.options.Admins = append(others, one)
	member := object{{"access_token", one.Token}}
	if d.behaviour().KeyNamedAPIKey {
		member[0].name = "api_key"
	}
	return member, nil
}

// counter is a number that stands for traffic: the same in every run.
func counter(name string, size int) int {
	n := 7
	for _, c := range name + strconv.Itoa(size) {
		n = (n*31 + int(c)) % 1_000_003
	}
	return n % size
}
