package fortisim

import (
	"net/http"
	"net/url"
	"strings"
)

// query is one request as the device understands it, in one VDOM.
type query struct {
	method  string
	area    string
	config  configuration
	monitor string // path of the monitor endpoint, with its action, or of a log
	values  url.Values
	vdom    string
	vdoms   []string
	shifted bool // the segments are those of a singleton
	many    bool // the answer is a list of envelopes, even for one VDOM
	global  bool // scope=global: rows of all VDOMs
	body    []byte
	header  http.Header
	admin   *Admin
	hidden  bool // the administrator's profile cannot read what is asked for
}

// words are the members path and name of the envelope.
func (q *query) words() (path, name string) {
	if q.area == "cmdb" {
		path, name, _ = strings.Cut(q.config.path, "/")
		return path, name
	}
	path, rest, _ := strings.Cut(q.monitor, "/")
	name, _, _ = strings.Cut(rest, "/")
	return path, name
}

// action is what follows path and name of a monitor request.
func (q *query) action() string {
	_, rest, _ := strings.Cut(q.monitor, "/")
	_, action, _ := strings.Cut(rest, "/")
	return action
}

// write says whether the request can change something; a backup by POST cannot.
func (q *query) write() bool {
	return q.method != "GET" && q.method != "HEAD" && (q.area == "cmdb" || q.area == "monitor" && q.monitor != backupPath)
}

// newQuery reads address, VDOMs and parameters.
func (d *Device) newQuery(method string, u *url.URL, body []byte) (*query, bool) {
	a, ok := addressOf(u)
	if !ok {
		return nil, false
	}
	q := &query{method: method, area: a.area, values: u.Query(), body: body}
	if a.area != "cmdb" {
		q.monitor = strings.TrimSuffix(strings.Join(a.segments, "/"), "/")
	} else {
		config, fits := a.configuration()
		whole := len(a.segments) == 0 || len(a.segments) == 1 && a.segments[0] == ""
		if !fits && !whole {
			config.child, config.childKey = "/", "/" // no such child: 400
		}
		q.config = config
	}
	d.chooseVDOMs(q)
	return q, true
}

// chooseVDOMs reads vdom, global and scope. Without them the management VDOM
// answers (D).
func (d *Device) chooseVDOMs(q *query) {
	named := q.values.Get("vdom")
	q.global = q.values.Get("scope") == "global"
	switch {
	case named == "*" || q.values.Get("global") == "1":
		q.many, q.vdoms = true, d.options.VDOMs
	case strings.Contains(named, ","):
		q.many, q.vdoms = true, strings.Split(named, ",")
	case named == "":
		q.vdoms = d.options.VDOMs[:1]
	default:
		q.vdoms = []string{named}
	}
}

// view is the VDOM through which rows are looked at; "" sees all of them.
func (q *query) view() string {
	if q.global {
		return ""
	}
	return q.vdom
}
