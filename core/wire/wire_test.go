package wire

import (
	"encoding/json"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/operation"
)

func text(s string) operation.Key { return operation.TextKey(s) }

func TestRequestsAreBuiltExactly(t *testing.T) {
	object := map[string]any{"name": "lan", "subnet": "10.0.0.0/24"}
	tests := []struct {
		name  string
		build func() (Request, error)
		want  string
	}{
		{"create", func() (Request, error) { return Create("firewall/address", "root", object) },
			`{"body":{"name":"lan","subnet":"10.0.0.0/24"},"method":"POST","path":"/api/v2/cmdb/firewall/address","query":[["vdom","root"]]}`},
		{"update", func() (Request, error) {
			return Update("vpn.ipsec/phase1-interface", "root", text("a/b"), map[string]any{"comments": "x"})
		}, `{"body":{"comments":"x"},"method":"PUT","path":"/api/v2/cmdb/vpn.ipsec/phase1-interface/a%2Fb","query":[["vdom","root"]]}`},
		{"update of a singleton", func() (Request, error) {
			return UpdateSingleton("system/global", "", map[string]any{"admin-sport": int64(8443)})
		}, `{"body":{"admin-sport":8443},"method":"PUT","path":"/api/v2/cmdb/system/global","query":[]}`},
		{"delete", func() (Request, error) { return Delete("firewall/policy", "edge", operation.IntegerKey(7)) },
			`{"body":null,"method":"DELETE","path":"/api/v2/cmdb/firewall/policy/7","query":[["vdom","edge"]]}`},
		{"move", func() (Request, error) {
			return Move("firewall/policy", "root", operation.IntegerKey(7), operation.Position{Before: true, Anchor: operation.IntegerKey(3)})
		}, `{"body":null,"method":"PUT","path":"/api/v2/cmdb/firewall/policy/7","query":[["vdom","root"],["action","move"],["before","3"]]}`},
		{"action", func() (Request, error) { return Action("monitor/firewall/session/close", "root", nil) },
			`{"body":{},"method":"POST","path":"/api/v2/monitor/firewall/session/close","query":[["vdom","root"]]}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := test.build()
			if err != nil {
				t.Fatal(err)
			}
			data, err := r.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(data)); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
			var back Request
			if err := json.Unmarshal(data, &back); err != nil {
				t.Fatal(err)
			}
			if first, err := r.Digest(); err != nil || first.IsZero() || first != digest(t, back) {
				t.Errorf("a request that was stored has another digest: %v", err)
			}
		})
	}
}

func digest(t *testing.T, r Request) any {
	t.Helper()
	d, err := r.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestKeysReachTheirRowOnly(t *testing.T) {
	tests := []struct{ key, path string }{
		{"lan", "lan"},
		{"a/b", "a%2Fb"},
		{"a%2Fb", "a%252Fb"},
		{"x?vdom=root", "x%3Fvdom%3Droot"},
		{"%2e%2e", "%252e%252e"},
		{"a b", "a%20b"},
		{"a#b", "a%23b"},
		{"a&b=c;d+e", "a%26b%3Dc%3Bd%2Be"},
		{"straße", "stra%C3%9Fe"},
		{"日", "%E6%97%A5"},
		{"...", "..."},
		{`a\b`, "a%5Cb"},
		{"~a_b-c.d", "~a_b-c.d"},
	}
	for _, test := range tests {
		t.Run(test.key, func(t *testing.T) {
			r, err := Delete("firewall/address", "root", text(test.key))
			if err != nil {
				t.Fatal(err)
			}
			if want := "/api/v2/cmdb/firewall/address/" + test.path; r.Path != want {
				t.Errorf("path %s, want %s", r.Path, want)
			}
			checkRow(t, r.Path, test.key)
		})
	}
}

// checkRow takes a path apart in the ways in which servers do.
func checkRow(t *testing.T, built, key string) {
	t.Helper()
	segments, err := Segments(built)
	if err != nil || !slices.Equal(segments, []string{"cmdb", "firewall", "address", key}) {
		t.Errorf("%s has the segments %q, %v", built, segments, err)
	}
	u, err := url.Parse("https://device" + built)
	if err != nil || u.RawQuery != "" || u.Fragment != "" || u.EscapedPath() != built {
		t.Errorf("%s is read as %v, %v", built, u, err)
		return
	}
	if u.Path != "/api/v2/cmdb/firewall/address/"+key {
		t.Errorf("%s decodes to %s", built, u.Path)
	}
	// Even where escapes are taken out before dots are: still below the table.
	cleaned := path.Clean(u.Path)
	if table := "/api/v2/cmdb/firewall/address/"; !strings.HasPrefix(cleaned, table) || strings.Trim(cleaned[len(table):], "/") == "" {
		t.Errorf("%s may reach %s", built, cleaned)
	}
}

func TestNoKeyNoRequest(t *testing.T) {
	bad := []operation.Key{{}, text(""), text(" "), text("."), text(".."), text("/"), text("a/.."), text("../.."), text("a\r\nb"), operation.IntegerKey(-1)}
	good := text("lan")
	for _, key := range bad {
		for name, build := range map[string]func() (Request, error){
			"update": func() (Request, error) { return Update("firewall/address", "root", key, nil) },
			"delete": func() (Request, error) { return Delete("firewall/address", "root", key) },
			"move": func() (Request, error) {
				return Move("firewall/address", "root", key, operation.Position{Anchor: good})
			},
			"anchor": func() (Request, error) {
				return Move("firewall/address", "root", good, operation.Position{Anchor: key})
			},
		} {
			if r, err := build(); err == nil || r.Method != "" || r.Path != "" {
				t.Errorf("%s of %#v: %+v, %v", name, key, r, err)
			}
		}
	}
}

func TestResourcesReachTheirTableOnly(t *testing.T) {
	bad := []string{
		"", "/", "firewall", "firewall/", "/address", "firewall/address/lan", "firewall//address", "firewall/..", "./address", "../cmdb",
		"firewall/address/", "monitor/system", "monitor/system/status",
	}
	for _, resource := range bad {
		for name, build := range map[string]func() (Request, error){
			"create":    func() (Request, error) { return Create(resource, "root", nil) },
			"update":    func() (Request, error) { return Update(resource, "root", text("lan"), nil) },
			"singleton": func() (Request, error) { return UpdateSingleton(resource, "root", nil) },
			"delete":    func() (Request, error) { return Delete(resource, "root", text("address")) },
		} {
			if r, err := build(); err == nil {
				t.Errorf("%s of %q: %s %s", name, resource, r.Method, r.Path)
			}
		}
	}
	for _, resource := range []string{"", "monitor", "monitor/", "monitor/../cmdb/firewall/address", "firewall/address", "cmdb/firewall/address", "monitor//x"} {
		if r, err := Action(resource, "root", nil); err == nil {
			t.Errorf("action %q: %s", resource, r.Path)
		}
	}
	for _, resource := range []string{"firewall?x/address", "a%2Fb/c"} {
		r, err := Create(resource, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if segments, err := Segments(r.Path); err != nil || strings.Join(segments[1:], "/") != resource {
			t.Errorf("%q is addressed as %s", resource, r.Path)
		}
	}
}

func TestOneWriteReachesOneVDOM(t *testing.T) {
	for _, vdom := range []string{"*", "a,b", "a b", "root&global=1", "a/b", "ä", strings.Repeat("a", 32)} {
		if r, err := Create("firewall/address", vdom, nil); err == nil {
			t.Errorf("%q is taken: %s", vdom, r.RawQuery())
		}
	}
	for _, vdom := range []string{"root", "a-b_c.1"} {
		r, err := Create("firewall/address", vdom, nil)
		if err != nil || r.RawQuery() != "vdom="+vdom {
			t.Errorf("%q: %s, %v", vdom, r.RawQuery(), err)
		}
	}
}

func TestQueriesAreEscapedOnce(t *testing.T) {
	r, err := Move("firewall/address", "root", text("lan"), operation.Position{Anchor: text("a&vdom=x b")})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.RawQuery(), "vdom=root&action=move&after=a%26vdom%3Dx%20b"; got != want {
		t.Errorf("query %s, want %s", got, want)
	}
	values, err := url.ParseQuery(r.RawQuery())
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{"vdom": {"root"}, "action": {"move"}, "after": {"a&vdom=x b"}}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Errorf("read as (-want +got):\n%s", diff)
	}
}

func TestAPayloadIsCanonicalOrNone(t *testing.T) {
	r := Request{Body: map[string]any{"b": "<&>", "a": int64(1)}}
	if data, err := r.Payload(); err != nil || string(data) != `{"a":1,"b":"<&>"}` {
		t.Errorf("payload %s, %v", data, err)
	}
	if data, err := (Request{}).Payload(); err != nil || data != nil {
		t.Errorf("no body has the payload %q, %v", data, err)
	}
	if data, err := (Request{Body: map[string]any{"a": 1.5}}).Payload(); err == nil {
		t.Errorf("a fraction is sent: %s", data)
	}
}

func TestAQueryParameterIsANameAndAValue(t *testing.T) {
	for _, data := range []string{`[]`, `["a"]`, `["a","b","c"]`, `"a"`, `["a",1]`, `{}`} {
		var p Pair
		if err := json.Unmarshal([]byte(data), &p); err == nil {
			t.Errorf("%s is read as %+v", data, p)
		}
	}
}

func TestAPathThatIsNotOursHasNoSegments(t *testing.T) {
	for _, path := range []string{"", "/api/v1/cmdb/x", "/api/v2", "api/v2/cmdb/x", "/api/v2/cmdb/%zz"} {
		if segments, err := Segments(path); err == nil {
			t.Errorf("%q has the segments %q", path, segments)
		}
	}
}

// Whatever the key, a request either cannot be built or addresses exactly that row.
func FuzzAPathGivesItsKeyBack(f *testing.F) {
	for _, key := range []string{"", ".", "..", "a/b", "x?vdom=root", "%2e%2e", " ", "#", "ä", "a%2Fb", "a/../b", "..%2f", "\x00", "\xff", "//"} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		r, err := Delete("firewall/address", "root", text(key))
		if err != nil {
			if r.Path != "" {
				t.Errorf("refused and built: %s", r.Path)
			}
			return
		}
		checkRow(t, r.Path, key)
	})
}
