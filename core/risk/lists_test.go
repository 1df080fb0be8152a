package risk

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/plan"
)

// The lists of attributes and resources that the rules go by, written out here once
// more: what is taken out of one, or added, fails here.

func TestEachAttributeThatDecidesWhatAPolicyMatchesCountsAboveADeny(t *testing.T) {
	const attributes = `src-vendor-mac srcaddr srcaddr-negate srcaddr6 srcaddr6-negate srcintf dstaddr dstaddr-negate dstaddr6 dstintf service service-negate
		internet-service internet-service-name internet-service-src internet-service6 schedule schedule-timeout users groups fsso-groups action status
		network-service-dynamic network-service-src-dynamic ztna-status ztna-ems-tag interface reputation-minimum reputation-direction vlan-filter sgt sgt-check
		rtp-addr devices url-category application app-category app-group policy-expiry policy-expiry-date geoip-match geoip-anycast match-vip match-vip-only proxy`
	for attribute := range strings.FieldsSeq(attributes) {
		v := aboveADeny2(attribute)
		if tierOf(v, "R-POL-03") != plan.High {
			t.Errorf("%s of a policy above a deny: %+v", attribute, v.Reasons)
		}
	}
	for attribute := range strings.FieldsSeq("comments label global-label logtraffic nat av-profile ips-sensor traffic-shaper name uuid inspection-mode") {
		if v := aboveADeny2(attribute); tierOf(v, "R-POL-03") != "" {
			t.Errorf("%s of a policy above a deny: %+v", attribute, v.Reasons)
		}
	}
}

func aboveADeny2(attribute string) Verdict {
	b := newBox()
	p := with(policy(1, "lan", "lan", "HTTPS"), attribute, "y")
	if attribute == "action" || attribute == "status" {
		p = policy(1, "lan", "lan", "HTTPS")
	}
	b.policies = []map[string]any{p, deny(2)}
	c := change(policyTable, int64(1), p)
	c.Touched = []string{attribute}
	return b.assess(c)
}

func TestEachAttributeThatNarrowsAPolicyKeepsItFromTakingAll(t *testing.T) {
	const attributes = `srcaddr-negate srcaddr6-negate dstaddr-negate dstaddr6-negate service-negate internet-service internet-service-src internet-service6
		internet-service6-src users groups fsso-groups devices src-vendor-mac ztna-status ztna-ems-tag ztna-ems-tag-secondary ztna-geo-tag reputation-minimum
		reputation-minimum6 sgt-check vlan-filter tos-mask network-service-dynamic network-service-src-dynamic url-category application app-category app-group
		policy-expiry`
	low := allDay(policy(1, "lan", "lan", "HTTPS"))
	for attribute := range strings.FieldsSeq(attributes) {
		for _, v := range []any{"enable", refs("x"), int64(3)} {
			b := newBox()
			top := with(block(2, "lan"), attribute, v)
			if got := b.assess(onTop(top, low)(b)...); tierOf(got, "R-POL-06") != "" {
				t.Errorf("%s of %v: %+v", attribute, v, got.Reasons)
			}
		}
		for _, v := range []any{"disable", []any{}, int64(0), "0", "0x00", ""} {
			b := newBox()
			top := with(block(2, "lan"), attribute, v)
			if got := b.assess(onTop(top, low)(b)...); tierOf(got, "R-POL-06") != plan.High {
				t.Errorf("%s of %v narrows nothing: %+v", attribute, v, got.Reasons)
			}
		}
	}
}

func TestRemarksAreWhatPeopleRead(t *testing.T) {
	for attribute := range strings.FieldsSeq("comment comments description color label global-label tagging alias uuid visibility obj-tag") {
		v := newBox().assess(used(change("firewall/address", "lan", lan, attribute, "x"), 51))
		if tierOf(v, "R-REF-01") != plan.Medium {
			t.Errorf("%s: %+v", attribute, v.Reasons)
		}
		v = newBox().assess(used(change("firewall/address", "lan", lan, attribute, "x", "subnet", "10.0.0.0/25"), 51))
		if tierOf(v, "R-REF-01") != plan.Critical {
			t.Errorf("%s beside the network: %+v", attribute, v.Reasons)
		}
	}
}

