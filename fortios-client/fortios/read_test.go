package fortios_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

// recorder answers all requests alike and keeps their targets.
func recorder(t *testing.T, targets *[]string, status int, body string) fortios.Config {
	d := newDevice(t, func(w http.ResponseWriter, r *http.Request) {
		*targets = append(*targets, r.Method+" "+r.RequestURI)
		answer(status, jsonType, body)(w, r)
	})
	return d.config()
}

func TestReadsAskForWhatTheySay(t *testing.T) {
	object := `[{"name":"a/b","q_origin_key":"a/b"}]`
	for _, tc := range []struct {
		name, results, vdom, want string
		read                      func(ctx context.Context, c *fortios.Client) error
	}{
		{"object", object, "edge", "GET /api/v2/cmdb/firewall/address/a%2Fb?vdom=edge", func(ctx context.Context, c *fortios.Client) error {
			e, err := c.Object(ctx, "firewall/address", "a/b", "edge")
			if err == nil && string(e.Results) != object[1:len(object)-1] {
				t.Errorf("results %s", e.Results)
			}
			return err
		}},
		{"object in the configured VDOM", object, "home", "GET /api/v2/cmdb/firewall/address/a%2Fb?vdom=home", func(ctx context.Context, c *fortios.Client) error {
			_, err := c.Object(ctx, "firewall/address", "a/b", "")
			return err
		}},
		{"singleton", `{"hostname":"fw"}`, "edge", "GET /api/v2/cmdb/system/global?vdom=edge", func(ctx context.Context, c *fortios.Client) error {
			_, err := c.Singleton(ctx, "system/global", "edge")
			return err
		}},
		{"schema", `{"name":"address"}`, "edge", "GET /api/v2/cmdb/firewall/address?vdom=edge&action=schema", func(ctx context.Context, c *fortios.Client) error {
			raw, err := c.Schema(ctx, "firewall/address", "edge")
			if string(raw) != `{"name":"address"}` {
				t.Errorf("schema %s", raw)
			}
			return err
		}},
		{"monitor", `{}`, "home", "GET /api/v2/monitor/system/interface?vdom=home&include_vlan=true", func(ctx context.Context, c *fortios.Client) error {
			_, err := c.Monitor(ctx, "system/interface", [][2]string{{"include_vlan", "true"}})
			return err
		}},
		{"monitor in another VDOM", `{}`, "edge", "GET /api/v2/monitor/system/interface?vdom=edge", func(ctx context.Context, c *fortios.Client) error {
			_, err := c.Monitor(ctx, "system/interface", [][2]string{{"vdom", "edge"}})
			return err
		}},
		{"get adds nothing", `{}`, "root", "GET /api/v2/cmdb/system/global", func(ctx context.Context, c *fortios.Client) error {
			_, err := c.Get(ctx, "/api/v2/cmdb/system/global", nil)
			return err
		}},
		{"status", `{}`, "home", "GET /api/v2/monitor/system/status?vdom=home", func(ctx context.Context, c *fortios.Client) error {
			_, err := c.Status(ctx)
			return err
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var targets []string
			cfg := recorder(t, &targets, 200, envelope(tc.vdom, tc.results, ""))
			cfg.VDOM = "home"
			if err := tc.read(t.Context(), newClient(t, cfg)); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff([]string{tc.want}, targets); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnAnswerFromAnotherVDOMIsNoData(t *testing.T) {
	notFound := `{"http_method":"GET","status":"error","http_status":404,"vdom":"root"}`
	for _, tc := range []struct {
		name, vdom string
		status     int
		body       string
		opts       []fortios.ReadOption
		want       fortios.Kind
	}{
		{"the same", "root", 200, envelope("root", "{}", ""), nil, ""},
		{"another", "edge", 200, envelope("root", "{}", ""), nil, fortios.KindMismatch},
		{"unnamed", "edge", 200, `{"http_method":"GET","status":"success","results":{}}`, nil, ""},
		{"another, any accepted", "edge", 200, envelope("root", "{}", ""), []fortios.ReadOption{fortios.AnyVDOM}, ""},
		{"absent in another says nothing", "edge", 404, notFound, nil, fortios.KindMismatch},
		{"absent", "root", 404, notFound, nil, fortios.KindNotFound},
		{"refused at the door", "edge", 403, `{"http_method":"GET","status":"error","http_status":403,"vdom":"root"}`, nil, fortios.KindForbidden},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDevice(t, answer(tc.status, jsonType, tc.body))
			e, err := newClient(t, d.config()).Singleton(t.Context(), "system/global", tc.vdom, tc.opts...)
			if fortios.KindOf(err) != tc.want || e == nil {
				t.Errorf("envelope %v, error %v, want kind %q", e, err, tc.want)
			}
		})
	}
}

func TestTheVDOMOfAQueryIsJudgedByWhatItAsks(t *testing.T) {
	both := "[" + envelope("a", "{}", "") + "," + envelope("b", "{}", "") + "]"
	for _, tc := range []struct {
		name  string
		query [][2]string
		want  fortios.Kind
	}{
		{"all", [][2]string{{"vdom", "*"}}, ""},
		{"both", [][2]string{{"vdom", "a,b"}}, ""},
		{"one of them not", [][2]string{{"vdom", "a,c"}}, fortios.KindMismatch},
		{"global", [][2]string{{"vdom", "c"}, {"global", "1"}}, ""},
		{"global scope", [][2]string{{"scope", "global"}, {"vdom", "c"}}, ""},
		{"none", nil, ""},
		{"two", [][2]string{{"vdom", "a"}, {"vdom", "b"}}, fortios.KindInvalid},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDevice(t, answer(200, jsonType, both))
			client := newClient(t, d.config())
			list, err := client.GetAll(t.Context(), statusPath, tc.query)
			if fortios.KindOf(err) != tc.want || (tc.want == "" && len(list) != 2) {
				t.Errorf("%d envelopes, error %v", len(list), err)
			}
			if tc.want == "" {
				_, err = client.Get(t.Context(), statusPath, tc.query)
				wantKind(t, err, fortios.KindMismatch)
			}
		})
	}
}

