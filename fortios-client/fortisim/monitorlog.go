package fortisim

func logEndpoints() map[string]endpoint {
	return map[string]endpoint{
		"GET log/device/state":        {serve: logState},
		"GET log/current-disk-usage":  {serve: diskUsage},
		"GET log/fortianalyzer":       {serve: analyzer},
		"GET log/fortianalyzer-queue": {serve: analyzerQueue},
		"GET log/stats":               {serve: none},
		"GET log/feature-set":         {serve: func(*Device, *query) (any, *Refusal) { return object{}, nil }},
	}
}

// idleEndpoints have nothing to show on a device without those features; clients
// ask for them all the same (C).
func idleEndpoints() map[string]endpoint {
	out := map[string]endpoint{}
	for _, path := range []string{
		"router/bgp/neighbors", "router/bgp/neighbors6", "router/bgp/paths", "router/bgp/paths6", "router/ospf/neighbors",
		"switch-controller/managed-switch", "switch-controller/managed-switch/status", "switch-controller/managed-switch/health", "switch-controller/managed-switch/port-stats",
		"wifi/client", "wifi/managed_ap", "wifi/ap_status", "system/sensor-info", "system/interface/transceivers",
		"system/sandbox/stats", "system/sandbox/connection", "system/sandbox/status", "user/firewall", "system/dhcp", "system/ha-history",
	} {
		out["GET "+path] = endpoint{serve: none}
	}
	return out
}

// logState is the same for every VDOM: the device logs to memory and has no disk
// to spare (R: the members).
func logState(d *Device, q *query) (any, *Refusal) { return d.logDevices(q.vdom), nil }

func (d *Device) logDevices(vdom string) object {
	memory := d.inVDOMWord("log.memory/setting", vdom, "status") != "disable"
	analyzer := d.inVDOMWord("log.fortianalyzer/setting", vdom, "status") == "enable"
	return object{
		{"memory", object{{"is_available", true}, {"is_enabled", memory}, {"is_default", false}, {"is_ha_supported", true}}},
		{"disk", object{
			{"is_available", true}, {"is_enabled", false}, {"is_loggable", true}, {"num_ssds_available", 0}, {"disabled_by_default", false},
			{"is_ha_supported", true}, {"is_fortiview_supported", true}, {"fortiview_weekly_data", false},
		}},
		{"fortianalyzer", object{{"is_available", true}, {"is_enabled", analyzer}, {"overrides_global_faz", false}}},
		{"forticloud", object{{"is_available", false}, {"is_enabled", false}}},
	}
}

// inVDOMWord is an attribute of a singleton of a VDOM.
func (d *Device) inVDOMWord(path, vdom, attribute string) string {
	s, err := d.shapeOf(path)
	if err != nil || s.byName[attribute] == nil {
		return ""
	}
	text, _ := d.tableOf(s, vdom).find("").value(s.byName[attribute]).(string)
	return text
}

func diskUsage(*Device, *query) (any, *Refusal) {
	const total, used = 10_000_000_000, 1_000_000
	return object{{"used_bytes", used}, {"free_bytes", total - used}, {"total_bytes", total}}, nil
}

// analyzer: without one that is set up the answer is 424 (U).
func analyzer(d *Device, q *query) (any, *Refusal) {
	if d.inVDOMWord("log.fortianalyzer/setting", q.vdom, "status") != "enable" {
		return nil, &Refusal{Status: 424}
	}
	return object{{"registration", "registered"}, {"connection", "allow"}, {"received", 0}}, nil
}

func analyzerQueue(d *Device, q *query) (any, *Refusal) {
	if d.inVDOMWord("log.fortianalyzer/setting", q.vdom, "status") != "enable" {
		return nil, &Refusal{Status: 424}
	}
	return object{{"connected", 1}, {"failed_logs", 0}, {"cached_logs", 0}}, nil
}
