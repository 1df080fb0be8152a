package fortios_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

const secret = "Kq3vT9xWm2Zr8LpYd5NcHb7JsG4fQe" // 30 characters, as FortiOS makes them

func giveToken(context.Context) (string, error) { return secret, nil }

// device is a TLS server on loopback that counts its connections and requests.
type device struct {
	*httptest.Server
	accepted, requests atomic.Int32
}

func newDevice(t testing.TB, handler http.HandlerFunc, setup ...func(*device)) *device {
	t.Helper()
	d := &device{}
	d.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.requests.Add(1)
		handler(w, r)
	}))
	d.Config.ErrorLog = quiet()
	d.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			d.accepted.Add(1)
		}
	}
	d.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	for _, f := range setup {
		f(d)
	}
	d.StartTLS()
	t.Cleanup(d.Close)
	return d
}

// config trusts the certificate of the device.
func (d *device) config() fortios.Config {
	roots := x509.NewCertPool()
	roots.AddCert(d.Certificate())
	cfg := configFor(d.Listener.Addr())
	cfg.TLS.Roots = roots
	return cfg
}

func configFor(addr net.Addr) fortios.Config {
	host, port, _ := net.SplitHostPort(addr.String())
	n, _ := strconv.Atoi(port)
	return fortios.Config{Host: host, Port: n, Token: giveToken}
}

func newClient(t testing.TB, cfg fortios.Config) *fortios.Client {
	t.Helper()
	client, err := fortios.New(cfg)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(client.Close)
	return client
}

// answer is a handler that always says the same.
func answer(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

const jsonType, htmlType = "application/json", "text/html; charset=iso-8859-1"

// rawDevice speaks TLS and leaves the rest to talk, once for each connection.
// When talk returns, the connection ends below TLS, without a farewell.
func rawDevice(t testing.TB, talk func(conn *tls.Conn)) fortios.Config {
	t.Helper()
	cert := newCert(t, namedTemplate())
	addr := listen(t, func(raw net.Conn) {
		conn := tls.Server(raw, &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12})
		if conn.Handshake() == nil {
			talk(conn)
		}
	})
	cfg := configFor(addr)
	cfg.TLS.PinSHA256 = fortios.PinOf(cert.Leaf)
	return cfg
}

// listen accepts TCP connections until the test ends.
func listen(t testing.TB, talk func(raw net.Conn)) net.Addr {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	t.Cleanup(func() { _ = listener.Close(); running.Wait() })
	running.Go(func() {
		for {
			raw, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { defer raw.Close(); talk(raw) })
		}
	})
	return listener.Addr()
}

// readRequest reads one request and returns its head and body as they came.
func readRequest(conn io.Reader) string {
	in := bufio.NewReader(conn)
	var head strings.Builder
	length := 0
	for {
		line, err := in.ReadString('\n')
		head.WriteString(line)
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && name == "Content-Length" {
			length, _ = strconv.Atoi(value)
		}
		if err != nil || line == "\r\n" {
			break
		}
	}
	body, _ := io.ReadAll(io.LimitReader(in, int64(length)))
	return head.String() + string(body)
}

// say returns a talk that reads a request and answers with these bytes.
func say(text string) func(*tls.Conn) {
	return func(conn *tls.Conn) {
		readRequest(conn)
		_, _ = io.WriteString(conn, text)
	}
}

func namedTemplate() *x509.Certificate {
	return &x509.Certificate{Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}}
}

// newCert signs the template with its own key.
func newCert(t testing.TB, template *x509.Certificate) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber = big.NewInt(0x7f01)
	template.NotBefore = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	if template.NotAfter.IsZero() {
		template.NotAfter = time.Date(2120, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// expiring is a context whose deadline passes when the test says so.
type expiring struct {
	context.Context
	done chan struct{}
}

func newExpiring(t testing.TB) *expiring { return &expiring{t.Context(), make(chan struct{})} }

func (e *expiring) expire()               { close(e.done) }
func (e *expiring) Done() <-chan struct{} { return e.done }
func (e *expiring) Err() error {
	select {
	case <-e.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// wantKind fails unless err is an Error of the kind; it returns it.
func wantKind(t testing.TB, err error, want fortios.Kind) *fortios.Error {
	t.Helper()
	e, ok := errors.AsType[*fortios.Error](err)
	if !ok || e.Kind != want {
		t.Fatalf("error %v (kind %q), want kind %q", err, fortios.KindOf(err), want)
	}
	return e
}

func get(path string) fortios.Request { return fortios.Request{Method: "GET", Path: path} }

const statusPath = "/api/v2/monitor/system/status"

// envelope is an answer of the simulated kind; extra members begin with a comma.
func envelope(vdom, results, extra string) string {
	return `{"http_method":"GET","results":` + results + `,"vdom":"` + vdom +
		`","path":"p","name":"n","status":"success","http_status":200,"serial":"FGTEST0000000001","version":"v7.4.8","build":2795` + extra + `}`
}

func mustURL(t testing.TB, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// quiet swallows the server's complaints about handshakes that are meant to fail.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func writeFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
