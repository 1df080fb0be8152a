package fortios_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

func TestTheEnvironmentChoosesNoProxy(t *testing.T) {
	var contacted atomic.Int32
	trap := listen(t, func(net.Conn) { contacted.Add(1) })
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		t.Setenv(name, "http://"+trap.String())
	}
	t.Setenv("NO_PROXY", "")
	t.Setenv("no_proxy", "")
	keys := t.TempDir() + "/keys"
	t.Setenv("SSLKEYLOGFILE", keys)
	d := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")))
	if r := newClient(t, d.config()).Do(t.Context(), get(statusPath)); r.Fault() != nil {
		t.Error(r.Fault())
	}
	if n := contacted.Load(); n != 0 {
		t.Errorf("the proxy was contacted %d times", n)
	}
	if exists(keys) {
		t.Error("the keys of TLS were written to a file")
	}
}

// tunnel is a proxy that passes on to wherever CONNECT says, after verdict.
func tunnel(t *testing.T, verdict string, seen *strings.Builder) *url.URL {
	addr := listen(t, func(raw net.Conn) {
		in := bufio.NewReader(raw)
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		_ = req.Write(seen)
		seen.WriteString(req.Method + " " + req.RequestURI)
		_, _ = io.WriteString(raw, verdict)
		if !strings.Contains(verdict, " 200 ") {
			return
		}
		device, err := net.Dial("tcp", req.RequestURI)
		if err != nil {
			return
		}
		defer device.Close()
		go func() { defer device.Close(); _, _ = io.Copy(device, in) }() // Ends with raw.
		_, _ = io.Copy(raw, device)
	})
	return mustURL(t, "http://user:pass@"+addr.String())
}

func TestAConfiguredProxySeesATunnelAndNoToken(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")))
	var seen strings.Builder
	cfg := d.config()
	cfg.Proxy = tunnel(t, "HTTP/1.1 200 Connection established\r\n\r\n", &seen)
	client := newClient(t, cfg)
	r := client.Do(t.Context(), get(statusPath))
	client.Close()
	if r.Fault() != nil || r.Remote != cfg.Proxy.Host {
		t.Fatalf("remote %s, fault %v", r.Remote, r.Fault())
	}
	if text := seen.String(); !strings.Contains(text, "CONNECT "+d.Listener.Addr().String()) || !strings.Contains(text, "Proxy-Authorization: Basic dXNlcjpwYXNz") || strings.Contains(text, secret) {
		t.Errorf("the proxy saw %q", text)
	}
}

func TestAProxyThatDoesNotTunnelLeavesTheRequestUnsent(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")))
	for name, verdict := range map[string]string{
		"refuses":       "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
		"says nothing":  "",
		"talks along":   "HTTP/1.1 200 OK\r\n\r\nhello",
		"endless words": "HTTP/1.1 502 " + strings.Repeat("x", 80<<10),
	} {
		t.Run(name, func(t *testing.T) {
			cfg := d.config()
			cfg.Proxy = tunnel(t, verdict, &strings.Builder{})
			r := newClient(t, cfg).Do(t.Context(), get(statusPath))
			e := wantKind(t, r.Err, fortios.KindUnreachable)
			if r.Sent || !strings.Contains(e.Error(), "the proxy did not open a tunnel") || strings.Contains(e.Error(), "pass@") || strings.Contains(e.Error(), "dXNlcjpwYXNz") {
				t.Errorf("sent %v, error %v", r.Sent, e)
			}
		})
	}
	if n := d.requests.Load(); n != 0 {
		t.Errorf("the device received %d requests", n)
	}
}

func TestARedirectIsNotFollowedAndTheTokenGoesNowhereElse(t *testing.T) {
	other := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")))
	for _, status := range []int{301, 302, 303, 307, 308} {
		d := newDevice(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", other.URL+statusPath)
			answer(status, htmlType, "<html>moved</html>")(w, r)
		})
		r := newClient(t, d.config()).Do(t.Context(), fortios.Request{Method: "PUT", Path: "/api/v2/cmdb/system/global", Body: []byte("{}")})
		if r.Status != status || r.Err != nil || !r.BodyComplete {
			t.Errorf("%d: %+v", status, r)
		}
		if e := wantKind(t, r.Fault(), fortios.KindNotFortiOS); strings.Contains(e.Error(), "moved") || d.requests.Load() != 1 {
			t.Errorf("%d: %d requests, error %v", status, d.requests.Load(), e)
		}
	}
	if n := other.accepted.Load(); n != 0 {
		t.Errorf("the target of the redirect was contacted %d times", n)
	}
}
