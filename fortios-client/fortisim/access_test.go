package fortisim_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// clock is a clock that only a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func TestAWrongTokenIs401InHTML(t *testing.T) {
	l := newLab(t, nil)
	for _, token := range []string{"", "wrong"} {
		l.token = token
		g := l.do("GET", addresses, "")
		if g.status != 401 || !strings.HasPrefix(g.header.Get("Content-Type"), "text/html") || !strings.Contains(g.text, "<title>401 Unauthorized</title>") {
			t.Errorf("token %q: %d %s", token, g.status, g.text)
		}
		if g.header.Get("Www-Authenticate") != `error="invalid_token"` {
			t.Errorf("www-authenticate: %q", g.header.Get("Www-Authenticate"))
		}
	}
}

func TestFailedLoginsLockTheAddressOut(t *testing.T) {
	c := newClock()
	l := newLab(t, &fortisim.Options{Now: c.Now})
	good := l.token
	l.token = "wrong"
	for range 3 {
		if g := l.do("GET", addresses, ""); g.status != 401 {
			t.Fatalf("status %d", g.status)
		}
	}
	l.token = good
	if g := l.do("GET", "/api/v2/monitor/system/status", ""); g.status != 429 || g.json != nil || g.header.Get("Retry-After") != "" {
		t.Errorf("a good token after the lock-out: %d %s", g.status, g.text)
	}
	c.advance(61 * time.Second)
	l.ok("GET", addresses, "")
}

func TestTheLockOutCanBeSwitchedOff(t *testing.T) {
	b := fortisim.DefaultBehaviour(release(t, "7.4.8"))
	b.Lockout = false
	l := newLab(t, &fortisim.Options{Behaviour: &b})
	good := l.token
	l.token = "wrong"
	for range 5 {
		l.do("GET", addresses, "")
	}
	l.token = good
	l.ok("GET", addresses, "")
}

func TestAReadOnlyAdministratorMayNotWrite(t *testing.T) {
	l := newLab(t, &fortisim.Options{Admins: []fortisim.Admin{{Name: "viewer", Token: "made-up-token-viewer"}}})
	l.ok("GET", addresses, "")
	before := l.device.Snapshot()
	for method, path := range map[string]string{"POST": addresses, "PUT": addresses + "/srv-web", "DELETE": addresses + "/old-scanner"} {
		l.no(method, path, `{"name":"x"}`, 403, 0)
	}
	if before != l.device.Snapshot() {
		t.Error("the configuration changed")
	}
	if g := l.do("POST", "/api/v2/monitor/system/config/backup", `{"scope":"global"}`); g.status != 200 {
		t.Errorf("backup: %d", g.status)
	}
}

func TestTrustedHostsOfTheAPIUserCount(t *testing.T) {
	l := newLab(t, nil)
	l.ok("PUT", "/api/v2/cmdb/system/api-user/forti", `{"trusthost":[{"ipv4-trusthost":"192.0.2.0/24"}]}`)
	if g := l.do("GET", addresses, ""); g.status != 401 {
		t.Errorf("status %d from an address that is not trusted", g.status)
	}
	if err := l.device.Put("root", "system/api-user", "forti", map[string]any{"trusthost": []any{}}); err != nil {
		t.Fatal(err)
	}
	l.ok("GET", addresses, "")
}

func TestATokenInTheURLCountsOnlyInOldReleases(t *testing.T) {
	for version, want := range map[string]int{"7.4.4": 200, "7.4.5": 401, "7.6.0": 200, "7.6.1": 401} {
		t.Run(version, func(t *testing.T) {
			l := labOn(t, version)
			token := l.token
			l.token = ""
			if g := l.do("GET", addresses+"?access_token="+token+"&count=1", ""); g.status != want {
				t.Errorf("status %d, want %d", g.status, want)
			}
			for _, r := range l.device.Requests() {
				if strings.Contains(r.Query, token) || !strings.Contains(r.Query, "count=1") {
					t.Errorf("recorded query %q", r.Query)
				}
			}
		})
	}
}

func TestWhatIsNotTheAPIIsTheLoginPage(t *testing.T) {
	l := newLab(t, nil)
	for _, path := range []string{"/", "/login", "/api/v2/nonsense/x"} {
		g := l.do("GET", path, "")
		if g.status != 200 || !strings.HasPrefix(g.header.Get("Content-Type"), "text/html") || !strings.Contains(g.text, "/login") {
			t.Errorf("%s: %d %s", path, g.status, g.text)
		}
	}
}

func TestABodyThatIsTooLargeIs413(t *testing.T) {
	l := newLab(t, nil)
	if g := l.send(t.Context(), "POST", addresses, strings.Repeat(" ", 17<<20)); g.err == nil && g.status != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", g.status)
	}
}

func TestTheRequestLogCountsWrites(t *testing.T) {
	l := newLab(t, nil)
	l.ok("GET", addresses, "")
	l.do("POST", "/api/v2/monitor/system/config/backup", `{"scope":"global"}`)
	if n := l.device.Writes(); n != 0 {
		t.Errorf("%d writes before any", n)
	}
	l.ok("PUT", addresses+"/srv-web", `{"comment":"x"}`)
	l.do("DELETE", addresses+"/srv-web", "")
	l.do("POST", "/api/v2/monitor/system/os/reboot", `{}`)
	if n := l.device.Writes(); n != 3 {
		t.Errorf("%d writes, want 3", n)
	}
	requests := l.device.Requests()
	if len(requests) != 5 || string(requests[2].Body) != `{"comment":"x"}` || requests[2].Path != addresses+"/srv-web" || !requests[2].Write {
		t.Errorf("requests: %+v", requests)
	}
	l.device.ForgetRequests()
	if l.device.Writes() != 0 || len(l.device.Requests()) != 0 {
		t.Error("the log was not emptied")
	}
}
