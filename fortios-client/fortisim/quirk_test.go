package fortisim_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"testing"

	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func quirky(t *testing.T, set func(*fortisim.Behaviour)) *lab {
	t.Helper()
	b := fortisim.DefaultBehaviour(catalog.Version{})
	set(&b)
	return newLab(t, &fortisim.Options{Behaviour: &b})
}

func TestTheNumbersOfRefusalsCanBeOthers(t *testing.T) {
	l := quirky(t, func(b *fortisim.Behaviour) { b.Numbers = map[int]int{-37: -160, -10002: -10000} })
	l.no("PUT", ports+"/lan", `{"devindex":9}`, 500, -160)
	l.no("GET", addresses+"?action=dance", "", 500, -10000)
	l.no("DELETE", addresses+"/srv-web", "", 500, -23)
}

func TestMoreReportedBehavioursHaveTheirContrary(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*fortisim.Behaviour)
		try  func(*lab)
	}{
		{"statuses", func(b *fortisim.Behaviour) { b.Statuses = map[int]int{400: 404, 403: 404, 424: 400} }, func(l *lab) {
			l.no("GET", addresses+"/a/b", "", 404, 0)
			l.no("GET", addresses+"?vdom=nowhere", "", 404, 0)
			l.no("POST", backupRequest, `{"destination":"file"}`, 400, -651)
		}},
		{"what stood before a bad attribute is stored", func(b *fortisim.Behaviour) { b.EarlierAttributesKept = true }, func(l *lab) {
			l.no("PUT", addresses+"/srv-web", `{"comment":"changed","color":99,"associated-interface":"lan"}`, 500, -651)
			if row := l.one(addresses + "/srv-web"); row["comment"] != "changed" || row["associated-interface"] != "" {
				l.t.Errorf("row: %v", row)
			}
		}},
		{"a purge deletes what becomes unused", func(b *fortisim.Behaviour) { b.PurgeRepeats = true }, func(l *lab) {
			l.ok("POST", groups, `{"name":"inner","member":[{"name":"srv-web"}]}`)
			l.ok("POST", groups, `{"name":"outer","member":[{"name":"inner"}]}`)
			l.ok("DELETE", groups, "")
			l.no("GET", groups+"/inner", "", 404, 0)
		}},
		{"encrypted secrets are refused", func(b *fortisim.Behaviour) { b.EncryptedRefused = true }, func(l *lab) {
			l.no("PUT", "/api/v2/cmdb/user/local/alice", `{"passwd":"ENC abc="}`, 500, -651)
		}},
		{"pages are not found", func(b *fortisim.Behaviour) { b.PagesNotFound = true }, func(l *lab) {
			if g := l.do("GET", "/login", ""); g.status != 404 {
				l.t.Errorf("status %d", g.status)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) { c.try(quirky(t, c.set)) })
	}
	b := fortisim.DefaultBehaviour(release(t, "7.6.6"))
	b.BackupByGet = true
	l := newLab(t, &fortisim.Options{Version: release(t, "7.6.6"), Behaviour: &b})
	if g := l.do("GET", backupRequest+"?scope=global", ""); g.status != 200 {
		t.Errorf("backup by GET: %d", g.status)
	}
}

func TestHeartbeatPortsReadBackInQuotesWithABlank(t *testing.T) {
	l := newLab(t, nil)
	l.ok("PUT", "/api/v2/cmdb/system/ha", `{"hbdev":"wan1 0 wan2 50"}`)
	results := l.ok("GET", "/api/v2/cmdb/system/ha", "")["results"].(map[string]any)
	if results["hbdev"] != `"wan1" 0 "wan2" 50 ` {
		t.Errorf("hbdev is %q", results["hbdev"])
	}
}

func TestNamesThatTheirTablesDoNotTake(t *testing.T) {
	l := newLab(t, nil)
	l.no("PUT", "/api/v2/cmdb/system/global", `{"hostname":"fw one"}`, 500, -651)
	l.no("POST", "/api/v2/cmdb/system/api-user", `{"name":"robot#1"}`, 500, -651)
	l.ok("PUT", "/api/v2/cmdb/system/global", `{"hostname":"fw-one_2"}`)
}

func TestAnEncodedSlashIsNotFoundIn620(t *testing.T) {
	l := labOn(t, "6.2.0")
	l.ok("POST", addresses, `{"name":"10.0.0.0/8"}`)
	l.no("GET", addresses+"/10.0.0.0%2F8", "", 404, 0)
}

func TestABodyMayCallItselfCompressed(t *testing.T) {
	l := quirky(t, func(b *fortisim.Behaviour) { b.GzipLabel = true })
	get := func(encoding string) error {
		request, err := http.NewRequestWithContext(t.Context(), "GET", "https://"+l.server.Addr+addresses, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+l.token)
		if encoding != "" {
			request.Header.Set("Accept-Encoding", encoding)
		}
		response, err := l.client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		_, err = response.Body.Read(make([]byte, 10))
		if response.Header.Get("Content-Encoding") != "" {
			return errors.New("still labelled")
		}
		return err
	}
	if err := get(""); err == nil {
		t.Error("the false label did no harm")
	}
	if err := get("identity"); err != nil {
		t.Errorf("with identity: %v", err)
	}
}

func TestACertificateMayHaveANegativeSerialNumber(t *testing.T) {
	l := quirky(t, func(b *fortisim.Behaviour) { b.NegativeSerial = true })
	dialer := &tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}
	conn, err := dialer.DialContext(t.Context(), "tcp", l.server.Addr)
	if err == nil {
		_ = conn.Close()
		t.Error("Go's parser took it")
	}
}

func TestTooManyRequestsAtOnceAreReset(t *testing.T) {
	l := quirky(t, func(b *fortisim.Behaviour) { b.MaxParallel = 1 })
	hold := fortisim.NewHold(false)
	in, err := l.device.Inject(fortisim.Rule{Match: fortisim.Match{Nth: 1}, Do: hold})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan got, 1)
	go func() { done <- l.send(context.Background(), "GET", addresses, "") }()
	<-hold.Held()
	other := l.in(t)
	other.client = pinned(t, l.server.PinSHA256, false)
	if g := other.send(t.Context(), "GET", addresses, ""); g.err == nil {
		t.Errorf("an answer came: %d", g.status)
	}
	hold.Release()
	if g := <-done; g.status != 200 {
		t.Errorf("the first: %d %v", g.status, g.err)
	}
	in.Remove()
	l.ok("GET", addresses, "")
}
