package fortisim

import (
	"net/http"
	"slices"
	"strings"
)

// rights are what an administrator may do with something.
type rights struct{ read, write bool }

// rightsOf are the rights in an access group: those of the administrator's
// profile, or without one those that Access says.
func (d *Device) rightsOf(a *Admin, group string) rights {
	if a.Profile == "" {
		return rights{read: true, write: a.Access == ReadWrite}
	}
	if a.Profile == "super_admin" {
		return rights{read: true, write: true}
	}
	row := d.row("system/accprofile", a.Profile)
	s, err := d.shapeOf("system/accprofile")
	if row == nil || err != nil {
		return rights{}
	}
	if group == "" || group == "any" {
		return rights{read: true, write: true}
	}
	switch d.permission(s, row, group) {
	case "read-write":
		return rights{read: true, write: true}
	case "read":
		return rights{read: true}
	}
	return rights{}
}

// permission is what a profile says of "fwgrp.policy": of the group, or of the
// part where the group is custom (D).
func (d *Device) permission(s *shape, row *entry, group string) string {
	top, part, _ := strings.Cut(group, ".")
	f := s.byName[top]
	if f == nil {
		return ""
	}
	value := keyText(row.value(f))
	if value != "custom" {
		return value
	}
	parts := s.byName[top+"-permission"]
	if parts == nil || parts.child == nil || parts.child.byName[part] == nil {
		return ""
	}
	inside, _ := row.value(parts).(*entry)
	return keyText(inside.value(parts.child.byName[part]))
}

// denied is the answer to a configuration request that the profile forbids, nil
// if it may be carried out. A singleton that may not be read is not denied: its
// attributes are left out (R).
func (d *Device) denied(q *query, p place) *answer {
	r := d.rightsOf(q.admin, groupOf(p.shape))
	switch {
	case q.method == http.MethodGet && r.read, q.method != http.MethodGet && r.write:
		return nil
	case q.method == http.MethodGet && p.shape.key == "" && q.config.child == "" && !d.behaviour().HiddenSingletonDenied:
		return nil
	case q.method != http.MethodGet && r.read && d.behaviour().WriteDeniedIs37:
		a := d.refusal(q, p, refused(-37, "Permission denied.\n"))
		return jsonAnswer(a.status, a.body)
	}
	return d.forbiddenAnswer(q)
}

// forbiddenAnswer is JSON, or the web server's page; both are recorded (R).
func (d *Device) forbiddenAnswer(q *query) *answer {
	if d.behaviour().ForbiddenHTML {
		return d.htmlAnswer(d.status(http.StatusForbidden))
	}
	r := forbidden(q)
	r.status = d.status(r.status)
	r.body.put("http_status", r.status)
	return jsonAnswer(r.status, r.body)
}

// monitorGroup is the access group of a monitor call, "" where the facts have
// none (D).
func (d *Device) monitorGroup(q *query) string {
	path := "monitor/" + strings.TrimSuffix(q.monitor, "/select")
	if e, err := d.facts.Endpoint(path); err == nil {
		if c, ok := e.Call(q.method, ""); ok {
			return c.Group
		}
	}
	at := strings.LastIndexByte(path, '/')
	if e, err := d.facts.Endpoint(path[:at]); err == nil {
		if c, ok := e.Call(q.method, path[at+1:]); ok {
			return c.Group
		}
	}
	if q.monitor == backupPath {
		return "sysgrp.mnt"
	}
	return ""
}

// monitorDenied says that the profile forbids a monitor call. A POST that only
// reads needs the right to read.
func (d *Device) monitorDenied(q *query) bool {
	r := d.rightsOf(q.admin, d.monitorGroup(q))
	if q.write() {
		return !r.write
	}
	return !r.read
}

// passwordMissing says that a change of administrators lacks the password of
// one in a header: from 7.6.5 for sessions (R); whether for tokens too: ?.
func (d *Device) passwordMissing(q *query) bool {
	guarded := q.monitor == "system/api-user/generate-key" || q.area == "cmdb" && slices.Contains([]string{"system/admin", "system/api-user"}, q.config.path)
	if !guarded || q.method == http.MethodGet || !atLeast(d.options.Version, 7, 6, 5) {
		return false
	}
	if !q.admin.session && !d.behaviour().TokensNeedAdminPassword {
		return false
	}
	sent := q.header.Get("X-Admin-Passwd")
	if q.admin.session {
		row := d.row("system/admin", q.admin.Name)
		return row == nil || sent == "" || row.text("password") != sent
	}
	s, err := d.shapeOf("system/admin")
	if err != nil || sent == "" {
		return true
	}
	for row := range d.tableOf(s, "").all() {
		if row.text("password") == sent {
			return false
		}
	}
	return true
}

// passwordRequired has the recorded number and text (R).
func passwordRequired() *Refusal {
	return &Refusal{Status: http.StatusInternalServerError, Number: -8102, CLI: "admin's password required.\n"}
}
