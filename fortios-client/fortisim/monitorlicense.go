package fortisim

import "strings"

// licenses tells a virtual machine in evaluation from a registered appliance by
// the model (R: both shapes; 7.2.5 and 6.2.4).
func licenses(d *Device, _ *query) (any, *Refusal) {
	o := d.applianceLicenses()
	if strings.HasPrefix(d.options.Model, "FGVM") {
		o = d.trialLicenses()
	}
	used := len(d.options.VDOMs)
	return append(o,
		member{"vdom", object{{"type", "platform"}, {"can_upgrade", true}, {"used", used}, {"max", max(used, 10)}}},
		member{"sms", object{{"type", "other"}, {"status", "no_license"}, {"used", 0}, {"max", 0}}}), nil
}

// downloads are the objects that FortiGuard updates, with what they are entitled
// by.
var downloads = []struct{ name, entitlement string }{
	{"antivirus", "AVDB"}, {"mobile_malware", "AVDB"}, {"ips", "NIDS"}, {"industrial_db", "ISSS"}, {"appctrl", "FMWR"},
	{"internet_service_db", ""}, {"device_os_id", "FMWR"}, {"botnet_ip", "AVDB"}, {"botnet_domain", "AVDB"},
	{"security_rating", "FGSA"}, {"malicious_urls", "NIDS"}, {"blacklisted_certificates", "FURL"},
}

func (d *Device) trialLicenses() object {
	then := d.began.AddDate(0, -1, 0).Unix()
	plain := func(kind string) object { return object{{"type", kind}, {"status", "no_support"}} }
	o := object{
		{"fortiguard", object{{"type", "cloud_service_status"}, {"connected", false}, {"has_updated", false}, {"update_server_usa", true}}},
		{"forticare", append(plain("cloud_service_status"), member{"registration_supported", false})},
		{"forticloud", plain("cloud_service_status")},
	}
	for _, db := range downloads {
		row := append(plain("downloaded_fds_object"), member{"version", "1.00000"})
		if db.entitlement != "" {
			row = append(row, member{"entitlement", db.entitlement})
		}
		row = append(row, member{"last_update", then})
		part := object{{"version", "1.00000"}, {"last_update", then}}
		switch db.name {
		case "antivirus":
			row = append(row, member{"db_status", "db_type_extended"}, member{"engine", part})
		case "ips":
			row = append(row, member{"db_status", "db_type_normal"}, member{"engine", part}, member{"configuration_script", part})
		}
		o = append(o, member{db.name, row})
	}
	o = append(o,
		member{"web_filtering", append(plain("live_fortiguard_service"), member{"category_list_version", 8}, member{"running", false})},
		member{"outbreak_prevention", plain("live_fortiguard_service")}, member{"antispam", plain("live_fortiguard_service")},
		member{"forticloud_logging", plain("live_cloud_service")},
		member{"forticloud_sandbox", append(plain("live_cloud_service"), member{"files_uploaded_daily", 0}, member{"max_files_daily", 100})},
		member{"fortianalyzer_cloud", plain("live_cloud_service")}, member{"fortimanager_cloud", plain("live_cloud_service")})
	return append(o, member{"vm", object{
		{"type", "platform"}, {"valid", true}, {"status", "vm_eval"}, {"license_model", 1}, {"license_platform_name", "FGVMEV"},
		{"expires", d.began.AddDate(0, 0, 14).Unix()}, {"closed_network", false}, {"cpu_used", 1}, {"cpu_max", 1},
		{"mem_used", 1_048_576_000}, {"mem_max", 2_147_483_648},
	}})
}

func (d *Device) applianceLicenses() object {
	then, until := d.began.AddDate(0, 0, -1).Unix(), d.began.AddDate(1, 0, 0).Unix()
	result := func(how string) object {
		return object{{"last_update", then}, {"last_update_attempt", then}, {"last_update_result_status", "update_result_success"}, {"last_update_method_status", how}}
	}
	part := append(object{{"version", "7.00001"}}, result("update_method_sched")...)
	support := func(level string) object {
		return object{{"status", "licensed"}, {"support_level", level}, {"expires", until}}
	}
	o := object{
		{"fortiguard", object{
			{"type", "cloud_service_status"}, {"supported", true}, {"connected", true}, {"has_connected", true}, {"connection_issue", false},
			{"last_connection_success", then}, {"update_server_usa", false}, {"next_scheduled_update", then + 7200}, {"scheduled_updates_enabled", true},
			{"server_address", "198.51.100.6:443"}, {"fortigate_wan_ip", "203.0.113.2"},
		}},
		{"forticare", object{
			{"type", "cloud_service_status"}, {"status", "registered"}, {"registration_status", "registered"}, {"registration_supported", true},
			{"account", "admin@example.com"}, {"support", object{{"hardware", support("Advanced HW")}, {"enhanced", support("Premium")}}},
			{"company", "Example"}, {"industry", ""},
		}},
	}
	for _, db := range downloads {
		row := object{{"type", "downloaded_fds_object"}, {"status", "licensed"}, {"version", "26.00001"}, {"expires", until}, {"entitlement", db.entitlement}}
		row = append(row, result("update_method_sched")...)
		switch db.name {
		case "antivirus":
			row = append(row, member{"db_status", "db_type_extended"}, member{"engine", part})
		case "ips":
			row = append(row, member{"db_status", "db_type_normal"}, member{"engine", part}, member{"configuration_script", part})
		}
		o = append(o, member{db.name, row})
	}
	return append(o, member{"web_filtering", object{
		{"type", "live_fortiguard_service"}, {"status", "licensed"}, {"expires", until}, {"entitlement", "FURL"}, {"category_list_version", 9}, {"running", true},
	}})
}