func TestOneObjectIsAListOfOneWithTheKeyThatWasAsked(t *testing.T) {
	for _, tc := range []struct {
		name, results string
		want          fortios.Kind
	}{
		{"the object", `[{"name":"10","q_origin_key":"10"}]`, ""},
		{"integer key", `[{"policyid":10,"q_origin_key":10}]`, ""},
		{"no origin key", `[{"name":"whatever"}]`, ""},
		{"another object", `[{"q_origin_key":"11"}]`, fortios.KindMismatch},
		{"several", `[{"q_origin_key":"10"},{"q_origin_key":"10"}]`, fortios.KindNotFortiOS},
		{"none", `[]`, fortios.KindNotFound},
		{"a singleton", `{"a":1}`, fortios.KindNotFortiOS},
		{"no results", `null`, fortios.KindNotFortiOS},
		{"not an object", `["x"]`, fortios.KindNotFortiOS},
		{"key twice", `[{"q_origin_key":"11","q_origin_key":"10"}]`, fortios.KindNotFortiOS},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDevice(t, answer(200, jsonType, envelope("root", tc.results, "")))
			_, err := newClient(t, d.config()).Object(t.Context(), "firewall/address", "10", "root")
			if fortios.KindOf(err) != tc.want {
				t.Errorf("error %v, want kind %q", err, tc.want)
			}
		})
	}
}

func TestShapesAreCheckedBeforeMeaning(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "[]", "")))
	client := newClient(t, d.config())
	_, err := client.Singleton(t.Context(), "system/global", "root")
	wantKind(t, err, fortios.KindNotFortiOS)
	_, err = client.Schema(t.Context(), "system/global", "root")
	wantKind(t, err, fortios.KindNotFortiOS)
}

