package fortisim

import "slices"

// Branch is the seed of a branch office: two inside networks, a DMZ with two
// servers, one Internet line, a tunnel to headquarters and five policies, all in
// the first VDOM. Addresses are those set aside for documentation and private
// use; every secret in it is made up.
func Branch(d *Device) error {
	first := d.options.VDOMs[0]
	for _, rows := range [][]seedRow{network(), management(), addresses(), tunnel(), policies()} {
		if err := plant(d, first, rows); err != nil {
			return err
		}
	}
	return nil
}

func network() []seedRow {
	port := func(name string, v values) seedRow {
		v["type"] = "physical"
		return seedRow{"system/interface", name, v}
	}
	return []seedRow{
		port("wan1", values{"ip": "203.0.113.2/24", "allowaccess": "ping", "role": "wan", "alias": "ISP A"}),
		port("wan2", values{"status": "down", "role": "wan"}),
		port("lan", values{"ip": "192.168.10.1/24", "allowaccess": "ping https ssh", "role": "lan"}),
		port("dmz", values{"ip": "198.51.100.1/24", "allowaccess": "ping", "role": "dmz"}),
		port("mgmt", values{"ip": "192.0.2.1/24", "allowaccess": "ping https ssh", "description": "management only"}),
		{"system/interface", "voice", values{
			"type": "vlan", "interface": "lan", "vlanid": 20, "ip": "192.168.20.1/24", "role": "lan", "allowaccess": "ping",
		}},
		{"system/zone", "inside", values{"interface": rowsOf("interface-name", "voice"), "intrazone": "deny"}},
		{"router/static", "1", values{"dst": "0.0.0.0/0", "gateway": "203.0.113.1", "device": "wan1", "comment": "default route"}},
		{"system/dns", "", values{"primary": "192.0.2.53", "secondary": "198.51.100.53"}},
		{"system/ntp", "", values{"type": "custom", "ntpsync": "enable", "ntpserver": []any{
			values{"id": 1, "server": "192.0.2.123"},
		}}},
		{"log.syslogd/setting", "", values{"status": "enable", "server": "192.0.2.14", "facility": "local6"}},
	}
}

// management holds the administrators. The API administrators of the options
// that have no row of their own are not restricted to trusted hosts.
func management() []seedRow {
	trusted := func(id int, network string) values { return values{"id": id, "ipv4-trusthost": network} }
	return []seedRow{
		{"system/accprofile", "api-full", values{
			"scope": "global", "fwgrp": "read-write", "netgrp": "read-write", "sysgrp": "read-write", "vpngrp": "read-write",
			"comments": "for automation",
		}},
		{"system/admin", "admin", values{"accprofile": "super_admin", "vdom": members("root"), "password": "made-up-admin-password"}},
		{"system/api-user", "forti", values{
			"accprofile": "api-full", "comments": "configuration automation", "api-key": "made-up-api-key",
			"trusthost": []any{trusted(1, "127.0.0.0/8"), trusted(2, "192.0.2.0/24")},
			"vdom":      members("root"),
		}},
		{"user/local", "alice", values{"type": "password", "passwd": "made-up-user-password", "email-to": "alice@example.com"}},
		{"user/group", "staff", values{"member": members("alice")}},
	}
}

func addresses() []seedRow {
	address := func(name, subnet, comment string) seedRow {
		return seedRow{"firewall/address", name, values{"subnet": subnet, "comment": comment}}
	}
	return []seedRow{
		address("net-lan", "192.168.10.0/24", "office network"),
		address("net-voice", "192.168.20.0/24", "telephones"),
		address("net-dmz", "198.51.100.0/24", "servers reachable from outside"),
		address("srv-web", "198.51.100.10/32", "web server"),
		address("srv-mail", "198.51.100.25/32", "mail server"),
		address("srv-files", "192.168.10.5/32", "file server"),
		address("printer-1", "192.168.10.201/32", "first floor"),
		address("printer-2", "192.168.10.202/32", "second floor"),
		{"firewall/address", "dhcp-clients", values{"type": "iprange", "start-ip": "192.168.10.100", "end-ip": "192.168.10.199"}},
		{"firewall/address", "updates", values{"type": "fqdn", "fqdn": "updates.example.com"}},
		address("net-hq", "10.0.0.0/16", "headquarters"),
		address("old-scanner", "192.168.10.240/32", "no longer in use"),
		{"firewall/addrgrp", "grp-servers", values{"member": members("srv-web", "srv-mail"), "comment": "public servers"}},
		{"firewall/addrgrp", "grp-printers", values{"member": members("printer-1", "printer-2")}},
	}
}

func tunnel() []seedRow {
	return []seedRow{
		{"vpn.ipsec/phase1-interface", "to-hq", values{
			"interface": "wan1", "ike-version": "2", "peertype": "any", "remote-gw": "203.0.113.200",
			"proposal": "aes256-sha256", "psksecret": "made-up-pre-shared-key", "comments": "headquarters",
		}},
		{"vpn.ipsec/phase2-interface", "to-hq-1", values{
			"phase1name": "to-hq", "proposal": "aes256-sha256",
			"src-subnet": "192.168.10.0 255.255.255.0", "dst-subnet": "10.0.0.0 255.255.0.0",
		}},
		{"router/static", "2", values{"dst": "10.0.0.0/16", "device": "to-hq", "comment": "through the tunnel"}},
	}
}

func policies() []seedRow {
	policy := func(key, name, from, to string, source, destination []any, service []any, more values) seedRow {
		v := values{
			"name": name, "srcintf": members(from), "dstintf": members(to), "srcaddr": source, "dstaddr": destination,
			"service": service, "schedule": "always", "action": "accept", "logtraffic": "all",
		}
		for attribute, value := range more {
			v[attribute] = value
		}
		return seedRow{"firewall/policy", key, v}
	}
	all := members("all")
	anything := members("ALL")
	return slices.Clip([]seedRow{
		policy("1", "lan-to-internet", "lan", "wan1", members("net-lan"), all, members("HTTP", "HTTPS", "DNS", "PING"), values{"nat": "enable"}),
		policy("2", "lan-to-servers", "lan", "dmz", members("net-lan"), members("grp-servers"), members("HTTPS", "SSH", "SMTP"), nil),
		policy("3", "internet-to-web", "wan1", "dmz", all, members("srv-web"), members("HTTP", "HTTPS"), nil),
		policy("4", "lan-to-hq", "lan", "to-hq", members("net-lan"), members("net-hq"), anything, values{"comments": "through the tunnel"}),
		policy("5", "voice-to-lan", "inside", "lan", members("net-voice"), members("srv-files"), members("SMB"), values{"status": "disable"}),
		policy("99", "deny-all", "any", "any", all, all, anything, values{"action": "deny"}),
	})
}
