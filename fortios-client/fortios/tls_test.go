package fortios_test

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

func pemOf(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// guarded presents a certificate and counts the bytes that come through TLS.
func guarded(t *testing.T, cert tls.Certificate) (net.Addr, *atomic.Int64) {
	var received atomic.Int64
	addr := listen(t, func(raw net.Conn) {
		conn := tls.Server(raw, &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12})
		n, _ := io.Copy(io.Discard, conn)
		received.Add(n)
	})
	return addr, &received
}

func TestADeviceThatIsNotRecognisedReceivesNothing(t *testing.T) {
	named := newCert(t, namedTemplate())
	nameless := newCert(t, &x509.Certificate{Subject: pkix.Name{CommonName: "FortiGate"}, Issuer: pkix.Name{CommonName: "FGTEST0000000001"}})
	other := newCert(t, &x509.Certificate{DNSNames: []string{"other.example"}})
	expired := namedTemplate()
	expired.NotAfter = time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
	old := newCert(t, expired)
	for _, tc := range []struct {
		name  string
		cert  tls.Certificate
		trust fortios.TLS
		want  string
	}{
		{"no trust", named, fortios.TLS{Roots: x509.NewCertPool()}, "not signed by a trusted authority"},
		{"no name", nameless, fortios.TLS{Roots: rootsOf(nameless)}, "no usable name"},
		{"no name says how to pin", nameless, fortios.TLS{Roots: rootsOf(nameless)}, "PinSHA256"},
		{"other name", other, fortios.TLS{Roots: rootsOf(other)}, "another name"},
		{"expired", old, fortios.TLS{Roots: rootsOf(old)}, "not valid"},
		{"other pin", named, fortios.TLS{PinSHA256: strings.Repeat("ab", 32)}, "not the pinned one"},
		{"pin of another certificate", named, fortios.TLS{PinSHA256: fortios.PinOf(other.Leaf), Roots: rootsOf(named)}, "not the pinned one"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			addr, received := guarded(t, tc.cert)
			cfg := configFor(addr)
			cfg.TLS = tc.trust
			r := newClient(t, cfg).Do(t.Context(), get(statusPath))
			e := wantKind(t, r.Err, fortios.KindTLS)
			if r.Sent || r.HeaderOK || received.Load() != 0 {
				t.Errorf("sent %v, header %v, %d bytes received", r.Sent, r.HeaderOK, received.Load())
			}
			if !strings.Contains(e.Error(), tc.want) || !strings.Contains(e.Error(), "nothing was sent") {
				t.Errorf("message %q does not contain %q", e, tc.want)
			}
		})
	}
}

func rootsOf(cert tls.Certificate) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(cert.Leaf)
	return pool
}

func TestAPinNeedsNeitherNameNorChain(t *testing.T) {
	nameless := newCert(t, &x509.Certificate{Subject: pkix.Name{CommonName: "FortiGate"}})
	d := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")), func(d *device) {
		d.TLS.Certificates = []tls.Certificate{nameless}
	})
	for name, pin := range map[string]string{"lower case": fortios.PinOf(nameless.Leaf), "upper case": strings.ToUpper(fortios.PinOf(nameless.Leaf))} {
		t.Run(name, func(t *testing.T) {
			cfg := configFor(d.Listener.Addr())
			cfg.TLS.PinSHA256 = pin
			if r := newClient(t, cfg).Do(t.Context(), get(statusPath)); r.Err != nil || r.Status != 200 {
				t.Errorf("status %d, error %v", r.Status, r.Err)
			}
		})
	}
}

func TestAuthoritiesFromAFileAreTrusted(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")))
	path := t.TempDir() + "/ca.pem"
	writeFile(t, path, pemOf("CERTIFICATE", d.Certificate().Raw))
	roots, err := fortios.LoadCAFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cfg := configFor(d.Listener.Addr())
	cfg.TLS.Roots = roots
	if r := newClient(t, cfg).Do(t.Context(), get(statusPath)); r.Err != nil {
		t.Error(r.Err)
	}
}

