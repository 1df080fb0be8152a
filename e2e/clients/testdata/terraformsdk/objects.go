package main

import (
	"encoding/json"
	"log"
	"reflect"

	forticlient "github.com/fortinetdev/forti-sdk-go/fortios/sdkcore"
)

// kind is what the SDK does with one kind of object.
type kind[P any] struct {
	create func(*P) error
	read   func(string) (*P, error)
	update func(*P, string) error
	remove func(string) error
}

func kindOf[P, C, U any](create func(*P) (*C, error), read func(string) (*P, error), update func(*P, string) (*U, error), remove func(string) error) kind[P] {
	return kind[P]{
		func(p *P) error { _, err := create(p); return err },
		read,
		func(p *P, key string) error { _, err := update(p, key); return err },
		remove,
	}
}

// tour makes an object, changes it and deletes it. After each it says what the SDK reads
// that is not what it sent: nothing, where the device took it as it was.
func tour[P any](name, key string, k kind[P], made, changed P) {
	say("create "+name, nil, k.create(&made))
	got, err := k.read(key)
	say("read "+name, differences(made, got), err)
	say("update "+name, nil, k.update(&changed, key))
	got, err = k.read(key)
	say("read changed "+name, differences(changed, got), err)
	say("delete "+name, nil, k.remove(key))
	got, err = k.read(key)
	say("read deleted "+name, got != nil, err)
}

func differences(sent, got any) attributes {
	out, want, have := attributes{}, fieldsOf(sent), fieldsOf(got)
	for name, v := range want {
		if !reflect.DeepEqual(v, have[name]) {
			out[name] = have[name]
		}
	}
	return out
}

func fieldsOf(v any) attributes {
	raw, err := json.Marshal(v)
	if err != nil {
		log.Fatal(err)
	}
	var out attributes
	if err := json.Unmarshal(raw, &out); err != nil {
		log.Fatal(err)
	}
	return out
}

func firewallObjects(c *forticlient.FortiSDKClient) {
	type service = forticlient.JSONFirewallObjectService
	web := func(ports, comment string) service {
		return service{JSONFirewallObjectServiceCommon: &forticlient.JSONFirewallObjectServiceCommon{
			Name: "alt web", Category: "Web Access", Protocol: "TCP/UDP/SCTP", TCPPortrange: ports, Comment: comment,
		}}
	}
	tour("service", "alt web", kindOf(c.CreateFirewallObjectService, c.ReadFirewallObjectService, c.UpdateFirewallObjectService, c.DeleteFirewallObjectService),
		web("8080-8081", "made"), web("8080", "changed"))

	type pool = forticlient.JSONFirewallObjectIPPool
	tour("pool", "out", kindOf(c.CreateFirewallObjectIPPool, c.ReadFirewallObjectIPPool, c.UpdateFirewallObjectIPPool, c.DeleteFirewallObjectIPPool),
		pool{Name: "out", Type: "overload", Startip: "203.0.113.50", Endip: "203.0.113.60", ArpReply: "enable", Comments: "made"},
		pool{Name: "out", Type: "one-to-one", Startip: "203.0.113.50", Endip: "203.0.113.55", ArpReply: "disable", Comments: "changed"})

	type vip = forticlient.JSONFirewallObjectVip
	front := vip{Name: "front", Comment: "made", Extip: "203.0.113.70", Extintf: "wan1", Mappedip: forticlient.VIPMultValues{{Range: "192.168.10.70"}}, Portforward: "enable", Protocol: "tcp", Extport: "443", Mappedport: "8443"}
	back := front
	back.Comment, back.Mappedip, back.Extport = "changed", forticlient.VIPMultValues{{Range: "192.168.10.71-192.168.10.72"}}, "444"
	tour("vip", "front", kindOf(c.CreateFirewallObjectVip, c.ReadFirewallObjectVip, c.UpdateFirewallObjectVip, c.DeleteFirewallObjectVip), front, back)

	type group = forticlient.JSONFirewallObjectAddressGroup
	tour("group", "servers", kindOf(c.CreateFirewallObjectAddressGroup, c.ReadFirewallObjectAddressGroup, c.UpdateFirewallObjectAddressGroup, c.DeleteFirewallObjectAddressGroup),
		group{Name: "servers", Comment: "made", Member: forticlient.MultValues{{Name: "srv-web"}, {Name: "srv-mail"}}},
		group{Name: "servers", Comment: "changed", Member: forticlient.MultValues{{Name: "srv-files"}}})
}