func TestWhatIsQuietOnOurInterfaceAndWhatIsNot(t *testing.T) {
	const quietOnes = `alias description color tagging snmp-index monitor-bandwidth lldp-transmission lldp-network-policy device-identification
		device-identification-active-scan estimated-upstream-bandwidth measured-downstream-bandwidth uuid netflow-sampler sflow-sampler sample-rate
		sample-direction bandwidth-measure-time`
	const loudOnes = `allowaccess ip ipv6 status vdom role type member interface vlanid mode mtu secondaryip defaultgw trust-ip-1 dedicated-to security-mode
		inbandwidth outbandwidth speed vrf`
	for attribute := range strings.FieldsSeq(quietOnes) {
		if v := newBox().assess(change("system/interface", "port1", port1, attribute, "x")); tierOf(v, "R-LOCKOUT-03") != "" {
			t.Errorf("%s: %+v", attribute, v.Reasons)
		}
	}
	for attribute := range strings.FieldsSeq(loudOnes) {
		if v := newBox().assess(change("system/interface", "port1", port1, attribute, "x")); tierOf(v, "R-LOCKOUT-03") != plan.Critical {
			t.Errorf("%s: %+v", attribute, v.Reasons)
		}
	}
}

func TestWhichGlobalSettingsDecideHowTheDeviceIsManaged(t *testing.T) {
	rules := map[string]string{
		"R-LOCKOUT-04": `admin-port admin-sport admin-server-cert admin-https-redirect admin-https-ssl-versions admin-lockout-threshold admin-lockout-duration
			admintimeout rest-api-key-url-query ssl-min-proto-version ssl-static-key-ciphers strong-crypto management-ip management-port
			management-port-use-admin-sport multi-factor-authentication clt-cert-req dh-params private-data-encryption`,
		"R-LOCKOUT-05": "management-vdom",
		"R-HA-01":      "vdom-mode vdom-admin",
		"":             "hostname timezone gui-theme language alias",
	}
	for rule, attributes := range rules {
		for attribute := range strings.FieldsSeq(attributes) {
			v := newBox().assess(change("system/global", nil, object{}, attribute, "x"))
			for _, id := range []string{"R-LOCKOUT-04", "R-LOCKOUT-05", "R-HA-01"} {
				if fires := tierOf(v, id) != ""; fires != (id == rule) {
					t.Errorf("%s: %s fires %v: %+v", attribute, id, fires, v.Reasons)
				}
			}
		}
	}
	for attribute := range strings.FieldsSeq("opmode vdom-type manageip manageip6") {
		if v := newBox().assess(change("system/settings", nil, object{}, attribute, "x")); tierOf(v, "R-HA-01") != plan.Critical {
			t.Errorf("%s of system/settings: %+v", attribute, v.Reasons)
		}
	}
	for attribute := range strings.FieldsSeq("ha-mgmt-status ha-mgmt-interfaces ha-direct standalone-mgmt-vdom") {
		if v := newBox().assess(change("system/ha", nil, object{}, attribute, "x")); tierOf(v, "R-LOCKOUT-05") != plan.Critical {
			t.Errorf("%s of system/ha: %+v", attribute, v.Reasons)
		}
	}
	for attribute := range strings.FieldsSeq("dedicated-to management-ip") {
		if v := newBox().assess(change("system/interface", "port2", port2, attribute, "x")); tierOf(v, "R-LOCKOUT-05") != plan.Critical {
			t.Errorf("%s of an interface: %+v", attribute, v.Reasons)
		}
	}
}

func TestWhatInspectsAndWhatOnlyLooksLikeIt(t *testing.T) {
	const inspects = `av-profile webfilter-profile dnsfilter-profile emailfilter-profile dlp-profile file-filter-profile voip-profile icap-profile waf-profile
		ssh-filter-profile casb-profile videofilter-profile ips-sensor dlp-sensor application-list profile-group ips-voip-filter`
	for attribute := range strings.FieldsSeq(inspects) {
		for _, gone := range []any{"", nil} {
			c := change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), attribute, "x"), attribute, gone)
			if v := newBox().assess(c); tierOf(v, "R-POL-04") != plan.High {
				t.Errorf("%s becomes %v: %+v", attribute, gone, v.Reasons)
			}
		}
		c := change("firewall/interface-policy", int64(1), object{attribute + "-status": "enable"}, attribute+"-status", "disable")
		if v := newBox().assess(c); tierOf(v, "R-POL-04") != plan.High {
			t.Errorf("%s is switched off: %+v", attribute, v.Reasons)
		}
	}
	for attribute := range strings.FieldsSeq("egress-shaping-profile telemetry-profile webproxy-profile wanopt-profile traffic-shaper comments") {
		c := change(policyTable, int64(1), with(policy(1, "lan", "lan", "HTTPS"), attribute, "x"), attribute, "")
		if v := newBox().assess(c); tierOf(v, "R-POL-04") != "" {
			t.Errorf("%s: %+v", attribute, v.Reasons)
		}
	}
}

