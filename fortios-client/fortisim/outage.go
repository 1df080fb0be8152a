package fortisim

import (
	"net/http"
	"slices"
	"time"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// Become makes the device another one, from the request on that it befalls: the
// unit behind the address after a fail-over, or the release after an upgrade.
// Empty fields stay. The request has its effect, and its answer is already the
// other device's.
type Become struct {
	Serial  string
	Version catalog.Version
	Build   int // 0 is the public build of Version
}

// LoseManagement lets the request have its effect, and then nobody reaches the
// device any more: connections are closed without an answer for the time For,
// or until Reconnect if that is 0. The request itself is answered only if Answer
// is set.
type LoseManagement struct {
	For    time.Duration
	Answer bool
}

func (Become) fault()         {}
func (LoseManagement) fault() {}

// outage is a time without management.
type outage struct {
	open  bool
	until time.Time // zero: until Reconnect
}

// Reconnect ends an outage of management.
func (d *Device) Reconnect() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.outage = outage{}
}

// disconnect begins an outage; for 0 it lasts until Reconnect.
func (d *Device) disconnect(wait time.Duration) {
	d.outage = outage{open: true}
	if wait > 0 {
		d.outage.until = d.options.Now().Add(wait)
	}
}

func (d *Device) unreachable() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.outage.open && !d.outage.until.IsZero() && !d.options.Now().Before(d.outage.until) {
		d.outage = outage{}
	}
	return d.outage.open
}

func (d *Device) become(f Become) {
	if f.Serial != "" {
		d.SetSerial(f.Serial)
	}
	if !f.Version.IsZero() {
		d.SetVersion(f.Version, f.Build)
	}
}

func (d *Device) loseManagement(w http.ResponseWriter, r *http.Request, body []byte, f LoseManagement) {
	a := d.handle(r, body)
	d.mu.Lock()
	d.disconnect(f.For)
	d.mu.Unlock()
	if !f.Answer {
		cut(r, false)
	}
	send(w, a)
}

// cutoffs are the attributes whose change can cut off the one who made it.
var cutoffs = map[string][]string{
	"system/global":    {"admin-sport", "admin-port", "admin-server-cert", "vdom-mode"},
	"system/interface": {"ip", "allowaccess", "status", "management-ip", "vdom"},
	"system/api-user":  {"trusthost"},
	"router/static":    {"device", "gateway", "dst", "status"},
}

// aftermath is what a successful write does to management: a switch of the VDOM
// mode takes it away for a while (D), other changes may lose their own answer
// (U).
func (d *Device) aftermath(q *query, r *reply, a *answer) {
	if q.method == http.MethodGet || r.status != http.StatusOK {
		return
	}
	if changed, _ := r.body.get("revision_changed"); changed != true {
		return
	}
	body, err := decodeObject(q.body)
	if err != nil && q.method != http.MethodDelete {
		return
	}
	touches := func(name string) bool { _, given := body.get(name); return given }
	wait := d.behaviour().VDOMSwitchOutage
	if q.config.path == "system/global" && touches("vdom-mode") && wait > 0 {
		d.disconnect(wait)
	}
	cutting := slices.ContainsFunc(cutoffs[q.config.path], touches) || q.config.path == "router/static" && q.method == http.MethodDelete
	a.lost = cutting && d.behaviour().ManagementAnswerLost
}
