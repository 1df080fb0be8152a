package fortisim

import "slices"

// webState is what the GUI asks for first: the caller's own rights, features,
// and the state of the device (R: the members; times in milliseconds).
func webState(d *Device, q *query) (any, *Refusal) {
	vdoms := slices.Clone(q.admin.VDOMs)
	if len(vdoms) == 0 {
		vdoms = append([]string{""}, d.options.VDOMs...)
	}
	info := object{}
	for _, vdom := range d.options.VDOMs {
		info = append(info, member{vdom, d.vdomInfo(vdom)})
	}
	admin := object{
		{"name", q.admin.Name}, {"login_name", q.admin.Name}, {"profile", d.profileOf(q.admin)},
		{"global_admin", len(q.admin.VDOMs) == 0}, {"super_admin", q.admin.Profile == "super_admin"},
		{"ignore_release_overview", ""}, {"ignore_invalid_signature_version", ""}, {"dashboard_template", ""},
		{"guest_admin", false}, {"fmg_admin", false}, {"sso_login_type", "none"}, {"remote_admin", false}, {"pki_admin", false},
		{"vdoms", vdoms}, {"vdom_info", info},
	}
	o := object{
		{"model_name", "FortiGate"}, {"model_number", modelNumber(d.options.Model)}, {"hostname", d.hostname()}, {"model", d.options.Model},
		{"model_subtype", ""}, {"model_level", "low"}, {"admin_using_default_password", false}, {"admin", admin},
	}
	return append(append(o, d.webDevice()...), d.webGUI()...), nil
}

func (d *Device) webDevice() object {
	multi := d.word("system/global", "vdom-mode")
	began := d.began.UnixMilli()
	return object{
		{"fext_enabled", true}, {"fext_vlan_mode", false}, {"snapshot_utc_time", d.options.Now().UnixMilli()}, {"utc_last_reboot", began},
		{"time_zone_offset", 0}, {"time_zone_text", "(GMT) Greenwich Mean Time"}, {"time_zone_db_name", "Etc/GMT"},
		{"centrally_managed", false}, {"fortimanager_backup_mode", false}, {"fips_cc_enabled", false}, {"fips_ciphers_enabled", false},
		{"vdom_mode", multi}, {"management_vdom", d.options.VDOMs[0]}, {"conserve_mode", false}, {"image_sign_status", "certified"},
		{"bios_security_level", 1}, {"need_fs_check", false}, {"carrier_mode", false}, {"has_hyperscale_license", false},
		{"csf_enabled", false}, {"csf_group_name", ""}, {"csf_upstream_ip", ""}, {"csf_sync_mode", "default"}, {"csf_object_sync_mode", "local"},
		{"ha_mode", len(d.units()) - 1}, {"is_ha_master", 1}, {"ngfw_mode", "profile-based"}, {"forced_low_crypto", false},
		{"has_log_disk", false}, {"has_local_config_revisions", true}, {"lenc_mode", false}, {"usg_mode", false},
	}
}

func (d *Device) webGUI() object {
	key, csrf := d.cookieNames()
	return object{
		{"admin_https_redirection", true}, {"config_save_mode", d.saving()}, {"debug_supported_daemons", []string{"httpsd", "cmdb"}},
		{"is_vm", len(d.options.Model) > 3 && d.options.Model[:4] == "FGVM"}, {"theme", "jade"}, {"language_code", "en"},
		{"cmgmt_override_cookie_name", "cmgmt_override"}, {"ccsrf_token_cookie_name", csrf}, {"file_downloading_cookie_name", key + "_file"},
		{"autoscale_config_rec_override_cookie_name", "autoscale_override"}, {"initial_vdom", ""}, {"timeout_minutes", int(d.idle().Minutes())},
		{"features", features("gui-ipv6", "gui-replacement-message-groups", "gui-local-out", "gui-certificates", "gui-custom-language",
			"gui-wireless-opensecurity", "gui-display-hostname", "gui-fortigate-cloud-sandbox", "gui-firmware-upgrade-warning",
			"gui-allow-default-hostname", "gui-forticare-registration-setup-warning", "gui-cdn-usage", "switch-controller",
			"wireless-controller", "fortiextender", "fortitoken-cloud-service")},
		{"date_format", "yyyy/MM/dd"}, {"date_format_device", "system"},
		{"security_rating_result_submission", true}, {"security_rating_run_on_schedule", true},
	}
}

// profileOf is the profile of the caller as a row, or one that says what Access
// says.
func (d *Device) profileOf(a *Admin) object {
	s, err := d.shapeOf("system/accprofile")
	if err != nil {
		return object{}
	}
	if row := d.row("system/accprofile", a.Profile); row != nil {
		return d.render(s, row, aspect{})
	}
	right := "read"
	if a.Access == ReadWrite {
		right = "read-write"
	}
	row := newEntry()
	row.values["name"] = a.Name
	for _, f := range s.fields {
		if slices.Contains(f.options, "read-write") {
			row.values[f.Name] = right
		}
	}
	row.values["scope"] = "global"
	return d.render(s, row, aspect{})
}

// features are switches of the GUI, all of them on.
func features(names ...string) object {
	o := object{}
	for _, name := range names {
		o = append(o, member{name, true})
	}
	return o
}

func (d *Device) vdomInfo(vdom string) object {
	logs := d.logDevices(vdom)
	logs.put("fortianalyzer_cloud", object{{"is_available", false}, {"is_enabled", false}, {"overrides_global_faz_cloud", false}})
	logs.put("forticloud", object{{"is_available", false}, {"is_enabled", false}, {"is_faz_cloud", false}})
	visible := object{}
	if s, err := d.shapeOf("system/settings"); err == nil {
		settings := d.tableOf(s, vdom).find("")
		for _, f := range s.fields {
			if len(f.Name) > 4 && f.Name[:4] == "gui-" && f.kindOf == optionValue {
				visible = append(visible, member{f.Name, settings.value(f) == "enable"})
			}
		}
	}
	return object{
		{"central_nat_enabled", d.inVDOMWord("system/settings", vdom, "central-nat") == "enable"},
		{"transparent_mode", d.inVDOMWord("system/settings", vdom, "opmode") == "transparent"},
		{"ngfw_mode", d.inVDOMWord("system/settings", vdom, "ngfw-mode")}, {"features", visible},
		{"virtual_wire_pair_count", 0}, {"is_management_vdom", vdom == d.options.VDOMs[0]},
		{"log_device_state", logs}, {"log_device_default", "memory"}, {"resolve_hostnames", true},
	}
}

// availableInterfaces are those that something could use (D: the call; a part of
// the members, C).
func availableInterfaces(d *Device, q *query) (any, *Refusal) {
	out := []object{}
	for _, e := range d.rowsIn("system/interface", q) {
		name := e.text("name")
		out = append(out, object{
			{"name", name}, {"q_origin_key", name}, {"type", d.shown("system/interface", e, "type")}, {"alias", e.text("alias")},
			{"vdom", d.shown("system/interface", e, "vdom")}, {"status", map[bool]string{true: "down", false: "up"}[d.shown("system/interface", e, "status") == "down"]},
			{"role", d.shown("system/interface", e, "role")}, {"is_used", len(d.usersOf("system/interface", q.vdom, name)) > 0},
		})
	}
	return out, nil
}

func (d *Device) usersOf(path, vdom, key string) []site {
	s, err := d.shapeOf(path)
	if err != nil {
		return nil
	}
	return d.users(s, vdom, key)
}