func TestWhatNothingRefersToNeedsNoLookUp(t *testing.T) {
	const alone = "router/static router/static6 router/policy router/policy6 system/admin system/api-user firewall/local-in-policy firewall/local-in-policy6 " +
		"firewall/central-snat-map " + traffic + otherPolicies
	for resource := range strings.FieldsSeq(alone) {
		c := remove(resource, "x", object{"name": "x"})
		c.Users = nil
		if v := newBox().assess(c); tierOf(v, "R-REF-01") != "" {
			t.Errorf("%s: %+v", resource, v.Reasons)
		}
	}
	for resource := range strings.FieldsSeq("firewall/address system/interface user/group firewall/vip router/route-map system/accprofile") {
		c := remove(resource, "x", object{"name": "x"})
		c.Users = nil
		if v := newBox().assess(c); tierOf(v, "R-REF-01") != plan.High {
			t.Errorf("%s: %+v", resource, v.Reasons)
		}
	}
}

func TestWhatKeepsLogs(t *testing.T) {
	const targets = "log.syslogd log.syslogd2 log.syslogd3 log.syslogd4 log.fortianalyzer log.fortianalyzer2 log.fortianalyzer3 log.fortianalyzer-cloud log.fortiguard log.disk"
	off := func(target string) Change { return change(target+"/setting", nil, syslog, "status", "disable") }
	for target := range strings.FieldsSeq(targets) {
		if v := newBox().assess(off(target)); tierOf(v, "R-LOG-01") != plan.Critical {
			t.Errorf("the last target %s: %+v", target, v.Reasons)
		}
		other := "log.syslogd"
		if target == other {
			other = "log.disk"
		}
		b := newBox()
		b.singleton(target+"/setting", object{"status": "enable"})
		if v := b.assess(off(other)); tierOf(v, "R-LOG-01") != plan.High {
			t.Errorf("%s is on while %s goes: %+v", target, other, v.Reasons)
		}
	}
	for target := range strings.FieldsSeq("log.memory log.null-device log.webtrends log.tacacs+accounting") {
		b := newBox()
		b.singleton(target+"/setting", object{"status": "enable"})
		if v := b.assess(off("log.syslogd")); tierOf(v, "R-LOG-01") != plan.Critical {
			t.Errorf("%s keeps nothing: %+v", target, v.Reasons)
		}
		if v := newBox().assess(off(target)); tierOf(v, "R-LOG-01") != plan.High {
			t.Errorf("%s goes, which keeps nothing: %+v", target, v.Reasons)
		}
	}
}

func TestEachWayToWriteAName(t *testing.T) {
	for attribute := range strings.FieldsSeq("name interface-name interface q_origin_key id") {
		if got := names([]any{object{attribute: "x"}}); len(got) != 1 || got[0] != "x" {
			t.Errorf("%s: %q", attribute, got)
		}
	}
	if got := names([]any{object{"id": int64(7), "name": "x"}}); len(got) != 1 || got[0] != "x" {
		t.Errorf("a row with a name and a number: %q", got)
	}
}

func TestEachFamilyOfActionsIsRefused(t *testing.T) {
	families := map[string]string{
		"running CLI scripts":       "system/config-script/run system/config-script/delete system/config-script/upload",
		"restoring a configuration": "system/config/restore",
		"changing firmware": `system/firmware/upgrade system/firmware/upgrade-paths system/lte-modem/upgrade system/lte-modem/upload
			switch-controller/fsw-firmware/push switch-controller/managed-switch/update extender-controller/extender/upgrade
			wifi/firmware/push wifi/firmware/upload wifi/region-image/upload`,
		"factory reset": "switch-controller/managed-switch/factory-reset system/any/factory-reset",
		"reboot or shutdown": `system/os/reboot system/os/shutdown switch-controller/managed-switch/restart wifi/managed_ap/restart
			extender-controller/extender/reset system/fsck/start system/logdisk/format system/vmlicense/upload system/hscalefw-license/upload`,
		"making credentials":      "system/api-user/generate-key",
		"changing passwords":      "system/change-password user/local/change-password",
		"switching the VDOM mode": "system/admin/change-vdom-mode system/admin/toggle-vdom-mode",
		"running automation":      "system/automation-stitch/test system/automation-stitch/webhook",
	}
	for want, paths := range families {
		for path := range strings.FieldsSeq(paths) {
			if name, refused := Refused("monitor/" + path); !refused || name != want {
				t.Errorf("%s is refused %v as %q, want %q", path, refused, name, want)
			}
		}
	}
}
