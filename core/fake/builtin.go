package fake

import "github.com/forti-mcp/forti/core/schema"

// Builtin is a small set of true resources: a part of their attributes, with the
// names, types, limits, options and references that FortiOS 7.4 gives them. The
// slice and what it points to are the caller's.
func Builtin() []schema.Resource {
	return []schema.Resource{
		addresses(), addressGroups(), services(), recurring(), policies(),
		routes(), interfaces(), global(), phase1(),
		{Path: "monitor/system/status", Kind: schema.Monitor, Group: "any", Calls: []schema.Call{{Method: "GET"}}},
		{Path: "monitor/system/object/usage", Kind: schema.Monitor, Group: "any", Calls: []schema.Call{{Method: "GET", Params: []schema.Param{
			{Name: "q_path", Type: "string", In: "query"}, {Name: "q_name", Type: "string", In: "query"}, {Name: "mkey", Type: "string", In: "query"},
		}}}},
		{Path: "monitor/firewall/policy", Kind: schema.Monitor, Group: "fwgrp.policy", Calls: []schema.Call{
			{Method: "GET", Params: []schema.Param{{Name: "policyid", Type: "string", In: "query"}}},
			{Method: "POST", Action: "clear_counters", Class: "counter", Params: []schema.Param{{Name: "policy", Type: "integer", In: "body"}}},
		}},
	}
}

var everything = []string{"GET", "POST", "PUT", "DELETE"}

func table(path, key, keyType, group string, attributes ...schema.Attribute) schema.Resource {
	return schema.Resource{
		Path: path, Kind: schema.Table, Key: key, KeyType: keyType, Group: group, Scope: "vdom",
		Methods: append([]string(nil), everything...), Attributes: attributes,
	}
}

func word(name string, size int) schema.Attribute {
	return schema.Attribute{Name: name, Type: "string", Size: size}
}

func prose(name string, size int) schema.Attribute {
	return schema.Attribute{Name: name, Type: "var-string", Size: size}
}

func typed(name, kind string) schema.Attribute { return schema.Attribute{Name: name, Type: kind} }

func number(name string, least, most, otherwise int64) schema.Attribute {
	return schema.Attribute{Name: name, Type: "integer", Min: &least, Max: &most, Default: otherwise}
}

// choice is an option; the first value is the default.
func choice(name string, values ...string) schema.Attribute {
	return schema.Attribute{Name: name, Type: "option", Default: values[0], Options: options(values)}
}

func options(values []string) []schema.Option {
	list := make([]schema.Option, len(values))
	for i, v := range values {
		list[i] = schema.Option{Value: v}
	}
	return list
}

func onOff(name string) schema.Attribute { return choice(name, "disable", "enable") }

func refs(paths ...string) []schema.Ref {
	list := make([]schema.Ref, len(paths))
	for i, p := range paths {
		list[i] = schema.Ref{Path: p, Attribute: "name"}
	}
	return list
}

func link(name string, size int, paths ...string) schema.Attribute {
	return schema.Attribute{Name: name, Type: "string", Size: size, Refs: refs(paths...)}
}

// list is a child table whose rows are names of other rows.
func list(name string, paths ...string) schema.Attribute {
	key := link("name", 79, paths...)
	key.Required = true
	return schema.Attribute{Name: name, Type: "table", Key: "name", KeyType: "string", Attributes: []schema.Attribute{key}}
}

func addresses() schema.Resource {
	return table("firewall/address", "name", "string", "fwgrp",
		word("name", 79), typed("uuid", "uuid"),
		choice("type", "ipmask", "iprange", "fqdn", "geography", "wildcard", "dynamic", "interface-subnet", "mac", "route-tag"),
		typed("subnet", "ipv4-classnet-any"), typed("start-ip", "ipv4-address-any"), typed("end-ip", "ipv4-address-any"),
		word("fqdn", 255), link("associated-interface", 35, "system/interface", "system/zone"),
		number("cache-ttl", 0, 86400, 0), number("color", 0, 32, 0),
		onOff("allow-routing"), onOff("fabric-object"), prose("comment", 255))
}

func addressGroups() schema.Resource {
	return table("firewall/addrgrp", "name", "string", "fwgrp",
		word("name", 79), typed("uuid", "uuid"), choice("type", "default", "folder"),
		list("member", "firewall/address", "firewall/addrgrp"),
		onOff("exclude"), list("exclude-member", "firewall/address", "firewall/addrgrp"),
		number("color", 0, 32, 0), onOff("allow-routing"), prose("comment", 255))
}

