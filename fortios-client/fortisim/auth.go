package fortisim

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// lockout counts the failed log-ins of an address.
type lockout struct {
	failures int
	until    time.Time
}

// authenticate finds the administrator of a request; else the status of the
// refusal: 401, or 429 while the address is locked out (R, D).
func (d *Device) authenticate(r *http.Request, values url.Values) (*Admin, int) {
	from := remoteAddress(r)
	if d.lockedOut(from.String()) {
		return nil, http.StatusTooManyRequests
	}
	if a, status := d.sessionAdmin(r, values); a != nil || status != 0 {
		return a, status
	}
	token := d.tokenOf(r, values)
	for i := range d.options.Admins {
		a := &d.options.Admins[i]
		if subtle.ConstantTimeCompare([]byte(a.Token), []byte(token)) == 1 && d.trusted(a.Name, from) && d.showsCertificate(a.Name, r) {
			delete(d.locks, from.String())
			return a, 0
		}
	}
	d.failed(from.String())
	return nil, http.StatusUnauthorized
}

// showsCertificate says whether the client showed a certificate, where the row
// of the API administrator asks for one (D). Which one it is does not matter
// here.
func (d *Device) showsCertificate(admin string, r *http.Request) bool {
	row := d.row("system/api-user", admin)
	if row == nil || row.text("peer-auth") != "enable" {
		return true
	}
	return r.TLS != nil && len(r.TLS.PeerCertificates) > 0
}

// tokenOf is the bearer token. In the query it counts until 7.4.4 and in
// 7.6.0, later only if system/global says so (D).
func (d *Device) tokenOf(r *http.Request, values url.Values) string {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return token
	}
	v := d.options.Version
	old := !atLeast(v, 7, 4, 5) || atLeast(v, 7, 6, 0) && !atLeast(v, 7, 6, 1)
	if old || d.setting("system/global", "rest-api-key-url-query") == "enable" {
		return values.Get("access_token")
	}
	return ""
}

// setting is the value of an attribute of a singleton of the whole device.
func (d *Device) setting(path, attribute string) any {
	s, err := d.shapeOf(path)
	if err != nil || s.byName[attribute] == nil {
		return nil
	}
	return d.tableOf(s, d.options.VDOMs[0]).find("").value(s.byName[attribute])
}

func (d *Device) lockedOut(from string) bool {
	l := d.locks[from]
	if l == nil || l.until.IsZero() || !d.behaviour().Lockout {
		return false
	}
	if d.options.Now().Before(l.until) {
		return true
	}
	delete(d.locks, from)
	return false
}

// failed counts a failed log-in; system/global says how many lock for how long.
func (d *Device) failed(from string) {
	l := d.locks[from]
	if l == nil {
		l = &lockout{}
		d.locks[from] = l
	}
	l.failures++
	threshold, _ := d.setting("system/global", "admin-lockout-threshold").(int64)
	seconds, _ := d.setting("system/global", "admin-lockout-duration").(int64)
	if int64(l.failures) >= threshold && threshold > 0 {
		l.until = d.options.Now().Add(time.Duration(seconds) * time.Second)
	}
}

func remoteAddress(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.IPv4Unspecified()
	}
	return addr.Unmap()
}

// trusted says whether an API administrator may come from an address: a row
// without trusted hosts trusts all (D).
func (d *Device) trusted(admin string, from netip.Addr) bool {
	s, err := d.shapeOf("system/api-user")
	if err != nil || !d.behaviour().TrustedHosts {
		return true
	}
	row := d.tableOf(s, "").find(admin)
	if row == nil || len(row.rows("trusthost")) == 0 {
		return true
	}
	return slices.ContainsFunc(row.rows("trusthost"), func(host *entry) bool {
		for _, name := range []string{"ipv4-trusthost", "ipv6-trusthost"} {
			if p, ok := prefixOf(host.text(name)); ok && p.Contains(from) {
				return true
			}
		}
		return false
	})
}

// permitted says whether the administrator may use the VDOM.
func (d *Device) permitted(q *query) bool {
	if !d.hasVDOM(q.vdom) {
		return false
	}
	if len(q.admin.VDOMs) > 0 && !slices.Contains(q.admin.VDOMs, q.vdom) {
		return false
	}
	return true
}
