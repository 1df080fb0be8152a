package fortiosdevice_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"sync"
	"testing"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

// rawServer speaks TLS and then says one text to whatever it is asked.
type rawServer struct {
	net.Listener
	pin string
}

func tlsListener(t *testing.T, says string) *rawServer {
	t.Helper()
	lender := httptest.NewTLSServer(http.NotFoundHandler()) // for its certificate
	t.Cleanup(lender.Close)
	certificate := lender.TLS.Certificates[0]
	leaf, err := x509.ParseCertificate(certificate.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12})
	if err != nil {
		t.Fatal(err)
	}
	serve(t, listener, func(conn net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			_, _ = io.WriteString(conn, says)
		}
	})
	return &rawServer{Listener: listener, pin: fortios.PinOf(leaf)}
}

// serve hands each connection to do until the end of the test.
func serve(t *testing.T, listener net.Listener, do func(net.Conn)) {
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer conn.Close()
				do(conn)
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		running.Wait()
	})
}

func splitAddr(t *testing.T, l net.Listener) (string, int) {
	t.Helper()
	host, text, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return host, number
}

// connectProxy is an HTTP proxy that opens tunnels.
func connectProxy(t *testing.T) *url.URL {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serve(t, listener, func(conn net.Conn) {
		request, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil || request.Method != http.MethodConnect {
			return
		}
		device, err := net.Dial("tcp", request.Host)
		if err != nil {
			return
		}
		defer device.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			_, _ = io.Copy(device, conn)
			_ = device.Close()
		}()
		_, _ = io.Copy(conn, device)
	})
	return &url.URL{Scheme: "http", Host: listener.Addr().String()}
}
