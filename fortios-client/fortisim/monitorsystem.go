package fortisim

import (
	"strings"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

func systemEndpoints() map[string]endpoint {
	return map[string]endpoint{
		"GET system/status":                    {serve: systemStatus},
		"GET system/time":                      {serve: systemTime},
		"GET system/object/usage":              {serve: objectUsage},
		"GET web-ui/state":                     {serve: webState},
		"GET system/firmware":                  {serve: firmware},
		"GET system/current-admins":            {serve: currentAdmins},
		"GET system/check-port-availability":   {serve: portAvailability},
		"GET system/resource/usage":            {serve: resourceUsage},
		"GET system/performance/status":        {serve: performance},
		"GET system/vdom-resource":             {serve: vdomResource},
		"GET system/global-resources":          {serve: globalResources},
		"GET system/available-certificates":    {serve: certificates},
		"GET system/available-interfaces":      {serve: availableInterfaces},
		"GET license/status":                   {serve: licenses},
		"GET system/fortimanager/status":       {serve: managerStatus, before: catalog.Version{Major: 7, Minor: 2}},
		"GET system/central-management/status": {serve: centralStatus, since: catalog.Version{Major: 7, Minor: 2}},
		"POST system/api-user/generate-key":    {serve: generateKey},
		"POST system/os/reboot":                {serve: reboot},
		"POST system/os/shutdown":              {serve: shutdown},
	}
}

// systemStatus: the members of 7.2 and later; before 7.0 results is empty (R).
func systemStatus(d *Device, _ *query) (any, *Refusal) {
	if !atLeast(d.options.Version, 7, 0, 0) {
		return object{}, nil
	}
	return object{
		{"model_name", "FortiGate"},
		{"model_number", modelNumber(d.options.Model)},
		{"model", d.options.Model},
		{"hostname", d.hostname()},
		{"log_disk_status", "not_available"},
	}, nil
}

// modelNumber is the readable form of the VM's short name (R); of others the
// short name without its first letters (I).
func modelNumber(model string) string {
	if model == "FGVMK6" {
		return "VM64-KVM"
	}
	return strings.TrimLeft(model, "FGTW")
}

func (d *Device) hostname() string {
	name, _ := d.setting("system/global", "hostname").(string)
	return name
}

func systemTime(d *Device, _ *query) (any, *Refusal) {
	return object{{"time", d.options.Now().Unix()}}, nil
}
