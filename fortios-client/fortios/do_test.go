package fortios_test

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

func TestDoSendsExactlyTheseBytes(t *testing.T) {
	for _, tc := range []struct {
		name string
		req  fortios.Request
		want string
	}{
		{"read", fortios.Request{Method: "GET", Path: "/api/v2/cmdb/firewall/address/a%2Fb%3f", Query: [][2]string{{"vdom", "root"}, {"filter", `name==a\.b c`}, {"filter", "x=@ü"}}},
			"GET /api/v2/cmdb/firewall/address/a%2Fb%3f?vdom=root&filter=name%3D%3Da%5C.b%20c&filter=x%3D%40%C3%BC HTTP/1.1\r\n" +
				"Host: HOST\r\nUser-Agent: forti-fortios\r\nAccept: application/json\r\nAccept-Encoding: identity\r\nAuthorization: Bearer TOKEN\r\n\r\n"},
		{"write", fortios.Request{Method: "PUT", Path: "/api/v2/cmdb/firewall/policy/5", Query: [][2]string{{"action", "move"}, {"after", "4"}}, Body: []byte(`{"a": 1}`)},
			"PUT /api/v2/cmdb/firewall/policy/5?action=move&after=4 HTTP/1.1\r\n" +
				"Host: HOST\r\nUser-Agent: forti-fortios\r\nContent-Length: 8\r\nAccept: application/json\r\nAccept-Encoding: identity\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\n\r\n" + `{"a": 1}`},
		{"write without body", fortios.Request{Method: "POST", Path: "/api/v2/monitor/x/y"},
			"POST /api/v2/monitor/x/y HTTP/1.1\r\nHost: HOST\r\nUser-Agent: forti-fortios\r\nContent-Length: 0\r\nAccept: application/json\r\nAccept-Encoding: identity\r\nAuthorization: Bearer TOKEN\r\n\r\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			received := make(chan string, 1)
			cfg := rawDevice(t, func(conn *tls.Conn) {
				received <- readRequest(conn)
				_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			})
			r := newClient(t, cfg).Do(t.Context(), tc.req)
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			got := strings.NewReplacer(r.Remote, "HOST", secret, "TOKEN").Replace(<-received)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnIPv6AddressIsReached(t *testing.T) {
	listener, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("no IPv6 loopback here")
	}
	host := make(chan string, 2)
	d := newDevice(t, func(w http.ResponseWriter, r *http.Request) {
		host <- r.Host
		answer(200, jsonType, envelope("root", "{}", ""))(w, r)
	}, func(d *device) { _ = d.Listener.Close(); d.Listener = listener })
	for _, form := range []string{"::1", "[::1]"} {
		cfg := d.config()
		cfg.Host = form
		if r := newClient(t, cfg).Do(t.Context(), get(statusPath)); r.Err != nil {
			t.Fatalf("%s: %v", form, r.Err)
		}
		if got := <-host; got != listener.Addr().String() {
			t.Errorf("%s: Host %q, want %q", form, got, listener.Addr())
		}
	}
}

func TestDoRefusesBeforeAnythingIsSent(t *testing.T) {
	const table = "/api/v2/cmdb/firewall/address"
	d := newDevice(t, answer(200, jsonType, "{}"))
	client := newClient(t, d.config())
	for name, req := range map[string]fortios.Request{
		"unknown method":                     {Method: "PATCH", Path: table},
		"lower case method":                  {Method: "get", Path: table},
		"body of a read":                     {Method: "GET", Path: table, Body: []byte("{}")},
		"body of a delete":                   {Method: "DELETE", Path: table + "/a", Body: []byte("{}")},
		"relative path":                      {Method: "GET", Path: "api/v2"},
		"query in the path":                  {Method: "GET", Path: table + "?access_token=x"},
		"fragment":                           {Method: "GET", Path: table + "#x"},
		"blank":                              {Method: "GET", Path: table + "/a b"},
		"line break":                         {Method: "GET", Path: table + "\r\nX: y"},
		"not ASCII":                          {Method: "GET", Path: table + "/ü"},
		"bad escape":                         {Method: "GET", Path: table + "/%zz"},
		"trailing slash":                     {Method: "GET", Path: table + "/"},
		"empty segment":                      {Method: "GET", Path: "/api//v2"},
		"dot":                                {Method: "GET", Path: table + "/."},
		"dots":                               {Method: "GET", Path: table + "/.."},
		"encoded dots":                       {Method: "GET", Path: table + "/%2e%2E"},
		"encoded blank":                      {Method: "GET", Path: table + "/%20"},
		"encoded NUL":                        {Method: "GET", Path: table + "/a%00"},
		"delete of a table":                  {Method: "DELETE", Path: table},
		"delete of a table, trailing slash":  {Method: "DELETE", Path: table + "/"},
		"delete of a table, encoded":         {Method: "DELETE", Path: "/api/v2/%63mdb/firewall/address"},
		"delete of a child table":            {Method: "DELETE", Path: "/api/v2/cmdb/firewall/addrgrp/g/member"},
		"delete of everything":               {Method: "DELETE", Path: "/api/v2/cmdb"},
		"nameless parameter":                 {Method: "GET", Path: table, Query: [][2]string{{"", "x"}}},
		"secrets in clear":                   {Method: "GET", Path: table, Query: [][2]string{{"plain-text-password", "1"}}},
		"secrets in clear, other spelling":   {Method: "GET", Path: table, Query: [][2]string{{"Plain_Text_Password", "1"}}},
		"token in the query":                 {Method: "GET", Path: table, Query: [][2]string{{"vdom", "root"}, {"access_token", secret}}},
		"token in the query, other spelling": {Method: "GET", Path: table, Query: [][2]string{{" ACCESS-token", secret}}},
	} {
		t.Run(name, func(t *testing.T) {
			r := client.Do(t.Context(), req)
			e := wantKind(t, r.Err, fortios.KindInvalid)
			if r.Sent || strings.Contains(e.Error(), secret) {
				t.Errorf("sent %v, error %v", r.Sent, e)
			}
		})
	}
	if n := d.accepted.Load(); n != 0 {
		t.Errorf("%d connections, want none", n)
	}
}

func TestADeleteWithAKeyIsSent(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "null", "")))
	client := newClient(t, d.config())
	for _, path := range []string{"/api/v2/cmdb/firewall/address/a", "/api/v2/cmdb/firewall/addrgrp/g/member/m", "/api/v2/cmdb/firewall.service/custom/x"} {
		if r := client.Do(t.Context(), fortios.Request{Method: "DELETE", Path: path}); r.Fault() != nil {
			t.Errorf("%s: %v", path, r.Fault())
		}
	}
}

