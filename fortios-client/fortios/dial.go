package fortios

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"
)

// route is the way to the device.
type route struct {
	address  string // host and port of the device
	proxy    *url.URL
	settings *tls.Config
	limit    time.Duration
}

// dial connects and makes the TLS handshake, so that a link exists only where
// the device has been recognised.
func (r route) dial(ctx context.Context) (*link, *Error) {
	limited, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	raw, err := r.connect(limited)
	if err != nil {
		return nil, unreachable(limited, err)
	}
	w := &wire{Conn: raw}
	secured := tls.Client(w, r.settings)
	if err := secured.HandshakeContext(limited); err != nil {
		_ = raw.Close()
		return nil, handshakeError(limited, err)
	}
	return newLink(w, secured), nil
}

func (r route) connect(ctx context.Context) (net.Conn, error) {
	var dialer net.Dialer
	if r.proxy == nil {
		return dialer.DialContext(ctx, "tcp", r.address)
	}
	port := r.proxy.Port()
	if port == "" {
		port = "80"
	}
	raw, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(r.proxy.Hostname(), port))
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = raw.Close() })
	err = r.tunnel(raw)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = raw.Close()
		return nil, err
	}
	return raw, nil
}

var errProxy = errors.New("the proxy did not open a tunnel to the device: check the proxy's address, its credentials and its rules")

// tunnel asks the proxy for a way to the device. The API token is not part of
// what the proxy sees.
func (r route) tunnel(raw net.Conn) error {
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: r.address}, Host: r.address, Header: http.Header{}}
	if user := r.proxy.User; user != nil {
		password, _ := user.Password()
		pair := base64.StdEncoding.EncodeToString([]byte(user.Username() + ":" + password))
		req.Header.Set("Proxy-Authorization", "Basic "+pair)
	}
	if err := req.Write(raw); err != nil {
		return err
	}
	in := bufio.NewReader(&quota{from: raw, left: maxHeader})
	answer, err := http.ReadResponse(in, req) //nolint:bodyclose // A CONNECT answer has no body.
	if err != nil || answer.StatusCode != http.StatusOK || in.Buffered() > 0 {
		return errProxy
	}
	return nil
}

// contextKind is the kind of a failure in which the context had a part.
func contextKind(ctx context.Context, otherwise Kind) Kind {
	if errors.Is(ctx.Err(), context.Canceled) {
		return KindCanceled
	}
	return otherwise
}

func unreachable(ctx context.Context, err error) *Error {
	message := "the device cannot be reached, nothing was sent: check host, port and the way there"
	if name, ok := errors.AsType[*net.DNSError](err); ok && !name.IsTimeout {
		message = "the device's name cannot be looked up, nothing was sent: check the host"
	}
	return &Error{Kind: contextKind(ctx, KindUnreachable), Message: message, Err: err}
}

const pinInstead = "pin the certificate's public key (TLS.PinSHA256, the value of PinOf) after comparing it with the device's own, or give the device a certificate that names this address"

func handshakeError(ctx context.Context, err error) *Error {
	if lost(err) || ctx.Err() != nil {
		return &Error{Kind: contextKind(ctx, KindUnreachable), Err: err,
			Message: "the TLS handshake did not come to an end, nothing was sent: check that host and port are those of the HTTPS administration"}
	}
	return &Error{Kind: KindTLS, Message: distrust(err), Err: err}
}

// lost reports that the connection failed, and not what was said on it.
func lost(err error) bool {
	_, fromSystem := errors.AsType[syscall.Errno](err)
	slow, isNet := errors.AsType[net.Error](err)
	return fromSystem || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || (isNet && slow.Timeout())
}

func distrust(err error) string {
	if _, ok := errors.AsType[*pinError](err); ok {
		return "the device's key is not the pinned one, nothing was sent: either its certificate was replaced, then pin the new key after comparing it on the device, or something else answers at this address"
	}
	if name, ok := errors.AsType[x509.HostnameError](err); ok {
		if len(name.Certificate.DNSNames)+len(name.Certificate.IPAddresses) == 0 {
			return "the device's certificate has no usable name, nothing was sent: " + pinInstead
		}
		return "the device's certificate is for another name, nothing was sent: " + pinInstead
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "the device's certificate is not signed by a trusted authority, nothing was sent: name the authority (TLS.Roots) or " + pinInstead
	}
	if _, ok := errors.AsType[x509.CertificateInvalidError](err); ok {
		return "the device's certificate is not valid, nothing was sent: renew it or " + pinInstead
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return "what answers does not speak TLS, nothing was sent: check that the port is the HTTPS administration port"
	}
	return "the TLS handshake failed, nothing was sent: check that host and port are those of the HTTPS administration"
}