func systemObjects(c *forticlient.FortiSDKClient) {
	type port = forticlient.JSONNetworkingInterfacePort
	tour("vlan", "guests", kindOf(c.CreateNetworkingInterfacePort, c.ReadNetworkingInterfacePort, c.UpdateNetworkingInterfacePort, c.DeleteNetworkingInterfacePort),
		port{Name: "guests", Type: "vlan", Vdom: "root", Interface: "lan", Vlanid: "77", Ipf: "10.77.0.1 255.255.255.0", Allowaccess: "ping", Role: "lan", Mode: "static", Description: "made"},
		port{Name: "guests", Type: "vlan", Vdom: "root", Interface: "lan", Vlanid: "77", Ipf: "10.77.0.254 255.255.255.0", Allowaccess: "ping https", Alias: "guest", Mtu: "1400", MtuOverride: "enable", Description: "changed"})

	type profile = forticlient.JSONSystemAdminProfiles
	tour("profile", "readers", kindOf(c.CreateSystemAdminProfiles, c.ReadSystemAdminProfiles, c.UpdateSystemAdminProfiles, c.DeleteSystemAdminProfiles),
		profile{Name: "readers", Scope: "vdom", Comments: "made", Sysgrp: "read", Netgrp: "read", Fwgrp: "none"},
		profile{Name: "readers", Scope: "vdom", Comments: "changed", Sysgrp: "none", Fwgrp: "read-write", AdmintimeoutOverride: "enable"})

	type robot = forticlient.JSONSystemAPIUserSetting
	hosts := forticlient.APIUserMultValues{{TypeF: "ipv4-trusthost", Ipv4TrustHost: "192.0.2.0 255.255.255.0"}}
	tour("API user", "robot", kindOf(c.CreateSystemAPIUserSetting, c.ReadSystemAPIUserSetting, c.UpdateSystemAPIUserSetting, c.DeleteSystemAPIUserSetting),
		robot{Name: "robot", Accprofile: "super_admin", Vdom: forticlient.MultValues{{Name: "root"}}, Trusthost: hosts, Comments: "made"},
		robot{Name: "robot", Accprofile: "prof_admin", Vdom: forticlient.MultValues{{Name: "root"}}, Trusthost: hosts, Comments: "changed"})
}

func tunnels(c *forticlient.FortiSDKClient) {
	type gateway = forticlient.JSONVPNIPsecPhase1Interface
	type selector = forticlient.JSONVPNIPsecPhase2Interface
	gateways := kindOf(c.CreateVPNIPsecPhase1Interface, c.ReadVPNIPsecPhase1Interface, c.UpdateVPNIPsecPhase1Interface, c.DeleteVPNIPsecPhase1Interface)
	selectors := kindOf(c.CreateVPNIPsecPhase2Interface, c.ReadVPNIPsecPhase2Interface, c.UpdateVPNIPsecPhase2Interface, c.DeleteVPNIPsecPhase2Interface)
	first := gateway{Name: "to-lab", Type: "static", Interface: "wan1", Peertype: "any", Proposal: "aes256-sha256", Comments: "made", RemoteGw: "203.0.113.90", Psksecret: "a made up secret", WizardType: "custom"}
	say("create tunnel", nil, gateways.create(&first))
	got, err := gateways.read("to-lab")
	say("read tunnel", differences(first, got), err)
	tour("selector", "to-lab", selectors,
		selector{Name: "to-lab", Phase1name: "to-lab", Proposal: "aes256-sha256", Comments: "made", SrcAddrType: "subnet", SrcSubnet: "192.168.10.0 255.255.255.0", DstAddrType: "subnet", DstSubnet: "10.90.0.0 255.255.0.0"},
		selector{Name: "to-lab", Phase1name: "to-lab", Proposal: "aes128-sha256 aes256-sha256", Comments: "changed", SrcAddrType: "range", SrcStartIP: "192.168.10.10", SrcEndIP: "192.168.10.20", DstAddrType: "subnet", DstSubnet: "10.90.0.0 255.255.0.0"})
	say("delete tunnel", nil, gateways.remove("to-lab"))
}

// singletons are updated and read; the SDK creates and deletes none.
func singletons(c *forticlient.FortiSDKClient) {
	names := forticlient.JSONSystemSettingDNS{Primary: "192.0.2.53", Secondary: "192.0.2.54"}
	_, err := c.UpdateSystemSettingDNS(&names, "")
	say("update DNS", nil, err)
	dns, err := c.ReadSystemSettingDNS("")
	say("read DNS", differences(names, dns), err)

	logs := forticlient.JSONLogSyslogSetting{Status: "enable", Server: "192.0.2.99", Mode: "udp", Port: "1514", Facility: "local7", Format: "csv"}
	_, err = c.UpdateLogSyslogSetting(&logs, "")
	say("update syslog", nil, err)
	syslog, err := c.ReadLogSyslogSetting("")
	say("read syslog", differences(logs, syslog), err)
}

// sorting moves policies one after another until they stand by their names.
func sorting(c *forticlient.FortiSDKClient) {
	say("sort policies", nil, c.CreateUpdateFirewallSecurityPolicySort("name", "descending", ""))
	sorted, err := c.ReadFirewallSecurityPolicySort("name", "descending", "")
	say("read the order", sorted, err)
	list, err := c.GetSecurityPolicyList("")
	names := []string{}
	for _, p := range list {
		names = append(names, p.Name)
	}
	say("list policies", names, err)
}
