package risk

import (
	"slices"

	"github.com/forti-mcp/forti/core/plan"
)

// base gives every resource and every monitor call that this version knows its
// tier: exactly one pattern matches each. Where all resources of a group are
// alike, a "*" takes later ones in as well; elsewhere the names are listed, so
// that a new resource is noticed instead of inheriting a neighbour's tier.
var base = slices.Concat(baseSystem, baseFirewall, baseOther, baseActions)

var baseOther = []entry{
	{plan.Low, []string{
		"extender/*", "hardware.npu.np6/*", "hardware/nic", "report/*", "system.performance/top",
		"log/{custom-field,gui-display}",
		"wireless-controller/{ap-status,client-info,rf-analysis,spectral-info,status,vap-status,wtp-status}",
	}},
	{plan.Medium, []string{
		"alertemail/setting", "antivirus/*", "application/*", "casb/*", "cifs/profile",
		"diameter-filter/*", "dlp/*", "dnsfilter/*", "emailfilter/*",
		"endpoint-control/{client,forticlient-registration-sync,profile,registered-forticlient,settings}",
		"ethernet-oam/cfm", "file-filter/*", "gtp/*", "icap/*", "ips/*", "log/threat-weight",
		"monitoring/*", "pfcp/*", "rule/*", "sctp-filter/*", "spamfilter/*", "ssh-filter/*",
		"telemetry-controller/*", "telemetry-controller.application/*",
		"user/{device,device-access-list,device-category,device-group}",
		"videofilter/*", "virtual-patch/*", "voip/*", "waf/*", "wanopt/*",
		"web-proxy/{debug-url,fast-fallback,forward-server,forward-server-group,isolator-server,profile,url-match,wisp}",
		"webfilter/*", "wireless-controller.hotspot20/*",
		"wireless-controller/{access-control-list,address,addrgrp,apcfg-profile,arrp-profile,ble-profile,bonjour-profile," +
			"log,lw-profile,qos-profile,region,snmp,ssid-policy,syslog-profile,utm-profile,wids-profile}",
	}},
	{plan.High, []string{
		"authentication/*", "certificate/*", "cifs/domain-controller", "credential-store/*", "dpdk/*",
		"endpoint-control/{fctems,fctems-override,forticlient-ems}",
		"extender-controller/*", "extension-controller/*", "ftp-proxy/explicit",
		"log.*/{filter,override-filter,setting,override-setting,global-setting}", "log/{eventfilter,setting}",
		"nsxt/*", "router/*",
		"switch-controller.*/*",
		"switch-controller/{802-1X-settings,dynamic-port-policy,flow-tracking,fortilink-settings,global,igmp-snooping," +
			"ip-source-guard-log,lldp-profile,lldp-settings,location,mac-policy,mac-sync-settings,managed-switch,nac-device," +
			"nac-settings,network-monitor-settings,poe,port-policy,quarantine,remote-log,sflow,snmp-community,snmp-sysinfo," +
			"snmp-trap-threshold,snmp-user,storm-control,storm-control-policy,stp-instance,stp-settings,switch-group," +
			"switch-interface-tag,switch-log,switch-profile,system,traffic-policy,traffic-sniffer,virtual-port-pool,vlan,vlan-policy}",
		"user/{adgrp,certificate,domain-controller,exchange,external-identity-provider,fortitoken,fsso,fsso-polling,group," +
			"krb-keytab,ldap,local,nac-policy,password-policy,peer,peergrp,pop3,quarantine,radius,saml,scim," +
			"security-exempt-list,setting,tacacs+}",
		"vpn/*", "vpn.certificate/*", "vpn.ike/*", "vpn.ipsec/*", "vpn.ssl/*", "vpn.ssl.web/*",
		"web-proxy/{explicit,global}",
		"wireless-controller/{global,inter-controller,mpsk-profile,nac-profile,setting,timers,vap,vap-group,wag-profile," +
			"wtp,wtp-group,wtp-profile}",
		"ztna/*",
	}},
	{plan.Critical, []string{"automation/setting", "switch-controller/custom-command"}},
}
