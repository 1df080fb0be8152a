package fortisim

import (
	"cmp"
	"crypto/subtle"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/forti-mcp/forti/fortios-client/fortisim/internal/session"
)

// The outcomes of a log-in, as the first byte of /logincheck and as the code of
// /api/v2/authentication say them (C, U).
type outcome struct {
	first byte
	code  int
	text  string
}

var (
	loggedIn  = outcome{'1', 5, "LOGIN_SUCCESS"}
	wrongName = outcome{'0', -1, "LOGIN_FAILED"}
	shutOut   = outcome{'2', -4, "LOGIN_FAILED_LOCKED_OUT"}
)

// signOn answers the requests that begin and end sessions; nil for others.
func (d *Device) signOn(r *http.Request, body []byte) *answer {
	switch {
	case r.URL.Path == "/logincheck" && r.Method == http.MethodPost:
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return d.htmlAnswer(http.StatusBadRequest)
		}
		return d.loginCheck(r, form.Get("username"), form.Get("secretkey"))
	case r.URL.Path == "/logout":
		return d.logOut(r)
	case r.URL.Path == "/api/v2/authentication":
		return d.authentication(r, body)
	}
	return nil
}

// loginCheck answers a line of script whose first byte is the outcome. From
// 7.6.3 it is JSON, without cookies (C, U).
func (d *Device) loginCheck(r *http.Request, name, password string) *answer {
	o, one := d.tryLogin(r, name, password)
	if atLeast(d.options.Version, 7, 6, 3) {
		return jsonAnswer(http.StatusOK, object{{"status_code", o.code}, {"status_message", o.text}})
	}
	text := string(o.first)
	if o == loggedIn {
		text += "document.location=\"/ng/prompt?viewOnly&redir=%2F\";\n"
	}
	return &answer{status: http.StatusOK, header: map[string]string{"Content-Type": "text/javascript"}, body: []byte(text), cookies: d.cookiesOf(one)}
}

// authentication begins a session from JSON. A client that asks for a key gets
// one to send as its token, until 7.6; all others get cookies (C, U).
func (d *Device) authentication(r *http.Request, body []byte) *answer {
	if r.Method == http.MethodDelete {
		return d.logOut(r)
	}
	fields, err := decodeObject(body)
	if r.Method != http.MethodPost || err != nil {
		return d.htmlAnswer(http.StatusBadRequest)
	}
	text := func(name string) string {
		v, _ := fields.get(name)
		t, _ := scalarText(v)
		return t
	}
	o, one := d.tryLogin(r, text("username"), cmp.Or(text("secretkey"), text("password")))
	out := object{{"status_code", o.code}, {"status_message", o.text}}
	if wants, _ := fields.get("request_key"); o == loggedIn && wants == true && !atLeast(d.options.Version, 7, 6, 0) {
		return jsonAnswer(http.StatusOK, append(out, member{"session_key", one.Cookie}))
	}
	a := jsonAnswer(http.StatusOK, out)
	a.cookies = d.cookiesOf(one)
	return a
}

// tryLogin checks a name and a password of system/admin and begins a session,
// whose secrets are empty where none began.
func (d *Device) tryLogin(r *http.Request, name, password string) (outcome, session.Session) {
	from := remoteAddress(r)
	if d.lockedOut(from.String()) {
		return shutOut, session.Session{}
	}
	row := d.row("system/admin", name)
	if row == nil || password == "" || subtle.ConstantTimeCompare([]byte(row.text("password")), []byte(password)) != 1 || !d.adminTrusts(row, from) {
		d.failed(from.String())
		if d.lockedOut(from.String()) {
			return shutOut, session.Session{}
		}
		return wrongName, session.Session{}
	}
	delete(d.locks, from.String())
	one := session.Session{Admin: name, Cookie: randomToken(), CSRF: strings.ToUpper(randomToken())}
	if !d.sessions.Open(one, d.options.Now(), d.idle()) {
		return shutOut, session.Session{}
	}
	return loggedIn, one
}

