package fortisim

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// configEndpoints are about the configuration as a whole.
func configEndpoints() map[string]endpoint {
	return map[string]endpoint{
		"GET system/config-revision":         {serve: configRevision},
		"POST system/config-revision/save":   {serve: saveRevision},
		"POST system/config-revision/delete": {serve: deleteRevisions},
		"POST system/config/save":            {serve: saveConfig},
		"POST system/config/restore":         {serve: restoreConfig},
		"GET system/config/restore-status":   {serve: restoreStatus},

		"POST system/admin/change-vdom-mode": {serve: changeVDOMMode},
	}
}

// revision is a saved state.
type revision struct {
	id      int
	at      time.Time
	admin   string
	comment string
	text    string
}

// maxRevisions bounds how many are kept; the oldest give way.
const maxRevisions = 100

// configRevision lists the revisions, newest first (R).
func configRevision(d *Device, _ *query) (any, *Refusal) {
	list := []object{}
	for _, r := range slices.Backward(d.revisions) {
		list = append(list, object{{"id", r.id}, {"time", r.at.Unix()}, {"version_id", "1"}, {"admin", r.admin}, {"comment", r.comment}})
	}
	categories := object{}
	if len(list) > 0 {
		v := d.options.Version
		categories = object{{"1", object{
			{"major_version", v.Major}, {"minor_version", v.Minor}, {"patch_number", v.Patch},
			{"build_number", d.options.Build}, {"release_number", 0},
		}}}
	}
	unsaved := d.saving() != "automatic" && d.log.changed
	return object{{"revisions", list}, {"categories", categories}, {"current_config_unsaved", unsaved}}, nil
}

// saving is when changes reach the flash: automatic, manual or revert (D).
func (d *Device) saving() string {
	text, _ := d.setting("system/global", "cfg-save").(string)
	return text
}

func saveRevision(d *Device, q *query) (any, *Refusal) {
	body, err := decodeObject(q.body)
	if err != nil && len(q.body) > 0 {
		return nil, notUnderstood()
	}
	raw, _ := body.get("comments")
	comment, _ := scalarText(raw)
	id := 1
	if n := len(d.revisions); n > 0 {
		id = d.revisions[n-1].id + 1
	}
	d.revisions = append(d.revisions, revision{id: id, at: d.options.Now(), admin: q.admin.Name, comment: comment, text: d.backupText("global", q)})
	d.revisions = d.revisions[max(0, len(d.revisions)-maxRevisions):]
	d.save()
	return object{}, nil
}

func deleteRevisions(d *Device, q *query) (any, *Refusal) {
	body, err := decodeObject(q.body)
	ids, given := body.get("config_ids")
	list, ok := ids.([]any)
	if err != nil || !given || !ok {
		return nil, missingParameter()
	}
	d.revisions = slices.DeleteFunc(d.revisions, func(r revision) bool {
		return slices.ContainsFunc(list, func(v any) bool { text, _ := scalarText(v); return text == strconv.Itoa(r.id) })
	})
	return object{}, nil
}

// revisionFile hands out the text of a revision, secrets encrypted (D).
func (d *Device) revisionFile(q *query) *answer {
	for _, r := range d.revisions {
		if strconv.Itoa(r.id) == q.values.Get("config_id") {
			return download(fmt.Sprintf("%s_%d.conf", d.hostname(), r.id), []byte(r.text))
		}
	}
	return d.monitorRefusal(q, missing())
}

func saveConfig(d *Device, _ *query) (any, *Refusal) {
	d.save()
	return object{}, nil
}

// save makes the present state what a restart goes back to.
func (d *Device) save() {
	d.log.changed = false
	d.saved, d.saveAt = nil, time.Time{}
	if d.saving() != "automatic" {
		k := d.keep()
		d.saved = &k
	}
}

// noteSaving is called before a write. Where saving is not automatic the state
// before the first one is kept, and with revert a time is set at which it comes
// back (D).
func (d *Device) noteSaving() {
	if d.saving() == "automatic" {
		d.saved, d.saveAt = nil, time.Time{}
		return
	}
	if d.saved == nil {
		k := d.keep()
		d.saved = &k
	}
	if d.saving() == "revert" && d.saveAt.IsZero() {
		seconds, _ := d.setting("system/global", "cfg-revert-timeout").(int64)
		d.saveAt = d.options.Now().Add(time.Duration(seconds) * time.Second)
	}
}

// undoUnsaved takes unsaved changes back whose time is over.
func (d *Device) undoUnsaved() {
	if !d.saveAt.IsZero() && !d.options.Now().Before(d.saveAt) {
		d.restart()
	}
}

// restart loses what is not saved (D), log-ins and transactions.
func (d *Device) restart() {
	if d.saved != nil {
		d.restore(*d.saved)
	}
	d.saved, d.saveAt, d.log.changed = nil, time.Time{}, false
	clear(d.transactions)
	d.began = d.options.Now()
}

func reboot(d *Device, _ *query) (any, *Refusal) {
	d.restart()
	if wait := d.behaviour().RebootOutage; wait > 0 {
		d.disconnect(wait)
	}
	return object{}, nil
}

// shutdown ends it: nobody reaches the device until Reconnect.
func shutdown(d *Device, _ *query) (any, *Refusal) {
	d.restart()
	d.disconnect(0)
	return object{}, nil
}

// changeVDOMMode takes management away for a while, as the setting does (D).
func changeVDOMMode(d *Device, q *query) (any, *Refusal) {
	body, err := decodeObject(q.body)
	raw, given := body.get("vdom-mode")
	if err != nil || !given {
		return nil, missingParameter()
	}
	p, no := d.placeOf("system/global", d.options.VDOMs[0])
	if no == nil {
		no = d.update(p, "", object{{"vdom-mode", raw}})
	}
	if wait := d.behaviour().VDOMSwitchOutage; no == nil && wait > 0 {
		d.disconnect(wait)
	}
	return object{}, no
}

// missingParameter is 424 (U).
func missingParameter() *Refusal {
	return &Refusal{Status: http.StatusFailedDependency, Number: -651}
}

// restoreConfig takes an uploaded file, or a saved revision (D). The device has
// it at once.
func restoreConfig(d *Device, q *query) (any, *Refusal) {
	body, err := decodeObject(q.body)
	if err != nil {
		return nil, notUnderstood()
	}
	get := func(name string) string {
		raw, _ := body.get(name)
		text, _ := scalarText(raw)
		return text
	}
	raw, ok := d.uploaded(get)
	if !ok {
		return nil, missingParameter()
	}
	session := strconv.Itoa(len(d.restores) + 1)
	before := d.keep()
	outcome := "success"
	if err := d.restoreText(raw, get("scope"), q.vdom); err != nil {
		d.restore(before)
		outcome = "error"
	}
	d.restores[session] = outcome
	return object{{"restore_started", true}, {"session_id", session}}, nil
}

func (d *Device) uploaded(get func(string) string) ([]byte, bool) {
	switch get("source") {
	case "upload":
		raw, err := base64.StdEncoding.DecodeString(get("file_content"))
		return raw, err == nil && len(raw) > 0
	case "revision":
		for _, r := range d.revisions {
			if strconv.Itoa(r.id) == get("config_id") {
				return []byte(r.text), true
			}
		}
	}
	return nil, false
}

func restoreStatus(d *Device, q *query) (any, *Refusal) {
	outcome, known := d.restores[q.values.Get("session_id")]
	if !known {
		return nil, missing()
	}
	return object{{"session_id", q.values.Get("session_id")}, {"status", outcome}}, nil
}
