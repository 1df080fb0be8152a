package fortios

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Config says which device to talk to and how. Only Host and Token are
// required.
type Config struct {
	// Host is a name or an address, without scheme, port, path or user. An
	// IPv6 address may stand in brackets; one with a zone is refused.
	Host string
	// Port is the HTTPS administration port; 0 means 443.
	Port int
	// VDOM is sent with every read that names no VDOM itself (Do, Get, GetAll
	// and Backup excepted). Empty leaves the choice to the device, which a
	// token without access to the management VDOM answers with 403.
	VDOM string
	// Token gives the API token. It is asked before the first request and,
	// once it has answered, never again; its time does not count as Timeout.
	// A failure is returned and not remembered.
	Token func(ctx context.Context) (string, error)
	// TLS says how the device is recognised. The zero value checks name and
	// chain against the system's roots.
	TLS TLS
	// Timeout bounds a request from its start to the last byte of its answer;
	// 0 means 30 seconds. It holds for List and Backup too.
	Timeout time.Duration
	// ConnectTimeout bounds name look-up, TCP, proxy and TLS together; 0 means
	// 10 seconds.
	ConnectTimeout time.Duration
	// BodyIdle bounds the silence between two pieces of an answer's body; 0
	// means 15 seconds.
	BodyIdle time.Duration
	// MaxBody bounds the body of an answer in bytes, for List each row; 0
	// means 8 MiB.
	MaxBody int64
	// Proxy is an HTTP proxy (scheme http, CONNECT); nil means none. The
	// environment is never consulted.
	Proxy *url.URL
	// UserAgent is sent as given; empty means "forti-fortios".
	UserAgent string
	// Now is the clock of the rule for reusing connections; nil means time.Now.
	Now func() time.Time
}

// Client talks to one device. It is safe for concurrent use; requests made at
// the same time use different connections.
type Client struct {
	route     route
	authority string // of the Host header
	vdom      string
	userAgent string
	timeout   time.Duration
	bodyIdle  time.Duration
	maxBody   int64
	token     *tokenSource
	pool      pool
}

// New checks the configuration and makes a client. It contacts nobody. The
// error is an [*Error] of [KindInvalid] that says which field is wrong.
func New(cfg Config) (*Client, error) {
	host, err := checkHost(cfg.Host)
	if err != nil {
		return nil, err
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	settings, err := cfg.TLS.settings(host)
	if err != nil {
		return nil, err
	}
	port := strconv.Itoa(cmp.Or(cfg.Port, 443))
	address := net.JoinHostPort(host, port)
	return &Client{
		route:     route{address: address, proxy: cfg.Proxy, settings: settings, limit: cmp.Or(cfg.ConnectTimeout, 10*time.Second)},
		authority: authority(address, port),
		vdom:      cfg.VDOM,
		userAgent: cmp.Or(cfg.UserAgent, "forti-fortios"),
		timeout:   cmp.Or(cfg.Timeout, 30*time.Second),
		bodyIdle:  cmp.Or(cfg.BodyIdle, 15*time.Second),
		maxBody:   cmp.Or(cfg.MaxBody, 8<<20),
		token:     newTokenSource(cfg.Token),
		pool:      pool{now: orNow(cfg.Now)},
	}, nil
}

// Close closes the connection that is kept for reuse. The client stays usable.
func (c *Client) Close() { c.pool.drop() }

// authority is what the Host header names: the port only where it is not the
// usual one.
func authority(address, port string) string {
	if port == "443" {
		return strings.TrimSuffix(address, ":443")
	}
	return address
}

func (cfg Config) check() error {
	switch {
	case cfg.Port < 0 || cfg.Port > 65535:
		return invalid("port %d is not between 1 and 65535", cfg.Port)
	case cfg.Token == nil:
		return invalid("no token source: set Token")
	case cfg.Timeout < 0 || cfg.ConnectTimeout < 0 || cfg.BodyIdle < 0:
		return invalid("a negative time limit")
	case cfg.MaxBody < 0 || cfg.MaxBody > 1<<40:
		return invalid("MaxBody %d is not between 0 and 2^40", cfg.MaxBody)
	case !headerText(cfg.UserAgent):
		return invalid("UserAgent may hold printable ASCII only")
	case cfg.VDOM != "" && !vdomName().MatchString(cfg.VDOM):
		return invalid("VDOM %q is not the name of a VDOM (letters, digits, - and _)", cfg.VDOM)
	}
	return checkProxy(cfg.Proxy)
}

func checkProxy(proxy *url.URL) error {
	switch {
	case proxy == nil:
		return nil
	case proxy.Scheme != "http":
		return invalid("proxy of scheme %q: only http is supported", proxy.Scheme)
	case proxy.Hostname() == "":
		return invalid("the proxy has no host")
	}
	return nil
}

var (
	hostName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.)*[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$`)
	})
	digits   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|\.)[0-9]+$`) })
	vdomName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,31}$`) })
)

// checkHost returns the host as it is dialled: an address without brackets, or
// a name.
func checkHost(text string) (string, error) {
	bare := text
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		bare = text[1 : len(text)-1]
	}
	if addr, err := netip.ParseAddr(bare); err == nil {
		if addr.Zone() != "" || (bare != text && !addr.Is6()) {
			return "", invalid("host %q: brackets are for IPv6 addresses, and zones are not supported", text)
		}
		return addr.String(), nil
	}
	switch {
	case text == "":
		return "", invalid("no host: set Host")
	case strings.ContainsAny(text, "/@?#"):
		return "", invalid("the host must be a bare name or address, without scheme, user or path")
	case strings.Contains(text, ":"):
		return "", invalid("host %q: the port belongs into Port", text)
	case len(text) > 253 || !hostName().MatchString(text) || digits().MatchString(text):
		return "", invalid("host %q is neither a host name nor an address", text)
	}
	return text, nil
}

func invalid(format string, args ...any) error {
	return &Error{Kind: KindInvalid, Message: fmt.Sprintf(format, args...)}
}

func headerText(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func orNow(now func() time.Time) func() time.Time {
	if now == nil {
		return time.Now
	}
	return now
}
