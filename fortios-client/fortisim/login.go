package fortisim

import (
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
	case r.URL.Path == "/api/v2/authentication" && atLeast(d.options.Version, 7, 0, 0):
		return d.authentication(r, body)
	}
	return nil
}

// loginCheck answers a line of script whose first byte is the outcome. From
// 7.6.3 it is JSON, without cookies (C, U).
func (d *Device) loginCheck(r *http.Request, name, password string) *answer {
	o, cookies := d.tryLogin(r, name, password)
	if atLeast(d.options.Version, 7, 6, 3) {
		return jsonAnswer(http.StatusOK, object{{"status_code", o.code}, {"status_message", o.text}})
	}
	text := string(o.first)
	if o == loggedIn {
		text += "document.location=\"/ng/prompt?viewOnly&redir=%2F\";\n"
	}
	return &answer{status: http.StatusOK, header: map[string]string{"Content-Type": "text/javascript"}, body: []byte(text), cookies: cookies}
}

func (d *Device) authentication(r *http.Request, body []byte) *answer {
	if r.Method == http.MethodDelete {
		return d.logOut(r)
	}
	fields, err := decodeObject(body)
	if r.Method != http.MethodPost || err != nil {
		return d.htmlAnswer(http.StatusBadRequest)
	}
	name, _ := fields.get("username")
	password, _ := fields.get("secretkey")
	nameText, _ := scalarText(name)
	passwordText, _ := scalarText(password)
	o, cookies := d.tryLogin(r, nameText, passwordText)
	a := jsonAnswer(http.StatusOK, object{{"status_code", o.code}, {"status_message", o.text}})
	a.cookies = cookies
	return a
}

// tryLogin checks a name and a password of system/admin.
func (d *Device) tryLogin(r *http.Request, name, password string) (outcome, []string) {
	from := remoteAddress(r)
	if d.lockedOut(from.String()) {
		return shutOut, nil
	}
	row := d.row("system/admin", name)
	if row == nil || password == "" || subtle.ConstantTimeCompare([]byte(row.text("password")), []byte(password)) != 1 || !d.adminTrusts(row, from) {
		d.failed(from.String())
		if d.lockedOut(from.String()) {
			return shutOut, nil
		}
		return wrongName, nil
	}
	delete(d.locks, from.String())
	one := session.Session{Admin: name, Cookie: randomToken(), CSRF: strings.ToUpper(randomToken())}
	if !d.sessions.Open(one, d.options.Now(), d.idle()) {
		return shutOut, nil
	}
	key, csrf := d.cookieNames()
	return loggedIn, []string{
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
	if c := d.sessionCookie(r); c != "" {
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

// sessionAdmin is the administrator of a request's session. A write must repeat
// the CSRF token in a header (C).
func (d *Device) sessionAdmin(r *http.Request) (*Admin, int) {
	cookie := d.sessionCookie(r)
	if cookie == "" {
		return nil, 0
	}
	one, ok := d.sessions.Find(cookie, d.options.Now(), d.idle())
	row := d.row("system/admin", one.Admin)
	if !ok || row == nil {
		return nil, http.StatusUnauthorized
	}
	if r.Method != http.MethodGet {
		sent := strings.Trim(r.Header.Get("X-CSRFTOKEN"), `"`)
		if sent != one.CSRF || d.behaviour().SessionReadOnly {
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
