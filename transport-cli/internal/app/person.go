package app

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/forti-mcp/forti/adapters/credential"
	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/adapters/sshsign"
	"github.com/forti-mcp/forti/adapters/system"
	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/transport-cli/internal/command/configure"
	"github.com/forti-mcp/forti/transport-cli/internal/command/plan/approve"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
)

// caller says who asks, as far as the operating system tells.
func (a *app) caller() engine.Caller {
	p := system.Current()
	return engine.Caller{Program: "forti", User: p.User, Host: p.Host, TTY: p.TTY, UID: p.UID, PID: p.PID}
}

// human finds the terminal of the person who started the program.
func (a *app) human() (terminal.Terminal, func(), error) {
	t, err := terminal.Open(a.frame.In, a.frame.Out)
	if err != nil {
		return nil, nil, err
	}
	return t, t.Close, nil
}

// person is human for questions whose answers are secrets.
func (a *app) person() (configure.Person, func(), error) {
	t, err := terminal.Open(a.frame.In, a.frame.Out)
	if err != nil {
		return nil, nil, err
	}
	return t, t.Close, nil
}

// storeToken puts a profile's API token into the keyring of this session.
func (a *app) storeToken(ctx context.Context, name string, token redact.Secret) error {
	home, isDefault, err := a.home()
	if err != nil {
		return err
	}
	sources := fortifx.Sources(fortifx.Options{Home: home, DefaultHome: isDefault})
	return sources.Store(ctx, credential.TokenEntry(name), token)
}

// secretBytes is the length of a session's randomness.
const secretBytes = 32

// session gives what a ceremony needs of this machine.
func (a *app) session() (approve.Session, error) {
	random, err := system.Random{}.Bytes(secretBytes)
	if err != nil {
		return approve.Session{}, fault.Wrap(err, fault.Internal, "the system gives no random bytes")
	}
	executable, err := system.Executable()
	if err != nil {
		return approve.Session{}, fault.Wrap(err, fault.Internal, "the program that asks could not be hashed")
	}
	c := a.frame.Caller
	return approve.Session{
		Clock: a.clock, Now: system.Clock{}.Now, Random: random,
		Approver: approval.Approver{UID: c.UID, User: c.User, Host: c.Host, TTY: c.TTY, Executable: executable},
	}, nil
}

// signer signs with the keys of this machine.
func (a *app) signer(list, key string) approve.Signer {
	return sshsign.Signer{Agent: a.getenv("SSH_AUTH_SOCK"), Key: key, List: list, Clock: system.Clock{}}
}

// server finds the program forti-mcp: beside this one, else where programs are
// looked for.
func (a *app) server() string {
	name := "forti-mcp"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if own, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(own), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside
		}
	}
	if path, err := exec.LookPath(name); err == nil {
		if path, err = filepath.Abs(path); err == nil {
			return path
		}
	}
	return name
}