// cookiesOf are what a browser is given of a session; none where none began.
func (d *Device) cookiesOf(one session.Session) []string {
	if one.Cookie == "" {
		return nil
	}
	key, csrf := d.cookieNames()
	return []string{
		fmt.Sprintf("%s=%q; path=/; secure; httponly", key, one.Cookie),
		fmt.Sprintf("%s=%q; path=/; secure", csrf, one.CSRF),
	}
}

// idle is how long a session lives without a request.
func (d *Device) idle() time.Duration {
	minutes, _ := d.setting("system/global", "admintimeout").(int64)
	return time.Duration(max(minutes, 1)) * time.Minute
}

// cookieNames by release (C, U).
func (d *Device) cookieNames() (key, csrf string) {
	v := d.options.Version
	switch {
	case atLeast(v, 7, 6, 0):
		return "session_key_443", "ccsrf_token_443"
	case atLeast(v, 7, 0, 0):
		return "APSCOOKIE_443", "ccsrftoken_443"
	}
	return "APSCOOKIE_1", "ccsrftoken"
}

// adminTrusts says whether an administrator may come from an address: without
// trusted hosts from all (D).
func (d *Device) adminTrusts(row *entry, from netip.Addr) bool {
	if !d.behaviour().TrustedHosts {
		return true
	}
	restricted := false
	for i := 1; i <= 10; i++ {
		for _, name := range []string{fmt.Sprintf("trusthost%d", i), fmt.Sprintf("ip6-trusthost%d", i)} {
			p, ok := prefixOf(row.text(name))
			if !ok {
				continue
			}
			restricted = true
			if p.Contains(from) {
				return true
			}
		}
	}
	return !restricted
}

func (d *Device) logOut(r *http.Request) *answer {
	for _, c := range []string{d.sessionCookie(r), d.tokenOf(r, r.URL.Query())} {
		d.sessions.Close(c)
	}
	return &answer{status: http.StatusOK, header: map[string]string{"Content-Type": "text/html"}, body: []byte("<html></html>\n")}
}

func (d *Device) sessionCookie(r *http.Request) string {
	key, _ := d.cookieNames()
	c, err := r.Cookie(key)
	if err != nil {
		return ""
	}
	return strings.Trim(c.Value, `"`)
}

// sessionAdmin is the administrator of a request's session. A write by a cookie
// must repeat the CSRF token in a header; one by a key need not (C).
func (d *Device) sessionAdmin(r *http.Request, values url.Values) (*Admin, int) {
	cookie, token := d.sessionCookie(r), d.tokenOf(r, values)
	one, ok := d.sessions.Find(cmp.Or(cookie, token), d.options.Now(), d.idle())
	row := d.row("system/admin", one.Admin)
	switch {
	case cookie == "" && !ok:
		return nil, 0
	case !ok || row == nil:
		return nil, http.StatusUnauthorized
	}
	if r.Method != http.MethodGet {
		sent := strings.Trim(r.Header.Get("X-CSRFTOKEN"), `"`)
		if cookie != "" && sent != one.CSRF || d.behaviour().SessionReadOnly {
			return nil, http.StatusForbidden
		}
	}
	a := &Admin{Name: one.Admin, Profile: row.text("accprofile"), session: true}
	if a.Profile != "super_admin" {
		a.VDOMs = namesOf(row.rows("vdom"), "name")
	}
	return a, 0
}

func namesOf(rows []*entry, key string) []string {
	var out []string
	for _, e := range rows {
		out = append(out, keyText(e.values[key]))
	}
	return out
}

// row is a row of a table of the whole device.
func (d *Device) row(path, key string) *entry {
	s, err := d.shapeOf(path)
	if err != nil || key == "" {
		return nil
	}
	return d.tableOf(s, d.options.VDOMs[0]).find(key)
}
