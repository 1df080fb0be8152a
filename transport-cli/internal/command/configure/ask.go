package configure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
)

// Person is someone at a terminal who may be asked for a secret too.
type Person interface {
	terminal.Terminal
	// Secret is Ask without showing what is typed.
	Secret(ctx context.Context, prompt string) (line string, err error)
}

// askTries is how often a question is put that got no usable answer.
const askTries = 3

// ask puts questions for what a profile still lacks. Where nobody is there to be
// asked it does nothing: what is missing is then the caller's to correct.
func (o *Options) ask(ctx context.Context, now Profile) error {
	host := now.Host == "" && o.Given.Host == ""
	mode := now.Mode == "" && o.Mode == ""
	token := now.Token.IsZero() && o.Given.Token.IsZero()
	if !host && !mode && !token {
		return nil
	}
	person, done, err := o.Human()
	if err != nil {
		return nil //nolint:nilerr // nobody is there; merge says what is missing
	}
	defer done()
	if host {
		o.Given.Host, err = question(ctx, person, "Name or address of the FortiGate: ", func(answer string) string {
			if answer == "" || strings.ContainsAny(answer, " /") {
				return "a name or an address alone, such as 192.0.2.1; the port is --port"
			}
			return ""
		})
	}
	if err == nil && mode {
		o.Mode, err = question(ctx, person,
			"Mode: read_only (nothing is applied), guarded (a person approves each plan) or autonomous: ", wrongMode)
	}
	if err == nil && token {
		err = o.askToken(ctx, person)
	}
	return err
}

func wrongMode(answer string) string {
	if _, err := profile.ParseMode(answer); err != nil {
		return "read_only, guarded or autonomous"
	}
	return ""
}

// askToken asks where the API token is, or for the token itself.
func (o *Options) askToken(ctx context.Context, person Person) error {
	kind, err := question(ctx, person, "Where is the API token? Type  keyring  (you are asked for it next),  file  or  env : ", func(answer string) string {
		switch answer {
		case "keyring", "file", "env":
			return ""
		}
		return "keyring, file or env; for a program: forti configure --token-command"
	})
	if err != nil {
		return err
	}
	some := func(answer string) string {
		if answer == "" {
			return "it must be named"
		}
		return ""
	}
	switch kind {
	case "keyring":
		o.Given.Token.Keyring = true // the token is asked for where it is stored
	case "file":
		o.Given.Token.File, err = question(ctx, person, "File that has the token alone, and is yours alone (mode 600): ", some)
	case "env":
		o.Given.Token.Env, err = question(ctx, person, "Name of the environment variable: ", some)
	}
	return err
}

// question asks until the answer is usable.
func question(ctx context.Context, person terminal.Terminal, prompt string, wrong func(answer string) string) (string, error) {
	for range askTries {
		answer, err := person.Ask(ctx, prompt)
		if err != nil {
			return "", stopped(err)
		}
		answer = strings.TrimSpace(answer)
		problem := wrong(answer)
		if problem == "" {
			return answer, nil
		}
		if err := person.Write("  " + problem + "\n"); err != nil {
			return "", stopped(err)
		}
	}
	return "", fault.New(fault.Usage, "no usable answer in %d tries; nothing was saved (see: forti configure --help)", askTries)
}

// stopped is the end of a conversation: by the person, or because of the terminal.
func stopped(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fault.Wrap(err, fault.PolicyDenied, "stopped; nothing was saved").With("reason", "stopped")
	}
	return fault.Wrap(err, fault.Internal, "the terminal failed; nothing was saved")
}

// keep stores the token of a profile whose source became the keyring, if a person is
// there to type it. Without one the keyring must have it already.
func (o *Options) keep(ctx context.Context, p Profile) error {
	if !o.Given.Token.Keyring {
		return nil
	}
	person, done, err := o.Human()
	if err != nil {
		return nil //nolint:nilerr // nobody is there; the test of the connection shows whether the entry is
	}
	defer done()
	typed, err := person.Secret(ctx, fmt.Sprintf("API token for profile %s (it is not shown; Enter alone keeps the one in the keyring): ", redact.Line(p.Name, 60)))
	if err != nil {
		return stopped(err)
	}
	if typed = strings.TrimSpace(typed); typed == "" {
		return nil
	}
	return o.StoreToken(ctx, p.Name, redact.NewSecret(typed))
}
