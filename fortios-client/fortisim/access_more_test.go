package fortisim_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// limited is a device with an administrator whose profile is limited.
func limited(t *testing.T, set func(*fortisim.Behaviour), profile map[string]any) *lab {
	t.Helper()
	b := fortisim.DefaultBehaviour(release(t, "7.4.8"))
	if set != nil {
		set(&b)
	}
	l := newLab(t, &fortisim.Options{Behaviour: &b, Admins: []fortisim.Admin{
		{Name: "limited", Token: "made-up-token-limited", Profile: "limited"},
		{Name: "full", Token: "made-up-token-full", Access: fortisim.ReadWrite},
	}})
	if err := l.device.Put("root", "system/accprofile", "limited", profile); err != nil {
		t.Fatal(err)
	}
	l.token = "made-up-token-limited"
	return l
}

func TestAProfileLimitsWhatAnAdministratorReadsAndWrites(t *testing.T) {
	l := limited(t, nil, map[string]any{
		"netgrp": "read", "loggrp": "none", "fwgrp": "custom",
		"fwgrp-permission": map[string]any{"address": "read-write", "policy": "read"},
	})
	l.ok("PUT", addresses+"/srv-web", newComment)
	l.ok("GET", policy, "")
	l.no("PUT", policy+"/1", newComment, 403, 0)
	l.ok("GET", routes, "")
	l.no("DELETE", routes+"/1", "", 403, 0)
	l.no("GET", "/api/v2/cmdb/user/local", "", 403, 0)
	l.ok("GET", "/api/v2/monitor/system/status", "")
	l.no("GET", "/api/v2/monitor/system/time", "", 403, 0)
	l.no("POST", "/api/v2/monitor/system/config/backup", `{"scope":"global"}`, 403, 0)
	if text := l.no("GET", "/api/v2/cmdb/user/local", "", 403, 0).text; strings.Contains(text, "serial") || strings.Contains(text, "version") {
		t.Errorf("403 names the device: %s", text)
	}
}

func TestASingletonThatTheProfileCannotReadLosesItsAttributesInSilence(t *testing.T) {
	l := limited(t, nil, map[string]any{"netgrp": "read"})
	answer := l.ok("GET", "/api/v2/cmdb/system/ha", "")
	results := answer["results"].(map[string]any)
	if _, present := results["mode"]; present || results["ha-mgmt-interfaces"] == nil {
		t.Errorf("results: %v", results)
	}
	denied := limited(t, func(b *fortisim.Behaviour) { b.HiddenSingletonDenied = true }, map[string]any{"netgrp": "read"})
	denied.no("GET", "/api/v2/cmdb/system/ha", "", 403, 0)
}

func TestHowAProfileRefusesCanBeSwitched(t *testing.T) {
	html := limited(t, func(b *fortisim.Behaviour) { b.ForbiddenHTML = true }, map[string]any{"fwgrp": "read"})
	if g := html.do("PUT", addresses+"/srv-web", newComment); g.status != 403 || !strings.Contains(g.text, "<title>403 Forbidden</title>") {
		t.Errorf("%d %s", g.status, g.text)
	}
	number := limited(t, func(b *fortisim.Behaviour) { b.WriteDeniedIs37 = true }, map[string]any{"fwgrp": "read"})
	number.no("PUT", addresses+"/srv-web", newComment, 500, -37)
	empty := limited(t, func(b *fortisim.Behaviour) { b.AdminListEmpty = true }, map[string]any{"sysgrp": "read"})
	if got := empty.rows("/api/v2/cmdb/system/admin"); len(got) != 0 {
		t.Errorf("administrators: %v", got)
	}
}

func TestTrustedHostsMayBeIPv6Networks(t *testing.T) {
	d, err := fortisim.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	hosts := []any{map[string]any{"id": 1, "type": "ipv6-trusthost", "ipv6-trusthost": "2001:db8:1::/48"}}
	if err := d.Put("root", "system/api-user", "forti", map[string]any{"trusthost": hosts}); err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]int{"[2001:db8:1::5]:1000": 200, "[2001:db8:2::5]:1000": 401, "192.0.2.5:1000": 401} {
		request := httptest.NewRequest("GET", addresses+"?count=1", nil)
		request.RemoteAddr = from
		request.Header.Set("Authorization", "Bearer "+d.Token())
		recorder := httptest.NewRecorder()
		d.ServeHTTP(recorder, request)
		if recorder.Code != want {
			t.Errorf("%s: %d, want %d", from, recorder.Code, want)
		}
	}
}

