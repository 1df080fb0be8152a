package fortisim

// Factory is the seed that adds nothing to the factory configuration.
func Factory(*Device) error { return nil }

// factory is what every device has: its VDOMs and administrators' profiles, and
// in each VDOM the objects that FortiOS brings along (a part of them).
func factory(d *Device) error {
	first := d.options.VDOMs[0]
	for _, vdom := range d.options.VDOMs {
		if err := d.Put(first, "system/vdom", vdom, values{}); err != nil {
			return err
		}
	}
	global := values{"hostname": d.options.Hostname}
	if len(d.options.VDOMs) > 1 {
		global["vdom-mode"] = "multi-vdom"
	}
	if err := d.Put(first, "system/global", "", global); err != nil {
		return err
	}
	if err := plant(d, first, profiles()); err != nil {
		return err
	}
	for _, vdom := range d.options.VDOMs {
		if err := plant(d, vdom, builtIn()); err != nil {
			return err
		}
	}
	return nil
}

func profiles() []seedRow {
	full := func(scope, right string) values {
		v := values{"scope": scope}
		for _, group := range []string{"secfabgrp", "ftviewgrp", "authgrp", "sysgrp", "netgrp", "loggrp", "fwgrp", "vpngrp", "utmgrp", "wifi"} {
			v[group] = right
		}
		return v
	}
	return []seedRow{
		{"system/accprofile", "super_admin", full("global", "read-write")},
		{"system/accprofile", "prof_admin", full("vdom", "read-write")},
	}
}

// builtIn are the objects of a new VDOM, in an order in which each finds what
// it refers to.
func builtIn() []seedRow {
	rows := []seedRow{
		{"firewall/address", "none", values{"subnet": "0.0.0.0 255.255.255.255"}},
		{"firewall/address", "all", values{}},
		{"firewall.schedule/recurring", "always", values{"day": "sunday monday tuesday wednesday thursday friday saturday"}},
		{"firewall.schedule/recurring", "none", values{}},
		{"firewall/profile-protocol-options", "default", values{"comment": "All default services."}},
		{"firewall/ssl-ssh-profile", "no-inspection", values{"comment": "Read-only profile that does no inspection."}},
		{"firewall/ssl-ssh-profile", "certificate-inspection", values{"comment": "Read-only SSL handshake inspection profile."}},
		{"firewall/ssl-ssh-profile", "deep-inspection", values{"comment": "Read-only deep inspection profile."}},
		{"antivirus/profile", "default", values{"comment": "Scan files and block viruses."}},
		{"ips/sensor", "default", values{"comment": "Prevent critical attacks."}},
		{"application/list", "default", values{"comment": "Monitor all applications."}},
		{"webfilter/profile", "default", values{"comment": "Default web filtering."}},
	}
	for _, name := range []string{"General", "Web Access", "Email", "File Access", "Network Services", "Remote Access"} {
		rows = append(rows, seedRow{"firewall.service/category", name, values{}})
	}
	return append(rows, services()...)
}

func services() []seedRow {
	service := func(name, category string, v values) seedRow {
		v["category"] = category
		return seedRow{"firewall.service/custom", name, v}
	}
	return []seedRow{
		service("ALL", "General", values{"protocol": "IP"}),
		service("ALL_TCP", "General", values{"tcp-portrange": "1-65535"}),
		service("ALL_UDP", "General", values{"udp-portrange": "1-65535"}),
		service("ALL_ICMP", "General", values{"protocol": "ICMP"}),
		service("PING", "Network Services", values{"protocol": "ICMP", "icmptype": 8}),
		service("DNS", "Network Services", values{"tcp-portrange": "53", "udp-portrange": "53"}),
		service("NTP", "Network Services", values{"tcp-portrange": "123", "udp-portrange": "123"}),
		service("SYSLOG", "Network Services", values{"udp-portrange": "514"}),
		service("HTTP", "Web Access", values{"tcp-portrange": "80"}),
		service("HTTPS", "Web Access", values{"tcp-portrange": "443"}),
		service("SSH", "Remote Access", values{"tcp-portrange": "22"}),
		service("RDP", "Remote Access", values{"tcp-portrange": "3389"}),
		service("SMTP", "Email", values{"tcp-portrange": "25"}),
		service("IMAPS", "Email", values{"tcp-portrange": "993"}),
		service("SMB", "File Access", values{"tcp-portrange": "445"}),
		{"firewall.service/group", "Email Access", values{"member": members("SMTP", "IMAPS")}},
		{"firewall.service/group", "Web Access", values{"member": members("DNS", "HTTP", "HTTPS")}},
	}
}
