package risk

import "github.com/forti-mcp/forti/core/plan"

var baseSystem = []entry{
	{plan.Low, []string{
		"system.lldp/network-policy", "system.replacemsg/*", "system.security-rating/*",
		"system/{custom-language,dscp-based-priority,geoip-country,object-tagging,replacemsg-group,replacemsg-image," +
			"timezone,tos-based-priority}",
	}},
	{plan.Medium, []string{
		"system.3g-modem/custom",
		"system/{alarm,console,email-server,geoip-override,gi-gk,health-check-fortiguard,ips-urlfilter-dns," +
			"ips-urlfilter-dns6,isf-queue-profile,netflow,network-visibility,ptp,session-ttl,sflow,smc-ntp,sms-server," +
			"speed-test-schedule,speed-test-server,speed-test-setting,vdom-netflow,vdom-sflow}",
	}},
	{plan.High, []string{
		"system.autoupdate/*", "system.dhcp/server", "system.dhcp6/server", "system.snmp/*",
		// Interfaces, switching and what they carry.
		"system/{arp-table,evpn,geneve,gre-tunnel,interface,ipip-tunnel,ipsec-aggregate,ipv6-neighbor-cache,ipv6-tunnel," +
			"lte-modem,mac-address-table,mobile-tunnel,modem,nd-proxy,np6,np6xlite,npu,npu-vlink,physical-switch," +
			"pppoe-interface,proxy-arp,sit-tunnel,stp,switch-interface,vdom-link,virtual-switch,virtual-wire-pair," +
			"vne-interface,vne-tunnel,vxlan,wccp,zone}",
		// Routing and names.
		"system/{ddns,dns,dns-database,dns-server,dns64,ipam,link-monitor,nat64,sdwan,vdom-dns,virtual-wan-link}",
		// Services and settings of the box.
		"system/{acme,affinity-interrupt,affinity-packet-redistribution,cloud-service,device-upgrade-exemptions," +
			"external-resource,fabric-vpn,fortiai,fortidata,fortiguard,fortindr,fortisandbox,fsso-polling,ftm-push,global," +
			"ike,ips,mem-mgr,ngfw-settings,ntp,password-policy,password-policy-guest-admin,pcp-server,probe-response," +
			"resource-limits,sdn-connector,sdn-proxy,sdn-vpn,session-helper,settings,sov-sase,ssh-config,storage," +
			"vdom-property,vdom-radius-server}",
	}},
	{plan.Critical, []string{
		// Who may manage.
		"system/{accprofile,admin,api-user,saml,sso-admin,sso-forticloud-admin,sso-fortigate-cloud-admin}",
		// Code on the device.
		"system/{alias,auto-install,auto-script,automation-action,automation-condition,automation-destination," +
			"automation-stitch,automation-trigger}",
		// Clusters, domains, central management, firmware.
		"system/{central-management,cluster-sync,csf,dedicated-mgmt,device-upgrade,federated-upgrade,fips-cc,fm,fortimanager," +
			"ha,ha-monitor,management-tunnel,standalone-cluster,vdom,vdom-exception}",
	}},
}