func TestAClientCertificateIsAskedForWhereTheRowSaysSo(t *testing.T) {
	l := newLab(t, nil)
	if err := l.device.Put("root", "system/api-user", "forti", map[string]any{"peer-auth": "enable"}); err != nil {
		t.Fatal(err)
	}
	if g := l.do("GET", addresses, ""); g.status != 401 {
		t.Errorf("status %d without a certificate", g.status)
	}
}

func TestAKeyOfTheDeviceCountsLikeTheOthers(t *testing.T) {
	l := newLab(t, nil)
	l.ok("POST", "/api/v2/cmdb/system/api-user", `{"name":"robot","accprofile":"api-full","vdom":[{"name":"root"}]}`)
	l.no("POST", "/api/v2/monitor/system/api-user/generate-key", `{"api-user":"nobody"}`, 404, 0)
	results := l.ok("POST", "/api/v2/monitor/system/api-user/generate-key", `{"api-user":"robot"}`)["results"].(map[string]any)
	l.token, _ = results["access_token"].(string)
	l.ok("PUT", addresses+"/srv-web", newComment)
	l.no("GET", "/api/v2/cmdb/user/local", "", 403, 0)
}

// page is what a browser gets.
type page struct {
	status  int
	cookies []*http.Cookie
	text    string
}

