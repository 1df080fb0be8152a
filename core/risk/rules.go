package risk

import (
	"slices"

	"github.com/forti-mcp/forti/core/plan"
)

// rules is the rule set: what each rule watches and does. The ids are
// stable; they are stored in plans.
var rules = slices.Concat(lockoutRules, routeRules, boxRules, policyRules, objectRules, planRules)

var lockoutRules = []rule{
	{id: "R-LOCKOUT-01", watch: []string{"system/{api-user,admin,accprofile}", "firewall.schedule/*", "user/peergrp"}, operation: ownAccount},
	{id: lockoutRule, watch: []string{"system/api-user"}, operation: trustedHosts},
	{id: "R-LOCKOUT-03", watch: carrierTables, operation: ownInterface},
	{id: "R-LOCKOUT-04", watch: []string{"system/global", "certificate/local", "vpn.certificate/local"}, operation: adminAccess},
	{id: "R-LOCKOUT-05", operation: ownInput, watch: []string{
		"firewall/{local-in-policy,local-in-policy6}", "system/{global,ha,dedicated-mgmt,interface}", policyTable}},
}

var routeRules = []rule{
	{id: "R-RT-01", watch: staticTables, operation: ownRoute},
	{id: "R-RT-02", watch: []string{"router/*", "system/{sdwan,virtual-wan-link,link-monitor}"}, operation: otherRouting},
}

var boxRules = []rule{
	{id: "R-IF-01", watch: interfaceTables, operation: always(plan.High, "carries or switches traffic, which can stop")},
	{id: "R-HA-01", operation: clusters, watch: []string{
		"system/{ha,ha-monitor,standalone-cluster,cluster-sync,central-management,fortimanager,fm,management-tunnel," +
			"vdom,vdom-exception,global,settings}"}},
	{id: "R-VPN-01", watch: vpnTables, operation: tunnels},
	{id: "R-NAT-01", operation: published, watch: []string{
		"firewall/{vip,vip46,vip6,vip64,vipgrp,vipgrp46,vipgrp6,vipgrp64,central-snat-map,ip-translation}"}},
	{id: "R-LOG-01", operation: logging, watch: append([]string{
		"log.*/*", "log/{setting,eventfilter}"}, trafficPolicies...)},
	{id: "R-AUTH-01", watch: identityTables, operation: always(plan.High, "decides who can log in, or whom the device believes")},
	{id: "R-AUTO-01", watch: codeTables, operation: always(plan.Critical, "lets the device run something by itself, later and unseen")},
	{id: "R-ACT-01", watch: []string{"monitor/*", "monitor/*/*", "monitor/*/*/*", "monitor/*/*/*/*"}, operation: actions},
}

var policyRules = []rule{
	{id: "R-POL-01", watch: trafficPolicies, operation: openPolicy},
	{id: "R-POL-02", watch: trafficPolicies, operation: widePolicy},
	{id: "R-POL-03", watch: append([]string{"firewall/{acl,acl6}"}, trafficPolicies...), operation: aboveDeny},
	{id: "R-POL-04", watch: inspectionTables, operation: inspection},
	{id: "R-POL-06", watch: []string{policyTable}, operation: shadowed},
	{id: "R-POL-05", watch: policyTables, otherwise: true, operation: always(plan.Medium, "changes which traffic passes or how it is treated")},
}

var objectRules = []rule{
	{id: "R-SEC-01", operation: secrets},
	{id: "R-REF-01", operation: shared},
	{id: "R-REF-02", watch: meaningTables, operation: widened},
	{id: "R-IRREV-01", operation: irreversible},
}

var planRules = []rule{
	{id: "R-DEL-01", operation: deleted, plan: manyDeletes},
	{id: "R-SIZE-01", plan: size},
	{id: "R-SAVE-01", plan: saving},
	{id: "R-MIX-01", plan: scopes},
}

// The resources of rules that say the same of each.
var (
	interfaceTables = []string{
		"system/{interface,zone,switch-interface,virtual-switch,physical-switch,virtual-wire-pair,vdom-link,ipsec-aggregate," +
			"vxlan,geneve,gre-tunnel,ipip-tunnel,sit-tunnel,ipv6-tunnel,pppoe-interface,vne-interface,vne-tunnel,mobile-tunnel," +
			"npu-vlink,lte-modem,modem,stp,evpn}",
	}
	vpnTables = []string{
		"vpn/*", "vpn.ipsec/*", "vpn.ssl/*", "vpn.ssl.web/*", "vpn.ike/*", "system/{gre-tunnel,ipip-tunnel,sit-tunnel,ipv6-tunnel,fabric-vpn,sdn-vpn}",
	}
	identityTables = []string{
		"user/{adgrp,certificate,domain-controller,exchange,external-identity-provider,fortitoken,fsso,fsso-polling,group," +
			"krb-keytab,ldap,local,nac-policy,password-policy,peer,peergrp,pop3,radius,saml,scim,security-exempt-list,setting,tacacs+}",
		"vpn.certificate/*", "certificate/*", "authentication/*", "credential-store/*", "cifs/domain-controller", "firewall.ssh/*",
		"system/{saml,sso-admin,sso-forticloud-admin,sso-fortigate-cloud-admin,password-policy,password-policy-guest-admin," +
			"ftm-push,fsso-polling,vdom-radius-server,acme}",
	}
	codeTables = []string{
		"system/{automation-action,automation-condition,automation-destination,automation-stitch,automation-trigger," +
			"auto-script,auto-install,alias}",
		"automation/setting", "switch-controller/custom-command",
	}
	policyTables = append([]string{
		"firewall/{acl,acl6,DoS-policy,DoS-policy6,interface-policy,interface-policy6,shaping-policy,sniffer," +
			"on-demand-sniffer,ttl-policy}",
	}, trafficPolicies...)
	inspectionTables = append([]string{
		"firewall/{DoS-policy,DoS-policy6,interface-policy,interface-policy6,sniffer}",
	}, trafficPolicies...)
	meaningTables = []string{
		"firewall/{address,address6,addrgrp,addrgrp6,multicast-address,multicast-address6,proxy-address,proxy-addrgrp," +
			"internet-service-custom,internet-service-custom-group,vip,vip6,vipgrp,vipgrp6}",
		"firewall.wildcard-fqdn/*", "firewall.service/{custom,group}",
	}
)

// always fires on every change of what a rule watches.
func always(tier plan.Tier, why string) func(w *world, c *Change) []finding {
	return func(_ *world, c *Change) []finding {
		return fired(tier, "%s %s%s; it %s", what(c), verb(c), c.updates(), why)
	}
}
