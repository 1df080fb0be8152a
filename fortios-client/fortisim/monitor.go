package fortisim

import (
	"net/http"
	"slices"
	"strings"
)

const backupPath = "system/config/backup"

// monitored answers one monitor endpoint: its results, or a refusal.
type monitored func(d *Device, q *query) (any, *Refusal)

// endpoints are the monitor endpoints that the simulator serves, by path.
func endpoints() map[string]monitored {
	return map[string]monitored{
		"system/status":          systemStatus,
		"system/time":            systemTime,
		"system/config-revision": configRevision,
		"system/object/usage":    objectUsage,
		"web-ui/state":           webState,
	}
}

// monitor answers a monitor request; what the simulator does not serve is 404,
// as a missing endpoint is.
func (d *Device) monitor(q *query) *answer {
	path := strings.TrimSuffix(q.monitor, "/select")
	if path == backupPath {
		return d.backup(q)
	}
	serve, known := endpoints()[path]
	if !known {
		return d.monitorRefusal(q, missing())
	}
	if q.method != http.MethodGet {
		return d.monitorRefusal(q, wrongVerb())
	}
	results, no := serve(d, q)
	if no != nil {
		return d.monitorRefusal(q, no)
	}
	r := d.monitorOpening(q)
	r.add("results", results)
	return jsonAnswer(r.status, d.monitorClosing(r, q).body)
}

func (d *Device) monitorOpening(q *query) *reply {
	r := &reply{status: http.StatusOK}
	r.add("http_method", q.method)
	return r
}

// monitorClosing: no http_status on success, action from 7.0 (R).
func (d *Device) monitorClosing(r *reply, q *query) *reply {
	path, name := q.words()
	r.add("vdom", q.vdom)
	r.add("path", path)
	r.add("name", name)
	if action := q.action(); action != "" || atLeast(d.options.Version, 7, 0, 0) {
		r.add("action", action)
	}
	r.add("status", statusWord(r.status))
	if r.status != http.StatusOK {
		r.add("http_status", r.status)
	}
	d.identity(r)
	return r
}

func (d *Device) monitorRefusal(q *query, no *Refusal) *answer {
	r := d.monitorOpening(q)
	r.status = no.Status
	if no.Number != 0 {
		r.add("error", no.Number)
	}
	return jsonAnswer(r.status, d.monitorClosing(r, q).body)
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

// configRevision: no revisions are kept; with cfg-save automatic every write is
// saved (D).
func configRevision(d *Device, _ *query) (any, *Refusal) {
	saved := d.setting("system/global", "cfg-save")
	unsaved := saved != "automatic" && d.log.changed
	return object{
		{"revisions", []object{}},
		{"categories", object{}},
		{"current_config_unsaved", unsaved},
	}, nil
}

// webState shows the caller's own rights (R: the members; a part of them).
func webState(d *Device, q *query) (any, *Refusal) {
	right := "read"
	if q.admin.Access == ReadWrite {
		right = "read-write"
	}
	profile := object{{"name", q.admin.Name}, {"q_origin_key", q.admin.Name}, {"scope", "global"}}
	for _, group := range []string{"secfabgrp", "ftviewgrp", "authgrp", "sysgrp", "netgrp", "loggrp", "fwgrp", "vpngrp", "utmgrp", "wifi"} {
		profile = append(profile, member{group, right})
	}
	vdoms := slices.Clone(q.admin.VDOMs)
	if len(vdoms) == 0 {
		vdoms = slices.Clone(d.options.VDOMs)
	}
	return object{
		{"model_name", "FortiGate"},
		{"model_number", modelNumber(d.options.Model)},
		{"model", d.options.Model},
		{"hostname", d.hostname()},
		{"admin", object{
			{"name", q.admin.Name},
			{"login_name", q.admin.Name},
			{"profile", profile},
			{"global_admin", len(q.admin.VDOMs) == 0},
			{"super_admin", false},
			{"vdoms", vdoms},
		}},
	}, nil
}