// Go refuses to parse such a certificate, which the documentation says.
func TestANegativeSerialNumberIsATLSErrorAlsoWithAPin(t *testing.T) {
	cert := newCert(t, namedTemplate())
	der := strings.Replace(string(cert.Certificate[0]), "\x02\x02\x7f\x01", "\x02\x02\xff\x01", 1)
	pin := fortios.PinOf(cert.Leaf)
	cert.Certificate, cert.Leaf = [][]byte{[]byte(der)}, nil
	addr, received := guarded(t, cert)
	cfg := configFor(addr)
	cfg.TLS.PinSHA256 = pin
	r := newClient(t, cfg).Do(t.Context(), get(statusPath))
	if e := wantKind(t, r.Err, fortios.KindTLS); r.Sent || received.Load() != 0 || !strings.Contains(e.Error(), "negative serial number") {
		t.Errorf("sent %v, error %v", r.Sent, e)
	}
}

func TestHandshakesThatDoNotEnd(t *testing.T) {
	for _, tc := range []struct {
		name string
		talk func(raw net.Conn)
		want fortios.Kind
	}{
		{"closed at once", func(net.Conn) {}, fortios.KindUnreachable},
		{"closed in the middle", func(raw net.Conn) { _, _ = raw.Read(make([]byte, 1)) }, fortios.KindUnreachable},
		{"not TLS", func(raw net.Conn) {
			_, _ = raw.Read(make([]byte, 1))
			_, _ = io.WriteString(raw, "HTTP/1.1 400 Bad Request\r\n\r\n")
			_, _ = io.Copy(io.Discard, raw) // Otherwise unread bytes turn the end into a reset.
		}, fortios.KindTLS},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newClient(t, configFor(listen(t, tc.talk))).Do(t.Context(), get(statusPath))
			wantKind(t, r.Err, tc.want)
			if r.Sent {
				t.Error("sent, though no handshake ended")
			}
		})
	}
	t.Run("silent until the deadline", func(t *testing.T) {
		ctx := newExpiring(t)
		addr := listen(t, func(raw net.Conn) {
			_, _ = raw.Read(make([]byte, 1)) // The handshake has begun.
			ctx.expire()
			_, _ = io.Copy(io.Discard, raw)
		})
		r := newClient(t, configFor(addr)).Do(ctx, get(statusPath))
		wantKind(t, r.Err, fortios.KindUnreachable)
		if r.Sent {
			t.Error("sent, though no handshake ended")
		}
	})
}

func TestOnlyTLS12AndLaterAreSpoken(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")), func(d *device) {
		d.TLS.MaxVersion = tls.VersionTLS12
	})
	if r := newClient(t, d.config()).Do(t.Context(), get(statusPath)); r.Err != nil {
		t.Errorf("TLS 1.2: %v", r.Err)
	}
	cfg := d.config()
	cfg.TLS.MinVersion = tls.VersionTLS13
	r := newClient(t, cfg).Do(t.Context(), get(statusPath))
	wantKind(t, r.Err, fortios.KindTLS)
}

func TestOnlyHTTP1IsOffered(t *testing.T) {
	d := newDevice(t, func(w http.ResponseWriter, r *http.Request) {
		if r.TLS.NegotiatedProtocol != "http/1.1" || r.ProtoMajor != 1 {
			t.Errorf("negotiated %q, HTTP/%d", r.TLS.NegotiatedProtocol, r.ProtoMajor)
		}
		answer(200, jsonType, envelope("root", "{}", ""))(w, r)
	}, func(d *device) { d.TLS.NextProtos = []string{"h2", "http/1.1"} })
	if r := newClient(t, d.config()).Do(t.Context(), get(statusPath)); r.Err != nil {
		t.Error(r.Err)
	}
}

func TestFetchCertificateSendsNoHTTP(t *testing.T) {
	cert := newCert(t, namedTemplate())
	addr, received := guarded(t, cert)
	cfg := configFor(addr)
	got, err := fortios.FetchCertificate(t.Context(), cfg.Host, cfg.Port)
	if err != nil {
		t.Fatal(err)
	}
	if fortios.PinOf(got) != fortios.PinOf(cert.Leaf) || received.Load() != 0 {
		t.Errorf("pin %s, %d bytes received", fortios.PinOf(got), received.Load())
	}
	_, err = fortios.FetchCertificate(t.Context(), "https://x", 443)
	wantKind(t, err, fortios.KindInvalid)
	_, err = fortios.FetchCertificate(t.Context(), cfg.Host, 70000)
	wantKind(t, err, fortios.KindInvalid)
	_, err = fortios.FetchCertificate(t.Context(), "127.0.0.1", closedPort(t))
	wantKind(t, err, fortios.KindUnreachable)
}

// closedPort is a port of loopback on which nobody listens.
func closedPort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return port
}
