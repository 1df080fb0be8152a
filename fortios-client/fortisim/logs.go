package fortisim

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Log adds an entry to a log of a VDOM, such as "memory/event/system". Entries
// are read newest first.
func (d *Device) Log(vdom, path string, entry map[string]any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	o := object{}
	for _, name := range slices.Sorted(maps.Keys(entry)) {
		o = append(o, member{name, entry[name]})
	}
	if d.entries == nil {
		d.entries = map[logKey][]object{}
	}
	k := logKey{vdom, path}
	d.entries[k] = append(d.entries[k], o)
	if n := len(d.entries[k]); n > maxLogEntries {
		d.entries[k] = slices.Delete(d.entries[k], 0, n-maxLogEntries)
	}
}

type logKey struct{ vdom, path string }

// maxLogEntries bounds each log; older entries give way.
const maxLogEntries = 10_000

// logRows is how many entries are answered where rows is not said, and the most (D).
const (
	logRows    = 20
	maxLogRows = 1024
)

// logNames are the kinds of logs, and what they divide into; nil where they do not.
var logNames = map[string][]string{
	"traffic": {"forward", "local", "multicast", "sniffer", "fortiview", "threat"},
	"event": {
		"vpn", "user", "router", "wireless", "wad", "endpoint", "ha", "compliance-check", "security-rating", "fortiextender", "connector", "system",
	},
	"virus": nil, "webfilter": nil, "waf": nil, "ips": nil, "anomaly": nil, "app-ctrl": nil, "cifs": nil, "dlp": nil, "dns": nil,
	"emailfilter": nil, "file-filter": nil, "gtp": nil, "ssh": nil, "ssl": nil, "voip": nil,
}

// logs answers with entries of a log: /api/v2/log/<device>/<kind>[/<part>][/raw].
// That there are such paths, and their parameters, is what clients send (C); the
// members beside results are inferred (I). A device without that log has none.
func (d *Device) logs(q *query) *answer {
	parts := strings.Split(strings.TrimSuffix(q.monitor, "/raw"), "/")
	switch {
	case q.method != http.MethodGet:
		return d.monitorRefusal(q, wrongVerb())
	case !isLog(parts):
		return d.monitorRefusal(q, missing())
	case !d.rightsOf(q.admin, "loggrp.data-access").read:
		return d.forbiddenAnswer(q)
	case !d.logsTo(parts[0], q.vdom):
		return d.monitorRefusal(q, &Refusal{Status: http.StatusFailedDependency})
	}
	list := slices.Clone(d.entries[logKey{q.vdom, strings.Join(parts, "/")}])
	slices.Reverse(list)
	filters, no := parseFilters(q.values["filter"])
	if no != nil {
		return d.monitorRefusal(q, no)
	}
	list = slices.DeleteFunc(list, func(o object) bool { return !d.objectPasses(o, filters) })
	total, start, rows := len(list), number(q, "start", 0), number(q, "rows", logRows)
	from := min(start, total)
	list = list[from : from+min(rows, maxLogRows, total-from)]
	if strings.HasSuffix(q.monitor, "/raw") {
		return rawLog(list)
	}
	r := d.monitorOpening(q)
	r.add("results", list)
	r.add("device", parts[0])
	r.add("category", parts[1])
	r.add("subcategory", strings.Join(parts[2:], ""))
	r.add("start", start)
	r.add("rows", len(list))
	r.add("session_id", number(q, "session_id", 1))
	r.add("completed", 100)
	r.add("total_lines", total)
	return jsonAnswer(r.status, d.monitorClosing(r, q).body)
}

func isLog(parts []string) bool {
	if len(parts) < 2 {
		return false
	}
	below, known := logNames[parts[1]]
	if !known || below == nil {
		return known && len(parts) == 2
	}
	return len(parts) == 3 && slices.Contains(below, parts[2])
}

// logsTo says whether a VDOM logs to a device.
func (d *Device) logsTo(device, vdom string) bool {
	devices := d.logDevices(vdom)
	state, ok := devices.get(device)
	if !ok {
		return false
	}
	o, _ := state.(object)
	enabled, _ := o.get("is_enabled")
	return enabled == true
}

// number is a parameter that is a number, 0 or more.
func number(q *query, name string, otherwise int) int {
	n, err := strconv.Atoi(q.values.Get(name))
	if err != nil || n < 0 {
		return otherwise
	}
	return n
}

// rawLog is entries as the device writes them to a file: name=value, texts quoted.
func rawLog(list []object) *answer {
	var b strings.Builder
	for _, o := range list {
		for i, m := range o {
			if i > 0 {
				b.WriteByte(' ')
			}
			text, _ := scalarText(wireValue(m.value))
			if _, quoted := m.value.(string); quoted {
				text = strconv.Quote(text)
			}
			b.WriteString(m.name + "=" + text)
		}
		b.WriteByte('\n')
	}
	return &answer{status: http.StatusOK, header: map[string]string{"Content-Type": "text/plain"}, body: []byte(b.String())}
}