func TestARefusedPortProvesThatNothingWasSent(t *testing.T) {
	r := newClient(t, fortios.Config{Host: "127.0.0.1", Port: closedPort(t), Token: giveToken}).Do(t.Context(), get(statusPath))
	wantKind(t, r.Err, fortios.KindUnreachable)
	if r.Sent || r.HeaderOK || r.Local != "" {
		t.Errorf("%+v", r)
	}
}

// Each talk leaves the client with a request that may have acted.
func TestWhatIsKnownWhenTheAnswerFails(t *testing.T) {
	const good = `{"status":"success","http_method":"GET"}`
	for _, tc := range []struct {
		name     string
		talk     func(*tls.Conn)
		kind     fortios.Kind
		headerOK bool
		status   int
		body     string
	}{
		{"ends after the request", func(c *tls.Conn) { readRequest(c) }, fortios.KindDisconnected, false, 0, ""},
		{"resets after the request", func(c *tls.Conn) { readRequest(c); reset(c) }, fortios.KindDisconnected, false, 0, ""},
		{"says farewell after the request", func(c *tls.Conn) { readRequest(c); _ = c.CloseWrite() }, fortios.KindDisconnected, false, 0, ""},
		{"ends in the status line", say("HTTP/1.1 20"), fortios.KindDisconnected, false, 0, ""},
		{"ends in the header", say("HTTP/1.1 200 OK\r\nContent-Le"), fortios.KindDisconnected, false, 0, ""},
		{"does not speak HTTP", say("220 mail.example ESMTP\r\n\r\n"), fortios.KindNotFortiOS, false, 0, ""},
		{"speaks HTTP/2", say("HTTP/2.0 200 OK\r\n\r\n"), fortios.KindNotFortiOS, false, 0, ""},
		{"body shorter than announced", say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + good), fortios.KindTruncated, true, 200, good},
		{"chunks without end", say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n28\r\n" + good + "\r\n"), fortios.KindTruncated, true, 200, good},
		{"chunk cut", say("HTTP/1.1 500 E\r\nTransfer-Encoding: chunked\r\n\r\n99\r\n" + good), fortios.KindTruncated, true, 500, good},
		{"broken chunk length", say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), fortios.KindTruncated, true, 200, ""},
		{"body ended by the connection alone", say("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + good), fortios.KindTruncated, true, 200, good},
		{"header too large", say("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 80<<10) + "\r\n\r\n"), fortios.KindTooLarge, false, 0, ""},
		{"endless interim answers", say(strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 100)), fortios.KindNotFortiOS, false, 0, ""},
		{"conflicting lengths", say("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"), fortios.KindNotFortiOS, false, 0, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newClient(t, rawDevice(t, tc.talk)).Do(t.Context(), get(statusPath))
			e := wantKind(t, r.Err, tc.kind)
			if !r.Sent || r.BodyComplete || r.HeaderOK != tc.headerOK || r.Status != tc.status || string(r.Body) != tc.body {
				t.Errorf("sent %v, header %v, complete %v, status %d, body %q", r.Sent, r.HeaderOK, r.BodyComplete, r.Status, r.Body)
			}
			if e.Op != "GET "+statusPath || e.Status != tc.status {
				t.Errorf("op %q, status %d", e.Op, e.Status)
			}
		})
	}
}

// reset makes the end of the connection a reset.
func reset(c *tls.Conn) {
	_ = c.NetConn().(interface{ SetLinger(int) error }).SetLinger(0)
}

func TestCompleteAnswersOfEveryFraming(t *testing.T) {
	for name, talk := range map[string]func(*tls.Conn){
		"length":  say("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"),
		"chunks":  say("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"),
		"interim": say("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"),
		"farewell": func(c *tls.Conn) {
			say("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{}")(c)
			_ = c.CloseWrite()
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newClient(t, rawDevice(t, talk)).Do(t.Context(), get(statusPath))
			if r.Err != nil || !r.Sent || !r.HeaderOK || !r.BodyComplete || r.Status != 200 || string(r.Body) != "{}" || r.ContentType != jsonType {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestAGzipLabelOnAPlainBodyIsIgnored(t *testing.T) {
	body := envelope("root", "{}", "")
	d := newDevice(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Accept-Encoding"); got != "identity" {
			t.Errorf("Accept-Encoding %q", got)
		}
		w.Header().Set("Content-Encoding", "gzip")
		answer(200, jsonType, body)(w, r)
	})
	r := newClient(t, d.config()).Do(t.Context(), get(statusPath))
	if r.Fault() != nil || string(r.Body) != body {
		t.Errorf("fault %v, body %q", r.Fault(), r.Body)
	}
}

func TestBodiesAreBounded(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, strings.Repeat("x", 1001)))
	for limit, complete := range map[int64]bool{1000: false, 1001: true} {
		cfg := d.config()
		cfg.MaxBody = limit
		r := newClient(t, cfg).Do(t.Context(), get(statusPath))
		if r.BodyComplete != complete || int64(len(r.Body)) != limit || (r.Err == nil) != complete {
			t.Errorf("limit %d: complete %v, %d bytes, error %v", limit, r.BodyComplete, len(r.Body), r.Err)
		}
		if !complete {
			wantKind(t, r.Err, fortios.KindTooLarge)
		}
	}
}

const longBody = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"

func TestTimeThatRunsOutAfterTheRequest(t *testing.T) {
	for name, drip := range map[string]int{"no header": 0, "slow drip": 10} {
		t.Run(name, func(t *testing.T) {
			ctx := newExpiring(t)
			cfg := rawDevice(t, func(c *tls.Conn) {
				readRequest(c)
				for i := range drip {
					_, _ = io.WriteString(c, strings.Repeat(longBody, 1-min(i, 1))+"{")
				}
				ctx.expire()
				_, _ = io.Copy(io.Discard, c)
			})
			r := newClient(t, cfg).Do(ctx, fortios.Request{Method: "POST", Path: "/api/v2/monitor/x/y"})
			e := wantKind(t, r.Err, fortios.KindTimeout)
			if !r.Sent || r.BodyComplete || !strings.Contains(e.Message, "not known") {
				t.Errorf("sent %v, complete %v, error %v", r.Sent, r.BodyComplete, e)
			}
		})
	}
}

func TestTheConfiguredTimeoutHoldsForTheWholeRequest(t *testing.T) {
	cfg := rawDevice(t, func(c *tls.Conn) { readRequest(c); _, _ = io.Copy(io.Discard, c) })
	cfg.Timeout = 300 * time.Millisecond
	r := newClient(t, cfg).Do(t.Context(), get(statusPath))
	if want := map[bool]fortios.Kind{true: fortios.KindTimeout, false: fortios.KindUnreachable}[r.Sent]; fortios.KindOf(r.Err) != want {
		t.Errorf("sent %v, error %v", r.Sent, r.Err)
	}
}

func TestASilentBodyEndsBeforeTheTimeout(t *testing.T) {
	cfg := rawDevice(t, func(c *tls.Conn) { say(longBody + "{")(c); _, _ = io.Copy(io.Discard, c) })
	cfg.BodyIdle = 20 * time.Millisecond
	cfg.Timeout = time.Hour
	r := newClient(t, cfg).Do(t.Context(), get(statusPath))
	wantKind(t, r.Err, fortios.KindTimeout)
	if !r.HeaderOK || r.Status != 200 || r.BodyComplete {
		t.Errorf("%+v", r)
	}
}

func TestCancellingEndsTheExchangeWhereItStands(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cfg := rawDevice(t, func(c *tls.Conn) { readRequest(c); cancel(); _, _ = io.Copy(io.Discard, c) })
	client := newClient(t, cfg)
	r := client.Do(ctx, get(statusPath))
	if wantKind(t, r.Err, fortios.KindCanceled); !r.Sent {
		t.Error("sent is not reported")
	}
	r = client.Do(ctx, get(statusPath))
	if wantKind(t, r.Err, fortios.KindCanceled); r.Sent {
		t.Error("sent under a cancelled context")
	}
}

func TestACancelledContextSendsNothingOnAKeptConnection(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")))
	client := newClient(t, d.config())
	if r := client.Do(t.Context(), get(statusPath)); r.Err != nil {
		t.Fatal(r.Err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := client.Do(ctx, get(statusPath))
	if wantKind(t, r.Err, fortios.KindCanceled); r.Sent || d.requests.Load() != 1 {
		t.Errorf("sent %v, %d requests", r.Sent, d.requests.Load())
	}
}

func TestATokenThatTheDeviceRepeatsIsTakenOut(t *testing.T) {
	for _, status := range []int{200, 500} {
		d := newDevice(t, func(w http.ResponseWriter, r *http.Request) {
			answer(status, jsonType, `{"http_method":"GET","status":"error","error":-651,"cli_error":"bad `+r.Header.Get("Authorization")+`"}`)(w, r)
		})
		client := newClient(t, d.config())
		r := client.Do(t.Context(), get(statusPath))
		_, err := client.Get(t.Context(), statusPath, nil)
		_, listErr := client.List(t.Context(), table, nil)
		for _, text := range []string{string(r.Body), r.Fault().Error(), err.Error(), listErr.Error()} {
			if strings.Contains(text, secret) || !strings.Contains(text, "bad Bearer ****") {
				t.Errorf("status %d: text %q", status, text)
			}
		}
	}
}
