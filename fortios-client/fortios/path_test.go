package fortios_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortios"
)

func TestPathsEscapeEachReservedCharacterOnce(t *testing.T) {
	for _, tc := range []struct {
		resource string
		steps    []string
		want     string
	}{
		{"firewall/address", nil, "/api/v2/cmdb/firewall/address"},
		{"cmdb/firewall/address", nil, "/api/v2/cmdb/firewall/address"},
		{"firewall.service/custom", []string{"HTTP"}, "/api/v2/cmdb/firewall.service/custom/HTTP"},
		{"user/tacacs+", []string{"t+1"}, "/api/v2/cmdb/user/tacacs%2B/t%2B1"},
		{"log.tacacs+accounting/setting", nil, "/api/v2/cmdb/log.tacacs%2Baccounting/setting"},
		{"firewall/address", []string{"a/b"}, "/api/v2/cmdb/firewall/address/a%2Fb"},
		{"firewall/address", []string{"a%2Fb"}, "/api/v2/cmdb/firewall/address/a%252Fb"},
		{"firewall/address", []string{"x?vdom=root"}, "/api/v2/cmdb/firewall/address/x%3Fvdom%3Droot"},
		{"firewall/address", []string{"a b+c#d&e;f:g@h"}, "/api/v2/cmdb/firewall/address/a%20b%2Bc%23d%26e%3Bf%3Ag%40h"},
		{"firewall/address", []string{"ü-_.~"}, "/api/v2/cmdb/firewall/address/%C3%BC-_.~"},
		{"firewall/address", []string{"..."}, "/api/v2/cmdb/firewall/address/..."},
		{"firewall/addrgrp", []string{"g", "member", "m/1"}, "/api/v2/cmdb/firewall/addrgrp/g/member/m%2F1"},
	} {
		t.Run(tc.want, func(t *testing.T) {
			got, err := fortios.CMDBPath(tc.resource, tc.steps...)
			if err != nil || got != tc.want {
				t.Errorf("path %q, error %v, want %q", got, err, tc.want)
			}
		})
	}
}

func TestPathsThatCannotBeMade(t *testing.T) {
	for _, steps := range [][]string{{""}, {" "}, {"\t\n"}, {"."}, {".."}, {"a\x00"}, {"a\nb"}, {"a\x7f"}, {"\u0085"}, {"\xff"}, {"g", "../x", "m"}, {"g", "a/b"}, {"g", ""}, {"g", "member", ""}} {
		_, err := fortios.CMDBPath("firewall/address", steps...)
		wantKind(t, err, fortios.KindInvalid)
	}
	for _, resource := range []string{"", "firewall", "firewall/", "/firewall/address", "firewall/address/x", "firewall//address", "firewall/..", "../firewall", "firewall/a b", "firewall/address?x", "firewall/a%2Fb", "monitor/system/status"} {
		_, err := fortios.CMDBPath(resource)
		wantKind(t, err, fortios.KindInvalid)
	}
	for _, endpoint := range []string{"", "system", "system/", "system/../x", "system/status?x", "system//status"} {
		_, err := fortios.MonitorPath(endpoint)
		wantKind(t, err, fortios.KindInvalid)
	}
}

func TestMonitorPaths(t *testing.T) {
	for in, want := range map[string]string{
		"system/status": "/api/v2/monitor/system/status", "monitor/web-ui/state": "/api/v2/monitor/web-ui/state",
		"system/config/backup": "/api/v2/monitor/system/config/backup",
	} {
		if got, err := fortios.MonitorPath(in); err != nil || got != want {
			t.Errorf("%s: %q, %v", in, got, err)
		}
	}
}

// FuzzEscapeKey: whatever a key is, a server finds it again as one segment.
func FuzzEscapeKey(f *testing.F) {
	for _, key := range []string{"a/b", "..", ".", "%2e", "", " ", "a?b", "ü", "\xff", "a\x00", `a\b`, "*", "192.0.2.1"} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		path, err := fortios.CMDBPath("firewall/address", key)
		if err != nil {
			wantKind(t, err, fortios.KindInvalid)
			return
		}
		u, err := url.Parse("https://192.0.2.1" + path)
		if err != nil || u.RawQuery != "" || u.Fragment != "" {
			t.Fatalf("path %q: %v", path, err)
		}
		segments := strings.Split(u.EscapedPath(), "/")
		last, err := url.PathUnescape(segments[len(segments)-1])
		if err != nil || last != key || len(segments) != 7 || u.JoinPath().EscapedPath() != u.EscapedPath() {
			t.Errorf("key %q became %q", key, path)
		}
	})
}

func TestFiltersEscapeDotsAndBackslashes(t *testing.T) {
	for _, tc := range []struct{ name, operator, value, want string }{
		{"name", "==", "a", "name==a"},
		{"subnet", "=@", "192.0.2", `subnet=@192\.0\.2`},
		{"comment", "!=", `a\b.c`, `comment!=a\\b\.c`},
		{"member.name", "=*", "x y", "member.name=*x y"},
		{"name", "==", "", "name=="},
		{`http-0\.9`, "==", "block", `http-0\.9==block`},
	} {
		if got, err := fortios.Filter(tc.name, tc.operator, tc.value); err != nil || got != tc.want {
			t.Errorf("%q, error %v, want %q", got, err, tc.want)
		}
	}
	for _, bad := range [][3]string{{"", "==", "a"}, {"na me", "==", "a"}, {"name,x", "==", "a"}, {`name\`, "==", "a"}, {`na\me`, "==", "a"}, {"name", "=", "a"}, {"name", "like", "a"}, {"name", "==", "a,b==c"}} {
		_, err := fortios.Filter(bad[0], bad[1], bad[2])
		wantKind(t, err, fortios.KindInvalid)
	}
}

// Each name of the catalog has a path, and the device reads the same name in it.
func TestEveryNameOfTheCatalogHasAPath(t *testing.T) {
	names := 0
	for e := range catalog.Open().Entries("") {
		names++
		build, prefix, plain := func() (string, error) { return fortios.CMDBPath(e.Path) }, "/api/v2/cmdb/", e.Path
		if e.Kind == catalog.Monitor {
			build, prefix, plain = func() (string, error) { return fortios.MonitorPath(e.Path) }, "/api/v2/monitor/", strings.TrimPrefix(e.Path, "monitor/")
		}
		path, err := build()
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		for _, read := range []func(string) (string, error){url.PathUnescape, url.QueryUnescape} { // servers differ in what they make of +
			if got, err := read(strings.TrimPrefix(path, prefix)); err != nil || got != plain {
				t.Errorf("%s is asked for as %s, which is read as %q (%v)", e.Path, path, got, err)
			}
		}
	}
	if names < 712 {
		t.Errorf("only %d names", names)
	}
}
