package fortios

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"time"
)

// TLS says how the device is recognised. There is no way to check nothing.
type TLS struct {
	// Roots are the authorities that may have signed the device's certificate;
	// nil means the system's. Not used with a pin.
	Roots *x509.CertPool
	// PinSHA256 is the value of PinOf for the device's certificate, 64
	// hexadecimal digits. With a pin neither name nor chain is checked, and
	// nothing but this key is accepted.
	PinSHA256 string
	// MinVersion is tls.VersionTLS12 or tls.VersionTLS13; 0 means TLS 1.2.
	MinVersion uint16
}

func (t TLS) settings(host string) (*tls.Config, error) {
	if t.MinVersion != 0 && t.MinVersion != tls.VersionTLS12 && t.MinVersion != tls.VersionTLS13 {
		return nil, invalid("MinVersion must be TLS 1.2 or TLS 1.3")
	}
	// HTTP/2 would bring multiplexing and resending, so only HTTP/1.1 is offered.
	cfg := &tls.Config{ServerName: host, RootCAs: t.Roots, MinVersion: max(t.MinVersion, tls.VersionTLS12), NextProtos: []string{"http/1.1"}}
	if t.PinSHA256 == "" {
		return cfg, nil
	}
	want, err := hex.DecodeString(t.PinSHA256)
	if err != nil || len(want) != sha256.Size {
		return nil, invalid("PinSHA256 must be 64 hexadecimal digits: the SHA-256 of the certificate's public key")
	}
	cfg.InsecureSkipVerify = true //nolint:gosec // VerifyConnection compares the key, which is stricter than a chain.
	cfg.VerifyConnection = func(state tls.ConnectionState) error {
		got := keyHash(state.PeerCertificates[0])
		if subtle.ConstantTimeCompare(got[:], want) != 1 {
			return &pinError{got: hex.EncodeToString(got[:])}
		}
		return nil
	}
	return cfg, nil
}

// pinError tells a wrong key from the other reasons of a failed handshake.
type pinError struct{ got string }

func (e *pinError) Error() string { return "the certificate's pin is " + e.got }

// Unwrap tells callers which failure this is.
func (e *pinError) Unwrap() error { return ErrOtherKey }

// ErrOtherKey is within the [KindTLS] error of a device whose key is not the pinned one.
var ErrOtherKey = errors.New("the device's key is not the pinned one")

func keyHash(cert *x509.Certificate) [sha256.Size]byte {
	return sha256.Sum256(cert.RawSubjectPublicKeyInfo)
}

// PinOf is the pin of a certificate: the SHA-256 of its SubjectPublicKeyInfo as
// 64 lower-case hexadecimal digits. It outlives a renewal that keeps the key.
func PinOf(cert *x509.Certificate) string {
	sum := keyHash(cert)
	return hex.EncodeToString(sum[:])
}

// maxCAFile is far above any bundle of authorities.
const maxCAFile = 4 << 20

// LoadCAFile reads a PEM file of at most 4 MiB for TLS.Roots. Every certificate
// in it must be readable, and there must be one.
func LoadCAFile(path string) (*x509.CertPool, error) {
	file, err := os.Open(path) //nolint:gosec // The operator names the file.
	if err != nil {
		return nil, &Error{Kind: KindInvalid, Message: "the CA file cannot be read", Err: err}
	}
	defer file.Close() //nolint:errcheck // Opened for reading only.
	data, err := io.ReadAll(io.LimitReader(file, maxCAFile+1))
	if err != nil {
		return nil, &Error{Kind: KindInvalid, Message: "the CA file cannot be read", Err: err}
	}
	if len(data) > maxCAFile {
		return nil, invalid("the CA file %s is larger than 4 MiB", path)
	}
	return parseCAs(path, data)
}

func parseCAs(path string, data []byte) (*x509.CertPool, error) {
	pool, found := x509.NewCertPool(), false
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			return nil, invalid("the CA file %s holds a %q: only certificates belong into it", path, clean(block.Type, 40))
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, &Error{Kind: KindInvalid, Message: "a certificate in the CA file " + path + " cannot be read", Err: err}
		}
		pool.AddCert(cert)
		found = true
	}
	if !found {
		return nil, invalid("the CA file %s holds no certificate in PEM form", path)
	}
	return pool, nil
}

// FetchCertificate shows which certificate a device presents, so that a person
// can compare it and pin its key. It makes a TLS handshake (10 seconds at most),
// sends no byte of HTTP, and proves nothing about who answered. Port 0 means 443.
func FetchCertificate(ctx context.Context, host string, port int) (*x509.Certificate, error) {
	name, err := checkHost(host)
	if err != nil {
		return nil, err
	}
	if port < 0 || port > 65535 {
		return nil, invalid("port %d is not between 1 and 65535", port)
	}
	if port == 0 {
		port = 443
	}
	r := route{
		address: net.JoinHostPort(name, strconv.Itoa(port)),
		limit:   10 * time.Second,
		settings: &tls.Config{ServerName: name, MinVersion: tls.VersionTLS12,
			InsecureSkipVerify: true}, //nolint:gosec // The certificate is shown, not trusted; nothing is sent.
	}
	link, fault := r.dial(ctx)
	if fault != nil {
		fault.Op = "certificate of " + r.address
		return nil, fault
	}
	defer link.close()
	return link.tls.ConnectionState().PeerCertificates[0], nil
}
