package risk

import "github.com/forti-mcp/forti/core/plan"

var baseActions = []entry{
	// Look, count, refresh, test.
	{plan.Medium, []string{
		"monitor/*/*/{clear_counters,clear-counters}",
		"monitor/firewall/{central-snat-map,consolidated-policy,dnat,multicast-policy,multicast-policy6,per-ip-shaper,policy,policy6,shaper}/reset",
		"monitor/azure/application-list/refresh", "monitor/endpoint-control/registration-password/check",
		"monitor/extender-controller/extender/diagnose", "monitor/geoip/geoip-query", "monitor/log/stats/reset",
		"monitor/network/debug-flow/*", "monitor/sdwan/link-monitor-metrics/report",
		"monitor/switch-controller/managed-switch/port-stats-reset",
		"monitor/system/{certificate/read-info,com-log/dump,compliance/run,password-policy-conform,security-rating/trigger}",
		"monitor/system/external-resource/refresh", "monitor/system/fortiguard/{clear-statistics,test-availability,update}",
		"monitor/system/ha-peer/update", "monitor/system/interface/{speed-test-trigger,wake-on-lan}",
		"monitor/system/sdn-connector/{update,validate-gcp-key}", "monitor/system/sniffer/*", "monitor/system/usb-log/*",
		"monitor/user/{fortitoken/refresh,fsso/refresh-server,password-policy-conform,query/abort,radius/test-connect,tacacs-plus/test}",
		"monitor/utm/rating-lookup", "monitor/vpn/ipsec/tunnel_reset_stats", "monitor/wanopt/*/reset",
		"monitor/webcache/stats/reset", "monitor/webfilter/category-quota/reset",
		"monitor/wifi/euclid/reset", "monitor/wifi/managed_ap/led-blink", "monitor/wifi/network/scan",
		"monitor/wifi/{spectrum,vlan-probe}/*",
	}},
	// Change accounts, registrations, certificates or files; start or admit something.
	{plan.High, []string{
		"monitor/endpoint-control/ems/*", "monitor/endpoint-control/registration/{unblock,unquarantine}",
		"monitor/firewall/clearpass-address/*", "monitor/firewall/{policy,security-policy}/update-global-label",
		"monitor/forticonverter/*/*", "monitor/forticonverter/set-source-sn", "monitor/fortiview/session/cancel", "monitor/log/local-report/delete", "monitor/nsx/service/add",
		"monitor/registration/*/*", "monitor/switch-controller/{isl-lockdown,mclag-icl,recommendation}/*",
		"monitor/switch-controller/fsw-firmware/{download,upload}",
		"monitor/system/config/save", "monitor/system/config-revision/*", "monitor/system/crash-log/clear",
		"monitor/system/csf/register-appliance", "monitor/system/external-resource/{dynamic,generic-address}",
		"monitor/system/interface/dhcp-renew", "monitor/system/lte-modem/upload", "monitor/system/modem/{connect,update}",
		"monitor/system/time/set", "monitor/system/traffic-history/*", "monitor/system/usb-device/eject",
		"monitor/user/device/*", "monitor/user/firewall/auth",
		"monitor/user/{fortitoken/activate,fortitoken/import-mobile,fortitoken/import-seed,fortitoken/import-trial}",
		"monitor/user/{fortitoken/provision,fortitoken/send-activation,fortitoken-cloud/trial}",
		"monitor/user/guest/*", "monitor/vpn-certificate/*/*", "monitor/vpn/ipsec/tunnel_up", "monitor/vpn/ssl/provision-user",
		"monitor/web-ui/*/*", "monitor/webproxy/pacfile/upload", "monitor/wifi/ap-profile/create-default",
		"monitor/wifi/{firmware/download,firmware/upload,region-image/upload}", "monitor/wifi/network/connect",
		"monitor/wifi/rogue_ap/*", "monitor/wifi/ssid/generate-keys", "monitor/webfilter/override/delete",
	}},
	// Cut traffic, users or the box.
	{plan.Critical, []string{
		"monitor/endpoint-control/registration/{block,deregister,quarantine}",
		"monitor/extender-controller/extender/{reset,upgrade}", "monitor/firewall/gtp/flush", "monitor/firewall/{session,session6}/*",
		"monitor/license/database/upgrade", "monitor/router/bgp/*", "monitor/switch-controller/fsw-firmware/push",
		"monitor/switch-controller/managed-switch/{bounce-port,factory-reset,poe-reset,restart,update}",
		"monitor/system/admin/*", "monitor/system/api-user/generate-key", "monitor/system/automation-stitch/*",
		"monitor/system/change-password", "monitor/system/config/{backup,restore}", "monitor/system/config-script/*",
		"monitor/system/{dhcp,dhcp6}/revoke", "monitor/system/disconnect-admins", "monitor/system/firmware/*",
		"monitor/system/fortiguard/manual-update", "monitor/system/fortimanager/*", "monitor/system/fsck/start",
		"monitor/system/ha-peer/disconnect", "monitor/system/{hscalefw-license,vmlicense}/*", "monitor/system/logdisk/format",
		"monitor/system/lte-modem/upgrade", "monitor/system/modem/{disconnect,reset}", "monitor/system/os/*",
		"monitor/system/private-data-encryption/set", "monitor/system/process/kill",
		"monitor/user/banned/*", "monitor/user/firewall/deauth", "monitor/user/local/change-password",
		"monitor/vpn/ike/clear", "monitor/vpn/ipsec/tunnel_down", "monitor/vpn/ssl/{clear_tunnel,delete}",
		"monitor/wifi/client/disassociate", "monitor/wifi/firmware/push", "monitor/wifi/managed_ap/{restart,set_status}",
	}},
}