func services() schema.Resource {
	r := table("firewall.service/custom", "name", "string", "fwgrp",
		word("name", 79),
		choice("protocol", "TCP/UDP/SCTP", "ICMP", "ICMP6", "IP", "HTTP", "FTP", "CONNECT", "SOCKS-TCP", "SOCKS-UDP", "ALL"),
		number("protocol-number", 0, 254, 0),
		typed("tcp-portrange", "user"), typed("udp-portrange", "user"), typed("session-ttl", "user"),
		number("color", 0, 32, 0), prose("comment", 255))
	r.Ordered = true
	return r
}

func recurring() schema.Resource {
	return table("firewall.schedule/recurring", "name", "string", "fwgrp",
		word("name", 31), typed("start", "user"), typed("end", "user"),
		schema.Attribute{
			Name: "day", Type: "option", Multi: true, Default: "none",
			Options: options([]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "none"}),
		},
		number("color", 0, 32, 0))
}

func policies() schema.Resource {
	r := table("firewall/policy", "policyid", "integer", "fwgrp",
		number("policyid", 0, 4294967294, 0), word("name", 35), typed("uuid", "uuid"), choice("status", "enable", "disable"),
		list("srcintf", "system/interface", "system/zone"), list("dstintf", "system/interface", "system/zone"),
		list("srcaddr", "firewall/address", "firewall/addrgrp"), list("dstaddr", "firewall/address", "firewall/addrgrp", "firewall/vip"),
		choice("action", "deny", "accept", "ipsec"),
		link("schedule", 35, "firewall.schedule/onetime", "firewall.schedule/recurring", "firewall.schedule/group"),
		list("service", "firewall.service/custom", "firewall.service/group"),
		onOff("nat"), onOff("utm-status"), choice("logtraffic", "utm", "all", "disable"), prose("comments", 1023))
	r.Ordered = true
	return r
}

func routes() schema.Resource {
	dst := typed("dst", "ipv4-classnet")
	dst.Default, dst.Required = "0.0.0.0 0.0.0.0", true
	return table("router/static", "seq-num", "integer", "netgrp",
		number("seq-num", 0, 4294967295, 0), choice("status", "enable", "disable"), dst, typed("gateway", "ipv4-address"),
		link("device", 35, "system/interface"), number("distance", 1, 255, 10), number("weight", 0, 255, 0),
		number("priority", 0, 4294967295, 1), onOff("blackhole"), prose("comment", 255))
}

func interfaces() schema.Resource {
	access := schema.Attribute{Name: "allowaccess", Type: "option", Multi: true, Options: options([]string{
		"ping", "https", "ssh", "snmp", "http", "telnet", "fgfm", "radius-acct", "probe-response", "fabric", "ftm", "speed-test",
	})}
	r := table("system/interface", "name", "string", "netgrp",
		word("name", 15), link("vdom", 31, "system/vdom"), choice("mode", "static", "dhcp", "pppoe"),
		typed("ip", "ipv4-classnet-host"), access, choice("status", "up", "down"),
		choice("type", "vlan", "physical", "aggregate", "redundant", "tunnel", "loopback", "switch", "hard-switch"),
		link("interface", 15, "system/interface"), number("vlanid", 1, 4094, 0), number("mtu", 0, 4294967295, 1500),
		choice("role", "undefined", "lan", "wan", "dmz"), word("alias", 25), prose("description", 255))
	r.Scope = "both"
	return r
}

func global() schema.Resource {
	return schema.Resource{
		Path: "system/global", Kind: schema.Singleton, Group: "sysgrp", Scope: "global", Methods: []string{"GET", "PUT"},
		Attributes: []schema.Attribute{
			word("hostname", 35), word("alias", 35), word("timezone", 63),
			number("admin-port", 1, 65535, 80), number("admin-sport", 1, 65535, 443), choice("admin-https-redirect", "enable", "disable"),
			number("admintimeout", 1, 480, 5), choice("vdom-mode", "no-vdom", "multi-vdom"),
			choice("cfg-save", "automatic", "manual", "revert"), number("cfg-revert-timeout", 10, 4294967295, 600),
		},
	}
}

func phase1() schema.Resource {
	secret := schema.Attribute{Name: "psksecret", Type: "password-3", Secret: true, Required: true}
	return table("vpn.ipsec/phase1-interface", "name", "string", "vpngrp",
		word("name", 15), choice("type", "static", "dynamic", "ddns"), link("interface", 35, "system/interface"),
		choice("ike-version", "1", "2"), typed("remote-gw", "ipv4-address"), choice("mode", "main", "aggressive"),
		secret, number("keylife", 120, 172800, 86400), prose("comments", 255))
}
