package fortios_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

func TestNewTakesOnlyABareHost(t *testing.T) {
	for _, tc := range []struct {
		host string
		want string // part of the message; empty where the host is good
	}{
		{"192.0.2.1", ""},
		{"fw1.example.com", ""},
		{"fw_1", ""},
		{"2001:db8::1", ""},
		{"[2001:db8::1]", ""},
		{"", "no host"},
		{"https://192.0.2.1", "without scheme"},
		{"192.0.2.1/", "without scheme"},
		{"admin@192.0.2.1", "without scheme"},
		{"fw1?x", "without scheme"},
		{"192.0.2.1:8443", "belongs into Port"},
		{"fw1:443", "belongs into Port"},
		{"fe80::1%eth0", "zones"},
		{"[192.0.2.1]", "brackets"},
		{"192.0.2.300", "neither"},
		{"fw1..example.com", "neither"},
		{"-fw", "neither"},
		{"fw 1", "neither"},
		{"fw\n1", "neither"},
		{strings.Repeat("a", 64), "neither"},
		{strings.Repeat("a.", 127) + "aa", "neither"},
	} {
		t.Run(tc.host, func(t *testing.T) {
			_, err := fortios.New(fortios.Config{Host: tc.host, Token: giveToken})
			if tc.want == "" {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			if e := wantKind(t, err, fortios.KindInvalid); !strings.Contains(e.Message, tc.want) {
				t.Errorf("message %q does not contain %q", e.Message, tc.want)
			}
		})
	}
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	for name, change := range map[string]func(*fortios.Config){
		"port":              func(c *fortios.Config) { c.Port = 65536 },
		"negative port":     func(c *fortios.Config) { c.Port = -1 },
		"no token source":   func(c *fortios.Config) { c.Token = nil },
		"short pin":         func(c *fortios.Config) { c.TLS.PinSHA256 = "abcd" },
		"pin not hex":       func(c *fortios.Config) { c.TLS.PinSHA256 = strings.Repeat("zz", 32) },
		"old TLS":           func(c *fortios.Config) { c.TLS.MinVersion = tls.VersionTLS11 },
		"negative timeout":  func(c *fortios.Config) { c.Timeout = -1 },
		"negative body":     func(c *fortios.Config) { c.MaxBody = -1 },
		"SOCKS proxy":       func(c *fortios.Config) { c.Proxy = &url.URL{Scheme: "socks5", Host: "p"} },
		"proxy sans host":   func(c *fortios.Config) { c.Proxy = &url.URL{Scheme: "http"} },
		"header injection":  func(c *fortios.Config) { c.UserAgent = "a\r\nX: y" },
		"VDOM list":         func(c *fortios.Config) { c.VDOM = "a,b" },
		"VDOM of all VDOMs": func(c *fortios.Config) { c.VDOM = "*" },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := fortios.Config{Host: "192.0.2.1", Token: giveToken}
			change(&cfg)
			_, err := fortios.New(cfg)
			wantKind(t, err, fortios.KindInvalid)
		})
	}
}

func TestTheTokenIsAskedOnce(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")))
	cfg, asked := d.config(), 0
	cfg.Token = func(context.Context) (string, error) { asked++; return secret, nil }
	client := newClient(t, cfg)
	for range 3 {
		if r := client.Do(t.Context(), get(statusPath)); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times, want 1", asked)
	}
}

func TestAFailingTokenSourceSendsNothingAndMayRecover(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")))
	cfg := d.config()
	cause := errors.New("the key ring is locked")
	next := func() (string, error) { return "", cause }
	cfg.Token = func(context.Context) (string, error) { return next() }
	client := newClient(t, cfg)

	r := client.Do(t.Context(), get(statusPath))
	if e := wantKind(t, r.Err, fortios.KindCredential); r.Sent || !errors.Is(e, cause) {
		t.Errorf("sent %v, error %v", r.Sent, e)
	}
	for _, bad := range []string{"", "two words", secret + "\r\nX-Evil: 1", "tokén", strings.Repeat("x", 4097)} {
		next = func() (string, error) { return bad, nil }
		r := client.Do(t.Context(), get(statusPath))
		if e := wantKind(t, r.Err, fortios.KindCredential); r.Sent || strings.Contains(e.Error(), secret) {
			t.Errorf("token %q: sent %v, error %v", bad, r.Sent, e)
		}
	}
	next = func() (string, error) { return secret, nil }
	if r := client.Do(t.Context(), get(statusPath)); r.Err != nil {
		t.Errorf("the source recovered, the client did not: %v", r.Err)
	}
	if n := d.accepted.Load(); n != 1 {
		t.Errorf("%d connections, want 1: no connection without a token", n)
	}
}

func TestLoadCAFileWantsCertificatesOnly(t *testing.T) {
	cert := pemOf("CERTIFICATE", newCert(t, namedTemplate()).Certificate[0])
	for _, tc := range []struct{ name, content, want string }{
		{"one", cert, ""},
		{"two", cert + cert, ""},
		{"empty", "", "no certificate"},
		{"not PEM", "hello", "no certificate"},
		{"a key", cert + pemOf("PRIVATE KEY", []byte("x")), "only certificates"},
		{"broken", pemOf("CERTIFICATE", []byte("x")), "cannot be read"},
		{"huge", strings.Repeat("#", 4<<20+1), "4 MiB"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "ca.pem")
			if err := os.WriteFile(path, []byte(tc.content), 0o600); err != nil {
				t.Fatal(err)
			}
			pool, err := fortios.LoadCAFile(path)
			if tc.want == "" {
				if err != nil || pool == nil {
					t.Fatalf("pool %v, error %v", pool, err)
				}
				return
			}
			if e := wantKind(t, err, fortios.KindInvalid); !strings.Contains(e.Message, tc.want) {
				t.Errorf("message %q does not contain %q", e.Message, tc.want)
			}
		})
	}
	if _, err := fortios.LoadCAFile(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent file: %v", err)
	}
}
