package fortisim

import (
	"cmp"
	"strings"
)

// parts are the parts of an access group that a custom profile can tell apart,
// by the beginning of a resource's path: the facts name the group only (I).
var parts = []struct{ prefix, group, part string }{
	{"firewall.schedule/", "fwgrp", "schedule"},
	{"firewall.service/", "fwgrp", "service"},
	{"firewall/addr", "fwgrp", "address"},
	{"firewall/multicast-address", "fwgrp", "address"},
	{"firewall/policy", "fwgrp", "policy"},
	{"firewall/", "fwgrp", "others"},
	{"system/admin", "sysgrp", "admin"},
	{"system/api-user", "sysgrp", "admin"},
	{"system/accprofile", "sysgrp", "admin"},
	{"system.autoupdate/", "sysgrp", "upd"},
	{"router", "netgrp", "route-cfg"},
	{"system", "sysgrp", "cfg"},
	{"system", "netgrp", "cfg"},
	{"log", "loggrp", "config"},
	{"report", "loggrp", "report-access"},
	{"antivirus", "utmgrp", "antivirus"},
	{"ips", "utmgrp", "ips"},
	{"webfilter", "utmgrp", "webfilter"},
	{"emailfilter", "utmgrp", "emailfilter"},
	{"dlp", "utmgrp", "data-loss-prevention"},
	{"file-filter", "utmgrp", "file-filter"},
	{"application", "utmgrp", "application-control"},
	{"icap", "utmgrp", "icap"},
	{"voip", "utmgrp", "voip"},
	{"waf", "utmgrp", "waf"},
	{"dnsfilter", "utmgrp", "dnsfilter"},
	{"endpoint-control", "utmgrp", "endpoint-control"},
	{"user", "authgrp", ""},
	{"vpn", "vpngrp", ""},
	{"wireless-controller", "wifi", ""},
}

// groupOf is the access group of a resource, with the part of it where it has
// any: the facts' group, else by the path.
func groupOf(s *shape) string {
	group := s.group
	for _, p := range parts {
		if strings.HasPrefix(s.path, p.prefix) && (group == "" || group == p.group) {
			return strings.TrimSuffix(p.group+"."+p.part, ".")
		}
	}
	return cmp.Or(group, "sysgrp.cfg")
}
