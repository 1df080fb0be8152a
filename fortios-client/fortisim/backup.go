package fortisim

import (
	"fmt"
	"net/http"
	"strings"
)

// backup hands out the configuration as text: by POST from 7.0, by GET until
// 7.4 (D; 405 from 7.6.0, U).
func (d *Device) backup(q *query) *answer {
	v := d.options.Version
	post := q.method == http.MethodPost && atLeast(v, 7, 0, 0)
	get := q.method == http.MethodGet && (!atLeast(v, 7, 6, 0) || d.behaviour().BackupByGet)
	if !post && !get {
		return d.monitorRefusal(q, wrongVerb())
	}
	scope, destination, ok := backupParameters(q)
	if !ok || scope != "global" && scope != "vdom" || destination != "" && destination != "file" {
		// A missing parameter is 424 (U).
		return d.monitorRefusal(q, &Refusal{Status: http.StatusFailedDependency, Number: -651})
	}
	text := d.backupText(scope, q)
	return download(fmt.Sprintf("%s_%s.conf", d.hostname(), d.options.Now().UTC().Format("20060102_1504")), []byte(text))
}

// backupParameters come in the body of a POST or in the query.
func backupParameters(q *query) (scope, destination string, ok bool) {
	scope, destination = q.values.Get("scope"), q.values.Get("destination")
	if len(q.body) == 0 {
		return scope, destination, true
	}
	body, err := decodeObject(q.body)
	if err != nil {
		return "", "", false
	}
	for name, to := range map[string]*string{"scope": &scope, "destination": &destination} {
		if raw, given := body.get(name); given {
			*to, _ = scalarText(raw)
		}
	}
	return scope, destination, true
}

// backupText begins with the line that names model, version and build (R).
func (d *Device) backupText(scope string, q *query) string {
	multi := len(d.options.VDOMs) > 1
	var b strings.Builder
	flag := 0
	if multi {
		flag = 1
	}
	fmt.Fprintf(&b, "#config-version=%s-%s-FW-build%04d-%s:opmode=0:vdom=%d:user=%s\n",
		d.options.Model, d.options.Version, d.options.Build, d.options.Now().UTC().Format("060102"), flag, q.admin.Name)
	changes := 0
	for _, t := range d.tables {
		changes += t.changes
	}
	fmt.Fprintf(&b, "#conf_file_ver=%d\n#buildno=%04d\n#global_vdom=1\n", changes, d.options.Build)
	w := &configWriter{device: d, out: &b, secret: d.encrypted}
	if scope == "vdom" {
		w.section(q.vdom)
		return b.String()
	}
	d.writeAll(w, multi)
	return b.String()
}

// writeAll writes the global part and each VDOM's.
func (d *Device) writeAll(w *configWriter, multi bool) {
	if !multi {
		w.section("")
		w.section(d.options.VDOMs[0])
		return
	}
	w.line("")
	w.line("config vdom")
	for _, vdom := range d.options.VDOMs {
		w.line("edit " + quote(vdom))
		w.line("next")
	}
	w.line("end")
	w.line("")
	w.line("config global")
	w.section("")
	w.line("end")
	for _, vdom := range d.options.VDOMs {
		w.line("")
		w.line("config vdom")
		w.line("edit " + quote(vdom))
		w.section(vdom)
		w.line("end")
	}
}