func TestReadsRefuseBeforeAnythingIsSent(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")))
	client, ctx := newClient(t, d.config()), t.Context()
	for name, read := range map[string]func() error{
		"empty key":   func() error { _, err := client.Object(ctx, "firewall/address", "", "root"); return err },
		"dots as key": func() error { _, err := client.Object(ctx, "firewall/address", "..", "root"); return err },
		"no resource": func() error { _, err := client.Singleton(ctx, "global", "root"); return err },
		"VDOM list":   func() error { _, err := client.Singleton(ctx, "system/global", "a,b"); return err },
		"every VDOM":  func() error { _, err := client.Schema(ctx, "system/global", "*"); return err },
		"endpoint":    func() error { _, err := client.Monitor(ctx, "../cmdb/x", nil); return err },
		"secrets in clear": func() error {
			_, err := client.Monitor(ctx, "a/b", [][2]string{{"plain-text-password", "1"}})
			return err
		},
		"token in the query": func() error { _, err := client.Get(ctx, statusPath, [][2]string{{"access_token", "x"}}); return err },
		"path":               func() error { _, err := client.Get(ctx, "/api/v2/../x", nil); return err },
	} {
		t.Run(name, func(t *testing.T) { wantKind(t, read(), fortios.KindInvalid) })
	}
	if n := d.accepted.Load(); n != 0 {
		t.Errorf("%d connections, want none", n)
	}
}

func TestStatusSaysWhichDeviceAnswers(t *testing.T) {
	base := fortios.Status{Serial: "FGTEST0000000001", Version: "v7.4.8", Build: 2795, VDOM: "root"}
	full := base
	full.Hostname, full.Model, full.ModelName, full.ModelNumber = "fw1", "FG180F", "FortiGate", "1800F"
	for _, tc := range []struct {
		name, body string
		want       fortios.Status
		kind       fortios.Kind
	}{
		{"full", envelope("root", `{"model_name":"FortiGate","model_number":"1800F","model":"FG180F","hostname":"fw1","log_disk_status":"available"}`, ""), full, ""},
		{"empty results", envelope("root", `{}`, ""), base, ""},
		{"null results", envelope("root", `null`, ""), base, ""},
		{"results are a list", envelope("root", `[]`, ""), fortios.Status{}, fortios.KindNotFortiOS},
		{"no serial", `{"http_method":"GET","status":"success","results":{}}`, fortios.Status{}, fortios.KindNotFortiOS},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDevice(t, answer(200, jsonType, tc.body))
			got, err := newClient(t, d.config()).Status(t.Context())
			if fortios.KindOf(err) != tc.kind {
				t.Errorf("error %v", err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAFreshReadIsMadeOnANewConnection(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")))
	client := newClient(t, d.config())
	for i, opts := range [][]fortios.ReadOption{nil, nil, {fortios.Fresh}} {
		if _, err := client.Status(t.Context(), opts...); err != nil {
			t.Fatal(err)
		}
		if want := int32(1 + i/2); d.accepted.Load() != want {
			t.Errorf("read %d: %d connections, want %d", i, d.accepted.Load(), want)
		}
	}
}

func TestErrorsNameTheOperationWithoutItsQuery(t *testing.T) {
	d := newDevice(t, answer(404, jsonType, `{"http_method":"GET","status":"error","http_status":404,"vdom":"root","serial":"FGTEST0000000001"}`))
	e, err := newClient(t, d.config()).Object(t.Context(), "firewall/address", "a b", "root")
	fault := wantKind(t, err, fortios.KindNotFound)
	if fault.Op != "GET /api/v2/cmdb/firewall/address/a%20b" || fault.Status != 404 || e == nil || e.Serial != "FGTEST0000000001" {
		t.Errorf("op %q, status %d, envelope %v", fault.Op, fault.Status, e)
	}
	if strings.Contains(err.Error(), "vdom=") {
		t.Errorf("error %v", err)
	}
}
