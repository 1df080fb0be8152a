package risk

// family is a kind of action that is refused unless the operator allows the call
// by its path.
type family struct {
	name     string
	patterns []string
}

var families = []family{
	{"running CLI scripts", []string{"monitor/system/config-script/*"}},
	{"restoring a configuration", []string{"monitor/system/config/restore"}},
	{"changing firmware", []string{
		"monitor/system/firmware/*", "monitor/system/lte-modem/{upgrade,upload}",
		"monitor/switch-controller/fsw-firmware/*", "monitor/switch-controller/managed-switch/update",
		"monitor/extender-controller/extender/upgrade",
		"monitor/wifi/{firmware,region-image}/*",
	}},
	{"factory reset", []string{"monitor/*/*/factory-reset"}},
	{"reboot or shutdown", []string{
		"monitor/system/os/*", "monitor/switch-controller/managed-switch/restart", "monitor/wifi/managed_ap/restart",
		"monitor/extender-controller/extender/reset", "monitor/system/fsck/start", "monitor/system/logdisk/format",
		"monitor/system/{vmlicense,hscalefw-license}/*",
	}},
	{"making credentials", []string{"monitor/system/api-user/generate-key"}},
	{"changing passwords", []string{"monitor/*/change-password", "monitor/*/*/change-password"}},
	{"switching the VDOM mode", []string{"monitor/system/admin/{change,toggle}-vdom-mode"}},
	{"running automation", []string{"monitor/system/automation-stitch/*"}},
}

// Refused reports whether an action belongs to a family that is refused by
// default, and its name. path is the resource with its action, such as
// "monitor/system/os/reboot".
func Refused(path string) (name string, refused bool) {
	path = call(path)
	for _, f := range families {
		if watches(f.patterns, path) {
			return f.name, true
		}
	}
	return "", false
}
