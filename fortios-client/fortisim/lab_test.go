package fortisim_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"testing"
	"time"

	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
	"github.com/forti-mcp/forti/fortios-client/fortisim/fortisimtest"
)

// lab is a device and a plain HTTP client for it.
type lab struct {
	t      *testing.T
	device *fortisim.Device
	server *fortisim.Server
	client *http.Client
	token  string
}

func newLab(t *testing.T, o *fortisim.Options) *lab {
	t.Helper()
	device, server := fortisimtest.Start(t, o)
	return &lab{t: t, device: device, server: server, client: pinned(t, server.PinSHA256, true), token: server.Token}
}

// in is the same lab for a subtest.
func (l *lab) in(t *testing.T) *lab {
	sub := *l
	sub.t = t
	return &sub
}

func labOn(t *testing.T, version string) *lab {
	t.Helper()
	return newLab(t, &fortisim.Options{Version: release(t, version)})
}

func release(t *testing.T, text string) catalog.Version {
	t.Helper()
	v, err := catalog.ParseVersion(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// pinned is a client that trusts exactly the key with that hash.
func pinned(t *testing.T, pin string, http2 bool) *http.Client {
	t.Helper()
	transport := &http.Transport{
		ForceAttemptHTTP2: http2,
		TLSClientConfig: &tls.Config{
			MinVersion:         tls.VersionTLS12,
			InsecureSkipVerify: true, // the certificate has no name: the key is checked instead
			VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
				leaf, err := x509.ParseCertificate(raw[0])
				if err != nil {
					return err
				}
				if sum := sha256.Sum256(leaf.RawSubjectPublicKeyInfo); hex.EncodeToString(sum[:]) != pin {
					return errors.New("another key")
				}
				return nil
			},
		},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// got is an answer.
type got struct {
	status int
	header http.Header
	text   string
	json   map[string]any
	err    error
}

func (l *lab) send(ctx context.Context, method, path, body string) got {
	l.t.Helper()
	request, err := http.NewRequestWithContext(ctx, method, "https://"+l.server.Addr+path, bytes.NewReader([]byte(body)))
	if err != nil {
		l.t.Fatal(err)
	}
	if l.token != "" {
		request.Header.Set("Authorization", "Bearer "+l.token)
	}
	response, err := l.client.Do(request)
	if err != nil {
		return got{err: err}
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	g := got{status: response.StatusCode, header: response.Header, text: string(raw), err: err}
	_ = json.Unmarshal(raw, &g.json) // not every answer is an object
	return g
}

func (l *lab) do(method, path, body string) got {
	l.t.Helper()
	g := l.send(l.t.Context(), method, path, body)
	if g.err != nil {
		l.t.Fatalf("%s %s: %v", method, path, g.err)
	}
	return g
}

// ok is do for a request that must succeed.
func (l *lab) ok(method, path, body string) map[string]any {
	l.t.Helper()
	g := l.do(method, path, body)
	if g.status != http.StatusOK || g.json["status"] != "success" {
		l.t.Fatalf("%s %s: %d %s", method, path, g.status, g.text)
	}
	return g.json
}

// no is do for a request that must be refused with that status and number.
func (l *lab) no(method, path, body string, status, number int) got {
	l.t.Helper()
	g := l.do(method, path, body)
	have, _ := g.json["error"].(float64)
	if g.status != status || int(have) != number {
		l.t.Fatalf("%s %s: status %d, error %v, want %d, %d: %s", method, path, g.status, g.json["error"], status, number, g.text)
	}
	return g
}

// rows are the rows of a listing.
func (l *lab) rows(path string) []map[string]any {
	l.t.Helper()
	var out []map[string]any
	for _, item := range l.ok("GET", path, "")["results"].([]any) {
		out = append(out, item.(map[string]any))
	}
	return out
}

// one is the only row of an answer.
func (l *lab) one(path string) map[string]any {
	l.t.Helper()
	rows := l.rows(path)
	if len(rows) != 1 {
		l.t.Fatalf("GET %s: %d rows, want 1", path, len(rows))
	}
	return rows[0]
}

// keys are the values of an attribute in a listing, in order.
func (l *lab) keys(path, attribute string) []any {
	l.t.Helper()
	var out []any
	for _, row := range l.rows(path) {
		out = append(out, row[attribute])
	}
	return out
}

const (
	addresses = "/api/v2/cmdb/firewall/address"
	groups    = "/api/v2/cmdb/firewall/addrgrp"
	policy    = "/api/v2/cmdb/firewall/policy"
	routes    = "/api/v2/cmdb/router/static"
	ports     = "/api/v2/cmdb/system/interface"
)

// resourcePaths are the paths of all configuration resources.
func resourcePaths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for e := range catalog.Open().Entries("") {
			if e.Kind != catalog.Monitor && !yield(e.Path) {
				return
			}
		}
	}
}