// browser is a client with cookies.
func (l *lab) browser(method, path, body string, cookies []*http.Cookie, csrf string) page {
	l.t.Helper()
	request, err := http.NewRequestWithContext(l.t.Context(), method, "https://"+l.server.Addr+path, strings.NewReader(body))
	if err != nil {
		l.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, c := range cookies {
		request.AddCookie(c)
	}
	if csrf != "" {
		request.Header.Set("X-CSRFTOKEN", csrf)
	}
	response, err := l.client.Do(request)
	if err != nil {
		l.t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		l.t.Fatal(err)
	}
	return page{response.StatusCode, response.Cookies(), string(raw)}
}

const logIn = "username=admin&secretkey=made-up-admin-password&ajax=1"

func TestASessionWritesWithItsCSRFToken(t *testing.T) {
	for version, name := range map[string]string{"6.4.4": "ccsrftoken", "7.4.8": "ccsrftoken_443", "7.6.2": "ccsrf_token_443"} {
		t.Run(version, func(t *testing.T) {
			l := labOn(t, version)
			r := l.browser("POST", "/logincheck", logIn, nil, "")
			csrf := ""
			for _, c := range r.cookies {
				if c.Name == name {
					csrf = c.Value
				}
			}
			if csrf == "" {
				t.Fatalf("no cookie %s: %v", name, r.cookies)
			}
			put := func(csrf string) int {
				return l.browser("PUT", addresses+"/srv-web", newComment, r.cookies, csrf).status
			}
			if got := []int{put(""), put("wrong"), put(csrf)}; !cmp.Equal(got, []int{403, 403, 200}) {
				t.Errorf("without, with a wrong and with the token: %v", got)
			}
			if got := l.browser("POST", "/logout", "", r.cookies, csrf).status; got != 200 {
				t.Errorf("log-out: %d", got)
			}
			if got := l.browser("GET", addresses, "", r.cookies, "").status; got != 401 {
				t.Errorf("after the log-out: %d", got)
			}
		})
	}
}

func TestLoginAnswersByTheirFirstByteAndCode(t *testing.T) {
	l := newLab(t, nil)
	first := func(form string) string {
		return l.browser("POST", "/logincheck", form, nil, "").text[:1]
	}
	wrong := "username=admin&secretkey=wrong"
	if got := first(wrong) + first(logIn) + first(wrong) + first(wrong) + first(wrong) + first(logIn); got != "010022" {
		t.Errorf("first bytes %s", got)
	}
	code := func(l *lab, path, body string) any {
		var out map[string]any
		if err := json.Unmarshal([]byte(l.browser("POST", path, body, nil, "").text), &out); err != nil {
			t.Fatal(err)
		}
		return out["status_code"]
	}
	other := newLab(t, nil)
	if got := code(other, "/api/v2/authentication", `{"username":"admin","secretkey":"made-up-admin-password"}`); got != 5.0 {
		t.Errorf("code %v", got)
	}
	if got := code(other, "/api/v2/authentication", `{"username":"admin","secretkey":"wrong"}`); got != -1.0 {
		t.Errorf("code %v", got)
	}
	if r := labOn(t, "7.6.4").browser("POST", "/logincheck", logIn, nil, ""); len(r.cookies) != 0 {
		t.Errorf("7.6.4 gives cookies: %v", r.cookies)
	}
}

func TestAClientThatAsksForAKeySendsItAsItsToken(t *testing.T) {
	const signOn, asks = "/api/v2/authentication", `{"username":"admin","secretkey":"made-up-admin-password","request_key":true}`
	for _, version := range []string{"6.4.4", "7.2.8", "7.4.8"} {
		t.Run(version, func(t *testing.T) {
			l := labOn(t, version)
			r := l.browser("POST", signOn, asks, nil, "")
			var out struct {
				SessionKey string `json:"session_key"`
			}
			if err := json.Unmarshal([]byte(r.text), &out); err != nil || out.SessionKey == "" || len(r.cookies) != 0 {
				t.Fatalf("%v, cookies %v: %s", err, r.cookies, r.text)
			}
			l.token = out.SessionKey
			l.ok("PUT", addresses+"/srv-web", newComment)
			if got := l.do("DELETE", signOn, "").status; got != 200 {
				t.Errorf("log-out: %d", got)
			}
			if got := l.do("GET", addresses, "").status; got != 401 {
				t.Errorf("after the log-out: %d", got)
			}
		})
	}
	if r := labOn(t, "7.6.5").browser("POST", signOn, asks, nil, ""); len(r.cookies) != 2 || strings.Contains(r.text, "session_key") {
		t.Errorf("7.6.5 gives cookies %v and %s", r.cookies, r.text)
	}
	if r := newLab(t, nil).browser("POST", signOn, `{"username":"admin","password":"made-up-admin-password"}`, nil, ""); len(r.cookies) != 2 {
		t.Errorf("the password by its other name: %s", r.text)
	}
	if r := newLab(t, nil).browser("POST", signOn, `{"username":"admin","secretkey":"x","request_key":true}`, nil, ""); strings.Contains(r.text, "session_key") {
		t.Errorf("a wrong password: %s", r.text)
	}
}

func TestASessionEndsWhenItIsIdle(t *testing.T) {
	c := newClock()
	l := newLab(t, &fortisim.Options{Now: c.Now})
	cookies := l.browser("POST", "/logincheck", logIn, nil, "").cookies
	if got := l.browser("GET", addresses, "", cookies, "").status; got != 200 {
		t.Errorf("status %d", got)
	}
	c.advance(6 * time.Minute)
	if got := l.browser("GET", addresses, "", cookies, "").status; got != 401 {
		t.Errorf("status %d after the idle time", got)
	}
}

func TestSessionsCanBeReadOnly(t *testing.T) {
	b := fortisim.DefaultBehaviour(release(t, "7.2.8"))
	b.SessionReadOnly = true
	l := newLab(t, &fortisim.Options{Version: release(t, "7.2.8"), Behaviour: &b})
	cookies := l.browser("POST", "/logincheck", logIn, nil, "").cookies
	csrf := cookies[1].Value
	if got := l.browser("PUT", addresses+"/srv-web", newComment, cookies, csrf).status; got != 403 {
		t.Errorf("status %d", got)
	}
}

func TestAdministratorsChangeOnlyWithAPasswordFrom765(t *testing.T) {
	b := fortisim.DefaultBehaviour(release(t, "7.6.5"))
	l := newLab(t, &fortisim.Options{Version: release(t, "7.6.5"), Behaviour: &b})
	const user = "/api/v2/cmdb/system/api-user"
	l.ok("PUT", user+"/forti", `{"comments":"x"}`)
	b.TokensNeedAdminPassword = true
	l.device.SetBehaviour(b)
	g := l.no("POST", user, `{"name":"robot"}`, 500, -8102)
	if diff := cmp.Diff([]any{"admin's password required."}, g.json["cli_error"]); diff != "" {
		t.Error(diff)
	}
	l.no("POST", "/api/v2/monitor/system/api-user/generate-key", `{"api-user":"forti"}`, 500, -8102)
	request := httptest.NewRequest("POST", user, strings.NewReader(`{"name":"robot"}`))
	request.Header.Set("Authorization", "Bearer "+l.token)
	request.Header.Set("X-Admin-Passwd", "made-up-admin-password")
	recorder := httptest.NewRecorder()
	l.device.ServeHTTP(recorder, request)
	if recorder.Code != 200 {
		t.Errorf("with the password: %d %s", recorder.Code, recorder.Body)
	}
	l.ok("PUT", addresses+"/srv-web", newComment)
}
