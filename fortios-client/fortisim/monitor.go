package fortisim

import (
	"net/http"
	"strings"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

const backupPath = "system/config/backup"

// monitored answers one monitor call: its results, or a refusal.
type monitored func(d *Device, q *query) (any, *Refusal)

// endpoint is a monitor call that the simulator serves, in the releases from
// since up to before; the zero ones are open.
type endpoint struct {
	serve         monitored
	since, before catalog.Version
}

// versed are results that come with a revision of their own: few do (R).
type versed struct {
	revision string
	results  any
}

// endpoints are the monitor calls that the simulator serves.
func endpoints() map[string]endpoint {
	out := map[string]endpoint{}
	for _, part := range []map[string]endpoint{
		systemEndpoints(), configEndpoints(), clusterEndpoints(), networkEndpoints(), firewallEndpoints(), logEndpoints(), idleEndpoints(),
	} {
		for name, e := range part {
			out[name] = e
		}
	}
	return out
}

// monitor answers a monitor request; what the simulator does not serve is 404,
// as a missing endpoint is.
func (d *Device) monitor(q *query) *answer {
	path := strings.TrimSuffix(q.monitor, "/select")
	if path == backupPath {
		return d.backup(q)
	}
	if path == "system/config-revision/file" && q.method == http.MethodGet {
		return d.revisionFile(q)
	}
	e, known := d.monitors[q.method+" "+path]
	v := d.options.Version
	switch {
	case !known && d.servesOther(q.method, path):
		return d.monitorRefusal(q, wrongVerb())
	case !known, v.Compare(e.since) < 0, !e.before.IsZero() && v.Compare(e.before) >= 0:
		return d.monitorRefusal(q, missing())
	}
	results, no := e.serve(d, q)
	if no != nil {
		return d.monitorRefusal(q, no)
	}
	r := d.monitorOpening(q)
	if with, ok := results.(versed); ok {
		r.add("revision", with.revision)
		results = with.results
	}
	if list, ok := results.([]object); ok && q.method == http.MethodGet {
		if results, no = d.narrow(q, list); no != nil {
			return d.monitorRefusal(q, no)
		}
	}
	r.add("results", results)
	return jsonAnswer(r.status, d.monitorClosing(r, q).body)
}

// servesOther says whether the path takes another method.
func (d *Device) servesOther(method, path string) bool {
	for _, other := range []string{http.MethodGet, http.MethodPost} {
		if _, known := d.monitors[other+" "+path]; known && other != method {
			return true
		}
	}
	return false
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
	r.status = d.status(no.Status)
	if no.Number != 0 {
		r.add("error", d.number(no.Number))
	}
	return jsonAnswer(r.status, d.monitorClosing(r, q).body)
}
