package fortiosdevice

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"net/url"
	"strings"
	"time"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/fortios-client/fortios"
)

// Access is what opening a device needs and a profile does not hold.
type Access struct {
	// Token gives the API token. It is asked at the first request, once for each
	// open device. Its failures are fault errors with the code config.
	Token func(ctx context.Context) (redact.Secret, error)
	// CA holds the PEM certificates that a profile's trust "ca:<hex>" is the
	// SHA-256 of; nil otherwise.
	CA []byte
	// Proxy is an HTTP proxy (scheme http), nil for none. The environment is
	// never consulted.
	Proxy *url.URL
}

// Accessor finds the access of a profile, by its name. Failures: config.
type Accessor func(ctx context.Context, p profile.Profile) (Access, error)

// Options adjust devices. The zero value is safe.
type Options struct {
	// ReadOnly makes every Send refuse without sending, whatever asks for it.
	ReadOnly bool
	// UserAgent is what devices see of this program in their logs.
	UserAgent string
	// Now is the clock for reusing connections; nil means time.Now.
	Now func() time.Time
}

// Devices opens devices. It is safe for concurrent use.
type Devices struct {
	access  Accessor
	options Options
}

var _ port.Devices = (*Devices)(nil)

// NewDevices makes a factory of devices. It contacts nobody.
func NewDevices(access Accessor, o *Options) *Devices {
	d := &Devices{access: access}
	if o != nil {
		d.options = *o
	}
	return d
}

// Open prepares the connection to a profile's device and sends nothing. What
// authenticates the device is the profile's own Trust. Failures: config.
func (d *Devices) Open(ctx context.Context, p profile.Profile) (port.Device, error) {
	access, err := d.access(ctx, p)
	if err != nil {
		return nil, err
	}
	trust, err := trustOf(p, access.CA)
	if err != nil {
		return nil, err
	}
	client, err := fortios.New(fortios.Config{
		Host: p.Host, Port: p.Port, VDOM: p.VDOM, Timeout: p.Timeout, TLS: trust, Proxy: access.Proxy,
		UserAgent: d.options.UserAgent, Now: d.options.Now, Token: reveal(access.Token),
	})
	if err != nil {
		return nil, fault.Wrap(err, fault.Config, "profile %q cannot be used: %s", p.Name, invalid(err))
	}
	return &Device{client: client, vdom: p.VDOM, proxied: access.Proxy != nil, readOnly: d.options.ReadOnly}, nil
}

// reveal hands the token to the client, which keeps it out of everything but the
// header of requests.
func reveal(token func(context.Context) (redact.Secret, error)) func(context.Context) (string, error) {
	if token == nil {
		return nil
	}
	return func(ctx context.Context) (string, error) {
		secret, err := token(ctx)
		return secret.Reveal(), err
	}
}

func invalid(err error) string {
	if e := clientError(err); e != nil {
		return e.Message
	}
	return "its host, port, VDOM, time limit or proxy is not valid"
}

// trustOf reads a profile's trust: "spki-sha256:<hex>", "ca:<hex>" or "system".
func trustOf(p profile.Profile, ca []byte) (fortios.TLS, error) {
	kind, value, _ := strings.Cut(p.Trust, ":")
	switch {
	case kind == "spki-sha256" && value != "": // an empty pin would mean none to the client
		return fortios.TLS{PinSHA256: value}, nil
	case kind == "ca":
		return trustCA(p, value, ca)
	case p.Trust == "system":
		return fortios.TLS{}, nil
	}
	return fortios.TLS{}, fault.New(fault.Config, "profile %q does not say how the device is recognised; "+pinInstead, p.Name)
}

func trustCA(p profile.Profile, want string, ca []byte) (fortios.TLS, error) {
	sum := sha256.Sum256(ca)
	if hex.EncodeToString(sum[:]) != want {
		return fortios.TLS{}, fault.New(fault.Config, "the CA file of profile %q has just been changed; try again", p.Name)
	}
	roots, found := x509.NewCertPool(), false
	for block, rest := pem.Decode(ca); block != nil; block, rest = pem.Decode(rest) {
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return fortios.TLS{}, fault.Wrap(err, fault.Config, "the CA file of profile %q holds something that is no certificate", p.Name)
		}
		roots.AddCert(certificate)
		found = true
	}
	if !found {
		return fortios.TLS{}, fault.New(fault.Config, "the CA file of profile %q holds no certificate in PEM form", p.Name)
	}
	return fortios.TLS{Roots: roots}, nil
}
