package app

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/transport-cli/internal/command/plan/approve"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
)

// caller says who asks, as far as the operating system tells. What it does not
// tell stays empty.
func (a *app) caller() engine.Caller {
	c := engine.Caller{Program: "forti", UID: os.Getuid(), PID: os.Getpid()}
	if u, err := user.Current(); err == nil {
		c.User = u.Username
	}
	if host, err := os.Hostname(); err == nil {
		c.Host = host
	}
	return c
}

// human finds the terminal of the person who started the program.
func (a *app) human() (terminal.Terminal, func(), error) {
	t, err := terminal.Open(a.frame.In, a.frame.Out)
	if err != nil {
		return nil, nil, err
	}
	return t, t.Close, nil
}

// secretBytes is the length of a session's randomness.
const secretBytes = 32

// session gives what a ceremony needs of this machine.
func (a *app) session() (approve.Session, error) {
	random := make([]byte, secretBytes)
	if _, err := rand.Read(random); err != nil {
		return approve.Session{}, fault.Wrap(err, fault.Internal, "the system gives no random bytes")
	}
	executable, err := executableDigest()
	if err != nil {
		return approve.Session{}, fault.Wrap(err, fault.Internal, "the program that asks could not be hashed")
	}
	c := a.frame.Caller
	return approve.Session{
		Clock: a.clock, Random: random,
		Approver: approval.Approver{UID: c.UID, User: c.User, Host: c.Host, Executable: executable},
	}, nil
}

// executableDigest is the hash of the program that shows the screen.
func executableDigest() (canon.Digest, error) {
	path, err := os.Executable()
	if err != nil {
		return canon.Digest{}, err
	}
	f, err := os.Open(path) //nolint:gosec // this program's own file
	if err != nil {
		return canon.Digest{}, err
	}
	defer f.Close() //nolint:errcheck // opened for reading only
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return canon.Digest{}, err
	}
	return canon.ParseDigest(fmt.Sprintf("sha256:%x", h.Sum(nil)))
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
