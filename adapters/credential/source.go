package credential

import (
	"context"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/redact"
)

// Source says where a secret comes from. Exactly one member is set; of several
// the first one counts.
type Source struct {
	// Keyring: the system's keyring, under the name that the secret is for.
	Keyring bool
	// Env names an environment variable.
	Env string
	// File is an absolute path of a file that only its owner can read.
	File string
	// Command is a program with its arguments.
	Command []string
}

// MaxSecret bounds a secret, in bytes.
const MaxSecret = 64 << 10

// DefaultTimeout bounds a program and the keyring, which may ask a person.
const DefaultTimeout = 2 * time.Minute

// Options adjust sources. The zero value is safe.
type Options struct {
	// Keyring is the keyring; nil means the system's.
	Keyring Keyring
	// Service separates this installation's entries in the keyring from those of
	// others; "" means "forti".
	Service string
	// LookupEnv reads the environment; nil means os.LookupEnv.
	LookupEnv func(name string) (string, bool)
	// Timeout bounds a program and the keyring; 0 means DefaultTimeout.
	Timeout time.Duration
}

// Sources fetches secrets. It is safe for concurrent use.
type Sources struct {
	options Options
	turn    chan struct{} // holds an element while the keyring is asked
}

// New makes sources. It touches nothing.
func New(o *Options) *Sources {
	s := &Sources{turn: make(chan struct{}, 1)}
	if o != nil {
		s.options = *o
	}
	if s.options.LookupEnv == nil {
		s.options.LookupEnv = os.LookupEnv
	}
	if s.options.Service == "" {
		s.options.Service = "forti"
	}
	if s.options.Timeout == 0 {
		s.options.Timeout = DefaultTimeout
	}
	if s.options.Keyring == nil {
		s.options.Keyring = System{}
	}
	return s
}

// Read fetches a secret. name says what it is for ("profile home", "secret psk"):
// it stands in errors and is the entry's name in the keyring. One line break at
// the end is not part of a secret. Failures: config.
func (s *Sources) Read(ctx context.Context, name string, from Source) (redact.Secret, error) {
	if err := ctx.Err(); err != nil {
		return redact.Secret{}, err
	}
	value, err := s.fetch(ctx, name, from)
	if err != nil {
		return redact.Secret{}, err
	}
	value = strings.TrimSuffix(strings.TrimSuffix(value, "\n"), "\r")
	switch {
	case value == "":
		return redact.Secret{}, fault.New(fault.Config, "%s: %s is empty", name, from)
	case len(value) > MaxSecret:
		return redact.Secret{}, fault.New(fault.Config, "%s: %s gives more than 64 KiB", name, from)
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		return redact.Secret{}, fault.New(fault.Config, "%s: %s gives something that is no text", name, from)
	}
	return redact.NewSecret(value), nil
}

func (s *Sources) fetch(ctx context.Context, name string, from Source) (string, error) {
	switch {
	case from.Keyring:
		return s.fromKeyring(ctx, name)
	case from.Env != "":
		value, ok := s.options.LookupEnv(from.Env)
		if !ok {
			return "", fault.New(fault.Config, "%s: %s is not set in the environment of this program", name, from)
		}
		return value, nil
	case from.File != "":
		return fromFile(name, from)
	case len(from.Command) > 0:
		return s.fromCommand(ctx, name, from)
	}
	return "", fault.New(fault.Config, "%s: no source is named; set it in config.json", name)
}

// String names the source for a message. Arguments of a program are left out:
// they may be secrets themselves.
func (s Source) String() string {
	switch {
	case s.Keyring:
		return "the keyring's entry"
	case s.Env != "":
		return "the variable " + redact.Line(s.Env, 80)
	case s.File != "":
		return "the file " + redact.Line(s.File, 200)
	case len(s.Command) > 0:
		return "the program " + redact.Line(s.Command[0], 200)
	}
	return "no source"
}

// maxToken bounds an API token; FortiOS makes them of 30 characters.
const maxToken = 4096

// Token is Read for an API token: visible ASCII without blanks, one line, at most
// 4096 bytes.
func (s *Sources) Token(ctx context.Context, name string, from Source) (redact.Secret, error) {
	secret, err := s.Read(ctx, name, from)
	if err != nil {
		return redact.Secret{}, err
	}
	unusual := func(r rune) bool { return r <= ' ' || r > '~' }
	if secret.Len() > maxToken || strings.ContainsFunc(secret.Reveal(), unusual) {
		return redact.Secret{}, fault.New(fault.Config,
			"%s: %s gives something that is no API token (one line of visible characters without blanks); a program must print the token alone", name, from)
	}
	return secret, nil
}
