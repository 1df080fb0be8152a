package fortisim_test

import (
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// FuzzRequest sends requests of any kind: whatever they are, the answer is a
// whole one, and JSON where it says so.
func FuzzRequest(f *testing.F) {
	for _, seed := range [][3]string{
		{"GET", "cmdb/firewall/address?filter=name==a,b&sort=name,dsc&with_meta=1&datasource=1", ""},
		{"PUT", "cmdb/firewall/policy/1?action=move&before=2", ""},
		{"POST", "cmdb/firewall/address/srv-web?action=clone&nkey=x", ""},
		{"POST", "cmdb/firewall/address", `{"name":"a","subnet":"10.0.0.0/8","tagging":[{"name":"t"}]}`},
		{"PUT", "cmdb/system/interface/lan", `{"ipv6":{"ip6-address":"::1/64"},"secondaryip":[{"id":1}]}`},
		{"POST", "cmdb?action=transaction-start", `{"timeout":5}`},
		{"POST", "monitor/system/config/restore", `{"source":"upload","file_content":"I2NvbmZpZy12ZXJzaW9uPQ=="}`},
		{"POST", "monitor/system/api-user/generate-key", `{"api-user":"forti"}`},
		{"DELETE", "cmdb/router/static/", ""},
		{"POST", "authentication", `{"username":"admin","secretkey":"x"}`},
		{"GET", "monitor/system/check-port-availability?port_ranges=1-2,3", ""},
		{"GET", "log/memory/event/system?start=9223372036854775807&rows=9223372036854775807", ""},
		{"GET", "cmdb/system/vdom?vdom=*&start=-1&count=9999999999", ""},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	d, err := fortisim.New(&fortisim.Options{VDOMs: []string{"root", "guest"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, method, target, body string) {
		u, err := url.Parse("https://192.0.2.1/api/v2/" + target)
		if err != nil || !strings.Contains("GET POST PUT DELETE", method) || method == "" || u.Host != "192.0.2.1" {
			return
		}
		request := httptest.NewRequest("GET", "/", strings.NewReader(body))
		request.Method, request.URL = method, u
		request.Header.Set("Authorization", "Bearer "+d.Token())
		recorder := httptest.NewRecorder()
		defer d.Reconnect()
		defer func() {
			// net/http's own panic is how a device that was switched off breaks off.
			if r := recover(); r != nil && !strings.Contains(u.Path+body, "shutdown") && !strings.Contains(body, "vdom-mode") {
				panic(r)
			}
		}()
		d.ServeHTTP(recorder, request)
		if recorder.Header().Get("Content-Type") == "application/json" && !json.Valid(recorder.Body.Bytes()) {
			t.Errorf("%s %s %s: not JSON: %.300s", method, target, body, recorder.Body)
		}
	})
}
