package fortios_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

// fakeFortiGate answers a few paths; a real program has a FortiGate.
func fakeFortiGate() *httptest.Server {
	const tail = `"vdom":"root","status":"success","http_status":200,"serial":"FGTEST0000000001","version":"v7.4.8","build":2795}`
	answers := map[string]string{
		"/api/v2/monitor/system/status":         `{"http_method":"GET","results":{"hostname":"fw1"},` + tail,
		"/api/v2/cmdb/firewall/address":         `{"http_method":"GET","results":[{"name":"a"},{"name":"b"}],"size":2,` + tail,
		"/api/v2/cmdb/firewall/address/web%2F1": `{"http_method":"PUT","mkey":"web/1","revision_changed":true,` + tail,
	}
	return httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		body, ok := answers[r.URL.EscapedPath()]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			body = `{"http_method":"GET","vdom":"root","status":"error","http_status":404}`
		}
		_, _ = io.WriteString(w, body)
	}))
}

func connect(server *httptest.Server) *fortios.Client {
	cfg := configFor(server.Listener.Addr())
	cfg.TLS.PinSHA256 = fortios.PinOf(server.Certificate())
	client, err := fortios.New(cfg)
	if err != nil {
		panic(err)
	}
	return client
}

func ExampleClient_Status() {
	server := fakeFortiGate()
	defer server.Close()
	client := connect(server)
	defer client.Close()

	status, err := client.Status(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(status.Hostname, status.Serial, status.Version)
	// Output: fw1 FGTEST0000000001 v7.4.8
}

func ExampleClient_List() {
	server := fakeFortiGate()
	defer server.Close()
	client := connect(server)
	defer client.Close()

	query := fortios.ListQuery{Resource: "firewall/address", VDOM: "root", Format: []string{"name"}}
	info, err := client.List(context.Background(), query, func(row json.RawMessage) bool {
		fmt.Println(string(row))
		return true
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(info.Rows, "rows of", *info.Size)
	// Output:
	// {"name":"a"}
	// {"name":"b"}
	// 2 rows of 2
}

func ExampleClient_Object() {
	server := fakeFortiGate()
	defer server.Close()
	client := connect(server)
	defer client.Close()

	_, err := client.Object(context.Background(), "firewall/address", "missing", "root")
	fmt.Println(fortios.KindOf(err))
	// Output: not_found
}

// A write says what is known of it, whatever happens.
func ExampleClient_Do() {
	server := fakeFortiGate()
	defer server.Close()
	client := connect(server)
	defer client.Close()

	path, err := fortios.CMDBPath("firewall/address", "web/1")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := client.Do(context.Background(), fortios.Request{Method: "PUT", Path: path, Query: [][2]string{{"vdom", "root"}}, Body: []byte(`{"comment":"x"}`)})
	switch {
	case !r.Sent:
		fmt.Println("certainly not sent:", r.Err)
	case !r.BodyComplete:
		fmt.Println("outcome unknown:", r.Err)
	case r.Fault() != nil:
		fmt.Println("refused:", r.Fault())
	default:
		envelopes, err := fortios.DecodeEnvelope(r.Body)
		fmt.Println("accepted:", envelopes[0].MKey, *envelopes[0].RevisionChanged, err)
	}
	// Output: accepted: web/1 true <nil>
}

func ExampleFilter() {
	expression, err := fortios.Filter("subnet", "=@", "192.0.2")
	fmt.Println(expression, err)
	// Output: subnet=@192\.0\.2 <nil>
}
