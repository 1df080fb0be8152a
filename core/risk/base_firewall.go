package risk

import "github.com/forti-mcp/forti/core/plan"

var baseFirewall = []entry{
	// Objects and built-in lists: without effect until a policy uses them.
	{plan.Low, []string{
		"firewall.iprope/list", "firewall.schedule/*", "firewall.service/*", "firewall.shaper/*", "firewall.wildcard-fqdn/*",
		"firewall/{address,address6,address6-template,addrgrp,addrgrp6,multicast-address,multicast-address6," +
			"proxy-address,proxy-addrgrp,internet-service-custom,internet-service-custom-group,network-service-dynamic,traffic-class}",
		"firewall/{city,country,region,vendor-mac,vendor-mac-summary,internet-service,internet-service-botnet," +
			"internet-service-fortiguard,internet-service-ipbl-reason,internet-service-ipbl-vendor,internet-service-list," +
			"internet-service-name,internet-service-owner,internet-service-reputation,internet-service-sld," +
			"internet-service-subapp,ldb-monitor,proute}",
	}},
	{plan.Medium, []string{
		"firewall.consolidated/policy", "firewall.ssl/setting",
		"firewall/{policy,policy46,policy6,policy64,security-policy,proxy-policy,multicast-policy,multicast-policy6,acl,acl6," +
			"DoS-policy,DoS-policy6,interface-policy,interface-policy6,shaping-policy,shaping-profile,sniffer," +
			"on-demand-sniffer,ttl-policy}",
		"firewall/{carrier-endpoint-bwl,dnstranslation,gtp,ippool,ippool6,internet-service-addition,internet-service-append," +
			"internet-service-definition,internet-service-extension,internet-service-group,mms-profile,pfcp,profile-group," +
			"profile-protocol-options,ssl-server,ssl-ssh-profile}",
	}},
	{plan.High, []string{
		"firewall.ipmacbinding/*", "firewall.ssh/*",
		"firewall/{access-proxy,access-proxy-ssh-client-cert,access-proxy-virtual-host,access-proxy6,auth-portal," +
			"central-snat-map,decrypted-traffic-mirror,global,identity-based-route,ip-translation,ipv6-eh-filter," +
			"vip,vip46,vip6,vip64,vipgrp,vipgrp46,vipgrp6,vipgrp64}",
	}},
	// What the box itself accepts.
	{plan.Critical, []string{"firewall/{local-in-policy,local-in-policy6}"}},
}
