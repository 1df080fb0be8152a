// Package configure is the command that makes and changes profiles.
package configure

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
)

// Engine is what the test of a connection needs of the product.
type Engine interface {
	Discover(ctx context.Context, c engine.Caller, r request.Discover) (engine.Found, error)
	RecordConfig(ctx context.Context, c engine.Caller, name string, m profile.Mode) error
}

var _ Engine = (*engine.Engine)(nil)

// Store keeps the operator's configuration.
type Store interface {
	// Profile is what a profile is set to; known is false where there is none. An
	// empty name means the default profile.
	Profile(ctx context.Context, name string) (p Profile, known bool, err error)
	// Save makes or replaces a profile and says where.
	Save(ctx context.Context, p Profile) (path string, err error)
}

// Profile is what this command sets of a profile. Everything else of one that
// exists stays as it is.
type Profile struct {
	Name    string
	Host    string
	Port    int
	VDOM    string
	Mode    profile.Mode
	Token   Token
	Trust   Trust
	Timeout time.Duration
	// Default makes it the profile of commands that name none.
	Default bool
}

// Token says where the API token comes from; one member is set.
type Token struct {
	Keyring bool
	Env     string
	File    string
	Command []string
}

// IsZero reports whether no source is named.
func (t Token) IsZero() bool { return !t.Keyring && t.Env == "" && t.File == "" && len(t.Command) == 0 }

// Trust says what authenticates the device: one of the two, or neither for the
// system's authorities.
type Trust struct {
	Pin    string
	CAFile string
}

// Certificate is what a device presents, to be compared by a person.
type Certificate struct {
	Subject, Issuer string
	From, Until     time.Time
	// Fingerprint is the SHA-256 of the certificate as devices show it, AB:CD:…;
	// Pin that of its public key in hex.
	Fingerprint, Pin string
}

// Options is what the command was asked, and what it works with.
type Options struct {
	*command.Frame
	Open  command.Open[Engine]
	Store func() (Store, error)
	// Certificate fetches what a device presents. It proves nothing about the device.
	Certificate func(ctx context.Context, host string, port int) (Certificate, error)
	// Human finds the terminal of a person.
	Human func() (p Person, close func(), err error)
	// StoreToken puts a profile's API token into the system's keyring.
	StoreToken func(ctx context.Context, name string, token redact.Secret) error
	// Absolute makes a path absolute.
	Absolute func(path string) (string, error)

	Name        string
	Given       Profile
	Mode        string
	SystemRoots bool
	NoTest      bool
}

// New makes the command.
func New(o Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "configure [profile]",
		Short: "Make or change a profile: where a FortiGate is and how far this program may go",
		Long: `Make or change a profile. What is not given stays as it is.

A new profile needs --host, --mode and a source of the API token; a person at the
terminal is asked for what is missing. The mode is read_only (nothing is applied),
guarded (a person approves each plan in a terminal) or autonomous (plans are applied
at once). With --token-keyring the person is asked for the token, which is stored in
the system's keyring and nowhere else.

Without --pin, --ca-file or --system-roots the device's certificate is shown,
and a person at the terminal is asked whether its key is to be pinned. Where the
device of a profile shows another key than the trusted one, both are shown.`,
		Example: `  forti configure
  forti configure home --host 192.0.2.1 --mode guarded --token-file ~/.forti/home.token
  forti configure home --mode read_only`,
		Args: command.Arguments(0, "profile"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Name = args[0]
			}
			return run(c.Context(), &o)
		},
	}
	o.define(c)
	return c
}

func (o *Options) define(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.Given.Host, "host", "", "Name or address of the FortiGate.")
	f.IntVar(&o.Given.Port, "port", 0, "Port of its HTTPS administration (443).")
	f.StringVar(&o.Given.VDOM, "vdom", "", "Virtual domain of requests that name none (root).")
	f.StringVar(&o.Mode, "mode", "", "read_only, guarded or autonomous.")
	f.StringVar(&o.Given.Token.Env, "token-env", "", "Take the API token from this environment variable.")
	f.StringVar(&o.Given.Token.File, "token-file", "", "Take the API token from this file, which must be yours alone.")
	f.StringArrayVar(&o.Given.Token.Command, "token-command", nil, "Take the API token from this program's output; repeat the flag for each word.")
	f.BoolVar(&o.Given.Token.Keyring, "token-keyring", false, "Take the API token from the system's keyring.")
	f.StringVar(&o.Given.Trust.Pin, "pin", "", "Trust this key alone: the SHA-256 of its SubjectPublicKeyInfo in hex.")
	f.StringVar(&o.Given.Trust.CAFile, "ca-file", "", "Trust certificates of the authorities in this PEM file.")
	f.BoolVar(&o.SystemRoots, "system-roots", false, "Trust certificates of the system's authorities.")
	f.DurationVar(&o.Given.Timeout, "timeout", 0, "Time limit of a request (30s).")
	f.BoolVar(&o.Given.Default, "default", false, "Use this profile where none is named.")
	f.BoolVar(&o.NoTest, "no-test", false, "Do not connect to the device.")
}
