package fortisim

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Server is a device at an address.
type Server struct {
	// Addr is "host:port".
	Addr string
	// Host and Port are its parts.
	Host string
	Port int
	// PinSHA256 is the hexadecimal SHA-256 of the certificate's
	// SubjectPublicKeyInfo.
	PinSHA256 string
	// Token is the device's token for an administrator that may write.
	Token string

	http *http.Server
	done chan struct{}
	stop func() bool
}

// Listen serves the device over HTTPS at addr, such as "127.0.0.1:0", until
// ctx ends or Close. HTTP/2 and HTTP/1.1 are offered, as a FortiGate does (R).
func (d *Device) Listen(ctx context.Context, addr string) (*Server, error) {
	cert, err := certificate(d.Serial(), d.options.Now())
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("fortisim: cannot listen; choose another address: %w", err)
	}
	s, err := newServer(listener, cert)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	s.Token = d.Token()
	if d.withNegativeSerial() {
		negative(&cert)
	}
	s.http = &http.Server{
		Handler:           d,
		ReadHeaderTimeout: 30 * time.Second,
		ConnContext:       withConn,
		TLSConfig:         &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12, ClientAuth: tls.RequestClientCert},
		ErrorLog:          log.New(io.Discard, "", 0), // broken handshakes are the clients' business
	}
	go func() {
		defer close(s.done)
		_ = s.http.ServeTLS(listener, "", "") // ends with ErrServerClosed
	}()
	s.stop = context.AfterFunc(ctx, func() { _ = s.http.Close() })
	return s, nil
}

func newServer(listener net.Listener, cert tls.Certificate) (*Server, error) {
	host, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return nil, fmt.Errorf("fortisim: address of the listener: %w", err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, fmt.Errorf("fortisim: port of the listener: %w", err)
	}
	pin := sha256.Sum256(cert.Leaf.RawSubjectPublicKeyInfo)
	return &Server{
		Addr: listener.Addr().String(), Host: host, Port: number,
		PinSHA256: hex.EncodeToString(pin[:]), done: make(chan struct{}),
	}, nil
}

// Close stops listening, breaks all connections and waits for the listener's
// end. It may be called more than once.
func (s *Server) Close() error {
	s.stop()
	err := s.http.Close()
	<-s.done
	return err
}
